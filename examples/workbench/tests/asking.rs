//! The person at a terminal is asked: keys are pressed, and the screen is read.
#![cfg(unix)]

mod against_it;
mod typing;
mod whole;

use serde_json::{Value, json};

use crate::Bench;
use crate::screen::{DOWN, ENTER, Screen};

fn write(id: &str, path: &str, content: &str) -> Value {
    json!({"id": id, "name": "fs.write", "arguments": {"path": path, "content": content}})
}

/// A file of lines, each a call or a message.
fn calls(bench: &Bench, lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let file = bench.outside().join("calls.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

fn call(bench: &Bench, tool: &str, arguments: &Value) -> Screen {
    Screen::start(bench, &["call", tool, &arguments.to_string()])
}

/// A call of `fs.write` that the person is asked about: `x` into the file `a`.
fn asked(bench: &Bench) -> Screen {
    let screen = call(bench, "fs.write", &json!({"path": "a", "content": "x"}));
    screen.sees("May fs.write run?");
    screen
}

/// The same with a shell script as the editor.
fn asked_with_editor(bench: &Bench, script: &str) -> Screen {
    let editor = bench.outside().join("editor");
    std::fs::write(&editor, script).unwrap();
    let editor = format!("sh {}", editor.display());
    let arguments = json!({"path": "a", "content": "x"}).to_string();
    let call = ["call", "fs.write", &arguments];
    let screen = Screen::start_with(bench, &[("EDITOR", &editor)], &call);
    screen.sees("May fs.write run?");
    screen
}

#[test]
fn yes_runs_it() {
    let bench = Bench::new();
    bench.file("a.txt", "one\ntwo\n");
    let arguments = json!({"path": "a.txt", "content": "one\nthree\n"});
    let mut screen = call(&bench, "fs.write", &arguments);
    let shown = screen.sees("May fs.write run?");
    for line in [
        "fs.write (Write file) wants to run:",
        r#"|   "content": "one\nthree\n","#,
        "| Write `a.txt`",
        "| -two",
        "| +three",
        "You are asked because",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    assert_eq!(bench.read("a.txt"), "one\ntwo\n");
    screen.press("y");
    let (code, output) = screen.ends();
    assert_eq!(
        (code, output.as_str()),
        (Some(0), "wrote 10 bytes to `a.txt`\n")
    );
    assert_eq!(bench.read("a.txt"), "one\nthree\n");
}

#[test]
fn no_is_told_to_the_model_with_its_reason() {
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("n");
    screen.sees("Why not?");
    screen.press("not on a Friday");
    screen.sees("> not on a Friday");
    screen.press(ENTER);
    let (code, output) = screen.ends();
    assert_eq!(code, Some(3));
    assert!(output.contains("not on a Friday"), "{output}");
    assert!(!bench.path("a").exists());
}

#[test]
fn what_is_always_allowed_is_asked_once() {
    let bench = Bench::new();
    let file = calls(
        &bench,
        &[
            write("1", "a", "x"),
            write("2", "a", "y"),
            json!({"id": "3", "name": "shell.run", "arguments": {"command": "echo hi"}}),
        ],
    );
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May fs.write run?");
    screen.press("a");
    screen.sees("What is always allowed, until this run ends?");
    screen.press(DOWN);
    screen.press(ENTER);
    // The second is not asked about, and the third is another thing.
    screen.sees("May shell.run run?");
    assert_eq!(bench.read("a"), "y");
    screen.press("y");
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(0));
    assert_eq!(lines.len(), 3);
}

#[test]
fn what_is_never_allowed_is_refused_without_asking() {
    let bench = Bench::new();
    let file = calls(&bench, &[write("1", "a", "x"), write("2", "a", "y")]);
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May fs.write run?");
    screen.press("v");
    screen.sees("What is never allowed, until this run ends?");
    screen.press(DOWN);
    screen.press(ENTER);
    screen.sees("Why not?");
    screen.press(ENTER);
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(3));
    assert_eq!(
        [&lines[0]["status"], &lines[1]["status"]],
        ["denied", "denied"]
    );
    assert!(!bench.path("a").exists());
}

#[test]
fn arguments_are_edited_in_the_editor() {
    let bench = Bench::new();
    // A mistake first, then what is meant.
    let mut screen = asked_with_editor(
        &bench,
        "#!/bin/sh\nif [ -e \"$0.once\" ]; then printf '{\"path\": \"b\", \"content\": \"edited\"}' > \"$1\"\n\
         else touch \"$0.once\"; echo '{' > \"$1\"; fi\n",
    );
    screen.press("e");
    screen.sees("this is not JSON");
    screen.sees("Enter edits it again.");
    screen.press(ENTER);
    let (code, _) = screen.ends();
    assert_eq!(code, Some(0), "{}", screen.text());
    assert!(!bench.path("a").exists());
    assert_eq!(bench.read("b"), "edited");
}

#[test]
fn a_message_with_several_calls_is_one_prompt() {
    let bench = Bench::new();
    bench.file("seen.txt", "x\n");
    let message = json!([
        write("1", "a", "x"),
        write("2", "b", "x"),
        {"id": "3", "name": "fs.read", "arguments": {"path": "seen.txt"}},
        write("4", "c", "x"),
    ]);
    let file = calls(&bench, &[message]);
    let mut screen = Screen::start(&bench, &["run", &file]);
    let shown = screen.sees("May these 3 run?");
    for line in ["-- 1 of 3 --", "-- 3 of 3 --", "| Write `b`"] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    screen.press("p");
    screen.sees("Which may run?");
    screen.press(" ");
    screen.press(DOWN);
    screen.press(DOWN);
    screen.press(" ");
    screen.waits_for_marks(2);
    screen.press(ENTER);
    screen.sees("Why not?");
    screen.press("two are enough");
    screen.press(ENTER);
    let (code, lines) = screen.lines();
    let told: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| {
            (
                line["id"].as_str().unwrap(),
                line["status"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("1", "success"),
            ("2", "denied"),
            ("3", "success"),
            ("4", "success")
        ]
    );
    assert!(
        lines[1].to_string().contains("two are enough"),
        "{}",
        lines[1]
    );
    assert_eq!(code, Some(3));
    assert!(bench.path("a").exists() && !bench.path("b").exists() && bench.path("c").exists());
}

impl Screen {
    fn waits_for_marks(&self, count: usize) {
        self.until("the marks", |screen| screen.matches("[x]").count() == count);
    }
}

#[test]
fn of_a_batch_all_none_or_each_may_be_said() {
    for (keys, code, written) in [
        (&["y"][..], 0, [true, true]),
        (&["n", ENTER], 3, [false, false]),
    ] {
        let bench = Bench::new();
        let file = calls(
            &bench,
            &[json!([write("1", "a", "x"), write("2", "b", "x")])],
        );
        let mut screen = Screen::start(&bench, &["run", &file]);
        screen.sees("May these 2 run?");
        for key in keys {
            screen.press(key);
            if *key == "n" {
                screen.sees("Why not?");
            }
        }
        assert_eq!(screen.ends().0, Some(code));
        assert_eq!(
            [bench.path("a").exists(), bench.path("b").exists()],
            written
        );
    }
    let bench = Bench::new();
    let file = calls(
        &bench,
        &[json!([write("1", "a", "x"), write("2", "b", "x")])],
    );
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May these 2 run?");
    screen.press("o");
    screen.sees("May fs.write run?");
    screen.press("y");
    // The other one is left, in a prompt of its own.
    screen.until("the second prompt", |shown| {
        shown.matches("fs.write (Write file) wants to run").count() == 4
            && shown.contains("May fs.write run?")
    });
    screen.press("n");
    screen.sees("Why not?");
    screen.press(ENTER);
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(3));
    assert_eq!(
        [&lines[0]["status"], &lines[1]["status"]],
        ["success", "denied"]
    );
}

#[test]
fn what_is_allowed_passes_in_the_tool_too() {
    let bench = Bench::new();
    bench.tree(&[("dir/a", "x"), ("dir/sub/b", "x"), ("real/file", "x")]);
    let mut screen = call(
        &bench,
        "fs.remove",
        &json!({"path": "dir", "recursive": true}),
    );
    let shown = screen.sees("May fs.remove run?");
    for gone in ["| dir/", "| dir/a", "| dir/sub/", "| dir/sub/b"] {
        assert!(shown.contains(gone), "{gone}\n{shown}");
    }
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
    assert!(!bench.path("dir").exists());

    std::os::unix::fs::symlink("real", bench.path("link")).unwrap();
    let edit = json!({"path": "link/file", "old": "x", "new": "y"});
    let mut screen = call(&bench, "fs.edit", &edit);
    let shown = screen.sees("May fs.edit run?");
    assert!(shown.contains("| -x") && shown.contains("| +y"), "{shown}");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
    assert_eq!(bench.read("real/file"), "y");

    let mut screen = call(&bench, "fs.remove", &json!({"path": "link"}));
    let shown = screen.sees("May fs.remove run?");
    assert!(shown.contains("the link, not what it leads to"), "{shown}");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
    assert!(bench.path("real/file").exists() && !bench.path("link").exists());
}

#[test]
fn a_command_is_shown_with_where_it_runs() {
    let bench = Bench::new();
    let arguments = json!({"command": "cat <<E\nhi\nE", "directory": "."});
    let mut screen = call(&bench, "shell.run", &arguments);
    let shown = screen.sees("May shell.run run?");
    for line in ["The command:", "| # in `.`", "| cat <<E", "| hi"] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    screen.press("y");
    let (code, output) = screen.ends();
    assert_eq!((code, output.as_str()), (Some(0), "hi\n[exit status: 0]\n"));
}

#[test]
fn a_reason_may_go_with_a_yes() {
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("r");
    screen.sees("Why? The model reads it.");
    screen.press("as agreed\r");
    screen.sees("because: as agreed");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn a_policy_that_asks_asks_the_person() {
    let bench = Bench::new();
    let policy = bench.outside().join("policy.toml");
    std::fs::write(
        &policy,
        "[[ask]]\nreason = \"it counts\"\ntools = [\"text.count\"]\n",
    )
    .unwrap();
    let arguments = json!({"text": "a b"}).to_string();
    let policy = policy.to_str().unwrap();
    let mut screen = Screen::start(
        &bench,
        &["--policy", policy, "call", "text.count", &arguments],
    );
    let shown = screen.sees("May text.count run?");
    assert!(shown.contains("it counts"), "{shown}");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn a_question_is_asked_in_its_form() {
    let bench = Bench::new();
    let options = json!([{"label": "red"}, {"label": "green", "meaning": "as grass"}]);
    let choice = json!({"question": "Which colour?", "options": options, "default": "green"});
    let mut screen = call(&bench, "user.ask", &choice);
    let shown = screen.sees("green: as grass");
    assert!(shown.contains("| Which colour?"), "{shown}");
    screen.press(ENTER);
    assert_eq!(screen.ends(), (Some(0), "green\n".to_owned()));

    let several = json!({"question": "Which?", "options": options, "several": true});
    let mut screen = call(&bench, "user.ask", &several);
    screen.sees("Your answer?");
    screen.press(" ");
    screen.press(DOWN);
    screen.press(" ");
    screen.waits_for_marks(2);
    screen.press(ENTER);
    assert_eq!(screen.ends(), (Some(0), "red, green\n".to_owned()));

    let mut screen = call(&bench, "user.ask", &json!({"question": "What name?"}));
    screen.sees("Your answer?");
    screen.press("Ada\r");
    assert_eq!(screen.ends(), (Some(0), "Ada\n".to_owned()));

    let mut screen = call(&bench, "user.ask", &json!({"question": "What name?"}));
    screen.sees("Your answer?");
    screen.press("\x1b");
    screen.sees("No answer?");
    screen.press("n");
    screen.sees("Why not?");
    screen.press("none of yours\r");
    let (code, output) = screen.ends();
    assert_eq!(code, Some(3));
    assert!(output.contains("none of yours"), "{output}");
}
