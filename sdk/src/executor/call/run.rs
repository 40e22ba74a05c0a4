//! The stage that runs the body, once the call has its turn.

use crate::executor::call::held_thread::HeldThread;
use crate::executor::call::perform::perform;
use crate::executor::call::state::{CallState, Stage, without};
use crate::executor::people::asked::AskedRequests;
use crate::message::{CallStatus, ResultSource, ToolError, ToolOutput};
use crate::tool::{Invocation, ToolContext, is_suspension};

impl CallState {
    pub(crate) async fn run(
        &mut self,
        invocation: Box<dyn Invocation>,
        mut context: ToolContext,
    ) -> Stage {
        if let Err(error) = self.take_place(&mut context).await {
            return without(invocation, Stage::refuse(error));
        }
        if let Some(refusal) = self.refused_by_block() {
            return without(invocation, refusal);
        }
        // The call may have waited since it was judged.
        context.state = self.session.state.snapshot();
        if let Some(step) = self.gates_again(&context) {
            return without(invocation, step);
        }
        #[cfg(feature = "tracing")]
        self.trace_arguments();
        if let Some(world) = context.call.world() {
            world.begin();
        }
        if self.recorder.is_some()
            && let Err(error) = Box::pin(self.record_start()).await
        {
            return without(invocation, Stage::refuse(error));
        }
        self.step(CallStatus::Running);
        if let Some(observer) = &mut self.observer {
            observer.start();
        }
        let holds = HeldThread::of(self, &*invocation);
        let (source, output) = perform(&self.catalog, self.number, invocation, &context).await;
        if let Some(holds) = holds {
            holds.tell(self);
        }
        self.ran(source, output)
    }

    /// Returns the stage after the body: the end, or the requests of the body.
    pub(crate) fn ran(&mut self, source: ResultSource, output: ToolOutput) -> Stage {
        let (noted, answered) = self.session.desk.take(self.invocation_id);
        self.answered.extend(answered);
        let is_suspended = |error: &ToolError| is_suspension(error, self.invocation_id);
        if output.error.as_ref().is_some_and(is_suspended)
            && let Some(asked) = AskedRequests::by_body(noted)
        {
            return Stage::Ask(asked);
        }
        Stage::End(source, output)
    }
}
