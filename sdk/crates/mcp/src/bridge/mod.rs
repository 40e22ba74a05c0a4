//! The layer below tools: [`Invocable`], anything that is invoked by its name with an object of arguments, and
//! [`CapabilityProvider`], a list of them.
//!
//! A host that mixes tools of this crate with capabilities of its own, such as agents or workflows, works on these two
//! traits. A [`Session`](toolwright::Session) becomes a provider by [`SessionCapabilities`]: each of its tools is an invocable whose
//! calls go through the whole pipeline of the session. The other way, [`as_tool`] makes a tool of one invocable and
//! [`registry_of`] a registry of a provider, so that their calls are described, validated, permitted and recorded.
//!
//! ```
//! use serde_json::{Map, Value, json};
//! use toolwright::{CancellationToken, Executor, ToolOutput, ToolRegistry, async_trait, tool};
//! use toolwright_mcp::bridge::{
//!     CanonicalName, CapabilityProvider, Invocable, InvokeOutcome, InvokeRequest, SessionCapabilities, as_tool,
//! };
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! /// An agent of the app, which is no tool.
//! struct Researcher {
//!     name: CanonicalName,
//!     schema: Value,
//! }
//!
//! #[async_trait]
//! impl Invocable for Researcher {
//!     fn name(&self) -> &CanonicalName {
//!         &self.name
//!     }
//!
//!     fn description(&self) -> &str {
//!         "Find out about a subject."
//!     }
//!
//!     fn input_schema(&self) -> &Value {
//!         &self.schema
//!     }
//!
//!     async fn invoke(&self, request: InvokeRequest) -> InvokeOutcome {
//!         let subject = request.arguments().get("subject").and_then(Value::as_str).unwrap_or("nothing");
//!         ToolOutput::text(format!("all about {subject}")).into()
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let researcher = Researcher {
//!     name: "#researcher".parse()?,
//!     schema: json!({"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]}),
//! };
//! let registry = ToolRegistry::new().with(Add).with(as_tool(researcher)?);
//! let executor = Executor::builder(registry).permission_checker(toolwright::permission::AllowAll).build()?;
//! let session = executor.session("s-1");
//! let call = toolwright::ToolCall::new("researcher", r#"{"subject": "owls"}"#);
//! assert_eq!(session.call(call).await.text(), "all about owls");
//!
//! let provider = SessionCapabilities::new(session);
//! let all = provider.invocables();
//! assert_eq!(all.len(), 2);
//! let sum = all[0].invoke(InvokeRequest::new(Map::from_iter([("a".into(), 2.into()), ("b".into(), 3.into())]))).await;
//! assert_eq!(sum.output().map(|output| output.content()[0].as_text()), Some(Some("5")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod name;
mod session;
mod tool;

use std::sync::Arc;

use serde_json::{Map, Value};
use toolwright::id::CallId;
use toolwright::outcome::Suspension;
use toolwright::ticket::{Answers, Ticket};
use toolwright::{CancellationToken, ToolError, ToolOutput, async_trait};

pub use name::{CanonicalName, InvalidCanonicalName};
pub use session::SessionCapabilities;
pub use tool::{as_tool, registry_of};

/// Something that is invoked by a name with an object of arguments. It has no annotations: [`as_tool`] makes a tool of it that
/// promises nothing about its effect.
#[async_trait]
pub trait Invocable: Send + Sync + 'static {
    /// The name.
    fn name(&self) -> &CanonicalName;

    /// The text by which a model decides to invoke it.
    fn description(&self) -> &str;

    /// The JSON Schema of the arguments: an object schema.
    fn input_schema(&self) -> &Value;

    /// Invokes it. Dropping the future drops what runs where it stands.
    async fn invoke(&self, request: InvokeRequest) -> InvokeOutcome;

    /// Goes on with an invocation that was [suspended](InvokeOutcome::Suspended), with answers to its ticket.
    ///
    /// Default: an error, because an invocable that never suspends has nothing to go on with.
    async fn resume(
        &self,
        ticket: &Ticket,
        answers: Answers,
        cancellation: CancellationToken,
    ) -> InvokeOutcome {
        let _ = (ticket, answers, cancellation);
        let why = format!("`{}` has no invocation that could go on", self.name());
        ToolOutput::from(ToolError::internal(why)).into()
    }
}

#[async_trait]
impl<I: Invocable + ?Sized> Invocable for Arc<I> {
    fn name(&self) -> &CanonicalName {
        (**self).name()
    }

    fn description(&self) -> &str {
        (**self).description()
    }

    fn input_schema(&self) -> &Value {
        (**self).input_schema()
    }

    async fn invoke(&self, request: InvokeRequest) -> InvokeOutcome {
        (**self).invoke(request).await
    }

    async fn resume(
        &self,
        ticket: &Ticket,
        answers: Answers,
        cancellation: CancellationToken,
    ) -> InvokeOutcome {
        (**self).resume(ticket, answers, cancellation).await
    }
}

/// A list of [invocables](Invocable).
pub trait CapabilityProvider: Send + Sync {
    /// Returns the invocables as they are now, sorted by name.
    fn invocables(&self) -> Vec<Arc<dyn Invocable>>;
}

/// An invocation: arguments, and what stops it.
#[derive(Debug, Clone, Default)]
pub struct InvokeRequest {
    arguments: Map<String, Value>,
    call_id: Option<CallId>,
    metadata: Option<Map<String, Value>>,
    cancellation: CancellationToken,
}

impl InvokeRequest {
    /// An invocation with these arguments. Default: no id, no metadata, and a token that nobody cancels.
    pub fn new(arguments: Map<String, Value>) -> Self {
        Self {
            arguments,
            ..Self::default()
        }
    }

    /// Sets the id that the model gave the call.
    pub fn with_call_id(mut self, id: impl Into<CallId>) -> Self {
        self.call_id = Some(id.into());
        self
    }

    /// Sets data beside the arguments, such as a trace context.
    pub fn with_metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Sets the token that stops the invocation.
    pub fn with_cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = token;
        self
    }

    /// The arguments.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// The id that the model gave the call.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call_id.as_ref()
    }

    /// The data beside the arguments.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.metadata.as_ref()
    }

    /// The token that stops the invocation.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}

/// The outcome of an invocation.
#[derive(Debug)]
#[non_exhaustive]
pub enum InvokeOutcome {
    /// It has ended; an error is an [output with one](ToolOutput::as_error).
    Completed(ToolOutput),
    /// It waits for somebody, and goes on by [`Invocable::resume`].
    Suspended(Suspension),
}

impl InvokeOutcome {
    /// The output, if the invocation has ended.
    pub fn output(&self) -> Option<&ToolOutput> {
        match self {
            Self::Completed(output) => Some(output),
            Self::Suspended(_) => None,
        }
    }

    /// The suspension, if the invocation waits for somebody.
    pub fn suspension(&self) -> Option<&Suspension> {
        match self {
            Self::Completed(_) => None,
            Self::Suspended(suspension) => Some(suspension),
        }
    }
}

impl From<ToolOutput> for InvokeOutcome {
    fn from(output: ToolOutput) -> Self {
        Self::Completed(output)
    }
}
