//! The result of a selector for a list of tools.

use std::collections::BTreeSet;
use std::fmt;

use super::Selector;
use super::pattern::{SelectorPattern, at_server};
use crate::id::ToolName;
use crate::registry::{ToolEntry, ToolSnapshot};
use crate::util::suggestion::nearest;

/// A tool as patterns see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'t> {
    pub(crate) name: &'t ToolName,
    pub(crate) aliases: &'t [ToolName],
    pub(crate) wire_name: &'t str,
    pub(crate) server: Option<&'t str>,
    pub(crate) explicit_only: bool,
}

impl<'t> Candidate<'t> {
    pub(crate) fn new(entry: &'t ToolEntry, explicit_only: bool) -> Self {
        Self {
            name: &entry.name,
            aliases: &entry.aliases,
            wire_name: &entry.wire_name,
            server: entry.server.as_deref(),
            explicit_only,
        }
    }

    /// The canonical name and the aliases.
    pub(super) fn names(self) -> impl Iterator<Item = &'t str> {
        std::iter::once(self.name)
            .chain(self.aliases)
            .map(ToolName::as_str)
    }
}

/// The choice of a selector about a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelectorChoice {
    Selected,
    /// No pattern fits.
    Left,
    /// Only patterns that do not name it fit, and it is explicit-only.
    NotNamed,
    Denied,
}

impl Selector {
    pub(crate) fn choose(&self, tool: &Candidate<'_>) -> SelectorChoice {
        let mut choice = SelectorChoice::Left;
        for pattern in self.patterns.iter().filter(|pattern| pattern.fits(tool)) {
            if pattern.denies() {
                return SelectorChoice::Denied;
            }
            if !tool.explicit_only || pattern.is_exact() {
                choice = SelectorChoice::Selected;
            } else if choice == SelectorChoice::Left {
                choice = SelectorChoice::NotNamed;
            }
        }
        choice
    }

    /// The patterns that do nothing to these tools.
    pub(crate) fn unmatched(&self, tools: &[Candidate<'_>]) -> Vec<UnmatchedPattern> {
        let does_nothing = |pattern: &&SelectorPattern| {
            let mut fitting = tools.iter().filter(|tool| pattern.fits(tool));
            if pattern.denies() {
                return fitting.next().is_none();
            }
            fitting.all(|tool| tool.explicit_only && !pattern.is_exact())
        };
        let unmatched = self.patterns.iter().filter(does_nothing);
        unmatched
            .map(|pattern| UnmatchedPattern::new(pattern, tools))
            .collect()
    }

    /// The tools of a snapshot that the selector selects. Tools that are [for the app
    /// alone](crate::ToolRegistry::with_unadvertised) are never among them.
    ///
    /// ```
    /// use toolwright::{tool, ToolRegistry};
    /// use toolwright::registry::Selector;
    ///
    /// /// Add two whole numbers.
    /// #[tool(name = "math.add", pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let tools = ToolRegistry::new().with(Add).freeze()?;
    /// let selected = Selector::new(["math.*", "@github"])?.select(&tools);
    /// assert_eq!(selected.names()[0].as_str(), "math.add");
    /// assert_eq!(selected.unmatched()[0].pattern(), "@github");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, tools: &ToolSnapshot) -> Selected {
        let each = |entry: &'_ ToolEntry| entry.tool.spec().is_explicit_only();
        let entries = tools.entries().iter();
        let candidates: Vec<Candidate<'_>> = entries
            .clone()
            .map(|entry| Candidate::new(entry, each(entry)))
            .collect();
        let chosen = candidates.iter().zip(entries);
        let names = chosen
            .filter(|(tool, entry)| {
                entry.is_advertised() && self.choose(tool) == SelectorChoice::Selected
            })
            .map(|(_, entry)| entry.name.clone());
        Selected {
            names: names.collect(),
            unmatched: self.unmatched(&candidates),
        }
    }
}

/// The tools that a [`Selector`] selects: see [`Selector::select`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    names: Vec<ToolName>,
    unmatched: Vec<UnmatchedPattern>,
}

impl Selected {
    /// The names of the tools, sorted.
    pub fn names(&self) -> &[ToolName] {
        &self.names
    }

    /// The patterns that do nothing.
    pub fn unmatched(&self) -> &[UnmatchedPattern] {
        &self.unmatched
    }
}

/// A pattern of a [`Selector`] that selects or takes away nothing, which is perhaps not what was meant.
///
/// As text it says so, for whoever wrote the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedPattern {
    pattern: String,
    nearest: Option<String>,
    explicit_only: Vec<ToolName>,
}

impl UnmatchedPattern {
    fn new(pattern: &SelectorPattern, tools: &[Candidate<'_>]) -> Self {
        let fitting = tools.iter().filter(|tool| pattern.fits(tool));
        let explicit_only: Vec<ToolName> = fitting.map(|tool| tool.name.clone()).collect();
        let nearest = explicit_only
            .is_empty()
            .then(|| likely(pattern, tools))
            .flatten();
        Self {
            pattern: pattern.as_str().to_owned(),
            nearest,
            explicit_only,
        }
    }

    /// The pattern, as it was written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The pattern that was probably meant, if one is near.
    pub fn nearest(&self) -> Option<&str> {
        self.nearest.as_deref()
    }

    /// The tools that it would fit if they were not explicit-only.
    pub fn explicit_only(&self) -> &[ToolName] {
        &self.explicit_only
    }
}

/// The pattern that was probably meant.
fn likely(pattern: &SelectorPattern, tools: &[Candidate<'_>]) -> Option<String> {
    let sign = if pattern.denies() { "!" } else { "" };
    let text = pattern.as_str();
    let text = text.strip_prefix(sign).unwrap_or(text);
    let Some(server) = pattern.server() else {
        // A pattern with a star is not compared with names.
        let near = nearest(text, tools.iter().flat_map(|tool| tool.names()));
        let near = near.filter(|_| pattern.is_exact());
        return near.map(|near| format!("{sign}{near}"));
    };
    let rest = text.split_once('/').map(|(_, rest)| rest);
    let servers: BTreeSet<&str> = tools.iter().filter_map(|tool| tool.server).collect();
    if !servers.contains(server) {
        let near = nearest(server, servers)?;
        let rest = rest.map_or(String::new(), |rest| format!("/{rest}"));
        return Some(format!("{sign}@{near}{rest}"));
    }
    let of_server = tools.iter().filter(|tool| tool.server == Some(server));
    let names = of_server
        .flat_map(|tool| tool.names())
        .filter_map(|name| at_server(name, server));
    let near = nearest(rest.filter(|_| pattern.is_exact())?, names)?;
    Some(format!("{sign}@{server}/{near}"))
}

impl fmt::Display for UnmatchedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = &self.pattern;
        match (&self.explicit_only[..], &self.nearest) {
            ([first, ..], _) => write!(
                f,
                "the pattern `{pattern}` fits only what is selected by its name alone, such as \
                 `{first}`"
            ),
            ([], Some(near)) => write!(
                f,
                "the pattern `{pattern}` fits no tool; did you mean `{near}`?"
            ),
            ([], None) => write!(f, "the pattern `{pattern}` fits no tool"),
        }
    }
}
