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

mod dynamic;
mod generated;
mod schedule;
mod schema;
mod tool;
mod util;

pub mod arguments;
pub mod content;
pub mod context;
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
    pub use crate::util::character::{is_deceptive, one_line};
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

#[doc = include_str!("../docs/defaults.md")]
pub mod defaults {}

// The README's example is compiled and run with the documentation's.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../../README.md")]
struct Readme;
