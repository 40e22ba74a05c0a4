//! From a spec and a closure: `tool_fn`.

use std::error::Error;
use std::io;
use std::sync::Arc;

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::context::ResourceKey;
use toolwright::tools::{TextTool, ToolFn};
use toolwright::{
    Content, Executor, ToolContext, ToolError, ToolOutcome, ToolOutput, ToolRegistry, tool_fn,
};

use super::executable::REVERSE;
use super::{Object, Shout, executor, kind, pure, whisper};
use crate::support::{Trace, place, places, ready_now};

#[test]
fn s1_16_a_schema_as_text_is_parsed_when_it_is_given() {
    let spec = pure("clock")
        .with_input_schema_text(REVERSE.input_schema())
        .unwrap();
    let tool = tool_fn(spec, async |_: Object, _ctx| Ok::<_, ToolError>(()));
    let registry = ToolRegistry::new().with(tool);
    let shown = registry.specs().next().unwrap().input_schema();
    assert_eq!(shown["required"], json!(["text"]));
    for broken in ["", "{", "null", "[]", "{}}", "{'a': 1}"] {
        let error = pure("clock").with_input_schema_text(broken).unwrap_err();
        assert_eq!(error.tool(), "clock");
        assert!(error.to_string().contains("`clock`"), "{error}");
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told_by_place() {
    use ProblemKind::{Missing, Type, Unknown};
    let executor = executor(whisper());
    for (arguments, kind, at) in [
        (
            r#"{"text": "a", "times": {"count": "2"}}"#,
            Type,
            "/times/count",
        ),
        (r#"{"text": "a", "loud": true}"#, Unknown, "/loud"),
        (r#"{"text": 5}"#, Type, "/text"),
        (r#"{"times": null}"#, Missing, "/text"),
        ("", Missing, "/text"),
    ] {
        let by_text = executor.call("whisper", arguments).await;
        assert_eq!(places(&by_text), [place(kind, at)]);
        if let Ok(tree) = serde_json::from_str::<Value>(arguments) {
            let by_tree = executor.call("whisper", tree).await;
            assert_eq!(places(&by_tree), places(&by_text));
        }
    }
    let twice = executor
        .call("whisper", r#"{"text": "a", "text": "b"}"#)
        .await;
    assert_eq!(places(&twice), [place(ProblemKind::Repeated, "/text")]);
    let broken = executor.call("whisper", r#"{"text": "a""#).await;
    assert_eq!(places(&broken), [place(ProblemKind::Syntax, "")]);
    // Serde would read a struct from a list.
    let list = executor.call("whisper", r#"["a", null]"#).await;
    assert_eq!(places(&list), [place(Type, "")]);
    assert!(
        list.text()
            .contains("expected an object of arguments, found a list")
    );
}

/// An error with a cause.
#[derive(Debug)]
struct Broken(io::Error);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the index is broken")
    }
}

impl Error for Broken {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn failing<E>(error: impl Fn() -> E + Send + Sync + 'static) -> ToolOutcome
where
    E: Into<Box<dyn Error + Send + Sync>> + Send + 'static,
{
    let tool = tool_fn(pure("fail"), move |_: Object, _ctx| {
        let error = error();
        async move { Err::<String, _>(error) }
    });
    ready_now(executor(tool).call("fail", ""))
}

#[test]
fn an_error_reaches_the_model_and_one_of_ours_keeps_its_kind() {
    let ours = || {
        ToolError::unavailable("asleep")
            .with_code("too_tired")
            .with_retryable(true)
    };
    for outcome in [
        failing(ours),
        failing(move || Box::new(ours()) as Box<dyn Error + Send + Sync>),
    ] {
        assert_eq!(*outcome.error().unwrap(), ours());
        assert_eq!(outcome.text(), "asleep");
        assert_eq!(outcome.result().source(), ResultSource::Tool);
    }
    let fatal = failing(|| ToolError::failed("the disk is gone").into_fatal());
    assert!(matches!(fatal, ToolOutcome::Failed(_)));

    for outcome in [failing(|| "asleep"), failing(|| "asleep".to_owned())] {
        assert_eq!(kind(&outcome), ErrorKind::Failed);
        assert_eq!(outcome.text(), "asleep");
    }
    // The model reads the top message, the log its chain.
    let chained = failing(|| Broken(io::Error::other("disk on fire")));
    assert_eq!(chained.text(), "the index is broken");
    let source = chained.error().unwrap().source().unwrap();
    assert_eq!(source.source().unwrap().to_string(), "disk on fire");
}

#[test]
fn what_a_closure_gives_becomes_what_the_same_from_a_function_would() {
    fn given<R: Into<ToolOutput> + Send + 'static>(
        make: impl Fn() -> R + Send + Sync + 'static,
    ) -> ToolOutcome {
        let tool = tool_fn(pure("give"), move |_: Object, _ctx| {
            let output = make();
            async move { Ok::<_, ToolError>(output) }
        });
        ready_now(executor(tool).call("give", ""))
    }
    let content = |outcome: &ToolOutcome| outcome.result().content().to_vec();
    let json = |value: Value| vec![Content::json(&value).unwrap()];
    assert_eq!(content(&given(|| ())), []);
    assert_eq!(content(&given(|| Value::Null)), []);
    assert_eq!(content(&given(|| "a")), [Content::text("a")]);
    assert_eq!(content(&given(|| json!("a"))), [Content::text("a")]);
    assert_eq!(content(&given(|| json!(5))), json(json!(5)));
    assert_eq!(content(&given(|| json!([1, {}]))), json(json!([1, {}])));
    let object = || Object::from_iter([("a".to_owned(), json!(1))]);
    assert_eq!(content(&given(object)), json(json!({"a": 1})));
    let parts = || vec![Content::text("a"), Content::image([1_u8], "image/png")];
    assert_eq!(content(&given(parts)), parts());
    let told = given(|| ToolOutput::text("a").with_metadata("rows", 3));
    assert_eq!(told.result().metadata().unwrap()["rows"], 3);
    assert_eq!(kind(&given(|| ToolOutput::error("no"))), ErrorKind::Failed);
}

pub(super) struct Motto(&'static str);

#[tokio::test]
async fn a_resource_that_is_needed_is_there_or_the_executor_is_not() {
    let motto = || {
        tool_fn(pure("motto"), |_: Object, ctx: ToolContext| async move {
            let motto = ctx.require::<Motto>()?;
            tokio::task::yield_now().await;
            Ok::<_, ToolError>(motto.0)
        })
    };
    let needs = [ResourceKey::of::<Motto>(), ResourceKey::optional::<Trace>()];
    let registry = ToolRegistry::new().with(motto().with_needs(needs));
    let error = Executor::new(registry.clone()).unwrap_err();
    assert_eq!(error.problems().len(), 1);
    assert!(error.to_string().contains("`motto` needs"), "{error}");
    let builder = Executor::builder(registry).resource(Motto("onwards"));
    let executor = builder.build().unwrap();
    assert_eq!(executor.call("motto", "").await.text(), "onwards");

    let unsaid = Executor::new(ToolRegistry::new().with(motto())).unwrap();
    let outcome = unsaid.call("motto", "").await;
    assert_eq!(kind(&outcome), ErrorKind::Unavailable);
}

#[tokio::test]
async fn calls_of_one_closure_do_not_wait_for_each_other() {
    let barrier = Arc::new(tokio::sync::Barrier::new(100));
    let tool: ToolFn = tool_fn(pure("meet"), move |arguments: Object, _ctx| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            Ok::<_, ToolError>(arguments["n"].clone())
        }
    });
    let executor = executor(tool);
    let calls = (0..100).map(|n| {
        let executor = executor.clone();
        tokio::spawn(async move { executor.call("meet", json!({"n": n})).await.text() })
    });
    for (n, call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), n.to_string());
    }
}

#[test]
fn a_name_that_is_taken_is_told_as_of_any_tool() {
    let registry = ToolRegistry::new()
        .with(Shout)
        .with(tool_fn(pure("shout"), async |_: Object, _ctx| {
            Ok::<_, ToolError>(())
        }));
    let error = Executor::new(registry).unwrap_err();
    assert!(error.to_string().contains("`shout`"), "{error}");
    assert!(error.to_string().contains("by_hand/function.rs"), "{error}");
}
