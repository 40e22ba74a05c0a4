//! Names and descriptions that a model cannot tell apart.

use super::*;
use LintKind::{SimilarDescriptions, SimilarNames};

/// Returns true if two names are found to be alike; the descriptions differ.
fn names_alike(a: &'static str, b: &'static str) -> bool {
    let found = lint([
        Shown::new(a, "Do the first thing."),
        Shown::new(b, "Do another one."),
    ]);
    let alike: Vec<&Lint> = found
        .iter()
        .filter(|lint| lint.kind() == SimilarNames)
        .collect();
    assert!(alike.len() < 2);
    if let [lint] = alike[..] {
        let mut names = [a, b];
        names.sort_unstable();
        let pair = [lint.other_tool().unwrap().as_str(), lint.tool().as_str()];
        assert_eq!(pair, names);
    }
    !alike.is_empty()
}

fn descriptions_alike(a: &str, b: &str) -> bool {
    let found = lint([Shown::new("first", a), Shown::new("other", b)]);
    found.iter().any(|lint| lint.kind() == SimilarDescriptions)
}

#[test]
fn names_that_differ_in_next_to_nothing_are_told_of() {
    for (a, b) in [
        ("fs.read", "fs_read"),
        ("fs.read", "fsRead"),
        ("read-file", "readfile"),
        ("bmi", "BMI"),
        ("list_file", "list_files"),
        ("get_entity", "get_entities"),
        ("match", "matches"),
        ("search", "serach"),
        ("web.search", "web.seach"),
        ("set_color", "set_colour"),
        ("weather.forecast", "weather.forcast"),
        ("calculate", "calculete"),
        ("tool1", "tool_1"),
    ] {
        assert!(names_alike(a, b), "{a} {b}");
    }
}

#[test]
fn names_of_a_family_are_left_alone() {
    for (a, b) in [
        ("fs.read", "fs.write"),
        ("fs.read", "web.read"),
        ("notes.get", "notes.set"),
        ("list_a", "list_b"),
        ("list_directory", "list_directory_with_sizes"),
        ("git_diff_staged", "git_diff_unstaged"),
        ("increment", "decrement"),
        ("attach", "detach"),
        ("mount", "count"),
        ("insert", "invert"),
        ("upload", "unload"),
        ("get_latitude", "get_altitude"),
        ("create_route", "create_router"),
        ("get_status", "get_state"),
        ("step1", "step2"),
        ("step_1_1", "step_11"),
        ("add", "and"),
        ("read", "read_file"),
        ("celsius_to_fahrenheit", "fahrenheit_to_celsius"),
    ] {
        assert!(!names_alike(a, b), "{a} {b}");
    }
}

#[test]
fn descriptions_that_say_the_same_are_told_of() {
    for (a, b) in [
        ("Read a file.", "Read a file."),
        ("Read a file.", "reads  the FILE"),
        ("Read a file.", "Read a file!\n"),
        ("Searches for the words.", "Serach for words."),
        ("Lies die Größe.", "lies die GRÖßE"),
        ("读取一个文件的内容", "读取一个文件的内容。"),
    ] {
        assert!(descriptions_alike(a, b), "{a} {b}");
    }
}

#[test]
fn descriptions_of_a_family_are_left_alone() {
    for (a, b) in [
        ("Read a file.", "Write a file."),
        ("Get a note by its number.", "Set a note by its number."),
        ("Show what is staged.", "Show what is not staged."),
        ("Run step 1 of the plan.", "Run step 2 of the plan."),
        ("Turn the light on.", "Turn the light off."),
        ("读取一个文件的内容", "写入一个文件的内容"),
        ("", ""),
        ("!!! ??? !!!", "??? !!! ???"),
    ] {
        assert!(!descriptions_alike(a, b), "{a} {b}");
    }
}

#[test]
fn each_tool_is_told_of_once() {
    let names = ["a.one", "b.two", "c.three", "d.four", "e.five"];
    let found = lint(names.map(|name| Shown::new(name, "Do the same as all the others.")));
    assert_eq!(found.len(), 4);
    for (lint, name) in found.iter().zip(&names[1..]) {
        assert_eq!(
            (lint.kind(), lint.tool().as_str()),
            (SimilarDescriptions, *name)
        );
        assert_eq!(lint.other_tool().unwrap(), "a.one");
    }
}
