//! The author's own check of arguments that satisfy the schema.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
use toolwright::tools::{TextTool, from_executable};
use toolwright::{
    Executor, PermissionRequest, ToolContext, ToolError, ToolRegistry, ToolSpec, tool_fn,
};

use super::{Object, echo, executor, refused, spec};
use crate::support::{place, places};

/// A room to be booked, by its number.
struct Booking;

impl TextTool for Booking {
    fn name(&self) -> &'static str {
        "book"
    }

    fn description(&self) -> &'static str {
        "Book a room."
    }

    fn input_schema(&self) -> &'static str {
        r#"{"type": "object", "properties": {"room": {"type": "integer"}}, "required": ["room"]}"#
    }

    fn refine(&self, spec: ToolSpec) -> ToolSpec {
        spec.with_effect(toolwright::spec::Effect::Pure)
    }

    fn validate(&self, input: &Object) -> Result<(), InvalidArguments> {
        if input["room"] == 13 {
            let problem = ArgumentProblem::new(ProblemKind::Constraint, "/room", "there is no 13");
            return Err(InvalidArguments::new(vec![problem]));
        }
        Ok(())
    }

    fn execute(
        &self,
        _context: ToolContext,
        input: Object,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
        Box::pin(async move { Ok(input["room"].to_string()) })
    }
}

#[tokio::test]
async fn s4_03_an_own_check_refuses_and_without_one_all_is_taken() {
    let booking = from_executable(Arc::new(Booking) as Arc<dyn TextTool>).unwrap();
    let own = executor(booking);
    let told = refused(&own, "book", json!({"room": 13})).await;
    assert_eq!(places(&told), [place(ProblemKind::Constraint, "/room")]);
    assert_eq!(told.text(), "Invalid arguments: `/room`: there is no 13");
    assert_eq!(own.call("book", json!({"room": 12})).await.text(), "12");

    let without = executor(echo(json!({"type": "object"})));
    let sent = json!({"room": 13});
    let taken = without.call("echo", sent.clone()).await;
    assert_eq!(taken.text(), sent.to_string());
}

#[tokio::test]
async fn the_authors_check_comes_after_the_schema_and_before_anybody_is_asked() {
    let asked = Arc::new(AtomicUsize::new(0));
    let checked = Arc::new(AtomicUsize::new(0));
    let (asks, checks) = (Arc::clone(&asked), Arc::clone(&checked));
    let counts = || {
        (
            checked.load(Ordering::Relaxed),
            asked.load(Ordering::Relaxed),
        )
    };
    let schema = json!({"type": "object", "properties": {"room": {"type": "integer"}}});
    let tool = tool_fn(spec("room", schema), async |_: Object, _ctx| {
        Ok::<_, ToolError>("booked")
    })
    .with_validate(move |input| {
        checks.fetch_add(1, Ordering::Relaxed);
        match input.get("room").and_then(Value::as_i64) {
            Some(13) => Err("there is no 13"),
            _ => Ok(()),
        }
    })
    .with_permission(move |_, _| {
        asks.fetch_add(1, Ordering::Relaxed);
        Vec::<PermissionRequest>::new()
    });
    let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
    let told = executor.call("room", json!({"room": "x"})).await;
    assert_eq!(places(&told), [place(ProblemKind::Type, "/room")]);
    assert_eq!(counts(), (0, 0));
    let told = executor.call("room", json!({"room": 13})).await;
    assert_eq!(told.text(), "Invalid arguments: there is no 13");
    assert_eq!(counts(), (1, 0));
    let done = executor.call("room", json!({"room": 12})).await;
    assert_eq!(done.text(), "booked");
    assert_eq!(counts(), (2, 1));
}
