//! The limit that a call exceeds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A limit of the host's, and how it is exceeded: see
/// [`ToolError::exceeded_limit`](crate::ToolError::exceeded_limit).
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright::content::Limit;
/// use toolwright::executor::Limits;
///
/// /// Count the characters of a text.
/// #[tool(pure)]
/// fn count(text: String) -> usize {
///     text.chars().count()
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let registry = ToolRegistry::new().with(Count);
/// let executor = Executor::builder(registry).limits(Limits::new().max_input_bytes(16)).build()?;
/// let outcome = executor.call("count", r#"{"text": "a long one"}"#).await;
/// let exceeded = outcome.error().and_then(|error| error.exceeded_limit()).unwrap();
/// assert_eq!(exceeded.limit(), Limit::ArgumentBytes);
/// assert_eq!((exceeded.most(), exceeded.found()), (16, Some(22)));
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExceededLimit {
    limit: Limit,
    most: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<u64>,
}

impl ExceededLimit {
    /// A limit that was exceeded. A number beyond the range becomes the largest one.
    pub(crate) fn new(limit: Limit, most: usize, found: Option<usize>) -> Self {
        let told = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Self {
            limit,
            most: told(most),
            found: found.map(told),
        }
    }

    /// The limit.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// The most that is allowed, in the unit of the limit.
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// The amount that was found, if it was counted. Levels of nesting are counted only as far as they can be
    /// followed.
    pub const fn found(&self) -> Option<u64> {
        self.found
    }
}

/// Limits that a call may exceed, so that it does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// Bytes of arguments, as JSON: see
    /// [`Limits::max_input_bytes`](crate::executor::Limits::max_input_bytes).
    ArgumentBytes,
    /// Levels of objects and lists in each other: see
    /// [`Limits::max_input_depth`](crate::executor::Limits::max_input_depth).
    ArgumentDepth,
    /// Calls that tools make in each other: see
    /// [`Limits::max_call_depth`](crate::executor::Limits::max_call_depth).
    CallDepth,
    /// Steps that it takes to hold a value to its schema or its patterns: 4,000,000, which cannot be
    /// changed. A step looks at one part of the value by one schema, or matches 16 bytes of a text
    /// with one state of a pattern. They are counted before the check begins, so that an exceeded
    /// limit costs no time.
    CheckSteps,
}

impl Limit {
    /// The name in serialised form: `argument_bytes`, `argument_depth` ..
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ArgumentBytes => "argument_bytes",
            Self::ArgumentDepth => "argument_depth",
            Self::CallDepth => "call_depth",
            Self::CheckSteps => "check_steps",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
