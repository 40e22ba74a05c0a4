//! The facts that a running call knows about itself and cannot change.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::Barrier;
use toolwright::arguments::Arguments;
use toolwright::id::CallId;
use toolwright::{Executor, Tool, ToolCall, ToolContext, ToolError, ToolRegistry, testing, tool};

use crate::support::context_signatures;

/// Tell which call this is.
#[tool(name = "who.am.i", aliases("whoami"), read_only, register = false)]
fn who_am_i(ctx: &ToolContext) -> Value {
    json!({
        "call_id": ctx.call_id(),
        "tool_name": ctx.tool_name(),
        "session": ctx.session_id(),
        "turn": ctx.turn_id(),
        "invocation": ctx.invocation_id(),
        "metadata": ctx.metadata(),
    })
}

#[tokio::test]
async fn s4_22_the_context_is_of_the_call() {
    let executor = Executor::new(ToolRegistry::new().with(WhoAmI)).unwrap();
    let session = executor.session("s-1");
    let turn = session.turn();
    for (name, id) in [
        ("who.am.i", Some("call-1")),
        ("whoami", Some("ü")),
        ("who_am_i", None),
    ] {
        let mut call = ToolCall::new(name, Arguments::empty());
        if let Some(id) = id {
            call = call.with_id(id);
        }
        let result = turn.call(call).await.into_result();
        let told: Value = serde_json::from_str(&result.text()).unwrap();
        let expected = json!({
            "call_id": id,
            "tool_name": "who.am.i",
            "session": "s-1",
            "turn": turn.id(),
            "invocation": result.invocation_id(),
            "metadata": null,
        });
        assert_eq!(told, expected, "called as {name}");
        assert_eq!(result.call_id().map(CallId::as_str), id);
    }
    let noted = Map::from_iter([("trace".to_owned(), json!("t-9"))]);
    let call = ToolCall::new("whoami", "{}").with_metadata(noted);
    let told: Value = serde_json::from_str(&turn.call(call).await.text()).unwrap();
    assert_eq!(told["metadata"], json!({"trace": "t-9"}));
}

/// Meet another call that has the same context.
#[tool(name = "meet.here", read_only, register = false)]
async fn meet_here(number: u32, ctx: &ToolContext) -> Result<String, ToolError> {
    ctx.require::<Barrier>()?.wait().await;
    Ok(format!("{number} in {}", ctx.session_id()))
}

// The first half is read off the source: each public function of the context, wherever it stands, takes it
// by a shared reference and gives none that could be written to. In the second, two tasks hold one context.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s4_31_a_context_is_only_read() {
    for signature in context_signatures() {
        let (_, after) = signature.split_once('(').unwrap();
        let receiver = after.split([',', ')']).next().unwrap().trim();
        assert!(["&self", "&'a self"].contains(&receiver), "{signature}");
        assert!(!signature.contains("mut "), "{signature}");
    }
    let source = include_str!("../../../sdk/src/context/tool_context.rs");
    let (_, fields) = source.split_once("pub struct ToolContext {\n").unwrap();
    let (fields, _) = fields.split_once("\n}\n").unwrap();
    let fields = fields.lines().map(str::trim_start);
    let fields: Vec<&str> = fields.filter(|line| !line.starts_with("//")).collect();
    assert!(fields.len() > 2 && fields.iter().all(|field| !field.starts_with("pub ")));

    let context = testing::context()
        .session_id("one")
        .resource(Barrier::new(2))
        .build();
    let context: Arc<ToolContext> = Arc::new(context);
    let [first, second] = [1, 2].map(|number| {
        let context = Arc::clone(&context);
        let arguments = Arguments::from(json!({ "number": number }));
        let invocation = MeetHere.parse(&arguments).ok().unwrap();
        tokio::spawn(async move { invocation.start(&context).await })
    });
    for (running, expected) in [(first, "1 in one"), (second, "2 in one")] {
        let ended = tokio::time::timeout(Duration::from_secs(20), running).await;
        let output = ended.unwrap().unwrap().unwrap();
        assert_eq!(output.content()[0].as_text(), Some(expected));
    }
}
