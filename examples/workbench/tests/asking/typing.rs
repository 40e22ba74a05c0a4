//! Typing that is quicker than the prompt, goes wrong, or is pasted.

use serde_json::json;

use super::{asked, asked_with_editor, call, calls, write};
use crate::Bench;
use crate::screen::{CTRL_C, ENTER, Screen};

/// Empties the line that is filled in.
const CTRL_U: &str = "\x15";

/// Text as a terminal sends it that marks what is pasted.
fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

#[test]
fn an_edit_that_is_refused_stays_in_its_line_whatever_is_typed_on() {
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("e");
    screen.sees(r#"> {"content":"x","path":"a"}"#);
    // The correction is typed before the refusal is on the screen.
    let wrong = r#"{"path": "b", "contents": "always"}"#;
    let right = r#"{"path": "b", "content": "always"}"#;
    screen.press(&format!("{CTRL_U}{wrong}\r{CTRL_U}{right}"));
    let shown = screen.sees(&format!("> {right}"));
    assert!(shown.contains("did you mean `content`"), "{shown}");
    assert!(!shown.contains("May fs.write run?"), "{shown}");
    screen.press(ENTER);
    let (code, _) = screen.ends();
    assert_eq!(code, Some(0), "{}", screen.text());
    assert!(!bench.path("a").exists());
    assert_eq!(bench.read("b"), "always");
}

#[test]
fn an_edit_that_is_refused_is_what_the_line_or_the_editor_has() {
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("e");
    screen.sees(r#"> {"content":"x","path":"a"}"#);
    screen.press(&format!("{CTRL_U}{{\"path\": \"b\"}}\r"));
    let shown = screen.sees("`/content`");
    let (before, after) = shown.split_once("That cannot be taken:").unwrap();
    assert!(!before.contains(r#"> {"path": "b"}"#), "{shown}");
    screen.until("the line below", |shown| {
        shown.contains(r#"> {"path": "b"}"#) && shown.contains("Enter takes it")
    });
    assert!(!after.contains("n  no"), "{shown}");
    // Esc goes back to the menu, and the call is what it was.
    screen.press("\x1b");
    screen.sees("May fs.write run?");
    screen.press("y");
    assert_eq!(screen.ends().0, Some(0));
    assert_eq!(bench.read("a"), "x");

    let bench = Bench::new();
    // The text that was written first is there when the editor comes up again.
    let mut screen = asked_with_editor(
        &bench,
        "#!/bin/sh\nif [ -e \"$0.once\" ]; then sed -i 's/contents/content/' \"$1\"\n\
         else touch \"$0.once\"; printf '{\"path\": \"b\", \"contents\": \"edited\"}' > \"$1\"; fi\n",
    );
    screen.press("e");
    screen.sees("`/contents`");
    screen.sees("Enter edits it again.");
    screen.press(ENTER);
    assert_eq!(screen.ends().0, Some(0), "{}", screen.text());
    assert_eq!(bench.read("b"), "edited");
}

#[test]
fn an_answer_that_is_refused_stays_in_its_line() {
    let bench = Bench::new();
    let options = json!([{"label": "red"}]);
    let question = json!({"question": "Which colour?", "options": options});
    let mut screen = call(&bench, "user.ask", &question);
    screen.sees("Which colour?");
    screen.press("\x1b[B");
    screen.sees("> something else");
    screen.press(ENTER);
    screen.sees("Enter takes it");
    screen.press(" \r");
    screen.sees("That cannot be taken:");
    screen.sees("Enter takes it");
    screen.press("green\r");
    let (code, output) = screen.ends();
    assert_eq!((code, output.trim()), (Some(0), "green"));
}

#[test]
fn a_key_that_came_before_its_menu_chooses_nothing() {
    // Enter would take the first of what can be trusted.
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("a\r");
    screen.sees("What is always allowed");
    assert!(!bench.path("a").exists());
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));

    // Keys that are typed after a reason are no choice.
    let mut screen = asked(&bench);
    screen.press("rbecause\ryy");
    screen.sees("because: because");
    assert!(!bench.path("a").exists());
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));

    // A request for one of several calls is not answered by the keys that chose it.
    let both = json!([write("1", "a", "x"), write("2", "b", "x")]);
    let file = calls(&bench, &[both]);
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May these 2 run?");
    screen.press("oy");
    screen.sees("May fs.write run?");
    assert!(!bench.path("a").exists());
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn keys_that_are_queued_are_all_taken() {
    let bench = Bench::new();
    let mut screen = call(&bench, "user.ask", &json!({"question": "What is it?"}));
    screen.sees("Your answer?");
    // More than is read at a time, and nearly as much as a terminal holds.
    let answer = "because ".repeat(450) + "it is so";
    screen.press(&format!("{answer}\r"));
    assert_eq!(screen.ends(), (Some(0), answer + "\n"));
}

#[test]
fn lines_that_are_pasted_stay_apart() {
    let bench = Bench::new();
    let mut screen = asked(&bench);
    screen.press("n");
    screen.sees("Why not?");
    screen.press(&pasted("one\rtwo\r\nthree\n\tfour\n"));
    screen.sees("> one two three  four");
    screen.press(ENTER);
    let (code, output) = screen.ends();
    assert_eq!(code, Some(3));
    assert!(output.contains("one two three  four"), "{output}");

    let mut screen = asked(&bench);
    screen.press("e");
    screen.sees("The arguments, as JSON:");
    let json = "{\r  \"path\": \"b\",\r  \"content\": \"edited\"\r}\r";
    screen.press(&format!("{CTRL_U}{}", pasted(json)));
    screen.sees("edited");
    screen.press(ENTER);
    assert_eq!(screen.ends().0, Some(0));
    assert_eq!(bench.read("b"), "edited");

    // An answer may have several lines where the question allows them.
    let mut screen = call(&bench, "user.ask", &json!({"question": "What are they?"}));
    screen.sees("Your answer?");
    screen.press(&pasted("one\rtwo\r"));
    screen.sees("> one↵two");
    screen.press(ENTER);
    assert_eq!(screen.ends(), (Some(0), "one\ntwo\n".to_owned()));
}

#[test]
fn a_menu_without_letters_offers_none() {
    let bench = Bench::new();
    let screen = call(&bench, "fs.write", &json!({"path": "a", "content": "x"}));
    let shown = screen.sees("May fs.write run?");
    assert!(shown.contains("or a letter"), "{shown}");
    screen.press("a");
    screen.sees("What is always allowed");
    let shown = screen.sees("up, down and Enter");
    assert!(!shown.contains("or a letter"), "{shown}");
}

#[test]
fn no_word_is_broken_that_fits_into_a_row() {
    let words = "It is asked because nobody has said before whether such a thing may be done here";
    for columns in [40, 60, 100, 200] {
        let bench = Bench::new();
        let policy = bench.outside().join("policy.toml");
        let rule = format!("[[ask]]\nreason = \"{words}\"\ntools = [\"text.count\"]\n");
        std::fs::write(&policy, rule).unwrap();
        let text = words.repeat(2);
        let screen = Screen::start_at(
            &bench,
            (60, columns),
            &[],
            &[
                "--policy",
                policy.to_str().unwrap(),
                "call",
                "text.count",
                &json!({"text": text}).to_string(),
            ],
        );
        screen.sees("yes, this once");
        let rows = screen.rows();
        let mut theirs = rows.iter().filter_map(|row| row.strip_prefix("| "));
        let told = theirs.clone().map(str::trim_end).collect::<Vec<_>>();
        assert!(told.join(" ").contains(words), "{told:#?}");
        assert!(theirs.all(|row| row.chars().count() < columns.into()));
    }
}

#[test]
fn no_word_of_help_lists_or_errors_is_broken() {
    let bench = Bench::new();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    for arguments in [
        &["--help"][..],
        &["list"],
        &["tickets", "/nope/nope/nope/nope/nope/nope/nope"],
    ] {
        let plain = bench.run(arguments);
        let mut expected = words(&(plain.stdout + &plain.stderr));
        expected.sort();
        for columns in [60, 100, 200] {
            let mut screen = Screen::start_whole(&bench, (200, columns), arguments);
            screen.ends();
            let mut shown = words(&screen.rows().join("\n"));
            shown.sort();
            assert_eq!(shown, expected, "{columns}\n{}", screen.text());
        }
    }
}
