//! Going on with a call after an answer: in place, or when it was suspended.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::content::{CallStatus, ResultSource, ToolError, ToolOutput};
use crate::context::{CallTurn, refused};
use crate::event::{EventCall, EventKind};
use crate::executor::arguments::edit::restored;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::CallObserver;
use crate::executor::people::asked::{edit, pause_parents};
use crate::executor::people::service::answers;
use crate::id::TicketId;
use crate::outcome::ToolOutcome;
use crate::question::{declined, value_of};
use crate::ticket::{
    Answer, Answers, Claim, ClaimedCall, ResumeMode, SuspendedCall, Ticket, TicketError,
    TicketErrorKind, Wait, WaitKind, WaitingTicket,
};

/// Goes on with the call of a ticket, in its session.
pub(crate) async fn resume(
    shared: &Arc<ExecutorCore>,
    session: &SessionCore,
    ticket: &Ticket,
    answers: Answers,
) -> Result<ToolOutcome, TicketError> {
    let place = place_of(shared, session, ticket);
    if session.source.is_some() {
        return Err(
            TicketError::new(TicketErrorKind::Unavailable).with_detail(
                "the session has a call source (`SessionOptions::call_source`), which tells how the call ended",
            ),
        );
    }
    if session.scope.cancellation.is_cancelled() {
        return Err(TicketError::new(TicketErrorKind::Cancelled)
            .with_detail("the session was cancelled here"));
    }
    let broker = &shared.base.people.broker;
    if answers != Answers::none() {
        broker
            .answer_handed_in(ticket, &session.scope.id, answers)
            .await?;
    }
    match broker.claim(ticket, &session.scope.id).await? {
        Claim::Waits { pending, begun } => {
            let ticket = Arc::clone(pending.ticket());
            let waiting = CallState::waiting(shared, &place, &ticket)?;
            Ok(waiting.suspended(&Wait::of(&ticket, begun), ticket))
        }
        Claim::Ready(claimed) => go_on(shared, &place, claimed).await,
    }
}

/// Goes on with a call that was claimed, in its session: nobody else does.
pub(crate) async fn resume_claimed(
    shared: &Arc<ExecutorCore>,
    session: &SessionCore,
    claimed: ClaimedCall,
) -> Result<ToolOutcome, TicketError> {
    shared
        .base
        .people
        .broker
        .must_be_same_tool(&claimed.ticket)?;
    let place = place_of(shared, session, &claimed.ticket);
    go_on(shared, &place, claimed).await
}

async fn go_on(
    shared: &Arc<ExecutorCore>,
    place: &CallSite<'_>,
    claimed: ClaimedCall,
) -> Result<ToolOutcome, TicketError> {
    let ClaimedCall {
        ticket,
        call,
        answers,
    } = claimed;
    let mut call_state = CallState::waiting(shared, place, &ticket)?;
    call_state.turn = place.turn_to_block(shared);
    call_state.claim = Some(shared.base.people.broker.hold_claim(ticket.id()));
    Ok(Box::pin(call_state.resumed(&ticket, call, answers)).await)
}

/// The call's own turn is perhaps over, and nobody can cancel it any more.
fn place_of<'s>(
    shared: &'s ExecutorCore,
    session: &'s SessionCore,
    ticket: &Ticket,
) -> CallSite<'s> {
    CallSite {
        catalog: session.catalog(shared),
        session: &session.scope,
        turn: CallTurn::Single,
        turn_id: ticket.turn(),
        invocation_id: ticket.invocation(),
        call_stack: None,
        source: None,
    }
}

impl CallState {
    /// The call of a ticket.
    fn waiting(
        shared: &Arc<ExecutorCore>,
        place: &CallSite<'_>,
        ticket: &Ticket,
    ) -> Result<Box<Self>, TicketError> {
        let call = ticket.call();
        let snapshot = &place.catalog.snapshot;
        let Some((number, entry)) = snapshot.find_version(call.tool().as_str(), call.version())
        else {
            return Err(TicketError::new(TicketErrorKind::ChangedTool));
        };
        let notes = ReadNotes {
            purpose: call.purpose().map(Box::from),
            repairs: None,
        };
        let begun = shared.measures_time.then(Instant::now);
        let identity = place.identity(call.call_id().cloned(), entry.name.label());
        let mut call_state = Self::new(shared, place, identity, begun, number, notes);
        call_state.status = CallStatus::Suspended;
        call_state.environment = place.session.environment.of_call(place.invocation_id, None);
        Ok(call_state)
    }

    async fn resumed(
        mut self: Box<Self>,
        ticket: &Ticket,
        call: SuspendedCall,
        answers: Vec<Option<Answer>>,
    ) -> ToolOutcome {
        let SuspendedCall {
            arguments,
            metadata,
            repairs,
            edited,
            begun,
            earlier,
            hooked,
            rewritten,
        } = call;
        self.arguments = Arguments::from(arguments);
        self.metadata = metadata.map(Arc::new);
        self.notes.repairs = (!repairs.is_empty()).then(|| Box::new(repairs));
        self.edited = edited;
        self.answered = earlier;
        self.passed = true;
        // All hooks have seen a call whose body had begun.
        self.hooked = if begun { usize::MAX } else { hooked };
        self.rewritten = rewritten;
        self.recorder = self.recorder_of(Some(ticket.id()));
        self.connect_turn();
        self.observer = CallObserver::of_resumed(&self, ticket.id(), begun);
        self.step(CallStatus::Resuming);
        let step = self.answered(Wait::of(ticket, begun), ticket.id(), answers);
        if !matches!(step, Stage::End(..)) {
            let people = &self.shared.base.people;
            people.broker.running(&Arc::new(ticket.clone()));
        }
        self.drive(step).await
    }

    /// Waits in place.
    pub(crate) async fn settle(&mut self, asked: Wait, waiting: WaitingTicket) -> Stage {
        let id = waiting.ticket().id();
        let people = &self.shared.base.people;
        let session = Arc::clone(&self.session);
        let _still = pause_parents(&session.wait_tracker, self.call_stack.as_deref());
        match answers(waiting, people, self.context().cancel_scope().token()).await {
            Ok(answers) => {
                self.step(CallStatus::Resuming);
                self.answered(asked, id, answers)
            }
            Err(error) => Stage::refuse(error),
        }
    }

    /// Goes by what was answered to a ticket.
    pub(crate) fn answered(
        &mut self,
        asked: Wait,
        ticket: TicketId,
        answers: Vec<Option<Answer>>,
    ) -> Stage {
        self.ticket = Some(ticket);
        self.emit(|| asked.told_answers(ticket, &answers));
        let reaches_body = asked.begun && asked.resume == ResumeMode::RunAgain;
        if !reaches_body && let Some(error) = self.refusal(&asked, &answers) {
            return Stage::refuse(error);
        }
        if let Some((edited, reason)) = edit(&answers) {
            return self.edited(edited, reason);
        }
        match asked.resume {
            ResumeMode::RunAgain => {
                self.answered.extend(asked.with_answers(answers));
                Stage::Start
            }
            ResumeMode::AnswerIsResult => {
                let value = value(&asked, &answers);
                self.answered.extend(asked.with_answers(answers));
                Stage::End(ResultSource::Answer, ToolOutput::from(value))
            }
            ResumeMode::AnswerIsArguments => {
                self.arguments = Arguments::from(value(&asked, &answers));
                self.forget_approvals();
                self.answered.extend(asked.with_answers(answers));
                Stage::StartAnew { allowed: false }
            }
        }
    }

    /// Returns the error of a call that somebody refused.
    fn refusal(&self, asked: &Wait, answers: &[Option<Answer>]) -> Option<ToolError> {
        let mut each = asked.requests.iter().zip(answers);
        let (request, answer) = each.find_map(|(request, answer)| {
            let answer = answer.as_ref().filter(|answer| answer.is_refusal())?;
            Some((request, answer))
        })?;
        Some(match asked.kind {
            WaitKind::Approval => refused(&self.entry().name, request.summary(), answer.reason()),
            kind => declined(kind, request.summary(), answer.reason()),
        })
    }

    fn edited(&mut self, edited: &Value, reason: Option<&str>) -> Stage {
        let restored = self
            .spec()
            .map_err(|panicked| panicked.message().to_owned())
            .and_then(|spec| restored(edited, &self.arguments, spec));
        match restored {
            Ok(arguments) => {
                self.arguments = Arguments::from(arguments);
                self.edited = true;
                self.rewritten = false;
                self.said = reason.map(str::to_owned);
                Stage::StartAnew { allowed: true }
            }
            // The arguments were checked before the answer was stored, so this is a bug.
            Err(why) => Stage::refuse(
                ToolError::internal("the arguments that a person gave cannot be used")
                    .with_source(why),
            ),
        }
    }
}

/// Returns the answered value; a list if there were several requests.
fn value(asked: &Wait, answers: &[Option<Answer>]) -> Value {
    let each = asked.requests.iter().zip(answers);
    let mut values = each.map(|(request, answer)| {
        let answer = answer.as_ref();
        answer.map_or(Value::Null, |answer| value_of(asked.kind, request, answer))
    });
    if asked.requests.len() == 1 {
        values.next().unwrap_or_default()
    } else {
        Value::Array(values.collect())
    }
}

impl CallObserver {
    /// Returns the observer of a call that goes on.
    pub(crate) fn of_resumed(
        call_state: &CallState,
        ticket: TicketId,
        begun: bool,
    ) -> Option<Box<Self>> {
        Self::is_due(&call_state.shared, &call_state.session).then(|| {
            let mut observer = Box::new(Self::begin(
                &call_state.shared,
                &call_state.session,
                Some(call_state.entry()),
                EventCall::new(call_state.identity.clone(), call_state.entry().version()),
            ));
            observer.started = begun;
            observer.emit(|| EventKind::Resumed { ticket });
            observer
        })
    }
}
