//! A comment begins with a noun or a verb: the text says what an item is or does, and no question about it.

use std::fs;
use std::path::{Path, PathBuf};

/// The words that no comment begins with.
const NEVER: [&str; 9] = [
    "What", "Whether", "Of", "That", "Who", "How", "Where", "One", "None",
];

/// The folders with comments that still begin so. A folder without one is taken out of the list.
const LEFT: [&str; 2] = ["sdk/src/arguments", "sdk/src/schema"];

/// The kind of comment that a line is, with its text.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let kind = ["//!", "///", "//"]
        .into_iter()
        .find(|kind| line.starts_with(kind))?;
    Some((kind, line[kind.len()..].trim_start()))
}

/// The lines on which a comment begins with one of those words, from 1.
fn refused(source: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before = None;
    for (number, line) in (1..).zip(source.lines()) {
        let comment = comment(line);
        let kind = comment.map(|(kind, _)| kind);
        if let Some((_, text)) = comment.filter(|_| kind != before) {
            let word = text.split(|c: char| !c.is_alphanumeric()).next();
            if word.is_some_and(|word| NEVER.contains(&word)) {
                found.push(number);
            }
        }
        before = kind;
    }
    found
}

/// The Rust files below a folder. Those in a folder `golden` are the input of tests, as authors of tools write it.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "golden") {
                sources(&path, all);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn comments_begin_with_a_noun_or_a_verb() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["sdk/src", "sdk/crates", "macros/src"] {
        sources(&repository.join(folder), &mut files);
    }
    assert!(files.len() > 300, "{} files", files.len());
    let (mut new, mut left) = (Vec::new(), Vec::new());
    for file in files {
        let lines = refused(&fs::read_to_string(&file).unwrap());
        let file = file.strip_prefix(repository).unwrap();
        let folder = LEFT.into_iter().find(|folder| file.starts_with(folder));
        match folder {
            Some(folder) if !lines.is_empty() => left.push(folder),
            Some(_) => {}
            None => new.extend(
                lines
                    .into_iter()
                    .map(|line| format!("{}:{line}", file.display())),
            ),
        }
    }
    assert!(
        new.is_empty(),
        "these comments begin with one of {NEVER:?}: {new:#?}"
    );
    for folder in LEFT {
        assert!(
            left.contains(&folder),
            "no comment of {folder} begins so any more: take it out of the list"
        );
    }
}

#[test]
fn the_first_word_of_a_comment_is_read() {
    let source = "//! What it is.\n\n/// The first line.\n/// What follows is free.\n// Whether this, too.\n    /// Whatever\nlet x; // Of\n//\n// One is not the first line.\n";
    assert_eq!(refused(source), [1, 5]);
}
