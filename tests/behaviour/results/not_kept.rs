//! Results that the store does not keep.

use toolwright::event::{EventChannel, EventKind};
use toolwright::executor::Limits;
use toolwright::id::{InvocationId, SessionId};
use toolwright::permission::AllowAll;
use toolwright::results::{ResultPart, ResultStore};
use toolwright::ticket::StoreError;
use toolwright::{Executor, ToolCall, ToolRegistry, async_trait, tool};

/// Keeps nothing.
struct Full;

#[async_trait]
impl ResultStore for Full {
    async fn put(&self, _: &SessionId, _: InvocationId, _: &str) -> Result<(), StoreError> {
        Err(StoreError::new("the disk is full"))
    }

    async fn read(
        &self,
        _: &SessionId,
        _: InvocationId,
        _: u64,
        _: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        Ok(None)
    }

    async fn end_session(&self, _: &SessionId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Talk.
#[tool(register = false, pure)]
fn talk() -> String {
    "blah ".repeat(200)
}

#[tokio::test]
async fn a_host_is_told_why_a_large_result_is_not_kept() {
    let channel = EventChannel::new(64);
    let mut events = channel.subscribe();
    let executor = Executor::builder(ToolRegistry::new().with(Talk))
        .permission_checker(AllowAll)
        .limits(Limits::new().max_output_bytes(100))
        .result_store(Full)
        .events(channel)
        .build()
        .unwrap();
    let outcome = executor
        .session("s")
        .call(ToolCall::new("talk", "{}"))
        .await;
    assert!(outcome.result().truncated().is_some());
    assert!(!outcome.text().contains("disk"), "{}", outcome.text());
    let call = outcome.result().invocation_id();
    let mut told = Vec::new();
    while let Some(event) = events.try_recv() {
        if let EventKind::Diagnostic { code, message, .. } = event.event().kind() {
            assert_eq!(event.event().session().map(SessionId::as_str), Some("s"));
            told.push(format!("{code}: {message}"));
        }
    }
    let message = "what was cut of the result of call";
    assert_eq!(
        told,
        [format!(
            "result_not_kept: {message} {call} is not kept: the disk is full"
        )]
    );
}
