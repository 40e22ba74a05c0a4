//! Pipes: as output that nobody reads, and as files that nobody writes.
#![cfg(unix)]

use std::fmt::Write as _;
use std::io::{self, PipeWriter};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::{Bench, Ended, output};

/// A file of calls that fail, whose results fill any pipe.
fn many_calls(bench: &Bench) -> String {
    let mut calls = String::new();
    let text = "long ".repeat(100);
    for number in 0..1000 {
        let call = json!({"id": format!("{number}"), "name": text, "arguments": {}});
        writeln!(calls, "{call}").unwrap();
    }
    bench.file("calls.jsonl", calls);
    bench.path("calls.jsonl").to_str().unwrap().to_owned()
}

/// The end of a pipe that is written to, with nobody at the other.
fn unread() -> PipeWriter {
    let (_, writer) = io::pipe().unwrap();
    writer
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let bench = Bench::new();
    let calls = many_calls(&bench);
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["call", "fs.list"],
        &["run", &calls],
    ] {
        let child = bench
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(unread())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let ended = Ended::of(output(child));
        assert_eq!(
            (ended.code, ended.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn messages_that_nobody_reads_are_no_failure() {
    let bench = Bench::new();
    let calls = many_calls(&bench);
    for (arguments, code) in [
        (&["run", &calls][..], 1),
        (&["run", "missing.jsonl"], 2),
        (&["--bogus"], 2),
    ] {
        let child = bench
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(unread())
            .spawn()
            .unwrap();
        let ended = Ended::of(output(child));
        assert_eq!(ended.code, Some(code), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    let bench = Bench::new();
    bench.file("calls.jsonl", "{\"name\":\"fs.list\"}\n");
    let calls = bench.path("calls.jsonl").to_str().unwrap().to_owned();
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["call", "fs.list"],
        &["run", &calls],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let child = bench
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let ended = Ended::of(output(child));
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert!(
            ended.stderr.contains("the output cannot be written"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_pipe_among_the_files_is_refused_at_once() {
    let bench = Bench::new();
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        // Not every system has the program.
        return;
    }
    let calls = [
        ("fs.read", json!({"path": "pipe"})),
        ("fs.write", json!({"path": "pipe", "content": "x"})),
        ("fs.edit", json!({"path": "pipe", "old": "x", "new": "y"})),
    ];
    for (tool, arguments) in calls {
        let ended = bench.call_with(&["--yes"], tool, &arguments);
        assert_eq!(ended.exits(1), "`pipe` is not a file\n", "{tool}");
    }
    let listed = bench.call("fs.list", &json!({}));
    assert!(
        listed
            .exits(0)
            .contains(r#"{"name":"pipe","kind":"other"}"#)
    );
    let as_directory = bench.call("fs.list", &json!({"path": "pipe"}));
    assert!(
        as_directory.exits(1).contains("`pipe`"),
        "{}",
        as_directory.stdout
    );
}
