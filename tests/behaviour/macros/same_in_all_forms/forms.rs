//! The tool, once in each form.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use toolwright::context::ResourceKey;
use toolwright::spec::Effect;
use toolwright::tools::{ToolFn, tool_fn_typed};
use toolwright::{
    PermissionRequest, RunTool, Tool, ToolContext, ToolError, ToolRegistry, ToolSpec, tool,
    tool_fn, tool_type, toolset,
};

/// The resource of the app: the worker's name, and the notes about the work.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) runs: AtomicUsize,
    pub(super) left: AtomicUsize,
}

impl Ledger {
    fn owner(&self) -> &'static str {
        let _ = &self.runs;
        "Ada"
    }
}

/// Notes that a body's future is gone.
struct Leaving<'l>(&'l Ledger);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.left.fetch_add(1, Ordering::SeqCst);
    }
}

/// The way of the work.
#[tool_type]
#[derive(Debug, Default)]
#[serde(tag = "step", rename_all = "snake_case")]
enum How {
    #[default]
    Well,
    Fail,
    Panic,
    Wait,
}

/// The work that was done.
#[tool_type(result)]
struct Done {
    done: Vec<String>,
    call: String,
}

/// The reason why the work failed.
#[derive(Debug)]
enum WorkError {
    Impossible(String),
    Tool(ToolError),
}

impl fmt::Display for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible(path) => write!(f, "{path}: it cannot be done"),
            Self::Tool(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for WorkError {}

impl From<WorkError> for ToolError {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Tool(error) => error,
            WorkError::Impossible(_) => Self::from_source(error),
        }
    }
}

fn not_seven(path: &String, count: &u32, _: &Option<String>, _: &How) -> Result<(), String> {
    match count {
        7 => Err(format!("seven is too many for `{path}`")),
        _ => Ok(()),
    }
}

fn request(path: &str, count: u32, ledger: &Ledger) -> PermissionRequest {
    let summary = format!("use {path} {count} as {}", ledger.owner());
    PermissionRequest::new("work", path.to_owned(), summary)
}

fn step(path: &str, how: &How) -> Result<(), WorkError> {
    match how {
        How::Fail if path == "gone" => {
            let gone = ToolError::not_found(format!("`{path}` is gone"));
            Err(WorkError::Tool(gone.with_code("gone")))
        }
        How::Fail => Err(WorkError::Impossible(path.to_owned())),
        How::Panic => panic!("at {path}"),
        How::Well | How::Wait => Ok(()),
    }
}

fn work(
    path: &str,
    count: u32,
    note: Option<String>,
    how: &How,
    ledger: &Ledger,
    ctx: &ToolContext,
) -> Result<Done, ToolError> {
    ledger.runs.fetch_add(1, Ordering::SeqCst);
    step(path, how)?;
    let note = note.as_deref().unwrap_or("none");
    let id = ctx.call_id().map_or("nobody", |id| id.as_str());
    Ok(Done {
        done: (1..=count)
            .map(|number| format!("{path} {number} {note}"))
            .collect(),
        call: format!("{} in {} by {id}", ctx.tool_name(), ctx.session_id()),
    })
}

async fn work_later(
    path: &str,
    count: u32,
    note: Option<String>,
    how: &How,
    ledger: &Ledger,
    ctx: &ToolContext,
) -> Result<Done, ToolError> {
    if matches!(how, How::Wait) {
        ledger.runs.fetch_add(1, Ordering::SeqCst);
        let _leaving = Leaving(ledger);
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }
    tokio::task::yield_now().await;
    work(path, count, note, how, ledger, ctx)
}

/// Do some work.
#[tool(
    register = false,
    name = "work.do",
    aliases("work.perform"),
    category = "work",
    idempotent,
    timeout = "250ms",
    validate = not_seven,
    permission = request(path, *count, ledger),
    metadata(team = "core")
)]
async fn later(
    ctx: &ToolContext,
    #[arg(length = 1.., aliases("file"))] path: String,
    #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
    ledger: &Ledger,
    note: Option<String>,
    #[arg(default)] how: How,
) -> Result<Done, ToolError> {
    work_later(&path, count, note, &how, ledger, ctx).await
}

/// Do some work.
#[tool(
    register = false,
    name = "work.do",
    aliases("work.perform"),
    category = "work",
    idempotent,
    validate = not_seven,
    permission = request(path, *count, ledger),
    metadata(team = "core")
)]
fn now(
    #[arg(length = 1.., aliases("file"))] path: String,
    #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
    note: Option<String>,
    #[arg(default)] how: How,
    ledger: &Ledger,
    ctx: &ToolContext,
) -> Result<Done, ToolError> {
    work(&path, count, note, &how, ledger, ctx)
}

/// Do some work.
#[tool(
    register = false,
    name = "work.do",
    aliases("work.perform"),
    category = "work",
    idempotent,
    blocking,
    timeout = "250ms",
    validate = not_seven,
    permission = request(path, *count, ledger),
    metadata(team = "core")
)]
fn elsewhere(
    #[arg(length = 1.., aliases("file"))] path: String,
    #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
    note: Option<String>,
    #[arg(default)] how: How,
    ledger: &Ledger,
    ctx: &ToolContext,
) -> Result<Done, ToolError> {
    work(&path, count, note, &how, ledger, ctx)
}

struct Worker;

#[toolset(prefix = "work")]
impl Worker {
    fn request(&self, path: &str, count: u32, ledger: &Ledger) -> PermissionRequest {
        request(path, count, ledger)
    }

    /// Do some work.
    #[tool(
        name = "do",
        aliases("perform"),
        category = "work",
        idempotent,
        timeout = "250ms",
        validate = not_seven,
        permission = self.request(path, *count, ledger),
        metadata(team = "core")
    )]
    async fn later(
        &self,
        #[arg(length = 1.., aliases("file"))] path: String,
        #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
        note: Option<String>,
        #[arg(default)] how: How,
        ledger: &Ledger,
        ctx: &ToolContext,
    ) -> Result<Done, ToolError> {
        work_later(&path, count, note, &how, ledger, ctx).await
    }
}

struct NowWorker;

#[toolset(prefix = "work")]
impl NowWorker {
    /// Do some work.
    #[tool(
        name = "do",
        aliases("perform"),
        category = "work",
        idempotent,
        validate = not_seven,
        permission = request(path, *count, ledger),
        metadata(team = "core")
    )]
    fn now(
        &self,
        #[arg(length = 1.., aliases("file"))] path: String,
        ledger: &Ledger,
        #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
        note: Option<String>,
        #[arg(default)] how: How,
        ctx: &ToolContext,
    ) -> Result<Done, ToolError> {
        work(&path, count, note, &how, ledger, ctx)
    }
}

struct Workshop;

#[toolset]
impl Workshop {
    /// Do some work.
    #[tool(
        name = "work.do",
        aliases("work.perform"),
        category = "work",
        idempotent,
        timeout = "250ms",
        validate = not_seven,
        permission = request(path, *count, ledger),
        metadata(team = "core")
    )]
    async fn without_self(
        #[arg(length = 1.., aliases("file"))] path: String,
        #[arg(default = 1, range = 1..=9, aliases("times"))] count: u32,
        note: Option<String>,
        #[arg(default)] how: How,
        ledger: &Ledger,
        ctx: &ToolContext,
    ) -> Result<Done, ToolError> {
        work_later(&path, count, note, &how, ledger, ctx).await
    }
}

/// Do some work.
#[derive(Tool)]
#[tool(
    register = false,
    name = "work.do",
    aliases("work.perform"),
    category = "work",
    idempotent,
    timeout = "250ms",
    needs(Ledger),
    validate = not_seven,
    permission = ctx.require::<Ledger>().map(|ledger| request(path, *count, ledger)),
    metadata(team = "core")
)]
struct Work {
    #[arg(length = 1.., aliases("file"))]
    path: String,
    #[arg(default = 1, range = 1..=9, aliases("times"))]
    count: u32,
    note: Option<String>,
    #[arg(default)]
    how: How,
}

impl RunTool for Work {
    type Output = Result<Done, ToolError>;

    async fn run(self, ctx: &ToolContext) -> Self::Output {
        let ledger = ctx.require::<Ledger>()?;
        work_later(&self.path, self.count, self.note, &self.how, ledger, ctx).await
    }
}

// The arguments, for the forms that read one value. A doc comment would be in its schema.
#[tool_type(argument)]
#[serde(deny_unknown_fields)]
struct WorkArguments {
    #[arg(length = 1.., aliases("file"))]
    path: String,
    #[arg(default = 1, range = 1..=9, aliases("times"))]
    count: u32,
    note: Option<String>,
    #[serde(default)]
    how: How,
}

fn work_spec() -> ToolSpec {
    ToolSpec::new("work.do".parse().unwrap(), "Do some work.")
        .with_alias("work.perform".parse().unwrap())
        .with_category("work")
        .with_effect(Effect::Idempotent)
        .with_metadata("team", "core")
}

/// The parts that the macro has keys for, added to a closure.
fn completed(tool: ToolFn<WorkArguments>) -> ToolFn<WorkArguments> {
    tool.with_needs([ResourceKey::of::<Ledger>()])
        .with_validate(|given| not_seven(&given.path, &given.count, &given.note, &given.how))
        .with_permission(|given, ctx| {
            let ledger = ctx.require::<Ledger>()?;
            Ok::<_, ToolError>(request(&given.path, given.count, ledger))
        })
}

/// The tool from a closure whose types have schemas, async.
fn of_types_later() -> ToolFn<WorkArguments> {
    let spec = work_spec().with_timeout(Duration::from_millis(250));
    completed(tool_fn_typed(
        spec,
        async |given: WorkArguments, ctx: ToolContext| {
            let ledger = ctx.require::<Ledger>()?;
            let WorkArguments {
                path,
                count,
                note,
                how,
            } = given;
            work_later(&path, count, note, &how, ledger, &ctx).await
        },
    ))
}

/// The same, sync.
fn of_types_now() -> ToolFn<WorkArguments> {
    completed(tool_fn_typed(
        work_spec(),
        |given: WorkArguments, ctx: &ToolContext| {
            let ledger = ctx.require::<Ledger>()?;
            work(
                &given.path,
                given.count,
                given.note,
                &given.how,
                ledger,
                ctx,
            )
        },
    ))
}

/// The tool made at run time.
pub(super) fn at_run_time(ledger: &Arc<Ledger>) -> impl Tool {
    let name = "work.do".parse().unwrap();
    let spec = ToolSpec::new(name, "Do some work.").with_effect(Effect::Idempotent);
    let lent = Arc::clone(ledger);
    let work = move |given: WorkArguments, ctx: ToolContext| {
        let ledger = Arc::clone(&lent);
        async move {
            let WorkArguments {
                path,
                count,
                note,
                how,
            } = given;
            let done = work_later(&path, count, note, &how, &ledger, &ctx).await?;
            Ok::<_, ToolError>(json!({"done": done.done, "call": done.call}))
        }
    };
    let lent = Arc::clone(ledger);
    tool_fn(spec, work)
        .with_permission(move |given: &WorkArguments, _| request(&given.path, given.count, &lent))
}

/// A way to write the tool.
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) registry: fn() -> ToolRegistry,
    /// True if its body can wait, and so be stopped.
    pub(super) waits: bool,
    pub(super) ledger: Arc<Ledger>,
}

pub(super) fn forms() -> Vec<Form> {
    let form = |name, waits, registry| Form {
        name,
        registry,
        waits,
        ledger: Arc::default(),
    };
    vec![
        form("an async function", true, || {
            ToolRegistry::new().with(Later)
        }),
        form("an async method", true, || {
            ToolRegistry::new().with_set(Worker)
        }),
        form("an async method without self", true, || {
            ToolRegistry::new().with_set(Workshop)
        }),
        form("a struct", true, || ToolRegistry::new().with_type::<Work>()),
        form("a function", false, || ToolRegistry::new().with(Now)),
        form("a method", false, || {
            ToolRegistry::new().with_set(NowWorker)
        }),
        form("a blocking function", false, || {
            ToolRegistry::new().with(Elsewhere)
        }),
        form("an async closure with types", true, || {
            ToolRegistry::new().with(of_types_later())
        }),
        form("a closure with types", false, || {
            ToolRegistry::new().with(of_types_now())
        }),
    ]
}

/// Do nothing.
#[tool(register = false, name = "idle")]
fn idle() {}

/// Do nothing.
#[tool(register = false, name = "idle")]
async fn idle_later() {}

struct IdleSet;

#[toolset]
impl IdleSet {
    /// Do nothing.
    #[tool]
    fn idle(&self) {}
}

/// Do nothing.
#[derive(Tool)]
#[tool(register = false, name = "idle")]
struct IdleType;

impl RunTool for IdleType {
    type Output = ();

    async fn run(self, _ctx: &ToolContext) {}
}

/// No arguments.
#[tool_type(argument)]
struct Nothing {}

fn idle_closure() -> ToolFn<Nothing> {
    let spec = ToolSpec::new("idle".parse().unwrap(), "Do nothing.");
    tool_fn_typed(spec, |_: Nothing| Ok(()))
}

/// Each form of a tool that has nothing but a name and a description.
pub(super) fn asking_for_nothing() -> Vec<(&'static str, ToolRegistry)> {
    vec![
        ("a function", ToolRegistry::new().with(Idle)),
        ("an async function", ToolRegistry::new().with(IdleLater)),
        ("a method", ToolRegistry::new().with_set(IdleSet)),
        ("a struct", ToolRegistry::new().with_type::<IdleType>()),
        (
            "a closure with types",
            ToolRegistry::new().with(idle_closure()),
        ),
    ]
}
