//! A gate's block ends the turn: its calls that did not begin end as blocked, and those that run are
//! cancelled.

use std::sync::Arc;

use crate::content::{CallStatus, ErrorKind, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::context::{TurnBlock, TurnScope};
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::people::mode::WaitMode;
use crate::id::Label;
use crate::ticket::TicketFilter;

impl CallSite<'_> {
    /// A scope for a call that is a turn of its own, where a gate may end the turn.
    pub(crate) fn turn_to_block(&self, shared: &ExecutorCore) -> Option<Arc<TurnScope>> {
        (self.turn.is_single() && !shared.hooks.gates.is_empty()).then(|| {
            let cancellation = self.session.cancellation.child_token();
            Arc::new(TurnScope::new(self.turn_id, cancellation))
        })
    }

    /// The error of a call that is made in a turn which a gate has ended.
    #[inline]
    pub(crate) fn refused_by_block(&self, call: &ToolCall<'_>) -> Option<(Label, ToolError)> {
        let block = self.turn.innermost()?.block()?;
        let (_, label) = self.find(call);
        let refusal = block.refusal(label.as_str());
        Some((label, refusal))
    }
}

impl CallState {
    fn block(&self) -> Option<&Arc<TurnBlock>> {
        self.turn.as_deref()?.block()
    }

    /// The end of a call that did not begin, where a gate has ended its turn at another call.
    pub(crate) fn refused_by_block(&self) -> Option<Stage> {
        let block = self.block()?;
        Some(Stage::refuse(block.refusal(self.entry().name.as_str())))
    }

    /// Ends the turn at this call, unless another call has just ended it: of two calls that gates block
    /// at once, the first is the one that is blocked, and the other one of its turn.
    pub(crate) fn block_turn(&self, reason: String) -> Stage {
        let block = Arc::new(TurnBlock::new(&self.entry().name, reason));
        if let Some(turn) = &self.turn {
            let own = (self.session.prefix, self.identity.turn);
            self.session.suspended.block(turn.whole(), own, &block);
        }
        match self.block() {
            Some(first) if !Arc::ptr_eq(first, &block) => {
                Stage::refuse(first.refusal(self.entry().name.as_str()))
            }
            _ => Stage::End(ResultSource::Gate, block.error().into()),
        }
    }

    /// Connects the call with its turn, before it is suspended or when it is resumed.
    pub(crate) fn connect_turn(&self) {
        if let Some(turn) = &self.turn {
            let key = (self.identity.invocation.prefix(), self.identity.turn);
            self.session.suspended.connect(key, turn.whole());
        }
    }

    /// The end of a call of a turn that a gate has ended: a call that was cancelled because of that says
    /// so, and the block itself also ends the calls of the turn that are suspended.
    pub(crate) async fn ended_by_block(
        &self,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutput {
        let (Some(block), Some(error)) = (self.block(), &output.error) else {
            return output;
        };
        match (source, error.kind()) {
            (ResultSource::Gate, ErrorKind::Blocked) => {
                self.cancel_tickets().await;
                output
            }
            (ResultSource::Executor, ErrorKind::Cancelled) => match self.status {
                // The error says already that the turn was blocked.
                CallStatus::Running if error.code() == TurnBlock::CODE => output,
                CallStatus::Running => block.cancelled().into(),
                _ => block.refusal(self.entry().name.as_str()).into(),
            },
            _ => output,
        }
    }

    /// Cancels the tickets of the turn, so that no process resumes its calls.
    async fn cancel_tickets(&self) {
        let people = &self.shared.base.people;
        if people.mode != WaitMode::Suspending {
            return;
        }
        let Some(turn) = &self.turn else { return };
        let (prefix, id) = self
            .session
            .suspended
            .key_of(turn.whole(), (self.session.prefix, self.identity.turn));
        let filter = TicketFilter::session(self.session.id.clone()).turn(id);
        // If the store fails, the tickets stay in it; the turn's scope still ends their calls in this process.
        let Ok(open) = people.broker.list(&filter).await else {
            return;
        };
        for pending in open {
            let ticket = pending.ticket();
            if ticket.invocation().prefix() == prefix {
                let _ = people.broker.cancel(ticket.id()).await;
            }
        }
    }
}
