//! The errors of a registry.

use std::fmt;

use super::Origin;
use crate::id::ToolName;
use crate::spec::{PURPOSE_ARGUMENT, SchemaError};

/// Tools that could not be registered, each with what it clashes with or what is wrong with its
/// schema, tools with an argument of a reserved name, and packages that were named and have none:
/// all of them.
#[derive(Clone, PartialEq, Eq)]
pub struct RegistryError(Box<Problems>);

crate::util::error_text::debug_as_text!(RegistryError);

/// The problems of a registry by their kind, in a box because errors are moved about.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Problems {
    pub(super) collisions: Vec<Collision>,
    pub(super) broken: Vec<BrokenSchema>,
    pub(super) empty: Vec<EmptyPackage>,
    pub(super) linked: Vec<&'static str>,
    pub(super) panicked: Vec<Origin>,
    pub(super) reserved: Vec<(ToolName, Origin)>,
    /// The fault of a name that was given, and the place.
    pub(super) names: Vec<(String, Origin)>,
}

/// A name that two tools want, or one tool twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    pub(super) name: ToolName,
    pub(super) first: (ToolName, Origin),
    pub(super) second: (ToolName, Origin),
}

impl Collision {
    /// The name that is wanted twice.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The canonical names of the two tools: the one that was there, and the one that came.
    pub fn tools(&self) -> (&ToolName, &ToolName) {
        (&self.first.0, &self.second.0)
    }

    /// The origins of the two tools, in the same order.
    pub fn origins(&self) -> (&Origin, &Origin) {
        (&self.first.1, &self.second.1)
    }
}

/// A package that [`discover!`](crate::discover) looked for and that has no tools in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyPackage {
    pub(super) package: &'static str,
    /// The name of its crate where it was called; none for the package that called.
    pub(super) crate_name: Option<&'static str>,
}

impl EmptyPackage {
    /// The name of the package that was looked for. For a crate that was named without its
    /// package, this is the crate's name.
    pub fn package(&self) -> &str {
        self.package
    }
}

/// A tool whose input schema is not one that arguments can be judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenSchema {
    pub(super) tool: (ToolName, Origin),
    pub(super) error: SchemaError,
}

impl BrokenSchema {
    /// The name of the tool.
    pub fn tool(&self) -> &ToolName {
        &self.tool.0
    }

    /// The origin of the tool.
    pub fn origin(&self) -> &Origin {
        &self.tool.1
    }

    /// The mistake in the schema.
    pub fn error(&self) -> &SchemaError {
        &self.error
    }
}

impl Problems {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.collisions.extend(other.collisions);
        self.panicked.extend(other.panicked);
        self.broken.extend(other.broken);
        self.empty.extend(other.empty);
        self.linked.extend(other.linked);
        self.reserved.extend(other.reserved);
        self.names.extend(other.names);
    }

    /// Notes a name that a combinator made or was given, and that no tool or server may have.
    pub(super) fn refuse_name(&mut self, why: impl fmt::Display, origin: Origin) {
        self.names.push((why.to_string(), origin));
    }
}

impl From<Problems> for RegistryError {
    fn from(problems: Problems) -> Self {
        Self(Box::new(problems))
    }
}

impl RegistryError {
    /// The names that are wanted twice.
    pub fn collisions(&self) -> &[Collision] {
        &self.0.collisions
    }

    /// The tools whose input schema is broken.
    pub fn broken_schemas(&self) -> &[BrokenSchema] {
        &self.0.broken
    }

    /// The packages that [`discover!`](crate::discover) was to find tools of, and that have none.
    pub fn empty_packages(&self) -> &[EmptyPackage] {
        &self.0.empty
    }

    /// The packages of the program that do have tools, sorted, if some that were named have none.
    pub fn packages_with_tools(&self) -> &[&'static str] {
        &self.0.linked
    }

    /// The tools that have an argument [`tool_use_purpose`](crate::spec::PURPOSE_ARGUMENT) of their own
    /// where the registry [asks for the purpose](crate::ToolRegistry::ask_purpose).
    pub fn purpose_taken(&self) -> impl ExactSizeIterator<Item = &ToolName> {
        self.0.reserved.iter().map(|(tool, _)| tool)
    }

    pub(super) fn into_problems(self) -> Problems {
        *self.0
    }
}

/// A tool as errors tell of it: its name, and where it comes from.
fn told((name, origin): &(ToolName, Origin)) -> String {
    format!("`{name}` ({})", place(origin))
}

fn place(origin: &Origin) -> String {
    match origin.package() {
        Some(_) => origin.to_string(),
        None => format!("registered at {origin}"),
    }
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (told(&self.first), told(&self.second));
        if self.first == self.second {
            return write!(f, "the tool {first} has the name `{}` twice", self.name);
        }
        // The author of the app cannot rename a tool of another package.
        let remedy = if self.first.1.package() == self.second.1.package() {
            ""
        } else {
            ", or `merge` the one registry into the other by a rule (`OnCollision`)"
        };
        write!(
            f,
            "the name `{}` is wanted by two tools, {first} and {second}; rename one of them{remedy}",
            self.name
        )
    }
}

impl fmt::Display for BrokenSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, error } = self;
        let tool = told(tool);
        write!(f, "the input schema of the tool {tool} is broken: {error}")
    }
}

impl fmt::Display for EmptyPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let package = self.package;
        match self.crate_name {
            None => write!(
                f,
                "the package `{package}` has no tools that are linked here; `#[tool]` on a free \
                 function makes one, and a binary sees those of its own library only if it uses \
                 the library, as `discover!({})` does",
                package.replace('-', "_")
            ),
            Some(name) if name == package => write!(
                f,
                "the crate `{name}` brings no tools: no package of that name has any; if its \
                 package has another name, write `discover!({name} = \"the-package\")`"
            ),
            Some(name) => write!(
                f,
                "the crate `{name}` brings no tools: no package `{package}` has any; is that \
                 the `name` in its Cargo.toml?"
            ),
        }
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        lines.extend(self.0.empty.iter().map(EmptyPackage::to_string));
        if !self.0.empty.is_empty() {
            lines.push(match &self.0.linked[..] {
                [] => "no package that is linked here has tools".to_owned(),
                some => format!("packages that have tools here: `{}`", some.join("`, `")),
            });
        }
        lines.extend(self.0.collisions.iter().map(Collision::to_string));
        let panicked = |origin| format!("a tool ({}) panicked in `spec()`", place(origin));
        lines.extend(self.0.panicked.iter().map(panicked));
        lines.extend(self.0.broken.iter().map(BrokenSchema::to_string));
        lines.extend(self.0.reserved.iter().map(|tool| {
            format!(
                "the tool {} has an argument `{PURPOSE_ARGUMENT}`, in which the model says why it \
                 makes a call because the registry asks for that (`ask_purpose`); rename the \
                 argument",
                told(tool)
            )
        }));
        let names = self.0.names.iter();
        lines.extend(names.map(|(why, origin)| format!("{why} ({origin})")));
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RegistryError {
    /// The source of the first broken schema.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.broken.first()?.error.source()
    }
}
