//! The tools that a role always and never has.

use crate::registry::Selector;

/// The tools that the sessions of a role have whatever they select: those that a sub-agent always gets, never gets,
/// and gets only by name. Set for one session by [`SessionOptions::role`](crate::executor::SessionOptions::role), for
/// all sub-sessions by [`ExecutorBuilder::sub_session_rules`](crate::ExecutorBuilder::sub_session_rules).
///
/// The tools that a role never has go before those that it always has, and a
/// [`FeatureGate`](crate::registry::FeatureGate) goes before both.
/// What a session never has, those below it never have either.
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright::executor::SessionOptions;
/// use toolwright::registry::{RoleRules, Selector};
///
/// /// Say what came of the task.
/// #[tool(name = "agent.summary", pure)]
/// fn summary(text: String) -> String {
///     text
/// }
///
/// /// Start another agent.
/// #[tool(name = "agent.spawn")]
/// fn spawn(task: String) -> String {
///     task
/// }
///
/// let rules = RoleRules::new()
///     .always(Selector::new(["agent.summary"])?)
///     .never(Selector::new(["agent.spawn"])?);
/// let executor = Executor::builder(ToolRegistry::new().with(Summary).with(Spawn))
///     .sub_session_rules(rules)
///     .build()?;
/// let session = executor.session("main");
/// assert_eq!(session.tools().len(), 2);
///
/// for tools in [Selector::none(), Selector::all(), Selector::new(["agent.spawn"])?] {
///     let below = session.sub_session_with("helper", SessionOptions::new().tools(tools));
///     let names: Vec<String> = below.tools().specs().map(|spec| spec.name().to_string()).collect();
///     assert_eq!(names, ["agent.summary"]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "rules are for a session or an executor"]
pub struct RoleRules {
    pub(crate) always: Selector,
    pub(crate) never: Selector,
    pub(crate) explicit_only: Selector,
}

impl RoleRules {
    /// Rules that change nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what the role has whatever its session selects or the session above has, unless that one
    /// may never have it. Explicit-only tools are to be named here too. Default: nothing.
    pub fn always(mut self, tools: Selector) -> Self {
        self.always = tools;
        self
    }

    /// Sets what the role never has, not even where its session names it; explicit-only or not.
    /// Default: nothing.
    pub fn never(mut self, tools: Selector) -> Self {
        self.never = tools;
        self
    }

    /// Sets what the role has only where its session names it, as if the tools were
    /// [explicit-only](crate::ToolSpec::with_explicit_only); a session that selects nothing of its own
    /// names none. Default: nothing.
    pub fn explicit_only(mut self, tools: Selector) -> Self {
        self.explicit_only = tools;
        self
    }

    pub(crate) fn selectors(&self) -> [&Selector; 3] {
        [&self.always, &self.never, &self.explicit_only]
    }
}
