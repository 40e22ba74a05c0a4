//! Calls of [toolwright](https://docs.rs/toolwright)'s tools on the workers of [Temporal](https://temporal.io): a
//! [`Dispatcher`](toolwright::dispatch::Dispatcher) whose calls outlive the process that made them and the one that
//! runs them.
//!
//! A process that calls tools connects and dispatches. Processes that run them have the same tools and the same ticket
//! key, and pull calls from the pools that they serve; they need no port of their own.
//!
//! ```no_run
//! use std::time::Duration;
//! use toolwright::executor::{Approvals, ToolHost};
//! use toolwright::ticket::TicketKey;
//! use toolwright::{Executor, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};
//! use toolwright_temporal::{TemporalDispatcher, TemporalServer, TemporalWorker};
//!
//! # async fn f(key: TicketKey) -> Result<(), Box<dyn std::error::Error>> {
//! let tools = || {
//!     let spec = ToolSpec::new(ToolName::new("render")?, "Render the scene.")
//!         .with_pool("gpu")
//!         .with_timeout(Duration::from_mins(10));
//!     let body = |_: serde_json::Value, _| async { Ok::<_, ToolError>("rendered") };
//!     Ok::<_, Box<dyn std::error::Error>>(ToolRegistry::new().with(tool_fn(spec, body)))
//! };
//! let server = TemporalServer::new("127.0.0.1:7233").connect().await?;
//!
//! // The process that calls tools.
//! let executor = Executor::builder(tools()?)
//!     .approvals(Approvals::new().ticket_key(key.clone()))
//!     .dispatcher(TemporalDispatcher::new(&server))
//!     .build()?;
//!
//! // A process with a GPU.
//! let host = Executor::builder(tools()?)
//!     .approvals(Approvals::new().ticket_key(key))
//!     .hosts_pools()
//!     .build()?;
//! let worker = TemporalWorker::new(&server, ToolHost::new(&host)).pools(["gpu"]);
//! worker.run().await?;
//! # Ok(())
//! # }
//! ```
//!
//! `examples/worker.rs` is a whole worker: start a server (`temporal server start-dev`), then as many workers as you like,
//! then call.
//!
//! ```sh
//! head -c 32 /dev/urandom > key && export TEMPORAL_ADDRESS=127.0.0.1:7233 TICKET_KEY_FILE=key
//! cargo run -p toolwright-temporal --example worker &
//! cargo run -p toolwright-temporal --example worker &
//! cargo run -p toolwright-temporal --example worker call count '{"text": "how many words?"}'
//! ```
//!
//! | of a call | on Temporal |
//! |---|---|
//! | its id | the id of a workflow, which no second run gets while the namespace retains the first |
//! | its pool, or [`DEFAULT_POOL`] | the task queue |
//! | its deadline | ends the wait for a worker, the attempts, and the workflow |
//! | its timeout | bounds one attempt, beside the worker's own timer |
//! | a tool that runs once at most | one attempt; cut off, it is [`CutOff`](toolwright::dispatch::DispatchOutcome::CutOff) |
//! | a tool that may be repeated | attempts by any worker of the pool within the deadline, with the same invocation id |
//! | its cancellation | reaches the body with the next heartbeat, [`heartbeat_interval`](TemporalWorker::heartbeat_interval) |
//! | a worker that is gone | noticed after the [`heartbeat_timeout`](TemporalDispatcher::heartbeat_timeout) |
//! | a call or result over 256 KiB | in a [`ContentStore`](toolwright_journal::ContentStore) by its hash, if both sides have one |
//!
//! # Limits
//!
//! Arguments and results stand in the history of the workflow, in clear JSON: whoever can read the namespace, or the
//! content store, can read them. Whoever can write to the namespace cannot change a call, which is signed, but can cancel
//! it, forge its result, or start it again after its workflow was deleted, until its deadline.
//!
//! The last worker of a pool may go with a call whose workflow is not closed yet; the dispatcher reads the end of such a
//! call from its history, up to six seconds later.
//!
//! A server that is away for longer than the heartbeat timeout loses sight of all bodies that run: they are cancelled and,
//! where a tool allows that, run again when it is back.
#![forbid(unsafe_code)]

mod activity;
mod dispatcher;
mod heartbeat;
mod history;
mod outcome;
mod packet;
mod server;
mod worker;
mod workflow;

pub use dispatcher::TemporalDispatcher;
pub use server::{TemporalClient, TemporalServer};
pub use worker::{TemporalWorker, WorkerError};

/// The task queue of calls whose tools belong to no pool.
pub const DEFAULT_POOL: &str = "toolwright";
