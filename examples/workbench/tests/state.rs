//! Processes that keep what waits in one file: one waits, another answers.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::*;

/// A root, a file of a state, and a directory of the user's state.
struct Shared {
    bench: Bench,
    file: String,
    state: PathBuf,
}

impl Shared {
    fn new() -> Self {
        let bench = Bench::new();
        let file = bench.outside().join("state.db");
        Self {
            file: file.to_str().unwrap().to_owned(),
            state: bench.outside().join("state"),
            bench,
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(&["--state", &self.file]);
        command.args(arguments).env("XDG_STATE_HOME", &self.state);
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        finish(&mut self.command(arguments), "")
    }

    /// As a person would type it: the place is remembered.
    fn resume(&self, ticket: &str, arguments: &[&str]) -> Ended {
        let mut command = workbench();
        command.arg("resume").arg(ticket).args(arguments);
        finish(command.env("XDG_STATE_HOME", &self.state), "")
    }

    /// Starts a write that waits, in a process of its own, and finds its ticket by another one.
    fn waiting_write(&self, path: &str) -> (Child, String) {
        let arguments = json!({"path": path, "content": "x"}).to_string();
        let mut command = self.command(&["call", "fs.write", &arguments]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let ticket = self.ticket_of(path);
        (child, ticket)
    }

    /// The ticket of a write, as soon as it waits. A ticket's own line stands before those of its requests.
    fn ticket_of(&self, path: &str) -> String {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            // Until the first process has made the file there is nothing to list.
            let listed = self.run(&["tickets"]);
            let named = format!("\"path\":\"{path}\"");
            let plain = |line: &&str| line.replace(' ', "").contains(&named);
            if let Some(line) = listed.stdout.lines().find(plain) {
                return line.split_whitespace().next().unwrap().to_owned();
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("nothing waits");
    }
}

#[test]
fn a_second_process_answers_and_the_first_goes_on() {
    let shared = Shared::new();
    let (first, ticket) = shared.waiting_write("new.txt");
    let answered = shared.run(&["resume", &ticket, "yes"]);
    assert_eq!(answered.exits(0), "", "the call runs in the other process");
    assert!(answered.stderr.contains("goes on"), "{}", answered.stderr);
    let ended = Ended::of(output(first));
    assert_eq!(ended.exits(0), "wrote 1 byte to `new.txt`\n");
    assert!(ended.stderr.contains(&ticket), "{}", ended.stderr);
    assert_eq!(shared.bench.read("new.txt"), "x");
    assert_eq!(shared.run(&["tickets"]).exits(0), "nothing waits\n");
    let late = shared.run(&["resume", &ticket, "yes"]);
    late.exits(2);
    assert!(late.stderr.contains("used already"), "{}", late.stderr);
    let mode = fs::metadata(&shared.file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_no_reaches_the_first_process_with_its_reason() {
    let shared = Shared::new();
    let (first, ticket) = shared.waiting_write("a");
    shared
        .resume(&ticket, &["no", "--reason", "ask the team first"])
        .exits(0);
    let ended = Ended::of(output(first));
    assert!(ended.exits(3).contains("ask the team first"), "{ended:?}");
    assert!(!shared.bench.path("a").exists());
}

#[test]
fn of_two_who_wait_each_gets_its_own_answer() {
    let shared = Shared::new();
    let (one, first) = shared.waiting_write("one");
    let (other, second) = shared.waiting_write("other");
    shared.run(&["resume", &second, "yes"]).exits(0);
    Ended::of(output(other)).exits(0);
    assert!(!shared.bench.path("one").exists());
    shared.run(&["resume", &first, "no"]).exits(0);
    Ended::of(output(one)).exits(3);
}

#[test]
fn if_the_first_process_was_killed_the_answer_runs_its_call() {
    let shared = Shared::new();
    let (mut first, ticket) = shared.waiting_write("new.txt");
    first.kill().unwrap();
    first.wait().unwrap();
    let listed = shared.run(&["tickets"]);
    assert!(listed.exits(0).contains(&ticket), "it waits all the same");
    let resumed = shared.resume(&ticket, &["yes"]);
    assert!(resumed.exits(0).contains("success"), "{resumed:?}");
    assert_eq!(shared.bench.read("new.txt"), "x");
    shared.resume(&ticket, &["yes"]).exits(2);
}

#[test]
fn a_state_has_one_place_outside_of_the_root() {
    let shared = Shared::new();
    let bench = &shared.bench;
    let inside = bench.path("state.db");
    let inside = ["--state", inside.to_str().unwrap(), "call", "fs.list", "{}"];
    let ended = bench.run(&inside);
    ended.exits(2);
    assert!(ended.stderr.contains("outside of it"), "{}", ended.stderr);
    let calls = bench.outside().join("none.jsonl");
    fs::write(&calls, "").unwrap();
    let folder = bench.outside().join("waits");
    let (folder, calls) = (folder.to_str().unwrap(), calls.to_str().unwrap());
    for (arguments, told) in [
        (&["run", "--suspend", folder, calls][..], "--suspend"),
        (&["serve"], "--state"),
        (&["tickets"], "cannot be opened"),
    ] {
        let ended = shared.run(arguments);
        ended.exits(2);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
    let ended = bench.run(&["tickets"]);
    ended.exits(2);
    assert!(ended.stderr.contains("--state FILE"), "{}", ended.stderr);
    fs::write(&shared.file, "x".repeat(5_000)).unwrap();
    fs::set_permissions(&shared.file, fs::Permissions::from_mode(0o600)).unwrap();
    let ended = shared.run(&["call", "fs.list", "{}"]);
    ended.exits(2);
    assert!(
        ended.stderr.contains("no database of SQLite"),
        "{}",
        ended.stderr
    );
}
