use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::TurnScope;
use crate::content::CallStatus;
use crate::context::Cancellation;
use crate::id::{InvocationId, TurnId};
use crate::schedule::DeadlineQueue;

/// Enough for each order of two threads to come up.
pub(in crate::context) const ROUNDS: usize = 2_000;

pub(in crate::context) fn turn() -> Arc<TurnScope> {
    let deadlines = Arc::new(DeadlineQueue::new(Duration::ZERO));
    let cancellation = Cancellation::new(CancellationToken::new(), deadlines);
    Arc::new(TurnScope::new(TurnId::new(1), cancellation))
}

fn call(turn: &Arc<TurnScope>) -> Arc<TurnScope> {
    let invocation = InvocationId::from_parts(1, 2);
    Arc::new(TurnScope::of_task(
        turn,
        invocation,
        (CallStatus::New, false),
        None,
    ))
}

fn token(scope: &TurnScope) -> CancellationToken {
    scope.cancellation().token().clone()
}

/// Runs both at the same time.
pub(in crate::context) fn at_once<T: Send>(
    one: impl FnOnce() + Send,
    other: impl FnOnce() -> T + Send,
) -> T {
    let start = Barrier::new(2);
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            start.wait();
            other()
        });
        start.wait();
        one();
        other.join().unwrap()
    })
}

#[test]
fn a_token_is_cancelled_whether_it_is_made_before_or_after() {
    let turn = turn();
    let (before, after) = (call(&turn), call(&turn));
    let made_before = token(&before);
    assert!(!before.is_cancelled() && !made_before.is_cancelled());
    before.cancel();
    after.cancel();
    assert!(before.is_cancelled() && made_before.is_cancelled());
    assert!(after.is_cancelled() && token(&after).is_cancelled());
    assert!(!turn.is_cancelled() && !token(&turn).is_cancelled());
}

#[test]
fn a_call_is_cancelled_with_its_turn_with_and_without_a_token() {
    let turn = turn();
    let (with, without) = (call(&turn), call(&turn));
    let made = token(&with);
    turn.cancel();
    assert!(with.is_cancelled() && made.is_cancelled());
    assert!(without.is_cancelled() && token(&without).is_cancelled());
}

#[test]
fn trap_a_token_that_is_made_while_its_call_is_cancelled_is_cancelled() {
    for _ in 0..ROUNDS {
        let turn = turn();
        let call = call(&turn);
        let made = at_once(|| call.cancel(), || token(&call));
        assert!(made.is_cancelled() && call.is_cancelled());
        assert!(call.was_told_to_cancel() && !turn.is_cancelled());
    }
}

#[test]
fn trap_a_token_that_is_made_while_its_turn_is_cancelled_is_cancelled() {
    for _ in 0..ROUNDS {
        let turn = turn();
        let call = call(&turn);
        let made = at_once(|| turn.cancel(), || token(&call));
        assert!(made.is_cancelled() && call.is_cancelled());
    }
}

#[test]
fn trap_two_who_look_for_the_token_at_the_same_time_get_the_same() {
    for _ in 0..ROUNDS {
        let turn = turn();
        let call = call(&turn);
        let mut first = None;
        let second = at_once(|| first = Some(token(&call)), || token(&call));
        call.cancel();
        assert!(second.is_cancelled() && first.is_some_and(|first| first.is_cancelled()));
    }
}
