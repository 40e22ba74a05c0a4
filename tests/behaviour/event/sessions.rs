//! The sinks of one session, beside those of its executor.

use std::sync::Arc;

use toolwright::event::{Event, MemoryEvents};
use toolwright::executor::{SessionOptions, WaitMode};
use toolwright::ticket::Answer;
use toolwright::{Executor, Session, ToolCall, ToolContext, ToolOutcome, ToolRegistry, tool};

/// Say how far it is.
#[tool(name = "say_how_far", read_only, register = false)]
async fn say_how_far(ctx: &ToolContext) {
    ctx.progress(0.5, "half of it");
}

/// Have another tool say it.
#[tool(name = "let_it_be_said", read_only, register = false)]
async fn let_it_be_said(ctx: &ToolContext) {
    ctx.call(ToolCall::new("say_how_far", "{}")).await;
}

/// Say whether anybody listens.
#[tool(name = "listeners", read_only, register = false)]
fn listeners(ctx: &ToolContext) -> bool {
    ctx.is_watched()
}

/// Change the world.
#[tool(name = "change_world", register = false)]
async fn change_world(ctx: &ToolContext) {
    ctx.progress(1.0, "changed");
}

fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(SayHowFar)
        .with(LetItBeSaid)
        .with(Listeners)
        .with(ChangeWorld)
}

fn with_sink(executor: &Executor, id: &'static str) -> (Session, MemoryEvents) {
    let events = MemoryEvents::new(1_000);
    let options = SessionOptions::new().events(events.clone());
    (executor.session_with(id, options), events)
}

fn names(events: &[Arc<Event>]) -> Vec<&'static str> {
    let names = events.iter().map(|event| event.kind().as_str());
    names.filter(|name| *name != "status").collect()
}

const WHOLE: [&str; 4] = ["requested", "started", "progress", "finished"];

#[tokio::test]
async fn a_sink_of_a_session_takes_what_happens_there_and_nowhere_else() {
    let executor = Executor::new(tools()).unwrap();
    let (ada, of_ada) = with_sink(&executor, "ada");
    let (bob, of_bob) = with_sink(&executor, "bob");
    let plain = executor.session("carl");
    let call = || ToolCall::new("say_how_far", "{}");
    plain.call(call()).await;
    assert!(of_ada.take().is_empty() && of_bob.take().is_empty());
    ada.call(call()).await;
    let told = of_ada.take();
    assert_eq!(names(&told), WHOLE);
    assert!(told.iter().all(|event| event.session() == Some(ada.id())));
    assert!(of_bob.take().is_empty());
    // Alone, in a batch, spawned, and by another tool.
    bob.call_all([call(), call()]).await;
    assert_eq!(
        of_bob
            .take()
            .iter()
            .filter(|event| event.kind().as_str() == "progress")
            .count(),
        2
    );
    bob.turn().spawn(call()).join().await;
    assert_eq!(names(&of_bob.take()), WHOLE);
    bob.call(ToolCall::new("let_it_be_said", "{}")).await;
    let told = names(&of_bob.take());
    assert_eq!(told[..2], ["requested", "started"]);
    assert_eq!(told[2..6], WHOLE);
    let heard = |session: Session| async move {
        session.call(ToolCall::new("listeners", "{}")).await.text()
    };
    assert_eq!(heard(bob).await, "true");
    assert_eq!(heard(plain).await, "false");
}

#[tokio::test]
async fn sinks_of_executor_session_and_session_above_take_the_same_events() {
    let all = MemoryEvents::new(1_000);
    let executor = Executor::builder(tools())
        .events(all.clone())
        .build()
        .unwrap();
    let (above, of_above) = with_sink(&executor, "above");
    let of_below = MemoryEvents::new(1_000);
    let options = SessionOptions::new().events(of_below.clone());
    let below = above.sub_session_with("below", options);
    below.call(ToolCall::new("say_how_far", "{}")).await;
    let told = all.take();
    assert_eq!(names(&told), WHOLE);
    assert_eq!(of_above.take(), told);
    assert_eq!(of_below.take(), told);
    above.call(ToolCall::new("say_how_far", "{}")).await;
    assert_eq!(of_above.take(), all.take());
    assert!(of_below.take().is_empty());
}

#[tokio::test]
async fn events_of_several_sessions_have_rising_numbers_without_a_sink_of_the_executor() {
    let executor = Executor::new(tools()).unwrap();
    let (ada, of_ada) = with_sink(&executor, "ada");
    let (bob, of_bob) = with_sink(&executor, "bob");
    let mut numbers = Vec::new();
    for (session, events) in [(&ada, &of_ada), (&bob, &of_bob), (&ada, &of_ada)] {
        session.call(ToolCall::new("say_how_far", "{}")).await;
        numbers.extend(events.take().iter().map(|event| event.sequence()));
    }
    assert_eq!(numbers[0], 1);
    assert!(numbers.windows(2).all(|two| two[0] < two[1]), "{numbers:?}");
}

#[tokio::test]
async fn a_call_that_is_resumed_in_a_session_with_a_sink_is_told_there() {
    let builder = Executor::builder(tools()).approvals(WaitMode::Suspending);
    let executor = builder.build().unwrap();
    let (session, events) = with_sink(&executor, "s-1");
    let outcome = session.call(ToolCall::new("change_world", "{}")).await;
    let ToolOutcome::Suspended(suspension) = outcome else {
        panic!("somebody is asked");
    };
    assert_eq!(names(&events.take()), ["requested", "asked", "suspended"]);
    session
        .resume(suspension.ticket(), Answer::yes())
        .await
        .unwrap();
    let told = names(&events.take());
    assert_eq!(told.first(), Some(&"resumed"));
    assert!(
        told.ends_with(&["started", "progress", "finished"]),
        "{told:?}"
    );
}
