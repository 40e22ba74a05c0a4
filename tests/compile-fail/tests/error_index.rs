//! Every message of ours that a compile-fail case shows is in the index of errors.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::fs;
use std::path::{Path, PathBuf};

const INDEX: &str = include_str!("../../../sdk/docs/error_index.md");

/// What rustc says by itself, and well.
const RUSTC: [&str; 5] = [
    "`const` items in this context need a name",
    "expected one of",
    "expected pattern",
    "`self` parameter is only allowed in associated functions",
    "literal out of range",
];

/// The messages of the index, each as the fixed parts between what changes.
fn patterns() -> Vec<Vec<&'static str>> {
    INDEX
        .lines()
        .filter_map(|line| line.strip_prefix("| `` ")?.split_once(" `` |"))
        .map(|(message, _)| message.split("..").collect())
        .collect()
}

/// Whether a message begins as the pattern does.
fn begins(message: &str, pattern: &[&str]) -> bool {
    let Some((first, others)) = pattern.split_first() else {
        return false;
    };
    let Some(mut rest) = message.strip_prefix(first) else {
        return false;
    };
    for part in others {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|end| end == "stderr") {
            found.push(path);
        }
    }
}

/// Messages with a code are rustc's own, but for those that a trait of ours words (E0277).
#[test]
fn every_message_is_in_the_index() {
    let patterns = patterns();
    assert!(patterns.len() > 100, "the index is not read");
    let mut files = Vec::new();
    texts(Path::new(env!("CARGO_MANIFEST_DIR")), &mut files);
    let mut missing = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let messages = text.lines().filter_map(|line| {
            line.strip_prefix("error: ")
                .or_else(|| line.strip_prefix("error[E0277]: "))
                .or_else(|| line.strip_prefix("error[E0080]: "))
        });
        for message in messages.filter(|message| !message.starts_with("aborting due to")) {
            let known = RUSTC.iter().any(|known| message.starts_with(known));
            if !known && !patterns.iter().any(|pattern| begins(message, pattern)) {
                missing.push(format!("{}: {message}", file.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "not in sdk/docs/error_index.md:\n{}",
        missing.join("\n")
    );
}
