//! Hooks after a call.

use std::any::type_name;
use std::fmt;
use std::ops::Deref;

use async_trait::async_trait;

use super::HookCall;
use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::state::StateCommand;

/// Looks at what calls gave, and may change it: [`ExecutorBuilder::after`](crate::ExecutorBuilder::after)
/// adds one.
///
/// It sees how each call ended whose arguments were accepted: what the tool gave, that it failed,
/// panicked, took too long or was cancelled, what a gate set, and that the call was denied. Whoever
/// wants no more than successes of tools looks at [`AfterCall::output`] and [`AfterCall::source`]. A
/// call that waits has not ended, and is shown when it has.
///
/// The hooks are asked in the order in which they were added, and each sees what the one before it left.
/// One that fails or panics, or takes longer than
/// [`hook_timeout`](crate::executor::Limits::hook_timeout), makes the call's result that error: what it was
/// to change is not let through. What ends the host's run stays as it is, whatever a hook says.
///
/// ```
/// use toolwright::{async_trait, Executor, tool, ToolError, ToolOutput, ToolRegistry};
/// use toolwright::hook::{AfterCall, AfterDecision, AfterTool};
///
/// /// Tell the way.
/// #[tool(pure)]
/// fn way() -> &'static str {
///     "to the left"
/// }
///
/// struct Shout;
///
/// #[async_trait]
/// impl AfterTool for Shout {
///     async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
///         match call.output().content() {
///             [part] if !call.output().is_error() => {
///                 let text = part.as_text().unwrap_or_default().to_uppercase();
///                 Ok(AfterDecision::replace(ToolOutput::text(text)))
///             }
///             _ => Ok(AfterDecision::keep()),
///         }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Way)).after(Shout).build()?;
/// assert_eq!(executor.call("way", "{}").await.text(), "TO THE LEFT");
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[async_trait]
pub trait AfterTool: Send + Sync + 'static {
    /// Decides about the output of a call that has ended.
    ///
    /// # Errors
    ///
    /// Fails if the hook cannot decide: the call's result is the error.
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError>;

    /// The name of the hook in reports and logs. Default: the name of its type.
    fn name(&self) -> &str {
        type_name::<Self>()
    }
}

/// A call that has ended, as an [`AfterTool`] sees it.
pub struct AfterCall<'c> {
    call: HookCall<'c>,
    output: &'c ToolOutput,
    source: ResultSource,
}

impl<'c> AfterCall<'c> {
    /// A call that has ended. For the unit test of a hook; the executor makes its own.
    pub fn new(call: HookCall<'c>, output: &'c ToolOutput, source: ResultSource) -> Self {
        Self {
            call,
            output,
            source,
        }
    }

    /// The output of the call; an error is one too.
    pub fn output(&self) -> &'c ToolOutput {
        self.output
    }

    /// The origin of the output.
    pub fn source(&self) -> ResultSource {
        self.source
    }
}

impl<'c> Deref for AfterCall<'c> {
    type Target = HookCall<'c>;

    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl fmt::Debug for AfterCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AfterCall")
            .field("call", &self.call)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

/// The decision of an [`AfterTool`] about a call that has ended.
#[derive(Debug, Clone, Default)]
#[must_use = "a hook returns it"]
pub struct AfterDecision {
    pub(crate) output: Option<ToolOutput>,
    pub(crate) commands: Vec<StateCommand>,
}

impl AfterDecision {
    /// The output stays as it is.
    pub fn keep() -> Self {
        Self::default()
    }

    /// The call gives this instead.
    pub fn replace(output: impl Into<ToolOutput>) -> Self {
        Self {
            output: Some(output.into()),
            commands: Vec::new(),
        }
    }

    /// Has something happen in the session, after what the tool itself has happen, and whether the call
    /// has succeeded or not. All of it happens or nothing; where that fails, the call's result is the
    /// error.
    pub fn with_command(mut self, command: StateCommand) -> Self {
        self.commands.push(command);
        self
    }
}
