//! Several versions of a tool beside each other.

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::check::names_of;
use super::{Collision, Origin, Registered, RegistryError, ToolRegistry};
use crate::id::ToolName;
use crate::spec::{ToolSpec, compare_versions};
use crate::tool::Tool;
use crate::util::panic::discard;

/// The version that a tool declares. One that panics declares none.
pub(super) fn version_of(tool: &dyn Tool) -> Option<String> {
    let told = AssertUnwindSafe(|| tool.spec().version().map(str::to_owned));
    catch_unwind(told).unwrap_or_else(|payload| {
        discard(payload);
        None
    })
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
        let all = canonical.map(|name| self.versions_of(name));
        all.into_iter().flatten().map(|found| found.tool.spec())
    }

    /// All versions of a canonical name, the highest first.
    pub(super) fn versions_of(&self, name: &ToolName) -> impl Iterator<Item = &Registered> {
        let older = self.older.get(name).map_or(&[][..], Vec::as_slice);
        self.tools.get(name).into_iter().chain(older)
    }

    /// All tools in all their versions, by name, and of each the highest first.
    pub(super) fn all_versions(&self) -> impl Iterator<Item = (&ToolName, &Registered)> {
        let names = self.tools.keys();
        names.flat_map(|name| self.versions_of(name).map(move |found| (name, found)))
    }

    pub(super) fn all_versions_mut(&mut self) -> impl Iterator<Item = &mut Registered> {
        let older = self.older.values_mut().flatten();
        self.tools.values_mut().chain(older)
    }

    /// As [`all_versions`](Self::all_versions).
    pub(super) fn into_all_versions(mut self) -> impl Iterator<Item = (ToolName, Registered)> {
        self.tools.into_iter().flat_map(move |(name, highest)| {
            let older = self.older.remove(&name).unwrap_or_default();
            let all = std::iter::once(highest).chain(older);
            all.map(move |found| (name.clone(), found))
        })
    }

    /// The tool of a `name@version`.
    pub(super) fn find_version(&self, name: &str) -> Option<&Registered> {
        let (name, version) = name.split_once('@')?;
        let canonical = self.canonical(name)?;
        let is_it = |found: &&Registered| version_of(&*found.tool).as_deref() == Some(version);
        self.versions_of(canonical).find(is_it)
    }

    /// Adds a tool whose name another has, if it is another version of that one. It is given back where
    /// it is not.
    pub(super) fn insert_version(
        &mut self,
        name: &ToolName,
        aliases: &[ToolName],
        registered: Registered,
    ) -> Result<Result<(), RegistryError>, Registered> {
        let Some(there) = self.tools.get(name) else {
            return Err(registered);
        };
        // A package must not replace the tool of another package by a higher version.
        let packages = (registered.origin.package, there.origin.package);
        if matches!(packages, (Some(one), Some(other)) if one != other) {
            return Err(registered);
        }
        let versions = (version_of(&*registered.tool), version_of(&*there.tool));
        let (Some(version), Some(highest)) = versions else {
            return Err(registered);
        };
        let is_it = |found: &Registered| version_of(&*found.tool).as_ref() == Some(&version);
        if self.versions_of(name).any(is_it) {
            return Err(registered);
        }
        if compare_versions(&version, &highest).is_lt() {
            self.put_older(name, registered);
            return Ok(Ok(()));
        }
        let collisions = self.taken_aliases(name, aliases, registered.origin);
        if !collisions.is_empty() {
            return Ok(Err(RegistryError::taken(collisions)));
        }
        self.aliases.retain(|_, tool| tool != name);
        let aliases = aliases.iter().cloned();
        self.aliases
            .extend(aliases.map(|alias| (alias, name.clone())));
        if let Some(before) = self.tools.insert(name.clone(), registered) {
            self.put_older(name, before);
        }
        Ok(Ok(()))
    }

    fn put_older(&mut self, name: &ToolName, registered: Registered) {
        let older = self.older.entry(name.clone()).or_default();
        older.push(registered);
        sort(older);
    }

    /// The aliases of a tool that others have, or it itself.
    fn taken_aliases(
        &self,
        name: &ToolName,
        aliases: &[ToolName],
        origin: Origin,
    ) -> Vec<Collision> {
        let mut collisions = Vec::new();
        for (at, wanted) in aliases.iter().enumerate() {
            let repeated = wanted == name || aliases[..at].contains(wanted);
            let first = match self.owner(wanted) {
                Some((owner, there)) if owner != name => (owner.clone(), there.origin),
                _ if repeated => (name.clone(), origin),
                _ => continue,
            };
            collisions.push(Collision {
                name: wanted.clone(),
                first,
                second: (name.clone(), origin),
            });
        }
        collisions
    }

    /// Takes out one version of a tool.
    pub(super) fn take_version(&mut self, name: &str) -> Option<Registered> {
        let wanted = Arc::clone(&self.find_version(name)?.tool);
        let canonical = self.canonical(name.split_once('@')?.0)?.clone();
        let is_it = |found: &Registered| Arc::ptr_eq(&found.tool, &wanted);
        if let Some(older) = self.older.get_mut(&canonical)
            && let Some(at) = older.iter().position(is_it)
        {
            return Some(older.remove(at));
        }
        self.aliases.retain(|_, tool| *tool != canonical);
        let taken = self.tools.remove(&canonical);
        self.promote(&canonical);
        taken
    }

    /// Takes out what keeps a tool from being added: where that is of the same version, no other version.
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

    /// The highest of the versions that are left takes the name, and those of its aliases that are free.
    pub(super) fn promote(&mut self, name: &ToolName) {
        let older = self.older.get_mut(name).filter(|older| !older.is_empty());
        let Some(next) = older.map(|older| older.remove(0)) else {
            self.older.remove(name);
            return;
        };
        let names = AssertUnwindSafe(|| names_of(&*next.tool));
        let (_, aliases) = catch_unwind(names).unwrap_or_else(|payload| {
            discard(payload);
            (name.clone(), Vec::new())
        });
        self.tools.insert(name.clone(), next);
        for alias in aliases {
            if self.owner(&alias).is_none() {
                self.aliases.insert(alias, name.clone());
            }
        }
    }
}

/// The highest first.
fn sort(versions: &mut [Registered]) {
    versions
        .sort_by_cached_key(|found| Reverse(Version(version_of(&*found.tool).unwrap_or_default())));
}

#[derive(PartialEq, Eq)]
struct Version(String);

impl Ord for Version {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        compare_versions(&self.0, &other.0)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ToolOutput;
    use crate::dynamic::tool_fn;

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
