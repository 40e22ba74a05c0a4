//! Sessions that replay a journal, and the replay of all of it.

use std::collections::HashMap;

use super::replayed::call_again;
use super::{Executor, Session, SessionOptions};
use crate::id::SessionId;
use crate::interaction::unavailable;
use crate::journal::{RecordedCall, Replay, ReplayReport, arguments};
use crate::message::{ToolCall, ToolError};
use crate::pending::{Answer, Digest, PendingRequest, ResumeMode, WaitKind};
use crate::permission::{GrantRuling, PermissionRequest};
use crate::spec::ToolSpec;
use crate::tool::{Answered, BoxFuture, ToolContext, Wait, Waits};

impl SessionOptions {
    /// Feeds the session, and those below it, from a recorded run: see [`Replay`]. Feature `journal`.
    /// Default: that of the session above, if there is one, and otherwise calls run as they do.
    ///
    /// The session needs the id that it had. It goes on with no call that waits in a ticket: what became of
    /// that is in the record, and [`Session::resume`] gives an error.
    pub fn replay(mut self, replay: Replay) -> Self {
        self.replay = Some(replay);
        self
    }
}

impl Replay {
    /// Replays the whole run with the tools of an executor, whatever of it was replayed by hand: each call
    /// that no other one has made, one after another, in sessions that have the ids that they had. The calls
    /// that tools make follow from there. Arguments are the canonical ones that are recorded, so that a tool
    /// has to take `1.0` for `1`, and members in any order. Whoever wants to keep the sessions of a running app as they are
    /// takes an executor of its own.
    ///
    /// Feature `journal`.
    pub async fn run(&self, executor: &Executor) -> ReplayReport {
        let replay = self.afresh();
        let mut sessions = HashMap::new();
        for number in replay.roots() {
            let Some(recorded) = replay.call(number) else {
                continue;
            };
            let id = &recorded.requested.session;
            let session: &Session = sessions
                .entry(id.clone())
                .or_insert_with(|| replay.open(executor, id));
            replay.make(session, number, recorded).await;
        }
        replay.report()
    }

    fn open(&self, executor: &Executor, id: &SessionId) -> Session {
        let options = SessionOptions::new().replay(self.clone());
        executor.session_with(id.clone(), options)
    }

    async fn make(&self, session: &Session, number: usize, recorded: &RecordedCall) {
        let shared = &session.executor;
        let requested = &recorded.requested;
        let mut place = session.core.single(shared);
        place.turn_id = requested.turn;
        let snapshot = &place.catalog.snapshot;
        // Where another version has the name, this one may be there beside it.
        let versioned = requested.version.as_ref();
        let versioned = versioned.map(|version| format!("{}@{version}", requested.tool));
        let versioned = versioned.filter(|name| snapshot.find(name).is_some());
        let name = versioned.unwrap_or_else(|| requested.tool.clone());
        let mut call = ToolCall::new(name, arguments(recorded.input())).by_host();
        if let Some(id) = &requested.call_id {
            call = call.with_id(id.clone());
        }
        call_again(shared, &place, &call, self, Some(number)).await;
    }
}

/// Nobody is asked in a replay. What was allowed then is allowed now, whoever allowed it.
pub(super) struct ReplayWaits;

impl Waits for ReplayWaits {
    fn is_attended(&self) -> bool {
        true
    }

    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>> {
        Box::pin(async move {
            // A body that a person has answered otherwise does not run again.
            if wait.kind != WaitKind::Approval || wait.resume != ResumeMode::RunAgain {
                let summary = wait.requests.first().map_or("", PendingRequest::summary);
                return Err(unavailable(wait.kind, summary));
            }
            let requests = wait.requests.iter().cloned();
            let answered =
                requests.map(|request| -> Answered { (wait.kind, request, Answer::yes()) });
            ctx.session.desk.keep(ctx.invocation_id(), answered);
            Ok(wait.requests.iter().map(|_| Answer::yes()).collect())
        })
    }

    fn refresh<'a>(
        &'a self,
        _ctx: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<(), ToolError>>> {
        None
    }

    fn granted(
        &self,
        _ctx: &ToolContext,
        _spec: &ToolSpec,
        _request: &PermissionRequest,
    ) -> Option<GrantRuling> {
        None
    }

    fn digest(&self, _ctx: &ToolContext, _spec: &ToolSpec) -> Option<Digest> {
        None
    }
}
