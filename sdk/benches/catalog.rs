//! Building a registry of a hundred tools, freezing it or building an executor of it, and listing
//! them.
//!
//! `cargo bench -p toolwright --bench catalog`. What a fresh process pays the first time is
//! printed by the benchmark `ratios`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

mod common;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use toolwright::Executor;

fn catalog(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("100 tools");
    group.bench_function("registry", |bencher| bencher.iter(common::hundred_tools));
    group.bench_function("registry and snapshot", |bencher| {
        bencher.iter(|| common::hundred_tools().freeze().unwrap());
    });
    // The first executor of a process makes the schemas, to see what the types do not keep of them;
    // what that costs is printed by `ratios`.
    group.bench_function("registry and another executor", |bencher| {
        bencher.iter(|| Executor::new(common::hundred_tools()).unwrap());
    });
    let snapshot = common::hundred_tools().freeze().unwrap();
    group.bench_function("find one", |bencher| {
        bencher.iter(|| snapshot.get(black_box("t42")).is_some());
    });
    group.bench_function("list again", |bencher| {
        bencher.iter(|| snapshot.to_json().unwrap());
    });
    group.bench_function("list as if for the first time", |bencher| {
        let specs: Vec<_> = snapshot.specs().collect();
        bencher.iter(|| serde_json::to_string(&specs).unwrap());
    });
    group.finish();
}

criterion_group!(benches, catalog);
criterion_main!(benches);
