use serde_json::Value;

use crate::content::{CallStatus, ToolCall, ToolError, ToolOutput};
use crate::dynamic::tool_fn;
use crate::event::{EventChannel, EventKind};
use crate::executor::Executor;
use crate::executor::call::observed::{Beginning, begin_observed};
use crate::executor::call::state::Preparing;
use crate::id::ToolName;
use crate::registry::ToolRegistry;
use crate::spec::ToolSpec;

#[tokio::test]
async fn s4_51_an_illegal_step_is_refused_and_reported() {
    let spec = ToolSpec::new(ToolName::new("idle").unwrap(), "Do nothing.");
    let tool = tool_fn(spec, |_: Value, _| async {
        Ok::<_, ToolError>(ToolOutput::empty())
    });
    let events = EventChannel::new(16);
    let mut seen = events.subscribe();
    let executor = Executor::builder(ToolRegistry::new().with(tool))
        .permission_checker(crate::permission::AllowAll)
        .events(events)
        .build()
        .unwrap();
    let session = executor.session("s");
    let mut call = ToolCall::new("idle", "{}");
    let place = session.core.single(&session.executor);
    let begun = begin_observed(&session.executor, &place, &mut call);
    let Beginning::Begun(Preparing::Goes(mut call_state, _)) = begun else {
        panic!("it is let run");
    };
    call_state.step(CallStatus::Running);
    call_state.step(CallStatus::Succeeded);
    call_state.step(CallStatus::Running);
    assert_eq!(call_state.status, CallStatus::Succeeded);

    let mut told = Vec::new();
    while let Some(event) = seen.try_recv() {
        told.push(match event.event().kind() {
            EventKind::Status { to, .. } => to.to_string(),
            EventKind::Diagnostic { code, message } => format!("{code}: {message}"),
            other => format!("{other:?}"),
        });
    }
    assert_eq!(
        told,
        [
            "Requested { request_hash: None }",
            "running",
            "succeeded",
            "illegal_step: the call of `idle`: a call that is succeeded cannot become running",
        ]
    );
}
