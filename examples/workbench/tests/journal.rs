//! Journals: what is recorded, shown and verified.

use serde_json::json;

use super::*;

/// A root, and a journal outside of it.
struct Recorded {
    bench: Bench,
    file: String,
}

impl Recorded {
    fn new() -> Self {
        let bench = Bench::new();
        let file = bench.outside().join("run.jsonl");
        Self {
            file: file.to_str().unwrap().to_owned(),
            bench,
        }
    }

    fn run(&self, options: &[&str], calls: &[Value]) -> Ended {
        let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
        let all = [options, &["run", "--journal", &self.file, "-"]].concat();
        finish(&mut self.bench.command(&all), &lines.join("\n"))
    }

    fn journal(&self, command: &str, more: &[&str]) -> Ended {
        let all = [&["journal", command, &self.file], more].concat();
        finish(workbench().args(all).current_dir(self.bench.outside()), "")
    }

    /// The rows of `show`, cell by cell; without headings and count.
    fn rows(&self, code: i32) -> Vec<Vec<String>> {
        let shown = self.journal("show", &[]);
        let lines: Vec<&str> = shown.exits(code).lines().collect();
        let cells = |line: &&str| {
            let cells = line.split("  ").map(str::trim);
            let cells = cells.filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect()
        };
        lines[1..lines.len() - 1].iter().map(cells).collect()
    }

    /// Tool and status of each call.
    fn calls(&self, code: i32) -> Vec<(String, String)> {
        let rows = self.rows(code);
        rows.into_iter()
            .map(|row| (row[2].clone(), row[3].clone()))
            .collect()
    }

    fn head(&self) -> String {
        let verified = self.journal("verify", &[]);
        let head = verified
            .exits(0)
            .lines()
            .find_map(|line| line.strip_prefix("head  "));
        head.unwrap().to_owned()
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "a `json!` is read best where it stands"
)]
fn call(name: &str, arguments: Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

fn told(calls: &[(&str, &str)]) -> Vec<(String, String)> {
    let calls = calls.iter();
    calls
        .map(|(tool, status)| ((*tool).to_owned(), (*status).to_owned()))
        .collect()
}

#[test]
fn calls_are_shown_as_a_table_in_the_order_they_were_made() {
    let recorded = Recorded::new();
    let calls = [
        call("echo", json!({"text": "hi"})),
        call("fs.write", json!({"path": "a.txt", "content": "x"})),
        call("no.such", json!({})),
        json!([
            call("text_count", json!({"text": "a b"})),
            call("fs.read", json!({"pth": "x"}))
        ]),
    ];
    recorded.run(&[], &calls).exits(3);
    let mut made = recorded.calls(0);
    // Those of one message run side by side.
    made[3..].sort();
    assert_eq!(
        made,
        told(&[
            ("echo", "success"),
            ("fs.write", "denied"),
            ("no.such", "error"),
            ("fs.read", "error"),
            ("text.count", "success"),
        ])
    );
    let echo = &recorded.rows(0)[0];
    assert_eq!((echo[0].as_str(), echo[4].as_str()), ("1", "tool"));
    assert_eq!(echo[7], r#"{"text":"hi"}"#);
    let shown = recorded.journal("show", &[]);
    let count = shown.exits(0).lines().last();
    assert_eq!(count, Some("5 calls, 2 succeeded, 2 failed, 1 denied"));
}

#[test]
fn a_second_run_goes_on_in_the_journal_and_the_head_tells_what_came_since() {
    let recorded = Recorded::new();
    let echo = [call("echo", json!({"text": "hi"}))];
    recorded.run(&[], &echo).exits(0);
    let head = recorded.head();
    let verified = recorded.journal("verify", &["--head", &head]);
    assert!(
        verified
            .exits(0)
            .starts_with("3 records are what was written\n")
    );
    let arguments = [
        "call",
        "--journal",
        &recorded.file,
        "text.count",
        r#"{"text":"a"}"#,
    ];
    recorded.bench.run(&arguments).exits(0);
    let verified = recorded.journal("verify", &["--head", &head]);
    let said = "3 records are what they were, and 2 came since\n";
    assert!(verified.exits(0).starts_with(said), "{verified:?}");
    // Cut to its earlier length, it is valid without its head, and not for a person who has kept the head.
    let later = recorded.head();
    let text = fs::read_to_string(&recorded.file).unwrap();
    let kept: Vec<&str> = text.split_inclusive('\n').take(3).collect();
    fs::write(&recorded.file, kept.concat()).unwrap();
    recorded.journal("verify", &[]).exits(0);
    let verified = recorded.journal("verify", &["--head", &later]);
    assert_eq!(verified.exits(1), "");
    assert!(
        verified.stderr.contains("records were taken out of it"),
        "{verified:?}"
    );
}

#[test]
fn what_was_changed_is_named_and_nothing_is_added_to_it() {
    let recorded = Recorded::new();
    let calls: Vec<Value> = ["one", "two", "three"]
        .map(|text| call("echo", json!({"text": text})))
        .into();
    recorded.run(&[], &calls).exits(0);
    let text = fs::read_to_string(&recorded.file).unwrap();
    let changed = text.replacen(r#"{"text":"two"}"#, r#"{"text":"2wo"}"#, 1);
    assert_ne!(changed, text);
    fs::write(&recorded.file, &changed).unwrap();
    let verified = recorded.journal("verify", &[]);
    assert_eq!(verified.exits(1), "");
    let why = "line 4 of the journal is not what was written";
    assert!(verified.stderr.contains(why), "{verified:?}");
    // The entries before the change are shown.
    assert_eq!(recorded.calls(1), told(&[("echo", "success")]));
    let refused = recorded.run(&[], &calls);
    assert_eq!(refused.exits(2), "");
    assert!(refused.stderr.contains(why), "{refused:?}");
    assert_eq!(fs::read_to_string(&recorded.file).unwrap(), changed);
}

#[test]
fn a_torn_last_line_is_cut_and_told() {
    let recorded = Recorded::new();
    let echo = [call("echo", json!({"text": "hi"}))];
    recorded.run(&[], &echo).exits(0);
    let mut text = fs::read_to_string(&recorded.file).unwrap();
    text.push_str(r#"{"seq":4,"time":1"#);
    fs::write(&recorded.file, &text).unwrap();
    let verified = recorded.journal("verify", &[]);
    assert!(
        verified.stderr.contains("line 4 of the journal"),
        "{verified:?}"
    );
    verified.exits(1);
    let ran = recorded.run(&[], &echo);
    ran.exits(0);
    assert!(ran.stderr.contains("line 4 of "), "{ran:?}");
    assert!(
        ran.stderr
            .contains("was not written to its end, and is cut off"),
        "{ran:?}"
    );
    recorded.journal("verify", &[]).exits(0);
    assert_eq!(recorded.calls(0).len(), 2);
}

#[test]
fn large_outputs_lie_beside_and_are_verified_too() {
    let recorded = Recorded::new();
    let text = "large ".repeat(20_000);
    recorded
        .run(&[], &[call("echo", json!({"text": text}))])
        .exits(0);
    recorded.journal("verify", &[]).exits(0);
    let folder = PathBuf::from(format!("{}.outputs", recorded.file));
    let files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [output] = &files[..] else {
        panic!("{files:?}");
    };
    let whole = fs::read_to_string(output).unwrap();
    assert!(whole.contains(&text));
    fs::write(output, whole.replacen("large", "small", 1)).unwrap();
    let verified = recorded.journal("verify", &[]);
    verified.exits(1);
    assert!(
        verified.stderr.contains("is something else"),
        "{verified:?}"
    );
    fs::remove_file(output).unwrap();
    let verified = recorded.journal("verify", &[]);
    verified.exits(1);
    assert!(verified.stderr.contains("is not there"), "{verified:?}");
}

#[test]
fn a_journal_that_cannot_be_opened_keeps_calls_from_running() {
    let recorded = Recorded::new();
    let write = [call("fs.write", json!({"path": "a.txt", "content": "x"}))];
    for file in [
        recorded.bench.outside().to_str().unwrap(),
        "/dev/null",
        "no/such/place.jsonl",
    ] {
        let all = ["--yes", "run", "--journal", file, "-"];
        let ended = finish(&mut recorded.bench.command(&all), &write[0].to_string());
        assert_eq!(ended.exits(2), "");
        assert!(ended.stderr.contains("cannot be used"), "{ended:?}");
    }
    assert!(!recorded.bench.path("a.txt").exists());
    let none = recorded.journal("show", &[]);
    none.exits(2);
    assert!(none.stderr.contains("No such file"), "{none:?}");
}

#[test]
fn a_file_that_is_no_journal_is_shown_as_nothing() {
    let recorded = Recorded::new();
    for foreign in ["root:x:0:0\n", "{}\n", "{\"a\": 1}\n{}\n"] {
        fs::write(&recorded.file, foreign).unwrap();
        let shown = recorded.journal("show", &[]);
        assert_eq!(shown.exits(1), "");
        assert!(
            shown.stderr.contains("line 1 of the journal"),
            "{}",
            shown.stderr
        );
    }
    // An empty one is a journal without calls.
    fs::write(&recorded.file, "").unwrap();
    assert!(
        recorded
            .journal("show", &[])
            .exits(0)
            .ends_with("0 calls\n")
    );
}

#[test]
fn a_journal_within_the_root_is_refused() {
    let bench = Bench::new();
    bench.tree(&[("sub/a.txt", "x")]);
    let within = |file: &str| {
        let ended = finish(
            &mut bench.command(&["run", "--journal", file, "-"]),
            r#"{"name": "fs.write", "arguments": {"path": "b", "content": "x"}}"#,
        );
        assert_eq!(ended.exits(2), "");
        assert!(ended.stderr.contains("lies in the root"), "{ended:?}");
        assert!(ended.stderr.contains("outside of it"), "{ended:?}");
    };
    for name in ["run.jsonl", "sub/run.jsonl", "sub/../run.jsonl"] {
        let path = bench.path(name);
        within(path.to_str().unwrap());
        assert!(!path.exists());
    }
    #[cfg(unix)]
    {
        // By the file that it is, and by a directory that leads there.
        let links = [("link", "sub"), ("linked.jsonl", "sub/a.txt"), ("new", "n")];
        for (link, to) in links {
            let link = bench.outside().join(link);
            std::os::unix::fs::symlink(bench.path(to), link).unwrap();
        }
        for name in ["link/run.jsonl", "linked.jsonl", "new"] {
            within(bench.outside().join(name).to_str().unwrap());
        }
        assert!(!bench.path("sub/run.jsonl").exists() && !bench.path("n").exists());
        assert_eq!(bench.read("sub/a.txt"), "x");
    }
    // A relative name, as it is typed.
    let mut command = bench.command(&["call", "--journal", "run.jsonl", "fs.list"]);
    let ended = finish(command.current_dir(&bench.root), "");
    assert_eq!(ended.exits(2), "");
    assert!(!bench.path("run.jsonl").exists());
}

#[test]
fn a_replay_agrees_and_changes_nothing() {
    let recorded = Recorded::new();
    let calls = [
        call("echo", json!({"text": "hi"})),
        call("text.hash", json!({"text": "hi"})),
        call("fs.write", json!({"path": "a.txt", "content": "x"})),
        call("fs.read", json!({"path": "a.txt"})),
        call("fs.read", json!({"path": "b.txt"})),
        call("echo", json!({"txt": "hi"})),
    ];
    recorded.run(&["--yes"], &calls).exits(1);
    fs::remove_file(recorded.bench.path("a.txt")).unwrap();
    let before = fs::read(&recorded.file).unwrap();
    let replayed = recorded.bench.run(&["journal", "replay", &recorded.file]);
    let shown = replayed.exits(0);
    for row in [
        "1     2       echo       ran again        the same",
        "3     6       fs.write   from the record",
    ] {
        assert!(shown.lines().any(|line| line == row), "{row}\n{shown}");
    }
    let (_, counted) = shown.split_once("\n\n").unwrap();
    let lines: Vec<&str> = counted.lines().collect();
    let counts = [
        "calls            6",
        "ran again        2",
        "from the record  4",
        "never ended      0",
        "differ           0",
    ];
    assert_eq!(lines[..5], counts);
    let hash = |line: &str| line.rsplit(' ').next().unwrap().to_owned();
    assert_eq!(hash(lines[5]), hash(lines[6]));
    let verified = recorded.journal("verify", &[]);
    assert!(verified.exits(0).contains(&hash(lines[5])));
    assert!(!recorded.bench.path("a.txt").exists());
    assert_eq!(fs::read(&recorded.file).unwrap(), before);
}

/// Give a text back, in another way than workbench does.
#[toolwright::tool(name = "echo", pure, register = false)]
fn shouted(text: String) -> String {
    format!("first\n{}\nlast", text.to_uppercase())
}

#[test]
fn what_a_replay_finds_is_shown_as_a_diff() {
    let recorded = Recorded::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let log = toolwright_journal::FileLog::open(&recorded.file).unwrap();
        let (journal, _) = toolwright_journal::Journal::open(log).unwrap();
        let tools = toolwright::ToolRegistry::new().with(Shouted);
        let executor = toolwright::Executor::builder(tools)
            .call_recorder(journal)
            .build()
            .unwrap();
        let text = "first\nhi \u{1b}[2J\nlast";
        let outcome = executor.call("echo", json!({ "text": text })).await;
        assert!(outcome.result().is_success());
    });
    let replayed = recorded.bench.run(&["journal", "replay", &recorded.file]);
    let shown = replayed.exits(1);
    let (rows, rest) = shown.split_once("\n\n").unwrap();
    assert!(rows.ends_with("echo  ran again  differs"), "{shown}");
    let told = "`echo` in session `default`, record 2: ";
    assert!(rest.starts_with(told), "{shown}");
    for line in [
        "--- recorded",
        "+++ replayed",
        "-FIRST",
        r"+hi \u{1b}[2J",
        "differ           1",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    // Nothing of it reaches the terminal as a command.
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}

#[cfg(unix)]
mod unix {
    use super::*;

    #[test]
    fn one_workbench_at_a_time_writes_to_a_journal() {
        let recorded = Recorded::new();
        let all = ["run", "--journal", &recorded.file, "-"];
        let mut first = recorded.bench.command(&all);
        first.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut first = first.spawn().unwrap();
        let mut lines = first.stdin.take().unwrap();
        let echo = call("echo", json!({"text": "hi"}));
        writeln!(lines, "{echo}").unwrap();
        // Its answer tells that it is there.
        let mut answers = std::io::BufReader::new(first.stdout.take().unwrap());
        let mut answer = String::new();
        std::io::BufRead::read_line(&mut answers, &mut answer).unwrap();
        let second = recorded.run(&[], std::slice::from_ref(&echo));
        second.exits(2);
        assert!(
            second.stderr.contains("is open for writing already"),
            "{second:?}"
        );
        // Reading does no harm.
        assert_eq!(recorded.calls(0), told(&[("echo", "success")]));
        drop(lines);
        assert!(first.wait().unwrap().success());
        recorded.run(&[], &[echo]).exits(0);
    }

    #[test]
    fn a_call_that_a_kill_has_ended_is_unknown() {
        let recorded = Recorded::new();
        let command = "echo begun > begun; sleep 300";
        let line = call("shell.run", json!({"command": command, "timeout": 300})).to_string();
        let all = ["--yes", "run", "--journal", &recorded.file, "-"];
        let mut child = recorded.bench.command(&all);
        let mut child = child.stdin(Stdio::piped()).spawn().unwrap();
        writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
        let begun = Instant::now();
        while !recorded.bench.path("begun").exists() {
            assert!(begun.elapsed() < PATIENCE, "it never began");
            thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(recorded.calls(0), told(&[("shell.run", "unknown")]));
        let ran = recorded.run(&[], &[call("echo", json!({"text": "hi"}))]);
        ran.exits(0);
        assert!(
            ran.stderr.contains("whether it had an effect is unknown"),
            "{ran:?}"
        );
        recorded.journal("verify", &[]).exits(0);

        let settle = |more: &[&str]| {
            let all = [&["settle", &recorded.file], more].concat();
            recorded.bench.run(&all)
        };
        let listed = settle(&[]);
        let (id, tool) = listed.exits(0).split_once("  ").unwrap();
        assert!(tool.starts_with("shell.run  (record "), "{listed:?}");
        settle(&[id]).exits(2);
        settle(&[&"0".repeat(32), "not-run"]).exits(2);
        assert_eq!(
            settle(&[id, "succeeded", "--text", "begun"]).exits(0),
            "settled\n"
        );
        assert_eq!(settle(&[]).exits(0), "nothing is to be settled\n");
        settle(&[id, "failed"]).exits(2);
        let known = [("shell.run", "success"), ("echo", "success")];
        assert_eq!(recorded.calls(0), told(&known));
        recorded.journal("verify", &[]).exits(0);
    }

    #[test]
    fn a_call_that_waits_goes_on_in_the_journal_that_it_began_in() {
        let recorded = Recorded::new();
        let outside = recorded.bench.outside();
        let (waits, state) = (outside.join("waits"), outside.join("state"));
        let all = [
            "run",
            "--suspend",
            waits.to_str().unwrap(),
            "--journal",
            &recorded.file,
            "-",
        ];
        let write = call("fs.write", json!({"path": "a.txt", "content": "x"}));
        let mut command = recorded.bench.command(&all);
        let ended = finish(command.env("XDG_STATE_HOME", &state), &write.to_string());
        ended.exits(4);
        assert_eq!(recorded.calls(0), told(&[("fs.write", "waits")]));
        let ticket = ended.lines()[0]["ticket"].as_str().unwrap().to_owned();
        let mut resume = workbench();
        resume.args(["resume", &ticket, "yes"]).current_dir(outside);
        let ended = finish(resume.env("XDG_STATE_HOME", &state), "");
        ended.exits(0);
        assert_eq!(recorded.bench.read("a.txt"), "x");
        assert_eq!(recorded.calls(0), told(&[("fs.write", "success")]));
        recorded.journal("verify", &[]).exits(0);
    }
}
