//! The choice of available tools, by patterns of their names.

mod error;
mod glob;
mod pattern;
mod select;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use error::{InvalidPattern, InvalidSelector};
use pattern::SelectorPattern;
pub(super) use pattern::is_of_server;
pub(crate) use select::{Candidate, SelectorChoice};
pub use select::{Selected, UnmatchedPattern};

/// A choice of the tools that are available, by patterns of their names.
///
/// | pattern | selects |
/// |---|---|
/// | `fs.read` | the tool of that name, alias or wire name |
/// | `*` | every tool |
/// | `fs.*`, `rea*`, `*_file` | the tools with a name or alias that fits: `*` is any run of characters, dots and nothing among them |
/// | `@github` | the tools of a server: see [`ToolRegistry::with_server`](crate::ToolRegistry::with_server) |
/// | `@github/get_*` | those of them whose name at the server fits |
/// | `!fs.write` | none: it takes away what it fits, wherever in the list it stands |
///
/// A tool that is [explicit-only](crate::ToolSpec::with_explicit_only) is selected by its name alone
/// and never by a pattern with a `*` or by a server as a whole; a pattern with `!` takes it away in any
/// form. An empty list selects nothing, and so does one of nothing but `!`.
///
/// Upper and lower case are different, as they are in names. There are no other wildcards.
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright::executor::SessionOptions;
/// use toolwright::registry::Selector;
///
/// /// Read a file.
/// #[tool(name = "fs.read", read_only)]
/// fn read(path: String) -> String {
///     path
/// }
///
/// /// Delete a file.
/// #[tool(name = "fs.delete")]
/// fn delete(path: String) -> String {
///     path
/// }
///
/// let executor = Executor::new(ToolRegistry::new().with(Read).with(Delete))?;
/// let tools = Selector::new(["fs.*", "!fs.delete", "fs.raed"])?;
/// let session = executor.session_with("s-1", SessionOptions::new().tools(tools));
/// let names: Vec<String> = session.tools().specs().map(|spec| spec.name().to_string()).collect();
/// assert_eq!(names, ["fs.read"]);
///
/// let availability = session.availability();
/// assert_eq!(
///     availability.unmatched()[0].to_string(),
///     "the pattern `fs.raed` fits no tool; did you mean `fs.read`?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Selector {
    patterns: Vec<SelectorPattern>,
}

impl Selector {
    /// A selector of these patterns.
    ///
    /// # Errors
    ///
    /// Fails if a text is no pattern; the error lists all such texts.
    pub fn new<P: AsRef<str>>(
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Self, InvalidSelector> {
        let mut read = Vec::new();
        let mut invalid = Vec::new();
        for pattern in patterns {
            match SelectorPattern::read(pattern.as_ref()) {
                Ok(pattern) => read.push(pattern),
                Err(fault) => invalid.push(fault),
            }
        }
        if invalid.is_empty() {
            Ok(Self { patterns: read })
        } else {
            Err(InvalidSelector::new(invalid))
        }
    }

    /// The selector of every tool that is not explicit-only: `*`.
    pub fn all() -> Self {
        Self {
            patterns: vec![SelectorPattern::any()],
        }
    }

    /// The selector of nothing: the empty list.
    pub fn none() -> Self {
        Self::default()
    }

    /// The patterns, as they were written.
    pub fn patterns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.patterns.iter().map(SelectorPattern::as_str)
    }

    /// Returns true if there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns true if one of the patterns fits and none with a `!` does. Explicit-only tools are treated as others:
    /// this is for hooks and gates that watch tools, not for offering tools.
    pub(crate) fn covers(&self, tool: &Candidate<'_>) -> bool {
        let mut fitting = self
            .patterns
            .iter()
            .filter(|pattern| pattern.fits(tool))
            .peekable();
        fitting.peek().is_some() && fitting.all(|pattern| !pattern.denies())
    }
}

/// Reads a list of patterns, with commas or white space between them: `fs.*, !fs.write`.
impl FromStr for Selector {
    type Err = InvalidSelector;

    fn from_str(text: &str) -> Result<Self, InvalidSelector> {
        let between = |c: char| c == ',' || c.is_whitespace();
        Self::new(text.split(between).filter(|pattern| !pattern.is_empty()))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns: Vec<&str> = self.patterns().collect();
        f.write_str(&patterns.join(", "))
    }
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Selector")?;
        f.debug_list().entries(self.patterns()).finish()
    }
}

/// A list of texts.
impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.patterns())
    }
}

/// A list of texts.
impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let patterns = Vec::<String>::deserialize(deserializer)?;
        Self::new(patterns).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
