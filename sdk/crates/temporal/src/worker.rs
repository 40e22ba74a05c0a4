//! The worker: a host whose calls come from Temporal.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures::future::BoxFuture;
use temporalio_client::Client;
use temporalio_sdk::runtime::worker_tuner::{FixedSizeSlotSupplier, TunerHolder};
use temporalio_sdk::{Runtime, Worker, WorkerOptions};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use toolwright::CancellationToken;
use toolwright::executor::ToolHost;
use toolwright_journal::ContentStore;

use crate::DEFAULT_POOL;
use crate::activity::ToolActivities;
use crate::packet::PacketStore;
use crate::server::TemporalClient;
use crate::workflow::CallWorkflow;
use toolwright::text::debug_as_text;

/// The time between two signs of a body that runs.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// The time that bodies have to end when a worker is shut down.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(30);

/// The most calls of one pool that run at the same time.
const MAX_CALLS: usize = 100;

/// The workflow tasks that one pool takes at the same time; each is short.
const WORKFLOW_TASKS: usize = 100;

/// Takes calls from pools and runs them with a host: see the [crate](crate).
#[derive(Clone)]
pub struct TemporalWorker {
    client: Client,
    host: ToolHost,
    pools: Vec<String>,
    contents: PacketStore,
    heartbeat_interval: Duration,
    max_calls: usize,
    shutdown: CancellationToken,
    shutdown_grace: Duration,
}

impl TemporalWorker {
    /// A worker that takes the calls of tools that belong to no pool, those of [`DEFAULT_POOL`].
    pub fn new(client: &TemporalClient, host: ToolHost) -> Self {
        Self {
            client: client.client.clone(),
            host,
            pools: vec![DEFAULT_POOL.to_owned()],
            contents: PacketStore::default(),
            heartbeat_interval: HEARTBEAT_INTERVAL,
            max_calls: MAX_CALLS,
            shutdown: CancellationToken::new(),
            shutdown_grace: SHUTDOWN_GRACE,
        }
    }

    /// Sets the pools that the worker takes calls from, in place of [`DEFAULT_POOL`].
    pub fn pools<P: Into<String>>(mut self, pools: impl IntoIterator<Item = P>) -> Self {
        self.pools = pools.into_iter().map(Into::into).collect();
        self.pools.sort_unstable();
        self.pools.dedup();
        self
    }

    /// Sets the store of calls and results over 256 KiB, which the dispatchers have to have too.
    pub fn contents(mut self, store: Arc<dyn ContentStore>) -> Self {
        self.contents = PacketStore(Some(store));
        self
    }

    /// Sets the time between two signs to the server that a body runs; with each it hears of a cancellation. Default: one
    /// second, which is one request a second and running call. Less than the
    /// [timeout](crate::TemporalDispatcher::heartbeat_timeout) of the dispatchers; at least 50 ms.
    pub fn heartbeat_interval(mut self, interval: Duration) -> Self {
        self.heartbeat_interval = interval.max(Duration::from_millis(50));
        self
    }

    /// Sets the most calls of one pool that run at the same time, one or more. Default: 100.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls.max(1);
        self
    }

    /// Sets the token that shuts the worker down: it takes no more calls, and [`run`](Self::run) returns when those that
    /// run have ended.
    pub fn shutdown(mut self, token: CancellationToken) -> Self {
        self.shutdown = token;
        self
    }

    /// Sets the time that bodies have to end when the worker is shut down. Default: 30 seconds. They are cancelled then;
    /// where a tool allows that, another worker runs the call again.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.shutdown_grace = grace;
        self
    }

    /// Takes calls and runs them until the worker is shut down, also while the server is away. Bodies run on the tokio
    /// runtime that this is called on. Dropping the future shuts the worker down.
    ///
    /// # Errors
    ///
    /// Fails if there is no pool, if the server or its namespace is not there at the start, and if the connection ends in
    /// a way that takes a new worker.
    pub async fn run(self) -> Result<(), WorkerError> {
        self.running().await
    }

    /// Boxed here, so that the worker's futures are compiled with this crate and not with each program that has one.
    fn running(self) -> BoxFuture<'static, Result<(), WorkerError>> {
        Box::pin(self.run_pools())
    }

    async fn run_pools(self) -> Result<(), WorkerError> {
        if self.pools.is_empty() {
            return Err(WorkerError::new("", "it has no pools"));
        }
        let runtime =
            Runtime::from_current_tokio(temporalio_sdk::runtime::RuntimeOptions::default());
        let runtime = Arc::new(runtime.map_err(|error| WorkerError::new("", error))?);
        // A token of this run alone: a worker that fails takes those of the other pools with it, and not the caller's token.
        let shutdown = self.shutdown.child_token();
        let _on_drop = shutdown.clone().drop_guard();
        let (ended, mut results) = mpsc::unbounded_channel();
        for pool in &self.pools {
            let worker = self.options(pool);
            let (pool, client) = (pool.clone(), self.client.clone());
            let (runtime, shutdown, ended) =
                (Arc::clone(&runtime), shutdown.clone(), ended.clone());
            let tokio = Handle::current();
            // Workflows are not `Send`; what they do is next to nothing.
            let thread = thread::Builder::new().name(format!("temporal-{pool}"));
            let started = thread.spawn(move || {
                let result = worker.and_then(|worker| {
                    tokio.block_on(run_pool(&runtime, client, worker, shutdown))
                });
                // Nobody listens any more if the future of `run` was dropped.
                drop(ended.send(result.map_err(|error| WorkerError::new(pool, error))));
            });
            started.map_err(|error| WorkerError::new("", error))?;
        }
        drop(ended);
        let mut first = Ok(());
        while let Some(result) = results.recv().await {
            if result.is_err() {
                shutdown.cancel();
            }
            first = first.and(result);
        }
        first
    }

    fn options(&self, pool: &str) -> Result<WorkerOptions, Source> {
        let activities = ToolActivities {
            host: self.host.clone(),
            contents: self.contents.clone(),
            heartbeat_interval: self.heartbeat_interval,
        };
        let tuner = TunerHolder::builder()
            .workflow_task_slot_supplier(FixedSizeSlotSupplier::new(WORKFLOW_TASKS))
            .activity_task_slot_supplier(FixedSizeSlotSupplier::new(self.max_calls))
            .local_activity_task_slot_supplier(FixedSizeSlotSupplier::new(1))
            .nexus_task_slot_supplier(FixedSizeSlotSupplier::new(1))
            .build();
        Ok(WorkerOptions::new(pool)
            .register_workflow::<CallWorkflow>()?
            .register_activities(activities)
            .tuner(tuner)
            .max_heartbeat_throttle_interval(self.heartbeat_interval)
            .graceful_shutdown_period(self.shutdown_grace)
            .build())
    }
}

type Source = Box<dyn Error + Send + Sync>;

async fn run_pool(
    runtime: &Runtime,
    client: Client,
    options: WorkerOptions,
    shutdown: CancellationToken,
) -> Result<(), Source> {
    let mut worker = Worker::new(runtime, client, options)?;
    let end = worker.shutdown_handle();
    let ending = tokio::spawn(async move {
        shutdown.cancelled().await;
        end();
    });
    let result = worker.run().await;
    ending.abort();
    Ok(result?)
}

impl fmt::Debug for TemporalWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporalWorker")
            .field("namespace", &self.client.options().namespace)
            .field("pools", &self.pools)
            .field("max_calls", &self.max_calls)
            .finish_non_exhaustive()
    }
}

/// The reason why a worker does not run, or not any more.
#[derive(thiserror::Error)]
#[error("the worker of the pool `{pool}` has ended")]
#[non_exhaustive]
pub struct WorkerError {
    /// The pool, empty if it is no single one.
    pub pool: String,
    source: Source,
}

debug_as_text!(WorkerError);

impl WorkerError {
    fn new(pool: impl Into<String>, source: impl Into<Source>) -> Self {
        Self {
            pool: pool.into(),
            source: source.into(),
        }
    }
}
