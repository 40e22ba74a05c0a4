//! Tools made at run time: each form beside one that `#[tool]` made, through one executor.

mod bytes;
mod executable;
mod function;
mod stages;
mod starts;
mod typed;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::spec::Effect;
use toolwright::tools::{ToolFn, from_bytes, from_executable};
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome, ToolRegistry,
    ToolSpec, tool, tool_fn,
};

use executable::REVERSE;

type Object = Map<String, Value>;

fn pure(name: &'static str) -> ToolSpec {
    ToolSpec::new(ToolName::new(name).unwrap(), "Made at run time.").with_effect(Effect::Pure)
}

fn executor(tool: impl Tool) -> Executor {
    Executor::new(ToolRegistry::new().with(tool)).unwrap()
}

fn kind(outcome: &ToolOutcome) -> ErrorKind {
    outcome.error().unwrap().kind()
}

/// Write a text in capitals.
#[tool(pure, register = false)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

/// The arguments of `whisper`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whisper {
    text: String,
    #[serde(default)]
    times: Option<Times>,
}

#[derive(Deserialize)]
struct Times {
    count: usize,
}

fn whisper() -> ToolFn<Whisper> {
    tool_fn(pure("whisper"), |whisper: Whisper, _ctx| async move {
        let count = whisper.times.map_or(1, |times| times.count);
        Ok::<_, ToolError>(whisper.text.to_lowercase().repeat(count))
    })
}

fn echo() -> ToolFn<Vec<u8>> {
    from_bytes(pure("echo"), |input, _ctx| {
        Ok::<_, ToolError>(input.to_vec())
    })
}

#[tokio::test]
async fn each_form_is_called_through_one_executor_by_text_and_by_tree() {
    let registry = ToolRegistry::new()
        .with(Shout)
        .with(whisper())
        .with(echo())
        .with(from_executable(REVERSE).unwrap());
    let names: Vec<_> = registry.specs().map(|spec| spec.name().as_str()).collect();
    assert_eq!(names, ["echo", "shout", "text.reverse", "whisper"]);

    let executor = Executor::new(registry).unwrap();
    for (name, expected) in [
        ("shout", "OH"),
        ("whisper", "oh"),
        ("text.reverse", "hO"),
        ("echo", r#"{"text":"Oh"}"#),
    ] {
        let tree = json!({"text": "Oh"});
        let text = tree.to_string();
        for outcome in [
            executor.call(name, text.as_str()).await,
            executor.call(name, &tree).await,
        ] {
            assert_eq!(outcome.text(), expected);
            assert_eq!(outcome.result().tool(), name);
            assert_eq!(outcome.result().source(), ResultSource::Tool);
        }
    }
}

fn tell(ctx: &ToolContext) -> Value {
    json!({
        "session": ctx.session_id(),
        "turn": ctx.turn_id(),
        "call": ctx.call_id(),
        "invocation": ctx.invocation_id(),
        "tool": ctx.tool_name(),
        "metadata": ctx.metadata(),
    })
}

#[tokio::test]
async fn each_form_sees_the_ids_of_its_own_call() {
    let function = tool_fn(pure("function"), |_: Object, ctx: ToolContext| async move {
        // A context may go to another task and stay what it was.
        tokio::spawn(async move { tell(&ctx) }).await
    });
    let bytes = from_bytes(pure("bytes"), |_, ctx| serde_json::to_vec(&tell(ctx)));
    let registry = ToolRegistry::new().with(function).with(bytes);
    let executor = Executor::new(registry).unwrap();
    for name in ["function", "bytes"] {
        for id in ["s-1", "s-2"] {
            let session = executor.session(id);
            let turn = session.turn();
            let metadata = Object::from_iter([("user".to_owned(), json!("ada"))]);
            let call = ToolCall::new(name, "")
                .with_id("c-1")
                .with_metadata(metadata.clone());
            let outcome = turn.call(call).await;
            let seen: Value = serde_json::from_str(&outcome.text()).unwrap();
            let expected = json!({
                "session": id,
                "turn": turn.id(),
                "call": "c-1",
                "invocation": outcome.result().invocation_id(),
                "tool": name,
                "metadata": metadata,
            });
            assert_eq!(seen, expected);
        }
    }
}
