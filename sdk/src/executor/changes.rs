//! Tools that change while the executor is there.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use super::guard::guarded;
use super::session::Session;
use super::{BuildError, BuildProblem, Executor};
use crate::event::EventKind;
use crate::id::ToolName;
use crate::registry::{Entry, FeatureGate, RegistryError, ToolRegistry, ToolSnapshot};

impl Executor {
    /// Puts other tools in the place of all that are there. Those that were made with
    /// [`ExecutorBuilder::register_tools`](super::ExecutorBuilder::register_tools) go too.
    ///
    /// A turn goes on with the tools that it began with, and so does each call that runs; a call that
    /// begins later finds the new ones. One of a tool that was removed ends with an error that says
    /// so, and one that was [interrupted](super::ToolOutcome::Interrupted) is resumed only if its
    /// tool has the same definition still. Sessions that [select](super::SessionOptions::tools) their
    /// tools do so anew. At its end, a session cleans up what it had of either.
    ///
    /// The tools that the executor was built with are kept for as long as it is there.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Tell the time of day.
    /// #[tool(name = "time", read_only)]
    /// fn by_sundial() -> &'static str {
    ///     "noon"
    /// }
    ///
    /// /// Tell the time of day.
    /// #[tool(name = "time", read_only)]
    /// fn by_clock() -> &'static str {
    ///     "12:01"
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(BySundial))?;
    /// let turn = executor.session("s-1").turn();
    /// executor.replace_tools(ToolRegistry::new().with(ByClock))?;
    /// assert_eq!(executor.call("time", "").await.text(), "12:01");
    /// assert_eq!(turn.call(ToolCall::new("time", "")).await.text(), "noon");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What keeps an executor of these tools from being built, the settings being those of this one: a
    /// tool could not be registered, or needs a resource that is not there, and so on. Nothing has
    /// changed then.
    pub fn replace_tools(&self, registry: ToolRegistry) -> Result<(), BuildError> {
        let mut problems = Vec::new();
        let whole = self.shared.planner.catalog(registry, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::of_change(problems));
        }
        self.telling(|| self.shared.catalogs.replace(whole, None));
        Ok(())
    }

    /// Changes the tools that are there: adds some, takes some out; see
    /// [`replace_tools`](Self::replace_tools). The function gets all of them, those of
    /// [features](FeatureGate) that are off too, and is called again if somebody else has changed
    /// them meanwhile.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry, tool};
    ///
    /// /// Tell the time of day.
    /// #[tool(read_only)]
    /// fn time() -> &'static str {
    ///     "noon"
    /// }
    ///
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// executor.update_tools(|tools| tools.register(Time))?;
    /// assert!(executor.tools().get("time").is_some());
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the function fails, and as [`replace_tools`](Self::replace_tools). Nothing has changed
    /// then.
    pub fn update_tools(
        &self,
        mut change: impl FnMut(&mut ToolRegistry) -> Result<(), RegistryError>,
    ) -> Result<(), BuildError> {
        loop {
            let before = self.shared.catalogs.tools();
            let mut registry = before.whole.snapshot.to_registry();
            let changed = change(&mut registry).map_err(BuildProblem::Registry);
            let mut problems: Vec<BuildProblem> = changed.err().into_iter().collect();
            let whole = self.shared.planner.catalog(registry, &mut problems);
            if !problems.is_empty() {
                return Err(BuildError::of_change(problems));
            }
            let version = Some(before.version);
            if self.telling(|| self.shared.catalogs.replace(whole, version)) {
                return Ok(());
            }
        }
    }

    /// Opens or closes a feature for all sessions: puts a gate in the place of that of its name. It is
    /// a change of tools as by [`replace_tools`](Self::replace_tools): turns that have begun go on
    /// with what they have, and whoever wants to stop them too cancels them.
    pub fn set_feature_gate(&self, gate: FeatureGate) {
        self.telling(|| self.shared.catalogs.put_gate(gate));
    }

    /// Tells of what a change does to the tools, if somebody wants to know.
    fn telling<T>(&self, change: impl FnOnce() -> T) -> T {
        let events = &self.shared.base.events;
        if !events.is_listening() {
            return change();
        }
        let before = self.tools();
        let done = change();
        let change = ToolsChange::between(&before, &self.tools());
        if !change.is_empty() {
            let ToolsChange {
                added,
                removed,
                changed,
                tools: _,
            } = change;
            events.emit(None, None, || EventKind::ToolsChanged {
                added,
                removed,
                changed,
            });
        }
        done
    }

    /// Tells of each change of the tools that a session has which selects nothing; see
    /// [`Session::watch_tools`].
    pub fn watch_tools(&self) -> ToolsWatch {
        ToolsWatch::new(Source::Executor(self.clone()))
    }
}

impl Session {
    /// Tells of each change of what [`Session::tools`] gives, for a host that tells its model of
    /// tools anew.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry, tool};
    ///
    /// /// Tell the time of day.
    /// #[tool(read_only)]
    /// fn time() -> &'static str {
    ///     "noon"
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// let mut watch = executor.session("s-1").watch_tools();
    /// executor.update_tools(|tools| tools.register(Time))?;
    /// let change = watch.changed().await;
    /// assert_eq!(change.added()[0].as_str(), "time");
    /// assert_eq!(change.tools().len(), 1);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch_tools(&self) -> ToolsWatch {
        ToolsWatch::new(Source::Session(self.clone()))
    }
}

/// Tells of changes of tools: see [`Session::watch_tools`].
pub struct ToolsWatch {
    source: Source,
    seen: Arc<ToolSnapshot>,
    versions: watch::Receiver<u64>,
}

enum Source {
    Executor(Executor),
    Session(Session),
}

impl Source {
    fn tools(&self) -> Arc<ToolSnapshot> {
        match self {
            Self::Executor(executor) => executor.tools(),
            Self::Session(session) => session.tools(),
        }
    }
}

impl ToolsWatch {
    fn new(source: Source) -> Self {
        let shared = match &source {
            Source::Executor(executor) => &executor.shared,
            Source::Session(session) => &session.executor,
        };
        // Before the tools are looked at, so that nothing is missed.
        let versions = shared.catalogs.changes();
        Self {
            seen: source.tools(),
            versions,
            source,
        }
    }

    /// Waits until a model has to be told of other tools than when this was asked last, or at first
    /// when the watch began. Changes that came one after another are one, and one that was undone is
    /// none.
    ///
    /// Dropping the future loses nothing.
    pub async fn changed(&mut self) -> ToolsChange {
        loop {
            self.versions.mark_unchanged();
            let now = self.source.tools();
            let change = ToolsChange::between(&self.seen, &now);
            self.seen = now;
            if !change.is_empty() {
                return change;
            }
            if self.versions.changed().await.is_err() {
                // The sender is the executor's, which is held here.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl fmt::Debug for ToolsWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolsWatch")
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

/// What is different in a list of tools: see [`ToolsWatch::changed`]. Of tools that models are not told
/// of it says nothing.
#[derive(Debug, Clone)]
pub struct ToolsChange {
    added: Vec<ToolName>,
    removed: Vec<ToolName>,
    changed: Vec<ToolName>,
    tools: Arc<ToolSnapshot>,
}

impl ToolsChange {
    fn between(before: &ToolSnapshot, now: &Arc<ToolSnapshot>) -> Self {
        let mut change = Self {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            tools: Arc::clone(now),
        };
        let advertised = |entry: &&Entry| entry.is_advertised();
        let entries = before.entries().iter().filter(advertised);
        let mut were: HashMap<&ToolName, &Entry> =
            entries.map(|entry| (&entry.name, entry)).collect();
        for entry in now.entries().iter().filter(advertised) {
            match were.remove(&entry.name) {
                None => change.added.push(entry.name.clone()),
                Some(was) if !is_told_alike(was, entry) => change.changed.push(entry.name.clone()),
                Some(_) => {}
            }
        }
        change.removed = were.into_keys().cloned().collect();
        change.removed.sort();
        change
    }

    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    /// The tools that are new, sorted.
    pub fn added(&self) -> &[ToolName] {
        &self.added
    }

    /// The tools that are there no more, sorted.
    pub fn removed(&self) -> &[ToolName] {
        &self.removed
    }

    /// The tools that say something else of themselves than before, sorted.
    pub fn changed(&self) -> &[ToolName] {
        &self.changed
    }

    /// All tools after the change.
    pub fn tools(&self) -> &Arc<ToolSnapshot> {
        &self.tools
    }
}

/// Whether a model is told the same of two tools.
fn is_told_alike(one: &Entry, other: &Entry) -> bool {
    if Arc::ptr_eq(&one.tool, &other.tool) {
        return true;
    }
    let told = |entry: &Entry| {
        let written = guarded("the tool", || serde_json::to_string(entry.tool.spec()));
        written.ok().and_then(Result::ok)
    };
    // What cannot be told is not the same.
    told(one).is_some_and(|one| Some(one) == told(other))
}
