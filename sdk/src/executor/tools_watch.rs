//! Watching the tools of an executor or a session, which may change.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::guard::catch_tool_panic;
use crate::id::ToolName;
use crate::registry::{ToolEntry, ToolSnapshot};

/// Tells of changes of tools: see [`Session::watch_tools`](crate::Session::watch_tools).
pub struct ToolsWatch {
    shared: Arc<ExecutorCore>,
    /// The session whose tools are watched, if it is not the executor.
    session: Option<Arc<SessionCore>>,
    seen: Arc<ToolSnapshot>,
    versions: watch::Receiver<u64>,
}

impl ToolsWatch {
    pub(crate) fn new(shared: Arc<ExecutorCore>, session: Option<Arc<SessionCore>>) -> Self {
        Self {
            // Before the tools are looked at, so that nothing is missed.
            versions: shared.catalogs.changes(),
            seen: tools(&shared, session.as_deref()),
            shared,
            session,
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
            let now = tools(&self.shared, self.session.as_deref());
            let change = ToolsChange::between(&self.seen, &now);
            self.seen = now;
            if !change.is_empty() {
                return change;
            }
            if self.versions.changed().await.is_err() {
                // The executor owns the sender and is held here, so this is never reached.
                std::future::pending::<()>().await;
            }
        }
    }
}

fn tools(shared: &ExecutorCore, session: Option<&SessionCore>) -> Arc<ToolSnapshot> {
    match session {
        None => Arc::clone(&shared.catalogs.open().snapshot),
        Some(session) => Arc::clone(&session.catalog(shared).snapshot),
    }
}

impl fmt::Debug for ToolsWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolsWatch")
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

/// The differences in a list of tools: see [`ToolsWatch::changed`]. Tools that are not advertised to models are not
/// listed.
#[derive(Debug, Clone)]
pub struct ToolsChange {
    pub(crate) added: Vec<ToolName>,
    pub(crate) removed: Vec<ToolName>,
    pub(crate) changed: Vec<ToolName>,
    pub(crate) tools: Arc<ToolSnapshot>,
}

impl ToolsChange {
    pub(crate) fn between(before: &ToolSnapshot, now: &Arc<ToolSnapshot>) -> Self {
        let mut change = Self {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            tools: Arc::clone(now),
        };
        let advertised = |entry: &&ToolEntry| entry.is_advertised();
        let entries = before.entries().iter().filter(advertised);
        let mut were: HashMap<&ToolName, &ToolEntry> =
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

    pub(crate) fn is_empty(&self) -> bool {
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

/// Returns true if two tools have the same spec for a model.
fn is_told_alike(one: &ToolEntry, other: &ToolEntry) -> bool {
    if Arc::ptr_eq(&one.tool, &other.tool) {
        return true;
    }
    let told = |entry: &ToolEntry| {
        let written = catch_tool_panic("the tool", || serde_json::to_string(entry.tool.spec()));
        written.ok().and_then(Result::ok)
    };
    // Specs that cannot be written count as different.
    told(one).is_some_and(|one| Some(one) == told(other))
}
