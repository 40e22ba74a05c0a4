//! The registry: the tools of an app by name, which of them a session has, and what is wrong with them.
//!
//! [`ToolRegistry`] collects tools, a [`Selector`] chooses among them, [`RoleRules`] and a [`FeatureGate`] take some away,
//! and [`ToolRegistry::lint`] finds what a model would stumble over.

mod advertised;
mod availability;
mod check;
mod combine;
#[cfg(feature = "discover")]
pub(crate) mod discover;
mod error;
mod frozen;
mod lint;
mod origin;
mod renamed;
mod selector;
mod snapshot;
mod versions;
mod wire;

use std::cmp::Ordering;
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::sync::Arc;

pub(crate) use availability::put as put_gate;
pub use availability::{FeatureGate, RoleRules, ToolAvailability, UnavailableReason};
use check::{broken_schema, names_of};
use error::Problems;
pub use error::{BrokenSchema, Collision, EmptyPackage, RegistryError};
pub(crate) use frozen::address;
pub use lint::{Lint, LintKind};
pub use origin::Origin;
pub(crate) use selector::{Candidate, SelectorChoice};
pub use selector::{InvalidPattern, InvalidSelector, Selected, Selector, UnmatchedPattern};
pub(crate) use snapshot::ToolEntry;
pub use snapshot::ToolSnapshot;
use versions::Versions;

use crate::generated::{ToolEnum, Toolset, Typed, TypedTool};
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::tool::Tool;
use crate::util::panic::catch_panic;

/// The tools of an app, sorted by name.
///
/// Each name leads to one tool: a second tool of a name, or an alias that is taken, is an error
/// that tells where both come from, unless both declare a version and these differ: then the name is
/// that of the highest one, see [`versions`](Self::versions).
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
/// let registry = ToolRegistry::new().with(Add);
/// assert!(registry.contains("add"));
/// ```
#[derive(Default, Clone)]
pub struct ToolRegistry {
    tools: BTreeMap<ToolName, Versions>,
    /// Every alias, with the tool that it leads to.
    aliases: BTreeMap<ToolName, ToolName>,
    asks_purpose: bool,
    problems: Problems,
}

/// A tool and where it was registered.
#[derive(Clone)]
pub(crate) struct Registered {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) origin: Origin,
    /// True if the tool is advertised to models.
    pub(crate) advertised: bool,
    /// The server that the tool is of.
    pub(crate) server: Option<Arc<str>>,
    /// True for a tool of the executor, false for a tool of the app.
    pub(crate) own: bool,
}

impl Registered {
    /// A tool of the app that is advertised.
    fn new(tool: Arc<dyn Tool>, origin: Origin) -> Self {
        Self {
            tool,
            origin,
            advertised: true,
            server: None,
            own: false,
        }
    }
}

/// The action of [`ToolRegistry::merge`] and [`with_registry`](ToolRegistry::with_registry) on a name that
/// both registries have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCollision {
    /// The merge fails and tells of every collision.
    #[default]
    Fail,
    /// The tool that is there stays.
    KeepExisting,
    /// The tool that comes takes its place.
    Replace,
}

impl ToolRegistry {
    /// A registry without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, for chains. Its mistakes are reported by [`ToolRegistry::check`], and so when an executor is built.
    #[track_caller]
    pub fn with(self, tool: impl Tool) -> Self {
        self.with_tool(tool.into_shared(), Origin::caller())
    }

    /// Adds the tool. It stands apart from `with`, which is compiled for each tool.
    fn with_tool(mut self, tool: Arc<dyn Tool>, origin: Origin) -> Self {
        self.add(tool, origin);
        self
    }

    /// Adds the tool that a struct with `#[derive(Tool)]` is, for chains; see [`RunTool`](crate::RunTool).
    #[track_caller]
    pub fn with_type<T: TypedTool>(mut self) -> Self {
        self.add(Arc::new(Typed::<T>::new()), Origin::caller());
        self
    }

    /// Adds all tools of a closed set, for chains; see [`ToolEnum`].
    #[track_caller]
    pub fn with_enum<E: ToolEnum>(mut self) -> Self {
        let origin = Origin::caller();
        for member in E::members() {
            self.add((member.definition)().into_tool(), origin);
        }
        self
    }

    /// Adds the tools that a value's methods are, for chains; see `#[toolset]`.
    #[track_caller]
    pub fn with_set(self, set: impl Toolset) -> Self {
        self.with_set_arc(Arc::new(set))
    }

    /// Adds the tools that a value's methods are, for a value that is shared already.
    #[track_caller]
    pub fn with_set_arc<T: Toolset>(mut self, set: Arc<T>) -> Self {
        self.add_all(set.tools(), Origin::caller());
        self
    }

    /// Adds the tools of a further block of a value's methods, by the name of the block: for
    /// `#[toolset(part = Search)]`, `.with_part(Search, notes)`.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "a block's name is a value")]
    pub fn with_part<Part, T: Toolset<Part>>(mut self, part: Part, set: Arc<T>) -> Self {
        let _ = part;
        self.add_all(set.tools(), Origin::caller());
        self
    }

    /// Asks the model why it makes each call, for chains. Default: it is not asked.
    ///
    /// Every tool that takes an object is then shown to the model with one argument more,
    /// [`tool_use_purpose`](crate::spec::PURPOSE_ARGUMENT), a text that may be left out. It is taken out
    /// of a call's arguments before they are parsed: the tool neither declares nor sees it. The
    /// checker of permissions reads it ([`CallView::purpose`](crate::permission::CallView::purpose)), and the
    /// result keeps it for people and the log
    /// ([`ToolResult::purpose`](crate::ToolResult::purpose)), also where the call was refused.
    ///
    /// It is kept as one line of at most 1000 characters, the rest cut off, with characters that
    /// could forge what stands around it written out. Of what is no text, the JSON is kept; `null`
    /// and an empty text are as good as none; and given twice it is refused, as any argument is.
    ///
    /// A tool that has an argument of that name itself is an error when the registry is checked,
    /// frozen or built into an executor.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry, tool};
    ///
    /// /// Add two whole numbers.
    /// #[tool(pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Add).ask_purpose())?;
    /// assert!(executor.tools().to_json()?.contains("tool_use_purpose"));
    ///
    /// let call = r#"{"a": 2, "b": 3, "tool_use_purpose": "To know how many seats we need."}"#;
    /// let outcome = executor.call("add", call).await;
    /// assert_eq!(outcome.text(), "5");
    /// assert_eq!(outcome.result().purpose(), Some("To know how many seats we need."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask_purpose(mut self) -> Self {
        self.asks_purpose = true;
        self
    }

    fn add_all(&mut self, tools: Vec<Arc<dyn Tool>>, origin: Origin) {
        for tool in tools {
            self.add(tool, origin);
        }
    }

    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// Fails if its name or one of its aliases is taken, or if it is made at run time and its input schema is broken.
    /// The registry is unchanged then.
    #[track_caller]
    pub fn register(&mut self, tool: impl Tool) -> Result<(), RegistryError> {
        self.register_arc(tool.into_shared())
    }

    /// Adds a tool that is shared already.
    ///
    /// # Errors
    ///
    /// Fails if its name or one of its aliases is taken, or if it is made at run time and its input schema is broken.
    /// The registry is unchanged then.
    #[track_caller]
    pub fn register_arc(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        self.insert_registered(Registered::new(tool, Origin::caller()))
    }

    /// Adds a tool of the executor's own, which every session has that does not deny it.
    pub(crate) fn add_own(&mut self, tool: Arc<dyn Tool>) {
        self.add_registered(Registered {
            own: true,
            ..Registered::new(tool, Origin::caller())
        });
    }

    pub(crate) fn add(&mut self, tool: Arc<dyn Tool>, origin: Origin) {
        self.add_registered(Registered::new(tool, origin));
    }

    /// Adds a tool for a chain: a mistake is reported when the registry is checked.
    fn add_registered(&mut self, registered: Registered) {
        let added = self.insert_registered(registered);
        self.note(added);
    }

    fn insert_registered(&mut self, registered: Registered) -> Result<(), RegistryError> {
        let Registered { tool, origin, .. } = &registered;
        let origin = *origin;
        // A description that panics fails its own registration and nothing else.
        let described = catch_panic(|| {
            let (name, aliases) = names_of(&**tool);
            (name, aliases, broken_schema(&**tool))
        });
        let (name, aliases) = match described {
            Ok((name, aliases, None)) => (name, aliases),
            Ok((tool, _, Some(error))) => {
                return Err(RegistryError::from(Problems {
                    broken: vec![BrokenSchema {
                        tool: (tool, origin),
                        error,
                    }],
                    ..Problems::default()
                }));
            }
            Err(_) => {
                let panicked = vec![origin];
                return Err(RegistryError::from(Problems {
                    panicked,
                    ..Problems::default()
                }));
            }
        };
        // The fast path: most tools have no alias and a free name.
        if aliases.is_empty()
            && !self.aliases.contains_key(&name)
            && let btree_map::Entry::Vacant(free) = self.tools.entry(name.clone())
        {
            free.insert(Versions::new(registered));
            return Ok(());
        }
        let order = self.compare_version(&name, &registered);
        if order == Some(Ordering::Less) {
            self.put_older(&name, registered);
            return Ok(());
        }
        let mut clashing = Problems::default();
        for (at, wanted) in std::iter::once(&name).chain(&aliases).enumerate() {
            let repeated = at > 0 && (*wanted == name || aliases[..at - 1].contains(wanted));
            let first = match self.owner(wanted) {
                Some((owner, there)) if order.is_none() || *owner != name => {
                    (owner.clone(), there.origin)
                }
                _ if repeated => (name.clone(), origin),
                _ => continue,
            };
            clashing.collisions.push(Collision {
                name: wanted.clone(),
                first,
                second: (name.clone(), origin),
            });
        }
        if !clashing.is_empty() {
            return Err(clashing.into());
        }
        // A lower version loses its aliases.
        if order.is_some() {
            self.aliases.retain(|_, tool| *tool != name);
        }
        let aliases = aliases.into_iter();
        self.aliases
            .extend(aliases.map(|alias| (alias, name.clone())));
        self.put_highest(name, registered);
        Ok(())
    }

    /// Notes an error of a method that is for chains.
    fn note<T>(&mut self, done: Result<T, RegistryError>) {
        if let Err(error) = done {
            self.problems.append(error.into_problems());
        }
    }

    /// The tool that a name or alias leads to.
    fn owner(&self, name: &ToolName) -> Option<(&ToolName, &Versions)> {
        let canonical = self.aliases.get(name).unwrap_or(name);
        self.tools.get_key_value(canonical)
    }

    /// Adds all tools of another registry, for chains: [`merge`](Self::merge) whose mistakes are reported by
    /// [`ToolRegistry::check`], and so when an executor is built.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolRegistry};
    /// use toolwright::registry::OnCollision;
    ///
    /// /// Add two whole numbers.
    /// #[tool(pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let theirs = ToolRegistry::new().with(Add).prefixed("math");
    /// let others = ToolRegistry::new().with(Add).prefixed("sums");
    /// let registry = ToolRegistry::new()
    ///     .with_registry(theirs, OnCollision::Fail)
    ///     .with_registry(others, OnCollision::Fail);
    /// let executor = Executor::new(registry)?;
    /// assert_eq!(executor.tools().len(), 2);
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn with_registry(mut self, other: ToolRegistry, on_collision: OnCollision) -> Self {
        let merged = self.merge(other, on_collision);
        self.note(merged);
        self
    }

    /// Takes over all tools of another registry, for instance of a crate that offers a set of
    /// them. Whether the model is [asked for its purpose](ToolRegistry::ask_purpose) stays as it is
    /// here: the app decides that for all its tools, not who offers some of them.
    ///
    /// # Errors
    ///
    /// With [`OnCollision::Fail`], when a name or alias is taken in both; the error tells of all.
    /// This registry is then as it was.
    pub fn merge(
        &mut self,
        other: ToolRegistry,
        on_collision: OnCollision,
    ) -> Result<(), RegistryError> {
        let mut merged = self.clone();
        let mut problems = Problems::default();
        merged.problems.append(other.problems.clone());
        for (_, registered) in other.into_all_versions() {
            let Err(error) = merged.insert_registered(registered.clone()) else {
                continue;
            };
            match on_collision {
                OnCollision::Fail => problems.append(error.into_problems()),
                OnCollision::KeepExisting => {}
                OnCollision::Replace => {
                    merged.make_way(&registered, error.into_problems().collisions);
                    merged.add_registered(registered);
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems.into());
        }
        *self = merged;
        Ok(())
    }

    /// Takes a tool out in all its versions, by its name or an alias, and gives the highest; by
    /// `name@version`, only that version.
    pub fn remove(&mut self, name: &str) -> Option<Arc<dyn Tool>> {
        if name.contains('@') {
            return self.take_version(name).map(|found| found.tool);
        }
        let canonical = self.canonical(name)?.clone();
        self.aliases.retain(|_, tool| *tool != canonical);
        Some(Arc::clone(&self.tools.remove(&canonical)?.tool))
    }

    fn canonical(&self, name: &str) -> Option<&ToolName> {
        match self.aliases.get(name) {
            Some(canonical) => Some(canonical),
            None => self.tools.get_key_value(name).map(|(name, _)| name),
        }
    }

    /// The tool of a name, an alias or a `name@version`.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let found = match self.canonical(name) {
            Some(canonical) => self.tools.get(canonical).map(|versions| &**versions),
            None => self.find_version(name),
        };
        found.map(|found| &found.tool)
    }

    /// Returns true if a name, an alias or a `name@version` leads to a tool.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The canonical names, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &ToolName> {
        self.tools.keys()
    }

    /// The specs, as the tools have them, sorted by name, of each the highest
    /// [version](Self::versions). What a model is to see is [`ToolSnapshot::specs`].
    pub fn specs(&self) -> impl ExactSizeIterator<Item = &ToolSpec> {
        self.tools.values().map(|found| found.tool.spec())
    }

    /// The number of tools; the versions of one count once.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns true if there is no tool.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
