//! The replay of all of a journal.

use std::collections::HashMap;

use toolwright::ToolCall;
use toolwright::executor::SessionOptions;
use toolwright::{Executor, Session};

use super::{RecordedCall, Replay, ReplayReport, arguments};

impl Replay {
    /// Replays the whole run with the tools of an executor, whatever of it was replayed by hand: each call
    /// that no other one has made, one after another, in sessions that have the ids that they had. The calls
    /// that tools make follow from there. Arguments are the canonical ones that are recorded, so that a tool
    /// has to take `1.0` for `1`, and members in any order. Whoever wants to keep the sessions of a running app as
    /// they are takes an executor of its own.
    pub async fn run(&self, executor: &Executor) -> ReplayReport {
        let run = self.afresh();
        let mut sessions = HashMap::new();
        for number in run.roots() {
            let Some(recorded) = run.call(number) else {
                continue;
            };
            let id = &recorded.requested.session;
            let session: &Session = sessions.entry(id.clone()).or_insert_with(|| {
                let options = SessionOptions::new().call_source(run.clone());
                executor.session_with(id.clone(), options)
            });
            run.lock().set_next(number);
            session.call(call_of(session, recorded)).await;
        }
        run.report()
    }
}

/// Makes a recorded call again.
fn call_of(session: &Session, recorded: &RecordedCall) -> ToolCall<'static> {
    let requested = &recorded.requested;
    let tools = session.tools();
    let mut versions = tools.versions(&requested.tool);
    let version = requested.version.as_deref();
    let version = version.filter(|version| versions.any(|spec| spec.version() == Some(version)));
    // The recorded version may be there beside another one, which has the name.
    let name = match version {
        Some(version) => format!("{}@{version}", requested.tool),
        None => requested.tool.clone(),
    };
    let call = ToolCall::new(name, arguments(recorded.input())).by_host();
    match &requested.call_id {
        Some(id) => call.with_id(id.clone()),
        None => call,
    }
}
