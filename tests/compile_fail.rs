//! What a user of `#[tool]` reads when something is wrong, and what has to compile.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::fs;
use std::path::{Path, PathBuf};

#[rustversion::attr(not(stable(1.95)), ignore = "the texts belong to Rust 1.95")]
#[test]
fn errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile-fail/*.rs");
    for folder in [
        "by_hand",
        "derive_tool",
        "keys",
        "tool_enum",
        "tool_type",
        "toolset",
    ] {
        cases.compile_fail(format!("compile-fail/{folder}/*.rs"));
    }
}

#[rustversion::attr(not(stable(1.95)), ignore = "the texts belong to Rust 1.95")]
#[test]
fn s0_09_an_id_cannot_stand_where_another_is_meant() {
    trybuild::TestCases::new().compile_fail("compile-fail/ids/*.rs");
}

#[test]
fn passes() {
    trybuild::TestCases::new().pass("compile-pass/*.rs");
}

/// So that a text which was blessed without being read is noticed.
#[test]
fn one_error_for_one_mistake() {
    let mut wrong = Vec::new();
    for path in texts() {
        let expected = match path.file_stem().and_then(|name| name.to_str()) {
            Some("five_mistakes") => 5,
            // Ours, for what may be a method, and rustc's, for what it knows to be none.
            Some("self_in_a_free_function") => 2,
            _ => 1,
        };
        let found = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("error") && !line.starts_with("error: aborting"))
            .count();
        if found != expected {
            wrong.push(format!("{}: {found}, not {expected}", path.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "files with another number of errors:\n{}",
        wrong.join("\n")
    );
}

/// The texts are the same on every machine.
#[test]
fn no_path_of_a_machine() {
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        for place in text.lines().filter_map(|line| line.split_once("--> ")) {
            let absolute = Path::new(place.1).is_absolute() || place.1.starts_with("$RUST");
            assert!(!absolute, "{}: {}", path.display(), place.1);
        }
    }
}

fn texts() -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("compile-fail");
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "stderr"))
}
