//! The place where a call runs.

use std::borrow::Cow;
use std::sync::Arc;

use crate::executor::catalog::versions::CatalogRef;
use crate::id::{CallId, CallIdentity, InvocationId, Label, ToolName, TurnId};
use crate::message::ToolCall;
use crate::record::CallSource;
use crate::tool::{Nesting, SessionScope, TurnScope};

/// The place where a call runs.
#[derive(Clone)]
pub(crate) struct CallSite<'s> {
    pub(crate) catalog: CatalogRef<'s>,
    pub(crate) session: &'s Arc<SessionScope>,
    pub(crate) turn: Option<&'s Arc<TurnScope>>,
    pub(crate) turn_id: TurnId,
    pub(crate) invocation_id: InvocationId,
    /// The calls above, if a tool makes this one.
    pub(crate) within: Option<&'s Arc<Nesting>>,
    /// The source of results, if it is not the tools alone.
    pub(crate) source: Option<&'s Arc<dyn CallSource>>,
}

impl CallSite<'_> {
    /// The identity of a call at this site.
    #[inline]
    pub(crate) fn identity(&self, call_id: Option<CallId>, tool: Label) -> CallIdentity {
        CallIdentity {
            turn: self.turn_id,
            invocation: self.invocation_id,
            parent: self.within.map(|within| within.parent),
            call_id,
            tool,
        }
    }

    /// Returns true if the session has something that looks at its calls or holds them up.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.source.is_some() || self.session.slots.is_some()
    }
}

pub(crate) fn name_of(call: &ToolCall<'_>) -> Label {
    let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
    Label::from(Cow::Owned(name))
}
