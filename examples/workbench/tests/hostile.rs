//! Files, trees and input that would take a process down: by its memory, its stack or its patience.

use std::fs::{self, File};
use std::path::PathBuf;

use serde_json::json;

use crate::Bench;

#[test]
fn a_line_of_any_length_is_shown_in_part() {
    let bench = Bench::new();
    let long = "a".repeat(4096);
    bench.file("fits.txt", format!("{long}\r\nb\n"));
    let read = bench.call("fs.read", &json!({"path": "fits.txt"}));
    assert_eq!(read.exits(0), format!("     1\t{long}\n     2\tb\n"));
    // Not cut amid a character either.
    bench.file("long.txt", format!("{long}a\nx{}\nb", "é".repeat(3000)));
    let read = bench.call("fs.read", &json!({"path": "long.txt"}));
    let half = "é".repeat(2047);
    assert_eq!(
        read.exits(0),
        format!(
            "     1\t{long}…[the line goes on]\n     2\tx{half}…[the line goes on]\n     3\tb\n"
        )
    );
    bench.file(
        "bytes.bin",
        [vec![b'a'; 5000], vec![0xff, b'\n', 0xff]].concat(),
    );
    let read = bench.call("fs.read", &json!({"path": "bytes.bin", "limit": 1}));
    read.exits(0);
    let read = bench.call("fs.read", &json!({"path": "bytes.bin"}));
    assert_eq!(read.exits(1), "`bytes.bin` is not UTF-8 text\n");
    // Larger than what may be held, without an end of a line.
    let sparse = File::create(bench.path("sparse")).unwrap();
    sparse.set_len(1 << 30).unwrap();
    // `--raw` is given, because the file has NUL characters that would be written out otherwise.
    let read = bench.call_with(&["--raw"], "fs.read", &json!({"path": "sparse"}));
    assert!(read.exits(0).len() < 5000);
}

#[test]
fn of_many_long_lines_as_many_are_shown_as_fit() {
    let bench = Bench::new();
    let line = "x".repeat(4000) + "\n";
    bench.file("wide.txt", line.repeat(1000));
    let mut from = 1;
    let mut seen = 0;
    loop {
        let arguments = json!({"path": "wide.txt", "from": from, "limit": 1000});
        let read = bench.call("fs.read", &arguments);
        let text = read.exits(0);
        assert!(text.len() < 300_000);
        seen += text.matches('\t').count();
        let Some((_, next)) = text.split_once("(there is more: go on with `from` = ") else {
            break;
        };
        let next: usize = next.trim_end().trim_end_matches(')').parse().unwrap();
        assert_eq!(next, seen + 1);
        from = next;
    }
    assert_eq!(seen, 1000);
}

#[test]
fn what_to_ignore_may_be_any_text() {
    let bench = Bench::new();
    let nested = |depth| format!("{}a{}\n", "{".repeat(depth), "}".repeat(depth));
    // As they are, the library would go down a level of the stack for each brace.
    let mut ignore = nested(20_000) + &nested(1_000) + &"{".repeat(4_000) + "\nignored\n";
    // Beyond 64 KiB only the start counts, up to its last whole line.
    let filler = "#".repeat((64 << 10) - ignore.len() - 2);
    ignore = ignore + &filler + "\n*-but-this\n";
    bench.tree(&[
        ("kept", "word\n"),
        ("ignored", "word\n"),
        (".gitignore", &ignore),
    ]);
    let found = bench.call("fs.search", &json!({"pattern": "word"}));
    assert_eq!(found.exits(0), "kept\n     1:\tword\n");
}

#[test]
fn a_tree_of_any_depth_is_gone_through_in_part() {
    let bench = Bench::new();
    let deep: PathBuf = std::iter::repeat_n("d", 1100).collect();
    fs::create_dir_all(bench.root.join(&deep)).unwrap();
    bench.tree(&[("d/near.txt", "word\n")]);
    fs::write(bench.root.join(&deep).join("far.txt"), "word\n").unwrap();
    let found = bench.call("fs.glob", &json!({"pattern": "**/*.txt"}));
    assert_eq!(
        found.exits(0),
        "{\"paths\":[\"d/near.txt\"],\"unreadable\":1}\n"
    );
    let found = bench.call("fs.search", &json!({"pattern": "word"}));
    assert!(
        found
            .exits(0)
            .ends_with("(1 file or directory left out: unreadable)\n")
    );
    let arguments = json!({"path": "d", "recursive": true});
    let removed = bench.call_with(&["--yes"], "fs.remove", &arguments);
    assert_eq!(
        removed.exits(1),
        "what is in `d` is more than 1024 directories deep. Nothing was removed\n"
    );
    assert!(bench.path("d/near.txt").exists());
}

#[test]
fn a_line_of_calls_of_any_length_is_passed_over() {
    let bench = Bench::new();
    let call = r#"{"name":"text.count","arguments":{"text":"a"}}"#;
    let endless = "x".repeat(130 << 20);
    let ended = bench.run_lines(&[], &format!("{endless}\n{call}\n"));
    ended.exits(1);
    let lines = ended.lines();
    assert_eq!(
        lines[0]["content"][0]["text"],
        "line 1 is not a call: it is too long"
    );
    assert_eq!(lines[1]["status"], "success");
    let ended = crate::finish(&mut bench.command(&["call", "text.count", "-"]), &endless);
    ended.exits(2);
    assert!(
        ended.stderr.contains("longer than 128 MiB"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_pattern_of_a_policy_that_would_end_the_process_is_told() {
    let bench = Bench::new();
    let nested = format!("{}a{}", "{".repeat(1_500), "}".repeat(1_500));
    bench.file("p.toml", format!("[trees]\nforbidden = [\"{nested}\"]\n"));
    let policy = bench.path("p.toml");
    let ended = bench.run(&["--policy", policy.to_str().unwrap(), "policy", "check"]);
    ended.exits(2);
    let told = &ended.stderr;
    assert!(told.contains("line 2") && told.contains("braces"), "{told}");
}
