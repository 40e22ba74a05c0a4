//! Tools that give their name, description and schema as text: `from_executable`.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::tools::{TextTool, from_executable};
use toolwright::{Executor, Tool, ToolContext, ToolRegistry, ToolSpec};

use super::{Object, executor, kind};

/// A tool of another SDK's shape: its future borrows nothing.
pub(super) struct Reverse {
    schema: &'static str,
    name: &'static str,
}

pub(super) const REVERSE: Reverse = Reverse {
    name: "text.reverse",
    schema: r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#,
};

impl TextTool for Reverse {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &'static str {
        "Turn a text around."
    }

    fn input_schema(&self) -> &str {
        self.schema
    }

    fn refine(&self, spec: ToolSpec) -> ToolSpec {
        spec.with_effect(Effect::ReadOnly).with_title("Reverse")
    }

    fn execute(
        &self,
        context: ToolContext,
        input: Object,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            match input.get("text") {
                Some(Value::String(text)) if !text.is_empty() => Ok(text.chars().rev().collect()),
                _ => Err(format!("{} needs a text", context.tool_name())),
            }
        })
    }
}

#[tokio::test]
async fn s2_06_an_executable_gives_text_or_the_text_of_an_error() {
    let shared: Arc<dyn TextTool> = Arc::new(REVERSE);
    let executor = executor(from_executable(shared).unwrap());
    let turned = executor
        .call("text.reverse", r#"{"text": "stressed"}"#)
        .await;
    assert_eq!(turned.text(), "desserts");
    let refused = executor.call("text.reverse", r#"{"text": 5}"#).await;
    assert_eq!(kind(&refused), ErrorKind::InvalidArguments);
    let failed = executor.call("text.reverse", r#"{"text": ""}"#).await;
    assert_eq!(kind(&failed), ErrorKind::Failed);
    assert_eq!(failed.text(), "text.reverse needs a text");
    assert_eq!(failed.result().source(), ResultSource::Tool);
}

/// An executable whose future borrows from it, and that says nothing of its effect.
struct Counter(AtomicUsize);

impl TextTool for Counter {
    fn name(&self) -> &'static str {
        "count"
    }

    fn description(&self) -> &'static str {
        "Count the calls."
    }

    fn input_schema(&self) -> &'static str {
        "{}"
    }

    fn execute(
        &self,
        _context: ToolContext,
        _input: Object,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            Ok((self.0.fetch_add(1, Ordering::Relaxed) + 1).to_string())
        })
    }
}

#[tokio::test]
async fn s2_06_an_executable_keeps_its_state_and_promises_nothing_by_itself() {
    let counter = || from_executable(Counter(AtomicUsize::new(0))).unwrap();
    let asked = executor(counter()).call("count", "").await;
    assert_eq!(asked.error().unwrap().code(), "approval_unavailable");

    let allowed =
        Executor::builder(ToolRegistry::new().with(counter())).permission_checker(AllowAll);
    let executor = allowed.build().unwrap();
    for expected in ["1", "2", "3"] {
        assert_eq!(executor.call("count", "").await.text(), expected);
    }
}

#[test]
fn s2_45_an_executable_shows_name_description_and_schema() {
    let tool = from_executable(REVERSE).unwrap();
    let spec = tool.spec();
    assert_eq!(spec.name(), &"text.reverse");
    assert_eq!(spec.description(), "Turn a text around.");
    let schema: Value = serde_json::from_str(REVERSE.schema).unwrap();
    assert_eq!(*spec.input_schema(), schema);
    assert_eq!(spec.title(), Some("Reverse"));
    assert_eq!(spec.effect(), Effect::ReadOnly);
}

#[test]
fn s1_16_s2_40_an_executable_that_says_nonsense_is_an_error_that_tells_all() {
    let broken = from_executable(Reverse {
        name: "text reverse",
        schema: "{\"type\": object}",
    });
    let error = broken.unwrap_err();
    assert_eq!(error.name().unwrap().name(), "text reverse");
    assert_eq!(error.schema().unwrap().position(), Some(10));
    assert_eq!(
        error.to_string(),
        "`text reverse` cannot be a tool's name: ' ' is not allowed; use letters, digits, `_`, \
         `-`, and `.` between segments\n\
         the input schema of `text reverse` is not JSON: there is an error at character 10 of 16"
    );

    let schema = "[]";
    let error = from_executable(Reverse { schema, ..REVERSE }).unwrap_err();
    assert!(error.name().is_none());
    assert_eq!(error.schema().unwrap().tool(), "text.reverse");
    assert_eq!(error.schema().unwrap().position(), None);
    let name = "";
    let error = from_executable(Reverse { name, ..REVERSE }).unwrap_err();
    assert!(error.name().is_some() && error.schema().is_none());
}
