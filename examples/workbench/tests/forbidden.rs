//! The things that a policy forbids, and the tools that walk through trees.

use std::fs;

use serde_json::{Value, json};

use crate::{Bench, Ended};

const POLICY: &str = r#"
default = "ask"
[trees]
allowed = ["."]
forbidden = ["secret", "sub/key.pem"]
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.tree(&[
        ("a.txt", "needle\n"),
        ("secret/b.txt", "needle\n"),
        ("sub/c.txt", "needle\n"),
        ("sub/key.pem", "needle\n"),
    ]);
    fs::write(bench.outside().join("policy.toml"), POLICY).unwrap();
    bench
}

fn call(bench: &Bench, tool: &str, arguments: &Value) -> Ended {
    let policy = bench.outside().join("policy.toml");
    bench.call_with(&["--policy", policy.to_str().unwrap()], tool, arguments)
}

#[test]
fn forbidden_files_are_left_out_and_counted() {
    let bench = bench();
    let found = call(&bench, "fs.search", &json!({"pattern": "needle"}));
    assert_eq!(
        found.exits(0),
        "a.txt\n     1:\tneedle\n\nsub/c.txt\n     1:\tneedle\n\n\
         (2 files or directories left out: forbidden by policy)\n"
    );
    let found = call(&bench, "fs.glob", &json!({"pattern": "**"}));
    let found: Value = serde_json::from_str(found.exits(0)).unwrap();
    assert_eq!(
        found,
        json!({"paths": ["a.txt", "sub/c.txt"], "forbidden": 2})
    );
}

#[test]
fn who_edits_reads_and_writes() {
    let bench = bench();
    for preview in [false, true] {
        let edit = json!({"path": "secret/b.txt", "old": "needle", "new": "x", "preview": preview});
        let denied = call(&bench, "fs.edit", &edit);
        assert!(denied.exits(3).contains("denies"), "{}", denied.stdout);
        assert_eq!(bench.read("secret/b.txt"), "needle\n");
    }
    let edit = json!({"path": "sub/c.txt", "old": "needle", "new": "x"});
    call(&bench, "fs.edit", &edit).exits(0);
}

#[test]
fn a_tree_with_something_forbidden_in_it_stays_whole() {
    let bench = bench();
    for path in ["sub", "secret"] {
        let denied = call(
            &bench,
            "fs.remove",
            &json!({"path": path, "recursive": true}),
        );
        denied.exits(3);
    }
    for kept in ["secret/b.txt", "sub/c.txt", "sub/key.pem"] {
        assert!(bench.path(kept).exists(), "{kept}");
    }
    call(&bench, "fs.remove", &json!({"path": "sub/c.txt"})).exits(0);
}
