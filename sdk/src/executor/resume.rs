//! Going on with a call that was interrupted.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use super::asked::Asked;
use super::course::{Course, Step};
use super::reading::Notes;
use super::session::{Place, Session};
use super::witness::Witness;
use super::{Shared, ToolOutcome};
use crate::message::{Arguments, CallStatus};
use crate::pending::{Answer, Answers, Claim, SuspendedCall, Ticket, TicketError, TicketErrorKind};

impl Session {
    /// Goes on with a call that was [interrupted](ToolOutcome::Interrupted), in this process or
    /// another: with the same key, store and tools. Answers may come with it, or
    /// [another way](crate::TicketBroker::answer) before.
    ///
    /// If something is left to answer, the outcome is the same interruption. If somebody said no, it is
    /// a denial with the reason for the model. Otherwise the call runs, exactly once whoever resumes it
    /// how often: under its own invocation, and what was allowed is not asked again. What the checker
    /// or a grant denies now stays denied, and what the call asks for beyond what was allowed, because
    /// the world has changed meanwhile, is asked in a new ticket.
    ///
    /// Dropping the future drops the tool where it stands, and the ticket is used all the same.
    ///
    /// ```
    /// use toolwright::{Answer, Executor, ToolCall, ToolOutcome, ToolRegistry, WaitMode, tool};
    ///
    /// /// Deploy to a place.
    /// #[tool]
    /// async fn deploy(place: String) -> String {
    ///     format!("deployed to {place}")
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Deploy))
    ///     .waiting(WaitMode::Suspending)
    ///     .build()?;
    /// let session = executor.session("s-1");
    /// let outcome = session.call(ToolCall::new("deploy", r#"{"place": "test"}"#)).await;
    /// let ToolOutcome::Interrupted(interruption) = outcome else {
    ///     panic!("somebody has to be asked");
    /// };
    /// let outcome = session.resume(interruption.ticket(), Answer::yes()).await?;
    /// assert_eq!(outcome.text(), "deployed to test");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// When the ticket is not good, by its [kind](TicketError::kind): it is forged, expired or used,
    /// belongs to another session, its call was cancelled, or what is kept for it or the tool is not
    /// what it was. When an answer does not fit, or there is one already. Nothing ran because of this
    /// resume.
    pub fn resume<'a, A: Into<Answers>>(
        &'a self,
        ticket: &'a Ticket,
        answers: A,
    ) -> impl Future<Output = Result<ToolOutcome, TicketError>> + Send + use<'a, A> {
        let answers = answers.into();
        async move { self.go_on(ticket, answers).await }
    }

    async fn go_on(&self, ticket: &Ticket, answers: Answers) -> Result<ToolOutcome, TicketError> {
        let place = self.place_of(ticket);
        #[cfg(feature = "journal")]
        if self.core.replay.is_some() {
            return Err(TicketError::new(TicketErrorKind::Unavailable).with_detail(
                "the session replays a journal, which tells what became of the call",
            ));
        }
        if self.is_cancelled() {
            return Err(TicketError::new(TicketErrorKind::Cancelled)
                .with_detail("the session was cancelled here"));
        }
        let broker = &self.executor.base.people.broker;
        if answers != Answers::none() {
            broker.answer_handed_in(ticket, self.id(), answers).await?;
        }
        match broker.claim(ticket, self.id()).await? {
            Claim::Waits { pending, begun } => {
                let ticket = Arc::clone(pending.ticket());
                let waiting = Course::waiting(&self.executor, &place, &ticket)?;
                Ok(waiting.interrupted(&Asked::of(&ticket, begun), ticket))
            }
            Claim::Ready { call, answers } => {
                let mut course = Course::waiting(&self.executor, &place, ticket)?;
                course.turn = place.turn_to_block(&self.executor);
                Ok(Box::pin(course.resumed(ticket, call, answers)).await)
            }
        }
    }

    /// The call's own turn is perhaps over, and nobody can cancel it any more.
    fn place_of(&self, ticket: &Ticket) -> Place<'_> {
        Place {
            catalog: self.core.catalog(&self.executor),
            session: &self.core.scope,
            turn: None,
            turn_id: ticket.turn(),
            invocation_id: ticket.invocation(),
            within: None,
            #[cfg(feature = "journal")]
            replay: None,
        }
    }
}

impl Course {
    /// The call of a ticket.
    fn waiting(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        ticket: &Ticket,
    ) -> Result<Box<Self>, TicketError> {
        let call = ticket.call();
        let snapshot = &place.catalog.snapshot;
        let Some((number, _)) = snapshot.find_version(call.tool().as_str(), call.version()) else {
            return Err(TicketError::new(TicketErrorKind::ChangedTool));
        };
        let notes = Notes {
            purpose: call.purpose().map(Box::from),
            repairs: None,
        };
        let begun = shared.measures_time.then(Instant::now);
        Ok(Box::new(Self {
            call_id: call.call_id().cloned(),
            status: CallStatus::Suspended,
            world: place.session.world.of_call(place.invocation_id, None),
            ..Self::bare(shared, place, begun, number, notes)
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
        // A body that had begun was seen by all.
        self.hooked = if begun { usize::MAX } else { hooked };
        self.rewritten = rewritten;
        #[cfg(feature = "journal")]
        {
            self.recorder = self.recorder_of_resumed(ticket.id());
        }
        self.connect_turn();
        self.witness = Witness::of_resumed(&self, ticket.id(), begun);
        self.step(CallStatus::Resuming);
        let step = self.answered(Asked::of(ticket, begun), ticket.id(), answers);
        if !matches!(step, Step::End(..)) {
            let people = &self.shared.base.people;
            people.broker.running(&Arc::new(ticket.clone()));
        }
        self.drive(step).await
    }
}
