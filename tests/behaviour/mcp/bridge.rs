//! Invocables: tools as them, and they as tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use toolwright::content::{ErrorKind, ToolStatus};
use toolwright::executor::WaitMode;
use toolwright::permission::AllowAll;
use toolwright::question::Question;
use toolwright::registry::Selector;
use toolwright::ticket::{Answer, Answers};
use toolwright::{
    CancellationToken, Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolOutput, ToolRegistry, async_trait, tool,
};
use toolwright_mcp::bridge::{
    CanonicalName, CapabilityProvider, Invocable, InvokeOutcome, InvokeRequest,
    SessionCapabilities, as_tool, registry_of,
};

/// Add two whole numbers.
#[tool(pure)]
fn bridge_add(a: i64, b: i64) -> i64 {
    a + b
}

/// Deploy to a place.
#[tool]
async fn bridge_deploy(place: String) -> String {
    format!("deployed to {place}")
}

/// Ask for a colour.
#[tool(read_only)]
async fn bridge_colour(ctx: &ToolContext) -> Result<String, ToolError> {
    Ok(ctx.ask(Question::text("Which colour?")).await?.into_text())
}

/// Wait until somebody stops it.
#[tool(read_only)]
async fn bridge_wait(ctx: &ToolContext) -> Result<String, ToolError> {
    ctx.cancellation().cancelled().await;
    Err(ToolError::new(ErrorKind::Cancelled, "stopped as asked"))
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn inner() -> Session {
    let registry = ToolRegistry::new()
        .with(BridgeAdd)
        .with(BridgeDeploy)
        .with(BridgeColour)
        .with(BridgeWait);
    let executor = Executor::builder(registry).approvals(WaitMode::Suspending);
    executor.build().unwrap().session("inner")
}

fn find(session: &Session, name: &str) -> Arc<dyn Invocable> {
    let all = SessionCapabilities::new(session.clone()).invocables();
    let found = all.into_iter().find(|it| it.name().to_string() == name);
    found.unwrap()
}

/// An executor that has an invocable alone.
fn outer(invocable: impl Invocable, mode: WaitMode) -> Session {
    let registry = ToolRegistry::new().with(as_tool(invocable).unwrap());
    let executor = Executor::builder(registry).permission_checker(AllowAll);
    executor.approvals(mode).build().unwrap().session("outer")
}

#[tokio::test]
async fn s0_41_each_advertised_tool_of_a_session_is_an_invocable() {
    let session = inner();
    let all = SessionCapabilities::new(session.clone()).invocables();
    let listed: Vec<_> = all.iter().map(|it| it.name().to_string()).collect();
    let tools = session.tools();
    let advertised: Vec<_> = tools.specs().map(|spec| spec.name().to_string()).collect();
    assert_eq!(listed, advertised);
    for (invocable, spec) in all.iter().zip(tools.specs()) {
        assert_eq!(invocable.description(), spec.description());
        assert_eq!(invocable.input_schema(), spec.input_schema());
    }

    let arguments = object(json!({"a": 2, "b": 3}));
    let outcome = find(&session, "bridge_add")
        .invoke(InvokeRequest::new(arguments))
        .await;
    let called = session
        .call(ToolCall::new("bridge_add", r#"{"a": 2, "b": 3}"#))
        .await;
    assert_eq!(
        outcome.output().unwrap().content(),
        called.result().content()
    );

    // An invocation tells what is wrong as a call does.
    let outcome = find(&session, "bridge_add")
        .invoke(InvokeRequest::default())
        .await;
    let called = session.call(ToolCall::new("bridge_add", "{}")).await;
    let error = outcome.output().unwrap().as_error().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    assert_eq!(error.message(), called.error().unwrap().message());
}

#[tokio::test]
async fn an_invocation_keeps_id_and_metadata_and_stops_by_its_token() {
    let session = inner();
    let token = CancellationToken::new();
    let request = InvokeRequest::new(Map::new())
        .with_call_id("call-7")
        .with_metadata(object(json!({"traceparent": "00-1"})))
        .with_cancellation(token.clone());
    assert_eq!(request.call_id().unwrap().as_str(), "call-7");
    let invocable = find(&session, "bridge_wait");
    let invocation = tokio::spawn(async move { invocable.invoke(request).await });
    tokio::task::yield_now().await;
    token.cancel();
    let outcome = invocation.await.unwrap();
    let error = outcome.output().unwrap().as_error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

#[tokio::test]
async fn a_suspended_invocation_goes_on_by_its_ticket() {
    let session = inner();
    let deploy = find(&session, "bridge_deploy");
    let request = InvokeRequest::new(object(json!({"place": "test"})));
    let outcome = deploy.invoke(request).await;
    let suspension = outcome.suspension().unwrap();
    let none = CancellationToken::new();
    let yes = Answers::all(Answer::yes());
    let done = deploy
        .resume(suspension.ticket(), yes.clone(), none.clone())
        .await;
    assert_eq!(
        done.output().unwrap().content()[0].as_text(),
        Some("deployed to test")
    );
    let again = deploy.resume(suspension.ticket(), yes, none).await;
    let error = again.output().unwrap().as_error().unwrap();
    assert!(
        error.message().starts_with("the call cannot go on: "),
        "{error}"
    );
}

/// An invocable that is no tool of ours.
struct Raw {
    name: CanonicalName,
    schema: Value,
    invoked: Arc<AtomicUsize>,
}

impl Raw {
    fn new(name: &str) -> Self {
        Self {
            name: name.parse().unwrap(),
            schema: json!({
                "type": "object",
                "properties": {"times": {"type": "integer", "minimum": 1}},
                "required": ["times"],
            }),
            invoked: Arc::default(),
        }
    }
}

#[async_trait]
impl Invocable for Raw {
    fn name(&self) -> &CanonicalName {
        &self.name
    }

    fn description(&self) -> &'static str {
        "Count."
    }

    fn input_schema(&self) -> &Value {
        &self.schema
    }

    async fn invoke(&self, request: InvokeRequest) -> InvokeOutcome {
        self.invoked.fetch_add(1, Ordering::Relaxed);
        ToolOutput::text(format!("{} times", request.arguments()["times"])).into()
    }
}

#[tokio::test]
async fn s0_43_a_raw_invocable_without_annotations_is_wrapped_as_a_tool() {
    let raw = Raw::new("#counter");
    let invoked = Arc::clone(&raw.invoked);
    let session = outer(raw, WaitMode::Unattended);
    let tools = session.tools();
    let spec = tools.specs().next().unwrap();
    assert_eq!(spec.name(), "counter");
    assert!(!spec.annotations().is_read_only());

    let outcome = session
        .call(ToolCall::new("counter", r#"{"times": 3}"#))
        .await;
    assert_eq!(outcome.text(), "3 times");
    let outcome = session
        .call(ToolCall::new("counter", r#"{"times": 0}"#))
        .await;
    assert_eq!(outcome.result().status(), ToolStatus::Error);
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::InvalidArguments);
    assert_eq!(
        invoked.load(Ordering::Relaxed),
        1,
        "the second call was refused before"
    );
}

#[tokio::test]
async fn an_invocable_that_promises_nothing_is_not_allowed_by_the_default_policy() {
    let registry = ToolRegistry::new().with(as_tool(Raw::new("#counter")).unwrap());
    let session = Executor::new(registry).unwrap().session("s-1");
    let outcome = session
        .call(ToolCall::new("counter", r#"{"times": 3}"#))
        .await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
}

#[tokio::test]
async fn an_approval_inside_reaches_the_people_of_the_session_outside() {
    for (answer, text) in [
        (Answer::value(true), "deployed to test"),
        (Answer::value(Value::Null), "deployed to test"),
        (Answer::value(false), "denied"),
        (
            Answer::value(json!({"decision": "yes"})),
            "deployed to test",
        ),
        (
            Answer::value(json!([{"decision": "no", "reason": "not today"}])),
            "not today",
        ),
    ] {
        let session = outer(find(&inner(), "bridge_deploy"), WaitMode::Suspending);
        let call = ToolCall::new("bridge_deploy", r#"{"place": "test"}"#);
        let ToolOutcome::Suspended(waits) = session.call(call).await else {
            panic!("somebody has to be asked");
        };
        assert!(
            waits.summary().contains("bridge_deploy"),
            "{}",
            waits.summary()
        );
        let outcome = session.resume(waits.ticket(), answer).await.unwrap();
        assert!(outcome.text().contains(text), "{}", outcome.text());
    }
}

#[tokio::test]
async fn a_question_inside_is_answered_from_outside() {
    let session = outer(find(&inner(), "bridge_colour"), WaitMode::Suspending);
    let outcome = session.call(ToolCall::new("bridge_colour", "{}")).await;
    let waits = outcome.suspension().unwrap();
    let outcome = session
        .resume(waits.ticket(), Answer::value("red"))
        .await
        .unwrap();
    assert_eq!(outcome.text(), "red");
}

#[tokio::test]
async fn cancelling_outside_stops_what_runs_inside() {
    let session = outer(find(&inner(), "bridge_wait"), WaitMode::Unattended);
    let turn = session.turn();
    let running = turn.clone();
    let call = tokio::spawn(async move { running.call(ToolCall::new("bridge_wait", "{}")).await });
    tokio::task::yield_now().await;
    turn.cancel();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
}

#[tokio::test]
async fn a_provider_with_names_of_all_kinds_becomes_one_registry() {
    struct All(Vec<Arc<dyn Invocable>>);
    impl CapabilityProvider for All {
        fn invocables(&self) -> Vec<Arc<dyn Invocable>> {
            self.0.clone()
        }
    }
    let names = ["counter", "@far/counter", "#helper"];
    let raw = |name: &str| Arc::new(Raw::new(name)) as Arc<dyn Invocable>;
    let registry = registry_of(&All(names.map(raw).to_vec()))
        .unwrap()
        .with(BridgeAdd);
    let tools = registry.clone().freeze().unwrap();
    let all: Vec<_> = tools.specs().map(|spec| spec.name().to_string()).collect();
    assert_eq!(all, ["bridge_add", "counter", "far.counter", "helper"]);
    let selected = Selector::new(["@far"]).unwrap().select(&tools);
    assert_eq!(selected.names().len(), 1);
    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let outcome = executor.call("far.counter", r#"{"times": 2}"#).await;
    assert_eq!(outcome.text(), "2 times");
}
