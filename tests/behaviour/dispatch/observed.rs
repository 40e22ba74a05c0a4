//! Hooks, recorders and limits on both sides of a dispatched call.

use std::sync::Arc;

use serde_json::json;
use toolwright::executor::{Limits, LocalDispatcher};
use toolwright::hook::{AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, HookCall};
use toolwright::record::{
    CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput, ResponseHash,
};
use toolwright::results::MemoryResults;
use toolwright::ticket::{StoreError, WaitKind};
use toolwright::{
    ExecutorBuilder, ToolCall, ToolError, ToolOutput, ToolRegistry, async_trait, tool,
};

use super::{app, host, registry};
use crate::support::Trace;
use crate::waiting_support::Runs;

/// Notes what hooks and recorders see.
#[derive(Clone)]
struct Watch {
    side: &'static str,
    trace: Trace,
}

impl Watch {
    fn note(&self, what: &str) {
        self.trace.note(format!("{} {what}", self.side));
    }

    fn on(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        builder
            .before(self.clone())
            .after(self.clone())
            .call_recorder(self.clone())
    }
}

#[async_trait]
impl BeforeTool for Watch {
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        let arguments = call.arguments().unwrap();
        let scene = arguments.get("scene").and_then(|scene| scene.as_str());
        self.note(&format!("before {}", scene.unwrap_or_default()));
        Ok(match (self.side, scene) {
            ("app", Some("a lake")) => BeforeDecision::rewrite(json!({"scene": "a pond"})),
            ("host", Some("a sea")) => BeforeDecision::veto("no seas"),
            _ => BeforeDecision::proceed(),
        })
    }
}

#[async_trait]
impl AfterTool for Watch {
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        let output = call.output();
        let text = output.content()[0].as_text().unwrap_or_default();
        self.note(&format!("after {text}"));
        Ok(match (self.side, text) {
            ("host", "rendered a hill") => {
                AfterDecision::replace(ToolOutput::text("rendered a hill, cleaned"))
            }
            _ => AfterDecision::keep(),
        })
    }
}

impl CallRecorder for Watch {
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
        self.note(&format!("record {}", request.tool));
        Box::new(self.clone())
    }
}

#[async_trait]
impl CallRecording for Watch {
    fn set_input(&mut self, _: RequestInput<'_>) {
        self.note("set_input");
    }

    async fn start(&mut self) -> Result<(), StoreError> {
        self.note("start");
        Ok(())
    }

    async fn suspend(
        &mut self,
        _: toolwright::id::TicketId,
        _: WaitKind,
    ) -> Result<(), StoreError> {
        self.note("suspend");
        Ok(())
    }

    async fn end(&mut self, _: CallResponse<'_>) -> Result<Option<ResponseHash>, StoreError> {
        self.note("end");
        Ok(None)
    }

    fn dropped(&mut self, _: ToolError) {
        self.note("dropped");
    }
}

#[tokio::test]
async fn hooks_and_recorders_of_both_sides_see_the_call() {
    let runs = Arc::new(Runs::default());
    let trace = Trace::default();
    let watch = |side| Watch {
        side,
        trace: trace.clone(),
    };
    let host = host(&runs, registry(), |builder| watch("host").on(builder));
    let app = app(LocalDispatcher::new(host), registry(), |builder| {
        watch("app").on(builder)
    });
    let session = app.session("s-1");
    let call = async |scene: &str| {
        let arguments = json!({ "scene": scene });
        session.call(ToolCall::new("render", arguments)).await
    };

    assert_eq!(call("a beach").await.text(), "rendered a beach");
    assert_eq!(
        trace.take(),
        [
            "app record render",
            "app before a beach",
            "app start",
            "host record render",
            "host before a beach",
            "host start",
            "host after rendered a beach",
            "host end",
            "app after rendered a beach",
            "app end",
        ]
    );

    // Arguments that a hook of the app changes are those of the host.
    let changed = call("a lake").await;
    assert!(
        changed.text().starts_with("rendered a pond\n"),
        "{}",
        changed.text()
    );
    assert!(trace.take().contains(&"host before a pond".to_owned()));

    // A result that a hook of the host replaces is that of the app.
    assert_eq!(call("a hill").await.text(), "rendered a hill, cleaned");
    let seen = trace.take();
    assert!(seen.contains(&"app after rendered a hill, cleaned".to_owned()));

    let before = runs.count();
    let vetoed = call("a sea").await;
    assert_eq!(vetoed.error().unwrap().code(), "vetoed");
    assert!(vetoed.text().contains("no seas"), "{}", vetoed.text());
    assert_eq!(runs.count(), before);
}

/// Talk.
#[tool(register = false, pool = "gpu")]
fn talk() -> String {
    "0123456789".repeat(100)
}

#[tokio::test]
async fn a_large_output_is_cut_once_and_can_be_read_on() {
    let tools = || ToolRegistry::new().with(Talk);
    // The limit of the host is smaller, and has no effect.
    let host = host(&Arc::default(), tools(), |builder| {
        builder
            .limits(Limits::new().max_output_bytes(10))
            .result_store(MemoryResults::new())
    });
    let app = app(LocalDispatcher::new(host), tools(), |builder| {
        builder
            .limits(Limits::new().max_output_bytes(300))
            .result_store(MemoryResults::new())
    });
    let session = app.session("s-1");
    let outcome = session.call(ToolCall::new("talk", "{}")).await;
    let truncation = outcome.result().truncated().unwrap();
    assert_eq!(
        (truncation.shown, truncation.total, truncation.kept),
        (300, 1_000, true)
    );
    let text = outcome.text();
    assert_eq!(text.matches("[cut:").count(), 1, "{text}");
    let whole = "0123456789".repeat(100);
    let (mut all, _) = text.rsplit_once('\n').unwrap();
    let mut read = all.to_owned();
    let id = outcome.result().invocation_id().to_string();
    while read.len() < whole.len() {
        let arguments = json!({"id": id, "offset": read.len()});
        let more = session.call(ToolCall::new("result.read", arguments)).await;
        let text = more.text();
        assert!(more.is_success(), "{text}");
        all = text.split('\n').next().unwrap();
        read.push_str(all);
    }
    assert_eq!(read, whole);
}
