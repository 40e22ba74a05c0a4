//! Spans of calls: feature `tracing`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::json;
use tokio::sync::Notify;
use toolwright::executor::{Approvals, TraceOptions, WaitMode};
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

/// A span as somebody who exports it sees it.
#[derive(Debug, Clone, Default)]
struct Seen {
    name: &'static str,
    fields: BTreeMap<&'static str, String>,
    /// The texts that were logged in it.
    logged: Vec<String>,
    closed: bool,
}

type All = Arc<Mutex<Vec<(u64, Seen)>>>;

/// Keeps all spans there are. Ids of closed spans may be used again, so the latest counts.
struct Keeper(All);

impl Keeper {
    fn update(&self, id: &Id, update: impl FnOnce(&mut Seen)) {
        let mut all = self.0.lock().unwrap();
        if let Some((_, seen)) = all.iter_mut().rev().find(|(its, _)| *its == id.into_u64()) {
            update(seen);
        }
    }
}

struct Fields<'f>(&'f mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Keeper {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut seen = Seen {
            name: attributes.metadata().name(),
            ..Seen::default()
        };
        attributes.record(&mut Fields(&mut seen.fields));
        self.0.lock().unwrap().push((id.into_u64(), seen));
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, _: Context<'_, S>) {
        self.update(id, |seen| record.record(&mut Fields(&mut seen.fields)));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        if let (Some(span), Some(text)) = (context.lookup_current(), fields.remove("message")) {
            self.update(&span.id(), |seen| seen.logged.push(text));
        }
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        self.update(&id, |seen| seen.closed = true);
    }
}

/// A subscriber for all tests: a body on another thread has no other. The tests tell their spans apart by the session.
fn all() -> &'static All {
    static ALL: OnceLock<All> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = All::default();
        let subscriber = tracing_subscriber::registry().with(Keeper(Arc::clone(&all)));
        tracing::subscriber::set_global_default(subscriber).unwrap();
        all
    })
}

fn spans(session: &str) -> Vec<Seen> {
    let all = all().lock().unwrap();
    let of_session = |seen: &&Seen| {
        seen.fields
            .get("gen_ai.conversation.id")
            .map(String::as_str)
            == Some(session)
    };
    all.iter()
        .map(|(_, seen)| seen)
        .filter(of_session)
        .cloned()
        .collect()
}

fn span(session: &str) -> Seen {
    let mut spans = spans(session);
    assert_eq!(spans.len(), 1, "{spans:?}");
    spans.remove(0)
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(SignIn)
        .with(Twice)
        .with(Block)
        .with(Fail)
        .with(Hang)
}

fn traced(options: TraceOptions) -> ExecutorBuilder {
    all();
    Executor::builder(registry())
        .resource(Arc::new(Notify::new()))
        .trace(options)
}

/// Sign in somewhere.
#[tool(name = "sign_in", register = false)]
fn sign_in(user: String, #[arg(secret)] password: String) -> String {
    format!("{user} is in, with {} characters", password.len())
}

/// Log twice.
#[tool(name = "twice", read_only, register = false)]
async fn twice(name: String) {
    tracing::info!("{name} first");
    tokio::task::yield_now().await;
    tracing::info!("{name} then");
}

/// Log on another thread.
#[tool(name = "block", read_only, blocking, register = false)]
fn block() {
    tracing::info!("blocked");
}

/// Fail.
#[tool(name = "fail", read_only, register = false)]
fn fail(code: String) -> Result<String, ToolError> {
    Err(ToolError::failed("hunter2 is no password").with_code(code))
}

/// Wait for ever.
#[tool(name = "hang", read_only, register = false)]
async fn hang(begun: &Arc<Notify>, _ctx: &ToolContext) {
    begun.notify_one();
    std::future::pending::<()>().await;
}

fn sign_in_call() -> ToolCall<'static> {
    let arguments = json!({"user": "ann", "password": "hunter2"});
    ToolCall::new("sign_in", arguments).with_id("c-1")
}

#[tokio::test]
async fn a_span_has_the_names_of_the_conventions_and_neither_arguments_nor_result() {
    let executor = traced(TraceOptions::new()).permission_checker(toolwright::permission::AllowAll);
    let session = executor.build().unwrap().session("names");
    let outcome = session.call(sign_in_call()).await;
    assert!(outcome.is_success());
    let seen = span("names");
    assert!(seen.closed && seen.name == "execute_tool");
    let invocation = outcome.result().invocation_id().to_string();
    let fields: Vec<(&str, &str)> = seen.fields.iter().map(|(k, v)| (*k, v.as_str())).collect();
    let turn = seen.fields["toolwright.turn"].as_str();
    assert_eq!(
        fields,
        [
            ("gen_ai.conversation.id", "names"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "c-1"),
            ("gen_ai.tool.description", "Sign in somewhere."),
            ("gen_ai.tool.name", "sign_in"),
            ("gen_ai.tool.type", "function"),
            ("otel.kind", "internal"),
            ("otel.name", "execute_tool sign_in"),
            ("toolwright.invocation", &invocation),
            ("toolwright.turn", turn),
        ]
    );
}

#[tokio::test]
async fn arguments_and_results_are_shown_when_asked_for_and_secrets_never() {
    let options = TraceOptions::new().arguments(true).results(true);
    let executor = traced(options)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    executor.session("shown").call(sign_in_call()).await;
    let seen = span("shown");
    let arguments = &seen.fields["gen_ai.tool.call.arguments"];
    assert!(arguments.contains(r#""user":"ann""#), "{arguments}");
    assert_eq!(
        seen.fields["gen_ai.tool.call.result"],
        "ann is in, with 7 characters"
    );
    assert!(!format!("{seen:?}").contains("hunter2"));
    // A call that is denied has a span too.
    let executor = traced(options).build().unwrap();
    executor.session("denied").call(sign_in_call()).await;
    let seen = span("denied");
    assert_eq!(seen.fields["error.type"], "approval_unavailable");
    assert_eq!(seen.fields["otel.status_code"], "ERROR");
    assert!(!format!("{seen:?}").contains("hunter2"));
}

#[tokio::test]
async fn an_error_is_told_by_its_code_alone() {
    let executor = traced(TraceOptions::new()).build().unwrap();
    let session = executor.session("error");
    session
        .call(ToolCall::new("fail", r#"{"code": "no_luck"}"#))
        .await;
    session.call(ToolCall::new("nothing", "{}")).await;
    let spans = spans("error");
    let told: Vec<(&str, &str)> = spans
        .iter()
        .map(|seen| {
            let field = |name| seen.fields[name].as_str();
            (field("gen_ai.tool.name"), field("error.type"))
        })
        .collect();
    assert_eq!(told, [("fail", "no_luck"), ("nothing", "unknown_tool")]);
    assert!(!format!("{spans:?}").contains("hunter2"));
}

#[tokio::test]
async fn what_calls_log_side_by_side_lies_each_in_its_own_span() {
    let executor = traced(TraceOptions::new()).build().unwrap();
    let calls = ["a", "b"].map(|name| ToolCall::new("twice", json!({ "name": name })));
    let session = executor.session("side by side");
    // On one thread: their polls take turns.
    let [one, other] = calls;
    let (one, other) = tokio::join!(session.call(one), session.call(other));
    assert!(one.is_success() && other.is_success());
    assert!(tracing::Span::current().is_none());
    let logged: Vec<_> = spans("side by side")
        .into_iter()
        .map(|seen| seen.logged)
        .collect();
    assert_eq!(logged, [["a first", "a then"], ["b first", "b then"]]);

    let session = executor.session("a batch");
    let calls = ["a", "b"].map(|name| ToolCall::new("twice", json!({ "name": name })));
    session.call_all(calls).await;
    let logged: Vec<_> = spans("a batch")
        .into_iter()
        .map(|seen| seen.logged)
        .collect();
    assert_eq!(logged, [["a first", "a then"], ["b first", "b then"]]);
}

#[tokio::test]
async fn what_a_blocking_body_logs_lies_in_the_span() {
    let executor = traced(TraceOptions::new()).build().unwrap();
    let outcome = executor
        .session("blocking")
        .call(ToolCall::new("block", "{}"))
        .await;
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(span("blocking").logged, ["blocked"]);
}

#[tokio::test]
async fn a_call_that_waits_has_a_span_before_and_a_span_after() {
    let options = TraceOptions::new().arguments(true);
    let executor = traced(options)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("waits");
    let outcome = session.call(sign_in_call()).await;
    let ToolOutcome::Suspended(waits) = outcome else {
        panic!("{outcome:?}");
    };
    let answer = Answer::edited(json!({"user": "bob", "password": "hunter2"}));
    let outcome = session.resume(waits.ticket(), answer).await.unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
    let spans = spans("waits");
    let arguments = |at: usize| spans[at].fields["gen_ai.tool.call.arguments"].as_str();
    assert_eq!(spans.len(), 2);
    assert!(arguments(0).contains("ann") && arguments(1).contains("bob"));
    assert!(
        spans
            .iter()
            .all(|seen| seen.closed && !seen.fields.contains_key("error.type"))
    );
    assert_eq!(
        spans[0].fields["toolwright.invocation"],
        spans[1].fields["toolwright.invocation"]
    );
    assert!(!format!("{spans:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_call_that_is_dropped_closes_its_span_as_cancelled() {
    all();
    let begun = Arc::new(Notify::new());
    let executor = Executor::builder(ToolRegistry::new().with(Hang))
        .resource(Arc::clone(&begun))
        .trace(TraceOptions::new())
        .build()
        .unwrap();
    let session = executor.session("dropped");
    tokio::select! {
        _ = session.call(ToolCall::new("hang", "{}")) => panic!("it hangs"),
        () = begun.notified() => {}
    }
    let seen = span("dropped");
    assert!(seen.closed);
    assert_eq!(seen.fields["error.type"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_while_nobody_listens_is_a_warning_in_its_span() {
    let executor = traced(TraceOptions::new())
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Blocking)
                .ticket_lifetime(std::time::Duration::from_secs(1)),
        )
        .build()
        .unwrap();
    let session = executor.session("unheard");
    let call = ToolCall::new("sign_in", r#"{"user": "ada", "password": "x"}"#);
    assert!(!session.call(call).await.is_success());
    let logged = span("unheard").logged;
    assert!(
        logged[0].contains("the call of `sign_in` waits")
            && logged[0].contains("nobody has subscribed"),
        "{logged:?}"
    );
    assert_eq!(logged.len(), 1);
}
