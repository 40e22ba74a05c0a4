//! `fs.glob` on trees as they occur.

use std::fs;

use serde_json::{Value, json};

use crate::Bench;

fn found(bench: &Bench, arguments: &Value) -> Value {
    let found = bench.call("fs.glob", arguments);
    serde_json::from_str(found.exits(0)).unwrap()
}

fn tree() -> Bench {
    let bench = Bench::new();
    bench.tree(&[
        ("b.rs", ""),
        ("a/b/c.rs", ""),
        ("a/b.rs", ""),
        ("a.rs", ""),
        ("a/b/c.txt", ""),
        ("A.RS", ""),
        (".hidden.rs", ""),
        (".github/x.rs", ""),
    ]);
    bench
}

#[test]
fn paths_are_found_and_sorted() {
    let bench = tree();
    for (pattern, expected) in [
        (
            "**/*.rs",
            json!(["A.RS", "a/b/c.rs", "a/b.rs", "a.rs", "b.rs"]),
        ),
        ("*.rs", json!(["a.rs", "b.rs"])),
        ("./*.rs", json!(["a.rs", "b.rs"])),
        (
            "a/**/*.{rs,txt}",
            json!(["a/b/c.rs", "a/b/c.txt", "a/b.rs"]),
        ),
        ("a/*/c.*", json!(["a/b/c.rs", "a/b/c.txt"])),
        ("[ab].rs", json!(["a.rs", "b.rs"])),
        ("?.rs", json!(["a.rs", "b.rs"])),
        ("**/", json!(["a/", "a/b/"])),
    ] {
        let found = found(&bench, &json!({"pattern": pattern}));
        let expected: Vec<&str> = expected
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|path| *path != "A.RS")
            .collect();
        assert_eq!(found["paths"], json!(expected), "{pattern}");
    }
    let below = found(&bench, &json!({"pattern": "*.rs", "path": "a"}));
    assert_eq!(below["paths"], json!(["a/b.rs"]));
    let hidden = found(
        &bench,
        &json!({"pattern": "**/*.rs", "hidden": true, "limit": 2}),
    );
    assert_eq!(
        hidden,
        json!({"paths": [".github/x.rs", ".hidden.rs"], "left_out": 4})
    );
}

#[test]
fn where_nothing_is_found_there_is_a_hint() {
    let bench = tree();
    let none = found(&bench, &json!({"pattern": "c.rs"}));
    assert_eq!(none["paths"], json!([]));
    assert!(
        none["hint"].as_str().unwrap().contains("`**/c.rs`"),
        "{none}"
    );
}

#[test]
fn what_cannot_be_understood_is_told() {
    let bench = tree();
    for (arguments, said) in [
        (
            json!({"pattern": "a{b"}),
            "`a{b` is no glob: unclosed alternate group",
        ),
        (json!({"pattern": "[a"}), "`[a` is no glob"),
        (json!({"pattern": "/etc/*"}), "relative to `path`"),
        (json!({"pattern": "../*"}), "relative to `path`"),
        (
            json!({"pattern": "*", "path": "a.rs"}),
            "`a.rs` is not a directory",
        ),
        (json!({"pattern": "*", "path": "no"}), "`no` does not exist"),
        (json!({"pattern": ""}), "`/pattern`"),
        (json!({"pattern": "{".repeat(5_000)}), "`/pattern`"),
        (json!({"pattern": "\\"}), "is no glob: dangling"),
    ] {
        let wrong = bench.call("fs.glob", &arguments);
        assert!(wrong.exits(1).contains(said), "{said}: {}", wrong.stdout);
    }
}

#[test]
fn a_pattern_that_is_hard_to_read_is_read() {
    let bench = Bench::new();
    bench.tree(&[("a", ""), ("ä", "")]);
    let nested = format!("{}a{}", "{".repeat(100), "}".repeat(100));
    for pattern in [&nested, &"*".repeat(1_000), "{a,b}", "[!b]", "***"] {
        let found = found(&bench, &json!({"pattern": pattern}));
        assert_eq!(found["paths"][0], "a", "{pattern}");
    }
    bench
        .call("fs.glob", &json!({"pattern": "{a,b}".repeat(200)}))
        .exits(0);
}

#[cfg(unix)]
#[test]
fn links_are_found_and_not_followed() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    bench.tree(&[("sub/a.txt", "")]);
    symlink("..", bench.path("sub/up")).unwrap();
    symlink(bench.outside(), bench.path("out")).unwrap();
    symlink("loop", bench.path("loop")).unwrap();
    let all = found(&bench, &json!({"pattern": "**"}));
    assert_eq!(all["paths"], json!(["loop", "out", "sub/a.txt", "sub/up"]));
    // The target of a link inside is a directory like any other.
    let up = found(&bench, &json!({"pattern": "*/*.txt", "path": "sub/up"}));
    assert_eq!(up["paths"], json!(["sub/a.txt"]));
}

#[cfg(target_os = "linux")]
#[test]
fn names_are_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let bench = Bench::new();
    bench.tree(&[("new\nline.txt", ""), ("grüße.txt", ""), ("[a].txt", "")]);
    fs::write(bench.root.join(OsStr::from_bytes(b"\xff.txt")), "").unwrap();
    let all = found(&bench, &json!({"pattern": "*.txt"}));
    assert_eq!(
        all,
        json!({"paths": ["[a].txt", "grüße.txt", "new\nline.txt"], "unreadable": 1})
    );
    let read = bench.call("fs.read", &json!({"path": all["paths"][2]}));
    read.exits(0);
}
