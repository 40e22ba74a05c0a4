//! Calls that tools make: the same stages, and never more than the caller may.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::content::ErrorKind;
use toolwright::event::EventChannel;
use toolwright::executor::{Limits, WaitMode};
use toolwright::permission::AllowAll;
use toolwright::state::StateCommand;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome,
    ToolOutput, ToolRegistry, testing, tool,
};

use crate::support::Trace;
use crate::waiting_support::{Asks, Runs, deployment, interrupted, opened};

/// Call another tool.
#[tool(register = false, read_only, capabilities("net:get:a", "net:get:b"))]
async fn relay(tool: String, arguments: Option<Value>, ctx: &ToolContext) -> String {
    told(
        &ctx.call(ToolCall::new(tool, arguments.unwrap_or(json!({}))))
            .await,
    )
}

/// Call another tool, with less.
#[tool(register = false, read_only, capabilities("net:get:a"))]
async fn narrow(tool: String, arguments: Option<Value>, ctx: &ToolContext) -> String {
    told(
        &ctx.call(ToolCall::new(tool, arguments.unwrap_or(json!({}))))
            .await,
    )
}

/// Call another tool, with nothing.
#[tool(register = false, read_only)]
async fn bare(tool: String, arguments: Option<Value>, ctx: &ToolContext) -> String {
    told(
        &ctx.call(ToolCall::new(tool, arguments.unwrap_or(json!({}))))
            .await,
    )
}

/// Ask first, then call a tool that asks for the same.
#[tool(register = false, read_only)]
async fn ask_then_call(
    place: String,
    instead: Option<String>,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    ctx.check(deployment(&place)).await?;
    let place = instead.unwrap_or(place);
    Ok(told(
        &ctx.call(ToolCall::new("deploy", json!({"place": place})))
            .await,
    ))
}

fn told(outcome: &ToolOutcome) -> String {
    match outcome.error() {
        None => outcome.text(),
        Some(error) => format!("[{}] {}", error.code(), error.message()),
    }
}

/// Need a.
#[tool(
    register = false,
    read_only,
    aliases("get_the_a"),
    capabilities("net:get:a")
)]
async fn get_a() -> &'static str {
    "a"
}

/// Need b.
#[tool(name = "get.b", register = false, read_only, capabilities("net:get:b"))]
fn get_b() -> &'static str {
    "b"
}

/// Need c, which nobody has.
#[tool(register = false, read_only, capabilities("net:get:c"))]
fn get_c() -> &'static str {
    "c"
}

/// Need nothing, for the app alone.
#[tool(register = false, pure)]
fn hidden() -> &'static str {
    "found"
}

/// Call itself until nothing is left.
#[tool(register = false, read_only)]
async fn down(levels: u32, ctx: &ToolContext) -> Result<String, ToolError> {
    if levels == 0 {
        return Ok("at the bottom".to_owned());
    }
    let outcome = ctx
        .call(ToolCall::new("down", json!({"levels": levels - 1})))
        .await;
    match outcome.error() {
        Some(error) => Err(error.clone()),
        None => Ok(outcome.text()),
    }
}

/// Panic.
#[tool(register = false, pure)]
async fn panics() {
    panic!("over")
}

/// End the run.
#[tool(register = false, pure)]
async fn fatal() -> Result<(), ToolError> {
    Err(ToolError::failed("it is over").into_fatal())
}

/// Wait for ever, and tell of the end.
#[tool(register = false, read_only)]
async fn hang(trace: &Trace, here: &Arc<Notify>, ctx: &ToolContext) {
    struct Told<'t>(&'t Trace);
    impl Drop for Told<'_> {
        fn drop(&mut self) {
            self.0.note("dropped");
        }
    }
    let _told = Told(trace);
    here.notify_one();
    if ctx.metadata().is_none() {
        std::future::pending::<()>().await;
    }
}

/// Tell who called.
#[tool(register = false, read_only)]
fn who(ctx: &ToolContext, trace: &Trace) {
    let parent = ctx.parent().map(|parent| parent.to_string());
    trace.note(format!("{parent:?} {:?}", ctx.turn_id()));
}

/// Tell the own id, and have another tell its caller.
#[tool(register = false, read_only)]
async fn introduce(ctx: &ToolContext, trace: &Trace) {
    trace.note(format!(
        "{:?} {:?}",
        Some(ctx.invocation_id().to_string()),
        ctx.turn_id()
    ));
    assert_eq!(ctx.parent(), None);
    ctx.call(ToolCall::new("who", "")).await;
}

#[derive(Clone, Default)]
struct Seen(u32);

/// Change the state, and look at it.
#[tool(register = false, read_only)]
async fn change_below(ctx: &ToolContext) -> ToolOutput {
    ctx.call(ToolCall::new("change", "")).await;
    let own = ctx.state::<Seen>().map(|seen| seen.0);
    let seen = ctx.call(ToolCall::new("see", "")).await.text();
    ToolOutput::text(format!("{own:?} {seen}"))
}

/// Change the state.
#[tool(register = false, read_only)]
fn change() -> ToolOutput {
    ToolOutput::empty().with_command(StateCommand::update(|seen: &mut Seen| seen.0 += 1))
}

/// See the state.
#[tool(register = false, read_only)]
fn see(ctx: &ToolContext) -> u32 {
    ctx.state::<Seen>().map_or(0, |seen| seen.0)
}

struct Host {
    executor: Executor,
    session: Session,
    trace: Trace,
    here: Arc<Notify>,
    runs: Arc<Runs>,
}

fn host(set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder) -> Host {
    let registry = crate::waiting_support::registry()
        .with(Relay)
        .with(Narrow)
        .with(Bare)
        .with(AskThenCall)
        .with(GetA)
        .with(GetB)
        .with(GetC)
        .with_unadvertised(Hidden)
        .with(Down)
        .with(Panics)
        .with(Fatal)
        .with(Hang)
        .with(Who)
        .with(Introduce)
        .with(ChangeBelow)
        .with(Change)
        .with(See);
    let (trace, here, runs) = (
        Trace::default(),
        Arc::new(Notify::new()),
        Arc::new(Runs::default()),
    );
    let builder = Executor::builder(registry)
        .resource(trace.clone())
        .resource(Arc::clone(&here))
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .grant_capability("net:get:a")
        .grant_capability("net:get:b");
    let executor = set(builder).build().unwrap();
    let session = executor.session("s-1");
    Host {
        executor,
        session,
        trace,
        here,
        runs,
    }
}

impl Host {
    async fn call(&self, tool: &str, arguments: Value) -> ToolOutcome {
        self.session.call(ToolCall::new(tool, arguments)).await
    }

    /// Calls a row of tools, each through the one before, and returns the text of the last.
    async fn through(&self, tools: &[&str], arguments: Value) -> String {
        let (first, rest) = tools.split_first().unwrap();
        let arguments = rest.iter().rev().fold(
            arguments,
            |arguments, tool| json!({"tool": tool, "arguments": arguments}),
        );
        told(&self.call(first, arguments).await)
    }
}

/// Those on which a call is plain, and on which somebody looks.
fn hosts() -> [Host; 2] {
    [
        host(|builder| builder),
        host(|builder| builder.events(EventChannel::new(16))),
    ]
}

#[tokio::test]
async fn a_tool_is_called_by_name_alias_and_wire_name_and_unadvertised_too() {
    for host in hosts() {
        let wire = host.executor.tools().wire_name("get.b").unwrap().to_owned();
        for (name, answer) in [
            ("get_a", "a"),
            ("get_the_a", "a"),
            ("get.b", "b"),
            (wire.as_str(), "b"),
            ("hidden", "found"),
        ] {
            assert_eq!(
                host.through(&["relay", name], json!({})).await,
                answer,
                "{name}"
            );
        }
        let unknown = host.through(&["relay", "get_d"], json!({})).await;
        assert!(unknown.starts_with("[unknown_tool]"), "{unknown}");
        // A model does not reach it all the same.
        assert!(!host.call("hidden", json!({})).await.is_success());
    }
}

#[tokio::test]
async fn the_callee_knows_its_parent_and_is_in_its_turn() {
    for host in hosts() {
        assert!(host.call("introduce", json!({})).await.is_success());
        let lines = host.trace.take();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], lines[1]);
    }
}

#[tokio::test]
async fn calls_are_nested_so_deep_and_no_deeper() {
    for (limit, set) in [(8, None), (0, Some(0)), (1, Some(1)), (32, Some(1000))] {
        let host = host(|builder| match set {
            Some(limit) => builder.limits(Limits::new().max_call_depth(limit)),
            None => builder,
        });
        let deepest = host.call("down", json!({"levels": limit})).await;
        assert_eq!(deepest.text(), "at the bottom", "{limit}");
        let deeper = host.call("down", json!({"levels": limit + 1})).await;
        let error = deeper.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{limit}");
        assert_eq!(error.code(), "call_depth_exceeded");
    }
}

#[tokio::test]
async fn a_call_that_fails_is_an_outcome_for_its_caller() {
    for host in hosts() {
        let panicked = host.through(&["relay", "panics"], json!({})).await;
        assert!(panicked.starts_with("[panicked]"), "{panicked}");
        let fatal = host.through(&["relay", "fatal"], json!({})).await;
        assert_eq!(fatal, "[failed] it is over");
        let invalid = host
            .through(&["relay", "count_to"], json!({"n": "many"}))
            .await;
        assert!(invalid.starts_with("[invalid_arguments]"), "{invalid}");
        // The caller went on each time.
        assert!(
            host.call("relay", json!({"tool": "panics"}))
                .await
                .is_success()
        );
    }
}

#[tokio::test]
async fn capabilities_only_narrow() {
    for host in hosts() {
        let (a, b) = ("a".to_owned(), "b".to_owned());
        assert_eq!(
            host.through(&["relay", "narrow", "get_a"], json!({})).await,
            a
        );
        assert_eq!(
            host.through(&["relay", "relay", "get.b"], json!({})).await,
            b
        );
        for chain in [
            // The one in between does not declare it.
            &["relay", "narrow", "get.b"][..],
            &["bare", "get_a"],
            // Nor is it reached by one that does.
            &["narrow", "relay", "get.b"],
            &["relay", "bare", "relay", "get_a"],
            &["relay", "narrow", "bare", "get_a"],
        ] {
            let denied = host.through(chain, json!({})).await;
            assert!(
                denied.starts_with("[capability_denied]"),
                "{chain:?}: {denied}"
            );
        }
        let denied = host.through(&["relay", "narrow", "get.b"], json!({})).await;
        assert!(
            denied.contains("`narrow`") && denied.contains("`net:get:b`"),
            "{denied}"
        );
    }
}

#[tokio::test]
async fn a_nested_call_cannot_do_what_the_session_may_not() {
    /// Declare what is not granted, to call what needs it.
    #[tool(register = false, read_only, capabilities("net:get:c"))]
    async fn greedy(ctx: &ToolContext) -> String {
        told(&ctx.call(ToolCall::new("get_c", "")).await)
    }
    let host = host(|builder| builder.register_tools(|_| Ok(ToolRegistry::new().with(Greedy))));
    for chain in [&["greedy"][..], &["bare", "greedy"], &["relay", "get_c"]] {
        let denied = host.through(chain, json!({})).await;
        assert!(denied.starts_with("[capability_denied]"), "{denied}");
    }
    for (denies, arguments) in [
        ("deploy", json!({"place": "test"})),
        ("count_to", json!({"n": 1})),
    ] {
        let host = self::host(|builder| {
            builder.permission_checker(crate::support::judge(
                move |spec| {
                    if spec.name().as_str() == denies {
                        toolwright::permission::Verdict::deny("not here")
                    } else {
                        toolwright::permission::Verdict::Allow
                    }
                },
                |_, _| toolwright::permission::Verdict::Allow,
            ))
        });
        let denied = host.through(&["bare", denies], arguments).await;
        assert!(denied.starts_with("[denied]"), "{denied}");
        assert_eq!(host.runs.count(), 0);
    }
}

#[tokio::test]
async fn trap_headless_what_asks_is_denied() {
    let host = host(|builder| builder.permission_checker(Asks));
    let denied = host
        .through(&["bare", "deploy"], json!({"place": "test"}))
        .await;
    assert!(denied.starts_with("[approval_unavailable]"), "{denied}");
    let inside = host
        .through(&["bare", "doors"], json!({"names": ["front"]}))
        .await;
    assert!(inside.starts_with("[approval_unavailable]"), "{inside}");
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn where_calls_block_a_nested_one_waits_and_its_caller_has_time() {
    let host = host(|builder| {
        builder
            .permission_checker(Asks)
            .approvals(WaitMode::Blocking)
    });
    for (tool, arguments, said) in [
        ("deploy", json!({"place": "test"}), "deployed to test"),
        ("doors", json!({"names": ["front"]}), "opened front"),
    ] {
        let mut events = host.executor.tickets().subscribe();
        let waiting = async { host.through(&["bare", "bare", tool], arguments).await };
        let answering = async {
            let tickets = opened(&mut events).await;
            assert_eq!(tickets[0].call().tool().as_str(), tool);
            // Longer than the timeout of the calls above.
            tokio::time::advance(Duration::from_secs(600)).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
            host.executor
                .tickets()
                .answer(tickets[0].id(), Answer::yes())
                .await
                .unwrap();
        };
        let (outcome, ()) = tokio::join!(waiting, answering);
        assert_eq!(outcome, said);
    }
}

#[tokio::test]
async fn where_calls_are_suspended_a_nested_one_cannot_wait() {
    let host = host(|builder| {
        builder
            .permission_checker(Asks)
            .approvals(WaitMode::Suspending)
    });
    let denied = host
        .through(&["bare", "deploy"], json!({"place": "test"}))
        .await;
    assert!(denied.starts_with("[approval_unavailable]"), "{denied}");
    assert!(denied.contains("ctx.check"), "{denied}");
    let inside = host
        .through(&["bare", "doors"], json!({"names": ["front"]}))
        .await;
    assert!(inside.starts_with("[approval_unavailable]"), "{inside}");
    let open = host
        .executor
        .tickets()
        .list(&toolwright::ticket::TicketFilter::all())
        .await
        .unwrap();
    assert!(open.is_empty());
    // A call that needs no answer runs.
    let allowed = host
        .through(&["bare", "doors"], json!({"names": ["the hall"]}))
        .await;
    assert_eq!(allowed, "opened the hall");
}

#[tokio::test]
async fn what_the_caller_was_allowed_is_allowed_to_what_it_calls() {
    let host = host(|builder| {
        builder
            .permission_checker(Asks)
            .approvals(WaitMode::Suspending)
    });
    let waits = interrupted(host.call("ask_then_call", json!({"place": "test"})).await);
    let outcome = host
        .session
        .resume(waits.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(outcome.text(), "deployed to test");
    // The approval holds for that call and for no other.
    let other = json!({"place": "test", "instead": "production"});
    let waits = interrupted(host.call("ask_then_call", other).await);
    let outcome = host
        .session
        .resume(waits.ticket(), Answer::yes())
        .await
        .unwrap();
    assert!(
        outcome.text().starts_with("[approval_unavailable]"),
        "{}",
        outcome.text()
    );
    // Nor is it allowed to the next call.
    let alone = host
        .through(&["bare", "deploy"], json!({"place": "test"}))
        .await;
    assert!(alone.starts_with("[approval_unavailable]"), "{alone}");
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn an_approved_call_of_a_tool_allows_no_other_call_of_it() {
    /// Call itself with other arguments.
    #[tool(register = false)]
    async fn again(what: String, ctx: &ToolContext) -> String {
        if what == "harmless" {
            let call = ToolCall::new("again", json!({"what": "harmful"}));
            return told(&ctx.call(call).await);
        }
        what
    }
    let executor = Executor::builder(ToolRegistry::new().with(Again))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let call = ToolCall::new("again", r#"{"what": "harmless"}"#);
    let waits = interrupted(session.call(call).await);
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert!(
        outcome.text().starts_with("[approval_unavailable]"),
        "{}",
        outcome.text()
    );
    assert!(outcome.text().contains("a grant"), "{}", outcome.text());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_caller_is_the_end_of_what_it_calls() {
    for host in hosts() {
        let turn = host.session.turn();
        let hanging = {
            let turn = turn.clone();
            let arguments = json!({"tool": "bare", "arguments": {"tool": "hang"}});
            tokio::spawn(async move { turn.call(ToolCall::new("bare", arguments)).await })
        };
        host.here.notified().await;
        turn.cancel();
        let outcome = hanging.await.unwrap();
        assert!(host.trace.take().contains(&"dropped".to_owned()));
        assert!(!outcome.text().is_empty());
        // Nothing more is called in a turn that was cancelled.
        let late = turn
            .call(ToolCall::new("bare", json!({"tool": "hidden"})))
            .await;
        assert_eq!(
            late.error().map(ToolError::kind),
            Some(ErrorKind::Cancelled)
        );
        // Nor does anything outlive the timeout of its caller.
        let outcome = host
            .call(
                "bare",
                json!({"tool": "bare", "arguments": {"tool": "hang"}}),
            )
            .await;
        assert_eq!(host.trace.take(), ["dropped"]);
        assert!(outcome.error().is_some() || outcome.text().starts_with("[timed_out]"));
    }
}

#[tokio::test]
async fn a_nested_call_sees_what_was_changed_and_its_caller_does_not() {
    for host in hosts() {
        let outcome = host.call("change_below", json!({})).await;
        assert_eq!(outcome.text(), "None 1");
        assert_eq!(
            host.session.state().get::<Seen>().map(|seen| seen.0),
            Some(1)
        );
    }
}

#[tokio::test]
async fn a_unit_test_answers_for_other_tools() {
    let ctx = testing::context()
        .tool_name(ToolName::new("bare").unwrap())
        .state(Seen(3))
        .calls(|call| match call.name() {
            "get_a" => Ok(ToolOutput::text("a")),
            other => Err(ToolError::not_found(format!("no {other}"))),
        })
        .build();
    assert_eq!(bare("get_a".to_owned(), None, &ctx).await, "a");
    assert_eq!(
        bare("get_b".to_owned(), None, &ctx).await,
        "[not_found] no get_b"
    );
    assert_eq!(see(&ctx), 3);
    let alone = testing::context().build();
    assert!(
        bare("get_a".to_owned(), None, &alone)
            .await
            .starts_with("[unavailable]")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocking_body_calls_too_and_is_told_when_it_is_left_behind() {
    /// Call from a thread of its own.
    #[tool(register = false, read_only, blocking)]
    fn from_a_thread(ctx: &ToolContext) -> String {
        let handle = tokio::runtime::Handle::current();
        told(&handle.block_on(ctx.call(ToolCall::new("hidden", ""))))
    }
    let host =
        host(|builder| builder.register_tools(|_| Ok(ToolRegistry::new().with(FromAThread))));
    assert_eq!(host.call("from_a_thread", json!({})).await.text(), "found");
}

#[tokio::test]
async fn the_same_call_is_allowed_or_denied_alike_at_any_depth() {
    // Random rows of callers: what is denied at the top is denied below, and what a caller lacks stays
    // lacking however it is reached.
    let host = host(|builder| builder.permission_checker(Asks));
    let declared = |tool: &str| match tool {
        "relay" => ["net:get:a", "net:get:b"].as_slice(),
        "narrow" => &["net:get:a"],
        _ => &[],
    };
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let (mut allowed, mut denied) = (0, 0);
    for _ in 0..200 {
        let callers: Vec<&str> = (0..=next(4))
            .map(|_| ["relay", "narrow", "bare"][next(3)])
            .collect();
        let (last, needs) = [
            ("get_a", "net:get:a"),
            ("get.b", "net:get:b"),
            ("hidden", ""),
        ][next(3)];
        let chain: Vec<&str> = callers.iter().copied().chain([last]).collect();
        let may = |caller: &str, needed: &[&str]| {
            needed
                .iter()
                .all(|needed| needed.is_empty() || declared(caller).contains(needed))
        };
        let expected = callers
            .windows(2)
            .all(|pair| may(pair[0], declared(pair[1])))
            && may(callers[callers.len() - 1], &[needs]);
        let said = host.through(&chain, json!({})).await;
        assert_eq!(
            !said.starts_with("[capability_denied]"),
            expected,
            "{chain:?}: {said}"
        );
        if expected {
            allowed += 1;
        } else {
            denied += 1;
        }
        let said = host
            .through(&[&callers[..], &["deploy"]].concat(), json!({"place": "x"}))
            .await;
        assert!(said.starts_with('['), "{callers:?}: {said}");
    }
    assert!(allowed > 20 && denied > 20, "{allowed} {denied}");
    assert_eq!(host.runs.count(), 0);
}
