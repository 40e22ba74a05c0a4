//! The dispatcher.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use temporalio_client::errors::{WorkflowInteractionError, WorkflowStartError};
use temporalio_client::{
    Client, WorkflowCancelOptions, WorkflowDescribeOptions, WorkflowExecutionInfo,
    WorkflowExecutionStatus, WorkflowHandle, WorkflowIdConflictPolicy, WorkflowIdReusePolicy,
    WorkflowStartOptions,
};
use toolwright::dispatch::{
    DispatchError, DispatchOutcome, DispatchPromises, DispatchedCall, Dispatcher, Submission,
};
use toolwright::id::InvocationId;
use toolwright_journal::ContentStore;

use crate::DEFAULT_POOL;
use crate::history::{CallHandle, interaction};
use crate::outcome::outcome;
use crate::packet::{INLINE, PacketError, PacketStore};
use crate::server::TemporalClient;
use crate::workflow::{CallInput, CallWorkflow, GRACE, NO_LIMIT};

/// The time without a heartbeat after which a body is given up.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(10);

/// The most attempts of a tool that may be repeated.
const ATTEMPTS: u32 = 10;

/// Hands calls to the workers of a Temporal server: see the [crate](crate).
///
/// The dispatcher promises that calls outlive their processes and that bodies get their cancellation. Cloning is cheap.
#[derive(Clone)]
pub struct TemporalDispatcher {
    client: Client,
    contents: PacketStore,
    default_pool: String,
    heartbeat_timeout: Duration,
    attempts: u32,
}

impl TemporalDispatcher {
    /// Dispatches by a connection.
    pub fn new(client: &TemporalClient) -> Self {
        Self {
            client: client.client.clone(),
            contents: PacketStore::default(),
            default_pool: DEFAULT_POOL.to_owned(),
            heartbeat_timeout: HEARTBEAT_TIMEOUT,
            attempts: ATTEMPTS,
        }
    }

    /// Sets the store of calls and results over 256 KiB, which the workers have to have too. It keeps what it has until
    /// you delete it. Without a store, a call or a result has at most 1 MiB.
    pub fn contents(mut self, store: Arc<dyn ContentStore>) -> Self {
        self.contents = PacketStore(Some(store));
        self
    }

    /// Sets the task queue of calls whose tools belong to no pool. Default: [`DEFAULT_POOL`].
    pub fn default_pool(mut self, pool: impl Into<String>) -> Self {
        self.default_pool = pool.into();
        self
    }

    /// Sets the time without a sign of its worker after which a body is given up. Default: ten seconds. A shorter time
    /// notices a worker that is gone earlier; a server that is away for longer than this gives up all bodies that run.
    /// Several times the [interval](crate::TemporalWorker::heartbeat_interval) of the workers.
    pub fn heartbeat_timeout(mut self, timeout: Duration) -> Self {
        self.heartbeat_timeout = timeout;
        self
    }

    /// Sets the most attempts of a call whose tool may be repeated, one or more. Default: 10, so that a call that kills
    /// its workers ends without a deadline too.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    fn handle(&self, call: InvocationId) -> CallHandle {
        let info = WorkflowExecutionInfo::builder()
            .namespace(self.client.options().namespace.clone())
            .workflow_id(call.to_string())
            .build();
        WorkflowHandle::new(self.client.clone(), info)
    }

    async fn input(&self, call: &DispatchedCall) -> Result<CallInput, DispatchError> {
        let packed = self.contents.pack(call).await;
        let packed = packed.map_err(|error| match error {
            PacketError::Store(error) => DispatchError::unavailable(error),
            error => DispatchError::refused(error.to_string()),
        })?;
        let definition = call.definition();
        Ok(CallInput {
            call: packed,
            deadline: call.deadline(),
            timeout: definition.timeout,
            heartbeat_timeout: self.heartbeat_timeout,
            attempts: if definition.is_repeatable() {
                self.attempts
            } else {
                1
            },
        })
    }

    async fn start(&self, call: &DispatchedCall) -> Result<Submission, DispatchError> {
        let remaining = match call.deadline() {
            Some(deadline) => match deadline.duration_since(SystemTime::now()) {
                Ok(remaining) => Some(remaining.min(NO_LIMIT)),
                Err(_) => return Err(DispatchError::refused("its time is over")),
            },
            None => None,
        };
        let input = self.input(call).await?;
        let pool = call
            .definition()
            .pool
            .as_deref()
            .unwrap_or(&self.default_pool);
        let options = WorkflowStartOptions::new(pool, call.invocation().to_string())
            .id_reuse_policy(WorkflowIdReusePolicy::RejectDuplicate)
            .id_conflict_policy(WorkflowIdConflictPolicy::Fail)
            // The end of an activity at its limit still has to be told.
            .maybe_execution_timeout(remaining.map(|remaining| remaining + 2 * GRACE))
            .build();
        let started = self
            .client
            .start_workflow(CallWorkflow::run, input, options)
            .await;
        match started {
            Ok(_) => Ok(Submission::Started),
            Err(WorkflowStartError::AlreadyStarted { .. }) => {
                self.submitted(call.invocation()).await
            }
            Err(error) => Err(DispatchError::unavailable(error)),
        }
    }

    /// The state of a call that was started before.
    async fn submitted(&self, call: InvocationId) -> Result<Submission, DispatchError> {
        let handle = self.handle(call);
        let described = handle.describe(WorkflowDescribeOptions::default()).await;
        let described = described.map_err(|error| interaction(error, call))?;
        Ok(match described.status() {
            WorkflowExecutionStatus::Running | WorkflowExecutionStatus::Paused => {
                Submission::Attached
            }
            _ => Submission::Done,
        })
    }
}

#[async_trait]
impl Dispatcher for TemporalDispatcher {
    fn promises(&self) -> DispatchPromises {
        let mut promises = DispatchPromises::default();
        promises.outlives_process = true;
        promises.interrupts_body = true;
        promises.max_payload = self.contents.0.is_none().then_some(INLINE as u64);
        promises
    }

    async fn submit(&self, call: &DispatchedCall) -> Result<Submission, DispatchError> {
        match self.start(call).await {
            // A call that ran while its submitter was away must not look as if it had not.
            Err(refused @ DispatchError::Refused { .. }) => {
                match self.submitted(call.invocation()).await {
                    Err(DispatchError::Unknown { .. }) => Err(refused),
                    submitted => submitted,
                }
            }
            started => started,
        }
    }

    async fn knows(&self, call: InvocationId) -> Result<bool, DispatchError> {
        match self.submitted(call).await {
            Ok(_) => Ok(true),
            Err(DispatchError::Unknown { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn outcome(
        &self,
        call: InvocationId,
        wait: Duration,
    ) -> Result<Option<DispatchOutcome>, DispatchError> {
        outcome(&self.handle(call), &self.contents, call, wait).await
    }

    async fn cancel(&self, call: InvocationId) -> Result<(), DispatchError> {
        let cancelled = self
            .handle(call)
            .cancel(WorkflowCancelOptions::default())
            .await;
        match cancelled {
            Ok(()) | Err(WorkflowInteractionError::NotFound(_)) => Ok(()),
            Err(error) => Err(DispatchError::unavailable(error)),
        }
    }
}

impl fmt::Debug for TemporalDispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporalDispatcher")
            .field("namespace", &self.client.options().namespace)
            .field("default_pool", &self.default_pool)
            .field("has_contents", &self.contents.0.is_some())
            .finish_non_exhaustive()
    }
}
