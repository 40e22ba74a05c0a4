use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;

use super::super::below::Top;
use super::super::judged::Why;
use super::*;
use toolwright::permission::FilePlace;
use toolwright_shell::{Access, Descent};

/// Returns what is found below a directory, and how many entries were looked at, with this many entries to
/// look at.
fn found(root: &std::path::Path, entries: usize, changes: bool) -> (Option<String>, usize) {
    let policy = PermissionPolicy::builder(root)
        .rules([Rule::deny().paths(["**/.env"])])
        .build()
        .unwrap();
    let spec = tool("t");
    let place = FilePlace::new(root);
    let left = Cell::new(entries);
    let top = Top {
        place: &place,
        shown: "top",
        descent: Descent {
            deep: true,
            follows: true,
            reads: true,
            implied: false,
        },
        access: Some(Access::Read),
        within: Some(root),
        changes: &|| changes,
        left: &left,
    };
    let found = policy.below(&CallFacts::tool(&spec), &top);
    let found = found.map(|(shown, judged)| match judged.why {
        Why::Below(_) => shown,
        Why::TooManyBelow => "too many".to_owned(),
        Why::UnreadBelow => "unread".to_owned(),
        Why::MayChange => "changes".to_owned(),
        Why::ReadsElsewhere => format!("{shown} leads out"),
        _ => "?".to_owned(),
    });
    (found, entries - left.get())
}

#[test]
fn what_is_forbidden_is_looked_for_within_a_bound() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("a/b")).unwrap();
    for name in ["a/1", "a/2", "a/b/3", "a/b/4"] {
        fs::write(root.join(name), "").unwrap();
    }
    // Each entry is looked at once.
    assert_eq!(found(&root, 100, false), (None, 6));
    assert_eq!(found(&root, 6, false), (None, 6));
    assert_eq!(found(&root, 5, false).0.as_deref(), Some("too many"));
    assert_eq!(found(&root, 100, true), (Some("changes".to_owned()), 0));
    // Links that go round are gone through once.
    symlink("..", root.join("a/b/up")).unwrap();
    assert_eq!(found(&root, 100, false), (None, 7));
    fs::write(root.join("a/b/.env"), "").unwrap();
    assert_eq!(found(&root, 100, false).0.as_deref(), Some("top/a/b/.env"));
    fs::remove_file(root.join("a/b/.env")).unwrap();
    symlink("/", root.join("a/out")).unwrap();
    assert_eq!(
        found(&root, 100, false).0.as_deref(),
        Some("top/a/out leads out")
    );
}

#[test]
fn a_directory_that_cannot_be_read_may_hold_what_is_forbidden() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    // Its path is longer than a system takes, and a command that goes down step by step reads it.
    let script =
        "for i in {1..20}; do d=$(printf 'd%.0s' {1..250}); mkdir $d; cd $d; done; touch .env";
    let made = std::process::Command::new("bash")
        .args(["--norc", "-c", script])
        .current_dir(&root)
        .status();
    assert!(made.unwrap().success());
    assert_eq!(found(&root, 100, false).0.as_deref(), Some("unread"));
}
