//! The lines about calls while they run.

use serde_json::{Value, json};

use crate::Bench;
use crate::gone::wait_until;
use crate::screen::{CTRL_C, ENTER, Screen};

/// Prints a line, and another once there is a file `go`.
const PATIENT: &str = "echo first; until [ -e go ]; do sleep 0.05; done; echo second";

fn run(bench: &Bench, options: &[&str], lines: &[Value]) -> Screen {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let file = bench.outside().join("calls.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let arguments = [options, &["run", file.to_str().unwrap()]].concat();
    Screen::start(bench, &arguments)
}

/// The line on the screen that begins so.
fn row<'s>(screen: &'s str, start: &str) -> Option<&'s str> {
    screen.lines().find(|line| line.starts_with(start))
}

#[test]
fn a_call_that_takes_a_while_has_a_bar_below_what_it_prints() {
    let bench = Bench::new();
    let arguments = json!({"command": PATIENT}).to_string();
    let mut screen = Screen::start(&bench, &["--yes", "call", "shell.run", &arguments]);
    let shown = screen.sees("shell.run");
    let lines: Vec<&str> = shown.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 2, "{shown}");
    assert_eq!(lines[0], "first");
    assert!(lines[1].starts_with("shell.run "), "{shown}");
    bench.file("go", "");
    let (code, output) = screen.ends();
    assert_eq!(code, Some(0));
    assert_eq!(output, "first\nsecond\n[exit status: 0]\n");
    assert_eq!(screen.text().trim(), "first\nsecond");
}

#[test]
fn of_a_run_each_call_has_a_bar_with_its_last_line() {
    let bench = Bench::new();
    let line = "echo busy; until [ -e go ]; do sleep 0.05; done";
    let work = json!({"id": "1", "name": "shell.run", "arguments": {"command": line}});
    let message = json!([work, {"id": "2", "name": "fs.list", "arguments": {}}]);
    let mut screen = run(&bench, &["--yes"], &[message]);
    let shown = screen.sees("shell.run");
    let bar = row(&shown, "shell.run").unwrap().trim_end();
    assert!(bar.ends_with("busy"), "{shown}");
    bench.file("go", "");
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(0));
    assert_eq!(lines.len(), 2);
    assert_eq!(screen.text().trim(), "2 succeeded, 0 failed, 0 denied");
}

#[test]
fn bars_are_away_while_something_is_asked() {
    let bench = Bench::new();
    let options = json!([{"label": "red"}, {"label": "green"}]);
    let question = json!({"question": "Which colour?", "options": options});
    let ask = json!({"id": "1", "name": "user.ask", "arguments": question});
    // Long after a bar would be there, it tells so.
    let line = "sleep 1; touch late; until [ -e go ]; do sleep 0.05; done";
    let work = json!({"id": "2", "name": "shell.run", "arguments": {"command": line}});
    let mut screen = run(&bench, &["--yes"], &[json!([ask, work])]);
    screen.sees("Which colour?");
    wait_until(|| bench.path("late").exists().then_some(()));
    assert!(!screen.text().contains("shell.run"), "{}", screen.text());
    screen.press(ENTER);
    screen.sees("shell.run");
    // The call that has its answer goes on behind the other, so that both have a bar, as wide as the screen.
    let rows = screen.rows();
    assert!(
        rows.iter().any(|row| row.starts_with("shell.run")),
        "{rows:?}"
    );
    bench.file("go", "");
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(0));
    assert_eq!(lines.len(), 2);
    let left = screen.text();
    assert!(!left.contains("shell.run"), "{left}");
    assert!(left.contains("2 succeeded, 0 failed, 0 denied"), "{left}");
}

#[test]
fn a_key_that_is_pressed_leaves_nothing_of_a_bar() {
    let bench = Bench::new();
    let arguments = json!({"command": PATIENT}).to_string();
    let mut screen = Screen::start(&bench, &["--yes", "call", "shell.run", &arguments]);
    screen.sees("shell.run");
    assert!(!screen.echoes());
    screen.press("x\ry\r");
    bench.file("go", "");
    let (code, _) = screen.ends();
    assert_eq!(code, Some(0));
    assert_eq!(screen.text().trim(), "first\nsecond");
}

#[test]
fn ctrl_c_leaves_nothing_of_a_bar() {
    // The second line does not end by being asked to, so that the second Ctrl-C ends it all.
    for (line, keys) in [
        ("sleep 60", 1),
        ("trap '' TERM; touch there; while :; do sleep 0.1; done", 2),
    ] {
        let bench = Bench::new();
        let arguments = json!({"command": line}).to_string();
        let mut screen = Screen::start(&bench, &["--yes", "call", "shell.run", &arguments]);
        screen.sees("shell.run");
        for _ in 0..keys {
            screen.press(CTRL_C);
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        let (code, _) = screen.ends();
        assert_eq!(code, Some(130));
        // After the first Ctrl-C the call has ended, and the terminal shows the second one as any key.
        let left = screen.text().replace("^C", "");
        assert_eq!(left.trim(), "");
    }
}

#[test]
fn at_a_terminal_what_was_shown_already_is_not_printed_again() {
    let bench = Bench::new();
    let call = |command: &str, options: &[&str]| {
        let arguments = json!({"command": command}).to_string();
        let all = [options, &["--yes", "call", "shell.run", &arguments]].concat();
        let mut screen = Screen::start_whole(&bench, (6_000, 100), &all);
        let (code, _) = screen.ends();
        (code, screen.text().trim().to_owned())
    };
    for options in [&[][..], &["--live"], &["--raw"]] {
        for line in ["echo first; echo second", "printf 'first\\nsecond'"] {
            let told = call(line, options);
            let shown = "first\nsecond\n[exit status: 0]".to_owned();
            assert_eq!(told, (Some(0), shown), "{line}");
        }
        assert_eq!(call("true", options).1, "[exit status: 0]");
    }
    // A line that is ended has told so.
    let arguments = json!({"command": "echo first; sleep 60", "timeout": 1}).to_string();
    let all = ["--yes", "call", "shell.run", &arguments];
    let mut screen = Screen::start_whole(&bench, (150, 100), &all);
    assert_eq!(screen.ends().0, Some(1));
    let text = screen.text();
    assert_eq!(text.matches("first").count(), 1, "{text}");
    assert!(
        text.contains("[the line was ended at its timeout"),
        "{text}"
    );
    // The model reads a part of long output, and the terminal shows all of it.
    let (_, text) = call("for n in {1..20000}; do echo line $n; done", &[]);
    assert!(text.contains("What the model reads:\nline 1\n"), "{text}");
    assert!(text.ends_with("line 20000\n[exit status: 0]"), "{text}");
}
