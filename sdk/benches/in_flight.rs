//! Ten thousand calls of a tool that sleeps for a millisecond, all in flight at once, each in a task of
//! its own, beside as many bare tasks: throughput as medians of ratios within a round, and the memory
//! of a call in flight, by what is allocated and by what a fresh process has resident.
//!
//! `cargo bench -p toolwright --bench in_flight`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds are small"
)]

mod common;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::turns::{self, quantile};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
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

/// The parts of a wave.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Tasks that sleep and nothing else.
    Bare,
    /// A task for each call.
    Calls,
    /// The same without a timeout.
    Endless,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Bare, Self::Calls, Self::Endless];

    fn session(self) -> Session {
        let builder = Executor::builder(ToolRegistry::new().with(Sleep));
        let builder = match self {
            Self::Endless => builder.limits(Limits::new().timeout(None)),
            Self::Bare | Self::Calls => builder,
        };
        builder.build().unwrap().session("bench")
    }
}

/// A wave that has begun.
fn begin(kind: Kind, session: &Arc<Session>, ms: u64) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let text: Arc<str> = format!("{{\"ms\": {ms}}}").into();
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
        let mut kinds = Kind::ALL.into_iter();
        let kind = kinds.find(|kind| format!("{kind:?}") == arguments[at + 1]);
        memory(kind.unwrap());
        return;
    }
    let runtime = runtime();
    throughput(&runtime);
    processes();
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
    let mut times: [Vec<f64>; 3] = Default::default();
    let rounds = if turns::rounds() == 1 { 1 } else { WAVES };
    for round in 0..rounds {
        for step in 0..Kind::ALL.len() {
            let at = (round + step) % Kind::ALL.len();
            let session = &sessions[at];
            let kind = Kind::ALL[at];
            // The caller is a task too: a wave begun from outside pays for each wake of a worker.
            let session = Arc::clone(session);
            let task = runtime.spawn(async move { wave(kind, &session).await });
            let time = runtime.block_on(task).unwrap();
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
    let task = |session: Arc<Session>| async move { wave(kind, &session).await };
    let before = peak_resident();
    for _ in 0..3 {
        runtime
            .block_on(runtime.spawn(task(Arc::clone(&session))))
            .unwrap();
    }
    let resident = peak_resident().saturating_sub(before);
    // Allocations are counted per thread.
    let one = Builder::new_current_thread().enable_all().build().unwrap();
    let allocated = allocation_counter::measure(|| {
        one.block_on(task(session));
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
