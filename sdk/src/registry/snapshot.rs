//! The tools of an app as calls see them: frozen, and found in one step.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use serde::ser::Error as _;

use super::wire::wire_names;
use super::{Registered, ToolRegistry};
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::tool::Tool;
use crate::util::derived::Derived;
use crate::util::suggestion::nearest;

/// A registry, frozen: what an executor serves calls from.
///
/// Sorted by name, so that every listing of the same tools has the same bytes.
pub struct ToolSnapshot {
    pub(super) entries: Vec<ToolEntry>,
    /// The numbers of the tools that are advertised to models.
    pub(super) advertised: Box<[u32]>,
    /// Every canonical, wire and other name.
    pub(super) index: HashMap<Box<str>, u32>,
    pub(super) listing: OnceLock<Option<Arc<str>>>,
    derived: Derived,
    /// The specs as a model sees them, where they are not the tools' own.
    pub(super) asking: Option<OnceLock<Vec<ToolSpec>>>,
}

#[derive(Clone)]
pub(crate) struct ToolEntry {
    pub(super) registered: Registered,
    pub(crate) name: ToolName,
    /// True if there is a higher version of the tool. The entry then has the other names too, for patterns, but only
    /// its version leads to it.
    pub(crate) older: bool,
    pub(super) wire_name: String,
    pub(super) aliases: Vec<ToolName>,
}

impl ToolEntry {
    /// Puts a tool of the same spec in the place of the tool.
    pub(crate) fn replace_tool(&mut self, tool: Arc<dyn Tool>) {
        self.registered.tool = tool;
    }
}

impl Deref for ToolEntry {
    type Target = Registered;

    #[inline]
    fn deref(&self) -> &Registered {
        &self.registered
    }
}

impl ToolSnapshot {
    pub(crate) fn new(registry: ToolRegistry) -> Self {
        let aliases = registry.aliases.iter();
        let names = registry.tools.keys();
        let wires: Vec<String> = wire_names(names, aliases)
            .into_iter()
            .map(Cow::into_owned)
            .collect();
        let mut index = HashMap::with_capacity(wires.len() * 2 + registry.aliases.len());
        let mut entries = Vec::with_capacity(wires.len());
        for ((name, versions), wire_name) in registry.tools.into_iter().zip(wires) {
            let number = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            if wire_name != name.as_str() {
                index.insert(wire_name.as_str().into(), number);
            }
            index.insert(name.as_str().into(), number);
            entries.extend(
                versions
                    .into_all()
                    .enumerate()
                    .map(|(at, registered)| ToolEntry {
                        registered,
                        name: name.clone(),
                        older: at > 0,
                        wire_name: wire_name.clone(),
                        aliases: Vec::new(),
                    }),
            );
        }
        for (alias, tool) in registry.aliases {
            if let Some(number) = index.get(tool.as_str()).copied() {
                index.insert(alias.as_str().into(), number);
                let versions = entries[number as usize..].iter_mut();
                for entry in versions.take_while(|entry| entry.name == tool) {
                    entry.aliases.push(alias.clone());
                }
            }
        }
        Self::indexed(entries, index, registry.asks_purpose)
    }

    /// A snapshot of tools that are found by this index.
    pub(super) fn indexed(
        entries: Vec<ToolEntry>,
        index: HashMap<Box<str>, u32>,
        asks_purpose: bool,
    ) -> Self {
        let numbered = (0..).zip(&entries);
        let advertised =
            numbered.filter_map(|(number, entry)| entry.is_advertised().then_some(number));
        Self {
            advertised: advertised.collect(),
            entries,
            index,
            listing: OnceLock::new(),
            derived: Derived::default(),
            asking: asks_purpose.then(OnceLock::new),
        }
    }

    pub(crate) fn entries(&self) -> &[ToolEntry] {
        &self.entries
    }

    pub(crate) fn entries_mut(&mut self) -> &mut [ToolEntry] {
        &mut self.entries
    }

    /// The tool that a canonical name, wire name or alias leads to, or a name with a version, with its
    /// number.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &ToolEntry)> {
        let Some(number) = self.index.get(name) else {
            return self.find_qualified(name);
        };
        let number = *number as usize;
        self.entries.get(number).map(|entry| (number, entry))
    }

    /// The tool of a canonical name, wire name, alias or `name@version`.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.find(name).map(|(_, entry)| &entry.tool)
    }

    /// The name under which providers that allow no dots know a tool: `[A-Za-z0-9_-]`, at most 64
    /// characters, different for each tool, and the same for the same set of tools. A call may use
    /// it in place of the canonical name.
    pub fn wire_name(&self, name: &str) -> Option<&str> {
        self.find(name).map(|(_, entry)| &*entry.wire_name)
    }

    /// Returns true if calls may give a purpose.
    #[inline]
    pub(crate) fn asks_purpose(&self) -> bool {
        self.asking.is_some()
    }

    /// The specs as a model is to see them, sorted by name, of each tool the highest
    /// [version](ToolRegistry::versions): the tools' own, with one argument more
    /// where the model is [asked for its purpose](ToolRegistry::ask_purpose). Those of tools that are
    /// [for the app alone](ToolRegistry::with_unadvertised) are not among them.
    pub fn specs(&self) -> impl ExactSizeIterator<Item = &ToolSpec> {
        let own = |entry: &'_ ToolEntry| entry.tool.spec().asking_purpose();
        let asking = self
            .asking
            .as_ref()
            .map(|asking| asking.get_or_init(|| self.entries.iter().map(own).collect()));
        self.advertised.iter().map(move |number| {
            let number = *number as usize;
            let asking = asking.and_then(|asking| asking.get(number));
            asking.unwrap_or_else(|| self.entries[number].tool.spec())
        })
    }

    /// The number of tools, with those for the app alone and with each version.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if there is no tool.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The specs as a JSON array, sorted by name. Made once and kept, unless a tool computes its
    /// description.
    ///
    /// # Errors
    ///
    /// Fails if a spec cannot be written as JSON, which only a schema or metadata made by hand can cause.
    pub fn to_json(&self) -> Result<Arc<str>, serde_json::Error> {
        if let Some(Some(kept)) = self.listing.get() {
            return Ok(Arc::clone(kept));
        }
        let specs: Vec<&ToolSpec> = self.specs().collect();
        let listing: Arc<str> = listing(&specs)?.into();
        let keep = !specs.iter().any(|spec| spec.has_computed_description());
        let kept = self
            .listing
            .get_or_init(|| keep.then(|| Arc::clone(&listing)));
        Ok(kept.as_ref().map_or(listing, Arc::clone))
    }

    /// Returns a value made from the tools, such as their list in the form of a provider: made at the first use of its
    /// key, and kept with the snapshot.
    ///
    /// A tool may [compute its description](ToolSpec::with_computed_description) anew for each listing: what shows
    /// descriptions of such tools is not for keeping.
    ///
    /// ```
    /// use toolwright::{ToolRegistry, tool};
    ///
    /// /// Add two whole numbers.
    /// #[tool(pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let tools = ToolRegistry::new().with(Add).freeze()?;
    /// let names = tools.derived("names", |tools| {
    ///     tools.specs().map(|spec| spec.name().to_string()).collect::<Vec<_>>()
    /// });
    /// assert_eq!(*names, ["add"]);
    /// # Ok::<(), toolwright::registry::RegistryError>(())
    /// ```
    pub fn derived<K, T>(&self, key: K, make: impl FnOnce(&Self) -> T) -> Arc<T>
    where
        K: Eq + Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        self.derived.get_or_make(key, || make(self))
    }

    /// The advertised name that is probably meant by a name without a tool.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let advertised = self.entries.iter().filter(|entry| entry.is_advertised());
        nearest(name, advertised.map(|entry| entry.name.as_str()))
    }
}

/// The bytes of a spec as text, roughly.
const USUAL_BYTES: usize = 640;

fn listing(specs: &[&ToolSpec]) -> Result<String, serde_json::Error> {
    let mut text = Vec::with_capacity(specs.len() * USUAL_BYTES);
    for spec in specs {
        text.push(if text.is_empty() { b'[' } else { b',' });
        spec.write(&mut text)?;
    }
    if text.is_empty() {
        text.push(b'[');
    }
    text.push(b']');
    String::from_utf8(text).map_err(serde_json::Error::custom)
}

impl fmt::Debug for ToolSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|entry| &entry.name);
        f.debug_set().entries(names).finish()
    }
}
