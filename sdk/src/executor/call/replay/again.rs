//! Calls of a replay that run again, and have to give what they gave.

use std::sync::Arc;

use crate::differ::shown;
use crate::executor::call::commands::apply_commands;
use crate::executor::call::perform::perform;
use crate::executor::call::replay::state::{Again, ReadCall, Replayed, ReplayedEnd, executor};
use crate::executor::call::replay::unanswered::{unfinished, unreadable};
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::CallObserver;
use crate::hash::ContentHash;
use crate::journal::{DivergenceKind, NormalOutput, Settled};
use crate::message::{Arguments, ResultSource, ToolOutput};
use crate::tool::{CallExtras, CallIds, CallWorld, Kept, Seed, ToolContext};

impl Again<'_> {
    /// Returns the recorded clock and randomness of the call, or others if there are none.
    fn world(self, place: &CallSite<'_>) -> Arc<CallWorld> {
        let seed = self.recorded.input().seed.filter(|_| self.bounded);
        let responded = self.recorded.responded.as_ref();
        match (seed, responded) {
            (Some(seed), Some(responded)) => Arc::new(CallWorld::recorded(
                Seed(*seed.as_bytes()),
                responded.clock.clone(),
            )),
            _ => place.session.world.another(),
        }
    }
}

fn in_words(output: &ToolOutput) -> String {
    shown(output.as_error(), output.is_pending(), output.content())
}

impl Replayed<'_> {
    /// The body runs again.
    pub(crate) async fn again(
        &mut self,
        again: Again<'_>,
        tool: usize,
        ready: ReadCall,
    ) -> ReplayedEnd {
        let Again {
            number,
            recorded,
            bounded,
        } = again;
        let place = self.place;
        let world = again.world(place);
        let ReadCall {
            invocation,
            arguments,
            input,
        } = ready;
        let context = self.context(tool, arguments, &world);
        self.replay.runs_as(place.invocation_id, number);
        if let Some(observer) = &mut self.observer {
            observer.start();
        }
        world.begin();
        let (mut source, mut output) = perform(&place.catalog, tool, invocation, &context).await;
        let _ = place.session.desk.take(place.invocation_id);
        if source == ResultSource::Tool {
            output = place.catalog.plan(tool).checked(output);
        }
        if !output.commands().is_empty() {
            (source, output) = apply_commands(&context, source, output);
        }
        let responded = recorded.responded.as_ref();
        let before = responded.map(|responded| responded.response_hash);
        let normal = NormalOutput::of(&mut output);
        let now = normal.map_or(ContentHash::from_bytes([0; 32]), |normal| normal.hash);
        self.replay
            .settle(number, Settled::Again(input.request_hash, now));
        if before != Some(now) {
            return self.other(again, &output).await;
        }
        let readings = responded.map_or(0, |responded| responded.clock.len());
        let readings = u64::try_from(readings).unwrap_or(u64::MAX);
        if bounded && world.times_read() != readings {
            let divergence = DivergenceKind::ClockReadings {
                recorded: readings,
                replayed: world.times_read(),
            };
            self.replay.differs(number, divergence);
        }
        (source, output, Vec::new())
    }

    /// The call gave something else: the record answers, so that what follows is what followed.
    async fn other(&mut self, again: Again<'_>, output: &ToolOutput) -> ReplayedEnd {
        let Again {
            number, recorded, ..
        } = again;
        let before = self.replay.output(number).await;
        let divergence = DivergenceKind::Output {
            recorded: match &before {
                Ok(Some(before)) => in_words(before),
                Ok(None) => String::new(),
                Err(error) => format!("[{error}]"),
            },
            replayed: in_words(output),
            bounded: again.bounded,
        };
        self.replay.differs(number, divergence);
        match before {
            Ok(Some(before)) => {
                let responded = recorded.responded.as_ref();
                let remarks = responded.map_or_else(Vec::new, |its| its.remarks.clone());
                (ResultSource::Replay, before, remarks)
            }
            Ok(None) => executor(unfinished(self.call.name())),
            Err(error) => executor(unreadable(self.call.name(), error)),
        }
    }

    fn context(
        &self,
        tool: usize,
        arguments: Arguments<'static>,
        world: &Arc<CallWorld>,
    ) -> ToolContext {
        let place = self.place;
        let extras = CallExtras {
            metadata: self.call.metadata().cloned(),
            kept: Some(Arc::new(Kept {
                arguments,
                purpose: self.notes.purpose.clone(),
                watched: self.observer.as_deref().map(CallObserver::call),
            })),
            within: place.within.cloned(),
            specs: place.catalog.specs(),
            world: Some(Arc::clone(world)),
            ..CallExtras::default()
        };
        ToolContext::new(
            Arc::clone(place.session),
            place.turn.cloned(),
            CallIds {
                turn: place.turn_id,
                invocation: place.invocation_id,
                call: self.call.id().cloned(),
            },
            tool,
            Some(Arc::new(extras)),
        )
    }
}
