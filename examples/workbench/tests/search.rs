//! `fs.search` on files as they occur.

use std::fs;

use serde_json::{Value, json};

use crate::Bench;

#[track_caller]
fn assert_found(bench: &Bench, arguments: &Value, expected: &str) {
    let found = bench.call("fs.search", arguments);
    assert_eq!(found.exits(0).trim_end(), expected, "{arguments}");
}

fn tree() -> Bench {
    let bench = Bench::new();
    bench.tree(&[
        ("src/b.rs", "fn b() {}\nfn main() {}\n"),
        ("src/a.rs", "fn a() {}\n// Fn\n\n\n\nfn c() {}"),
        ("notes.md", "fn is a keyword\r\nof Rust\r\n"),
        (".hidden", "fn"),
        ("target/out", "fn"),
        (".gitignore", "/target\n"),
        ("sub/.gitignore", "*.tmp\n"),
        ("sub/x.tmp", "fn"),
    ]);
    bench
}

#[test]
fn lines_are_found_file_by_file() {
    let bench = tree();
    let notes = "notes.md\n     1:\tfn is a keyword";
    let (a, b) = (
        "src/a.rs\n     1:\tfn a() {}\n     6:\tfn c() {}",
        "src/b.rs\n     1:\tfn b() {}\n     2:\tfn main() {}",
    );
    assert_found(
        &bench,
        &json!({"pattern": "fn"}),
        &format!("{notes}\n\n{a}\n\n{b}"),
    );
    for glob in ["*.rs", "src/**", "**/*.rs", "*.{rs,x}"] {
        let arguments = json!({"pattern": "fn", "glob": glob});
        assert_found(&bench, &arguments, &format!("{a}\n\n{b}"));
    }
    assert_found(&bench, &json!({"pattern": "fn", "path": "src/b.rs"}), b);
    assert_found(
        &bench,
        &json!({"pattern": "FN$", "ignore_case": true}),
        "src/a.rs\n     2:\t// Fn",
    );
    // `$` is before both ends of lines.
    assert_found(
        &bench,
        &json!({"pattern": "^of Rust$"}),
        "notes.md\n     2:\tof Rust",
    );
    assert_found(
        &bench,
        &json!({"pattern": "^fn$", "hidden": true, "ignored": true}),
        ".hidden\n     1:\tfn\n\nsub/x.tmp\n     1:\tfn\n\ntarget/out\n     1:\tfn",
    );
    assert_found(
        &bench,
        &json!({"pattern": "nowhere"}),
        "no line matches, in 3 files",
    );
}

#[test]
fn lines_around_are_shown_when_asked() {
    let bench = tree();
    assert_found(
        &bench,
        &json!({"pattern": "^fn", "path": "src/a.rs", "context": 1}),
        "src/a.rs\n     1:\tfn a() {}\n     2-\t// Fn\n   ...\n     5-\t\n     6:\tfn c() {}",
    );
}

#[test]
fn what_is_too_much_is_cut_and_told() {
    let bench = Bench::new();
    bench.file("many.txt", "x\n".repeat(10));
    let few = bench.call("fs.search", &json!({"pattern": "x", "limit": 3}));
    let text = few.exits(0);
    assert_eq!(text.matches(":\tx").count(), 3, "{text}");
    assert!(
        text.contains("stopped after 3 matching lines: there are more"),
        "{text}"
    );
    let all = bench.call("fs.search", &json!({"pattern": "x", "limit": 10}));
    assert!(!all.exits(0).contains("stopped"), "{}", all.stdout);

    // The match is in sight, however long the line is, and no character is cut in two.
    let long = format!("{}needle{}\n", "ü".repeat(5_000), "é".repeat(5_000));
    fs::remove_file(bench.path("many.txt")).unwrap();
    bench.file("long.txt", long);
    let found = bench.call("fs.search", &json!({"pattern": "needle"}));
    let text = found.exits(0);
    assert!(text.len() < 600 && text.contains("üneedleé"), "{text}");
    assert!(
        text.contains("[9900 bytes]…ü") && text.contains("é…["),
        "{text}"
    );
    assert!(!text.contains('\u{fffd}'), "{text}");

    let line = format!("{}\n", "y".repeat(390));
    bench.file("much.txt", line.repeat(1_000));
    let much = bench.call("fs.search", &json!({"pattern": "y", "limit": 2000}));
    let text = much.exits(0);
    assert!(
        text.len() < 50_000 && text.contains("there are more"),
        "{}",
        text.len()
    );
}

#[test]
fn a_pattern_that_is_wrong_is_told_with_the_place() {
    let bench = tree();
    for (pattern, said) in [
        ("a(b", "unclosed group"),
        ("a[", "unclosed character class"),
        ("(?=x)", "look-around"),
        ("a\nb", "\\n"),
        (r"\1", "backreferences"),
        (&format!("{}{}", "(".repeat(400), ")".repeat(400)), "nested"),
        (r"(\w{900}){900}", "size limit"),
    ] {
        let wrong = bench.call("fs.search", &json!({ "pattern": pattern }));
        let text = wrong.exits(1);
        assert!(text.contains("the pattern cannot be understood"), "{text}");
        assert!(text.contains(said), "{pattern}: {text}");
    }
    let group = bench.call("fs.search", &json!({"pattern": "a(b"}));
    assert!(group.stdout.contains("    a(b\n     ^"), "{}", group.stdout);
    let glob = bench.call("fs.search", &json!({"pattern": "a", "glob": "{a"}));
    assert!(glob.exits(1).contains("is no glob"), "{}", glob.stdout);
}

#[test]
fn what_is_no_text_is_passed_over_and_told() {
    let bench = Bench::new();
    bench
        .file("binary", b"needle\n\0\n")
        .file("empty", "")
        .file("latin-1.txt", b"a needle, f\xfcr sure\n")
        .file("utf-16.txt", b"\xff\xfen\0e\0e\0d\0l\0e\0\n\0");
    assert_found(
        &bench,
        &json!({"pattern": "needle"}),
        "latin-1.txt\n     1:\ta needle, f\u{fffd}r sure\n\nutf-16.txt\n     1:\tneedle\n\n\
         (1 binary file left out)",
    );
    assert_found(
        &bench,
        &json!({"pattern": "needle", "path": "binary"}),
        "no line matches, in 1 file\n(1 binary file left out)",
    );
}

#[test]
fn a_line_that_is_too_long_to_hold_is_told() {
    let bench = Bench::new();
    bench.file("one-line.js", format!("{}needle", "x".repeat(20_000_000)));
    assert_found(
        &bench,
        &json!({"pattern": "needle"}),
        "no line matches, in 1 file\n(1 file or directory left out: unreadable)",
    );
}

#[test]
fn a_huge_file_is_searched_to_its_end() {
    let bench = Bench::new();
    let mut content = "nothing here, line after line\n".repeat(1_000_000);
    content.push_str("needle");
    bench.file("huge.txt", content);
    assert_found(
        &bench,
        &json!({"pattern": "needle"}),
        "huge.txt\n1000001:\tneedle",
    );
}

#[cfg(unix)]
#[test]
fn links_pipes_and_what_lies_outside_are_not_read() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let bench = Bench::new();
    bench.tree(&[("sub/a.txt", "a secret of mine\n")]);
    symlink("../secret.txt", bench.path("to-file")).unwrap();
    symlink("..", bench.path("to-directory")).unwrap();
    symlink("sub/a.txt", bench.path("inside")).unwrap();
    symlink("..", bench.path("sub/loop")).unwrap();
    let pipe = Command::new("mkfifo").arg(bench.path("pipe")).status();
    assert!(pipe.unwrap().success());
    assert_found(
        &bench,
        &json!({"pattern": "secret"}),
        "sub/a.txt\n     1:\ta secret of mine",
    );
    let pipe = bench.call("fs.search", &json!({"pattern": "x", "path": "pipe"}));
    assert!(pipe.exits(1).contains("is neither a file nor a directory"));
    // A link that is named is followed, inside.
    assert_found(
        &bench,
        &json!({"pattern": "secret", "path": "inside"}),
        "sub/a.txt\n     1:\ta secret of mine",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_cannot_pass_for_a_line() {
    let bench = Bench::new();
    bench.tree(&[("a\nb.txt", "needle\n"), ("größe.txt", "needle\n")]);
    assert_found(
        &bench,
        &json!({"pattern": "needle"}),
        "\"a\\nb.txt\"\n     1:\tneedle\n\ngröße.txt\n     1:\tneedle",
    );
}
