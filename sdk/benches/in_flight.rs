//! Ten thousand calls of a tool that sleeps for a millisecond, all in flight at once, each in a task of
//! its own, beside as many bare tasks: throughput as medians of ratios within a round, and the memory
//! of a call in flight, by what is allocated and by what a fresh process has resident.
//!
//! `cargo bench -p toolwright --bench in_flight`. With `--loop <kind> <n>` it makes `n` waves of one kind and nothing
//! else, for tools that count instructions or take samples.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds are small"
)]

mod common;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::turns::{self, quantile};
use serde::Deserialize;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use toolwright::executor::Limits;
use toolwright::{Executor, Session, ToolCall, ToolRegistry, tool};

const IN_FLIGHT: usize = 10_000;
const WAVES: usize = 9;
const PROCESSES: usize = 7;
const FRESH: &str = "--fresh-process";

/// Sleep for a while.
#[tool(read_only)]
async fn sleep(ms: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    ms
}

/// A session by hand, for calls with what is promised of ours: each has an id, is counted while it runs, and ends after
/// a time and when its session is cancelled.
#[derive(Default)]
struct ByHand {
    calls: AtomicU64,
    running: AtomicUsize,
    cancelled: CancellationToken,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SleepArguments {
    ms: u64,
}

impl ByHand {
    async fn sleep(&self, text: &str) -> Option<String> {
        let SleepArguments { ms } = serde_json::from_str(text).ok()?;
        let id = self.calls.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
        let body = async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            ms
        };
        let ended = tokio::select! {
            biased;
            () = self.cancelled.cancelled() => None,
            ended = tokio::time::timeout(Duration::from_secs(120), body) => ended.ok(),
        };
        self.running.fetch_sub(1, Ordering::Relaxed);
        black_box(id);
        serde_json::to_string(&ended?).ok()
    }
}

/// The parts of a wave.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Tasks that sleep and nothing else.
    Bare,
    /// A task for each call.
    Calls,
    /// The same without a timeout.
    Endless,
    /// A task for each call by hand.
    ByHand,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Bare, Self::Calls, Self::Endless, Self::ByHand];

    fn named(name: &str) -> Self {
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| format!("{kind:?}") == name).unwrap()
    }

    fn session(self) -> Session {
        let builder = Executor::builder(ToolRegistry::new().with(Sleep));
        let builder = match self {
            Self::Endless => builder.limits(Limits::new().timeout(None)),
            Self::Bare | Self::Calls | Self::ByHand => builder,
        };
        builder.build().unwrap().session("bench")
    }
}

/// A wave that has begun.
fn begin(kind: Kind, session: &Arc<Session>, ms: u64) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let text: Arc<str> = format!("{{\"ms\": {ms}}}").into();
    let by_hand = Arc::new(ByHand::default());
    for _ in 0..IN_FLIGHT {
        match kind {
            Kind::Bare => tasks.spawn(tokio::time::sleep(Duration::from_millis(ms))),
            Kind::Calls | Kind::Endless => {
                let (session, text) = (Arc::clone(session), Arc::clone(&text));
                tasks.spawn(async move {
                    let outcome = session.call(ToolCall::new("sleep", &*text)).await;
                    assert!(outcome.is_success());
                })
            }
            Kind::ByHand => {
                let (by_hand, text) = (Arc::clone(&by_hand), Arc::clone(&text));
                tasks.spawn(async move { assert!(by_hand.sleep(&text).await.is_some()) })
            }
        };
    }
    tasks
}

async fn wave(kind: Kind, session: &Arc<Session>) -> Duration {
    let begun = Instant::now();
    let mut tasks = begin(kind, session, 1);
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    begun.elapsed()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == FRESH) {
        return memory(Kind::named(&arguments[at + 1]));
    }
    let runtime = runtime();
    if let [_, mode, kind, waves, ..] = &arguments[..]
        && mode == "--loop"
    {
        let kind = Kind::named(kind);
        let session = Arc::new(kind.session());
        for _ in 0..waves.parse().unwrap() {
            runtime.block_on(on_worker(&runtime, kind, &session));
        }
        return;
    }
    throughput(&runtime);
    processes();
}

/// The caller is a task too: a wave begun from outside pays for each wake of a worker.
async fn on_worker(runtime: &Runtime, kind: Kind, session: &Arc<Session>) -> Duration {
    let session = Arc::clone(session);
    let task = runtime.spawn(async move { wave(kind, &session).await });
    task.await.unwrap()
}

fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

fn throughput(runtime: &Runtime) {
    let sessions = Kind::ALL.map(|kind| Arc::new(kind.session()));
    let mut times: [Vec<f64>; Kind::ALL.len()] = Default::default();
    let rounds = if turns::rounds() == 1 { 1 } else { WAVES };
    for round in 0..rounds {
        for step in 0..Kind::ALL.len() {
            let at = (round + step) % Kind::ALL.len();
            let one = || runtime.block_on(on_worker(runtime, Kind::ALL[at], &sessions[at]));
            // A wave of another kind has freed parts of other sizes: one wave is for the allocator to sort these.
            one();
            let time = one();
            times[at].push(time.as_nanos() as f64 / IN_FLIGHT as f64);
        }
    }
    println!("{IN_FLIGHT} in flight   ns a call   throughput of bare tasks (quartiles)");
    let bare = times[0].clone();
    for (kind, mut times) in Kind::ALL.into_iter().zip(times) {
        let pairs = bare.iter().zip(&times);
        let mut ratios: Vec<f64> = pairs.map(|(bare, ours)| bare / ours).collect();
        println!(
            "{:15} {:10.0}    {:.3} ({:.3} to {:.3})",
            format!("{kind:?}"),
            quantile(&mut times, 0.5),
            quantile(&mut ratios, 0.5),
            quantile(&mut ratios, 0.25),
            quantile(&mut ratios, 0.75),
        );
    }
}

/// The memory of a call in flight, in bytes: the most allocated, and the most resident.
fn memory(kind: Kind) {
    let session = Arc::new(kind.session());
    let runtime = runtime();
    let before = peak_resident();
    for _ in 0..3 {
        runtime.block_on(on_worker(&runtime, kind, &session));
    }
    let resident = peak_resident().saturating_sub(before);
    // Allocations are counted per thread.
    let one = Builder::new_current_thread().enable_all().build().unwrap();
    let allocated = allocation_counter::measure(|| {
        one.block_on(wave(kind, &session));
    })
    .bytes_max;
    println!(
        "{} {}",
        allocated as f64 / IN_FLIGHT as f64,
        resident as f64 / IN_FLIGHT as f64
    );
}

/// The most that this process has had resident so far, in bytes; 0 where that is not told.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes.map_or(0, |number| number.parse::<u64>().unwrap() * 1024)
}

fn processes() {
    let own = std::env::current_exe().unwrap();
    println!("\nbytes a call in flight in a fresh process, median of {PROCESSES}");
    println!("                 allocated   resident");
    for kind in Kind::ALL {
        let mut columns: [Vec<f64>; 2] = Default::default();
        for _ in 0..PROCESSES {
            let mut command = Command::new(&own);
            let output = command.arg(FRESH).arg(format!("{kind:?}")).output();
            let text = String::from_utf8(output.unwrap().stdout).unwrap();
            for (column, field) in columns.iter_mut().zip(text.split_whitespace()) {
                column.push(field.parse().unwrap());
            }
        }
        let [mut allocated, mut resident] = columns;
        println!(
            "{:15} {:10.0} {:10.0}",
            format!("{kind:?}"),
            quantile(&mut allocated, 0.5),
            quantile(&mut resident, 0.5)
        );
    }
}
