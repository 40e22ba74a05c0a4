//! The stores of [`toolwright`] in one SQLite file, for any number of processes on one machine.
//!
//! A call that waits for an approval is a row. Whoever opens the file lists it and answers it, and the process that waits
//! goes on; if it has died, another one does. SQLite is compiled in, which takes a C compiler.
//!
//! ```
//! use toolwright::executor::{Approvals, WaitMode};
//! use toolwright::ticket::{TicketFilter, TicketKey};
//! use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
//! use toolwright_journal::Journal;
//! use toolwright_sqlite::SqliteStore;
//!
//! /// Deploy a version.
//! #[tool(permission = PermissionRequest::new("deploy", version.as_str(), format!("Deploy {version}")))]
//! fn deploy(version: String) -> String {
//!     format!("{version} is live")
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! # let folder = std::env::temp_dir().join(format!("sqlite-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let state = SqliteStore::open(folder.join("state.db"))?;
//! let (journal, _) = Journal::builder(state.log("main")?).contents(state.contents()).open()?;
//! // The key lies elsewhere: who may write to the file must not be able to sign.
//! let approvals = Approvals::new()
//!     .waiting(WaitMode::Suspending)
//!     .ticket_store(state.tickets())
//!     .ticket_key(TicketKey::from_bytes([7; 32]));
//! let executor = Executor::builder(ToolRegistry::new().with(Deploy))
//!     .approvals(approvals)
//!     .result_store(state.results())
//!     .call_recorder(journal)
//!     .build()?;
//! let outcome = executor.session("s-1").call(ToolCall::new("deploy", r#"{"version": "1.4"}"#)).await;
//! assert!(outcome.suspension().is_some());
//! assert_eq!(executor.tickets().list(&TicketFilter::all()).await?.len(), 1);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to keep | |
//! |---|---|
//! | tickets, answers and grants | [`SqliteStore::tickets`] |
//! | large results | [`SqliteStore::results`] |
//! | the states of sessions | [`SqliteStore::states`] |
//! | a journal, and its large outputs | [`SqliteStore::log`], [`SqliteStore::contents`] |
//! | the calls that a process has claimed, for the one that takes over | [`SqliteStore::replica`] |

// The files:
//
// - `store`: the face
// - `database/`: connections, transactions, opening; `schema.sql`: the tables
// - `tickets/`, `results`, `states`, `log`, `contents`: a store each
// - `names`: names that one process holds
// - `error`: errors for operators

mod contents;
mod database;
mod error;
mod log;
mod names;
mod results;
mod states;
mod store;
mod tickets;

pub use contents::SqliteContents;
pub use error::{FailureKind, SqliteError};
pub use log::SqliteLog;
pub use results::SqliteResults;
pub use states::SqliteStates;
pub use store::SqliteStore;
pub use tickets::SqliteTickets;

// The example of the guide's page is compiled here.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/many_processes.md")]
struct GuidePage;
