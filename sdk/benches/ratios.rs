//! The figures of the design in one run: each call against the same by hand, in turns, as
//! medians of ratios within a round; allocations; and what a fresh process pays for a hundred tools.
//!
//! `cargo bench -p toolwright --bench ratios`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds are small"
)]

mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use common::turns::{self, compare, quantile};
use toolwright::permission::AllowAll;
use toolwright::{Executor, Session, ToolCall};

const PROCESSES: usize = 15;
const FRESH: &str = "--fresh-process";
const FRESH_EXECUTOR: &str = "--fresh-executor";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == FRESH) {
        fresh();
        return;
    }
    if arguments.iter().any(|argument| argument == FRESH_EXECUTOR) {
        fresh_executor();
        return;
    }
    let rounds = turns::rounds();
    let executor = common::executor();
    let session = executor.session("bench");
    println!("call      by hand ns   ours ns   ratio (quartiles)        allocations by hand, ours");
    for (letter, name, text) in common::CASES {
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        for (kind, tool) in [("", name.to_owned()), (", async", format!("{name}_later"))] {
            compare(
                rounds,
                &format!("{letter}, text{kind}"),
                || {
                    let _ = black_box(common::by_hand_text(black_box(name), black_box(text)));
                },
                || run(&session, ToolCall::new(black_box(&*tool), black_box(text))),
            );
            compare(
                rounds,
                &format!("{letter}, tree{kind}"),
                || {
                    let _ = black_box(common::by_hand_tree(black_box(name), black_box(&tree)));
                },
                || run(&session, ToolCall::new(black_box(&*tool), black_box(&tree))),
            );
        }
    }
    processes();
}

/// Polled by hand: the host's own runtime is no part of the call.
fn run(session: &Session, call: ToolCall<'_>) {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(outcome) if outcome.is_success()));
    let _ = black_box(polled);
}

/// The work that a process does once: printed in microseconds.
fn fresh() {
    let begun = Instant::now();
    let registry = common::hundred_tools();
    let built = begun.elapsed();
    let snapshot = registry.freeze().unwrap();
    let frozen = begun.elapsed();
    let listing = snapshot.to_json().unwrap();
    let listed = begun.elapsed();
    black_box(snapshot.to_json().unwrap());
    let again = begun.elapsed();
    println!(
        "{} {} {} {} {}",
        micros(built),
        micros(frozen) - micros(built),
        micros(listed) - micros(frozen),
        micros(again) - micros(listed),
        listing.len()
    );
}

/// The same of an executor.
fn fresh_executor() {
    let begun = Instant::now();
    let registry = common::hundred_tools();
    let executor = Executor::builder(registry).permission_checker(AllowAll);
    let executor = executor.build().unwrap();
    let built = begun.elapsed();
    let tools = executor.tools();
    black_box(tools.to_json().unwrap());
    let listed = begun.elapsed();
    black_box(tools.to_json().unwrap());
    let again = begun.elapsed();
    println!(
        "{} {} {} {}",
        micros(built),
        micros(listed) - micros(built),
        micros(listed),
        micros(again) - micros(listed),
    );
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

fn processes() {
    let own = std::env::current_exe().unwrap();
    let print = |what| Command::new(&own).arg(what).output().unwrap().stdout;
    let mut columns: [Vec<f64>; 9] = Default::default();
    for _ in 0..PROCESSES {
        let text = String::from_utf8([print(FRESH), print(FRESH_EXECUTOR)].concat()).unwrap();
        for (column, field) in columns.iter_mut().zip(text.split_whitespace()) {
            column.push(field.parse().unwrap());
        }
    }
    println!("\n100 tools, microseconds in a fresh process, median of {PROCESSES} (quartiles)");
    let labels = [
        "registry built",
        "registry frozen",
        "listed for the first time, schemas made",
        "listed again",
        "bytes of the listing",
        "executor built instead",
        "listed for the first time",
        "executor built and listed",
        "listed again",
    ];
    for (label, mut column) in labels.into_iter().zip(columns) {
        println!(
            "{label:42} {:10.2} ({:.2} to {:.2})",
            quantile(&mut column, 0.5),
            quantile(&mut column, 0.25),
            quantile(&mut column, 0.75)
        );
    }
}
