//! A batch of a hundred calls that only look, beside the same calls in a `join_all`, and beside a task
//! for each: medians of ratios within a round.
//!
//! `cargo bench -p toolwright --bench batch`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

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

fn main() {
    let rounds = turns::rounds();
    let executor =
        toolwright::Executor::new(ToolRegistry::new().with(LookUp).with(LookUpNow)).unwrap();
    let session = executor.session("bench");
    let one = Builder::new_current_thread().enable_all().build().unwrap();
    let two = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    println!(
        "{CALLS} calls         base ns  batch ns   ratio (quartiles)        allocations base, batch"
    );
    println!("beside `join_all`");
    for (threads, runtime) in [("1 thread", &one), ("2 threads", &two)] {
        for (kind, tool, waits) in KINDS {
            let texts = texts(waits);
            compare(
                rounds,
                &format!("{threads}, {kind}"),
                || joined(runtime, &session, tool, &texts),
                || batch(runtime, &session, tool, &texts),
            );
        }
    }
    println!("beside a task for each");
    for (threads, runtime) in [("1 thread", &one), ("2 threads", &two)] {
        for (kind, tool, waits) in KINDS {
            let texts = texts(waits);
            compare(
                rounds,
                &format!("{threads}, {kind}"),
                || spawned(runtime, &session, tool, &texts),
                || batch(runtime, &session, tool, &texts),
            );
        }
    }
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
