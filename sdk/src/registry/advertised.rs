//! Tools that are there for the app alone.

use super::versions::Versions;
use super::{Origin, Registered, ToolRegistry};
use crate::tool::Tool;

impl ToolRegistry {
    /// Adds a tool for the app alone, for chains: it is not advertised to models, and for a model's call it does not
    /// exist. The app calls it by [`ToolCall::by_host`](crate::ToolCall::by_host), with the same checks as any.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Tell how much is in the till.
    /// #[tool(read_only)]
    /// fn till() -> u32 {
    ///     120
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with_unadvertised(Till))?;
    /// assert_eq!(executor.tools().specs().len(), 0);
    ///
    /// let session = executor.session("s-1");
    /// let by_model = session.call(ToolCall::new("till", "")).await;
    /// assert_eq!(by_model.text(), "there is no tool `till`");
    /// let by_host = session.call(ToolCall::new("till", "").by_host()).await;
    /// assert_eq!(by_host.text(), "120");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn with_unadvertised(mut self, tool: impl Tool) -> Self {
        self.add_registered(Registered {
            advertised: false,
            ..Registered::new(tool.into_shared(), Origin::caller())
        });
        self
    }

    /// Keeps a tool that is there, by its name or an alias, for the app alone: see
    /// [`with_unadvertised`](Self::with_unadvertised). Tells whether it is there.
    pub fn unadvertise(&mut self, name: &str) -> bool {
        let canonical = self.canonical(name).cloned();
        let Some(versions) = canonical.and_then(|name| self.tools.get_mut(&name)) else {
            return false;
        };
        versions
            .all_mut()
            .for_each(|registered| registered.advertised = false);
        true
    }

    /// Keeps all tools that are there for the app alone.
    pub(crate) fn unadvertise_all(&mut self) {
        let tools = self.tools.values_mut().flat_map(Versions::all_mut);
        tools.for_each(|registered| registered.advertised = false);
    }

    /// Takes over the tools of another registry; those that cannot be added are reported when this one is checked.
    pub(crate) fn absorb(&mut self, mut other: Self) {
        self.problems.append(std::mem::take(&mut other.problems));
        for (_, registered) in other.into_all_versions() {
            self.add_registered(registered);
        }
    }
}
