//! Cancellation as a tool sees it.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use toolwright::content::ErrorKind;
use toolwright::{CancellationToken, Executor, ToolCall, ToolContext, ToolRegistry, testing, tool};

struct Rounds(Arc<AtomicUsize>);

/// Go round until somebody says stop.
#[tool(name = "loop", read_only, register = false)]
async fn go_round(rounds: &Rounds, ctx: &ToolContext) -> &'static str {
    while !ctx.is_cancelled() {
        rounds.0.fetch_add(1, Ordering::Relaxed);
        let mut waited = false;
        poll_fn(|cx| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
    "stopped"
}

/// Wait for news, or for the end.
#[tool(name = "listen", read_only, register = false)]
async fn listen(ctx: &ToolContext) -> &'static str {
    tokio::select! {
        () = ctx.cancelled() => "told to stop",
        () = pending() => "news",
    }
}

#[tokio::test(start_paused = true)]
async fn s0_15_a_loop_ends_within_one_poll_after_the_turn_is_cancelled() {
    let rounds = Arc::new(AtomicUsize::new(0));
    let executor = Executor::builder(ToolRegistry::new().with(GoRound))
        .resource(Rounds(Arc::clone(&rounds)))
        .build()
        .unwrap();
    let turn = executor.session("s-1").turn();
    let mut call = pin!(turn.call(ToolCall::new("loop", "{}")));
    let mut cx = Context::from_waker(Waker::noop());
    for round in 1..=3 {
        assert!(call.as_mut().poll(&mut cx).is_pending());
        assert_eq!(rounds.load(Ordering::Relaxed), round);
    }
    turn.cancel();
    let Poll::Ready(outcome) = call.as_mut().poll(&mut cx) else {
        panic!("it goes on");
    };
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
    assert_eq!(rounds.load(Ordering::Relaxed), 3);
}

#[tokio::test(start_paused = true)]
async fn s4_28_a_select_on_the_cancellation_ends_early() {
    let token = CancellationToken::new();
    let ctx = testing::context().cancellation(token.clone()).build();
    let (said, ()) = tokio::join!(listen(&ctx), async { token.cancel() });
    assert_eq!(said, "told to stop");

    let executor = Executor::new(ToolRegistry::new().with(Listen)).unwrap();
    let session = executor.session("s-1");
    let (outcome, ()) = tokio::join!(session.call(ToolCall::new("listen", "{}")), async {
        session.cancel();
    });
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
}
