//! The time and the chance that an app gives to its tools.

use std::time::{Duration, SystemTime};

use toolwright::context::FixedClock;
use toolwright::executor::{SessionOptions, WaitMode};
use toolwright::id::RunIdentity;
use toolwright::{Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolRegistry, tool};

/// Draw two numbers, an id and the time.
#[tool(read_only, determinism = bounded, register = false)]
async fn draw(ctx: &ToolContext) -> String {
    let (mut one, mut other) = (ctx.rng(), ctx.rng());
    let now = ctx.clock().now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = now.unwrap_or_default().as_secs();
    let (one, other) = (one.next_u64(), other.next_u64());
    assert_ne!(one, other);
    format!("{one} {other} {} {seconds}", ctx.new_id())
}

/// Draw by another tool, as often as is said.
#[tool(read_only, determinism = bounded, register = false)]
async fn draw_below(times: u32, ctx: &ToolContext) -> String {
    let mut drawn = vec![ctx.rng().next_u64().to_string()];
    for _ in 0..times {
        drawn.push(ctx.call(ToolCall::new("draw", "{}")).await.text());
    }
    drawn.join("\n")
}

/// Tell the run.
#[tool(read_only, register = false)]
fn which_run(ctx: &ToolContext) -> Option<String> {
    ctx.run().map(|run| run.run().to_string())
}

fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(Draw)
        .with(DrawBelow)
        .with(WhichRun)
}

fn clock() -> FixedClock {
    FixedClock::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000))
}

fn seeded(seed: u64) -> ExecutorBuilder {
    Executor::builder(tools()).clock(clock()).seed(seed)
}

async fn text(session: &Session, name: &str, arguments: &str) -> String {
    let outcome = session.call(ToolCall::new(name, arguments)).await;
    assert!(outcome.result().is_success(), "{}", outcome.text());
    outcome.text()
}

#[tokio::test]
async fn s1_15_a_tool_sees_exactly_the_time_the_run_and_the_seed_that_are_injected() {
    let executor = Executor::new(tools()).unwrap();
    let clock = clock();
    let options = SessionOptions::new()
        .clock(clock.clone())
        .seed(5)
        .run(RunIdentity::new("run-9"));
    let session = executor.session_with("s", options.clone());
    assert_eq!(text(&session, "which_run", "{}").await, "run-9");
    let first = text(&session, "draw", "{}").await;
    assert!(first.ends_with(" 1000"), "{first}");
    clock.advance(Duration::from_secs(7));
    assert!(text(&session, "draw", "{}").await.ends_with(" 1007"));
    clock.set(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000));
    let again = executor.session_with("s", options);
    text(&again, "which_run", "{}").await;
    assert_eq!(text(&again, "draw", "{}").await, first);
}

#[tokio::test]
async fn s1_09_same_seed_and_time_give_the_same_bytes_and_another_seed_others() {
    let calls = [
        ("draw", "{}"),
        ("draw_below", r#"{"times": 3}"#),
        ("draw", "{}"),
    ];
    let mut runs = Vec::new();
    for seed in [1, 1, 2] {
        let session = seeded(seed).build().unwrap().session("s");
        let mut run = Vec::new();
        for (name, arguments) in calls {
            run.push(text(&session, name, arguments).await);
        }
        let lines: Vec<&str> = run.iter().flat_map(|text| text.lines()).collect();
        for (index, line) in lines.iter().enumerate() {
            assert!(!lines[..index].contains(line), "{lines:#?}");
        }
        runs.push(run);
    }
    assert_eq!(runs[0], runs[1]);
    for (one, other) in runs[0].iter().zip(&runs[2]) {
        assert_ne!(one, other);
    }
}

#[tokio::test]
async fn each_session_has_a_seed_of_its_own_and_those_below_one_of_it() {
    let mut drawn = Vec::new();
    for _ in 0..2 {
        let executor = seeded(1).build().unwrap();
        let mut of_run = Vec::new();
        for id in ["a", "b"] {
            let session = executor.session(id);
            of_run.push(text(&session, "draw", "{}").await);
            for below in ["x", "y"] {
                of_run.push(text(&session.sub_session(below), "draw", "{}").await);
            }
        }
        drawn.push(of_run);
    }
    assert_eq!(drawn[0], drawn[1]);
    let mut once = drawn[0].clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), 6);
}

#[tokio::test]
async fn a_batch_draws_by_the_order_of_its_calls() {
    let mut drawn = Vec::new();
    for _ in 0..4 {
        let executor = seeded(1).build().unwrap();
        let turn = executor.session("s").turn();
        let calls = (0..8).map(|_| ToolCall::new("draw", "{}"));
        let outcomes = turn.call_all(calls).await;
        drawn.push(
            outcomes
                .iter()
                .map(toolwright::ToolOutcome::text)
                .collect::<Vec<_>>(),
        );
    }
    assert!(drawn.iter().all(|run| *run == drawn[0]), "{drawn:#?}");
}

#[tokio::test]
async fn a_call_draws_the_same_whether_or_not_somebody_looks_at_it() {
    let plain = seeded(1).build().unwrap();
    let watched = seeded(1)
        .events(toolwright::event::EventChannel::new(4))
        .build();
    let asked = seeded(1).approvals(WaitMode::Suspending).build();
    let mut drawn = Vec::new();
    for executor in [plain, watched.unwrap(), asked.unwrap()] {
        drawn.push(text(&executor.session("s"), "draw_below", r#"{"times": 2}"#).await);
    }
    assert_eq!(drawn[0], drawn[1]);
    assert_eq!(drawn[0], drawn[2]);
}

#[tokio::test]
async fn without_a_seed_nothing_repeats() {
    let mut drawn = Vec::new();
    for _ in 0..2 {
        let executor = Executor::builder(tools()).clock(clock()).build().unwrap();
        for _ in 0..2 {
            let session = executor.session("s");
            drawn.extend([
                text(&session, "draw", "{}").await,
                text(&session, "draw", "{}").await,
            ]);
        }
    }
    let count = drawn.len();
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), count);
}
