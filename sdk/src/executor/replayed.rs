//! Calls of sessions that replay a journal: they run again or are answered from the record, and nobody is
//! asked about them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use super::begin::Begun;
use super::body::perform;
use super::commands::obeyed;
use super::excess::{DEFAULT_LIMIT, exceeds};
use super::guard::guarded;
use super::limit::{Cut, limited};
use super::reading::{Notes, read};
use super::session::Place;
use super::witness::{CallSpan, Witness, told};
use super::{FailedCall, Shared, ToolOutcome};
use crate::differ::shown;
use crate::hash::ContentHash;
use crate::id::{Label, ToolName};
use crate::journal::{
    Divergence, DivergenceKind, NormalOutput, RecordedCall, RecordedInput, Replay, Settled, Sought,
    Way, way,
};
use crate::message::{
    Arguments, Content, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult,
};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{BoxFuture, CallScope, CallWorld, Invocation, Kept, Seed, ToolContext};

/// A call of a session that replays.
pub(super) struct Replayed<'a> {
    shared: &'a Arc<Shared>,
    place: &'a Place<'a>,
    call: &'a ToolCall<'a>,
    replay: &'a Replay,
    witness: Option<Box<Witness>>,
    begun: Option<Instant>,
    notes: Notes,
}

/// The tool of a call, if it is there.
type Found<'a> = Option<(usize, &'a Entry, &'a ToolSpec)>;

/// A body that can run, and what it runs with.
struct Ready {
    invocation: Box<dyn Invocation>,
    arguments: Arguments<'static>,
    input: RecordedInput,
}

/// What a call ends with, and what the model is told besides.
type Ended = (ResultSource, ToolOutput, Vec<String>);

/// Replays a call from its beginning to its end.
pub(super) fn begin<'a>(
    shared: &'a Arc<Shared>,
    place: &'a Place<'a>,
    call: &'a ToolCall<'a>,
    replay: &'a Replay,
) -> BoxFuture<'a, Begun> {
    Box::pin(async move {
        let outcome = call_again(shared, place, call, replay, None).await;
        Begun::Ended(Box::new(outcome))
    })
}

/// Replays a call that is known to be a recorded one, or looks for that.
pub(super) fn call_again<'a>(
    shared: &'a Arc<Shared>,
    place: &'a Place<'a>,
    call: &'a ToolCall<'a>,
    replay: &'a Replay,
    number: Option<usize>,
) -> BoxFuture<'a, ToolOutcome> {
    let witness = Witness::of(shared, place, call);
    let span = CallSpan::of(witness.as_deref());
    let replayed = Replayed {
        shared,
        place,
        call,
        replay,
        witness,
        begun: shared.measures_time.then(Instant::now),
        notes: Notes::default(),
    };
    Box::pin(span.cover(replayed.run(number)))
}

impl<'a> Replayed<'a> {
    async fn run(mut self, number: Option<usize>) -> ToolOutcome {
        if let Some(witness) = &self.witness {
            witness.request();
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
    fn found(&self) -> Found<'a> {
        let (number, entry) = self.place.catalog.snapshot.find(self.call.name())?;
        let spec = guarded("the tool", || entry.tool.spec()).ok()?;
        Some((number, entry, spec))
    }

    fn name(&self, found: Found<'_>) -> Label {
        match found {
            Some((_, entry, _)) => entry.name.label(),
            None => {
                let name = self.call.name().chars().take(ToolName::MAX_LENGTH);
                Label::from(Cow::Owned(name.collect()))
            }
        }
    }

    /// The recorded call that this one is, and what it runs with if it runs.
    fn matched(&mut self, found: Found<'_>) -> (Option<usize>, Option<Ready>) {
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
    ) -> Result<Ready, ToolError> {
        let mut changed = None;
        let catalog = &self.place.catalog;
        let invocation = read(
            self.shared,
            catalog,
            entry,
            sent,
            &mut changed,
            &mut self.notes,
        )?;
        let arguments = changed.unwrap_or_else(|| sent.clone().into_owned());
        let key = self.replay.own_key();
        let input = guarded("the tool", || {
            RecordedInput::accepted(&arguments, entry.name.as_str(), spec, &key)
        })?;
        let input =
            input.map_err(|error| ToolError::internal("not canonical").with_source(error))?;
        Ok(Ready {
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
        found: Found<'_>,
        ready: Option<Ready>,
    ) -> Ended {
        let (way, divergence) = way(recorded, found.map(|(.., spec)| spec));
        if let Some(divergence) = divergence {
            self.replay.differs(number, divergence);
        }
        let bounded = match way {
            Way::Unfinished => {
                self.replay.settle(number, Settled::Unfinished);
                return executor(unfinished(self.call.name()));
            }
            Way::Record => return self.from_record(number, recorded).await,
            Way::Again => false,
            Way::Bounded => true,
        };
        let Some(found) = found else {
            return self.from_record(number, recorded).await;
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
                self.from_record(number, recorded).await
            }
        }
    }

    async fn from_record(&mut self, number: usize, recorded: &RecordedCall) -> Ended {
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

    /// The body runs again.
    async fn again(&mut self, again: Again<'_>, tool: usize, ready: Ready) -> Ended {
        let Again {
            number,
            recorded,
            bounded,
        } = again;
        let place = self.place;
        let world = again.world(place);
        let Ready {
            invocation,
            arguments,
            input,
        } = ready;
        let context = self.context(tool, arguments, &world);
        self.replay.runs_as(place.invocation_id, number);
        if let Some(witness) = &mut self.witness {
            witness.start();
        }
        world.begin();
        let (mut source, mut output) = perform(&place.catalog, tool, invocation, &context).await;
        let _ = place.session.desk.take(place.invocation_id);
        if source == ResultSource::Tool {
            output = place.catalog.plan(tool).checked(output);
        }
        if !output.commands().is_empty() {
            (source, output) = obeyed(&context, source, output);
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
    async fn other(&mut self, again: Again<'_>, output: &ToolOutput) -> Ended {
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
        ToolContext::new(
            Arc::clone(place.session),
            place.turn.cloned(),
            CallScope {
                turn_id: place.turn_id,
                call_id: self.call.id().cloned(),
                invocation_id: place.invocation_id,
                tool: place.catalog.entry(tool).name.clone(),
                metadata: self.call.metadata().cloned(),
                kept: Some(Arc::new(Kept {
                    arguments,
                    purpose: self.notes.purpose.clone(),
                    watched: self.witness.as_deref().map(Witness::call),
                })),
                resumed: None,
                output_hint: place.catalog.output_hint(tool),
                within: place.within.cloned(),
                specs: place.catalog.specs(tool),
                world: Some(Arc::clone(world)),
            },
        )
    }

    /// What is kept of a large result is the executor's, so that it is cut for good.
    fn end(
        self,
        found: Found<'_>,
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
        let fatal = output.error.clone().filter(ToolError::is_fatal);
        let name = self.name(found);
        let id = self.place.invocation_id;
        let mut result = ToolResult::new(self.call.id().cloned(), id, name, source, output);
        result.note(self.notes.purpose, self.notes.repairs);
        for remark in remarks {
            result.push(Content::text(remark));
        }
        if let Some(begun) = self.begun {
            result = result.with_duration(begun.elapsed());
        }
        let outcome = match fatal {
            Some(error) => ToolOutcome::Failed(FailedCall::new(error, result)),
            None => ToolOutcome::Completed(result),
        };
        told(self.witness, outcome)
    }
}

/// A recorded call that runs again.
#[derive(Clone, Copy)]
struct Again<'r> {
    number: usize,
    recorded: &'r RecordedCall,
    bounded: bool,
}

impl Again<'_> {
    /// What it had of time and chance, or something that it did not have.
    fn world(self, place: &Place<'_>) -> Arc<CallWorld> {
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

fn executor(error: ToolError) -> Ended {
    (ResultSource::Executor, error.into(), Vec::new())
}

#[cold]
fn not_recorded(tool: &str) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and this call is not in the record, or was \
         made as often as it is there"
    ))
    .with_code("not_recorded")
}

#[cold]
fn unfinished(tool: &str) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and the record does not tell how this call \
         ended"
    ))
    .with_code("not_finished_in_record")
}

#[cold]
fn unreadable(
    tool: &str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and what the call gave is not there to be \
         read"
    ))
    .with_code("record_unreadable")
    .with_source(source)
}
