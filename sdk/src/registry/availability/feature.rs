//! Features that may be off.

use crate::registry::Selector;
use crate::registry::selector::Candidate;

/// A feature with its tools, which nobody has while it is off: not where they are named, not by a
/// role, not in nested calls, and not the app itself. Set for all by
/// [`ExecutorBuilder::feature_gate`](crate::ExecutorBuilder::feature_gate), changed while the app runs by
/// [`Executor::set_feature_gate`](crate::Executor::set_feature_gate), and set for one session and
/// those below it by [`SessionOptions::feature_gate`](crate::executor::SessionOptions::feature_gate).
///
/// To a model such a tool is not there. If the gate has a [message](Self::with_message), a model that
/// calls the tool all the same reads that; the reason is for the host.
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright::registry::{FeatureGate, Selector, UnavailableReason};
///
/// /// Fetch a page.
/// #[tool(name = "web.fetch", read_only, open_world)]
/// fn fetch(url: String) -> String {
///     url
/// }
///
/// let tools = Selector::new(["web.*"])?;
/// let gate = FeatureGate::closed("web", tools, "not licensed for this team")
///     .with_message("The user's organisation has switched web access off.");
/// let executor = Executor::builder(ToolRegistry::new().with(Fetch)).feature_gate(gate).build()?;
/// assert_eq!(executor.tools().len(), 0);
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let session = executor.session("s-1");
/// let outcome = session.call(toolwright::ToolCall::new("web.fetch", "{}")).await;
/// assert_eq!(
///     outcome.text(),
///     "the tool `web.fetch` is not available: The user's organisation has switched web access off."
/// );
/// let availability = session.availability();
/// let why = availability.why("web.fetch");
/// assert!(matches!(why, Some(UnavailableReason::FeatureOff { .. })));
/// let why = why.map(ToString::to_string);
/// assert_eq!(why.as_deref(), Some("the feature `web` is off: not licensed for this team"));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a gate is for an executor or a session"]
pub struct FeatureGate {
    name: String,
    tools: Selector,
    closed: Option<String>,
    message: Option<String>,
}

impl FeatureGate {
    /// A feature that is on.
    pub fn open(name: impl Into<String>, tools: Selector) -> Self {
        Self {
            name: name.into(),
            tools,
            closed: None,
            message: None,
        }
    }

    /// A feature that is off, with the reason for the host. That a tool is explicit-only makes no
    /// difference here: a `*` fits it.
    pub fn closed(name: impl Into<String>, tools: Selector, reason: impl Into<String>) -> Self {
        Self {
            closed: Some(reason.into()),
            ..Self::open(name, tools)
        }
    }

    /// Sets what a model reads that calls a tool of the feature while it is off, where it would have
    /// the tool otherwise. Default: the same as of a tool that there never was.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The feature's name. A second gate of a name takes the place of the first.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the feature is on.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// The reason why the feature is off, if it is.
    pub fn reason(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub(crate) fn tools(&self) -> &Selector {
        &self.tools
    }

    /// Returns true if the gate takes the tool away.
    pub(crate) fn closes(&self, tool: &Candidate<'_>) -> bool {
        !self.is_open() && self.tools.covers(tool)
    }
}

/// Puts a gate in the place of that of its name.
pub(crate) fn put(gates: &mut Vec<FeatureGate>, gate: FeatureGate) {
    match gates.iter_mut().find(|other| other.name == gate.name) {
        Some(other) => *other = gate,
        None => gates.push(gate),
    }
}
