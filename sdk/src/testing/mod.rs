//! What a tool author needs in unit tests.
//!
//! The annotated function stays an ordinary function, so most tests call it as it is. A function
//! that takes a [`ToolContext`] gets one here:
//!
//! ```
//! use toolwright::{ToolContext, testing, tool};
//!
//! /// Tell which call this is.
//! #[tool(read_only)]
//! fn whoami(ctx: &ToolContext) -> String {
//!     format!("{} in {}", ctx.call_id().map_or("?", |id| id.as_str()), ctx.session_id())
//! }
//!
//! let ctx = testing::context().call_id("c-1").session_id("s-1").build();
//! assert_eq!(whoami(&ctx), "c-1 in s-1");
//! ```

mod lints;

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

pub use lints::{assert_no_lints, assert_no_lints_but};

use crate::id::{CallId, InvocationId, SessionId, ToolName, TurnId};
use crate::tool::{CallScope, Resource, Resources, SessionScope, ToolContext};

/// A context for a unit test: of a session `test`, turn 1, a tool `test`, and without a call id
/// unless one is set.
pub fn context() -> ContextBuilder {
    ContextBuilder {
        resources: Resources::default(),
        session_id: None,
        call_id: None,
        tool: None,
        metadata: None,
        cancellation: CancellationToken::new(),
    }
}

/// Sets up a [`ToolContext`] for a unit test; see [`context`].
#[derive(Debug)]
pub struct ContextBuilder {
    resources: Resources,
    session_id: Option<SessionId>,
    call_id: Option<CallId>,
    tool: Option<ToolName>,
    metadata: Option<Arc<Map<String, Value>>>,
    cancellation: CancellationToken,
}

impl ContextBuilder {
    /// Adds a resource, which the tool finds by its type.
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a resource that is shared already, for instance as a trait object.
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        self.resources.put(resource);
        self
    }

    /// Sets the session's id.
    pub fn session_id(mut self, id: impl Into<SessionId>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// Sets the model's id of the call.
    pub fn call_id(mut self, id: impl Into<CallId>) -> Self {
        self.call_id = Some(id.into());
        self
    }

    /// Sets the tool's name.
    pub fn tool_name(mut self, name: ToolName) -> Self {
        self.tool = Some(name);
        self
    }

    /// Sets what the host says of the call.
    pub fn metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(Arc::new(metadata));
        self
    }

    /// Sets the token that tells the tool of cancellation.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = token;
        self
    }

    /// Makes the context.
    pub fn build(self) -> ToolContext {
        let session = SessionScope {
            id: self.session_id.unwrap_or_else(|| SessionId::new("test")),
            resources: Arc::new(self.resources),
            cancelled: self.cancellation.is_cancelled().into(),
            cancellation: self.cancellation,
        };
        ToolContext::new(
            Arc::new(session),
            None,
            CallScope {
                turn_id: TurnId::new(1),
                call_id: self.call_id,
                invocation_id: InvocationId::from_parts(0, 1),
                tool: self.tool.unwrap_or_else(ToolName::test),
                metadata: self.metadata,
                output_hint: 0,
            },
        )
    }
}
