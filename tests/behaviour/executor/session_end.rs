//! The end of a session: every tool lets go of what it holds for it.

mod annotated;
mod apart;

use std::sync::{Arc, Mutex};

use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::ErrorKind;
use toolwright::id::SessionId;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, Tool, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec,
    async_trait,
};

use crate::support::{poll_once, ready_now};

/// The cleanup of a tool when a session ends.
#[derive(Clone, Copy)]
enum Ending {
    Well,
    Failing,
    Panicking,
}

struct Holder {
    spec: ToolSpec,
    ending: Ending,
    let_go: Arc<Mutex<Vec<String>>>,
}

struct Nothing;

impl Invocation for Nothing {
    fn start(self: Box<Self>, _ctx: &ToolContext) -> Started<'_> {
        Started::Done(Ok(ToolOutput::empty()))
    }
}

#[async_trait]
impl Tool for Holder {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(Nothing))
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        tokio::task::yield_now().await;
        match self.ending {
            Ending::Well => {}
            Ending::Failing => return Err(ToolError::failed("the cache is locked")),
            Ending::Panicking => panic!("cleaning up"),
        }
        let line = format!("{} for {session}", self.spec.name());
        self.let_go.lock().unwrap().push(line);
        Ok(())
    }
}

fn executor(endings: &[(&'static str, Ending)]) -> (Executor, Arc<Mutex<Vec<String>>>) {
    let let_go = Arc::new(Mutex::new(Vec::new()));
    let mut registry = ToolRegistry::new();
    for (name, ending) in endings {
        let holder = Holder {
            spec: ToolSpec::new(ToolName::new(*name).unwrap(), "Hold something."),
            ending: *ending,
            let_go: Arc::clone(&let_go),
        };
        registry.register(holder).unwrap();
    }
    (Executor::new(registry).unwrap(), let_go)
}

/// A tool that has only what the trait demands.
struct Plain(ToolSpec);

impl Tool for Plain {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(Nothing))
    }
}

#[tokio::test]
async fn s2_42_a_tool_may_clean_up_after_a_session_and_need_not() {
    let (of_holder, let_go) = executor(&[("holder", Ending::Well)]);
    let spec = ToolSpec::new(ToolName::new("plain").unwrap(), "Do nothing.");
    of_holder
        .update_tools(|tools| tools.register(Plain(spec.clone())))
        .unwrap();
    // The default, called through the trait: it does nothing, and there is nothing to wait for.
    let by_default = Plain(spec.clone());
    let session = SessionId::from("s-1");
    assert_eq!(ready_now(by_default.cleanup_session(&session)), Ok(()));
    // The override waits, and the end of the session waits for it.
    let mut ending = std::pin::pin!(of_holder.session("s-1").end());
    assert!(poll_once(ending.as_mut()).is_pending());
    assert!(let_go.lock().unwrap().is_empty());
    ending.await.unwrap();
    assert_eq!(*let_go.lock().unwrap(), ["holder for s-1"]);
}

#[tokio::test]
async fn every_tool_is_told_of_that_session_and_no_other() {
    let (executor, let_go) = executor(&[("a", Ending::Well), ("b", Ending::Well)]);
    let other = executor.session("s-2");
    executor.session("s-1").end().await.unwrap();
    assert_eq!(*let_go.lock().unwrap(), ["a for s-1", "b for s-1"]);
    drop(other);
    assert_eq!(let_go.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn trap_a_panic_in_a_cleanup_keeps_no_other_from_letting_go() {
    let (executor, let_go) = executor(&[
        ("a", Ending::Failing),
        ("b", Ending::Panicking),
        ("c", Ending::Well),
    ]);
    let error = executor.session("s-1").end().await.unwrap_err();
    assert_eq!(*let_go.lock().unwrap(), ["c for s-1"]);
    let kinds: Vec<_> = error
        .failed()
        .map(|(tool, error)| (tool.as_str(), error.kind()))
        .collect();
    assert_eq!(
        kinds,
        [("a", ErrorKind::Failed), ("b", ErrorKind::Panicked)]
    );
    assert!(error.to_string().contains("- `a`: the cache is locked"));
}
