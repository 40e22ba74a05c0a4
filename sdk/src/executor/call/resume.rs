//! Going on with a call that was suspended.

use std::sync::Arc;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::content::CallStatus;
use crate::event::{EventCall, EventKind};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::CallObserver;
use crate::executor::people::asked::AskedRequests;
use crate::id::TicketId;
use crate::outcome::ToolOutcome;
use crate::ticket::{Answer, Answers, Claim, SuspendedCall, Ticket, TicketError, TicketErrorKind};

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
            Ok(waiting.suspended(&AskedRequests::of(&ticket, begun), ticket))
        }
        Claim::Ready { call, answers } => {
            let mut call_state = CallState::waiting(shared, &place, ticket)?;
            call_state.turn = place.turn_to_block(shared);
            Ok(Box::pin(call_state.resumed(ticket, call, answers)).await)
        }
    }
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
        turn: None,
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
        Ok(Box::new(Self {
            status: CallStatus::Suspended,
            environment: place.session.environment.of_call(place.invocation_id, None),
            ..Self::new(shared, place, identity, begun, number, notes)
        }))
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
        self.recorder = self.recorder_of_resumed(ticket.id());
        self.connect_turn();
        self.observer = CallObserver::of_resumed(&self, ticket.id(), begun);
        self.step(CallStatus::Resuming);
        let step = self.answered(AskedRequests::of(ticket, begun), ticket.id(), answers);
        if !matches!(step, Stage::End(..)) {
            let people = &self.shared.base.people;
            people.broker.running(&Arc::new(ticket.clone()));
        }
        self.drive(step).await
    }
}

impl CallObserver {
    /// Returns the observer of a call that goes on.
    pub(crate) fn of_resumed(
        call_state: &CallState,
        ticket: TicketId,
        begun: bool,
    ) -> Option<Box<Self>> {
        call_state.shared.base.is_told().then(|| {
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
