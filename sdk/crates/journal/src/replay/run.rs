//! The replay of all of a journal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use toolwright::ToolCall;
use toolwright::executor::SessionOptions;
use toolwright::record::{CallSource, RepeatedRun, SourceDecision, SourcedAnswer, SourcedCall};
use toolwright::{Executor, Session};

use super::{RecordedCall, Replay, ReplayReport, answers, arguments};

impl Replay {
    /// Replays the whole run with the tools of an executor, whatever of it was replayed by hand: each call
    /// that no other one has made, one after another, in sessions that have the ids that they had. The calls
    /// that tools make follow from there. Arguments are the canonical ones that are recorded, so that a tool
    /// has to take `1.0` for `1`, and members in any order. Whoever wants to keep the sessions of a running app as
    /// they are takes an executor of its own.
    pub async fn run(&self, executor: &Executor) -> ReplayReport {
        let run = WholeRun(Arc::new(NextCall {
            replay: self.afresh(),
            number: Mutex::default(),
        }));
        let mut sessions = HashMap::new();
        for number in run.0.replay.roots() {
            let Some(recorded) = run.0.replay.call(number) else {
                continue;
            };
            let id = &recorded.requested.session;
            let session: &Session = sessions.entry(id.clone()).or_insert_with(|| {
                let options = SessionOptions::new().call_source(run.clone());
                executor.session_with(id.clone(), options)
            });
            run.set(number);
            session.call(call_of(session, recorded)).await;
        }
        run.0.replay.report()
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

/// The source of a whole run: the calls are made one after another, so that it is known which one is next.
#[derive(Clone)]
struct WholeRun(Arc<NextCall>);

struct NextCall {
    replay: Replay,
    number: Mutex<Option<usize>>,
}

impl WholeRun {
    fn set(&self, number: usize) {
        let mut next = self.0.number.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(number);
    }

    fn take(&self) -> Option<usize> {
        let mut next = self.0.number.lock().unwrap_or_else(PoisonError::into_inner);
        next.take()
    }
}

#[async_trait]
impl CallSource for WholeRun {
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
        let replay = &self.0.replay;
        if call.parent.is_some() {
            return replay.decide(call).await;
        }
        let Some(number) = self.take() else {
            return SourceDecision::answer(answers::not_recorded(call.tool));
        };
        replay.lock().take(number);
        let turn = replay.call(number).map(|recorded| recorded.requested.turn);
        let input = replay.input_of(call);
        replay.decide_as(number, call, input, turn).await
    }

    async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer {
        self.0.replay.repeated(run).await
    }
}
