//! The data of a single call while it runs.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::cancellation::Cancellation;
use super::check::{ArgumentsInFlight, Specs};
use super::environment::CallEnvironment;
use super::nested::CallStack;
use super::wait::ResumeInfo;
use crate::event::EventCall;
use crate::id::{CallId, InvocationId, TurnId};

/// The data of a single call. Small, because each call in flight has one.
#[derive(Clone)]
pub(crate) struct CallScope {
    pub(crate) call_id: Option<CallId>,
    /// The number of the call in its session.
    pub(super) count: u64,
    /// The number of the tool among [those of the call](ToolContext::specs).
    pub(crate) number: usize,
    pub(super) extras: Option<Arc<CallExtras>>,
}

/// The ids of a call.
#[derive(Clone, Copy)]
pub(crate) struct CallIds<'c> {
    pub(crate) turn: TurnId,
    pub(crate) invocation: InvocationId,
    /// The model's.
    pub(crate) call: Option<&'c CallId>,
}

/// Data that few calls have.
#[derive(Clone, Default)]
pub(crate) struct CallExtras {
    pub(crate) metadata: Option<Arc<Map<String, Value>>>,
    /// For checks while the call runs, where they may depend on it.
    pub(crate) kept: Option<Arc<ArgumentsInFlight>>,
    /// If somebody takes its events.
    pub(crate) watched: Option<Arc<EventCall>>,
    /// The answers from before the body began.
    pub(crate) resumed: Option<Arc<ResumeInfo>>,
    /// The place of a call that a tool makes.
    pub(crate) call_stack: Option<Arc<CallStack>>,
    /// Finds the tool of the call, where the session's does not.
    pub(crate) specs: Option<Arc<dyn Specs>>,
    /// The call's clock and randomness, if they are not simply the real ones.
    pub(crate) environment: Option<Arc<CallEnvironment>>,
    /// The token of a body that its call may leave behind: cancelled with the call's turn and session, and when the
    /// call ends without it.
    pub(crate) own: Option<Cancellation>,
    /// The ids, if they do not follow from the call's number, session and turn.
    pub(crate) ids: Option<(TurnId, InvocationId)>,
}

impl CallScope {
    pub(crate) fn metadata(&self) -> Option<&Arc<Map<String, Value>>> {
        self.extras.as_ref()?.metadata.as_ref()
    }

    pub(crate) fn kept(&self) -> Option<&Arc<ArgumentsInFlight>> {
        self.extras.as_ref()?.kept.as_ref()
    }

    pub(crate) fn watched(&self) -> Option<&Arc<EventCall>> {
        self.extras.as_ref()?.watched.as_ref()
    }

    pub(crate) fn resumed(&self) -> Option<&Arc<ResumeInfo>> {
        self.extras.as_ref()?.resumed.as_ref()
    }

    pub(crate) fn call_stack(&self) -> Option<&Arc<CallStack>> {
        self.extras.as_ref()?.call_stack.as_ref()
    }

    pub(crate) fn specs(&self) -> Option<&Arc<dyn Specs>> {
        self.extras.as_ref()?.specs.as_ref()
    }

    pub(crate) fn environment(&self) -> Option<&Arc<CallEnvironment>> {
        self.extras.as_ref()?.environment.as_ref()
    }

    pub(super) fn own(&self) -> Option<&Cancellation> {
        self.extras.as_ref()?.own.as_ref()
    }
}
