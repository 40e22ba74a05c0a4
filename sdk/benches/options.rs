//! The plain call, and it with each optional part switched on, one by one, beside the same by hand: medians of
//! ratios within a round, and allocations. A part that is off costs nothing: it is the plain call.
//!
//! `cargo bench -p toolwright --features json-schema,tracing --bench options`. With `--loop <option> <n>` it makes
//! `n` calls with one option and prints their allocations, for a tool that counts instructions; the option `nothing`
//! is the plain call.

#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops at the first fault"
)]

mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use common::turns::{self, compare};
use toolwright::event::{Event, EventChannel, EventSink};
use toolwright::executor::{Limits, SessionOptions, WaitMode};
use toolwright::hook::{
    AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, GateCall, GateDecision,
    HookCall, ToolGate,
};
use toolwright::permission::AllowAll;
use toolwright::registry::Selector;
use toolwright::results::MemoryResults;
use toolwright::{Executor, ExecutorBuilder, Session, ToolCall, ToolError, async_trait};

struct Open;

impl ToolGate for Open {
    fn decide(&self, _call: &GateCall<'_>) -> Option<GateDecision> {
        None
    }
}

struct Looks;

#[async_trait]
impl BeforeTool for Looks {
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        black_box(call.tool_name());
        Ok(BeforeDecision::proceed())
    }
}

#[async_trait]
impl AfterTool for Looks {
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        black_box(call.output());
        Ok(AfterDecision::keep())
    }
}

struct Deaf;

impl EventSink for Deaf {
    fn accept(&self, event: &Arc<Event>) {
        black_box(event);
    }
}

type Set = fn(ExecutorBuilder) -> ExecutorBuilder;

const OF_EXECUTOR: &[(&str, Set)] = &[
    ("gate", |builder| builder.gate(Open)),
    ("before", |builder| builder.before(Looks)),
    ("after", |builder| builder.after(Looks)),
    ("sink", |builder| builder.events(Deaf)),
    ("channel", |builder| builder.events(EventChannel::new(64))),
    ("measured", |builder| builder.measure_time(true)),
    ("blocking mode", |builder| {
        builder.approvals(WaitMode::Blocking)
    }),
    ("no timeout", |builder| {
        builder.limits(Limits::new().timeout(None))
    }),
    ("small outputs", |builder| {
        builder.limits(Limits::new().max_output_bytes(4096))
    }),
    ("result store", |builder| {
        builder.result_store(MemoryResults::new())
    }),
    ("slots of the tool", |builder| {
        builder.limits(Limits::new().max_concurrent_of("add", 8))
    }),
    #[cfg(feature = "json-schema")]
    ("output check", |builder| {
        builder.check_output(toolwright::executor::OutputCheck::Flag)
    }),
    #[cfg(feature = "tracing")]
    ("spans, no subscriber", |builder| {
        builder.trace(toolwright::executor::TraceOptions::new())
    }),
];

fn session(
    set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
    options: SessionOptions,
) -> Session {
    let builder = Executor::builder(common::registry()).permission_checker(AllowAll);
    let executor = set(builder).build().unwrap();
    executor.session_with("bench", options)
}

fn of_session() -> Vec<(&'static str, SessionOptions)> {
    vec![
        ("state set", SessionOptions::new().state(7_u32)),
        ("slots", SessionOptions::new().max_concurrent(8)),
        (
            "some tools",
            SessionOptions::new().tools(Selector::new(["add", "send"]).unwrap()),
        ),
    ]
}

/// The session with the option of that name.
fn session_with(option: &str) -> Session {
    if option == "nothing" {
        return session(|builder| builder, SessionOptions::new());
    }
    if let Some((_, set)) = OF_EXECUTOR.iter().find(|(name, _)| *name == option) {
        return session(*set, SessionOptions::new());
    }
    let of_session = of_session().into_iter().find(|(name, _)| *name == option);
    let (_, options) = of_session.expect("an option that the table of this benchmark has");
    session(|builder| builder, options)
}

fn run_loop(option: &str, calls: u32) {
    let session = session_with(option);
    let (_, name, text) = common::CASES[0];
    let call = || run(&session, ToolCall::new(black_box(name), black_box(text)));
    let counted = allocation_counter::measure(|| (0..calls).for_each(|_| call()));
    println!(
        "{option}: {calls} calls, {} allocations, {} bytes",
        counted.count_total, counted.bytes_total
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mode, option, calls, ..] = &arguments[..]
        && mode == "--loop"
    {
        return run_loop(option, calls.parse().unwrap());
    }
    let rounds = turns::rounds();
    println!(
        "call          by hand ns   with ns   ratio (quartiles)        allocations by hand, with"
    );
    let (_, name, text) = common::CASES[0];
    let with = |what: &str, session: &Session| {
        compare(
            rounds,
            what,
            || {
                let _ = black_box(common::by_hand_text(black_box(name), black_box(text)));
            },
            || run(session, ToolCall::new(black_box(name), black_box(text))),
        );
    };
    with("nothing", &session_with("nothing"));
    for (what, set) in OF_EXECUTOR {
        with(what, &session(*set, SessionOptions::new()));
    }
    for (what, options) in of_session() {
        with(what, &session(|builder| builder, options));
    }
}

/// Polled by hand: the host's own runtime is no part of the call.
fn run(session: &Session, call: ToolCall<'_>) {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(outcome) if outcome.is_success()));
    let _ = black_box(polled);
}
