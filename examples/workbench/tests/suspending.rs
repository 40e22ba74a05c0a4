//! Calls that wait in a folder, and go on in a process of their own.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::*;

/// A root, a folder for what waits, and a directory of state.
struct Waiting {
    bench: Bench,
    folder: String,
    state: PathBuf,
}

impl Waiting {
    fn new() -> Self {
        let bench = Bench::new();
        let path = |name: &str| bench.outside().join(name);
        let (folder, state) = (path("waits"), path("state"));
        Self {
            folder: folder.to_str().unwrap().to_owned(),
            bench,
            state,
        }
    }

    /// With the root of the tests.
    fn command(&self, arguments: &[&str]) -> Ended {
        let mut command = self.bench.command(arguments);
        finish(command.env("XDG_STATE_HOME", &self.state), "")
    }

    /// As a person would type it.
    fn plain(&self, arguments: &[&str]) -> Ended {
        let mut command = workbench();
        command.args(arguments).current_dir(self.bench.outside());
        finish(command.env("XDG_STATE_HOME", &self.state), "")
    }

    /// Runs lines, each a call or a message, and keeps what asks.
    fn run(&self, options: &[&str], lines: &[Value]) -> Vec<Value> {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let file = self.bench.outside().join("calls.jsonl");
        fs::write(&file, lines.join("\n")).unwrap();
        let file = file.to_str().unwrap();
        let all = [options, &["run", "--suspend", &self.folder, file]].concat();
        let ended = self.command(&all);
        ended.exits(4);
        ended.lines()
    }

    /// A write that waits, and its ticket.
    fn write(&self, path: &str) -> String {
        ticket(&self.run(&[], &[write("1", path)])[0])
    }

    fn resume(&self, ticket: &str, arguments: &[&str]) -> Ended {
        self.plain(&[&["resume", ticket], arguments].concat())
    }

    #[track_caller]
    fn is_refused(&self, ticket: &str, why: &str) {
        let ended = self.resume(ticket, &["yes"]);
        assert_eq!(ended.exits(2), "");
        assert!(ended.stderr.contains(why), "{why}\n{}", ended.stderr);
    }

    /// The first file of a ticket: the call as it will run.
    fn put(&self, ticket: &str) -> PathBuf {
        Path::new(&self.folder)
            .join("tickets")
            .join(ticket)
            .join("0.json")
    }
}

fn write(id: &str, path: &str) -> Value {
    json!({"id": id, "name": "fs.write", "arguments": {"path": path, "content": "x"}})
}

fn ticket(line: &Value) -> String {
    line["ticket"].as_str().unwrap().to_owned()
}

fn line(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn what_asks_waits_and_goes_on_once_in_another_process() {
    let waiting = Waiting::new();
    waiting.bench.file("seen.txt", "x\n");
    let message = json!([
        {"id": "a", "name": "fs.read", "arguments": {"path": "seen.txt"}},
        write("b", "new.txt"),
        {"id": "c", "name": "text.count", "arguments": {"text": "x"}},
    ]);
    let lines = waiting.run(&[], &[message]);
    let statuses: Vec<&Value> = lines.iter().map(|line| &line["status"]).collect();
    assert_eq!(statuses, ["success", "pending", "success"]);
    let asks = lines[1]["asks"].as_array().unwrap();
    let summaries = asks.iter().map(|ask| ask["summary"].as_str().unwrap());
    assert!(
        summaries
            .clone()
            .any(|summary| summary == "Write `new.txt`")
    );
    assert!(!waiting.bench.path("new.txt").exists());
    let ticket = ticket(&lines[1]);

    let listed = waiting.command(&["tickets", &waiting.folder]);
    let text = listed.exits(0);
    assert!(
        text.contains(&ticket) && text.contains("Write `new.txt`"),
        "{text}"
    );

    let ended = waiting.resume(&ticket, &["yes"]);
    ended.exits(0);
    let resumed = line(&ended);
    assert_eq!(
        (&resumed["id"], &resumed["status"]),
        (&json!("b"), &json!("success"))
    );
    assert_eq!(waiting.bench.read("new.txt"), "x");

    fs::remove_file(waiting.bench.path("new.txt")).unwrap();
    waiting.is_refused(&ticket, "was used already");
    assert!(!waiting.bench.path("new.txt").exists());
    assert_eq!(
        waiting.command(&["tickets", &waiting.folder]).exits(0),
        "nothing waits\n"
    );
}

#[test]
fn a_no_is_told_with_its_reason_and_settles_it() {
    let waiting = Waiting::new();
    let ticket = waiting.write("a");
    let ended = waiting.resume(&ticket, &["no", "--reason", "ask the team first"]);
    ended.exits(3);
    let resumed = line(&ended);
    assert_eq!(resumed["status"], "denied");
    assert!(ended.stdout.contains("ask the team first"), "{resumed}");
    waiting.is_refused(&ticket, "was used already");
    assert!(!waiting.bench.path("a").exists());
}

#[test]
fn what_is_always_allowed_answers_what_else_waits_in_the_run() {
    let waiting = Waiting::new();
    let lines = waiting.run(&[], &[write("1", "a"), write("2", "a")]);
    let listed = waiting.command(&["tickets", &waiting.folder]);
    let text = listed.exits(0);
    assert!(text.contains("  trust 1: write anything below "), "{text}");
    let trusted = lines[0]["trust"][1].as_str();
    assert!(trusted.is_some_and(|label| label.starts_with("write anything below ")));
    waiting
        .resume(&ticket(&lines[0]), &["always", "--trust", "1"])
        .exits(0);
    let second = ticket(&lines[1]);
    let listed = waiting.command(&["tickets", &waiting.folder]);
    let goes_on = format!("`workbench resume {second}` goes on");
    assert!(listed.exits(0).contains(&goes_on), "{}", listed.stdout);
    // It has its answer, and a no comes too late.
    let late = waiting.resume(&second, &["no"]);
    late.exits(2);
    assert!(
        late.stderr.contains("was answered already"),
        "{}",
        late.stderr
    );
    waiting.resume(&second, &[]).exits(0);
    assert_eq!(
        waiting.command(&["tickets", &waiting.folder]).exits(0),
        "nothing waits\n"
    );
}

#[test]
fn it_runs_with_edited_arguments_that_fit() {
    let waiting = Waiting::new();
    let ticket = waiting.write("a");
    let wrong = waiting.resume(&ticket, &["--edit", r#"{"path": "b"}"#]);
    wrong.exits(2);
    assert!(wrong.stderr.contains("content"), "{}", wrong.stderr);
    let edited = json!({"path": "b", "content": "edited"}).to_string();
    waiting.resume(&ticket, &["--edit", &edited]).exits(0);
    assert_eq!(waiting.bench.read("b"), "edited");
    assert!(!waiting.bench.path("a").exists());
}

#[test]
fn a_question_waits_for_its_answer() {
    let waiting = Waiting::new();
    let options = json!([{"label": "red"}, {"label": "green"}]);
    let arguments = json!({"question": "Which colour?", "options": options, "other": false});
    let lines = waiting.run(&[], &[json!({"name": "user.ask", "arguments": arguments})]);
    let ticket = ticket(&lines[0]);
    let wrong = waiting.resume(&ticket, &["--answer", "\"blue\""]);
    wrong.exits(2);
    assert!(wrong.stderr.contains("`green`"), "{}", wrong.stderr);
    let ended = waiting.resume(&ticket, &["--answer", "\"green\""]);
    ended.exits(0);
    assert_eq!(line(&ended)["content"][0]["text"], "green");
}

#[test]
fn what_was_changed_in_the_folder_is_refused() {
    let of_the_ticket: fn(String) -> String = |text| text.replacen("\"Write `", "\"Read `", 1);
    let of_the_call: fn(String) -> String =
        |text| text.replace(r#"\"content\":\"x\""#, r#"\"content\":\"y\""#);
    for (change, why) in [
        (of_the_ticket, "does not verify"),
        (of_the_call, "not those that were asked about"),
    ] {
        let waiting = Waiting::new();
        let ticket = waiting.write("a");
        let path = waiting.put(&ticket);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(text.clone());
        assert_ne!(changed, text);
        fs::write(&path, changed).unwrap();
        waiting.is_refused(&ticket, why);
        assert!(!waiting.bench.path("a").exists());
        // As it was, it is good.
        fs::write(&path, text).unwrap();
        waiting.resume(&ticket, &["yes"]).exits(0);
    }
}

#[test]
fn what_is_no_ticket_is_told_and_keeps_no_other_from_its_answer() {
    let waiting = Waiting::new();
    let (broken, sound) = (waiting.write("a"), waiting.write("b"));
    fs::write(waiting.put(&broken), "{").unwrap();
    let listed = waiting.command(&["tickets", &waiting.folder]);
    let text = listed.exits(0);
    assert!(text.contains(&sound) && !text.contains(&broken), "{text}");
    assert!(listed.stderr.contains(&broken), "{}", listed.stderr);
    waiting.is_refused(&broken, "is not what a store of tickets writes there");
    waiting.resume(&sound, &["yes"]).exits(0);
}

#[test]
fn a_folder_that_holds_no_tickets_is_told_and_not_made() {
    let waiting = Waiting::new();
    let other = waiting.bench.outside().join("other");
    let path = other.to_str().unwrap();
    let id = "0".repeat(32);
    let asked = [
        &["tickets", path][..],
        &["resume", &id, "yes", "--suspend", path],
    ];
    for there in [false, true] {
        if there {
            fs::create_dir(&other).unwrap();
            fs::set_permissions(&other, fs::Permissions::from_mode(0o700)).unwrap();
        }
        for arguments in asked {
            let ended = waiting.command(arguments);
            assert_eq!(ended.exits(2), "", "{arguments:?}");
            let told = "is no folder of tickets";
            assert!(ended.stderr.contains(told), "{}", ended.stderr);
        }
    }
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
    // A folder without tickets is still a folder of tickets.
    let ticket = waiting.write("a");
    waiting.resume(&ticket, &["no"]).exits(3);
    let listed = waiting.command(&["tickets", &waiting.folder]);
    assert_eq!(listed.exits(0), "nothing waits\n");
}

#[test]
fn without_its_key_a_ticket_is_worth_nothing() {
    let waiting = Waiting::new();
    let ticket = waiting.write("a");
    let key = waiting.state.join("toolwright/ticket.key");
    let mode = key.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let other = waiting.bench.outside().join("other.key");
    let ended = waiting.resume(&ticket, &["yes", "--key", other.to_str().unwrap()]);
    ended.exits(2);
    assert!(ended.stderr.contains("does not verify"), "{}", ended.stderr);
    assert!(!waiting.bench.path("a").exists());
    waiting.resume(&ticket, &["yes"]).exits(0);
}

#[test]
fn key_and_folder_are_out_of_reach_of_the_tools_and_of_each_other() {
    let waiting = Waiting::new();
    let calls = waiting.bench.outside().join("none.jsonl");
    fs::write(&calls, "").unwrap();
    let calls = calls.to_str().unwrap();
    let inside = waiting.bench.path("waits");
    let ended = waiting.command(&["run", "--suspend", inside.to_str().unwrap(), calls]);
    ended.exits(2);
    assert!(ended.stderr.contains("outside of it"), "{}", ended.stderr);
    assert!(!inside.exists());
    for key in [
        waiting.bench.path("ticket.key"),
        Path::new(&waiting.folder).join("ticket.key"),
    ] {
        let key = key.to_str().unwrap();
        let ended = waiting.command(&["run", "--suspend", &waiting.folder, "--key", key, calls]);
        ended.exits(2);
        assert!(ended.stderr.contains("--key FILE"), "{}", ended.stderr);
    }
    let key = waiting.state.join("toolwright/ticket.key");
    waiting.write("a");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let ended = waiting.command(&["run", "--suspend", &waiting.folder, calls]);
    ended.exits(2);
    assert!(ended.stderr.contains("chmod 600"), "{}", ended.stderr);
}

#[test]
fn a_call_goes_on_where_it_was_asked_about_or_not_at_all() {
    let waiting = Waiting::new();
    let ticket = waiting.write("a");
    let other = waiting.bench.outside().join("other");
    fs::create_dir(&other).unwrap();
    let elsewhere = ["--root", other.to_str().unwrap()];
    let ended = waiting.plain(&[&elsewhere[..], &["resume", &ticket, "yes"]].concat());
    ended.exits(2);
    assert!(ended.stderr.contains("`--root`"), "{}", ended.stderr);

    let policy = waiting.bench.outside().join("policy.toml");
    fs::write(&policy, "[[ask]]\nwrites = [\".\"]\n").unwrap();
    let by_policy = ["--policy", policy.to_str().unwrap()];
    let ticket = self::ticket(&waiting.run(&by_policy, &[write("1", "b")])[0]);
    // The policy of that moment counts: a denial denies a call that a person has allowed.
    fs::write(
        &policy,
        "[[deny]]\nreason = \"not any more\"\nwrites = [\".\"]\n",
    )
    .unwrap();
    let ended = waiting.resume(&ticket, &["yes"]);
    ended.exits(3);
    assert!(ended.stdout.contains("not any more"), "{}", ended.stdout);
    assert!(!waiting.bench.path("b").exists());
}

#[test]
fn what_is_remembered_may_be_said_instead() {
    let waiting = Waiting::new();
    let ticket = waiting.write("a");
    fs::remove_dir_all(waiting.state.join("toolwright/tickets")).unwrap();
    waiting.is_refused(&ticket, "--suspend DIR");
    waiting
        .command(&["resume", "--suspend", &waiting.folder, &ticket, "yes"])
        .exits(0);
    assert!(waiting.bench.path("a").exists());
}

#[test]
fn of_many_who_resume_at_once_one_runs_it() {
    let waiting = Waiting::new();
    let line = "echo ran >> runs";
    let call = json!({"name": "shell.run", "arguments": {"command": line}});
    let ticket = ticket(&waiting.run(&[], &[call])[0]);
    let at_once = |arguments: &[&str]| -> usize {
        let ended: Vec<Ended> = thread::scope(|scope| {
            let all: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| waiting.resume(&ticket, arguments)))
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        ended.iter().filter(|ended| ended.code == Some(0)).count()
    };
    // Each may have answered another part, and then none of them resumes the call.
    let ran = at_once(&["yes"]) + at_once(&[]);
    assert_eq!(ran, 1);
    assert_eq!(waiting.bench.read("runs"), "ran\n");
}

#[test]
fn a_process_that_is_killed_between_changes_nothing() {
    let waiting = Waiting::new();
    // A process that is killed while it writes leaves a file under another name.
    let ticket = waiting.write("a");
    let directory = waiting.put(&ticket).parent().unwrap().to_owned();
    fs::write(directory.join(".tmpAbCdEf"), "{\"clos").unwrap();
    fs::create_dir(
        Path::new(&waiting.folder)
            .join("tickets")
            .join("f".repeat(32)),
    )
    .unwrap();
    let listed = waiting.command(&["tickets", &waiting.folder]);
    assert!(listed.exits(0).contains(&ticket));
    assert_eq!(listed.stderr, "");
    waiting.resume(&ticket, &["yes"]).exits(0);

    // And one that is killed once the call is claimed: it is not run again.
    let call = json!({"name": "shell.run", "arguments": {"command": "echo ran >> runs; kill -9 $PPID; sleep 300"}});
    let ticket = self::ticket(&waiting.run(&[], &[call])[0]);
    assert_eq!(waiting.resume(&ticket, &["yes"]).code, None);
    waiting.is_refused(&ticket, "was used already");
    assert_eq!(waiting.bench.read("runs"), "ran\n");
}
