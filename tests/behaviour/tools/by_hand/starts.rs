//! The start of a body that is written by hand: it is done at once, or it gives a future.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::ErrorKind;
use toolwright::event::EventChannel;
use toolwright::spec::Effect;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolName, ToolOutcome, ToolOutput, ToolRegistry,
    ToolSpec, testing,
};

/// The ways in which a body starts.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    Done,
    Waits,
    Panics,
}

#[derive(Deserialize)]
struct Wanted {
    way: Way,
}

struct Starts {
    spec: ToolSpec,
    started: Arc<AtomicUsize>,
}

struct Start {
    way: Way,
    started: Arc<AtomicUsize>,
}

impl Tool for Starts {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let Wanted { way } = arguments.parse()?;
        let started = Arc::clone(&self.started);
        Ok(Box::new(Start { way, started }))
    }
}

impl Invocation for Start {
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        self.started.fetch_add(1, Ordering::SeqCst);
        match self.way {
            Way::Done => Started::Done(Ok(ToolOutput::text("at once"))),
            Way::Waits => Started::pending(async move {
                tokio::task::yield_now().await;
                Ok(ToolOutput::text(format!("later, in {}", ctx.session_id())))
            }),
            Way::Panics => panic!("it burst"),
        }
    }
}

fn starts() -> (Starts, Arc<AtomicUsize>) {
    let started = Arc::new(AtomicUsize::new(0));
    let spec = ToolSpec::new(ToolName::new("starts").unwrap(), "Start in some way.")
        .with_effect(Effect::Pure);
    let tool = Starts {
        spec,
        started: Arc::clone(&started),
    };
    (tool, started)
}

fn call(way: &str) -> ToolCall<'static> {
    ToolCall::new("starts", format!(r#"{{"way": "{way}"}}"#))
}

/// A call by each way through the stages.
async fn each_way(way: &str) -> Vec<ToolOutcome> {
    let mut outcomes = Vec::new();
    for observed in [false, true] {
        let (tool, started) = starts();
        let builder = Executor::builder(ToolRegistry::new().with(tool));
        let builder = if observed {
            builder.events(EventChannel::new(64))
        } else {
            builder
        };
        let executor = builder.build().unwrap();
        let session = executor.session("s-1");
        outcomes.push(session.call(call(way)).await);
        outcomes.extend(session.turn().call_all([call(way), call(way)]).await);
        outcomes.push(session.spawn(call(way)).join().await);
        assert_eq!(started.load(Ordering::SeqCst), 4, "{way}");
    }
    outcomes
}

#[tokio::test]
async fn a_body_is_done_at_once_or_later_by_each_way() {
    for (way, text) in [("done", "at once"), ("waits", "later, in s-1")] {
        for outcome in each_way(way).await {
            assert_eq!(outcome.text(), text);
        }
    }
}

#[tokio::test]
async fn a_panic_at_the_start_is_the_end_of_its_call_alone() {
    for outcome in each_way("panics").await {
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Panicked);
    }
}

#[tokio::test]
async fn a_cancelled_call_does_not_start() {
    for way in ["done", "waits", "panics"] {
        let (tool, started) = starts();
        let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
        let turn = executor.session("s-1").turn();
        turn.cancel();
        let mut outcomes = turn.call_all([call(way), call(way)]).await;
        outcomes.push(turn.call(call(way)).await);
        for outcome in outcomes {
            let error = outcome.error().unwrap();
            assert_eq!(error.kind(), ErrorKind::Cancelled, "{way}");
            assert_eq!(error.message(), "the call was cancelled before it began");
        }
        assert_eq!(started.load(Ordering::SeqCst), 0, "{way}");
    }
}

#[tokio::test]
async fn a_start_that_is_awaited_gives_the_output() {
    let (tool, _) = starts();
    let context = testing::context().build();
    for (way, text) in [("done", "at once"), ("waits", "later, in test")] {
        let arguments = Arguments::from(format!(r#"{{"way": "{way}"}}"#));
        let invocation = tool.parse(&arguments).unwrap();
        let output = invocation.start(&context).await.unwrap();
        assert!(
            output.content()[0]
                .as_text()
                .unwrap()
                .starts_with(&text[..5])
        );
    }
}
