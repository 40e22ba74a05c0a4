//! The dispatcher of one process.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::host::ToolHost;
use crate::content::{ErrorKind, ToolError};
use crate::dispatch::{
    DispatchError, DispatchOutcome, DispatchPromises, DispatchedCall, Dispatcher, Submission,
};
use crate::id::InvocationId;
use crate::util::lock::Lock;

/// The number of ended calls whose outcomes are known.
const ENDED: usize = 1_024;
crate::util::documented::documented_default!("ended calls that a local dispatcher knows", ENDED);

/// Runs dispatched calls in tasks of this process, with a host of its own.
///
/// The dispatcher promises nothing beyond its process: for tools of a pool whose host is in the same process, and for tests. The
/// outcomes of the last 1,024 calls that have ended are known; the same call after that would run again. Cloning is
/// cheap; all clones are one dispatcher.
#[derive(Clone)]
pub struct LocalDispatcher {
    host: ToolHost,
    calls: Arc<Lock<LocalCalls>>,
}

#[derive(Default)]
struct LocalCalls {
    by_id: HashMap<InvocationId, LocalCall>,
    /// The calls that have ended, the first first.
    ended: VecDeque<InvocationId>,
}

struct LocalCall {
    cancellation: CancellationToken,
    outcome: watch::Receiver<Option<DispatchOutcome>>,
}

impl LocalDispatcher {
    /// Runs calls with a host.
    pub fn new(host: ToolHost) -> Self {
        Self {
            host,
            calls: Arc::default(),
        }
    }

    async fn run(self, call: DispatchedCall, cancellation: CancellationToken, told: Teller) {
        let outcome = match self.host.execute(&call, &cancellation).await {
            Ok(result) => DispatchOutcome::Ended(Box::new(result)),
            Err(refused) => DispatchOutcome::NotRun(
                ToolError::new(
                    ErrorKind::Unavailable,
                    "the host of the tool did not take the call; it has not run",
                )
                .with_retryable(false)
                .with_source(refused),
            ),
        };
        told.tell(outcome);
        let mut calls = self.calls.lock();
        calls.ended.push_back(call.invocation());
        if calls.ended.len() > ENDED
            && let Some(oldest) = calls.ended.pop_front()
        {
            calls.by_id.remove(&oldest);
        }
    }
}

/// Tells the end of a call, also if its task is dropped.
struct Teller(watch::Sender<Option<DispatchOutcome>>);

impl Teller {
    fn tell(self, outcome: DispatchOutcome) {
        self.0.send_replace(Some(outcome));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.0.send_if_modified(|outcome| {
            let is_lost = outcome.is_none();
            outcome.get_or_insert_with(|| {
                let message = "the runtime of the call was shut down";
                DispatchOutcome::CutOff(ToolError::new(ErrorKind::Cancelled, message))
            });
            is_lost
        });
    }
}

#[async_trait]
impl Dispatcher for LocalDispatcher {
    fn promises(&self) -> DispatchPromises {
        DispatchPromises {
            interrupts_body: true,
            ..DispatchPromises::default()
        }
    }

    async fn submit(&self, call: &DispatchedCall) -> Result<Submission, DispatchError> {
        let cancellation = CancellationToken::new();
        let (told, outcome) = watch::channel(None);
        {
            let mut calls = self.calls.lock();
            if let Some(known) = calls.by_id.get(&call.invocation()) {
                return Ok(match *known.outcome.borrow() {
                    Some(_) => Submission::Done,
                    None => Submission::Attached,
                });
            }
            let cancellation = cancellation.clone();
            calls.by_id.insert(
                call.invocation(),
                LocalCall {
                    cancellation,
                    outcome,
                },
            );
        }
        tokio::spawn(self.clone().run(call.clone(), cancellation, Teller(told)));
        Ok(Submission::Started)
    }

    async fn knows(&self, call: InvocationId) -> Result<bool, DispatchError> {
        Ok(self.calls.lock().by_id.contains_key(&call))
    }

    async fn outcome(
        &self,
        call: InvocationId,
        wait: Duration,
    ) -> Result<Option<DispatchOutcome>, DispatchError> {
        let known = self
            .calls
            .lock()
            .by_id
            .get(&call)
            .map(|call| call.outcome.clone());
        let mut outcome = known.ok_or_else(|| DispatchError::unknown(call))?;
        let ended = tokio::time::timeout(wait, outcome.wait_for(Option::is_some)).await;
        Ok(ended
            .ok()
            .and_then(Result::ok)
            .and_then(|outcome| outcome.clone()))
    }

    async fn cancel(&self, call: InvocationId) -> Result<(), DispatchError> {
        if let Some(known) = self.calls.lock().by_id.get(&call) {
            known.cancellation.cancel();
        }
        Ok(())
    }
}

impl fmt::Debug for LocalDispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalDispatcher")
            .field("calls", &self.calls.lock().by_id.len())
            .finish_non_exhaustive()
    }
}
