//! The end of one session, beside others that go on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::executor::WaitMode;
use toolwright::id::SessionId;
use toolwright::ticket::{Answer, GrantScope, TicketFilter};
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec,
    async_trait,
};

use crate::waiting_support::{Host, interrupted};

/// Counts the calls of each session.
struct Counter {
    spec: ToolSpec,
    counts: Arc<Mutex<HashMap<SessionId, u32>>>,
    ended: Arc<Mutex<Vec<String>>>,
}

impl Counter {
    fn new(name: &'static str, ended: &Arc<Mutex<Vec<String>>>) -> Self {
        let spec = ToolSpec::new(ToolName::new(name).unwrap(), "Count calls.");
        Self {
            spec: spec.with_effect(toolwright::spec::Effect::Pure),
            counts: Arc::default(),
            ended: Arc::clone(ended),
        }
    }
}

struct Count(Arc<Mutex<HashMap<SessionId, u32>>>);

impl Invocation for Count {
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(ctx.session_id().clone()).or_default();
        *count += 1;
        Started::Done(Ok(ToolOutput::text(count.to_string())))
    }
}

#[async_trait]
impl Tool for Counter {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(Count(Arc::clone(&self.counts))))
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        self.counts.lock().unwrap().remove(session);
        let line = format!("{} for {session}", self.spec.name());
        self.ended.lock().unwrap().push(line);
        Ok(())
    }
}

fn counters() -> (ToolRegistry, Arc<Mutex<Vec<String>>>) {
    let ended = Arc::default();
    let tools = ["a", "b", "c"].map(|name| Counter::new(name, &ended));
    let registry = tools
        .into_iter()
        .fold(ToolRegistry::new(), |all, tool| all.with(tool));
    (registry, ended)
}

#[tokio::test]
async fn s2_43_the_end_of_a_session_is_told_to_each_of_three_tools_once() {
    let (registry, ended) = counters();
    let executor = Executor::new(registry).unwrap();
    executor.session("s-1").end().await.unwrap();
    assert_eq!(
        *ended.lock().unwrap(),
        ["a for s-1", "b for s-1", "c for s-1"]
    );
}

#[tokio::test]
async fn s2_44_the_end_of_a_session_leaves_what_others_have() {
    let (registry, _) = counters();
    let executor = Executor::new(registry).unwrap();
    let (one, other) = (executor.session("s-1"), executor.session("s-2"));
    for session in [&one, &other] {
        assert_eq!(session.call(ToolCall::new("a", "{}")).await.text(), "1");
    }
    one.end().await.unwrap();
    assert_eq!(other.call(ToolCall::new("a", "{}")).await.text(), "2");
    let again = executor.session("s-1");
    assert_eq!(again.call(ToolCall::new("a", "{}")).await.text(), "1");
}

#[tokio::test]
async fn s2_44_the_tickets_and_grants_of_other_sessions_stay() {
    let host = Host::new(WaitMode::Suspending);
    let permissions = host.executor.permissions();
    let other = host.executor.session("s-2");
    let waits = interrupted(
        other
            .call(ToolCall::new("deploy", r#"{"place": "a"}"#))
            .await,
    );
    let gone = host.suspended("deploy", r#"{"place": "a"}"#).await;
    for session in ["s-1", "s-2"] {
        let covers = GrantScope::target("deploy", "b");
        permissions.grant(session, covers).await.unwrap();
    }
    host.session.clone().end().await.unwrap();
    let open = host.tickets().list(&TicketFilter::all()).await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].id(), waits.id());
    assert!(permissions.list("s-1").await.unwrap().is_empty());
    assert_eq!(permissions.list("s-2").await.unwrap().len(), 1);
    let granted = other
        .call(ToolCall::new("deploy", r#"{"place": "b"}"#))
        .await;
    assert_eq!(granted.text(), "deployed to b");
    let resumed = other.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(resumed.text(), "deployed to a");
    let again = host.executor.session("s-1");
    assert!(again.resume(gone.ticket(), Answer::yes()).await.is_err());
    assert_eq!(host.runs.count(), 2);
}
