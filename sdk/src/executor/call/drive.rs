//! The way of a call with a state of its own through the stages that `mod.rs` lists: in place for as long as it waits
//! for nobody, and then in a box.

use std::future::Future;
use std::task::{Context, Poll, Waker};

use crate::content::CallStatus;
use crate::executor::call::reached::PlainEnd;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::observe::observer::span_of;
use crate::executor::people::mode::WaitMode;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

impl CallState {
    /// Goes on in place as long as the call waits for nobody, and then in a box.
    pub(crate) fn go_in_place<'a>(mut self: Box<Self>, mut stage: Stage) -> PlainEnd<'a> {
        let span = span_of(self.observer.as_deref());
        loop {
            stage = match stage {
                // 5.
                Stage::Before(authorized) => {
                    let mut before = self.before(authorized);
                    let mut cx = Context::from_waker(Waker::noop());
                    match span.in_scope(|| before.as_mut().poll(&mut cx)) {
                        Poll::Ready((call_state, stage)) => {
                            self = call_state;
                            stage
                        }
                        // Whoever waits for the call polls it at once, with a waker of its own.
                        Poll::Pending => {
                            return Err(Box::pin(span.cover(async move {
                                let (call_state, stage) = before.await;
                                call_state.go_on(stage).await
                            })));
                        }
                    }
                }
                // 7 and 8.
                Stage::Run(mut context) => {
                    if !self.runs_in_place(&mut context) {
                        return Err(Box::pin(self.drive(Stage::Run(context))));
                    }
                    span.in_scope(|| self.run_in_place(context))
                }
                // 9 and 10.
                Stage::End(mut source, mut output) if self.finishes_in_place() => {
                    let ended = span.in_scope(|| {
                        self.parsed.clear();
                        self.settle_own(&mut source, &mut output);
                        self.record_end_now(source, &mut output);
                        if self.recorder.is_some() || self.cuts(source, &output) {
                            return Err((self, output));
                        }
                        Ok(self.conclude(source, output))
                    });
                    return ended.map_err(|(call_state, output)| -> BoxFuture<'a, ToolOutcome> {
                        Box::pin(span.cover(call_state.finish_settled(source, output)))
                    });
                }
                stage => return Err(Box::pin(self.drive(stage))),
            };
        }
    }

    /// Goes on until the call has ended, or waits in a ticket.
    pub(crate) fn drive(
        self: Box<Self>,
        stage: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        let span = span_of(self.observer.as_deref());
        span.cover(self.go_on(stage))
    }

    /// Stages that few calls reach are boxed, to keep the future of a call small.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` keeps its arguments twice in its future"
    )]
    fn go_on(
        mut self: Box<Self>,
        mut stage: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        async move {
            loop {
                stage = match stage {
                    // 2 to 4.
                    Stage::Start | Stage::StartAnew { .. } => Box::pin(self.start(stage)).await,
                    // 5.
                    Stage::Before(authorized) => {
                        let (call_state, stage) = self.before(authorized).await;
                        self = call_state;
                        stage
                    }
                    // 6.
                    Stage::Ask(asked) => {
                        self.leave_permit();
                        Box::pin(self.ask(asked)).await
                    }
                    Stage::Opened(asked, held) => {
                        self.leave_permit();
                        self.emit(|| asked.told(held.ticket().id()));
                        self.step(CallStatus::Suspended);
                        match self.shared.base.people.mode {
                            WaitMode::Blocking => Box::pin(self.settle(asked, held)).await,
                            WaitMode::Unattended | WaitMode::Suspending => {
                                // Connected first: whoever blocks the turn now finds this call or
                                // its ticket.
                                self.connect_turn();
                                if let Some(below) = &self.session.below {
                                    below.stay();
                                }
                                if let Some(refusal) = self.refused_by_block() {
                                    stage = refusal;
                                    continue;
                                }
                                if let Err(error) =
                                    Box::pin(self.record_suspension(&asked, &held)).await
                                {
                                    // The held ticket is dropped, and nobody can answer it.
                                    stage = Stage::refuse(error);
                                    continue;
                                }
                                return self.suspended(&asked, held.let_go());
                            }
                        }
                    }
                    // 7 and 8.
                    Stage::Run(context) => self.run(context).await,
                    // 9 and 10.
                    Stage::End(source, mut output) => {
                        self.parsed.clear();
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
