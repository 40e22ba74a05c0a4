//! Tools that macros or closures make let go of a session too.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use toolwright::content::ErrorKind;
use toolwright::id::SessionId;
use toolwright::tools::{TextTool, from_bytes, from_executable};
use toolwright::{
    Executor, RunTool, Tool, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool,
    tool_fn, toolset,
};

/// The things that were let go of.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn drop_of(&self, what: &str, session: &SessionId) {
        self.0.lock().unwrap().push(format!("{what} of {session}"));
    }

    async fn forget(&self, session: &SessionId) -> Result<(), ToolError> {
        tokio::task::yield_now().await;
        self.drop_of("notes", session);
        Ok(())
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Write a note.
#[tool(register = false, cleanup = notes.forget(session).await)]
async fn note(text: String, notes: &Notes) -> usize {
    drop(text);
    notes.all().len()
}

/// Sync bodies take a cleanup that does not wait.
#[tool(register = false, pure, cleanup = notes.drop_of("count", session))]
fn count(text: String, notes: &Notes) -> usize {
    let _ = notes;
    text.len()
}

struct Desk {
    drawers: Mutex<Vec<SessionId>>,
    cleaned: Mutex<Vec<SessionId>>,
}

#[toolset(prefix = "desk", cleanup = self.clear(session).await)]
impl Desk {
    /// Open a drawer.
    #[tool]
    async fn open(&self, ctx: &ToolContext) {
        self.drawers.lock().unwrap().push(ctx.session_id().clone());
    }

    /// Count the drawers.
    #[tool(read_only)]
    fn drawers(&self) -> usize {
        self.drawers.lock().unwrap().len()
    }

    async fn clear(&self, session: &SessionId) -> Result<(), String> {
        tokio::task::yield_now().await;
        self.cleaned.lock().unwrap().push(session.clone());
        self.drawers.lock().unwrap().retain(|of| of != session);
        Ok(())
    }
}

/// Lend a book.
#[derive(Tool)]
#[tool(needs(Notes), cleanup = ctx.require::<Notes>()?.drop_of("books", session))]
struct Lend {
    book: String,
}

impl RunTool for Lend {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.book
    }
}

struct Plain(Arc<Notes>);

impl TextTool for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn description(&self) -> &'static str {
        "Do something plain."
    }

    fn input_schema(&self) -> &'static str {
        r#"{"type": "object"}"#
    }

    fn execute(
        &self,
        _context: ToolContext,
        _input: Map<String, Value>,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
        Box::pin(async { Ok("plain".to_owned()) })
    }

    fn cleanup_session<'a>(
        &'a self,
        session: &'a SessionId,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move {
            self.0.drop_of("plain", session);
            Ok(())
        })
    }
}

#[tokio::test]
async fn s2_46_annotated_tools_clean_up_when_a_session_ends_once() {
    let notes = Arc::new(Notes::default());
    let desk = Arc::new(Desk {
        drawers: Mutex::default(),
        cleaned: Mutex::default(),
    });
    let registry = ToolRegistry::new()
        .with(Note)
        .with(Count)
        .with_set_arc(Arc::clone(&desk))
        .with_type::<Lend>();
    let executor = Executor::builder(registry)
        .resource_arc(Arc::clone(&notes))
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    let (ends, stays) = (executor.session("s-1"), executor.session("s-2"));
    for session in [&ends, &stays] {
        session
            .call(toolwright::ToolCall::new("desk.open", "{}"))
            .await;
    }
    ends.end().await.unwrap();
    let mut all = notes.all();
    all.sort();
    assert_eq!(all, ["books of s-1", "count of s-1", "notes of s-1"]);
    // Both tools of the block share the value, which is asked once.
    assert_eq!(*desk.cleaned.lock().unwrap(), [SessionId::new("s-1")]);
    assert_eq!(*desk.drawers.lock().unwrap(), [SessionId::new("s-2")]);
    drop(stays);
    assert_eq!(notes.all().len(), 3);
}

#[tokio::test]
async fn s2_46_tools_made_at_run_time_clean_up_too() {
    let notes = Arc::new(Notes::default());
    let spec = |name: &str| ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "Do something.");
    let forget = |what: &'static str| {
        let notes = Arc::clone(&notes);
        move |session: SessionId| {
            let notes = Arc::clone(&notes);
            async move {
                notes.drop_of(what, &session);
                Ok::<(), String>(())
            }
        }
    };
    let closure = tool_fn(spec("closure"), async |_: Map<String, Value>, _| {
        Ok::<_, ToolError>("")
    });
    let bytes = from_bytes(spec("bytes"), |input, _| Ok::<_, ToolError>(input.to_vec()));
    let registry = ToolRegistry::new()
        .with(closure.on_session_end(forget("closure")))
        .with(bytes.on_session_end(forget("bytes")))
        .with(from_executable(Plain(Arc::clone(&notes))).unwrap());
    let executor = Executor::new(registry).unwrap();
    executor.session("s-1").end().await.unwrap();
    let mut all = notes.all();
    all.sort();
    assert_eq!(all, ["bytes of s-1", "closure of s-1", "plain of s-1"]);
}

#[tokio::test]
async fn s2_46_what_fails_or_panics_is_told_and_the_others_clean_up() {
    /// Fail at the end.
    #[tool(register = false, pure, cleanup = fail())]
    fn failing() {}

    fn fail() -> Result<(), std::num::ParseIntError> {
        "ten".parse::<u32>().map(drop)
    }

    /// Panic at the end.
    #[tool(register = false, pure, cleanup = trip().await)]
    fn tripping() {}

    async fn trip() {
        panic!("it slipped");
    }

    let notes = Arc::new(Notes::default());
    let registry = ToolRegistry::new().with(Failing).with(Tripping).with(Note);
    let executor = Executor::builder(registry).resource_arc(Arc::clone(&notes));
    let error = executor
        .build()
        .unwrap()
        .session("s-1")
        .end()
        .await
        .unwrap_err();
    let mut failed: Vec<(String, ErrorKind)> = error
        .failed()
        .map(|(name, error)| (name.to_string(), error.kind()))
        .collect();
    failed.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        failed,
        [
            ("failing".to_owned(), ErrorKind::Failed),
            ("tripping".to_owned(), ErrorKind::Panicked),
        ]
    );
    assert_eq!(notes.all(), ["notes of s-1"]);
}

/// A tool under another name is the same tool.
#[tokio::test]
async fn s2_46_a_renamed_tool_cleans_up() {
    let notes = Arc::new(Notes::default());
    let registry = ToolRegistry::new().with(Note).prefixed("my");
    let executor = Executor::builder(registry).resource_arc(Arc::clone(&notes));
    executor
        .build()
        .unwrap()
        .session("s-1")
        .end()
        .await
        .unwrap();
    assert_eq!(notes.all(), ["notes of s-1"]);
}
