//! Calls that their host does not take, as a model reads it.

use std::sync::Arc;

use toolwright::content::ErrorKind;
use toolwright::executor::{LocalDispatcher, ToolHost};
use toolwright::ticket::TicketKey;
use toolwright::{ToolOutcome, ToolRegistry, tool};

use super::relay::{Fault, Relay};
use super::{Measure, Render, app, host, host_with, local, registry};
use crate::waiting_support::Runs;

mod changed {
    use toolwright::tool;

    /// Render a scene, slowly.
    #[tool(register = false, pool = "gpu")]
    pub(super) fn render(_scene: String) -> &'static str {
        "rendered slowly"
    }
}

/// Render a scene.
#[tool(register = false, name = "render", version = "1.0.0", pool = "gpu")]
fn render_1(scene: String) -> String {
    scene
}

/// Render a scene.
#[tool(register = false, name = "render", version = "2.0.0", pool = "gpu")]
fn render_2(scene: String) -> String {
    scene
}

const CALL: &str = r#"{"scene": "a beach"}"#;

async fn refused(host: ToolHost, tools: ToolRegistry) -> ToolOutcome {
    let app = app(LocalDispatcher::new(host), tools, |builder| builder);
    app.session("s-1")
        .call(toolwright::ToolCall::new("render", CALL))
        .await
}

/// The sources of an error, which the log has.
fn sources(outcome: &ToolOutcome) -> Vec<String> {
    let mut error: Option<&dyn std::error::Error> =
        outcome.error().and_then(std::error::Error::source);
    let mut all = Vec::new();
    while let Some(source) = error {
        all.push(source.to_string());
        error = source.source();
    }
    all
}

#[tokio::test]
async fn a_host_runs_the_very_tool_of_the_call_or_none() {
    let runs = Arc::new(Runs::default());
    let set = |builder| builder;
    let tools = || ToolRegistry::new().with(Render);
    let other_key = TicketKey::from_bytes([9; 32]);
    for (host, tools, why) in [
        (
            host(&runs, ToolRegistry::new().with(Measure), set),
            tools(),
            "its host has no tool `render`",
        ),
        (
            host(&runs, ToolRegistry::new().with(changed::Render), set),
            tools(),
            "its host has another definition of the tool `render`",
        ),
        (
            host(&runs, ToolRegistry::new().with(Render2), set),
            ToolRegistry::new().with(Render1),
            "its host has no tool `render` of the version `1.0.0`",
        ),
        (
            host_with(other_key, &runs, registry(), set),
            tools(),
            "it is not signed with the key of this host: give both executors the same `Approvals::ticket_key`",
        ),
    ] {
        let outcome = refused(host, tools).await;
        let error = outcome.error().unwrap();
        assert_eq!(
            outcome.text(),
            "the host of the tool did not take the call; it has not run"
        );
        assert_eq!(
            (error.kind(), error.is_retryable()),
            (ErrorKind::Unavailable, false)
        );
        let sources = sources(&outcome);
        let told = format!("the call is not taken: {why}");
        assert!(sources.contains(&told), "{sources:?}");
    }
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn a_host_with_several_versions_runs_that_of_the_call() {
    let runs = Arc::new(Runs::default());
    let both = ToolRegistry::new().with(Render1).with(Render2);
    let host = host(&runs, both, |builder| builder);
    for tools in [
        ToolRegistry::new().with(Render1),
        ToolRegistry::new().with(Render2),
    ] {
        assert_eq!(refused(host.clone(), tools).await.text(), "a beach");
    }
}

#[tokio::test]
async fn a_call_that_the_dispatcher_does_not_take_has_not_run() {
    let runs = Arc::new(Runs::default());
    let relay = Relay::new(local(&runs), [Fault::Refused]);
    let app = app(relay.clone(), registry(), |builder| builder);
    let outcome = app.call("render", CALL).await;
    assert_eq!(
        outcome.text(),
        "the call could not be handed to where its tool runs; it has not run"
    );
    let error = outcome.error().unwrap();
    assert_eq!(
        (error.kind(), error.is_retryable()),
        (ErrorKind::Unavailable, false)
    );
    assert_eq!(sources(&outcome), ["the call is not taken: it has 3 MiB"]);
    assert_eq!(relay.submitted().len(), 1);
    assert!(relay.cancelled().is_empty());
    assert_eq!(runs.count(), 0);
}
