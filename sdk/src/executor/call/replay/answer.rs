//! Calls of sessions that replay a journal: they run again or are answered from the record, and nobody is
//! asked about them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::{ReadNotes, read};
use crate::executor::call::replay::state::{Again, ReadCall, Replayed, ReplayedEnd, executor};
use crate::executor::call::replay::unanswered::{not_recorded, unfinished, unreadable};
use crate::executor::call::state::Preparing;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::observer::{CallObserver, CallSpan, notify};
use crate::executor::outcome::{OutcomeOf, ResultDetails};
use crate::executor::output::large::{DEFAULT_LIMIT, exceeds};
use crate::executor::output::limit::{Cut, limited};
use crate::id::{Label, ToolName};
use crate::journal::{
    Divergence, DivergenceKind, NormalOutput, RecordedCall, RecordedInput, Replay, Settled, Sought,
    Way, way,
};
use crate::message::{Arguments, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{BoxFuture, ToolOutcome};

/// The tool of a call, if it is there.
type FoundTool<'a> = Option<(usize, &'a Entry, &'a ToolSpec)>;

/// Replays a call from its beginning to its end.
pub(crate) fn begin<'a>(
    shared: &'a Arc<ExecutorCore>,
    place: &'a CallSite<'a>,
    call: &'a ToolCall<'a>,
    replay: &'a Replay,
) -> BoxFuture<'a, Preparing> {
    Box::pin(async move {
        let outcome = call_again(shared, place, call, replay, None).await;
        Preparing::Ended(Box::new(outcome))
    })
}

/// Replays a call that is known to be a recorded one, or looks for that.
pub(crate) fn call_again<'a>(
    shared: &'a Arc<ExecutorCore>,
    place: &'a CallSite<'a>,
    call: &'a ToolCall<'a>,
    replay: &'a Replay,
    number: Option<usize>,
) -> BoxFuture<'a, ToolOutcome> {
    let observer = CallObserver::of(shared, place, call);
    let span = CallSpan::of(observer.as_deref());
    let replayed = Replayed {
        shared,
        place,
        call,
        replay,
        observer,
        begun: shared.measures_time.then(Instant::now),
        notes: ReadNotes::default(),
    };
    Box::pin(span.cover(replayed.run(number)))
}

impl<'a> Replayed<'a> {
    async fn run(mut self, number: Option<usize>) -> ToolOutcome {
        if let Some(observer) = &self.observer {
            observer.request();
        }
        let found = self.found();
        let (number, ready) = match number {
            Some(number) => {
                self.replay.take(number);
                (Some(number), None)
            }
            None => self.matched(found),
        };
        let recorded = number.and_then(|number| Some((number, self.replay.call(number)?)));
        let (source, output, remarks) = match recorded {
            Some((number, call)) => self.replayed(number, call, found, ready).await,
            None => executor(not_recorded(self.call.name())),
        };
        self.end(found, source, output, remarks)
    }

    /// The tool is found whether or not a model is told of it: the record says what came of that.
    fn found(&self) -> FoundTool<'a> {
        let (number, entry) = self.place.catalog.snapshot.find(self.call.name())?;
        let spec = catch_tool_panic("the tool", || entry.tool.spec()).ok()?;
        Some((number, entry, spec))
    }

    fn name(&self, found: FoundTool<'_>) -> Label {
        if let Some((_, entry, _)) = found {
            return entry.name.label();
        }
        let name = self.call.name().chars().take(ToolName::MAX_LENGTH);
        Label::from(Cow::Owned(name.collect()))
    }

    /// The recorded call that this one is, and what it runs with if it runs.
    fn matched(&mut self, found: FoundTool<'_>) -> (Option<usize>, Option<ReadCall>) {
        let ready = found.and_then(|found| self.read(found, self.call.arguments()).ok());
        let unread = || {
            let version = found.and_then(|(.., spec)| spec.version());
            let key = self.replay.own_key();
            let name = self.name(found);
            RecordedInput::unread(self.call.arguments(), name.as_str(), version, &key)
        };
        let input = ready
            .as_ref()
            .map_or_else(unread, |ready| ready.input.clone());
        let name = self.name(found);
        let sought = Sought {
            session: &self.place.session.id,
            parent: self.place.within.map(|within| within.parent),
            tool: name.as_str(),
            version: found.and_then(|(.., spec)| spec.version()),
            input: &input,
            is_there: found.is_some(),
        };
        let number = self.replay.find(&sought);
        if number.is_none() {
            let divergence = Divergence {
                seq: None,
                invocation: self.place.invocation_id,
                session: self.place.session.id.clone(),
                tool: name.as_str().to_owned(),
                version: sought.version.map(str::to_owned),
                kind: DivergenceKind::NotRecorded {
                    arguments: input.arguments.to_string(),
                },
            };
            self.replay.unknown(divergence, input.request_hash);
        }
        (number, ready)
    }

    fn read(
        &mut self,
        (_, entry, spec): (usize, &Entry, &ToolSpec),
        sent: &Arguments<'_>,
    ) -> Result<ReadCall, ToolError> {
        let mut changed = None;
        let catalog = &self.place.catalog;
        let invocation = read(
            &self.shared.reading,
            catalog.snapshot.asks_purpose(),
            entry,
            sent,
            &mut changed,
            &mut self.notes,
        )?;
        let arguments = changed.unwrap_or_else(|| sent.clone().into_owned());
        let key = self.replay.own_key();
        let input = catch_tool_panic("the tool", || {
            RecordedInput::accepted(&arguments, entry.name.as_str(), spec, &key)
        })?;
        let input =
            input.map_err(|error| ToolError::internal("not canonical").with_source(error))?;
        Ok(ReadCall {
            invocation,
            arguments,
            input,
        })
    }

    /// A call that is recorded.
    async fn replayed(
        &mut self,
        number: usize,
        recorded: &RecordedCall,
        found: FoundTool<'_>,
        ready: Option<ReadCall>,
    ) -> ReplayedEnd {
        let (way, divergence) = way(recorded, found.map(|(.., spec)| spec));
        if let Some(divergence) = divergence {
            self.replay.differs(number, divergence);
        }
        let bounded = match way {
            Way::Unfinished => {
                self.replay.settle(number, Settled::Unfinished);
                return executor(unfinished(self.call.name()));
            }
            Way::Record => return self.answer(number, recorded).await,
            Way::Again => false,
            Way::Bounded => true,
        };
        let Some(found) = found else {
            return self.answer(number, recorded).await;
        };
        let ready = match ready {
            Some(ready) => Ok(ready),
            None => self.read(found, self.call.arguments()),
        };
        let now = match &ready {
            Ok(ready) if ready.input.request_hash == recorded.request_hash() => None,
            Ok(ready) => Some(ready.input.arguments.to_string()),
            Err(error) => Some(error.to_string()),
        };
        match (ready, now) {
            (Ok(ready), None) => {
                let again = Again {
                    number,
                    recorded,
                    bounded,
                };
                self.again(again, found.0, ready).await
            }
            (_, replayed) => {
                let divergence = DivergenceKind::Arguments {
                    recorded: recorded.input().arguments.to_string(),
                    replayed: replayed.unwrap_or_default(),
                };
                self.replay.differs(number, divergence);
                self.answer(number, recorded).await
            }
        }
    }

    async fn answer(&mut self, number: usize, recorded: &RecordedCall) -> ReplayedEnd {
        let remarks = recorded
            .responded
            .as_ref()
            .map_or_else(Vec::new, |responded| responded.remarks.clone());
        match self.replay.output(number).await {
            Ok(Some(output)) => {
                self.replay.settle(number, Settled::Record);
                (ResultSource::Replay, output, remarks)
            }
            Ok(None) => executor(unfinished(self.call.name())),
            Err(error) => {
                let why = error.to_string();
                self.replay.settle(number, Settled::Unanswered);
                self.replay
                    .differs(number, DivergenceKind::Unreadable { why });
                executor(unreadable(self.call.name(), error))
            }
        }
    }

    /// What is kept of a large result is the executor's, so that it is cut for good.
    fn end(
        self,
        found: FoundTool<'_>,
        source: ResultSource,
        mut output: ToolOutput,
        remarks: Vec<String>,
    ) -> ToolOutcome {
        let limit = match (source, found) {
            (ResultSource::Executor, _) | (_, None) => self.shared.excess.limit.max(DEFAULT_LIMIT),
            (_, Some((tool, ..))) => self.place.catalog.plan(tool).output,
        };
        let _ = NormalOutput::of(&mut output);
        if exceeds(&output, limit) {
            output = limited(output, limit, Cut::ForGood);
        }
        let name = self.name(found);
        let of = OutcomeOf {
            call_id: self.call.id().cloned(),
            invocation_id: self.place.invocation_id,
            tool: name,
        };
        let details = ResultDetails {
            notes: self.notes,
            begun: self.begun,
            edited: false,
            remarks,
        };
        notify(self.observer, of.ended(source, output, Some(details)))
    }
}
