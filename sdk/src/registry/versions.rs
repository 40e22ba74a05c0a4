//! Several versions of a tool beside each other.

use std::cmp::Ordering;
use std::collections::{BTreeSet, btree_map};
use std::ops::Deref;
use std::sync::Arc;

use super::check::names_of;
use super::{Collision, Registered, ToolRegistry};
use crate::id::ToolName;
use crate::spec::{ToolSpec, compare_versions};
use crate::tool::Tool;
use crate::util::panic::catch_panic;

/// A tool in all its versions, at least one.
#[derive(Clone)]
pub(crate) struct Versions {
    highest: Registered,
    /// The other ones, the highest first.
    older: Vec<Registered>,
}

impl Versions {
    pub(super) fn new(only: Registered) -> Self {
        Self {
            highest: only,
            older: Vec::new(),
        }
    }

    /// All versions, the highest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Registered> {
        std::iter::once(&self.highest).chain(&self.older)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Registered> {
        std::iter::once(&mut self.highest).chain(&mut self.older)
    }

    /// All versions, the highest first.
    pub(super) fn into_all(self) -> impl Iterator<Item = Registered> {
        std::iter::once(self.highest).chain(self.older)
    }

    fn put_older(&mut self, registered: Registered) {
        self.older.push(registered);
        let version = |found: &Registered| version_of(&*found.tool).unwrap_or_default();
        self.older
            .sort_by(|one, other| compare_versions(&version(other), &version(one)));
    }

    /// Removes the highest version, unless it is the only one.
    fn take_highest(&mut self) -> Option<Registered> {
        let next = (!self.older.is_empty()).then(|| self.older.remove(0))?;
        Some(std::mem::replace(&mut self.highest, next))
    }
}

/// The highest version.
impl Deref for Versions {
    type Target = Registered;

    fn deref(&self) -> &Registered {
        &self.highest
    }
}

/// The version that a tool declares. One that panics declares none.
pub(super) fn version_of(tool: &dyn Tool) -> Option<String> {
    catch_panic(|| tool.spec().version().map(str::to_owned)).unwrap_or_default()
}

impl ToolRegistry {
    /// All versions of a tool, by its name or an alias, the highest first: the one that is advertised to models
    /// and that has the name and the aliases. The others are called by `name@version`, by the app
    /// ([`ToolCall::by_host`](crate::ToolCall::by_host)) and by tools.
    ///
    /// Versions go by [Semantic Versioning](https://semver.org/spec/v2.0.0.html#spec-item-11); numbers
    /// that are missing count as 0, and what does not begin with numbers is below all that does. Tools
    /// that were discovered in different packages are never versions of each other.
    ///
    /// ```
    /// use toolwright::{ToolRegistry, tool};
    ///
    /// /// Tell what a stay costs.
    /// #[tool(name = "price", version = "1.0.0", pure)]
    /// fn price_of_nights(nights: u32) -> u32 {
    ///     nights * 80
    /// }
    ///
    /// /// Tell what a stay costs.
    /// #[tool(name = "price", version = "2.0.0", pure)]
    /// fn price_of_guests(nights: u32, guests: u32) -> u32 {
    ///     nights * 60 + guests * 20
    /// }
    ///
    /// let registry = ToolRegistry::new().with(PriceOfNights).with(PriceOfGuests);
    /// let versions: Vec<_> = registry.versions("price").filter_map(|spec| spec.version()).collect();
    /// assert_eq!(versions, ["2.0.0", "1.0.0"]);
    /// assert!(registry.contains("price@1.0.0"));
    /// ```
    pub fn versions(&self, name: &str) -> impl Iterator<Item = &ToolSpec> {
        let canonical = self.canonical(name);
        let versions = canonical.and_then(|name| self.tools.get(name)).into_iter();
        versions
            .flat_map(Versions::all)
            .map(|found| found.tool.spec())
    }

    /// All tools in all their versions, by name, and of each the highest first.
    pub(super) fn all_versions(&self) -> impl Iterator<Item = (&ToolName, &Registered)> {
        let tools = self.tools.iter();
        tools.flat_map(|(name, versions)| versions.all().map(move |found| (name, found)))
    }

    /// As [`all_versions`](Self::all_versions).
    pub(super) fn into_all_versions(self) -> impl Iterator<Item = (ToolName, Registered)> {
        self.tools.into_iter().flat_map(|(name, versions)| {
            let all = versions.into_all();
            all.map(move |found| (name.clone(), found))
        })
    }

    /// The tool of a `name@version`.
    pub(super) fn find_version(&self, name: &str) -> Option<&Registered> {
        let (name, version) = name.split_once('@')?;
        let versions = self.tools.get(self.canonical(name)?)?;
        let is_it = |found: &&Registered| version_of(&*found.tool).as_deref() == Some(version);
        versions.all().find(is_it)
    }

    /// Compares a tool with the highest one of its name. Returns `None` if it is not another version of that one.
    pub(super) fn compare_version(
        &self,
        name: &ToolName,
        registered: &Registered,
    ) -> Option<Ordering> {
        let there = self.tools.get(name)?;
        // A package must not replace the tool of another package by a higher version.
        let packages = (registered.origin.package, there.origin.package);
        if matches!(packages, (Some(one), Some(other)) if one != other) {
            return None;
        }
        let version = version_of(&*registered.tool)?;
        let highest = version_of(&*there.tool)?;
        let is_it = |found: &Registered| version_of(&*found.tool).as_ref() == Some(&version);
        (!there.all().any(is_it)).then(|| compare_versions(&version, &highest))
    }

    /// Adds a version below the highest one.
    pub(super) fn put_older(&mut self, name: &ToolName, registered: Registered) {
        if let Some(versions) = self.tools.get_mut(name) {
            versions.put_older(registered);
        }
    }

    /// Adds a tool whose name is free, or whose versions are all lower.
    pub(super) fn put_highest(&mut self, name: ToolName, registered: Registered) {
        match self.tools.entry(name) {
            btree_map::Entry::Vacant(free) => drop(free.insert(Versions::new(registered))),
            btree_map::Entry::Occupied(mut versions) => {
                let versions = versions.get_mut();
                let before = std::mem::replace(&mut versions.highest, registered);
                versions.put_older(before);
            }
        }
    }

    /// Removes one version of a tool.
    pub(super) fn take_version(&mut self, name: &str) -> Option<Registered> {
        let wanted = Arc::clone(&self.find_version(name)?.tool);
        let canonical = self.canonical(name.split_once('@')?.0)?.clone();
        let versions = self.tools.get_mut(&canonical)?;
        let is_it = |found: &Registered| Arc::ptr_eq(&found.tool, &wanted);
        if let Some(at) = versions.older.iter().position(is_it) {
            return Some(versions.older.remove(at));
        }
        let taken = versions.take_highest();
        let taken = taken.or_else(|| Some(self.tools.remove(&canonical)?.highest));
        self.aliases.retain(|_, tool| *tool != canonical);
        self.promoted(&canonical);
        taken
    }

    /// Removes the tools that keep another one from being added: if one has the same version, that version alone.
    pub(super) fn make_way(&mut self, registered: &Registered, collisions: Vec<Collision>) {
        for collision in collisions {
            let (owner, coming) = collision.tools();
            let version = version_of(&*registered.tool).filter(|_| owner == coming);
            let same = version.map(|version| format!("{owner}@{version}"));
            if same.is_none_or(|same| self.take_version(&same).is_none()) {
                self.remove(owner.as_str());
            }
        }
    }

    /// Keeps the versions that a function says yes to.
    pub(super) fn retain_versions(&mut self, mut keeps: impl FnMut(&Registered) -> bool) {
        let mut changed = BTreeSet::new();
        self.tools.retain(|name, versions| {
            let stays = keeps(&versions.highest);
            versions.older.retain(&mut keeps);
            if !stays {
                changed.insert(name.clone());
            }
            stays || versions.take_highest().is_some()
        });
        self.aliases.retain(|_, tool| !changed.contains(tool));
        for name in changed {
            self.promoted(&name);
        }
    }

    /// Gives a tool whose highest version was removed with its aliases those of the next one that are free.
    fn promoted(&mut self, name: &ToolName) {
        let Some(versions) = self.tools.get(name) else {
            return;
        };
        let names = catch_panic(|| names_of(&*versions.tool));
        for alias in names.map(|(_, aliases)| aliases).unwrap_or_default() {
            if self.owner(&alias).is_none() {
                self.aliases.insert(alias, name.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ToolOutput;
    use crate::dynamic::tool_fn;
    use crate::registry::Origin;

    fn of_package(package: Option<&'static str>, version: &'static str) -> Registered {
        let spec = ToolSpec::new(ToolName::test(), "Test.").with_version(version);
        let tool = tool_fn(spec, async |_: serde_json::Value, _| {
            Ok::<_, String>(ToolOutput::text(""))
        });
        Registered {
            tool: Arc::new(tool),
            origin: Origin {
                package,
                ..Origin::caller()
            },
            advertised: true,
            server: None,
            own: false,
        }
    }

    #[test]
    fn no_package_takes_the_place_of_the_tool_of_another() {
        for (first, second, live_together) in [
            (Some("app"), Some("kit"), false),
            (Some("app"), Some("app"), true),
            (Some("app"), None, true),
            (None, None, true),
        ] {
            for versions in [("1", "2"), ("2", "1")] {
                let mut registry = ToolRegistry::new();
                let first = of_package(first, versions.0);
                registry.insert_registered(first).unwrap();
                let added = registry.insert_registered(of_package(second, versions.1));
                assert_eq!(added.is_ok(), live_together);
            }
        }
    }
}
