//! Timeouts, Ctrl-C and other ends: what still runs then is ended, whole.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::gone::{all_go, wait_until};
use crate::{Bench, Ended, output};

/// A child, one with a grandchild, one that does not want to end, and one that is stopped.
const FAMILY: &str = r#"
    sleep 300 & echo $! >> pids
    bash -c 'sleep 300 & echo $! >> pids; wait' & echo $! >> pids
    bash -c 'trap "" TERM INT HUP; echo $$ >> pids; while :; do sleep 300; done' &
    bash -c 'echo $$ >> pids; kill -STOP $$; sleep 300' &
    sh -c 'sleep 300 & sleep 300' & echo $! >> pids
    echo $$ >> pids
    wait
"#;

/// The number of processes of [`FAMILY`] that write their number.
const SIZE: usize = 7;

/// The numbers that a line wrote to `pids`, once so many are there.
fn pids(bench: &Bench, count: usize) -> Vec<i32> {
    wait_until(|| {
        let text = fs::read_to_string(bench.path("pids")).unwrap_or_default();
        let whole = text.ends_with('\n').then_some(text)?;
        let pids: Vec<i32> = whole.lines().map(|pid| pid.parse().unwrap()).collect();
        (pids.len() >= count).then_some(pids)
    })
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// A workbench that runs calls, with its output and standard input to be read and written.
fn start(bench: &Bench, arguments: &[&str]) -> Child {
    bench
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn call(id: &str, line: &str) -> Value {
    json!({"id": id, "name": "shell.run", "arguments": {"command": line}})
}

/// A file of calls.
fn calls(bench: &Bench, calls: &[Value]) -> String {
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    bench.file("calls.jsonl", lines.join("\n"));
    bench.path("calls.jsonl").to_str().unwrap().to_owned()
}

/// The members of each line that programs decide by.
fn shown(lines: &[Value]) -> Vec<(&str, &str, &str)> {
    lines
        .iter()
        .map(|line| {
            let member = |name: &str| line[name].as_str().unwrap_or_default();
            (member("id"), member("status"), member("code"))
        })
        .collect()
}

#[test]
fn a_timeout_ends_children_and_grandchildren() {
    let bench = Bench::new();
    let arguments = json!({"command": format!("echo begun; {FAMILY}"), "timeout": 3});
    let ended = bench.call_with(&["--yes"], "shell.run", &arguments);
    let text = ended.exits(1);
    assert_eq!(
        text,
        "begun\n[the line was ended at its timeout of 3 s; what it did until then is done]\n"
    );
    // As many as were begun in time.
    all_go(&pids(&bench, 1));
}

#[test]
fn ctrl_c_ends_the_running_line_whole_and_the_rest_never_begins() {
    let bench = Bench::new();
    let file = calls(
        &bench,
        &[
            call("before", "echo fine"),
            call("running", FAMILY),
            call("after", "touch ran"),
            json!({"id": "last", "name": "fs.list"}),
        ],
    );
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let child = start(&bench, &["--yes", "run", &file]);
        let pids = pids(&bench, SIZE);
        signal(&child, sent);
        let ended = Ended::of(output(child));
        ended.exits(code);
        assert_eq!(
            shown(&ended.lines()),
            [
                ("before", "success", ""),
                ("running", "error", "cancelled"),
                ("after", "error", "cancelled"),
                ("last", "error", "cancelled"),
            ]
        );
        assert_eq!(ended.stderr, "1 succeeded, 3 failed, 0 denied\n");
        assert!(!bench.path("ran").exists());
        all_go(&pids);
        fs::remove_file(bench.path("pids")).unwrap();
    }
}

#[test]
fn ctrl_c_ends_a_single_call() {
    let bench = Bench::new();
    let arguments = json!({"command": FAMILY}).to_string();
    let child = start(&bench, &["--yes", "call", "shell.run", &arguments]);
    let pids = pids(&bench, SIZE);
    signal(&child, Signal::INT);
    let ended = Ended::of(output(child));
    let text = ended.exits(130);
    assert!(text.starts_with("the call was cancelled"), "{text}");
    all_go(&pids);
}

#[test]
fn a_second_ctrl_c_kills_and_exits_at_once() {
    let bench = Bench::new();
    let arguments = json!({"command": FAMILY}).to_string();
    let mut child = start(&bench, &["--yes", "call", "shell.run", &arguments]);
    let pids = pids(&bench, SIZE);
    signal(&child, Signal::INT);
    // Once its result is there, the first signal has arrived.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("the call was cancelled"), "{line}");
    // Those that do not want to end are given a while, and may be over by now.
    let _ = kill_process(Pid::from_child(&child), Signal::INT);
    let ended = Ended::of(output(child));
    ended.exits(130);
    all_go(&pids);
}

#[test]
fn a_line_that_cleans_up_is_let_to() {
    let bench = Bench::new();
    let line =
        "trap 'echo cleaned > cleaned; exit' TERM; echo $$ > pids; while :; do sleep 0.05; done";
    let arguments = json!({"command": line}).to_string();
    let child = start(&bench, &["--yes", "call", "shell.run", &arguments]);
    let pids = pids(&bench, 1);
    signal(&child, Signal::INT);
    Ended::of(output(child)).exits(130);
    all_go(&pids);
    let cleaned = fs::read_to_string(bench.path("cleaned")).unwrap();
    assert_eq!(cleaned, "cleaned\n");
}

/// Reads one line of the output of `workbench run`.
fn next(stdout: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

#[test]
fn ctrl_c_ends_the_wait_for_calls() {
    let bench = Bench::new();
    let mut child = start(&bench, &["--yes", "run", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", call("first", "echo fine")).unwrap();
    assert_eq!(next(&mut stdout)["status"], "success");
    // Standard input stays open: nothing but the signal ends it.
    signal(&child, Signal::INT);
    let ended = Ended::of(output(child));
    ended.exits(130);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    drop(stdin);
}

#[test]
fn while_arguments_are_read_a_signal_just_ends_workbench() {
    let bench = Bench::new();
    let mut child = start(&bench, &["--yes", "call", "shell.run", "-"]);
    let stdin = child.stdin.take().unwrap();
    // Not `INT`, which a shell has its background jobs ignore: workbench inherits that from whoever runs this test.
    signal(&child, Signal::TERM);
    assert_eq!(Ended::of(output(child)).code, None);
    drop(stdin);
}

/// Counts the children of workbench that are dead and were not reaped.
#[cfg(target_os = "linux")]
const ZOMBIES: &str = r#"
    for status in /proc/[0-9]*/status; do
        state= parent=
        while read -r key value _; do
            case $key in State:) state=$value ;; PPid:) parent=$value ;; esac
        done 2> /dev/null < "$status"
        if [ "$state $parent" = "Z $PPID" ]; then echo zombie; fi
    done
"#;

#[cfg(target_os = "linux")]
#[test]
fn no_call_leaves_a_zombie() {
    let bench = Bench::new();
    let mut all: Vec<Value> = (0..20)
        .map(|number| {
            call(
                "x",
                &format!("sleep 300 > /dev/null 2>&1 & echo $! >> pids; exit {number}"),
            )
        })
        .collect();
    all.push(call("zombies", ZOMBIES));
    let file = calls(&bench, &all);
    let child = start(&bench, &["--yes", "run", &file]);
    let ended = Ended::of(output(child));
    ended.exits(0);
    let lines = ended.lines();
    assert_eq!(lines[20]["content"][0]["text"], "[exit status: 0]");
    all_go(&pids(&bench, 20));
}
