//! The facts that a running call knows: its ids, its turn, and the things of the app or of its own tool.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::ErrorKind;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome, ToolOutput,
    ToolRegistry, ToolSpec, tool,
};

#[derive(Default)]
struct Counter(AtomicU64);

/// Count one up.
#[tool(idempotent)]
fn count_up(counter: &Counter) -> u64 {
    counter.0.fetch_add(1, Ordering::Relaxed) + 1
}

/// Tell the count.
#[tool(read_only)]
fn tell_count(ctx: &ToolContext) -> Result<u64, ToolError> {
    Ok(ctx.require::<Counter>()?.0.load(Ordering::Relaxed))
}

/// Tell the count as something that it is not kept as.
#[tool(read_only)]
fn tell_wrong_count(ctx: &ToolContext) -> Result<u64, ToolError> {
    assert!(ctx.resource::<AtomicU64>().is_none());
    Ok(ctx.require::<AtomicU64>()?.load(Ordering::Relaxed))
}

#[tokio::test]
async fn s0_14_tools_share_what_the_app_lends() {
    let counter = Arc::new(Counter::default());
    let registry = ToolRegistry::new()
        .with(CountUp)
        .with(TellCount)
        .with(TellWrongCount);
    let executor = Executor::builder(registry)
        .permission_checker(toolwright::permission::AllowAll)
        .resource_arc(Arc::clone(&counter))
        .build()
        .unwrap();
    for _ in 0..3 {
        assert!(executor.call("count_up", "").await.is_success());
    }
    assert_eq!(executor.call("tell_count", "").await.text(), "3");
    assert_eq!(counter.0.load(Ordering::Relaxed), 3);

    let wrong = executor.call("tell_wrong_count", "").await;
    let error = wrong.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    // The type is for the log and not for the model.
    assert!(!wrong.text().contains("Atomic"), "{}", wrong.text());
    let source = std::error::Error::source(error).unwrap().to_string();
    assert!(source.contains("AtomicU64"), "{source}");
}

/// Tell where this call belongs.
#[tool(read_only)]
fn whereabouts(ctx: &ToolContext, note: Option<String>) -> String {
    let call = ctx.call_id().map_or("?", |id| id.as_str());
    let note = note.unwrap_or_default();
    format!("{} {} {call} {note}", ctx.session_id(), ctx.turn_id())
}

fn located() -> Executor {
    Executor::new(ToolRegistry::new().with(Whereabouts)).unwrap()
}

#[tokio::test]
async fn s2_02_each_session_sees_its_own_id() {
    let executor = located();
    let (ada, bob) = (executor.session("ada"), executor.session("bob"));
    let call = || ToolCall::new("whereabouts", "");
    let (in_ada, in_bob) = tokio::join!(ada.call(call()), bob.call(call()));
    assert!(in_ada.text().starts_with("ada "), "{}", in_ada.text());
    assert!(in_bob.text().starts_with("bob "), "{}", in_bob.text());
}

#[tokio::test]
async fn s2_03_the_call_id_is_the_models_own() {
    let session = located().session("s");
    for id in ["toolu_01A", "call-2", "toolu_01A"] {
        let call = ToolCall::new("whereabouts", "").with_id(id);
        let outcome = session.call(call).await;
        assert!(outcome.text().contains(id), "{}", outcome.text());
        assert_eq!(outcome.result().call_id().unwrap().as_str(), id);
    }
    let without = session.call(ToolCall::new("whereabouts", "")).await;
    assert!(without.text().contains('?'), "{}", without.text());
    assert_eq!(without.result().call_id(), None);
}

/// Tell the number of the turn.
#[tool(read_only)]
fn turn_number(ctx: &ToolContext) -> u64 {
    ctx.turn_id().number()
}

#[tokio::test]
async fn s2_04_turns_rise_within_their_session() {
    let executor = Executor::new(ToolRegistry::new().with(TurnNumber)).unwrap();
    let call = || ToolCall::new("turn_number", "");
    let number = |outcome: ToolOutcome| outcome.text().parse::<u64>().unwrap();
    let session = executor.session("s");
    let mut last = 0;
    for _ in 0..3 {
        let turn = session.turn();
        assert!(turn.id().number() > last);
        last = turn.id().number();
        for _ in 0..2 {
            let seen = number(turn.call(call()).await);
            assert_eq!(seen, last, "all calls of a turn see its number");
        }
    }
    // A call without a turn is a turn of its own.
    let alone = number(session.call(call()).await);
    assert!(alone > last);
    assert!(number(session.call(call()).await) > alone);
}

#[tokio::test]
async fn s2_05_the_context_is_passed_without_the_model_or_the_author() {
    let schema = Whereabouts.spec().input_schema();
    let properties: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(properties, ["note"]);

    let executor = located();
    let arguments = json!({"note": "hello"});
    let outcome = executor.call("whereabouts", &arguments).await;
    assert!(outcome.text().starts_with("default "), "{}", outcome.text());
    assert!(outcome.text().ends_with(" hello"), "{}", outcome.text());

    // A model that sends one all the same reads that the argument does not exist.
    let forged: Value = json!({"ctx": {"session_id": "admin"}});
    let refused = executor.call("whereabouts", forged).await;
    assert_eq!(refused.error().unwrap().kind(), ErrorKind::InvalidArguments);
}

/// The port that the tools below write to.
trait Notebook: Send + Sync + 'static {
    fn note(&self, line: &str) -> usize;
}

#[derive(Default)]
struct InMemory(Mutex<Vec<String>>);

impl Notebook for InMemory {
    fn note(&self, line: &str) -> usize {
        let mut lines = self.0.lock().unwrap();
        lines.push(line.to_owned());
        lines.len()
    }
}

/// A tool that is given what it works with when it is made.
struct TakeNote {
    spec: ToolSpec,
    notebook: Arc<dyn Notebook>,
}

impl TakeNote {
    fn new(notebook: Arc<dyn Notebook>) -> Self {
        let name = ToolName::new("take_note").unwrap();
        let spec = ToolSpec::new(name, "Take a note.").with_input_schema(json!({
            "type": "object",
            "properties": {"line": {"type": "string"}},
            "required": ["line"],
        }));
        Self { spec, notebook }
    }
}

impl Tool for TakeNote {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        #[derive(serde::Deserialize)]
        struct Note {
            line: String,
        }
        let Note { line } = arguments.parse()?;
        let notebook = Arc::clone(&self.notebook);
        Ok(Box::new(TakeNoteCall { line, notebook }))
    }
}

struct TakeNoteCall {
    line: String,
    notebook: Arc<dyn Notebook>,
}

impl Invocation for TakeNoteCall {
    fn start(self: Box<Self>, _ctx: &ToolContext) -> Started<'_> {
        let count = self.notebook.note(&self.line);
        Started::Done(Ok(ToolOutput::text(format!("note {count}"))))
    }
}

#[tokio::test]
async fn s2_34_a_tool_is_given_its_parts_by_its_constructor() {
    let notebooks = [Arc::new(InMemory::default()), Arc::new(InMemory::default())];
    let executors = notebooks.clone().map(|notebook| {
        Executor::builder(ToolRegistry::new().with(TakeNote::new(notebook)))
            .permission_checker(toolwright::permission::AllowAll)
            .build()
            .unwrap()
    });
    for line in ["milk", "bread"] {
        executors[0].call("take_note", json!({"line": line})).await;
    }
    let other = executors[1]
        .call("take_note", json!({"line": "nails"}))
        .await;
    assert_eq!(other.text(), "note 1", "the two share nothing");
    assert_eq!(*notebooks[0].0.lock().unwrap(), ["milk", "bread"]);
    assert_eq!(*notebooks[1].0.lock().unwrap(), ["nails"]);
}
