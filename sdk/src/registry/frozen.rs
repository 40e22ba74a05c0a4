//! Parts of a frozen registry, and the way back to one that can be changed.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;

use super::{Entry, Registered, ToolRegistry, ToolSnapshot};
use crate::tool::Tool;

impl ToolSnapshot {
    /// The tools of these numbers, which rise. Each keeps its wire name.
    pub(crate) fn subset(&self, numbers: &[usize]) -> Self {
        let entries: Vec<Entry> = numbers
            .iter()
            .filter_map(|number| self.entries.get(*number).cloned())
            .collect();
        let mut index = HashMap::with_capacity(entries.len() * 2);
        for (number, entry) in (0..).zip(&entries) {
            for name in entry.names() {
                index.insert(name.into(), number);
            }
        }
        let numbered = (0..).zip(&entries);
        let advertised = numbered.filter_map(|(number, entry)| entry.advertised.then_some(number));
        Self {
            advertised: advertised.collect(),
            entries,
            index,
            listing: OnceLock::new(),
            asking: self.asking.is_some().then(OnceLock::new),
        }
    }

    /// A registry of the same tools.
    pub(crate) fn to_registry(&self) -> ToolRegistry {
        let mut registry = ToolRegistry::new();
        registry.asks_purpose = self.asks_purpose();
        for entry in &self.entries {
            let registered = Registered {
                tool: Arc::clone(&entry.tool),
                origin: entry.origin,
                advertised: entry.advertised,
                own: entry.own,
                server: entry.server.clone(),
            };
            if let Err(error) = registry.insert_registered(registered) {
                registry.errors.push(error);
            }
        }
        registry
    }

    /// The server that a tool is of, by any of its names: see [`ToolRegistry::with_server`].
    pub fn server_of(&self, name: &str) -> Option<&str> {
        self.find(name)
            .and_then(|(_, entry)| entry.server.as_deref())
    }

    /// Where its tools are.
    pub(crate) fn tools(&self) -> HashSet<*const ()> {
        self.entries
            .iter()
            .map(|entry| address(&entry.tool))
            .collect()
    }
}

impl Entry {
    /// The names that lead to the tool.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.aliases.iter().map(crate::id::ToolName::as_str);
        [self.name.as_str(), &self.wire_name]
            .into_iter()
            .chain(aliases)
    }
}

/// Tells one tool from another.
pub(crate) fn address(tool: &Arc<dyn Tool>) -> *const () {
    Arc::as_ptr(tool).cast()
}
