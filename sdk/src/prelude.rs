//! The names that most programs with tools use, for `use toolwright::prelude::*`.
//!
//! ```
//! use toolwright::prelude::*;
//!
//! /// Adds two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let executor = Executor::new(ToolRegistry::new().with(Add))?;
//! assert_eq!(executor.call("add", r#"{"a": 2, "b": 3}"#).await.text(), "5");
//! # Ok::<(), toolwright::BuildError>(())
//! # }).unwrap();
//! ```

pub use crate::{
    Executor, FileAccess, PermissionRequest, RunTool, Session, Tool, ToolCall, ToolContext,
    ToolEnum, ToolError, ToolOutcome, ToolOutput, ToolRegistry,
};
#[cfg(feature = "macros")]
pub use crate::{tool, tool_type, toolset};
