//! A hundred thousand sessions in turn on one executor, each with an id of its own and one call: what is allocated and
//! what is resident before and after. A session that was dropped or ended with nothing set keeps nothing; the state of
//! a dropped session belongs to its id, and stays until a session with that id ends.
//!
//! `cargo bench -p toolwright --bench sessions`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![allow(clippy::cast_precision_loss, reason = "sizes are small")]

mod common;

use std::fs;
use std::ops::Range;

use common::turns;
use toolwright::{Executor, Session, ToolCall, ToolRegistry, tool};

const SESSIONS: usize = 100_000;

/// Add two integers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The things that happen in a session beside its call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    State,
    SubSession,
}

/// The end of a session.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Dropped,
    Ended,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let count = if turns::rounds() == 1 { 100 } else { SESSIONS };
    println!("{count} sessions     bytes kept   of a session   resident KiB before, after   ratio");
    for kind in [Kind::Plain, Kind::State, Kind::SubSession] {
        for end in [End::Dropped, End::Ended] {
            let executor = Executor::new(ToolRegistry::new().with(Add)).unwrap();
            // Caches are filled before the count.
            runtime.block_on(sessions(&executor, kind, end, 0..count / 10));
            let before = resident();
            let counted = allocation_counter::measure(|| {
                runtime.block_on(sessions(&executor, kind, end, count..2 * count));
            });
            let (kept, after) = (counted.bytes_current, resident());
            println!(
                "{:20} {kept:10} {:14.1}   {before:12} {after:14}   {:.3}",
                format!("{kind:?}, {end:?}"),
                kept as f64 / count as f64,
                after as f64 / before as f64,
            );
        }
    }
}

/// Opens sessions in turn, each with an id of its own and one call.
async fn sessions(executor: &Executor, kind: Kind, end: End, numbers: Range<usize>) {
    for number in numbers {
        let session = executor.session(format!("session-{number}"));
        call(&session).await;
        match kind {
            Kind::Plain => {}
            Kind::State => session.set_state(number),
            Kind::SubSession => {
                let below = session.sub_session(format!("below-{number}"));
                call(&below).await;
                close(below, end).await;
            }
        }
        close(session, end).await;
    }
}

async fn call(session: &Session) {
    let outcome = session.call(ToolCall::new("add", r#"{"a": 1, "b": 2}"#));
    assert!(outcome.await.is_success());
}

async fn close(session: Session, end: End) {
    match end {
        End::Dropped => drop(session),
        End::Ended => session.end().await.unwrap(),
    }
}

/// The resident memory of this process in KiB, or 0 where the system does not say.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.map_or(0, |number| number.parse().unwrap())
}
