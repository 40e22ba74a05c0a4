//! The calls that processes have left: answered and not resumed, or claimed and not ended.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::executor::call::resume::resume_claimed;
use crate::executor::catalog::builder::Placement;
use crate::executor::executor::Executor;
use crate::id::{InvocationId, TicketId};
use crate::outcome::ToolOutcome;
use crate::record::CallProgress;
use crate::spec::Effect;
use crate::ticket::{
    AnswerProgress, Answers, ClaimedCall, OpenTicket, Ticket, TicketError, TicketErrorKind,
    TicketFilter,
};
use crate::util::files::on_pool;

/// The most calls that go on at a time.
const AT_A_TIME: usize = 32;
crate::util::documented::documented_default!("calls that are recovered at a time", AT_A_TIME);

/// The most tickets that are read at a time.
const PAGE: usize = 256;

/// The calls that went on: see [`Executor::recover`] and [`Executor::resume_answered`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecoveredCalls {
    /// The outcomes of calls that went on here.
    pub outcomes: Vec<ToolOutcome>,
    /// The tickets of calls of which nobody knows whether they had their effect: their bodies may have begun, and run
    /// once at most. They have not run again, and a person settles them.
    pub indeterminate: Vec<Arc<Ticket>>,
    /// The tickets whose calls could not go on, each with the reason, such as a tool that has changed.
    pub failed: Vec<(TicketId, TicketError)>,
}

impl Executor {
    /// Goes on with the calls that this replica has claimed and not ended: a process of its name was killed on the way.
    /// An app with a [store that knows its replica](crate::ticket::TicketStore::claimed) calls this once, when it
    /// starts.
    ///
    /// A call whose body has not begun runs now, and so does one that may run again, under the same invocation, whose
    /// id its body has as its key. A call that a [dispatcher](crate::dispatch::Dispatcher) has, which outlives processes,
    /// is attached to. Any other that runs [once at most](Effect::AtMostOnce) and may have begun does not run: it is
    /// [indeterminate](RecoveredCalls::indeterminate). How far calls have come is what the
    /// [recorder](crate::record::CallRecorder::progress) of this replica has written; without one, nothing is known, and
    /// every call that runs once at most is indeterminate.
    ///
    /// At most 32 calls run at a time. A call that cannot go on is reported, and stays claimed.
    ///
    /// # Errors
    ///
    /// Fails if the store or the records cannot be read, or if it could not be stored that the calls have ended.
    pub async fn recover(&self) -> Result<RecoveredCalls, TicketError> {
        let broker = self.tickets();
        let claimed = broker.claimed().await?;
        let progress = self.progress(&claimed).await?;
        let mut recovered = RecoveredCalls::default();
        let finish = |ticket: &Ticket| drop(broker.hold_claim(ticket.id()));
        let mut left = Vec::new();
        for (claimed, progress) in claimed.into_iter().zip(progress) {
            let ticket = &claimed.ticket;
            match progress {
                CallProgress::Ended => finish(ticket),
                CallProgress::NotBegun => left.push(claimed),
                _ => match self.may_go_on(ticket).await {
                    Ok(true) => left.push(claimed),
                    Ok(false) => {
                        finish(ticket);
                        recovered.indeterminate.push(Arc::clone(ticket));
                    }
                    Err(error) => recovered.failed.push((ticket.id(), error)),
                },
            }
        }
        let resumed = left.into_iter().map(|claimed| {
            let executor = self.clone();
            let ticket = claimed.ticket.id();
            let outcome = async move {
                let session = executor.session(claimed.ticket.session().clone());
                resume_claimed(&executor.shared, &session.core, claimed).await
            };
            (ticket, outcome)
        });
        recovered.add(all(resumed).await);
        broker.finish_ended().await?;
        Ok(recovered)
    }

    /// Goes on with calls whose tickets are answered and not used: the process that was to resume them is gone. An app
    /// calls this when it starts, and from time to time.
    ///
    /// This method races with whoever resumes a call after an answer: of both, one runs the call, and the other finds its ticket
    /// used. At most 32 calls run at a time.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    pub async fn resume_answered(&self) -> Result<RecoveredCalls, TicketError> {
        let mut recovered = RecoveredCalls::default();
        let mut filter = TicketFilter::all().answered().limit(PAGE);
        let mut seen = HashSet::new();
        loop {
            let page = self.tickets().list(&filter).await?;
            // Calls that go on are closed, and those that wait are passed over: each page begins behind the last.
            let Some(last) = page.last() else {
                return Ok(recovered);
            };
            filter = filter.after(last.ticket());
            let answered =
                |open: &OpenTicket| !matches!(open.standing(), AnswerProgress::Waiting { .. });
            let tickets = page.into_iter().filter(answered);
            let resumed = tickets.filter(|open| seen.insert(open.id())).map(|open| {
                let executor = self.clone();
                let ticket = Arc::clone(open.ticket());
                let outcome = async move {
                    let session = executor.session(ticket.session().clone());
                    session.resume(&ticket, Answers::none()).await
                };
                (open.id(), outcome)
            });
            recovered.add(all(resumed).await);
        }
    }

    async fn progress(&self, claimed: &[ClaimedCall]) -> Result<Vec<CallProgress>, TicketError> {
        let calls: Vec<InvocationId> = claimed
            .iter()
            .map(|call| call.ticket.invocation())
            .collect();
        let unknown = vec![CallProgress::Unknown; calls.len()];
        let Some(recorder) = self.shared.base.recorder.clone() else {
            return Ok(unknown);
        };
        let read = on_pool(move || recorder.progress(&calls)).await;
        let unread = |error: Box<dyn std::error::Error + Send + Sync>| {
            TicketError::new(TicketErrorKind::Unavailable)
                .with_detail("the recorder cannot tell how far the calls have come")
                .with_source(error)
        };
        let progress = read.map_err(|error| unread(error.into()))?;
        let progress = progress.map_err(|error| unread(error.into()))?;
        // A recorder that tells of fewer calls knows nothing of the rest.
        Ok(progress
            .into_iter()
            .chain(unknown)
            .take(claimed.len())
            .collect())
    }

    /// Returns true if a call that may have begun may go on: its tool declares that its body may run again, or its
    /// dispatcher has the call, so that handing it over once more attaches to it.
    async fn may_go_on(&self, ticket: &Ticket) -> Result<bool, TicketError> {
        let call = ticket.call();
        let catalog = Arc::clone(&self.shared.catalogs.latest().tools().whole);
        let found = catalog
            .snapshot
            .find_version(call.tool().as_str(), call.version());
        let Some((_, entry)) = found else {
            return Ok(false);
        };
        let spec = entry.tool.spec();
        match &self.shared.planner.placement {
            _ if spec.effect() != Effect::AtMostOnce => Ok(true),
            Placement::Dispatched(placer) if spec.is_dispatched() => {
                placer.keeps(ticket.invocation()).await.map_err(|error| {
                    TicketError::new(TicketErrorKind::Unavailable)
                        .with_detail("the dispatcher cannot be asked whether it has the call")
                        .with_source(error)
                })
            }
            _ => Ok(false),
        }
    }
}

impl RecoveredCalls {
    fn add(&mut self, ended: Vec<(TicketId, Result<ToolOutcome, TicketError>)>) {
        for (ticket, outcome) in ended {
            match outcome {
                Ok(outcome) => self.outcomes.push(outcome),
                // Somebody else has resumed, cancelled or forgotten it meanwhile.
                Err(error) if is_gone(error.kind()) => {}
                Err(error) => self.failed.push((ticket, error)),
            }
        }
    }
}

fn is_gone(kind: TicketErrorKind) -> bool {
    matches!(
        kind,
        TicketErrorKind::Used
            | TicketErrorKind::Cancelled
            | TicketErrorKind::Expired
            | TicketErrorKind::Unknown
    )
}

/// Runs calls beside each other, so many at a time.
async fn all<F>(
    calls: impl Iterator<Item = (TicketId, F)>,
) -> Vec<(TicketId, Result<ToolOutcome, TicketError>)>
where
    F: Future<Output = Result<ToolOutcome, TicketError>> + Send + 'static,
{
    let permits = Arc::new(Semaphore::new(AT_A_TIME));
    let mut tasks = JoinSet::new();
    for (ticket, outcome) in calls {
        let permits = Arc::clone(&permits);
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire_owned().await;
            (ticket, outcome.await)
        });
    }
    tasks.join_all().await
}
