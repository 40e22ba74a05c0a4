//! What is shown of calls while they run.

use serde_json::{Value, json};

use crate::Bench;
use crate::gone::wait_until;
use crate::screen::{ENTER, Screen};

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
