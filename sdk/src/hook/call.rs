//! A call as gates and hooks see it.

use std::fmt;
use std::ops::Deref;

use serde_json::{Map, Value};

use crate::arguments::{Arguments, CanonicalArguments, InvalidArguments, ShownArguments};
use crate::context::{ResumeInfo, ToolContext};
use crate::id::{CallId, InvocationId, RunIdentity, SessionId, ToolName, TurnId};
use crate::registry::{Candidate, Selector, ToolEntry};
use crate::spec::ToolSpec;
use crate::state::StateSnapshot;
use crate::ticket::{Answer, PendingRequest};

/// A call as a [`ToolGate`](super::ToolGate) sees it: which tool, with what arguments, and whose call.
///
/// The arguments are those that the tool has accepted, in their [canonical form](CanonicalArguments):
/// repairs made, names for aliases, defaults filled in, secrets masked. That form is made when it is
/// first asked for.
#[derive(Debug)]
pub struct GateCall<'c> {
    arguments: ShownArguments<'c>,
    purpose: Option<&'c str>,
    context: &'c ToolContext,
}

impl<'c> GateCall<'c> {
    /// A call of a tool. For the unit test of a gate, with a context of
    /// [`testing::context`](crate::testing::context); the executor makes its own.
    pub fn new(spec: &'c ToolSpec, arguments: &'c Arguments<'c>, context: &'c ToolContext) -> Self {
        Self {
            arguments: ShownArguments::new(spec, Some(arguments)),
            purpose: None,
            context,
        }
    }

    /// Says why the model makes the call. Default: it did not say.
    pub fn with_purpose(mut self, purpose: impl Into<Option<&'c str>>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// The tool's spec.
    pub fn spec(&self) -> &'c ToolSpec {
        self.arguments.spec()
    }

    /// The canonical name of the tool, whatever name it was called by.
    pub fn tool_name(&self) -> &'c ToolName {
        self.context.tool_name()
    }

    /// The arguments, in the form that may be shown.
    ///
    /// # Errors
    ///
    /// Fails if they have no such form. A tool that reads its arguments in its own way may have accepted them all the
    /// same; see [`Arguments::canonical`].
    pub fn arguments(&self) -> Result<&CanonicalArguments, &InvalidArguments> {
        self.arguments.canonical()
    }

    /// The model's reason for the call, in its own words, if it [was asked for it](crate::ToolRegistry::ask_purpose)
    /// and gave one. It has no effect.
    pub fn purpose(&self) -> Option<&'c str> {
        self.purpose
    }

    /// The session of the call.
    pub fn session_id(&self) -> &'c SessionId {
        self.context.session_id()
    }

    /// The turn of the call.
    pub fn turn_id(&self) -> TurnId {
        self.context.turn_id()
    }

    /// Our id of the call, which is unique.
    pub fn invocation_id(&self) -> InvocationId {
        self.context.invocation_id()
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&'c CallId> {
        self.context.call_id()
    }

    /// The metadata that the host gave to the call.
    pub fn metadata(&self) -> Option<&'c Map<String, Value>> {
        self.context.metadata()
    }

    /// The value of a type in the session's state, as it was when the gate or hook was asked: see
    /// [`ToolContext::state`].
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&'c T> {
        self.context.state()
    }

    /// All that the session knows, as it was when the gate or hook was asked.
    pub fn state_snapshot(&self) -> &'c StateSnapshot {
        self.context.state_snapshot()
    }

    /// The run that the call is part of, if the host has set it.
    pub fn run(&self) -> Option<&'c RunIdentity> {
        self.context.run()
    }

    /// The answers of people to this call so far, the latest last.
    pub fn answers(&self) -> impl Iterator<Item = (&'c PendingRequest, &'c Answer)> {
        self.context
            .resumed()
            .into_iter()
            .flat_map(ResumeInfo::answers)
    }
}

/// A call as a [`BeforeTool`](super::BeforeTool) and an [`AfterTool`](super::AfterTool) see it: all that
/// a [gate](GateCall) sees, and the things of the app.
pub struct HookCall<'c> {
    call: GateCall<'c>,
    /// The tool as it is registered, and whether only a pattern that names it selects it. `None` in a unit test.
    tool: Option<(&'c ToolEntry, bool)>,
}

impl<'c> HookCall<'c> {
    /// A call of a tool. For the unit test of a hook, as [`GateCall::new`].
    pub fn new(spec: &'c ToolSpec, arguments: &'c Arguments<'c>, context: &'c ToolContext) -> Self {
        Self {
            call: GateCall::new(spec, arguments, context),
            tool: None,
        }
    }

    /// Says why the model makes the call. Default: it did not say.
    pub fn with_purpose(self, purpose: impl Into<Option<&'c str>>) -> Self {
        Self {
            call: self.call.with_purpose(purpose),
            ..self
        }
    }

    /// Says as what the tool is registered.
    pub(crate) fn with_tool(self, entry: &'c ToolEntry, explicit_only: bool) -> Self {
        Self {
            tool: Some((entry, explicit_only)),
            ..self
        }
    }

    /// Returns true if a selector is meant for the tool: one of its patterns fits and none with a `!`. It makes no
    /// difference here if a tool is [explicit-only](ToolSpec::with_explicit_only): a hook for `*` is one for all
    /// tools.
    pub fn is_selected_by(&self, tools: &Selector) -> bool {
        let (spec, name) = (self.spec(), self.tool_name());
        tools.covers(&match self.tool {
            Some((entry, explicit_only)) => Candidate::new(entry, explicit_only),
            None => Candidate {
                name,
                aliases: spec.aliases(),
                wire_name: name.as_str(),
                server: None,
                explicit_only: spec.is_explicit_only(),
            },
        })
    }

    /// A resource of the app by its type, if there is one.
    pub fn resource<T: ?Sized + 'static>(&self) -> Option<&'c T> {
        self.call.context.resource()
    }

    /// Returns true if the call, its turn or its session was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.call.context.is_cancelled()
    }
}

impl fmt::Debug for HookCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookCall")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl<'c> Deref for HookCall<'c> {
    type Target = GateCall<'c>;

    fn deref(&self) -> &Self::Target {
        &self.call
    }
}
