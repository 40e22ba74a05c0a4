//! Parts of a frozen registry, and the way back to one that can be changed.

use std::collections::HashSet;
use std::sync::Arc;

use hashbrown::HashMap;

use super::{ToolEntry, ToolRegistry, ToolSnapshot};
use crate::id::{Label, ToolName};
use crate::spec::ToolSpec;
use crate::tool::Tool;
use crate::util::panic::catch_panic;

impl ToolSnapshot {
    /// The tools of these numbers, which rise. Each keeps its wire name.
    pub(crate) fn subset(&self, numbers: &[usize]) -> Self {
        let entries: Vec<ToolEntry> = numbers
            .iter()
            .filter_map(|number| self.entries.get(*number).cloned())
            .collect();
        let mut index = HashMap::with_capacity(entries.len() * 2);
        for (number, entry) in (0..).zip(&entries) {
            for name in entry.names() {
                index.insert(name.into(), number);
            }
        }
        Self::indexed(entries, index, self.asks_purpose())
    }

    /// A registry of the same tools.
    pub(crate) fn to_registry(&self) -> ToolRegistry {
        let mut registry = ToolRegistry::new();
        registry.asks_purpose = self.asks_purpose();
        for entry in &self.entries {
            registry.add_registered(entry.registered.clone());
        }
        registry
    }

    /// The entries of a name, the highest version first, with the number of the first. The highest of
    /// those that there are need not be among them.
    fn versions_of(&self, name: &str) -> (usize, impl Iterator<Item = &ToolEntry>) {
        let first = self
            .entries
            .partition_point(|entry| entry.name.as_str() < name);
        let all = self.entries[first..].iter();
        (first, all.take_while(move |entry| entry.name == *name))
    }

    /// The specs of all versions of a tool, by any of its names, the highest first: see
    /// [`ToolRegistry::versions`].
    pub fn versions<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s ToolSpec> {
        let found = self.find(name);
        let canonical = found.map_or(name, |(_, entry)| entry.name.as_str());
        let (_, all) = self.versions_of(canonical);
        all.map(|entry| entry.tool.spec())
    }

    /// The tool of a `name@version`, with its number.
    #[cold]
    pub(super) fn find_qualified(&self, name: &str) -> Option<(usize, &ToolEntry)> {
        let (name, version) = name.split_once('@')?;
        let highest = self
            .index
            .get(name)
            .and_then(|number| self.entries.get(*number as usize));
        let canonical = highest.map_or(name, |entry| entry.name.as_str());
        self.find_version(canonical, Some(version))
    }

    /// The tool of a canonical name and a version; without a version that which the name leads to.
    pub(crate) fn find_version(
        &self,
        name: &str,
        version: Option<&str>,
    ) -> Option<(usize, &ToolEntry)> {
        let Some(version) = version else {
            return self.find(name);
        };
        let (first, mut all) = self.versions_of(name);
        let at = all.position(|entry| entry.is_version(version))?;
        Some((first + at, self.entries.get(first + at)?))
    }

    /// The numbers of all versions of the tool that any name leads to; of one version, where the name says
    /// which.
    pub(crate) fn numbers_of(&self, name: &str) -> std::ops::Range<usize> {
        match self.find(name) {
            Some((number, _)) if name.contains('@') => number..number + 1,
            Some((_, entry)) => {
                let (first, all) = self.versions_of(entry.name.as_str());
                first..first + all.count()
            }
            None => 0..0,
        }
    }

    /// Returns true if the tool of an entry is in the snapshot.
    pub(crate) fn has(&self, entry: &ToolEntry) -> bool {
        let (_, mut all) = self.versions_of(entry.name.as_str());
        all.any(|own| address(&own.tool) == address(&entry.tool))
    }

    /// The server that a tool is of, by any of its names: see [`ToolRegistry::with_server`].
    pub fn server_of(&self, name: &str) -> Option<&str> {
        self.find(name)
            .and_then(|(_, entry)| entry.server.as_deref())
    }

    /// The addresses of its tools.
    pub(crate) fn tools(&self) -> HashSet<*const ()> {
        self.entries
            .iter()
            .map(|entry| address(&entry.tool))
            .collect()
    }
}

impl ToolEntry {
    /// Returns true if the tool is advertised to models.
    #[inline]
    pub(crate) fn is_advertised(&self) -> bool {
        self.advertised && !self.older
    }

    /// The names that lead to the tool. To a lower version leads none without its version.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.aliases.iter().map(ToolName::as_str);
        let names = [self.name.as_str(), &self.wire_name];
        let names = names.into_iter().chain(aliases);
        names.filter(|_| !self.older)
    }

    /// The version that the tool declares. One that panics declares none.
    pub(crate) fn version(&self) -> Option<Label> {
        let told = catch_panic(|| self.tool.spec().version_label());
        told.ok().flatten()
    }

    fn is_version(&self, version: &str) -> bool {
        self.version().is_some_and(|own| own.as_str() == version)
    }
}

/// Tells one tool from another.
pub(crate) fn address(tool: &Arc<dyn Tool>) -> *const () {
    Arc::as_ptr(tool).cast()
}
