//! A call through the whole pipeline, beside the same call by hand.
//!
//! `cargo bench -p toolwright --bench call`. The groups are `text/a` .. and `tree/a` ..; the ratios
//! of one interleaved run are printed by the benchmark `ratios`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use criterion::{Criterion, criterion_group, criterion_main};
use toolwright::ToolCall;

/// Polled by hand: the host's own runtime is no part of the call.
fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn calls(criterion: &mut Criterion) {
    let executor = common::executor();
    let session = executor.session("bench");
    for (letter, name, text) in common::CASES {
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();

        let mut group = criterion.benchmark_group(format!("text/{letter}"));
        group.bench_function("by hand", |bencher| {
            bencher.iter(|| common::by_hand_text(black_box(name), black_box(text)).unwrap());
        });
        group.bench_function("toolwright", |bencher| {
            bencher.iter(|| {
                let call = ToolCall::new(black_box(name), black_box(text));
                poll_once(session.call(call))
            });
        });
        group.finish();

        let mut group = criterion.benchmark_group(format!("tree/{letter}"));
        group.bench_function("by hand", |bencher| {
            bencher.iter(|| common::by_hand_tree(black_box(name), black_box(&tree)).unwrap());
        });
        group.bench_function("toolwright", |bencher| {
            bencher.iter(|| {
                let call = ToolCall::new(black_box(name), black_box(&tree));
                poll_once(session.call(call))
            });
        });
        group.finish();
    }
}

criterion_group!(benches, calls);
criterion_main!(benches);
