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
use super::{Divergence, DivergenceKind, RecordedCall, Replay, SoughtCall};
use crate::RecordedInput;
use crate::normal::NormalOutput;

/// The input of a call now, or the reason why the tool does not accept it.
type InputNow = Result<RecordedInput, String>;

#[async_trait]
impl CallSource for Replay {
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
        let input = self.input_of(call);
        match self.matched(call, &input) {
            Some(number) => self.decide_as(number, call, input, None).await,
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
    pub(super) fn input_of(&self, call: &SourcedCall<'_>) -> InputNow {
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
        let found = self.find(&SoughtCall {
            session: call.session,
            parent: call.parent,
            tool: call.tool,
            version,
            input,
            is_there: call.spec.is_some(),
        });
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
    pub(super) async fn decide_as(
        &self,
        number: usize,
        call: &SourcedCall<'_>,
        input: InputNow,
        turn: Option<TurnId>,
    ) -> SourceDecision {
        let Some(recorded) = self.call(number) else {
            return SourceDecision::answer(not_recorded(call.tool));
        };
        let (mode, divergence) = mode(recorded, call.spec);
        if let Some(divergence) = divergence {
            self.differs(number, divergence);
        }
        let bounded = match mode {
            ReplayMode::Unfinished => {
                self.settle(number, Settled::Unfinished);
                return SourceDecision::answer(unfinished(call.tool));
            }
            ReplayMode::Record => return self.recorded_answer(number, call.tool, recorded).await,
            ReplayMode::Again => false,
            ReplayMode::Bounded => true,
        };
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
        self.recorded_answer(number, call.tool, recorded).await
    }

    async fn recorded_answer(
        &self,
        number: usize,
        tool: &str,
        recorded: &RecordedCall,
    ) -> SourceDecision {
        SourceDecision::answer(match self.output(number).await {
            Ok(Some(output)) => {
                self.settle(number, Settled::Record);
                answer(output).with_remarks(recorded.remarks())
            }
            Ok(None) => unfinished(tool),
            Err(error) => {
                self.settle(number, Settled::Unanswered);
                let why = error.to_string();
                self.differs(number, DivergenceKind::Unreadable { why });
                unreadable(tool, error)
            }
        })
    }

    /// Compares what a call gave with what is recorded of it.
    async fn compared(&self, running: Running, mut run: RepeatedRun) -> SourcedAnswer {
        let Running {
            number,
            bounded,
            request,
        } = running;
        let recorded = self.call(number);
        let responded = recorded.and_then(|call| call.responded.as_ref());
        let normal = NormalOutput::of(&mut run.output);
        let now = normal.map_or(ContentHash::from_bytes([0; 32]), |(normal, _)| normal.hash);
        self.settle(number, Settled::Again(request, now));
        if responded.map(|responded| responded.response_hash) != Some(now) {
            return self.other(running, &run.output).await;
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
    async fn other(&self, running: Running, output: &ToolOutput) -> SourcedAnswer {
        let number = running.number;
        let before = self.output(number).await;
        let divergence = DivergenceKind::Output {
            recorded: match &before {
                Ok(Some(before)) => described(before),
                Ok(None) => String::new(),
                Err(error) => format!("[{error}]"),
            },
            replayed: described(output),
            bounded: running.bounded,
        };
        self.differs(number, divergence);
        let recorded = self.call(number);
        let tool = recorded.map_or("", |call| call.requested.tool.as_str());
        match before {
            Ok(Some(before)) => {
                let remarks = recorded.map(RecordedCall::remarks).unwrap_or_default();
                answer(before).with_remarks(remarks)
            }
            Ok(None) => unfinished(tool),
            Err(error) => unreadable(tool, error),
        }
    }
}

fn described(output: &ToolOutput) -> String {
    describe_end(output.as_error(), output.is_pending(), output.content())
}

impl RecordedCall {
    fn remarks(&self) -> Vec<String> {
        let responded = self.responded.as_ref();
        responded.map_or_else(Vec::new, |its| its.remarks.clone())
    }

    /// The clock and the random numbers that the body had.
    fn environment(&self) -> Option<RecordedEnvironment> {
        let seed = self.input().seed?;
        let clock = self.responded.as_ref()?.clock.clone();
        Some(RecordedEnvironment::new(*seed.as_bytes(), clock))
    }
}
