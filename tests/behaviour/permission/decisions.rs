//! Permissions: who is asked, what a verdict does, and that it is one place for all tools.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::WaitMode;
use toolwright::permission::{AllowAll, PermissionChecker, Verdict};
use toolwright::spec::{Effect, ToolAnnotations};
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolOutcome, ToolOutput, ToolRegistry,
    tool,
};

use crate::support::{HandMade, Trace, judge};
use crate::waiting_support::interrupted;

/// The number of times that a tool's body ran.
#[derive(Default)]
struct Runs(AtomicUsize);

impl Runs {
    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Deploy a version to a place.
#[tool(
    needs_approval,
    destructive,
    permission = PermissionRequest::new("deploy", place.as_str(), format!("Deploy to {place}"))
)]
fn deploy(place: String, #[arg(range = 1..)] version: u32, runs: &Runs) -> String {
    runs.note();
    format!("{version} is in {place}")
}

/// Tell the weather of a place.
#[tool(read_only)]
fn weather(place: String, runs: &Runs) -> String {
    runs.note();
    format!("{place}: rain")
}

struct Setup {
    executor: Executor,
    runs: Arc<Runs>,
}

impl Setup {
    fn new(checker: impl PermissionChecker) -> Self {
        let runs = Arc::new(Runs::default());
        let executor = Executor::builder(ToolRegistry::new().with(Deploy).with(Weather))
            .resource_arc(Arc::clone(&runs))
            .permission_checker(checker)
            .build()
            .unwrap();
        Self { executor, runs }
    }

    async fn deploy(&self) -> ToolOutcome {
        let arguments = r#"{"place": "production", "version": 3}"#;
        self.executor.call("deploy", arguments).await
    }

    async fn weather(&self) -> ToolOutcome {
        self.executor.call("weather", r#"{"place": "Oslo"}"#).await
    }
}

fn kind(outcome: &ToolOutcome) -> ErrorKind {
    outcome.error().unwrap().kind()
}

#[tokio::test]
async fn s0_06_a_hint_alone_stops_nothing() {
    let setup = Setup::new(AllowAll);
    assert_eq!(setup.deploy().await.text(), "3 is in production");
    assert_eq!(setup.runs.count(), 1);
}

/// A tool that differs from others in its name, its effect and its hints alone.
fn hinted(name: &'static str, effect: Effect, hints: ToolAnnotations, trace: &Trace) -> HandMade {
    let trace = trace.clone();
    HandMade::new(name)
        .spec(|spec| spec.with_effect(effect).with_annotations(hints))
        .run(move |_, _| {
            trace.note(name);
            Ok(ToolOutput::text("done"))
        })
}

#[tokio::test]
async fn s0_07_a_policy_the_default_and_a_listing_go_by_the_hints() {
    /// All that this policy sees of a tool.
    fn by_hints(hints: ToolAnnotations) -> Verdict {
        match hints {
            hints if hints.is_destructive() => Verdict::ask("it is destructive"),
            hints if hints.is_read_only() => Verdict::Allow,
            _ => Verdict::deny("it has no hint"),
        }
    }
    let trace = Trace::default();
    let none = ToolAnnotations::new();
    let tools = || {
        ToolRegistry::new()
            .with(hinted("look", Effect::ReadOnly, none, &trace))
            .with(hinted("note", Effect::AtMostOnce, none, &trace))
            .with(hinted(
                "raze",
                Effect::AtMostOnce,
                none.with_destructive(true),
                &trace,
            ))
            .with(hinted(
                "stare",
                Effect::ReadOnly,
                none.with_needs_approval(true),
                &trace,
            ))
    };
    let build = |builder: ExecutorBuilder| builder.approvals(WaitMode::Suspending).build().unwrap();
    let checker = judge(|tool| by_hints(tool.annotations()), |_, _| Verdict::Allow);
    let session = build(Executor::builder(tools()).permission_checker(checker)).session("s-1");
    let call = async |tool| session.call(ToolCall::new(tool, "{}")).await;
    assert_eq!(call("look").await.text(), "done");
    assert_eq!(kind(&call("note").await), ErrorKind::Denied);
    assert_eq!(trace.take(), ["look"]);
    let asked = interrupted(call("raze").await);
    assert_eq!(asked.reason(), "it is destructive");
    assert!(trace.take().is_empty(), "it waits for a person");
    session.resume(asked.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(trace.take(), ["raze"]);

    // The policy that holds where an app has none.
    let session = build(Executor::builder(tools())).session("s-1");
    for (tool, runs) in [
        ("look", true),
        ("note", false),
        ("raze", false),
        ("stare", false),
    ] {
        let outcome = session.call(ToolCall::new(tool, "{}")).await;
        assert_eq!(outcome.is_success(), runs, "{tool}");
        assert_eq!(
            matches!(outcome, ToolOutcome::Suspended(_)),
            !runs,
            "{tool}"
        );
    }
    assert_eq!(trace.take(), ["look"]);

    // The hints that a user interface reads.
    let listing: Value = serde_json::from_str(&session.tools().to_json().unwrap()).unwrap();
    let hints = listing.as_array().unwrap().iter();
    let hints: Vec<&Value> = hints.map(|tool| &tool["annotations"]).collect();
    assert_eq!(
        hints,
        [
            &json!({"read_only": true, "idempotent": true}),
            &Value::Null,
            &json!({"destructive": true}),
            &json!({"read_only": true, "idempotent": true, "needs_approval": true}),
        ]
    );
}

#[tokio::test]
async fn s0_29_a_tool_that_asks_for_nothing_runs_where_every_request_is_denied() {
    let setup = Setup::new(judge(
        |_| Verdict::Allow,
        |_, _| Verdict::deny("no requests are granted"),
    ));
    assert_eq!(setup.weather().await.text(), "Oslo: rain");
    assert_eq!(kind(&setup.deploy().await), ErrorKind::Denied);
    assert_eq!(setup.runs.count(), 1);
}

#[tokio::test]
async fn s0_30_bad_input_fails_before_permission_and_before_the_body() {
    let trace = Trace::default();
    let seen = trace.clone();
    let setup = Setup::new(judge(
        |_| Verdict::Allow,
        move |_, request| {
            seen.note(request.summary());
            Verdict::Allow
        },
    ));
    for bad in [
        r#"{"place": "production""#,
        r#"{"place": 7}"#,
        r#"{"place": "x", "version": 0}"#,
    ] {
        let outcome = setup.executor.call("deploy", bad).await;
        assert_eq!(kind(&outcome), ErrorKind::InvalidArguments, "{bad}");
        assert_eq!(outcome.result().source(), ResultSource::Executor);
    }
    assert!(
        trace.take().is_empty(),
        "nobody was asked about a call that cannot run"
    );
    assert_eq!(setup.runs.count(), 0);

    assert!(setup.deploy().await.is_success());
    assert_eq!(trace.take(), ["Deploy to production"]);
}

#[tokio::test]
async fn s0_31_nothing_has_happened_when_a_call_is_denied() {
    let of_the_tool = Setup::new(judge(
        |_| Verdict::deny("not this tool"),
        |_, _| Verdict::Allow,
    ));
    let of_the_request = Setup::new(judge(|_| Verdict::Allow, |_, _| Verdict::deny("not this")));
    for setup in [of_the_tool, of_the_request] {
        assert_eq!(kind(&setup.deploy().await), ErrorKind::Denied);
        assert_eq!(setup.runs.count(), 0);
    }
}

#[tokio::test]
async fn s0_33_there_are_three_decisions() {
    let on_requests =
        |verdict: Verdict| Setup::new(judge(|_| Verdict::Allow, move |_, _| verdict.clone()));

    let allowed = on_requests(Verdict::Allow);
    assert_eq!(allowed.deploy().await.text(), "3 is in production");
    assert_eq!(allowed.runs.count(), 1);

    let denied = on_requests(Verdict::deny("it is Friday"));
    let outcome = denied.deploy().await;
    assert_eq!(
        (kind(&outcome), outcome.error().unwrap().code()),
        (ErrorKind::Denied, "denied")
    );
    assert_eq!(denied.runs.count(), 0);

    // There is nobody to ask here, which a program can tell from a denial.
    let asked = on_requests(Verdict::ask("production is dear to us"));
    let outcome = asked.deploy().await;
    assert_eq!(
        (kind(&outcome), outcome.error().unwrap().code()),
        (ErrorKind::Denied, "approval_unavailable")
    );
    for part in [
        "Deploy to production",
        "production is dear to us",
        "nobody is here",
    ] {
        assert!(outcome.text().contains(part), "{}", outcome.text());
    }
    // The settings are for the log.
    let settings = outcome.error().unwrap().source().unwrap().to_string();
    assert!(
        settings.contains("ExecutorBuilder::permission_checker"),
        "{settings}"
    );
    assert_eq!(asked.runs.count(), 0);
}

#[tokio::test]
async fn s0_34_the_model_reads_why_it_was_denied() {
    let setup = Setup::new(judge(
        |_| Verdict::Allow,
        |_, _| Verdict::deny("nothing is deployed on Fridays"),
    ));
    let outcome = setup.deploy().await;
    assert!(outcome.result().is_error());
    assert_eq!(
        outcome.text(),
        "`deploy` was denied (Deploy to production): nothing is deployed on Fridays"
    );
    assert_eq!(outcome.result().source(), ResultSource::Executor);
}

#[tokio::test]
async fn s0_40_one_policy_holds_for_tools_that_know_nothing_of_it() {
    let asks = HandMade::new("mail.send").ask(|_| {
        Ok(vec![PermissionRequest::new(
            "mail",
            "team@example.org",
            "Send a mail",
        )])
    });
    let registry = ToolRegistry::new().with(asks).with(Deploy);
    let outward = ["mail", "deploy"];
    let executor = Executor::builder(registry)
        .resource(Runs::default())
        .permission_checker(judge(
            |_| Verdict::Allow,
            move |_, request| {
                if outward.contains(&request.kind()) {
                    Verdict::deny("nothing leaves this machine")
                } else {
                    Verdict::Allow
                }
            },
        ))
        .build()
        .unwrap();
    let mail = executor.call("mail.send", "").await;
    let deployed = executor
        .call("deploy", r#"{"place": "x", "version": 1}"#)
        .await;
    for outcome in [mail, deployed] {
        assert_eq!(kind(&outcome), ErrorKind::Denied);
        assert!(
            outcome.text().ends_with("nothing leaves this machine"),
            "{}",
            outcome.text()
        );
    }
}
