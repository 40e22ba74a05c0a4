//! `fs.read` and `fs.list` on files as they occur.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::Bench;

#[test]
fn lines_are_numbered_from_a_line_on_and_up_to_a_limit() {
    let bench = Bench::new();
    bench.file("a.txt", "one\ntwo\nthree\n");
    let all = "     1\tone\n     2\ttwo\n     3\tthree\n";
    for name in ["fs.read", "fs_read"] {
        assert_eq!(bench.call(name, &json!({"path": "a.txt"})).exits(0), all);
    }
    for (arguments, expected) in [
        (json!({"path": "a.txt", "limit": 3}), all),
        (json!({"path": "a.txt", "limit": 1}), "     1\tone\n"),
        (
            json!({"path": "a.txt", "from": 2, "limit": 1}),
            "     2\ttwo\n",
        ),
        (
            json!({"path": "a.txt", "from": 2}),
            "     2\ttwo\n     3\tthree\n",
        ),
        (
            json!({"path": "a.txt", "from": 3, "limit": 10_000}),
            "     3\tthree\n",
        ),
        (json!({"path": "./a.txt", "limit": null}), all),
    ] {
        assert_eq!(
            bench.call("fs.read", &arguments).exits(0),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn ends_of_lines_and_of_files_are_as_they_come() {
    let bench = Bench::new();
    for (content, expected) in [
        ("one\r\ntwo\r\n", "     1\tone\n     2\ttwo\n"),
        ("one\ntwo", "     1\tone\n     2\ttwo\n"),
        (
            "one\r\ntwo\nthree",
            "     1\tone\n     2\ttwo\n     3\tthree\n",
        ),
        // Space is content, also at the end.
        (
            "  one  \n\n \t\n\n",
            "     1\t  one  \n     2\t\n     3\t \t\n     4\t\n",
        ),
    ] {
        bench.file("a.txt", content);
        let read = bench.call("fs.read", &json!({"path": "a.txt"}));
        assert_eq!(read.exits(0), expected, "{content:?}");
    }
}

#[test]
fn where_there_are_no_lines_that_is_said() {
    let bench = Bench::new();
    bench.file("empty.txt", "").file("short.txt", "one\n");
    let short = "(the file has 1 line)\n";
    for (arguments, said) in [
        (json!({"path": "empty.txt"}), "(the file is empty)\n"),
        (json!({"path": "short.txt", "from": 2}), short),
        (json!({"path": "short.txt", "from": u64::MAX}), short),
        (
            json!({"path": "short.txt", "from": u64::MAX, "limit": 10_000}),
            short,
        ),
    ] {
        let read = bench.call("fs.read", &arguments);
        assert_eq!(read.exits(0), said, "{arguments}");
    }
}

#[test]
fn long_lines_are_read_in_parts_that_say_how_to_go_on() {
    let bench = Bench::new();
    bench.file("wide.txt", format!("{}\n", "x".repeat(1000)).repeat(200));
    let part = bench.call("fs.read", &json!({"path": "wide.txt"}));
    part.exits(0);
    assert!(
        part.stdout
            .ends_with("(there is more: go on with `from` = 58)\n"),
        "{}",
        part.stdout
    );
}

#[test]
fn a_long_file_is_read_in_parts() {
    let bench = Bench::new();
    let mut content = String::new();
    for number in 1..=2500 {
        writeln!(content, "line {number}").unwrap();
    }
    bench.file("long.txt", content);

    let first = bench.call("fs.read", &json!({"path": "long.txt"}));
    let lines: Vec<&str> = first.exits(0).lines().collect();
    assert_eq!(lines.len(), 2001);
    assert_eq!(lines[1999], "  2000\tline 2000");
    assert_eq!(lines[2000], "(there is more: go on with `from` = 2001)");

    let rest = bench.call("fs.read", &json!({"path": "long.txt", "from": 2001}));
    let lines: Vec<&str> = rest.exits(0).lines().collect();
    assert_eq!((lines.len(), lines[0]), (500, "  2001\tline 2001"));
    assert_eq!(lines[499], "  2500\tline 2500");

    // Just as many as fit are the whole.
    let whole = bench.call("fs.read", &json!({"path": "long.txt", "from": 501}));
    assert_eq!(whole.exits(0).lines().last(), Some("  2500\tline 2500"));
    let asked = bench.call("fs.read", &json!({"path": "long.txt", "limit": 2500}));
    assert_eq!(asked.exits(0).lines().count(), 2500);
    let too_many = bench.call("fs.read", &json!({"path": "long.txt", "limit": 10_001}));
    assert!(
        too_many.exits(1).contains("`/limit`"),
        "{}",
        too_many.stdout
    );
}

#[test]
fn what_is_no_text_file_is_refused_by_its_name() {
    let bench = Bench::new();
    bench
        .file("binary", [0xff, 0xfe, b'\n'])
        .file("file", "x\n");
    fs::create_dir(bench.path("folder")).unwrap();
    for (path, said) in [
        ("binary", "`binary` is not UTF-8 text"),
        ("folder", "`folder` is not a file"),
        (".", "`.` is not a file"),
        ("missing.txt", "`missing.txt` does not exist"),
        ("folder/missing.txt", "`folder/missing.txt` does not exist"),
    ] {
        let read = bench.call("fs.read", &json!({"path": path}));
        assert_eq!(read.exits(1), format!("{said}\n"), "{path}");
    }
    let below_a_file = bench.call("fs.read", &json!({"path": "file/below"}));
    assert!(
        below_a_file.exits(1).contains("`file/below`"),
        "{}",
        below_a_file.stdout
    );
    // Up to the byte that is no text there may be text enough.
    bench.file("mixed", b"fine\n\xff\n");
    let first = bench.call("fs.read", &json!({"path": "mixed", "limit": 1}));
    assert_eq!(first.exits(0), "     1\tfine\n");
}

#[test]
fn names_may_have_spaces_and_any_letters() {
    let bench = Bench::new();
    let names = [
        "with space.txt",
        "grüße-世界.txt",
        "-dash",
        "quote'\".txt",
        "🦀",
    ];
    for name in names {
        bench.file(name, format!("I am {name}\n"));
        let read = bench.call("fs.read", &json!({"path": name}));
        assert_eq!(read.exits(0), format!("     1\tI am {name}\n"));
    }
    let listed = bench.call("fs.list", &json!({}));
    let listing: Value = serde_json::from_str(listed.exits(0)).unwrap();
    let mut sorted = names;
    sorted.sort_unstable();
    let listed: Vec<&str> = listing["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(listed, sorted);
}

#[test]
fn a_directory_is_listed_by_name_with_kinds_and_sizes() {
    let bench = Bench::new();
    bench.file("b.txt", "12345").file("a.txt", "");
    fs::create_dir(bench.path("c")).unwrap();
    let entries = json!([
        {"name": "a.txt", "kind": "file", "size": 0},
        {"name": "b.txt", "kind": "file", "size": 5},
        {"name": "c", "kind": "directory"},
    ]);
    for arguments in [json!({}), json!({"path": "."}), json!({"path": "c/.."})] {
        let listed = bench.call("fs.list", &arguments);
        let listing: Value = serde_json::from_str(listed.exits(0)).unwrap();
        assert_eq!(listing, json!({ "entries": entries }), "{arguments}");
    }
    let listed = bench.call("fs.list", &json!({"limit": 1}));
    let listing: Value = serde_json::from_str(listed.exits(0)).unwrap();
    assert_eq!(listing, json!({"entries": [entries[0]], "left_out": 2}));
    let file = bench.call("fs.list", &json!({"path": "a.txt"}));
    assert!(
        file.exits(1).contains("`a.txt` is not a directory"),
        "{}",
        file.stdout
    );
}
