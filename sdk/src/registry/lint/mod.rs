//! The problems that a reviewer would find in the tools of a registry.

mod arguments;
mod examples;
mod similar;
#[cfg(test)]
mod tests;
mod tools;
mod typing;

use std::fmt;

use super::{ToolRegistry, wire};
use crate::id::ToolName;
use crate::schema::places::places;
use crate::spec::ToolSpec;
use crate::tool::Tool;
use crate::util::panic::catch_panic;

/// Something about a tool that makes it hard for a model to call it well; see
/// [`ToolRegistry::lint`].
///
/// As text it names the tool and the argument, says what is wrong, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    tool: ToolName,
    pointer: String,
    kind: LintKind,
    other: Option<ToolName>,
    message: String,
}

/// The kinds of [`Lint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LintKind {
    /// The tool's name is longer than the 64 characters that all providers allow, or another tool
    /// has the name that would be its wire name, so that a model sees a name with a hash in it.
    ToolName,
    /// Two tools have names that differ in their separators, case, plurals or one mistyped letter
    /// alone.
    SimilarNames,
    /// The tool's description is missing, too short to say anything (under 10 bytes), or longer
    /// than the 1024 characters that all providers allow.
    Description,
    /// Two tools have descriptions that differ in case, punctuation, articles, plurals or one
    /// mistyped letter alone.
    SimilarDescriptions,
    /// An argument's name is not `[A-Za-z0-9_-]{1,64}`, which is what all providers allow.
    ArgumentName,
    /// An argument, or a property within one, has no description.
    UndocumentedArgument,
    /// An argument has the name of a resource that the tool takes, and was perhaps meant to be it.
    NamedLikeResource,
    /// A schema does not give the type of a value, or the input schema is not one of an object.
    Typeless,
    /// The tool refuses an example in its own schema.
    Example,
    /// The tool refuses a default in its own schema.
    Default,
    /// The tool panicked while it described itself or parsed an example.
    Panicked,
}

impl Lint {
    /// The canonical name of the tool.
    pub fn tool(&self) -> &ToolName {
        &self.tool
    }

    /// JSON pointer (RFC 6901) to the place among the arguments, in which `*` stands for every
    /// element of a list and every key of a map; empty for the tool, or its arguments as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The kind.
    pub fn kind(&self) -> LintKind {
        self.kind
    }

    /// The other tool, where two tools are too much alike or want the same wire name.
    pub fn other_tool(&self) -> Option<&ToolName> {
        self.other.as_ref()
    }

    /// The problem and its remedy, in words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The key that findings are sorted by.
    fn order(&self) -> (&ToolName, &str, LintKind, Option<&ToolName>, &str) {
        let other = self.other_tool();
        (&self.tool, &self.pointer, self.kind, other, &self.message)
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}`", self.tool)?;
        if !self.pointer.is_empty() {
            write!(f, ", argument `{}`", self.pointer)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl ToolRegistry {
    /// The problems that a reviewer would find in the tools, sorted by tool and place: arguments without a description
    /// or a type, names and descriptions that a model cannot tell apart, names that a provider would refuse, examples
    /// and defaults that the tool itself refuses. [`LintKind`] lists all of them.
    ///
    /// No tool is run; examples are parsed and let go of. What is fine in an app is filtered out
    /// by tool, place and kind. [`testing::assert_no_lints`](crate::testing::assert_no_lints) is
    /// the same as a test. Names that are taken are reported by [`ToolRegistry::check`].
    ///
    /// ```
    /// use toolwright::{tool, ToolRegistry};
    /// use toolwright::registry::LintKind;
    ///
    /// /// Search the notes for a word.
    /// #[tool(name = "notes.search", pure)]
    /// fn search_notes(word: String) -> String {
    ///     word
    /// }
    ///
    /// let lints = ToolRegistry::new().with(SearchNotes).lint();
    /// assert_eq!(lints.len(), 1);
    /// assert_eq!(lints[0].kind(), LintKind::UndocumentedArgument);
    /// assert_eq!(lints[0].tool(), "notes.search");
    /// assert_eq!(lints[0].pointer(), "/word");
    /// ```
    pub fn lint(&self) -> Vec<Lint> {
        let mut lints = Vec::new();
        let wires = wire::wire_names(self.tools.keys(), self.aliases.iter());
        let mut described = Vec::with_capacity(wires.len());
        for ((name, registered), wire) in self.tools.iter().zip(wires) {
            let mut findings = Findings::new(name, &mut lints);
            tools::check_name(self, &wire, &mut findings);
            let description = check(&*registered.tool, &mut findings);
            described.push((name, description));
        }
        similar::check(&described, &mut lints);
        lints.sort_by(|a, b| a.order().cmp(&b.order()));
        // The branches of a union have properties in common.
        lints.dedup();
        lints
    }
}

/// Looks at one tool, and gives its description if it has one.
fn check(tool: &dyn Tool, findings: &mut Findings<'_>) -> Option<String> {
    let spec: &ToolSpec = findings.guard("", "`spec()`", || tool.spec())?;
    let description = spec.description().into_owned();
    tools::check_description(&description, findings);
    if let Some(schema) = findings.guard("", "making its input schema", || spec.input_schema()) {
        let needs = findings.guard("", "`needs()`", || tool.needs());
        typing::check_root(schema, findings);
        for place in places(schema) {
            typing::check(&place, schema, findings);
            arguments::check(&place, schema, needs.unwrap_or_default(), findings);
            examples::check(&place, tool, findings);
        }
    }
    Some(description)
}

/// The findings about a tool.
struct Findings<'l> {
    tool: &'l ToolName,
    lints: &'l mut Vec<Lint>,
}

impl<'l> Findings<'l> {
    fn new(tool: &'l ToolName, lints: &'l mut Vec<Lint>) -> Self {
        Self { tool, lints }
    }

    /// Adds what is wrong at a place; `""` is the tool as a whole.
    fn add(&mut self, pointer: impl Into<String>, kind: LintKind, message: impl Into<String>) {
        self.lints.push(Lint {
            tool: self.tool.clone(),
            pointer: pointer.into(),
            kind,
            other: None,
            message: message.into(),
        });
    }

    /// Adds what is wrong between this tool and another.
    fn add_between(&mut self, other: &ToolName, kind: LintKind, message: impl Into<String>) {
        self.add("", kind, message);
        if let Some(lint) = self.lints.last_mut() {
            lint.other = Some(other.clone());
        }
    }

    /// The value that a part of the tool gives, unless it panics, which is a finding.
    fn guard<T>(&mut self, pointer: &str, what: &str, part: impl FnOnce() -> T) -> Option<T> {
        let given = catch_panic(part);
        if given.is_err() {
            let message =
                format!("the tool panicked in {what}: a call would too, so mend it first");
            self.add(pointer, LintKind::Panicked, message);
        }
        given.ok()
    }
}
