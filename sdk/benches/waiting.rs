//! The cost of approvals: calls that ask nobody, a call that a grant lets through, and the way through a ticket,
//! beside the same call under `AllowAll`, in turns, as medians of ratios within a round.
//!
//! `cargo bench -p toolwright --bench waiting`.

#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark stops at the first fault"
)]

mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use common::turns::{self, compare};
use tokio::runtime::{Builder, Runtime};
use toolwright::executor::WaitMode;
use toolwright::permission::AllowAll;
use toolwright::ticket::{Answer, GrantScope, TicketEvent};
use toolwright::{Executor, PermissionRequest, Session, ToolCall, ToolOutcome, ToolRegistry, tool};

/// Add two integers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Deploy a version.
#[tool(permission = PermissionRequest::new("deploy", version.as_str(), "Deploy it"))]
fn deploy(version: String) -> usize {
    version.len()
}

fn main() {
    let rounds = turns::rounds();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let unattended = executor(WaitMode::Unattended, true).session("bench");
    let blocking = executor(WaitMode::Blocking, true).session("bench");
    let suspending = executor(WaitMode::Suspending, true).session("bench");

    println!("                  base ns   ours ns   ratio (quartiles)        allocations");
    println!("a call that asks nobody: while nobody is there, and while somebody is");
    let sum = || ToolCall::new(black_box("add"), black_box(r#"{"a": 1, "b": 2}"#));
    for (what, session) in [("blocking", &blocking), ("suspending", &suspending)] {
        compare(
            rounds,
            what,
            || assert!(at_once(&unattended, sum())),
            || assert!(at_once(session, sum())),
        );
    }

    println!("a call that asks: under `AllowAll`, and");
    let deploy = || ToolCall::new(black_box("deploy"), black_box(r#"{"version": "1.4"}"#));
    let free = || assert!(at_once(&unattended, deploy()));
    let granted = granted(&runtime);
    compare(rounds, "by a grant", free, || {
        assert!(at_once(&granted, deploy()));
    });
    let suspending = executor(WaitMode::Suspending, false).session("bench");
    compare(rounds, "suspended", free, || {
        runtime.block_on(resumed(&suspending, deploy()));
    });
    let executor = executor(WaitMode::Blocking, false);
    let session = executor.session("bench");
    compare(rounds, "in place", free, || {
        runtime.block_on(answered(&executor, &session, deploy()));
    });
}

fn executor(mode: WaitMode, allows: bool) -> Executor {
    let registry = ToolRegistry::new().with(Add).with(Deploy);
    let builder = Executor::builder(registry).approvals(mode);
    let builder = if allows {
        builder.permission_checker(AllowAll)
    } else {
        builder
    };
    builder.build().unwrap()
}

/// A session in which the tool was allowed for all calls.
fn granted(runtime: &Runtime) -> Session {
    let executor = executor(WaitMode::Unattended, false);
    let covers = GrantScope::target("deploy", "1.4");
    runtime
        .block_on(async { executor.permissions().grant("bench", covers).await })
        .unwrap();
    let session = executor.session("bench");
    // The grants are read with the first call.
    let call = ToolCall::new("deploy", r#"{"version": "1.4"}"#);
    assert!(runtime.block_on(session.call(call)).is_success());
    session
}

/// Polled by hand: the host's own runtime is no part of the call.
fn at_once(session: &Session, call: ToolCall<'_>) -> bool {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    matches!(black_box(polled), Poll::Ready(outcome) if outcome.is_success())
}

async fn resumed(session: &Session, call: ToolCall<'_>) {
    let ToolOutcome::Suspended(waiting) = session.call(call).await else {
        panic!("nobody was asked");
    };
    let outcome = session.resume(waiting.ticket(), Answer::yes()).await;
    assert!(outcome.unwrap().is_success());
}

async fn answered(executor: &Executor, session: &Session, call: ToolCall<'_>) {
    let mut events = executor.tickets().subscribe();
    let answer = async {
        while let Some(event) = events.recv().await {
            if let TicketEvent::Opened(tickets) = event {
                let answered = executor.tickets().answer(tickets[0].id(), Answer::yes());
                answered.await.unwrap();
                return;
            }
        }
    };
    let (outcome, ()) = tokio::join!(session.call(call), answer);
    assert!(outcome.is_success());
}
