//! The transcripts in `examples/workbench/transcripts`, run whole, each on a fresh copy of its files.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Bench, finish};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|_| panic!("{}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The key of an expected line in place of `content`, if not all of the content can be known.
const CONTAINS: &str = "contains";

/// Fails where a line is not the expected one.
#[track_caller]
fn compare(found: &Value, expected: &Value) {
    let Some(pieces) = expected.get(CONTAINS) else {
        assert_eq!(found, expected);
        return;
    };
    let without = |line: &Value, member: &str| {
        let mut line = line.as_object().unwrap().clone();
        assert!(line.remove(member).is_some(), "{line:?}");
        line
    };
    assert_eq!(without(found, "content"), without(expected, CONTAINS));
    let text = found["content"][0]["text"].as_str().unwrap();
    let mut rest = text;
    for piece in pieces.as_array().unwrap() {
        let piece = piece.as_str().unwrap();
        let at = rest.find(piece);
        let at =
            at.unwrap_or_else(|| panic!("{piece:?} does not come, or not in its place: {text}"));
        rest = &rest[at + piece.len()..];
    }
}

/// Runs a transcript with a policy on a copy of its files.
#[track_caller]
fn run(name: &str, files: &str, policy: &str) -> Bench {
    let transcripts = package().join("transcripts");
    let bench = Bench::new();
    copy(&transcripts.join("fixtures").join(files), &bench.root);
    let calls = transcripts.join(format!("{name}.calls.jsonl"));
    let policy = package().join(policy);
    let mut command = bench.command(&["--policy", policy.to_str().unwrap()]);
    command.arg("run").arg(&calls);
    // The variables that the project's own run of cargo sets are not for cargo in the fixture.
    let ended = finish(&mut command, "");
    // Each has a call that is denied.
    ended.exits(3);
    let results = transcripts.join(format!("{name}.results.jsonl"));
    let expected = lines(&results);
    let found = ended.lines();
    assert_eq!(found.len(), lines(&calls).len());
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        compare(found, expected);
    }
    bench
}

#[test]
fn the_failing_test_of_a_project_is_found_and_fixed() {
    let bench = run("fix-the-test", "slugs", "policies/workbench.toml");
    let fixed = fs::read_to_string(bench.path("src/words.rs")).unwrap();
    assert!(
        fixed.contains(".filter(|word| !word.is_empty())"),
        "{fixed}"
    );
    // Nothing was committed, let alone pushed.
    assert!(!bench.path(".git").exists());
}

#[test]
fn a_folder_of_notes_is_tidied() {
    let bench = run("tidy-the-notes", "notes", "transcripts/notes.toml");
    assert!(!bench.path("draft-2025.md").exists());
    assert!(bench.path("archive/2024-idea.md").exists());
    assert!(bench.path("INDEX.md").exists());
    for note in ["2026-01-kickoff.md", "2026-02-budget.md"] {
        let text = fs::read_to_string(bench.path(note)).unwrap();
        assert!(text.contains("\n## To do\n") && !text.contains("Action items"));
    }
}
