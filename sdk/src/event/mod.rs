//! Events: the steps of calls as data, for logs, dashboards and audits.
//!
//! An [`EventSink`] takes them ([`ExecutorBuilder::events`](crate::ExecutorBuilder::events)); [`EventChannel`] hands them
//! to a task of the app's own, and [`MemoryEvents`] keeps them for tests.

mod channel;
mod kind;
mod memory;
mod sink;
#[cfg(feature = "tracing")]
mod tracing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

#[cfg(feature = "tracing")]
pub use self::tracing::TracingEvents;
pub use channel::{EventChannel, EventReceiver, ReceivedEvent};
pub(crate) use kind::illegal_step;
pub use kind::{EventKind, HookStage, ProgressStatus};
pub use memory::MemoryEvents;
pub use sink::EventSink;
pub(crate) use sink::Events;

use crate::id::{CallId, CallIdentity, InvocationId, Label, SessionId, TurnId};

/// Something that happened in an executor.
///
/// Serialises to JSON and back. It holds no arguments, and of results only what a tool
/// [streams](crate::ToolContext::stream_part).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    sequence: u64,
    time: SystemTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<Arc<EventCall>>,
    #[serde(flatten)]
    kind: EventKind,
}

impl Event {
    /// The number of the event, from 1. Of two events of one executor the one that is told later has the higher; what
    /// calls do side by side may reach a sink in another order.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The time of the event, by the clock of the system. The request of a call has the time at which the call was made,
    /// and is told once its arguments were read. The end of a call that took less than a millisecond has that time and
    /// the duration of the call.
    pub fn time(&self) -> SystemTime {
        self.time
    }

    /// The session that it belongs to; `None` for what belongs to the executor as a whole.
    pub fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// The call that it belongs to, if it belongs to one.
    pub fn call(&self) -> Option<&EventCall> {
        self.call.as_deref()
    }

    /// The event itself: its kind, with the details.
    pub fn kind(&self) -> &EventKind {
        &self.kind
    }
}

/// The call that an [`Event`] belongs to: what tells it from any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventCall {
    pub(crate) turn: TurnId,
    pub(crate) invocation: InvocationId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<InvocationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call_id: Option<CallId>,
    pub(crate) tool: Label,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<Label>,
    #[serde(skip)]
    pub(crate) over: CallOver,
}

impl EventCall {
    pub(crate) fn new(identity: CallIdentity, version: Option<Label>) -> Self {
        let CallIdentity {
            turn,
            invocation,
            parent,
            call_id,
            tool,
        } = identity;
        Self {
            turn,
            invocation,
            parent,
            call_id,
            tool,
            version,
            over: CallOver::default(),
        }
    }

    /// The turn of the call.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Our id of the call, which is unique.
    pub fn invocation(&self) -> InvocationId {
        self.invocation
    }

    /// The call whose tool made this one, if a tool did.
    pub fn parent(&self) -> Option<InvocationId> {
        self.parent
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call_id.as_ref()
    }

    /// The tool's canonical name; the name as it was called if there is no such tool.
    pub fn tool(&self) -> &str {
        self.tool.as_str()
    }

    /// The version of the tool that was called, if it declares one.
    pub fn version(&self) -> Option<&str> {
        self.version.as_ref().map(Label::as_str)
    }
}

/// The mark of a call that has its outcome: what a body that was left behind still says is not told. It is no part of
/// what a call is, so calls that differ in it are equal.
#[derive(Debug, Default)]
pub(crate) struct CallOver(AtomicBool);

impl CallOver {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for CallOver {
    fn clone(&self) -> Self {
        Self(AtomicBool::new(self.is_set()))
    }
}

impl PartialEq for CallOver {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CallOver {}
