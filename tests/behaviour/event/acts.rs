//! Each act of a tool leaves its events: what was asked for, what became of it, and why.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::{ErrorKind, Limit, ToolStatus};
use toolwright::event::{Event, EventKind, MemoryEvents, TracingEvents};
use toolwright::executor::{Limits, SessionOptions, WaitMode};
use toolwright::id::InvocationId;
use toolwright::question::Question;
use toolwright::ticket::{AnswerKind, WaitKind};
use toolwright::{
    Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolError, ToolRegistry, tool,
};

use crate::waiting_support::{Host, opened};

/// The world: what was done to it, and by which call.
#[derive(Default)]
struct World(Mutex<Vec<InvocationId>>);

impl World {
    fn act(&self, ctx: &ToolContext) {
        self.0.lock().unwrap().push(ctx.invocation_id());
    }
}

/// Do something to the world.
#[tool(name = "act", idempotent, register = false)]
async fn act(fail: Option<bool>, ctx: &ToolContext, world: &Arc<World>) -> Result<(), ToolError> {
    world.act(ctx);
    tokio::task::yield_now().await;
    match fail {
        Some(true) => Err(ToolError::failed("the world resists")),
        _ => Ok(()),
    }
}

/// Have others act.
#[tool(name = "lead", idempotent, register = false)]
async fn lead(ctx: &ToolContext, world: &Arc<World>) {
    world.act(ctx);
    ctx.call(ToolCall::new("act", "{}")).await;
    ctx.call(ToolCall::new("act", r#"{"fail": true}"#)).await;
}

/// Never end.
#[tool(name = "hang", read_only, timeout = "1s", register = false)]
async fn hang(begun: &Arc<Notify>) {
    begun.notify_one();
    std::future::pending::<()>().await;
}

/// Spend money.
#[tool(name = "spend", register = false)]
fn spend(euros: u32) -> u32 {
    euros
}

/// Read two places.
#[tool(
    name = "index",
    read_only,
    capabilities("fs:read:/data", "fs:read:/more"),
    register = false
)]
fn index() {}

fn builder(events: &MemoryEvents) -> ExecutorBuilder {
    let registry = ToolRegistry::new()
        .with(Act)
        .with(Lead)
        .with(Hang)
        .with(Spend)
        .with(Index);
    Executor::builder(registry)
        .permission_checker(crate::support::judge(
            |spec| match spec.name().as_str() {
                "spend" => toolwright::permission::Verdict::deny("no money"),
                _ => toolwright::permission::Verdict::Allow,
            },
            |_, _| toolwright::permission::Verdict::Allow,
        ))
        .resource(Arc::new(World::default()))
        .resource(Arc::new(Notify::new()))
        .events(events.clone())
}

/// The names of the events of each call, without its steps, in the order of the calls.
fn by_call(events: &[Arc<Event>]) -> Vec<(String, Vec<&'static str>)> {
    let mut calls: Vec<InvocationId> = Vec::new();
    let mut told: BTreeMap<String, (String, Vec<&'static str>)> = BTreeMap::new();
    for event in events {
        let call = event.call().unwrap();
        let id = call.invocation();
        if !calls.contains(&id) {
            calls.push(id);
        }
        let entry = told.entry(id.to_string());
        let (_, names) = entry.or_insert_with(|| (call.tool().to_owned(), Vec::new()));
        match event.kind().as_str() {
            "status" => {}
            name => names.push(name),
        }
    }
    calls
        .iter()
        .map(|id| told.remove(&id.to_string()).unwrap())
        .collect()
}

fn only(events: &[Arc<Event>], name: &str) -> EventKind {
    let mut found = events.iter().filter(|event| event.kind().as_str() == name);
    let kind = found.next().unwrap().kind().clone();
    assert!(found.next().is_none(), "{name} twice");
    kind
}

#[tokio::test]
async fn s1_01_every_act_goes_through_the_executor_and_leaves_events() {
    /// All that the code of an agent is given.
    async fn agent(session: &Session) {
        let calls = [
            ToolCall::new("act", "{}"),
            ToolCall::new("lead", "{}"),
            ToolCall::new("act", r#"{"fail": true}"#),
            ToolCall::new("spend", r#"{"euros": 5}"#),
            ToolCall::new("act", r#"{"fail": 7}"#),
            ToolCall::new("nothing", "{}"),
            ToolCall::new("lead", "{}"),
        ];
        session.turn().call_all(calls).await;
        session
            .turn()
            .spawn(ToolCall::new("act", "{}"))
            .join()
            .await;
    }
    let events = MemoryEvents::new(10_000);
    let world = Arc::new(World::default());
    let builder = builder(&events).resource(Arc::clone(&world));
    let executor = builder.build().unwrap();
    agent(&executor.session("s-1")).await;
    let told = events.take();
    let of_call = |name: &str| {
        let named = told.iter().filter(|event| event.kind().as_str() == name);
        let ids = named.map(|event| event.call().unwrap().invocation().to_string());
        let mut ids: Vec<String> = ids.collect();
        ids.sort();
        ids
    };
    let acts = world.0.lock().unwrap();
    let mut acts: Vec<String> = acts.iter().map(ToString::to_string).collect();
    acts.sort();
    assert_eq!(acts.len(), 9);
    assert_eq!(of_call("started"), acts);
    assert_eq!(of_call("requested").len(), 12);
    assert_eq!(of_call("requested"), of_call("finished"));
    assert_eq!(of_call("refused").len(), 3);
    assert_eq!(events.lost(), 0);
}

#[tokio::test]
async fn s1_19_a_denied_capability_is_told_with_tool_and_reason() {
    let events = MemoryEvents::new(100);
    let builder = builder(&events).grant_capability("fs:read:/data");
    let executor = builder.build().unwrap();
    let none = SessionOptions::new().capabilities([]);
    for (options, lacks) in [
        (SessionOptions::new(), &["fs:read:/more"][..]),
        (none, &["fs:read:/data", "fs:read:/more"]),
    ] {
        let session = executor.session_with("s-1", options);
        let outcome = session.call(ToolCall::new("index", "{}")).await;
        let error = outcome.error().unwrap();
        let told = events.take();
        let names = by_call(&told);
        assert_eq!(names[0].1, ["requested", "refused", "finished"]);
        for event in &told {
            assert_eq!(event.call().unwrap().tool(), "index");
            assert_eq!(event.session().unwrap().as_str(), "s-1");
        }
        let EventKind::Refused {
            kind,
            code,
            missing,
            limit,
            ..
        } = only(&told, "refused")
        else {
            unreachable!("it is of that name");
        };
        assert_eq!(kind, ErrorKind::CapabilityDenied);
        assert_eq!((code.as_str(), limit), ("capability_denied", None));
        assert_eq!(missing, error.missing_capabilities());
        let missing: Vec<&str> = missing
            .iter()
            .map(toolwright::spec::Capability::as_str)
            .collect();
        assert_eq!(missing, lacks);
    }
}

#[tokio::test]
async fn s1_20_s1_21_what_exceeds_a_limit_does_not_run_and_the_limit_is_told() {
    let events = MemoryEvents::new(100);
    let world = Arc::new(World::default());
    let executor = builder(&events)
        .resource(Arc::clone(&world))
        .limits(
            Limits::new()
                .max_input_bytes(30)
                .max_input_depth(2)
                .max_call_depth(0),
        )
        .build()
        .unwrap();
    let large = format!(r#"{{"fail": "{}"}}"#, "x".repeat(40));
    for (name, arguments, limit, most, found) in [
        ("act", &*large, Limit::ArgumentBytes, 30, Some(52)),
        (
            "act",
            r#"{"fail": [[1]]}"#,
            Limit::ArgumentDepth,
            2,
            Some(3),
        ),
        ("lead", "{}", Limit::CallDepth, 0, None),
    ] {
        executor.call(name, arguments).await;
        let told = events.take();
        let EventKind::Refused {
            kind,
            limit: Some(exceeded),
            ..
        } = told
            .iter()
            .find(|event| event.kind().as_str() == "refused")
            .map(|event| event.kind().clone())
            .unwrap()
        else {
            panic!("{told:?}");
        };
        assert_eq!(kind, ErrorKind::LimitExceeded);
        assert_eq!((exceeded.limit(), exceeded.most()), (limit, most));
        assert_eq!(exceeded.found(), found);
        let acts: Vec<(String, Vec<&str>)> = by_call(&told);
        let refused = &acts.iter().rfind(|(tool, _)| tool == "act").unwrap().1;
        assert_eq!(*refused, ["requested", "refused", "finished"]);
    }
    // Only that which leads has acted.
    assert_eq!(world.0.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn s1_22_a_call_executes_exactly_once() {
    let events = MemoryEvents::new(1_000);
    let world = Arc::new(World::default());
    let builder = builder(&events).resource(Arc::clone(&world));
    let executor = builder.build().unwrap();
    for call in 1..=20 {
        executor.call("act", "{}").await;
        assert_eq!(world.0.lock().unwrap().len(), call);
    }
    let calls = by_call(&events.take());
    assert_eq!(calls.len(), 20);
    for (_, names) in calls {
        assert_eq!(names, ["requested", "started", "finished"]);
    }
}

#[tokio::test(start_paused = true)]
async fn s1_35_timeout_denial_and_failure_each_leave_such_an_event() {
    let events = MemoryEvents::new(100);
    let executor = builder(&events).build().unwrap();
    for (name, arguments, kind, began) in [
        ("hang", "{}", ErrorKind::TimedOut, true),
        ("spend", r#"{"euros": 5}"#, ErrorKind::Denied, false),
        ("act", r#"{"fail": true}"#, ErrorKind::Failed, true),
        ("index", "{}", ErrorKind::CapabilityDenied, false),
    ] {
        let outcome = executor.call(name, arguments).await;
        let told = events.take();
        let EventKind::Finished { status, error, .. } = only(&told, "finished") else {
            unreachable!("it is of that name");
        };
        assert_eq!((status, error), (ToolStatus::Error, Some(kind)), "{name}");
        assert_eq!(outcome.error().unwrap().kind(), kind);
        assert!(!outcome.text().is_empty());
        let refused = told.iter().any(|event| event.kind().as_str() == "refused");
        let started = told.iter().any(|event| event.kind().as_str() == "started");
        assert_eq!((started, refused), (began, !began), "{name}");
    }
}

#[tokio::test]
async fn s1_37_errors_have_a_kind_and_fields() {
    let events = MemoryEvents::new(100);
    let executor = builder(&events)
        .limits(Limits::new().max_input_bytes(40))
        .build()
        .unwrap();
    let error = async |name: &str, arguments: &str| {
        let outcome = executor.call(name, arguments).await;
        serde_json::to_value(outcome.error().unwrap()).unwrap()
    };
    let told = error("index", "{}").await;
    assert_eq!(told["kind"], "capability_denied");
    assert_eq!(told["missing"], json!(["fs:read:/data", "fs:read:/more"]));
    let told = error("spend", &format!(r#"{{"euros": {}}}"#, "1".repeat(60))).await;
    assert_eq!(told["kind"], "limit_exceeded");
    assert_eq!(
        told["exceeded"],
        json!({"limit": "argument_bytes", "most": 40, "found": 71})
    );
    let told = error("spend", r#"{"euro": 5}"#).await;
    assert_eq!(told["kind"], "invalid_arguments");
    assert!(told["arguments"].to_string().contains("/euro"), "{told}");
    let back: ToolError = serde_json::from_value(told.clone()).unwrap();
    assert_eq!(serde_json::to_value(back).unwrap(), told);
    let plain = error("nothing", "{}").await;
    let members: Vec<&String> = plain.as_object().unwrap().keys().collect();
    assert_eq!(members, ["code", "kind", "message", "retryable"]);
}

#[tokio::test]
async fn who_is_asked_in_place_and_what_was_answered_is_told() {
    let events = MemoryEvents::new(1_000);
    let host = Host::with(WaitMode::Blocking, |builder| builder.events(events.clone()));
    let mut opening = host.tickets().subscribe();
    for (answer, said, ends) in [
        (
            toolwright::ticket::Answer::yes(),
            AnswerKind::Yes,
            "started",
        ),
        (toolwright::ticket::Answer::no(), AnswerKind::No, "refused"),
        (
            toolwright::ticket::Answer::edited(json!({"place": "hunter2"})),
            AnswerKind::Edited,
            "started",
        ),
    ] {
        let call = host.spawn("deploy", r#"{"place": "hunter2"}"#);
        let ticket = opened(&mut opening).await.remove(0);
        host.tickets().answer(ticket.id(), answer).await.unwrap();
        call.await.unwrap();
        let told = events.take();
        assert_eq!(
            by_call(&told)[0].1,
            ["requested", "asked", "answered", ends, "finished"]
        );
        let text = serde_json::to_string(&told).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        let EventKind::Answered {
            ticket: id,
            wait,
            answers,
            ..
        } = only(&told, "answered")
        else {
            unreachable!("it is of that name");
        };
        assert_eq!((id, wait), (ticket.id(), WaitKind::Approval));
        assert_eq!(answers, [Some(said)]);
        assert!(
            matches!(only(&told, "asked"), EventKind::Asked { ticket: id, requests: 1, .. } if id == ticket.id())
        );
    }
}

#[tokio::test]
async fn what_a_body_asks_is_told_while_it_runs() {
    /// Ask for a name.
    #[tool(name = "greet", read_only, register = false)]
    async fn greet(ctx: &ToolContext) -> Result<String, ToolError> {
        let reply = ctx.ask(Question::text("Who are you?")).await?;
        Ok(format!("hello {}", reply.text().unwrap_or("nobody")))
    }
    let events = MemoryEvents::new(1_000);
    let executor = Executor::builder(ToolRegistry::new().with(Greet))
        .approvals(WaitMode::Blocking)
        .events(events.clone())
        .build()
        .unwrap();
    let mut opening = executor.tickets().subscribe();
    let session = executor.session("s-1");
    let (outcome, ()) = tokio::join!(session.call(ToolCall::new("greet", "{}")), async {
        let ticket = opened(&mut opening).await.remove(0);
        let answer = toolwright::ticket::Answer::value("Ada");
        let answered = executor.tickets().answer(ticket.id(), answer);
        answered.await.unwrap();
    });
    assert_eq!(outcome.text(), "hello Ada");
    let told = events.take();
    assert_eq!(
        by_call(&told)[0].1,
        ["requested", "started", "asked", "answered", "finished"]
    );
    let EventKind::Answered { answers, wait, .. } = only(&told, "answered") else {
        unreachable!("it is of that name");
    };
    assert_eq!(wait, WaitKind::Question);
    assert_eq!(answers, [Some(AnswerKind::Value)]);
}

#[tokio::test]
async fn a_cancelled_call_is_told_as_such_whether_it_had_begun_or_not() {
    let events = MemoryEvents::new(100);
    let begun = Arc::new(Notify::new());
    let builder = builder(&events).resource(Arc::clone(&begun));
    let executor = builder.build().unwrap();
    let session = executor.session("s-1");
    tokio::join!(session.call(ToolCall::new("hang", "{}")), async {
        begun.notified().await;
        session.cancel();
    });
    session.call(ToolCall::new("hang", "{}")).await;
    let told = by_call(&events.take());
    assert_eq!(told[0].1, ["requested", "started", "cancelled", "finished"]);
    assert!(told[1].1.ends_with(&["cancelled", "finished"]));
    assert!(!told[1].1.contains(&"refused"));
}

#[tokio::test]
async fn events_in_memory_are_the_last_ones_and_the_lost_are_counted() {
    let events = MemoryEvents::new(3);
    let other = events.clone();
    let executor = builder(&events).build().unwrap();
    executor.call("act", "{}").await;
    executor.call("act", "{}").await;
    let told = other.events();
    assert_eq!(told.len(), 3);
    let numbers: Vec<u64> = told.iter().map(|event| event.sequence()).collect();
    let last = numbers[2];
    assert_eq!(numbers, [last - 2, last - 1, last]);
    assert_eq!(events.lost(), last - 3);
    assert_eq!(other.take(), told);
    assert!(events.events().is_empty());
    assert_eq!(events.lost(), last - 3);
    // Room for none is room for one.
    let one = MemoryEvents::new(0);
    let executor = builder_with(&one);
    executor.call("act", "{}").await;
    assert_eq!(one.events().len(), 1);
}

fn builder_with(events: &MemoryEvents) -> Executor {
    builder(events).build().unwrap()
}

/// Keeps the lines of the log, with their fields.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<BTreeMap<String, String>>>>);

struct Fields<'f>(&'f mut BTreeMap<String, String>);

impl tracing::field::Visit for Fields<'_> {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        let text = text.trim_matches('"').to_owned();
        self.0.insert(field.name().to_owned(), text);
    }
}

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Lines {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let mut line = BTreeMap::new();
        let metadata = event.metadata();
        line.insert("target".to_owned(), metadata.target().to_owned());
        line.insert("level".to_owned(), metadata.level().to_string());
        event.record(&mut Fields(&mut line));
        self.0.lock().unwrap().push(line);
    }
}

#[tokio::test]
async fn events_are_lines_of_the_log_without_arguments() {
    use tracing_subscriber::layer::SubscriberExt as _;
    let lines = Lines::default();
    let subscriber = tracing_subscriber::registry().with(lines.clone());
    let guard = tracing::subscriber::set_default(subscriber);
    // The interest that other tests have found for these lines is stored in the process.
    tracing::callsite::rebuild_interest_cache();
    let events = MemoryEvents::new(100);
    let executor = builder(&events)
        .events(TracingEvents::new())
        .build()
        .unwrap();
    let call = ToolCall::new("spend", r#"{"euros": 987654}"#).with_id("c-1");
    executor.session("s-1").call(call).await;
    executor.call("index", "{}").await;
    executor.call("act", "{}").await;
    drop(guard);
    let lines = lines.0.lock().unwrap();
    let told = events.take();
    assert_eq!(lines.len(), told.len());
    for (line, event) in lines.iter().zip(&told) {
        let call = event.call().unwrap();
        assert_eq!(line["message"], event.kind().as_str());
        assert_eq!(line["target"], "toolwright::event");
        assert_eq!(line["sequence"], event.sequence().to_string());
        assert_eq!(line["session"], event.session().unwrap().as_str());
        assert_eq!(line["tool"], call.tool());
        assert_eq!(line["invocation"], call.invocation().to_string());
        assert!(line.values().all(|value| !value.contains("987654")));
        assert!(!line.contains_key("version") && !line.contains_key("parent"));
    }
    let of = |tool: &str, message: &str| {
        let mut all = lines.iter();
        all.find(|line| line["tool"] == tool && line["message"] == message)
            .unwrap()
    };
    let refused = of("index", "refused");
    assert_eq!(refused["missing"], "fs:read:/data, fs:read:/more");
    assert_eq!(
        (&*refused["error"], &*refused["level"]),
        ("capability_denied", "WARN")
    );
    assert_eq!(of("spend", "requested")["call_id"], "c-1");
    assert_eq!(of("spend", "finished")["error"], "denied");
    let finished = of("act", "finished");
    assert_eq!(
        (&*finished["status"], &*finished["level"]),
        ("success", "INFO")
    );
    assert!(finished["duration_ms"].parse::<f64>().unwrap() >= 0.0);
    assert!(!finished.contains_key("error"));
    assert_eq!(of("act", "status")["level"], "DEBUG");
}
