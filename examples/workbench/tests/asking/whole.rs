//! Everything that a person allows was shown before: to its end, with nothing pushed out of sight.

use serde_json::{Value, json};

use super::{calls, write};
use crate::Bench;
use crate::screen::{CTRL_C, ENTER, Screen};

/// The size of a usual window, and of a narrow and a wide one.
const SIZES: [(u16, u16); 3] = [(24, 80), (24, 60), (24, 200)];

const YES: &str = "yes, this once";

fn call_at(bench: &Bench, size: (u16, u16), tool: &str, arguments: &Value) -> Screen {
    Screen::start_at(bench, size, &[], &["call", tool, &arguments.to_string()])
}

/// So many lines, each with its number.
fn numbered(text: &str, lines: usize) -> String {
    let lines: Vec<String> = (0..lines)
        .map(|number| format!("{text} {number}\n"))
        .collect();
    lines.concat()
}

/// Reads a prompt to its end by a key that turns pages, and gives all rows that were shown.
fn read_on(screen: &Screen, title: &str, key: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for page in 0.. {
        assert!(page < 200, "it has no end");
        let shown = screen.until("a page or the question", |shown| {
            shown.contains("n: no, Ctrl-C") || shown.contains("or a letter; Esc")
        });
        seen.extend(screen.rows());
        if shown.contains("or a letter; Esc") {
            return seen;
        }
        let line = shown.lines().find(|line| line.starts_with(title)).unwrap();
        let line = line.to_owned();
        assert!(!shown.contains(YES), "{shown}");
        screen.press(key);
        screen.until("the next page", |shown| !shown.contains(&line));
    }
    seen
}

#[test]
fn blanks_do_not_hide_the_end_of_a_command() {
    for size in SIZES {
        for blanks in [" ".repeat(420), "\t".repeat(420), "\u{a0}".repeat(420)] {
            let bench = Bench::new();
            let command = format!("touch ran{blanks}; touch evil");
            let screen = call_at(&bench, size, "shell.run", &json!({"command": command}));
            let rows = read_on(&screen, "May shell.run run?", " ").join("\n");
            assert!(rows.contains("; touch evil"), "{rows}");
            if !blanks.starts_with('\u{a0}') {
                assert!(
                    rows.contains("⟦420 spaces⟧") || rows.contains("⟦420 tabs⟧"),
                    "{rows}"
                );
            }
            screen.press(CTRL_C);
        }
    }
}

#[test]
fn a_long_line_is_shown_to_its_end() {
    let bench = Bench::new();
    let command = format!("echo {}; touch evil", "x".repeat(3_000));
    let mut screen = call_at(&bench, (24, 80), "shell.run", &json!({"command": command}));
    // Neither by its key nor by Enter.
    screen.sees("Space: next page");
    for key in ["y", "a", "o", "e", ENTER] {
        assert!(!screen.text().contains(YES));
        screen.press(key);
    }
    screen.sees("Line 44 of");
    assert!(!bench.path("evil").exists());
    let rows = read_on(&screen, "May shell.run run?", ENTER);
    assert!(rows.iter().any(|row| row.contains("touch evil")));
    // Enter has turned pages, so it does not allow.
    let shown = screen.text();
    assert!(shown.contains("> n  no"), "{shown}");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
    assert!(bench.path("evil").exists());
}

#[test]
fn a_no_needs_no_end() {
    let bench = Bench::new();
    let command = "echo\n".repeat(50) + &numbered("echo", 50);
    let mut screen = call_at(&bench, (24, 80), "shell.run", &json!({"command": command}));
    screen.sees("Space: next page");
    screen.press("n");
    screen.sees("Why not?");
    screen.press("too long\r");
    let (code, output) = screen.ends();
    assert_eq!(code, Some(3));
    assert!(output.contains("too long"), "{output}");
}

#[test]
fn of_a_long_diff_each_line_is_on_the_screen_before_the_yes() {
    for size in SIZES {
        let bench = Bench::new();
        let before = numbered("old", 200);
        let after = numbered("new", 200);
        bench.file("a.txt", before);
        let arguments = json!({"path": "a.txt", "content": after});
        let mut screen = call_at(&bench, size, "fs.write", &arguments);
        let rows = read_on(&screen, "May fs.write run?", " ");
        for n in 0..200 {
            for line in [format!("| -old {n}"), format!("| +new {n}")] {
                assert!(rows.iter().any(|row| row.trim_end() == line), "{line}");
            }
        }
        screen.press("y");
        assert_eq!(screen.ends().0, Some(0));
        assert!(bench.read("a.txt").starts_with("new 0\n"));
    }
}

#[test]
fn the_rest_may_be_shown_at_once() {
    let bench = Bench::new();
    let content = numbered("line", 300);
    let mut screen = call_at(
        &bench,
        (24, 80),
        "fs.write",
        &json!({"path": "a", "content": content}),
    );
    screen.sees("Space: next page");
    screen.press("s");
    let shown = screen.sees(YES);
    assert!(shown.contains("> n  no"), "{shown}");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn lines_that_are_alike_do_not_push_others_away() {
    let bench = Bench::new();
    let command = format!(
        "echo hi\n{}touch evil\n{}",
        "\n".repeat(500),
        "# x\n".repeat(500)
    );
    let screen = call_at(&bench, (60, 200), "shell.run", &json!({"command": command}));
    let shown = screen.sees(YES);
    assert!(shown.contains("| ⟦499 more lines like this⟧"), "{shown}");
    assert!(shown.contains("| touch evil"), "{shown}");
    assert!(shown.contains("| ⟦499 more lines like this⟧"), "{shown}");
}

#[test]
fn of_a_batch_all_is_read_before_any_may_run() {
    let bench = Bench::new();
    let hidden = json!({"id": "2", "name": "shell.run",
        "arguments": {"command": format!("cargo test{}; touch evil", " ".repeat(420))}});
    let long = numbered("line", 60);
    let file = calls(
        &bench,
        &[json!([
            write("1", "a", &long),
            hidden,
            write("3", "c", "x")
        ])],
    );
    for size in SIZES {
        let mut screen = Screen::start_at(&bench, size, &[], &["run", &file]);
        screen.sees("Space: next page");
        for key in ["y", "o", "p"] {
            screen.press(key);
        }
        let rows = read_on(&screen, "May these 3 run?", " ");
        let shown = screen.text();
        assert!(shown.contains("> n  no, none of them"), "{shown}");
        let rows = rows.join("\n");
        for line in [
            "-- 1 of 3 --",
            "line 59",
            "⟦420 spaces⟧; touch evil",
            "-- 3 of 3 --",
        ] {
            assert!(rows.contains(line), "{line}\n{rows}");
        }
        // Rows that are cut can be told apart.
        screen.press("p");
        let shown = screen.sees("Which may run?");
        assert!(shown.contains("[ ] 2. shell.run"), "{shown}");
        screen.press(CTRL_C);
        assert_eq!(screen.ends().0, Some(130));
    }
    assert!(!bench.path("a").exists() && !bench.path("evil").exists());
}

#[test]
fn what_cannot_be_shown_whole_cannot_be_allowed() {
    let bench = Bench::new();
    // A small call with a diff that is longer than any preview.
    bench.file("a.txt", "xxxxxxxxxxxxxxx\n".repeat(40_000));
    let arguments = json!({"path": "a.txt", "old": "x\n", "new": "y\n", "all": true});
    let mut screen = call_at(&bench, (24, 80), "fs.edit", &arguments);
    screen.sees("Space: next page");
    screen.press("s");
    let shown = screen.sees("it cannot be allowed here");
    assert!(shown.contains("more bytes cannot be shown"), "{shown}");
    let shown = screen.sees("n  no");
    for choice in [YES, "a  always", "edit the arguments"] {
        assert!(!shown.contains(choice), "{shown}");
    }
    screen.press("yae");
    screen.press("n");
    screen.sees("Why not?");
    screen.press(ENTER);
    assert_eq!(screen.ends().0, Some(3));
    assert!(bench.read("a.txt").starts_with("xxxxxxxxxxxxxxx\n"));
}

#[test]
fn a_label_that_is_cut_is_shown_whole_before_it_is_trusted() {
    let bench = Bench::new();
    let directory = ["long"; 60].join("-").chars().take(120).collect::<String>();
    bench.tree(&[(&format!("{directory}/{directory}/a.txt"), "x")]);
    let path = format!("{directory}/{directory}/a.txt");
    let mut screen = call_at(
        &bench,
        (60, 80),
        "fs.write",
        &json!({"path": path, "content": "y"}),
    );
    screen.sees(YES);
    screen.press("a");
    let shown = screen.sees("What is always allowed");
    let joined: String = screen
        .rows()
        .iter()
        .map(|row| row.trim_start_matches("| ").trim_end())
        .collect();
    assert!(
        joined.contains(&format!(
            "2: write anything below {}",
            bench.root.join(&directory).join(&directory).display()
        )),
        "{joined}"
    );
    assert!(shown.contains("none of these"), "{shown}");
    // The choice that Enter takes allows nothing.
    screen.press(ENTER);
    screen.sees(YES);
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn each_row_of_a_call_has_its_bar_whatever_its_characters() {
    // Characters that are wider in some terminals than Unicode's tables say, or whose width nobody knows.
    let odd = "\u{cc0}\u{9be}\u{302e}\u{ff9e}\u{2e3b}\u{fdfd}\u{1f1e6}\u{2764}\u{12031}";
    for columns in [60, 80, 100, 200] {
        let bench = Bench::new();
        let content = odd.repeat(80);
        let screen = call_at(
            &bench,
            (60, columns),
            "fs.write",
            &json!({"path": "a", "content": content}),
        );
        let shown = screen.until("the end or a page", |shown| {
            shown.contains(YES) || shown.contains("Space: next page")
        });
        let rows = screen.rows();
        let theirs = rows
            .iter()
            .filter(|row| row.chars().any(|c| odd.contains(c) || c == '\\'));
        let mut count = 0;
        for row in theirs {
            assert!(row.starts_with("| "), "{row}\n{shown}");
            // With the width of a mark that takes a column.
            assert!(row.chars().count() < columns.into(), "{row}");
            count += 1;
        }
        assert!(count > 5, "{shown}");
    }
}
