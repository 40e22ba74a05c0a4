//! Registries made of others: with a prefix, under other names, with fewer tools.

use std::borrow::Cow;
use std::sync::Arc;

use super::renamed::Renamed;
use super::versions::Versions;
use super::{Origin, Registered, ToolRegistry};
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::tool::Tool;
use crate::util::panic::catch_panic;

impl ToolRegistry {
    /// Puts a prefix and a dot before the names and aliases of all tools, for chains: with `math` the
    /// tool `add` is `math.add`. Nothing else of a tool changes, but calls by the old name do not
    /// find it, and permissions and policies see the new one.
    ///
    /// A name that then is none, because it is too long or of the prefix, is an error when the
    /// registry is checked.
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
    /// let registry = ToolRegistry::new().with(Add).prefixed("math");
    /// assert!(registry.contains("math.add") && !registry.contains("add"));
    /// ```
    #[track_caller]
    pub fn prefixed(self, prefix: &str) -> Self {
        let rename = |name: &ToolName| Cow::Owned(format!("{prefix}.{name}"));
        self.mapped(&rename, None, Origin::caller())
    }

    /// Gives a tool another name, in all its versions, for chains. Its aliases stay, and its old name is none of them.
    ///
    /// It is an error, reported when the registry is checked, if the tool does not exist, or if the new name is taken
    /// or not valid. The old name may be an alias of the tool.
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
    /// let registry = ToolRegistry::new().with(Add).renamed("add", "sum");
    /// assert!(registry.contains("sum") && !registry.contains("add"));
    /// ```
    #[track_caller]
    pub fn renamed(mut self, name: &str, new_name: &str) -> Self {
        let origin = Origin::caller();
        let Some(canonical) = self.canonical(name).cloned() else {
            let why = format!("there is no tool `{name}` to be renamed");
            self.problems.refuse_name(why, origin);
            return self;
        };
        if canonical.as_str() == new_name {
            return self;
        }
        let aliases: Vec<ToolName> = self.aliases_of(&canonical).cloned().collect();
        let versions = self.tools.remove(&canonical);
        self.aliases.retain(|_, tool| *tool != canonical);
        // A name that the tool has already may become its own.
        let aliases: Vec<ToolName> = aliases
            .into_iter()
            .filter(|alias| alias.as_str() != new_name)
            .collect();
        match ToolName::new(new_name.to_owned()) {
            Ok(new_name) => {
                for registered in versions.into_iter().flat_map(Versions::into_all) {
                    self.insert_as(registered, new_name.clone(), aliases.clone());
                }
            }
            Err(invalid) => self.problems.refuse_name(invalid, origin),
        }
        self
    }

    /// Keeps the tools that a function says yes to, for chains; see [`ToolRegistry::retain`].
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
    /// let reading = registry.filtered(|spec| spec.effect().is_read_only());
    /// assert!(reading.contains("add"));
    /// ```
    pub fn filtered(mut self, keep: impl FnMut(&ToolSpec) -> bool) -> Self {
        self.retain(keep);
        self
    }

    /// Keeps the tools, and the versions of each, that a function says yes to. One whose spec cannot be asked for, because the
    /// tool or the function panics, is not kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&ToolSpec) -> bool) {
        self.retain_versions(|registered| {
            catch_panic(|| keep(registered.tool.spec())).unwrap_or(false)
        });
    }

    /// Adds the tools of a server, for chains: of an MCP server, or of any other that names its
    /// tools itself. Each gets the server's name and a dot before its own, as by
    /// [`prefixed`](Self::prefixed), so that no server can take the name of another's tool or of the
    /// app's; and `@name` in a [`Selector`](crate::registry::Selector) selects them.
    ///
    /// A server's name has letters, digits, `_` and `-`; another is an error when the registry is
    /// checked. Two registries of one server are one server.
    ///
    /// ```
    /// use toolwright::{tool, ToolRegistry};
    /// use toolwright::registry::Selector;
    ///
    /// /// Create an issue.
    /// #[tool(open_world)]
    /// fn create_issue(title: String) -> String {
    ///     title
    /// }
    ///
    /// let github = ToolRegistry::new().with(CreateIssue);
    /// let tools = ToolRegistry::new().with_server("github", github).freeze()?;
    /// let selected = Selector::new(["@github/create_*"])?.select(&tools);
    /// assert_eq!(selected.names()[0].as_str(), "github.create_issue");
    /// assert_eq!(tools.server_of("github.create_issue"), Some("github"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn with_server(mut self, name: &str, registry: Self) -> Self {
        let origin = Origin::caller();
        if name.is_empty() || !name.chars().all(super::selector::is_of_server) {
            let why =
                format!("{name:?} is no name of a server, which has letters, digits, `_` and `-`");
            self.problems.refuse_name(why, origin);
            return self;
        }
        let rename = |tool: &ToolName| Cow::Owned(format!("{name}.{tool}"));
        self.absorb(registry.mapped(&rename, Some(&Arc::from(name)), origin));
        self
    }

    /// The same tools under other names.
    fn mapped(
        mut self,
        rename: &dyn Fn(&ToolName) -> Cow<'static, str>,
        server: Option<&Arc<str>>,
        origin: Origin,
    ) -> Self {
        let mut mapped = Self {
            asks_purpose: self.asks_purpose,
            problems: std::mem::take(&mut self.problems),
            ..Self::default()
        };
        let mut aliases_of = std::collections::BTreeMap::<ToolName, Vec<ToolName>>::new();
        for (alias, tool) in std::mem::take(&mut self.aliases) {
            aliases_of.entry(tool).or_default().push(alias);
        }
        for (name, mut registered) in self.into_all_versions() {
            let aliases = aliases_of.get(&name).cloned().unwrap_or_default();
            let new = |name: &ToolName| ToolName::new(rename(name));
            let aliases: Result<Vec<ToolName>, _> = aliases.iter().map(new).collect();
            if let Some(server) = server {
                registered.server = Some(Arc::clone(server));
            }
            match (new(&name), aliases) {
                (Ok(name), Ok(aliases)) => mapped.insert_as(registered, name, aliases),
                (Err(invalid), _) | (_, Err(invalid)) => {
                    mapped.problems.refuse_name(invalid, origin);
                }
            }
        }
        mapped
    }

    fn insert_as(&mut self, registered: Registered, name: ToolName, aliases: Vec<ToolName>) {
        let tool: Arc<dyn Tool> = Arc::new(Renamed::new(registered.tool, name, aliases));
        self.add_registered(Registered { tool, ..registered });
    }

    /// The other names of a tool.
    fn aliases_of(&self, canonical: &ToolName) -> impl Iterator<Item = &ToolName> {
        let aliases = self.aliases.iter();
        aliases.filter_map(move |(alias, tool)| (tool == canonical).then_some(alias))
    }
}
