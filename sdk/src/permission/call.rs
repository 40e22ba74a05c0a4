//! A call as a permission checker sees it.

use std::fmt;

use serde_json::{Map, Value};

use crate::arguments::{Arguments, CanonicalArguments, InvalidArguments, ShownArguments};
use crate::id::{CallId, InvocationId, RunIdentity, SessionId, TurnId};
use crate::spec::ToolSpec;

/// A call as those who judge it see it: which tool, with what arguments, why, and whose call it is.
///
/// The arguments are those that the tool has accepted, repairs included, in their
/// [canonical form](CanonicalArguments): names for aliases, defaults filled in, secrets masked. That
/// form is made when it is first asked for, and then kept: who does not ask pays nothing.
///
/// ```
/// use serde_json::json;
/// use toolwright::{Tool, tool};
/// use toolwright::arguments::Arguments;
/// use toolwright::permission::CallView;
///
/// /// Delete a branch.
/// #[tool]
/// async fn delete_branch(name: String, #[arg(default = false)] force: bool) {
/// #   drop((name, force));
/// }
///
/// // For the unit test of a checker; the executor makes its own.
/// let arguments = Arguments::from(r#"{"name": "main"}"#);
/// let call = CallView::new(DeleteBranch.spec(), &arguments);
/// assert_eq!(call.arguments().unwrap().as_value(), &json!({"force": false, "name": "main"}));
/// ```
pub struct CallView<'c> {
    arguments: ShownArguments<'c>,
    purpose: Option<&'c str>,
    caller: Caller<'c>,
}

/// The session, turn and run of a call. All is `None` for a view that was made without a session.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Caller<'c> {
    pub(crate) session: Option<&'c SessionId>,
    pub(crate) turn: Option<TurnId>,
    pub(crate) invocation: Option<InvocationId>,
    pub(crate) call_id: Option<&'c CallId>,
    pub(crate) run: Option<&'c RunIdentity>,
    pub(crate) metadata: Option<&'c Map<String, Value>>,
}

impl<'c> CallView<'c> {
    /// A call of a tool.
    pub fn new(spec: &'c ToolSpec, arguments: &'c Arguments<'c>) -> Self {
        Self::of(ShownArguments::new(spec, Some(arguments)))
    }

    /// A call whose arguments were not kept while it runs.
    pub(crate) fn without_arguments(spec: &'c ToolSpec) -> Self {
        Self::of(ShownArguments::new(spec, None))
    }

    fn of(arguments: ShownArguments<'c>) -> Self {
        Self {
            arguments,
            purpose: None,
            caller: Caller::default(),
        }
    }

    /// Says why the model makes the call. Default: it did not say.
    pub fn with_purpose(mut self, purpose: impl Into<Option<&'c str>>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// Sets the session and the run of the call, for the unit test of a checker. Default: none.
    ///
    /// ```
    /// use toolwright::{ToolName, ToolSpec};
    /// use toolwright::arguments::Arguments;
    /// use toolwright::id::{RunIdentity, SessionId};
    /// use toolwright::permission::CallView;
    ///
    /// let spec = ToolSpec::new(ToolName::new("deploy")?, "Deploy.");
    /// let (none, session) = (Arguments::empty(), SessionId::new("ada"));
    /// let run = RunIdentity::new("run-1").with_agent("critic");
    /// let call = CallView::new(&spec, &none).with_session(&session, Some(&run));
    /// assert_eq!(call.session_id(), Some(&session));
    /// # Ok::<(), toolwright::id::InvalidToolName>(())
    /// ```
    pub fn with_session(
        mut self,
        session: &'c SessionId,
        run: impl Into<Option<&'c RunIdentity>>,
    ) -> Self {
        self.caller.session = Some(session);
        self.caller.run = run.into();
        self
    }

    /// Sets the metadata of the call, for the unit test of a checker. Default: none.
    pub fn with_metadata(mut self, metadata: &'c Map<String, Value>) -> Self {
        self.caller.metadata = Some(metadata);
        self
    }

    pub(crate) fn with_caller(mut self, caller: Caller<'c>) -> Self {
        self.caller = caller;
        self
    }

    /// Returns the tool's spec.
    pub fn spec(&self) -> &'c ToolSpec {
        self.arguments.spec()
    }

    /// The arguments, in the form that may be shown.
    ///
    /// # Errors
    ///
    /// Fails if they have no such form. A tool that reads its arguments in its own way may have accepted them all the
    /// same; see [`Arguments::canonical`]. Also fails while a call runs, if the arguments were not kept because the
    /// checker does not [look at them](crate::permission::PermissionChecker::looks_at_arguments). A checker that
    /// decides by the arguments denies then, or asks.
    pub fn arguments(&self) -> Result<&CanonicalArguments, &InvalidArguments> {
        self.arguments.canonical()
    }

    /// The model's reason for the call, in its own words, if it [was asked for it](crate::ToolRegistry::ask_purpose)
    /// and gave one. It has no effect: a model may say anything.
    pub fn purpose(&self) -> Option<&'c str> {
        self.purpose
    }

    /// The session of the call. `None` in a view that was made by [`new`](Self::new) without one; the
    /// executor always sets it, as it does turn and invocation.
    ///
    /// A checker that goes by the session says so in
    /// [`looks_at_caller`](crate::permission::PermissionChecker::looks_at_caller).
    pub fn session_id(&self) -> Option<&'c SessionId> {
        self.caller.session
    }

    /// The turn of the call.
    pub fn turn_id(&self) -> Option<TurnId> {
        self.caller.turn
    }

    /// Our id of the call, which is unique.
    pub fn invocation_id(&self) -> Option<InvocationId> {
        self.caller.invocation
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&'c CallId> {
        self.caller.call_id
    }

    /// The run that the call belongs to, where the host has [said so](crate::executor::SessionOptions::run).
    pub fn run(&self) -> Option<&'c RunIdentity> {
        self.caller.run
    }

    /// The metadata that the host gave to the call: see [`ToolCall::with_metadata`](crate::ToolCall).
    pub fn metadata(&self) -> Option<&'c Map<String, Value>> {
        self.caller.metadata
    }
}

impl fmt::Debug for CallView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallView")
            .field("tool", self.spec().name())
            .field("arguments", &self.arguments.as_sent())
            .field("purpose", &self.purpose)
            .field("session", &self.caller.session)
            .finish_non_exhaustive()
    }
}
