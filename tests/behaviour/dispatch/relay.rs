//! A dispatcher whose way to the host fails when a test says so.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolwright::async_trait;
use toolwright::content::{ErrorKind, ToolError};
use toolwright::dispatch::{
    DispatchError, DispatchOutcome, DispatchPromises, DispatchedCall, Dispatcher, Submission,
};
use toolwright::executor::LocalDispatcher;
use toolwright::id::InvocationId;

/// The answer to the next question, in place of the dispatcher's.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// The call does not arrive.
    NotSubmitted,
    /// The call arrives, and the answer is lost.
    AnswerLost,
    Refused,
    NotAsked,
    /// The dispatcher has lost the call.
    Forgotten,
    CutOff,
}

/// Brings calls to a local dispatcher.
#[derive(Clone)]
pub(super) struct Relay {
    inner: LocalDispatcher,
    promises: DispatchPromises,
    script: Arc<Mutex<Script>>,
}

#[derive(Default)]
struct Script {
    faults: VecDeque<Fault>,
    submitted: Vec<InvocationId>,
    cancelled: Vec<InvocationId>,
    shown: Vec<String>,
}

impl Relay {
    pub(super) fn new(inner: LocalDispatcher, faults: impl IntoIterator<Item = Fault>) -> Self {
        let script = Script {
            faults: faults.into_iter().collect(),
            ..Script::default()
        };
        Self {
            promises: inner.promises(),
            inner,
            script: Arc::new(Mutex::new(script)),
        }
    }

    pub(super) fn promising(mut self, change: impl FnOnce(&mut DispatchPromises)) -> Self {
        change(&mut self.promises);
        self
    }

    /// The calls that were submitted, each as often as it was.
    pub(super) fn submitted(&self) -> Vec<InvocationId> {
        self.script.lock().unwrap().submitted.clone()
    }

    pub(super) fn cancelled(&self) -> Vec<InvocationId> {
        self.script.lock().unwrap().cancelled.clone()
    }

    /// The calls as `Debug` shows them.
    pub(super) fn shown(&self) -> Vec<String> {
        self.script.lock().unwrap().shown.clone()
    }

    /// The faults that did not come about.
    pub(super) fn left(&self) -> usize {
        self.script.lock().unwrap().faults.len()
    }

    fn fault(&self, is_of: impl Fn(Fault) -> bool) -> Option<Fault> {
        let faults = &mut self.script.lock().unwrap().faults;
        faults.front().copied().filter(|fault| is_of(*fault))?;
        faults.pop_front()
    }
}

fn no_way() -> DispatchError {
    DispatchError::unavailable("connection refused at 10.0.0.7")
}

#[async_trait]
impl Dispatcher for Relay {
    fn promises(&self) -> DispatchPromises {
        self.promises
    }

    async fn submit(&self, call: &DispatchedCall) -> Result<Submission, DispatchError> {
        let id = call.invocation();
        {
            let mut script = self.script.lock().unwrap();
            script.submitted.push(id);
            script.shown.push(format!("{call:?}"));
        }
        let of_submit = |fault| {
            matches!(
                fault,
                Fault::NotSubmitted | Fault::AnswerLost | Fault::Refused
            )
        };
        match self.fault(of_submit) {
            Some(Fault::AnswerLost) => {
                self.inner.submit(call).await?;
                Err(no_way())
            }
            Some(Fault::Refused) => Err(DispatchError::refused("it has 3 MiB")),
            Some(_) => Err(no_way()),
            None => self.inner.submit(call).await,
        }
    }

    async fn knows(&self, call: InvocationId) -> Result<bool, DispatchError> {
        match self.fault(|fault| matches!(fault, Fault::NotAsked)) {
            Some(_) => Err(no_way()),
            None => self.inner.knows(call).await,
        }
    }

    async fn outcome(
        &self,
        call: InvocationId,
        wait: Duration,
    ) -> Result<Option<DispatchOutcome>, DispatchError> {
        let of_outcome =
            |fault| matches!(fault, Fault::NotAsked | Fault::Forgotten | Fault::CutOff);
        match self.fault(of_outcome) {
            Some(Fault::Forgotten) => Err(DispatchError::unknown(call)),
            Some(Fault::CutOff) => Ok(Some(DispatchOutcome::CutOff(ToolError::new(
                ErrorKind::Cancelled,
                "the worker was shut down",
            )))),
            Some(_) => Err(no_way()),
            None => self.inner.outcome(call, wait).await,
        }
    }

    async fn cancel(&self, call: InvocationId) -> Result<(), DispatchError> {
        self.script.lock().unwrap().cancelled.push(call);
        self.inner.cancel(call).await
    }
}
