//! The tools of the batches, and what is noted of their bodies.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::{
    PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry, ToolSpec, tool,
};

/// The kind of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Only looks.
    Look,
    /// Has an effect.
    Act,
    /// Has an effect and may run beside others.
    Beside,
    Fail,
    Panic,
    /// Asks before it runs.
    Ask,
    /// Asks in its body.
    AskWithin,
    /// Only looks, and asks in its body.
    LookAndAsk,
    /// Has a child process.
    Child,
    /// Never looks whether it was cancelled.
    Ignore,
    /// Runs on a thread, and cannot be stopped.
    Block,
    /// Takes too long.
    Late,
    /// Only one at a time.
    Narrow,
    /// Calls others.
    Nest,
    /// Never waits.
    Now,
    Unknown,
    Unfit,
}

pub(super) const KINDS: [Kind; 17] = [
    Kind::Look,
    Kind::Act,
    Kind::Beside,
    Kind::Fail,
    Kind::Panic,
    Kind::Ask,
    Kind::AskWithin,
    Kind::LookAndAsk,
    Kind::Child,
    Kind::Ignore,
    Kind::Block,
    Kind::Late,
    Kind::Narrow,
    Kind::Nest,
    Kind::Now,
    Kind::Unknown,
    Kind::Unfit,
];

/// Those that run beside each other.
pub(super) const READERS: [Kind; 11] = [
    Kind::Look,
    Kind::Beside,
    Kind::Panic,
    Kind::Ignore,
    Kind::Block,
    Kind::Late,
    Kind::Narrow,
    Kind::Now,
    Kind::LookAndAsk,
    Kind::Unknown,
    Kind::Unfit,
];

impl Kind {
    pub(super) fn call(self, at: usize) -> ToolCall<'static> {
        let tool = match self {
            Self::Look => "look",
            Self::Act => "act",
            Self::Beside => "beside",
            Self::Fail => "fail",
            Self::Panic => "fall",
            Self::Ask => "ask",
            Self::AskWithin => "ask_within",
            Self::LookAndAsk => "look_and_ask",
            Self::Child => "child",
            Self::Ignore => "ignore",
            Self::Block => "block",
            Self::Late => "late",
            Self::Narrow => "narrow",
            Self::Nest => "nest",
            Self::Now | Self::Unfit => "now",
            Self::Unknown => "unknown",
        };
        let arguments = match self {
            Self::Unfit => serde_json::json!({"at": "nowhere"}),
            _ => serde_json::json!({"at": at}),
        };
        ToolCall::new(tool, arguments).with_id(format!("{at} {self:?}"))
    }

    /// Returns true if the call runs alone and false if it runs beside others; `None` if it keeps no order. A call
    /// that asks leaves its place.
    fn runs_alone(self) -> Option<bool> {
        match self {
            Self::Look | Self::Ignore | Self::Panic | Self::Narrow | Self::Late | Self::Now => {
                Some(false)
            }
            Self::Act | Self::Fail | Self::Child | Self::Nest => Some(true),
            _ => None,
        }
    }
}

/// The notes about a batch.
#[derive(Default)]
pub(super) struct Log(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    /// The bodies that began (`true`) and ended, in their order.
    bodies: Vec<(usize, bool)>,
    children: Vec<u32>,
}

impl Log {
    pub(super) fn clear(&self) {
        *self.0.lock().unwrap() = Noted::default();
    }

    pub(super) fn children(&self) -> Vec<u32> {
        self.0.lock().unwrap().children.clone()
    }

    fn begin(self: &Arc<Self>, at: usize) -> Body {
        self.0.lock().unwrap().bodies.push((at, true));
        Body(Arc::clone(self), at)
    }

    /// Returns true if each body that began has ended.
    pub(super) fn is_over(&self) -> bool {
        let noted = self.0.lock().unwrap();
        let begun = noted.bodies.iter().filter(|(_, begun)| *begun).count();
        begun * 2 == noted.bodies.len()
    }

    /// Asserts the order: if two calls keep to the order and at least one of them runs alone, the first ends before
    /// the second begins.
    pub(super) fn assert_order(&self, kinds: &[Kind], number: u64) {
        let noted = self.0.lock().unwrap();
        let find = |at: usize, begun: bool| {
            let mut bodies = noted.bodies.iter();
            bodies.position(|body| *body == (at, begun))
        };
        for (second, kind) in kinds.iter().enumerate() {
            let Some(alone) = kind.runs_alone() else {
                continue;
            };
            let Some(begin) = find(second, true) else {
                continue;
            };
            for (first, before) in kinds.iter().enumerate().take(second) {
                let in_order = before.runs_alone().is_some_and(|before| alone || before);
                if in_order && let Some(end) = find(first, false) {
                    assert!(end < begin, "{first} and {second} of {kinds:?} ({number})");
                }
            }
        }
    }
}

struct Body(Arc<Log>, usize);

impl Drop for Body {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().bodies.push((self.1, false));
    }
}

const MOMENT: Duration = Duration::from_micros(700);

/// Look.
#[tool(register = false, read_only)]
async fn look(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    sleep(MOMENT).await;
}

/// Act.
#[tool(register = false)]
async fn act(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    sleep(MOMENT).await;
}

/// Act beside others.
#[tool(register = false, concurrent)]
async fn beside(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    sleep(MOMENT).await;
}

/// Fail.
#[tool(register = false)]
async fn fail(at: usize, log: &Arc<Log>) -> Result<(), ToolError> {
    let _body = log.begin(at);
    tokio::task::yield_now().await;
    Err(ToolError::failed("it does"))
}

/// Fall.
#[tool(register = false, read_only)]
async fn fall(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    tokio::task::yield_now().await;
    // Without the noise of the panic hook.
    std::panic::resume_unwind(Box::new("it falls"));
}

fn question(at: usize) -> PermissionRequest {
    PermissionRequest::new("act", at.to_string(), format!("Act on {at}"))
}

/// Ask.
#[tool(register = false, permission = question(*at))]
async fn ask(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    sleep(MOMENT).await;
}

/// Ask within.
#[tool(register = false)]
async fn ask_within(at: usize, ctx: &ToolContext, log: &Arc<Log>) -> Result<(), ToolError> {
    let _body = log.begin(at);
    ctx.check(question(at)).await?;
    sleep(MOMENT).await;
    Ok(())
}

/// Look, and ask.
#[tool(register = false, read_only)]
async fn look_and_ask(at: usize, ctx: &ToolContext, log: &Arc<Log>) -> Result<(), ToolError> {
    let _body = log.begin(at);
    sleep(MOMENT).await;
    ctx.check(question(at)).await?;
    Ok(())
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Have a child.
#[tool(register = false, name = "child", struct_name = HaveChild)]
async fn child(at: usize, log: &Arc<Log>) -> Result<(), std::io::Error> {
    let _body = log.begin(at);
    let mut sleeper = Command::new("sleep");
    let child = sleeper.arg("600").stdin(Stdio::null()).spawn()?;
    let child = Killed(child);
    log.0.lock().unwrap().children.push(child.0.id());
    sleep(MOMENT).await;
    Ok(())
}

/// Ignore.
#[tool(register = false, read_only)]
async fn ignore(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    for _ in 0..4 {
        sleep(MOMENT).await;
    }
}

/// Block.
#[tool(register = false, blocking, concurrent)]
fn block(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    std::thread::sleep(2 * MOMENT);
}

/// Be late.
#[tool(register = false, read_only, timeout = "2ms")]
async fn late(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    std::future::pending::<()>().await;
}

/// Be narrow.
#[tool(register = false, read_only)]
async fn narrow(at: usize, log: &Arc<Log>) {
    let _body = log.begin(at);
    sleep(MOMENT).await;
}

/// Call others, whose bodies are counted beyond those of the batch.
#[tool(register = false)]
async fn nest(at: usize, ctx: &ToolContext, log: &Arc<Log>) -> Result<(), ToolError> {
    let _body = log.begin(at);
    for tool in ["act", "narrow", "look"] {
        let call = ToolCall::new(tool, serde_json::json!({"at": at + 100}));
        let outcome = ctx.call(call).await;
        if let Some(error) = outcome.error() {
            return Err(error.clone());
        }
    }
    Ok(())
}

/// Be there at once.
#[tool(register = false, pure)]
fn now(at: usize, log: &Arc<Log>) {
    drop(log.begin(at));
}

pub(super) fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Look)
        .with(Act)
        .with(Beside)
        .with(Fail)
        .with(Fall)
        .with(Ask)
        .with(AskWithin)
        .with(LookAndAsk)
        .with(HaveChild)
        .with(Ignore)
        .with(Block)
        .with(Late)
        .with(Narrow)
        .with(Nest)
        .with(Now)
}

/// Asks about what a call asks for, and about nothing else.
pub(super) struct Asks;

impl PermissionChecker for Asks {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        Verdict::ask("it is asked")
    }
}
