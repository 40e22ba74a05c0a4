//! A batch of a hundred calls that only look, beside the same calls in a `join_all`, and beside a task
//! for each: medians of ratios within a round.
//!
//! `cargo bench -p toolwright --bench batch`. With `--loop <way> <kind> <threads> <n>` it runs `n` times a hundred calls
//! in one way, `joined`, `spawned` or `batch`, for a tool that counts instructions.

#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops at the first fault"
)]

mod common;

use std::hint::black_box;

use common::turns::{self, compare};
use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use toolwright::{Session, ToolCall, ToolRegistry, tool};

const CALLS: usize = 100;

/// The kind of body, the tool, and true if the body waits.
const KINDS: [(&str, &str, bool); 3] = [
    ("sync", "look_up_now", false),
    ("at once", "look_up", false),
    ("waiting", "look_up", true),
];

/// Look something up.
#[tool(read_only)]
async fn look_up(n: u64, waits: bool) -> u64 {
    if waits {
        tokio::task::yield_now().await;
    }
    n
}

/// Look something up, without an `await`.
#[tool(read_only)]
fn look_up_now(n: u64, waits: bool) -> u64 {
    let _ = waits;
    n
}

fn texts(waits: bool) -> Vec<String> {
    let text = |n| format!("{{\"n\": {n}, \"waits\": {waits}}}");
    (0..CALLS).map(text).collect()
}

type Way = fn(&Runtime, &Session, &'static str, &[String]);

const WAYS: [(&str, Way); 3] = [("joined", joined), ("spawned", spawned), ("batch", batch)];

fn main() {
    let executor =
        toolwright::Executor::new(ToolRegistry::new().with(LookUp).with(LookUpNow)).unwrap();
    let session = executor.session("bench");
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mode, way, kind, threads, times, ..] = &arguments[..]
        && mode == "--loop"
    {
        let runtime = runtime(threads.parse().unwrap());
        let way = WAYS.iter().find(|(name, _)| name == way);
        let kind = KINDS.iter().find(|(name, ..)| name == kind);
        let ((_, run), (_, tool, waits)) = way.zip(kind).expect("a way and a kind");
        let texts = texts(*waits);
        return (0..times.parse().unwrap())
            .for_each(|_: u32| run(&runtime, &session, tool, &texts));
    }
    let rounds = turns::rounds();
    let (one, two) = (runtime(1), runtime(2));
    println!(
        "{CALLS} calls         base ns  batch ns   ratio (quartiles)        allocations base, batch"
    );
    let bases = [("`join_all`", joined as Way), ("a task for each", spawned)];
    for (name, base) in bases {
        println!("beside {name}");
        for (threads, runtime) in [("1 thread", &one), ("2 threads", &two)] {
            for (kind, tool, waits) in KINDS {
                let texts = texts(waits);
                compare(
                    rounds,
                    &format!("{threads}, {kind}"),
                    || base(runtime, &session, tool, &texts),
                    || batch(runtime, &session, tool, &texts),
                );
            }
        }
    }
}

fn runtime(threads: usize) -> Runtime {
    let mut builder = match threads {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder
        .worker_threads(threads)
        .enable_all()
        .build()
        .unwrap()
}

/// All in the task of the host, as one that has no batches may do it.
fn joined(runtime: &Runtime, session: &Session, tool: &'static str, texts: &[String]) {
    runtime.block_on(async {
        let turn = session.turn();
        let call = |text: &'_ String| ToolCall::new(tool, text.clone());
        let outcomes = join_all(texts.iter().map(|text| turn.call(call(text)))).await;
        assert!(outcomes.iter().all(toolwright::ToolOutcome::is_success));
        black_box(outcomes);
    });
}

/// A task for each call.
fn spawned(runtime: &Runtime, session: &Session, tool: &'static str, texts: &[String]) {
    runtime.block_on(async {
        let turn = session.turn();
        let mut tasks = JoinSet::new();
        for (at, text) in texts.iter().enumerate() {
            let (turn, text) = (turn.clone(), text.clone());
            tasks.spawn(async move { (at, turn.call(ToolCall::new(tool, text)).await) });
        }
        let mut outcomes = tasks.join_all().await;
        outcomes.sort_by_key(|(at, _)| *at);
        assert!(outcomes.iter().all(|(_, outcome)| outcome.is_success()));
        black_box(outcomes);
    });
}

fn batch(runtime: &Runtime, session: &Session, tool: &'static str, texts: &[String]) {
    runtime.block_on(async {
        let calls = texts.iter().map(|text| ToolCall::new(tool, text.as_str()));
        let outcomes = session.call_all(calls).await;
        assert!(outcomes.iter().all(toolwright::ToolOutcome::is_success));
        black_box(outcomes);
    });
}
