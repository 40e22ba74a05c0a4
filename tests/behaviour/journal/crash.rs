//! A process that works through calls is killed at any moment, and its journal is opened anew.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use toolwright::id::InvocationId;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolCall, ToolContext, ToolRegistry, tool};
use toolwright_journal::{Durability, FileLog, Journal, JournalRecords, RecordKind, verify};

/// The folder of a child, which is what tells it that it is one.
const FOLDER: &str = "TOOLWRIGHT_CRASH_FOLDER";
const SYNC: &str = "TOOLWRIGHT_CRASH_SYNC";
/// The number of rounds, for machines on which 200 are too many.
const ROUNDS: &str = "TOOLWRIGHT_CRASH_ROUNDS";

/// The notes of what was done and seen, outside of the journal.
struct Notes(File);

impl Notes {
    /// In one write each, which a kill does not tear.
    fn note(&self, line: &str) {
        (&self.0).write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// Do something that must be done once at most.
#[tool(register = false)]
async fn act(number: u32, ctx: &ToolContext, notes: &Arc<Notes>) -> u32 {
    notes.note(&format!("acted {}", ctx.invocation_id()));
    tokio::time::sleep(Duration::from_micros(u64::from(number % 7) * 300)).await;
    number
}

/// Look at something.
#[tool(register = false, read_only)]
async fn look(number: u32) -> String {
    format!("{number} was looked at")
}

fn journal_in(folder: &Path) -> PathBuf {
    folder.join("journal.jsonl")
}

fn notes_in(folder: &Path) -> PathBuf {
    folder.join("notes")
}

/// Runs in a process that the test below starts; without it, this does nothing.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let durability = match std::env::var_os(SYNC) {
        Some(_) => Durability::Synced,
        None => Durability::Flushed,
    };
    let notes = OpenOptions::new()
        .append(true)
        .create(true)
        .open(notes_in(&folder));
    let notes = Arc::new(Notes(notes.unwrap()));
    let log = FileLog::open(journal_in(&folder)).unwrap();
    let (journal, _) = Journal::builder(log).durability(durability).open().unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Act).with(Look))
        .permission_checker(AllowAll)
        .resource(Arc::clone(&notes))
        .call_recorder(journal)
        .build()
        .unwrap();
    println!("\nready");
    let work = async move {
        let mut tasks = Vec::new();
        for worker in 0..3 {
            let (executor, notes) = (executor.clone(), Arc::clone(&notes));
            tasks.push(tokio::spawn(async move {
                let session = executor.session(format!("worker-{worker}"));
                for number in 0_u32.. {
                    let tool = if number % 4 == 3 { "look" } else { "act" };
                    let arguments = serde_json::json!({ "number": number });
                    let outcome = session.call(ToolCall::new(tool, arguments)).await;
                    let result = outcome.result();
                    let hash = result.response_hash().unwrap();
                    notes.note(&format!("returned {} {hash}", result.invocation_id()));
                }
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build();
    runtime.unwrap().block_on(work);
}

#[test]
fn a_journal_survives_kill_9_at_any_moment() {
    let rounds = std::env::var(ROUNDS)
        .ok()
        .and_then(|rounds| rounds.parse().ok());
    let rounds: u32 = rounds.unwrap_or(200);
    let mut random = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
    let (mut between, mut torn, mut returned) = (0, 0, 0);
    let mut folder = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        if round % 20 == 0 {
            folder = tempfile::tempdir().unwrap();
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let delay = Duration::from_micros((random >> 33) % 12_000);
        run_and_kill(folder.path(), delay, round % 2 == 0);
        let found = check(folder.path());
        between += u32::from(found.between);
        torn += u32::from(found.torn);
        returned += found.returned;
    }
    println!(
        "{rounds} kills: {between} between a request and its response, {torn} within a line; \
         {returned} results had returned"
    );
    assert!(between * 10 >= rounds, "{between} of {rounds}");
}

fn run_and_kill(folder: &Path, delay: Duration, sync: bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "journal::crash::child", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if sync {
        command.env(SYNC, "1");
    }
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let ready = lines.map_while(Result::ok).any(|line| line == "ready");
    assert!(ready, "the child has begun");
    std::thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
}

struct Found {
    between: bool,
    torn: bool,
    returned: u32,
}

fn check(folder: &Path) -> Found {
    let log = FileLog::open(journal_in(folder)).unwrap();
    let (journal, recovery) = Journal::open(log.clone()).unwrap();
    verify(&log).unwrap();
    drop(journal);

    let (mut requests, mut responses) = (HashSet::new(), HashMap::new());
    for record in JournalRecords::of(&log).unwrap() {
        match record.unwrap().kind {
            RecordKind::Requested(requested) => {
                assert!(requests.insert(requested.invocation), "requested twice");
            }
            RecordKind::Responded(responded) => {
                assert!(requests.contains(&responded.invocation), "nobody has asked");
                let hash = responded.response_hash.to_string();
                let before = responses.insert(responded.invocation, hash);
                assert_eq!(before, None, "responded twice");
            }
            _ => {}
        }
    }
    let mut returned = 0;
    let notes = fs::read_to_string(notes_in(folder)).unwrap_or_default();
    for line in notes.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let call: InvocationId = words[1].parse().unwrap();
        match words[..] {
            ["acted", _] => assert!(requests.contains(&call), "it acted before its request"),
            ["returned", _, hash] => {
                assert_eq!(responses[&call], hash, "what returned is in the journal");
                returned += 1;
            }
            _ => panic!("{line}"),
        }
    }
    let unfinished: HashSet<_> = recovery
        .unfinished
        .iter()
        .map(|call| call.invocation)
        .collect();
    let open: HashSet<_> = requests
        .iter()
        .filter(|call| !responses.contains_key(call))
        .collect();
    assert_eq!(unfinished.iter().collect::<HashSet<_>>(), open);
    // Those of the rounds before are unfinished still.
    let last = recovery.unfinished.last().map(|call| call.seq);
    let was = fs::read_to_string(folder.join("last"))
        .ok()
        .and_then(|seq| seq.parse().ok());
    let between = last > was;
    fs::write(folder.join("last"), last.unwrap_or(0).to_string()).unwrap();
    Found {
        between,
        torn: recovery.cut.is_some(),
        returned,
    }
}
