//! What a body waits for: the seam between a tool and whoever asks people.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{BoxFuture, ToolContext};
use crate::id::{InvocationId, TicketId};
use crate::message::{ErrorKind, ToolError};
use crate::pending::{Answer, PendingRequest, ResumeMode, WaitKind};
use crate::permission::PermissionRequest;

/// Who asks people for the calls of a session.
pub(crate) trait Waits: Send + Sync {
    /// Whether anybody can be asked.
    fn is_attended(&self) -> bool;

    /// Asks, once more where it was asked before: [`ToolContext::wait`] looks for that. Gives an answer
    /// to each request, or hands back the error that ends the body: because it suspends the call,
    /// because nobody is there, or because the wait has ended without an answer.
    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>>;

    /// What the session's grants say of a request, from what is known here. An allowance answers an
    /// ask of the checker, never a denial; a denial counts whatever the checker says.
    fn granted(&self, ctx: &ToolContext, request: &PermissionRequest) -> Option<Decided>;
}

/// What a body waits for: at least one request.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    pub(crate) kind: WaitKind,
    pub(crate) requests: Vec<PendingRequest>,
    pub(crate) resume: ResumeMode,
}

/// What was decided about a request before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decided {
    Allowed,
    /// With the reason, if there was one.
    Denied(Option<String>),
}

impl Decided {
    /// What an answer to an approval says.
    pub(crate) fn by(answer: &Answer) -> Self {
        if answer.is_refusal() {
            Self::Denied(answer.reason().map(str::to_owned))
        } else {
            Self::Allowed
        }
    }
}

/// A request, and what was said to it.
pub(crate) type Answered = (WaitKind, PendingRequest, Answer);

/// What was answered before the body began: see [`ToolContext::resumed`].
#[derive(Debug, Clone, PartialEq)]
pub struct Resumed {
    pub(crate) ticket: TicketId,
    /// The last ticket's after those of the tickets before.
    pub(crate) answered: Vec<Answered>,
}

impl Resumed {
    /// The ticket that was answered last.
    pub fn ticket(&self) -> TicketId {
        self.ticket
    }

    /// What was asked and what was answered, the latest last.
    pub fn answers(&self) -> impl ExactSizeIterator<Item = (&PendingRequest, &Answer)> {
        let answered = self.answered.iter();
        answered.map(|(_, request, answer)| (request, answer))
    }

    /// Why, in the words of whoever answered last and gave a reason.
    pub fn reason(&self) -> Option<&str> {
        let mut answers = self.answered.iter().rev();
        answers.find_map(|(_, _, answer)| answer.reason())
    }
}

impl ToolContext {
    /// Waits for people. What was asked before with the same words is answered from there, so a body
    /// that runs again gets its answers.
    pub(crate) async fn wait(&self, wait: Wait) -> Result<Vec<Answer>, ToolError> {
        let known = wait.requests.iter();
        let known: Option<Vec<Answer>> = known
            .map(|request| self.answer_to(wait.kind, request))
            .collect();
        match known {
            Some(answers) => Ok(answers),
            None => self.session.waits.wait(self, wait).await,
        }
    }

    /// Whether there may be an answer to something of this call.
    pub(crate) fn has_answers(&self) -> bool {
        self.call.resumed.is_some() || !self.session.desk.is_empty()
    }

    /// What was answered to an equal request of this call.
    pub(crate) fn answer_to(&self, kind: WaitKind, request: &PendingRequest) -> Option<Answer> {
        let find = |answered: &[Answered]| {
            let mut latest_first = answered.iter().rev();
            latest_first
                .find(|(its, asked, _)| *its == kind && asked.subject() == request.subject())
                .map(|(_, _, answer)| answer.clone())
        };
        let id = self.invocation_id();
        self.session
            .desk
            .read(id, |paper| find(&paper.answered))
            .flatten()
            .or_else(|| find(&self.call.resumed.as_deref()?.answered))
    }

    /// All that was answered to this call.
    pub(crate) fn all_answered(&self) -> Vec<Answered> {
        let before = self.call.resumed.as_deref();
        let mut all = before.map_or_else(Vec::new, |resumed| resumed.answered.clone());
        let now = |paper: &Paper| paper.answered.clone();
        all.extend(
            self.session
                .desk
                .read(self.invocation_id(), now)
                .into_iter()
                .flatten(),
        );
        all
    }
}

/// What the calls of a session wait for, or have waited for. Calls that never wait leave nothing here.
#[derive(Default)]
pub(crate) struct Desk {
    /// How many papers there are, to be looked at without a lock.
    count: AtomicUsize,
    papers: Mutex<HashMap<InvocationId, Paper>>,
}

/// One call's.
#[derive(Default)]
struct Paper {
    /// How many waits there are now; a body may wait for several things at once.
    waits: usize,
    /// Since when there is one.
    since: Option<Instant>,
    /// For how long there was one before.
    waited: Duration,
    answered: Vec<Answered>,
    /// What to ask when the body has ended.
    noted: Vec<Wait>,
}

/// How long a call has waited for people, and whether it does so now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stood {
    pub(crate) still: bool,
    pub(crate) time: Duration,
}

impl Desk {
    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    fn papers(&self) -> MutexGuard<'_, HashMap<InvocationId, Paper>> {
        // Nothing that may panic happens under the lock.
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, call: InvocationId, read: impl FnOnce(&Paper) -> T) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.papers().get(&call).map(read)
    }

    fn write<T>(&self, call: InvocationId, write: impl FnOnce(&mut Paper) -> T) -> T {
        let mut papers = self.papers();
        let written = write(papers.entry(call).or_default());
        self.count.store(papers.len(), Ordering::Relaxed);
        written
    }

    /// The call waits for people until the guard is dropped: its time stands still.
    pub(crate) fn begin(&self, call: InvocationId) -> Waiting<'_> {
        self.write(call, |paper| {
            paper.waits += 1;
            paper.since.get_or_insert_with(Instant::now);
        });
        Waiting { desk: self, call }
    }

    /// Notes what to ask when the body has ended.
    pub(crate) fn note(&self, call: InvocationId, wait: Wait) {
        self.write(call, |paper| paper.noted.push(wait));
    }

    /// Keeps answers that came while the body waited.
    pub(crate) fn keep(&self, call: InvocationId, answered: impl IntoIterator<Item = Answered>) {
        self.write(call, |paper| paper.answered.extend(answered));
    }

    /// For the timer of a call.
    pub(crate) fn stood(&self, call: InvocationId) -> Stood {
        let stood = self.read(call, |paper| Stood {
            still: paper.waits > 0,
            time: paper.waited + paper.since.map_or(Duration::ZERO, |since| since.elapsed()),
        });
        stood.unwrap_or(Stood {
            still: false,
            time: Duration::ZERO,
        })
    }

    /// What was noted of a call, the first first, and what was answered to it.
    pub(crate) fn take(&self, call: InvocationId) -> (Vec<Wait>, Vec<Answered>) {
        self.clear(call)
            .map_or_else(Default::default, |paper| (paper.noted, paper.answered))
    }

    /// The call has ended.
    #[inline]
    pub(crate) fn leave(&self, call: InvocationId) {
        if !self.is_empty() {
            self.clear(call);
        }
    }

    #[cold]
    fn clear(&self, call: InvocationId) -> Option<Paper> {
        let mut papers = self.papers();
        let paper = papers.remove(&call);
        self.count.store(papers.len(), Ordering::Relaxed);
        paper
    }
}

/// A wait that is going on.
pub(crate) struct Waiting<'d> {
    desk: &'d Desk,
    call: InvocationId,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // The call may have ended before its wait.
        if let Some(paper) = self.desk.papers().get_mut(&self.call) {
            paper.waits = paper.waits.saturating_sub(1);
            if paper.waits == 0
                && let Some(since) = paper.since.take()
            {
                paper.waited += since.elapsed();
            }
        }
    }
}

/// What ends the body of a call that is to be suspended.
#[derive(Debug)]
struct Suspension(InvocationId);

impl fmt::Display for Suspension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} is to be suspended", self.0)
    }
}

impl Error for Suspension {}

/// The error that ends the body of a call, so that the call can be suspended.
pub(crate) fn suspension(call: InvocationId) -> ToolError {
    ToolError::new(
        ErrorKind::Unavailable,
        "the call waits for an answer, and goes on when there is one",
    )
    .with_code("suspended")
    .with_source(Suspension(call))
}

/// Whether an error is the one that suspends a call, or was made of it.
pub(crate) fn is_suspension(error: &ToolError, call: InvocationId) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error
            .downcast_ref::<Suspension>()
            .is_some_and(|suspension| suspension.0 == call)
        {
            return true;
        }
        cause = error.source();
    }
    false
}
