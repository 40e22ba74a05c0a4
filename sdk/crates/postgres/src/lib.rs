//! Tickets, grants, states, results and journals of [`toolwright`] on a PostgreSQL server (14 or later), shared by any
//! number of processes and machines.
//!
//! ```no_run
//! use toolwright::executor::{Approvals, WaitMode};
//! use toolwright::ticket::TicketKey;
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_journal::{Durability, Journal};
//! use toolwright_postgres::PostgresStore;
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let store = PostgresStore::connect("postgres://app:secret@db.internal/app?sslmode=verify-full").await?;
//! // One process at a time has a name. A process that takes over `blue` finds here what the one before had begun.
//! let replica = store.replica("blue").await?;
//! let (journal, _) = Journal::builder(store.log("blue").await?)
//!     .durability(Durability::Synced)
//!     .contents(store.contents())
//!     .open()?;
//! let approvals = Approvals::new()
//!     .waiting(WaitMode::Suspending)
//!     .ticket_store(replica.tickets())
//!     .ticket_key(TicketKey::from_bytes([7; 32]));
//! let executor = Executor::builder(ToolRegistry::new().with(Add))
//!     .approvals(approvals)
//!     .result_store(store.results())
//!     .call_recorder(journal)
//!     .build()?;
//! # Ok(())
//! # }
//! ```
//!
//! | to do | |
//! |---|---|
//! | open the stores of a schema | [`PostgresStore::connect`], [`PostgresBuilder`] |
//! | keep tickets, answers and grants | [`PostgresTickets`] |
//! | name a process, and read what it has claimed | [`PostgresReplica`] |
//! | write and read a journal | [`PostgresLog`], [`PostgresContents`] |
//! | keep states and large results | [`PostgresStates`], [`PostgresResults`] |
//! | find the reason of a failure | [`PostgresError`] |
//!
//! **A server that is away** fails each call within the [limit](PostgresBuilder::limit); calls work again when the
//! server is back. A write whose confirmation was lost is read back or repeated; it is never done twice.
//!
//! **Waiting** for an answer takes no connection: the server's notifications wake it, and every 2 s it reads.
//!
//! **Durability** is that of the server: leave `synchronous_commit` on.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod contents;
mod database;
mod error;
mod hints;
mod holder;
mod key;
mod log;
mod migrate;
mod name;
mod replica;
mod results;
mod shared;
mod states;
mod store;
mod tickets;

pub use builder::PostgresBuilder;
pub use contents::PostgresContents;
pub use error::{PostgresError, Target};
pub use log::PostgresLog;
pub use replica::PostgresReplica;
pub use results::PostgresResults;
pub use states::PostgresStates;
pub use store::PostgresStore;
pub use tickets::PostgresTickets;
