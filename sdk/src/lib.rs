//! Annotate a function, get a tool that a language model can call: described, validated,
//! permission-checked and cancellable.
//!
//! ```
//! use toolwright::{Executor, ToolRegistry, tool};
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let executor = Executor::new(ToolRegistry::new().with(Add))?;
//! let result = executor.call("add", r#"{"a": 2, "b": 3}"#).await;
//! assert_eq!(result.text(), "5");
//! # Ok::<(), toolwright::BuildError>(())
//! # }).unwrap();
//! ```
//!
//! The [guide] has a page for each task, from the [first tool](guide::first_tool) to [the loop of an agent](guide::agent_loop).
//!
//! # Modules
//!
//! The root has the names that most programs use, and [`prelude`] the first of them. Everything else is in a module:
//!
//! | module | holds | guide |
//! |---|---|---|
//! | [`executor`] | what runs calls: builder, sessions, turns, limits, tasks, previews | [many calls](guide::many_calls) |
//! | [`registry`] | tools by name: collisions, servers, selectors, roles, feature gates, lints | [choosing tools](guide::choosing_tools) |
//! | [`tools`] | tools beside those of the macros: closures, data, by hand | [dynamic tools](guide::dynamic_tools) |
//! | [`spec`] | what a tool says of itself: effect, hints, determinism, capabilities, limits | [first tool](guide::first_tool) |
//! | [`arguments`] | arguments as they come and as they are checked; constraints, problems, repairs | [arguments](guide::arguments) |
//! | [`content`] | calls, results, content, errors, status | [results](guide::results) |
//! | [`outcome`] | the ends of a call | [results](guide::results) |
//! | [`context`] | the parts of a [`ToolContext`]: resources, clock, random numbers | [resources of the app](guide::app_resources) |
//! | [`permission`] | requests, verdicts, checkers, grants | [permissions](guide::permissions) |
//! | [`ticket`] | calls that wait for people, answers, the store of tickets | [asking people](guide::asking_people) |
//! | [`question`] | questions of tools, and replies | [asking people](guide::asking_people) |
//! | [`state`] | the state of a session, and commands that change it | [state](guide::state) |
//! | [`results`] | large results, kept to be read on | [large results](guide::large_results) |
//! | [`hook`] | gates and hooks around calls | [hooks and events](guide::hooks_and_events) |
//! | [`event`] | events and sinks | [hooks and events](guide::hooks_and_events) |
//! | [`record`] | the ports of a journal: recorders and sources of calls | [journal and replay](guide::journal_and_replay) |
//! | [`testing`] | contexts, fakes and checks for tests | [testing](guide::testing) |
//! | [`id`] | ids and names, each a type of its own | |
//! | [`text`] | texts for people, for crates beside this one | |
//!
//! Three pages are for reference: all [defaults], the [index of errors](error_index) of the macros, and the keys of
//! [`#[tool]`](macro@tool).
//!
//! # Features
//!
//! - `macros` (default): `#[tool]` and the other macros.
//! - `discover` (default): [`discover!`], registration at link time.
//! - `json-schema`: a validator for what no type keeps of an input schema: tools made at run time,
//!   schemas written by hand, and constraints by `#[schemars(..)]`. Without it, a tool that needs it
//!   keeps an executor from being built. It never fetches anything.
//! - `chrono`, `uuid`, `url`: arguments and results of the types of these crates, such as
//!   `chrono::NaiveDate`, whose crate takes its own feature `serde` too. With `url`, `HostAccess::url` too.
//! - `tracing`: `ExecutorBuilder::trace`, a span for each call by the OpenTelemetry conventions for
//!   generative AI, and `TracingEvents`, each event as a line of the log.
//! - `contracts`: the tests that a store of tickets or of results must pass, in [`testing`].
//!
//! Features add. None of them changes a decision, a schema or the meaning of a call.
//!
//! # Crates beside this one
//!
//! - [`toolwright-policy`](https://docs.rs/toolwright-policy): rules that say what may run, in code and in TOML.
//! - [`toolwright-journal`](https://docs.rs/toolwright-journal): every call on record, and its replay.
//! - [`toolwright-config`](https://docs.rs/toolwright-config): one file for tools, policy, roles, features and hooks.
//! - [`toolwright-command-hooks`](https://docs.rs/toolwright-command-hooks): hooks that are programs, on Unix.

mod dynamic;
mod generated;
mod schedule;
mod schema;
mod tool;
mod util;

pub mod arguments;
pub mod content;
pub mod context;
pub mod dispatch;
pub mod event;
pub mod executor;
pub mod hook;
pub mod id;
pub mod outcome;
pub mod permission;
pub mod prelude;
pub mod question;
pub mod record;
pub mod registry;
pub mod results;
pub mod spec;
pub mod state;
pub mod testing;
pub mod ticket;

/// Texts for people: the name that was probably meant, and lines that deceive nobody. For crates beside this one, whose
/// errors should read alike.
pub mod text {
    pub use crate::testing::differ::{describe_end, differing};
    pub use crate::util::character::{is_deceptive, one_line};
    pub use crate::util::error_text::{debug_as_text, write_error};
    pub use crate::util::suggestion::nearest;
}

/// Tools beside those of the macros: made at run time, of closures and programs, or by hand.
pub mod tools {
    pub use crate::dynamic::{
        InvalidExecutable, TextTool, ToolFn, from_bytes, from_executable, tool_fn, tool_fn_typed,
    };
    pub use crate::generated::{ToolReturn, Toolset, Typed, TypedTool};
    pub use crate::tool::{Invocation, Started, Tool};
}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use async_trait::async_trait;
pub use content::{Content, ToolCall, ToolError, ToolOutput, ToolResult};
pub use context::ToolContext;
pub use dynamic::tool_fn;
pub use executor::{BuildError, Executor, ExecutorBuilder, Session, Turn};
pub use generated::{RunTool, ToolEnum};
pub use id::ToolName;
pub use outcome::ToolOutcome;
pub use permission::{FileAccess, PermissionRequest};
pub use registry::ToolRegistry;
pub use spec::ToolSpec;
pub use tokio_util::sync::CancellationToken;
pub use tool::Tool;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool.md")]
pub use toolwright_macros::tool;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/toolset.md")]
pub use toolwright_macros::toolset;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/derive_tool.md")]
pub use toolwright_macros::Tool;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/derive_tool_enum.md")]
pub use toolwright_macros::ToolEnum;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool_type.md")]
pub use toolwright_macros::tool_type;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/error_index.md")]
pub mod error_index {}

// Its programs use the macros.
#[cfg(feature = "macros")]
pub mod guide;

#[doc = include_str!("../docs/defaults.md")]
pub mod defaults {}

// The README's example is compiled and run with the documentation's.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../../README.md")]
struct Readme;
