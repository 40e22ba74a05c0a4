//! The events and the span of a call from its beginning to its end.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::content::{CallStatus, ErrorKind, ResultSource, ToolCall, ToolError, ToolStatus};
use crate::context::SessionScope;
use crate::event::{Event, EventCall, EventKind};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool, name_of};
use crate::executor::trace::{CallSpan, CallTrace};
use crate::outcome::ToolOutcome;
use crate::registry::ToolEntry;
use crate::spec::ToolSpec;
use crate::util::hash::ContentHash;
use crate::util::panic::catch_panic;

/// The time for which the clock of the system is taken to run as the one that durations are measured by: a call that
/// took less reads it once.
const STEADY: Duration = Duration::from_millis(1);

/// Emits the events of one call that has begun, also if it is dropped before its end.
pub(crate) struct CallObserver {
    session: Arc<SessionScope>,
    pub(crate) call: Arc<EventCall>,
    /// The event that was told last.
    last: Option<Arc<Event>>,
    begun: Instant,
    /// The same moment by the clock of the system, if its events are told.
    made: Option<SystemTime>,
    /// The body has begun, now or before the call waited.
    pub(crate) started: bool,
    ended: bool,
    /// The hashes of the request and of the response, if calls are recorded.
    pub(crate) request_hash: Option<ContentHash>,
    pub(crate) response_hash: Option<ContentHash>,
    pub(crate) trace: Option<CallTrace>,
}

impl CallObserver {
    /// Returns the observer of a call; `None` if nobody observes it.
    #[inline]
    pub(crate) fn of(
        shared: &ExecutorCore,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
        found: NamedTool<'_>,
    ) -> Option<Box<Self>> {
        let is_due = Self::is_due(shared, place.session);
        is_due.then(|| Box::new(Self::at(shared, place, call, found)))
    }

    /// Returns the observer of a call at a site.
    pub(crate) fn at(
        shared: &ExecutorCore,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
        found: NamedTool<'_>,
    ) -> Self {
        let found = found.map(|(_, entry)| entry);
        let tool = found.map_or_else(|| name_of(call), |entry| entry.name.label());
        let identity = place.identity(call.id().cloned(), tool);
        let call = EventCall::new(identity, found.and_then(ToolEntry::version));
        Self::begin(shared, place.session, found, call)
    }

    /// Returns true if anybody observes the calls of the session.
    pub(crate) fn is_due(shared: &ExecutorCore, session: &SessionScope) -> bool {
        session.events.is_listening() || (shared.is_traced && shared.base.is_traced())
    }

    pub(crate) fn begin(
        shared: &ExecutorCore,
        session: &Arc<SessionScope>,
        entry: Option<&ToolEntry>,
        call: EventCall,
    ) -> Self {
        Self {
            trace: shared.base.trace.map(|options| {
                let spec = entry.and_then(|entry| catch_panic(|| entry.tool.spec()).ok());
                CallTrace::new(
                    options,
                    &session.id,
                    &call,
                    spec.map(ToolSpec::description).as_deref(),
                )
            }),
            made: session.events.is_listening().then(SystemTime::now),
            session: Arc::clone(session),
            call: Arc::new(call),
            last: None,
            begun: Instant::now(),
            started: false,
            ended: false,
            request_hash: None,
            response_hash: None,
        }
    }

    /// The call was made, and its arguments were read as far as they can be. Returns the moment, which other events may
    /// share.
    pub(crate) fn request(&mut self) -> Option<SystemTime> {
        let request_hash = self.request_hash;
        let mut made = self.made;
        self.emit_at(&mut made, || EventKind::Requested { request_hash });
        made
    }

    /// The call goes on to another status.
    pub(crate) fn step(&mut self, from: CallStatus, to: CallStatus) {
        self.emit_next(|| EventKind::Status { from, to });
    }

    /// The body begins.
    pub(crate) fn start(&mut self) {
        self.started = true;
        self.emit_next(|| EventKind::Started);
    }

    /// The body of a plain call begins.
    pub(crate) fn start_plain(&mut self, now: &mut Option<SystemTime>) {
        let (from, to) = (CallStatus::New, CallStatus::Running);
        self.started = true;
        self.emit_at(now, || EventKind::Status { from, to });
        self.emit_at(now, || EventKind::Started);
    }

    /// The moment at which so much of the call has passed; `None` after a time in which the clock may have been set.
    fn moment_after(&self, elapsed: Duration) -> Option<SystemTime> {
        let made = self.made.filter(|_| elapsed < STEADY)?;
        made.checked_add(elapsed)
    }

    /// The time since the call began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        let events = &self.session.events;
        events.emit(Some(&self.session.id), Some(&self.call), kind);
    }

    /// Tells of a step that nearly each call makes.
    fn emit_next(&mut self, kind: impl FnOnce() -> EventKind) {
        self.emit_at(&mut None, kind);
    }

    fn emit_at(&mut self, now: &mut Option<SystemTime>, kind: impl FnOnce() -> EventKind) {
        let session = &self.session;
        let of = (&session.id, &self.call);
        session.events.emit_next(&mut self.last, of, now, kind);
    }

    fn finish(
        &mut self,
        now: &mut Option<SystemTime>,
        duration: Option<Duration>,
        (status, source, error): (ToolStatus, ResultSource, Option<ErrorKind>),
    ) {
        self.ended = true;
        self.call.over.set();
        let (request_hash, response_hash) = (self.request_hash, self.response_hash);
        let begun = self.begun;
        self.emit_at(now, || EventKind::Finished {
            status,
            source,
            error,
            duration: duration.unwrap_or_else(|| begun.elapsed()),
            request_hash,
            response_hash,
        });
    }

    /// Tells why a call ends as it does, where it was kept from running or stopped.
    fn explain(&self, source: ResultSource, error: &ToolError) {
        let stopped = error.kind() == ErrorKind::Cancelled && source == ResultSource::Executor;
        if stopped {
            self.emit(|| EventKind::Cancelled);
        } else if !self.started {
            self.emit(|| EventKind::Refused {
                kind: error.kind(),
                code: error.code().to_owned(),
                missing: error.missing_capabilities().to_vec(),
                limit: error.exceeded_limit(),
            });
            if let Some(settings) = self.session.judge.unattended_settings(error) {
                self.emit(|| EventKind::Diagnostic {
                    code: "nobody_is_asked".to_owned(),
                    message: settings.to_owned(),
                });
            }
        }
    }

    /// A plain call whose body has run has its outcome. It has taken that time, unless the clock was not read.
    #[inline(never)]
    pub(crate) fn end_plain(&mut self, outcome: &ToolOutcome, elapsed: Option<Duration>) {
        let (from, to) = (CallStatus::Running, CallStatus::of_end(outcome.error()));
        let mut now = elapsed.and_then(|elapsed| self.moment_after(elapsed));
        self.emit_at(&mut now, || EventKind::Status { from, to });
        self.end_at(&mut now, elapsed, outcome);
    }

    /// The call has its outcome, or waits in a ticket.
    #[allow(
        clippy::boxed_local,
        reason = "a call ends once, and out of its box the observer would be copied"
    )]
    pub(crate) fn end(mut self: Box<Self>, outcome: &ToolOutcome) {
        self.end_at(&mut None, None, outcome);
    }

    fn end_at(
        &mut self,
        now: &mut Option<SystemTime>,
        elapsed: Option<Duration>,
        outcome: &ToolOutcome,
    ) {
        if let Some(trace) = &self.trace {
            trace.result(outcome.result());
        }
        if let ToolOutcome::Suspended(suspension) = outcome {
            self.ended = true;
            self.call.over.set();
            return self.emit(|| EventKind::Suspended {
                ticket: suspension.id(),
                wait: suspension.kind(),
            });
        }
        let result = outcome.result();
        if let Some(error) = outcome.error() {
            self.explain(result.source(), error);
        }
        let error = outcome.error().map(ToolError::kind);
        self.finish(now, elapsed, (result.status(), result.source(), error));
    }
}

impl Drop for CallObserver {
    fn drop(&mut self) {
        if !self.ended {
            if let Some(trace) = &self.trace {
                trace.dropped();
            }
            self.emit(|| EventKind::Cancelled);
            let cancelled = Some(ErrorKind::Cancelled);
            let end = (ToolStatus::Error, ResultSource::Executor, cancelled);
            self.finish(&mut None, None, end);
        }
    }
}

/// Tells of the outcome of a call, if somebody wants to know.
pub(crate) fn notify(observer: Option<Box<CallObserver>>, outcome: ToolOutcome) -> ToolOutcome {
    if let Some(observer) = observer {
        observer.end(&outcome);
    }
    outcome
}

/// Returns the span in which all lies that a call does.
pub(crate) fn span_of(observer: Option<&CallObserver>) -> CallSpan {
    CallSpan::of(observer.and_then(|observer| observer.trace.as_ref()))
}
