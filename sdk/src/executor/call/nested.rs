//! Calls that tools make: they go through the same stages.

use std::sync::Arc;

use crate::content::{ResultSource, ToolCall, ToolError};
use crate::context::{CallStack, Calls, ToolContext};
use crate::executor::call::{outcome, run_call};
use crate::executor::core::origin::CallOrigin;
use crate::executor::core::shared::{ExecutorCore, NestedCalls};
use crate::executor::core::site::{CallSite, name_of};
use crate::id::{CallIdentity, InvocationId, TurnId};
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// The depth of nested calls by default.
pub(crate) const DEFAULT_DEPTH: usize = 8;

/// The deepest that a host may allow: each level takes some of one stack.
pub(crate) const MAX_DEPTH: usize = 32;

impl Calls for NestedCalls {
    fn call<'a>(
        &'a self,
        caller: &'a ToolContext,
        call: ToolCall<'a>,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            match self.shared.upgrade() {
                Some(shared) => self.call_in(&shared, caller, call).await,
                None => nobody(&call),
            }
        })
    }
}

/// A body that was left behind calls when there is no executor any more.
#[cold]
fn nobody(call: &ToolCall<'_>) -> ToolOutcome {
    let error = ToolError::unavailable("the executor is gone, and the call was not made");
    let identity = CallIdentity {
        turn: TurnId::new(0),
        invocation: InvocationId::from_parts(0, 0),
        parent: None,
        call_id: call.id().cloned(),
        tool: name_of(call),
    };
    outcome::ended(identity, ResultSource::Executor, error.into(), None)
}

impl NestedCalls {
    async fn call_in(
        &self,
        shared: &Arc<ExecutorCore>,
        caller: &ToolContext,
        call: ToolCall<'_>,
    ) -> ToolOutcome {
        let call_stack = Arc::new(CallStack::of(caller));
        let turn = caller.turn_below();
        let place = CallSite {
            catalog: shared.catalogs.of_call(caller),
            session: &caller.session,
            turn: turn.as_ref().into(),
            turn_id: caller.turn_id(),
            // A prefix of its own, so that a session's ids need not be counted where they are found.
            invocation_id: InvocationId::from_parts(shared.next_session(), 0),
            call_stack: Some(&call_stack),
            source: self.source.as_ref(),
        };
        run_call(CallOrigin::Tool(&(shared, place)), call).await
    }
}
