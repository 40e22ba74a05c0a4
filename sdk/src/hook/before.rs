//! Hooks before a call runs.

use std::any::{TypeId, type_name};
use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::Value;

use super::HookCall;
use crate::content::ToolError;
use crate::state::StateCommand;

/// Looks at calls before they run, and may veto them or change their arguments:
/// [`ExecutorBuilder::before`](crate::ExecutorBuilder::before) adds one.
///
/// It sees only calls that may run as far as the gates and the permission checker are concerned, before
/// a person is asked about them: what the person sees is what will run. Each call is shown to each hook
/// once, in the order in which the hooks were added, and the calls of a batch in the order of the calls,
/// one after another. Whether a call waited in between, in this process or another, makes no
/// difference. A call whose arguments a person changes is a new one, and shown again.
///
/// A hook that fails or panics, or takes longer than
/// [`hook_timeout`](crate::executor::Limits::hook_timeout), ends the call with that error.
///
/// ```
/// use toolwright::{async_trait, Executor, tool, ToolError, ToolRegistry};
/// use toolwright::hook::{BeforeDecision, BeforeTool, HookCall};
///
/// /// Say hello.
/// #[tool(pure)]
/// fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// struct Manners;
///
/// #[async_trait]
/// impl BeforeTool for Manners {
///     async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
///         let Ok(arguments) = call.arguments() else {
///             return Ok(BeforeDecision::veto("arguments that cannot be read are not greeted"));
///         };
///         let mut arguments = arguments.as_value().clone();
///         arguments["name"] = "dear guest".into();
///         Ok(BeforeDecision::rewrite(arguments))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Greet))
///     .before(Manners)
///     .build()?;
/// let outcome = executor.call("greet", r#"{"name": "you"}"#).await;
/// assert!(outcome.text().starts_with("Hello, dear guest!"));
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[async_trait]
pub trait BeforeTool: Send + Sync + 'static {
    /// Decides about a call. Default: the call goes on unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the hook cannot decide: the call ends with the error.
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        let _ = call;
        Ok(BeforeDecision::proceed())
    }

    /// Decides about all calls of a batch that may run, in the order of the calls, before the hook is asked about
    /// each. A single call is a batch of one. A call that was decided here is not shown to [`before`](Self::before).
    /// Default: no decision.
    ///
    /// # Errors
    ///
    /// Fails if the hook cannot decide: these calls end with the error.
    async fn before_batch(&self, calls: &[HookCall<'_>]) -> Result<BatchDecision, ToolError> {
        let _ = calls;
        Ok(BatchDecision {
            default_of: Some(TypeId::of::<Self>()),
            ..BatchDecision::proceed()
        })
    }

    /// The name of the hook in reports and logs. Default: the name of its type.
    fn name(&self) -> &str {
        type_name::<Self>()
    }
}

/// The decision of a [`BeforeTool`] about a call.
#[derive(Debug, Clone, Default)]
#[must_use = "a hook returns it"]
pub struct BeforeDecision {
    pub(crate) decision: Option<HookDecision>,
    pub(crate) commands: Vec<StateCommand>,
}

/// The change that a hook makes to a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HookDecision {
    Veto(String),
    Rewrite(Value),
}

impl BeforeDecision {
    /// The call goes on.
    pub fn proceed() -> Self {
        Self::default()
    }

    /// The call does not run: its result is an error of kind [`Denied`](crate::content::ErrorKind::Denied), code
    /// `vetoed`, with the reason for the model.
    pub fn veto(reason: impl Into<String>) -> Self {
        Self {
            decision: Some(HookDecision::Veto(reason.into())),
            commands: Vec::new(),
        }
    }

    /// The call goes on with other arguments, in the form in which the hook
    /// [sees them](super::GateCall::arguments): what stands there for a secret stays that secret. They are
    /// parsed, and the call is decided on by gates and permissions once more; hooks that have seen the
    /// call do not see it again. The model reads with the result what became of its arguments.
    ///
    /// Arguments that are those of before change nothing.
    pub fn rewrite(arguments: impl Into<Value>) -> Self {
        Self {
            decision: Some(HookDecision::Rewrite(arguments.into())),
            commands: Vec::new(),
        }
    }

    /// Has something happen in the session, such as a counter that goes up, whatever the hook says of
    /// the call: at once, in the order of the commands, and before the call runs. Where that fails, the
    /// call ends with the error.
    pub fn with_command(mut self, command: StateCommand) -> Self {
        self.commands.push(command);
        self
    }
}

/// By the number of the call.
pub(crate) type HookDecisions = BTreeMap<usize, HookDecision>;

/// The decision of a [`BeforeTool`] about the calls of a batch.
#[derive(Debug, Clone, Default)]
#[must_use = "a hook returns it"]
pub struct BatchDecision {
    pub(crate) decisions: HookDecisions,
    pub(crate) commands: Vec<StateCommand>,
    /// The type whose default answer this is. A hook of that type answers every batch so.
    pub(crate) default_of: Option<TypeId>,
}

impl BatchDecision {
    /// The calls go on.
    pub fn proceed() -> Self {
        Self::default()
    }

    /// Stops a call of the slice, by its place, counted from 0: see [`BeforeDecision::veto`]. A place outside of the
    /// slice ends all of the calls with an error.
    pub fn veto(mut self, call: usize, reason: impl Into<String>) -> Self {
        self.decisions
            .insert(call, HookDecision::Veto(reason.into()));
        self
    }

    /// Changes the arguments of a call of the slice, by its place, counted from 0: see [`BeforeDecision::rewrite`].
    pub fn rewrite(mut self, call: usize, arguments: impl Into<Value>) -> Self {
        self.decisions
            .insert(call, HookDecision::Rewrite(arguments.into()));
        self
    }

    /// Has something happen in the session, once for the batch: see [`BeforeDecision::with_command`].
    pub fn with_command(mut self, command: StateCommand) -> Self {
        self.commands.push(command);
        self
    }
}
