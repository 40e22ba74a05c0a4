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
use crate::pending::{Answer, Digest, PendingRequest, ResumeMode, WaitKind};
use crate::permission::{GrantRuling, PermissionRequest, is_in_tree, may_touch};
use crate::spec::ToolSpec;

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

    /// Reads the session's grants, where they may have changed since they were read.
    fn refresh<'a>(&'a self, ctx: &'a ToolContext) -> Option<BoxFuture<'a, Result<(), ToolError>>>;

    /// What the session's grants say of a request, by what was read of them last.
    fn granted(
        &self,
        ctx: &ToolContext,
        spec: &ToolSpec,
        request: &PermissionRequest,
    ) -> Option<GrantRuling>;

    /// Of the arguments of a call, for who remembers them.
    fn digest(&self, ctx: &ToolContext, spec: &ToolSpec) -> Option<Digest>;
}

/// What a body waits for: at least one request.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    pub(crate) kind: WaitKind,
    pub(crate) requests: Vec<PendingRequest>,
    pub(crate) resume: ResumeMode,
}

/// A request, and what was said to it.
pub(crate) type Answered = (WaitKind, PendingRequest, Answer);

/// What was answered before the body began: see [`ToolContext::resumed`].
#[derive(Debug, Clone, PartialEq)]
pub struct Resumed {
    pub(crate) ticket: TicketId,
    /// The last ticket's after those of the tickets before.
    pub(crate) answered: Vec<Answered>,
    pub(crate) edited: bool,
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

    /// Whether a person changed the arguments.
    pub fn edited(&self) -> bool {
        self.edited
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
            Some(answers) => {
                // A body that asks the same until it likes the answer has to be stopped by its timeout.
                tokio::task::coop::consume_budget().await;
                Ok(answers)
            }
            None => self.session.waits.wait(self, wait).await,
        }
    }

    /// What was answered to an equal request of this call.
    fn answer_to(&self, kind: WaitKind, request: &PendingRequest) -> Option<Answer> {
        self.find_answer(|its, asked, _| its == kind && is_same(kind, asked, request))
    }

    /// What was answered to a request for approval of this call, or to one for a tree of files that it
    /// lies in.
    pub(crate) fn approval_of(&self, request: &PermissionRequest) -> Option<Answer> {
        self.find_answer(|kind, asked, _| {
            approval(kind, asked).is_some_and(|asked| asked.is_same_as(request))
        })
        .or_else(|| self.approval_of_tree(request))
    }

    /// The yes to a tree of files that a request lies in. None where something was refused that may
    /// have to do with the request, in the tree or above it: that is for a person to say.
    pub(crate) fn approval_of_tree(&self, request: &PermissionRequest) -> Option<Answer> {
        let allowed = self.find_answer(|kind, asked, answer| {
            !answer.is_refusal()
                && approval(kind, asked).is_some_and(|tree| is_in_tree(request, &tree))
        })?;
        let refused = self.find_answer(|kind, asked, answer| {
            answer.is_refusal()
                && approval(kind, asked).is_some_and(|refused| may_touch(request, &refused))
        });
        refused.is_none().then_some(allowed)
    }

    fn find_answer(
        &self,
        is_it: impl Fn(WaitKind, &PendingRequest, &Answer) -> bool,
    ) -> Option<Answer> {
        let find = |answered: &[Answered]| {
            let mut latest_first = answered.iter().rev();
            let found = latest_first.find(|(kind, asked, answer)| is_it(*kind, asked, answer));
            found.map(|(_, _, answer)| answer.clone())
        };
        self.session
            .desk
            .read(self.invocation_id(), |paper| find(&paper.answered))
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

/// The request for approval that somebody was asked about.
fn approval(kind: WaitKind, asked: &PendingRequest) -> Option<PermissionRequest> {
    match kind {
        WaitKind::Approval => PermissionRequest::from_pending(asked),
        _ => None,
    }
}

/// Whether two requests ask for the same. What an approval shows besides does not count.
fn is_same(kind: WaitKind, one: &PendingRequest, other: &PendingRequest) -> bool {
    if kind != WaitKind::Approval {
        return one.subject() == other.subject();
    }
    let read = PermissionRequest::from_pending;
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one.is_same_as(&other),
        _ => false,
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
    /// What of that time was added to the timeout.
    made_up_for: Duration,
    /// What was left of the timeout when it fired during a wait.
    left: Duration,
    answered: Vec<Answered>,
    /// What to ask when the body has ended.
    noted: Vec<Wait>,
}

/// What is left of a call's timeout that fired because it counted time that the call waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Now(Duration),
    /// The call waits still: see [`Desk::time_goes_on`].
    Later,
}

impl Paper {
    fn time(&self) -> Duration {
        self.waited + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
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

    fn update<T>(&self, call: InvocationId, update: impl FnOnce(&mut Paper) -> T) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.papers().get_mut(&call).map(update)
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

    /// The timeout of a call has fired. Nothing is left of it, unless it counted time that the call
    /// waited.
    pub(crate) fn time_is_up(&self, call: InvocationId) -> Option<Left> {
        self.update(call, |paper| {
            let time = paper.time();
            let left = time.saturating_sub(paper.made_up_for);
            if left.is_zero() {
                return None;
            }
            if paper.waits > 0 {
                paper.left = left;
                return Some(Left::Later);
            }
            paper.made_up_for = time;
            Some(Left::Now(left))
        })?
    }

    /// What is left of a timeout that fired during a wait, once that is over.
    pub(crate) fn time_goes_on(&self, call: InvocationId) -> Option<Duration> {
        self.update(call, |paper| {
            if paper.waits > 0 {
                return None;
            }
            paper.made_up_for = paper.time();
            Some(paper.left)
        })
        // A call that is no longer here has nothing left.
        .unwrap_or(Some(Duration::ZERO))
    }

    /// Whether a call has waited, or is to wait.
    #[inline]
    pub(crate) fn has(&self, call: InvocationId) -> bool {
        !self.is_empty() && self.papers().contains_key(&call)
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
