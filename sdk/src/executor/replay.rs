//! The replay of all of a journal.

use std::collections::HashMap;

use crate::executor::call::replay::answer::call_again;
use crate::executor::core::handles::Session;
use crate::executor::executor::Executor;
use crate::executor::options::SessionOptions;
use crate::id::SessionId;
use crate::journal::{RecordedCall, Replay, ReplayReport, arguments};
use crate::message::ToolCall;

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
