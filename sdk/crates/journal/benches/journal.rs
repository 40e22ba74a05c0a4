//! The cost of a journal: a call without one, with one at each durability, and the parts.
//!
//! `cargo bench -p toolwright-journal`; with `-- --loop discarded/add 1000` it makes so many calls and nothing else, for
//! tools that count instructions.
#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark stops at the first fault"
)]

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use criterion::{Criterion, criterion_group};
use serde_json::json;
use toolwright::content::ContentHash;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{
    CanonicalJson, Durability, FileLog, Journal, JournalLog, LogError, LogLine, LogLines,
    MemoryLog, RecordKind, RecordedOutput,
};

/// The calls that are measured.
const CALLS: [(&str, &str); 2] = [("add", r#"{"a": 2, "b": 3}"#), ("rows", r#"{"of": "all"}"#)];

/// Add two whole numbers.
#[tool(pure, register = false)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Give ten rows.
#[tool(read_only, register = false)]
fn rows(of: String) -> Vec<serde_json::Value> {
    (0..10)
        .map(|n| json!({"name": of, "number": n, "half": f64::from(n) / 2.0, "tags": ["x", "y"]}))
        .collect()
}

/// A log that keeps nothing: what is left is the journal's own work.
struct Discard;

impl JournalLog for Discard {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        Ok(None)
    }

    fn append(&self, _: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        black_box(lines);
        Ok(())
    }

    fn sync(&self) -> Result<(), LogError> {
        Ok(())
    }

    fn read(&self) -> Result<LogLines, LogError> {
        Ok(Box::new(std::iter::empty()))
    }
}

fn tools() -> ToolRegistry {
    ToolRegistry::new().with(Add).with(Rows)
}

fn executor(journal: impl Into<Option<Journal>>) -> Executor {
    let builder = Executor::builder(tools());
    let builder = match journal.into() {
        Some(journal) => builder.call_recorder(journal),
        None => builder,
    };
    builder.build().unwrap()
}

fn journal(log: impl JournalLog, durability: Durability) -> Journal {
    let journal = Journal::builder(log).durability(durability).open();
    journal.unwrap().0
}

fn calls(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| FileLog::open(folder.path().join(name)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(1).enable_all().build().unwrap();
    let events = Executor::builder(tools())
        .events(|event: &std::sync::Arc<toolwright::event::Event>| {
            black_box(event);
        })
        .build()
        .unwrap();
    let kinds = [
        ("none", executor(None::<Journal>)),
        ("events_discarded", events),
        ("discarded", executor(journal(Discard, Durability::Flushed))),
        (
            "memory",
            executor(journal(MemoryLog::new(), Durability::Flushed)),
        ),
        (
            "file_flush",
            executor(journal(file("flush"), Durability::Flushed)),
        ),
        (
            "file_sync",
            executor(journal(file("sync"), Durability::Synced)),
        ),
    ];
    for (tool, arguments) in CALLS {
        let mut group = c.benchmark_group(format!("journal/{tool}"));
        for (name, executor) in &kinds {
            group.bench_function(*name, |b| {
                b.iter(|| runtime.block_on(executor.call(tool, arguments)));
            });
        }
        let hashed = hashed(tool, arguments);
        let without = executor(None::<Journal>);
        group.bench_function("none_and_hashes", |b| {
            b.iter(|| {
                for bytes in &hashed {
                    black_box(ContentHash::of(black_box(bytes)));
                }
                runtime.block_on(without.call(tool, arguments))
            });
        });
        group.finish();
    }
}

/// The bytes that the format has hashed for one call: its two lines, each behind the hash of the line before, its input
/// and its output.
fn hashed(tool: &str, arguments: &str) -> Vec<Vec<u8>> {
    let log = MemoryLog::new();
    let recorded = journal(log.clone(), Durability::Flushed);
    let call = executor(recorded.clone());
    made_in_place(&call, tool, arguments);
    let mut hashed = Vec::new();
    for record in recorded.records().unwrap() {
        hashed.push(match record.unwrap().kind {
            RecordKind::Requested(request) => {
                format!(
                    "{{\"arguments\":{},\"tool\":\"{tool}\"}}",
                    request.input.arguments
                )
            }
            RecordKind::Responded(response) => match response.output {
                RecordedOutput::Inline(output) => output.to_string(),
                other => panic!("the output is not in its line: {other:?}"),
            },
            _ => continue,
        });
    }
    let mut hashed: Vec<_> = hashed.into_iter().map(String::into_bytes).collect();
    // The first line is that of the journal itself.
    for line in log.read().unwrap().skip(1) {
        let line = line.unwrap();
        let end = line.len() - r#","hash":""}"#.len() - 64;
        hashed.push([[0; 32].as_slice(), &line[..end]].concat());
    }
    hashed
}

fn together(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
    let mut group = c.benchmark_group("journal/100_at_once");
    for (name, durability) in [("flush", Durability::Flushed), ("sync", Durability::Synced)] {
        let log = FileLog::open(folder.path().join(name)).unwrap();
        let executor = executor(journal(log, durability));
        group.bench_function(name, |b| {
            b.iter(|| {
                runtime.block_on(async {
                    let call = |_| executor.call("add", r#"{"a": 2, "b": 3}"#);
                    futures_util::future::join_all((0..100).map(call)).await
                })
            });
        });
    }
    group.finish();
}

fn parts(c: &mut Criterion) {
    let small = r#"{"b": 3, "a": 2}"#;
    let large = serde_json::to_string(&rows("all".to_owned())).unwrap();
    let mut group = c.benchmark_group("journal/parts");
    for (name, text) in [("small", small), ("ten_rows", large.as_str())] {
        group.bench_function(format!("canonical/{name}"), |b| {
            b.iter(|| CanonicalJson::from_text(black_box(text)).unwrap());
        });
        let canonical = CanonicalJson::from_text(text).unwrap();
        group.bench_function(format!("hash/{name}"), |b| {
            b.iter(|| black_box(&canonical).hash());
        });
    }
    group.finish();
}

criterion_group!(benches, calls, together, parts);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [mode, case, count, ..] if mode == "--loop" => repeat(case, count.parse().unwrap()),
        _ => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
    }
}

/// Makes the call of a case, such as `discarded/add`. Polled by hand: the host's own runtime is no part of the call.
fn repeat(case: &str, count: usize) {
    let (kind, tool) = case.split_once('/').unwrap();
    let executor = match kind {
        "none" => executor(None::<Journal>),
        "discarded" => executor(journal(Discard, Durability::Flushed)),
        "memory" => executor(journal(MemoryLog::new(), Durability::Flushed)),
        other => panic!("there is no case {other}"),
    };
    let (_, arguments) = CALLS.into_iter().find(|(name, _)| *name == tool).unwrap();
    for _ in 0..count {
        made_in_place(&executor, tool, black_box(arguments));
    }
}

fn made_in_place(executor: &Executor, tool: &str, arguments: &str) {
    let call = pin!(executor.call(tool, arguments));
    let polled = call.poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(outcome) if outcome.is_success()));
    let _ = black_box(polled);
}
