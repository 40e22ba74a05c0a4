//! The requests that a call would make, without running it.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::{Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolRegistry, tool};

use crate::support::{HandMade, judge};

#[derive(Default)]
struct Runs(AtomicUsize);

/// Send a parcel.
#[tool(permission = PermissionRequest::new("send", to.as_str(), format!("Send to {to}")))]
fn send(
    #[arg(aliases("recipient"))] to: String,
    #[arg(default = 1, range = 1..=9)] parcels: u32,
    #[arg(secret)] account: String,
    runs: &Runs,
) -> String {
    runs.0.fetch_add(1, Ordering::Relaxed);
    drop(account);
    format!("{parcels} to {to}")
}

/// Fly.
#[tool(pure, capabilities("air:fly:high"))]
fn fly() {}

fn by_recipient() -> impl PermissionChecker {
    judge(
        |tool| match tool.name().as_str() {
            "barred" => Verdict::deny("it is barred"),
            _ => Verdict::Allow,
        },
        |_, request| match request.target() {
            "home" => Verdict::Allow,
            "abroad" => Verdict::ask("it goes far"),
            _ => Verdict::deny("it goes nowhere"),
        },
    )
}

fn builder() -> ExecutorBuilder {
    let barred = HandMade::new("barred").ask(|_| panic!("nobody asks it"));
    let registry = ToolRegistry::new()
        .with(Send)
        .with(Fly)
        .with(barred)
        .ask_purpose();
    Executor::builder(registry)
        .resource(Runs::default())
        .permission_checker(by_recipient())
}

#[tokio::test]
async fn a_preview_tells_what_the_call_would_ask_for_and_runs_nothing() {
    let runs = std::sync::Arc::new(Runs::default());
    let executor = builder().resource_arc(runs.clone()).build().unwrap();
    let session = executor.session("s");
    let sent = json!({"recipient": "home", "parcels": "2", "account": "x-17", "tool_use_purpose": "a gift"});
    let call = ToolCall::new("send", &sent);
    let preview = session.preview(&call).unwrap();
    assert_eq!(preview.spec().name(), "send");
    assert_eq!(preview.purpose(), Some("a gift"));
    assert_eq!(preview.repairs().len(), 1);
    assert_eq!(
        preview.arguments().unwrap().as_value(),
        &json!({"account": {"$secret": true}, "parcels": 2, "to": "home"})
    );
    assert_eq!(preview.requests()[0].summary(), "Send to home");
    assert_eq!(preview.verdict(), &Verdict::Allow);
    assert!(!format!("{preview:?}").contains("x-17"), "{preview:?}");
    let view: CallView<'_> = preview.call();
    assert_eq!(
        (view.spec().name().as_str(), view.purpose()),
        ("send", Some("a gift"))
    );
    assert_eq!(view.arguments(), preview.arguments());
    assert_eq!(runs.0.load(Ordering::Relaxed), 0);

    assert_eq!(session.call(call).await.text(), "2 to home");
    assert_eq!(runs.0.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_preview_says_what_the_call_would_end_with() {
    let session = builder().build().unwrap().session("s");
    for (name, arguments, verdict) in [
        (
            "send",
            r#"{"to": "abroad", "account": "a"}"#,
            Verdict::ask("it goes far"),
        ),
        (
            "send",
            r#"{"to": "nowhere", "account": "a"}"#,
            Verdict::deny("it goes nowhere"),
        ),
        ("barred", "{}", Verdict::deny("it is barred")),
    ] {
        let call = ToolCall::new(name, arguments);
        let preview = session.preview(&call).unwrap();
        assert_eq!(preview.verdict(), &verdict);
        let outcome = session.call(call).await;
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
    }

    for (name, arguments, kind) in [
        ("sned", "{}", ErrorKind::NotFound),
        (
            "send",
            r#"{"to": "home", "parcels": 99}"#,
            ErrorKind::InvalidArguments,
        ),
        ("send", r#"{"to": "#, ErrorKind::InvalidArguments),
        ("fly", "{}", ErrorKind::CapabilityDenied),
    ] {
        let call = ToolCall::new(name, arguments);
        let error = session.preview(&call).unwrap_err();
        assert_eq!(error.kind(), kind);
        let outcome = session.call(call).await;
        assert_eq!(outcome.error(), Some(&error));
    }
}

#[test]
fn a_tool_that_panics_when_it_is_asked_ends_its_preview() {
    let panics = HandMade::new("panics").ask(|_| panic!("no idea"));
    let executor = Executor::new(ToolRegistry::new().with(panics)).unwrap();
    let session = executor.session("s");
    let error = session.preview(&ToolCall::new("panics", "")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panicked);
}
