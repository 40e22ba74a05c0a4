//! The source of results of sessions that replay: tools run again, or the record answers.

use async_trait::async_trait;
use toolwright::ToolOutput;
use toolwright::ToolSpec;
use toolwright::content::ContentHash;
use toolwright::id::TurnId;
use toolwright::record::{
    CallSource, RecordedEnvironment, RepeatedRun, SourceDecision, SourcedAnswer, SourcedCall,
};
use toolwright::text::describe_end;

use super::answers::{answer, not_recorded, unfinished, unreadable};
use super::mode::{ReplayMode, mode};
use super::progress::{Running, Settled};
use super::{Divergence, DivergenceKind, RecordedCall, Replay};
use crate::normal::NormalOutput;
use crate::{JournalError, RecordedInput};

/// The input of a call now, or the reason why the tool does not accept it.
type InputNow = Result<RecordedInput, String>;

#[async_trait]
impl CallSource for Replay {
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
        let input = self.input_of(call);
        let next = match call.parent {
            None => self.lock().take_next(),
            Some(_) => None,
        };
        let next = next.and_then(|number| Some((number, self.call(number)?)));
        let turn = next.map(|(_, recorded)| recorded.requested.turn);
        let matched = || {
            let number = self.matched(call, &input)?;
            Some((number, self.call(number)?))
        };
        match next.or_else(matched) {
            Some((number, recorded)) => {
                let decided = self.decide_as(number, recorded, call, input, turn);
                decided.await
            }
            None => SourceDecision::answer(not_recorded(call.tool)),
        }
    }

    async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer {
        let Some(running) = self.lock().running(run.invocation) else {
            return run.into_answer();
        };
        self.compared(running, run).await
    }
}

impl Replay {
    /// Arguments as a journal would have them.
    fn input_of(&self, call: &SourcedCall<'_>) -> InputNow {
        let (Some(read), Some(spec)) = (call.read, call.spec) else {
            return Err(String::new());
        };
        let arguments = read.map_err(ToString::to_string)?;
        let input = RecordedInput::accepted(arguments, call.tool, spec, &self.own_key());
        input.map_err(|error| error.to_string())
    }

    /// The recorded call that this one is, which is taken by it.
    fn matched(&self, call: &SourcedCall<'_>, input: &InputNow) -> Option<usize> {
        let version = call.spec.and_then(ToolSpec::version);
        let input = match input {
            Ok(input) => input,
            Err(_) => &RecordedInput::unread(call.sent, call.tool, version, &self.own_key()),
        };
        let found = self.find(call, input);
        if found.is_none() {
            let divergence = Divergence {
                seq: None,
                invocation: call.invocation,
                session: call.session.clone(),
                tool: call.tool.to_owned(),
                version: version.map(str::to_owned),
                kind: DivergenceKind::NotRecorded {
                    arguments: input.arguments.to_string(),
                },
            };
            self.lock().unknown(divergence, input.request_hash);
        }
        found
    }

    /// Decides on a call that is a recorded one.
    async fn decide_as(
        &self,
        number: usize,
        recorded: &RecordedCall,
        call: &SourcedCall<'_>,
        input: InputNow,
        turn: Option<TurnId>,
    ) -> SourceDecision {
        let (mode, divergence) = mode(recorded, call.spec);
        if let Some(divergence) = divergence {
            self.differs(number, divergence);
        }
        if mode == ReplayMode::Record {
            return self.recorded_answer(number, recorded).await;
        }
        let bounded = mode == ReplayMode::Bounded;
        let replayed = match input {
            Ok(input) if input.request_hash == recorded.request_hash() => {
                let running = Running {
                    number,
                    bounded,
                    request: input.request_hash,
                };
                // The calls that its tool makes are known by it.
                self.lock().runs_as(call.invocation, running);
                let environment = recorded.environment().filter(|_| bounded);
                return SourceDecision::run_in(environment, turn);
            }
            Ok(input) => input.arguments.to_string(),
            Err(why) => why,
        };
        let divergence = DivergenceKind::Arguments {
            recorded: recorded.input().arguments.to_string(),
            replayed,
        };
        self.differs(number, divergence);
        self.recorded_answer(number, recorded).await
    }

    async fn recorded_answer(&self, number: usize, recorded: &RecordedCall) -> SourceDecision {
        let output = self.output(recorded).await;
        match &output {
            Ok(_) => self.settle(number, Settled::Record),
            Err(error) => {
                self.settle(number, Settled::Unanswered);
                let why = error.to_string();
                self.differs(number, DivergenceKind::Unreadable { why });
            }
        }
        SourceDecision::answer(recorded.answer(output))
    }

    /// Compares what a call gave with what is recorded of it.
    async fn compared(&self, running: Running, mut run: RepeatedRun) -> SourcedAnswer {
        let Running {
            number,
            bounded,
            request,
        } = running;
        let Some(recorded) = self.call(number) else {
            return run.into_answer();
        };
        let responded = recorded.responded.as_ref();
        let normal = NormalOutput::of(&mut run.output);
        let now = normal.map_or(ContentHash::from_bytes([0; 32]), |(normal, _)| normal.hash);
        self.settle(number, Settled::Again(request, now));
        if responded.map(|responded| responded.response_hash) != Some(now) {
            return self.other(running, recorded, &run.output).await;
        }
        let readings = responded.map_or(0, |responded| responded.clock.len());
        let readings = u64::try_from(readings).unwrap_or(u64::MAX);
        if bounded && run.clock_readings != readings {
            let divergence = DivergenceKind::ClockReadings {
                recorded: readings,
                replayed: run.clock_readings,
            };
            self.differs(number, divergence);
        }
        let mut answer = answer(run.output);
        answer.source = run.source;
        answer
    }

    /// The call gave something else: the record answers, so that what follows is what followed.
    async fn other(
        &self,
        running: Running,
        recorded: &RecordedCall,
        output: &ToolOutput,
    ) -> SourcedAnswer {
        let before = self.output(recorded).await;
        let divergence = DivergenceKind::Output {
            recorded: match &before {
                Ok(before) => before.as_ref().map(described).unwrap_or_default(),
                Err(error) => format!("[{error}]"),
            },
            replayed: described(output),
            bounded: running.bounded,
        };
        self.differs(running.number, divergence);
        recorded.answer(before)
    }
}

fn described(output: &ToolOutput) -> String {
    describe_end(output.as_error(), output.is_pending(), output.content())
}

impl RecordedCall {
    /// Returns the answer with the output that was read from the record, if the call has ended.
    fn answer(&self, output: Result<Option<ToolOutput>, JournalError>) -> SourcedAnswer {
        let tool = &self.requested.tool;
        match (output, &self.responded) {
            (Ok(Some(output)), Some(responded)) => {
                answer(output).with_remarks(responded.remarks.clone())
            }
            (Ok(_), _) => unfinished(tool),
            (Err(error), _) => unreadable(tool, error),
        }
    }

    /// The clock and the random numbers that the body had.
    fn environment(&self) -> Option<RecordedEnvironment> {
        let seed = self.input().seed?;
        let clock = self.responded.as_ref()?.clock.clone();
        Some(RecordedEnvironment::new(*seed.as_bytes(), clock))
    }
}
