//! `fs.write`, and who allows it.

use std::fs;

use serde_json::{Value, json};

use crate::Bench;

fn new_file() -> Value {
    json!({"path": "new/deep/file.txt", "content": "grüße\n"})
}

#[test]
fn without_approval_nothing_is_written() {
    let bench = Bench::new();
    bench.file("there.txt", "before\n");
    let denied = bench.call("fs.write", &new_file());
    let text = denied.exits(3);
    // The request, the reason for the denial, and the remedy.
    for said in [
        "`fs.write` was denied",
        "new/deep/file.txt",
        "approval",
        "workbench --yes",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!bench.path("new").exists());
    let replace = json!({"path": "there.txt", "content": "after\n"});
    bench.call("fs.write", &replace).exits(3);
    assert_eq!(
        fs::read_to_string(bench.path("there.txt")).unwrap(),
        "before\n"
    );
}

#[test]
fn with_yes_before_or_after_the_command_it_is_written() {
    let arguments = new_file().to_string();
    for order in [
        &["--yes", "call", "fs.write", &arguments][..],
        &["call", "--yes", "fs.write", &arguments],
        &["call", "fs.write", &arguments, "--yes"],
        &["--yes", "call", "fs_write", &arguments],
    ] {
        let bench = Bench::new();
        let written = bench.run(order);
        let text = written.exits(0);
        assert!(
            text.contains("8 bytes") && text.contains("new/deep/file.txt"),
            "{text}"
        );
        let content = fs::read_to_string(bench.path("new/deep/file.txt")).unwrap();
        assert_eq!(content, "grüße\n", "{order:?}");
    }
}

#[test]
fn what_was_there_is_replaced_as_a_whole() {
    let bench = Bench::new();
    bench.file("a.txt", "a long text that was there before\n");
    for content in ["short", ""] {
        let arguments = json!({"path": "a.txt", "content": content});
        bench.call_with(&["--yes"], "fs.write", &arguments).exits(0);
        assert_eq!(fs::read_to_string(bench.path("a.txt")).unwrap(), content);
    }
}

#[test]
fn what_is_no_file_is_not_written_to() {
    let bench = Bench::new();
    bench.file("file", "x\n");
    fs::create_dir(bench.path("folder")).unwrap();
    for path in ["folder", ".", "file/below.txt"] {
        let arguments = json!({"path": path, "content": "y"});
        let ended = bench.call_with(&["--yes"], "fs.write", &arguments);
        assert!(ended.exits(1).contains(path), "{path}: {}", ended.stdout);
    }
    assert_eq!(fs::read_to_string(bench.path("file")).unwrap(), "x\n");
}

#[test]
fn deny_denies_every_call_and_no_listing() {
    let bench = Bench::new();
    bench.file("a.txt", "x\n");
    for (tool, arguments) in [
        ("text.count", json!({"text": "x"})),
        ("fs.read", json!({"path": "a.txt"})),
        ("fs.write", new_file()),
    ] {
        let denied = bench.call_with(&["--deny"], tool, &arguments);
        let text = denied.exits(3);
        assert!(text.contains(&format!("`{tool}` was denied")), "{text}");
    }
    assert!(!bench.path("new").exists());
    assert!(
        bench
            .run(&["--deny", "list"])
            .exits(0)
            .contains("text.count")
    );
}
