//! The steps of a call that may have to wait for people, one after another, until it ends or is suspended.

use std::future::Future;

use crate::executor::arguments::read::{ReadNotes, read};
use crate::executor::call::permission::NeedsReview;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::observe::observer::CallSpan;
use crate::executor::people::mode::WaitMode;
use crate::message::{Arguments, CallStatus, ResultSource, ToolError, ToolOutput};
use crate::tool::{Invocation, ToolContext, ToolOutcome};

impl CallState {
    /// A call that may perhaps not run as it is.
    pub(crate) async fn needs_review(
        mut self: Box<Self>,
        invocation: Box<dyn Invocation>,
        review: NeedsReview,
    ) -> ToolOutcome {
        self.arguments = review.arguments;
        let step = self.judge(invocation, review.assessment, false).await;
        self.drive(step).await
    }

    /// A call whose body has waited, or has ended because it has to.
    pub(crate) async fn waited(
        mut self: Box<Self>,
        sent: Option<Arguments<'_>>,
        context: ToolContext,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.status = CallStatus::Running;
        let step = match self.arguments_again(sent, &context) {
            Ok(arguments) => {
                self.arguments = arguments;
                self.passed = true;
                self.ran(source, output)
            }
            // They were read a moment ago.
            Err(error) => Stage::refuse(error),
        };
        self.drive(step).await
    }

    fn arguments_again(
        &self,
        sent: Option<Arguments<'_>>,
        context: &ToolContext,
    ) -> Result<Arguments<'static>, ToolError> {
        if let Some(kept) = context.call.kept() {
            return Ok(kept.arguments.clone());
        }
        let Some(sent) = sent else {
            return Err(ToolError::internal("the arguments of the call are gone"));
        };
        let mut changed = None;
        let notes = &mut ReadNotes::default();
        read(
            &self.shared.reading,
            self.catalog.snapshot.asks_purpose(),
            self.entry(),
            &sent,
            &mut changed,
            notes,
        )?;
        Ok(changed.unwrap_or_else(|| sent.into_owned()))
    }

    /// Goes on until the call has ended, or waits in a ticket.
    pub(crate) fn drive(
        self: Box<Self>,
        step: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        let span = CallSpan::of(self.observer.as_deref());
        span.cover(self.go_on(step))
    }

    /// Stages that few calls reach are boxed, to keep the future of a call small.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` keeps its arguments twice in its future"
    )]
    fn go_on(
        mut self: Box<Self>,
        mut step: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        async move {
            loop {
                step = match step {
                    Stage::Start | Stage::StartAnew { .. } => Box::pin(self.start(step)).await,
                    Stage::Before(authorized) => self.before(authorized).await,
                    Stage::Run(invocation, context) => self.run(invocation, context).await,
                    Stage::Ask(asked) => {
                        self.leave_place();
                        Box::pin(self.ask(asked)).await
                    }
                    Stage::Opened(asked, held) => {
                        self.leave_place();
                        self.emit(|| asked.told(held.ticket().id()));
                        self.step(CallStatus::Suspended);
                        match self.shared.base.people.mode {
                            WaitMode::Blocking => Box::pin(self.settle(asked, held)).await,
                            WaitMode::Unattended | WaitMode::Suspending => {
                                // Connected first: whoever blocks the turn now finds this call or
                                // its ticket.
                                self.connect_turn();
                                if let Some(refusal) = self.refused_by_block() {
                                    step = refusal;
                                    continue;
                                }
                                if let Err(error) =
                                    Box::pin(self.record_suspension(&asked, &held)).await
                                {
                                    // What is held here is dropped, and nobody can answer it.
                                    step = Stage::refuse(error);
                                    continue;
                                }
                                return self.suspended(&asked, held.let_go());
                            }
                        }
                    }
                    Stage::End(source, mut output) => {
                        if self.is_blocked() {
                            output = Box::pin(self.ended_by_block(source, output)).await;
                        }
                        return self.finish(source, output).await;
                    }
                };
            }
        }
    }
}
