//! The errors of a registry.

use std::fmt;

use super::Origin;
use crate::id::{InvalidToolName, ToolName};
use crate::spec::{PURPOSE_ARGUMENT, SchemaError};

/// Tools that could not be registered, each with what it clashes with or what is wrong with its
/// schema, tools with an argument of a reserved name, and packages that were named and have none:
/// all of them.
#[derive(Clone, PartialEq, Eq)]
pub struct RegistryError(Box<Problems>);

crate::util::error_text::debug_as_text!(RegistryError);

/// The problems of a registry by their kind, in a box because errors are moved about.
#[derive(Clone, Default, PartialEq, Eq)]
struct Problems {
    collisions: Vec<Collision>,
    broken: Vec<BrokenSchema>,
    empty: Vec<EmptyPackage>,
    linked: Vec<&'static str>,
    panicked: Vec<Origin>,
    reserved: Vec<(ToolName, Origin)>,
    /// The fault of a name that was given, and the place.
    names: Vec<(String, Origin)>,
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
    pub(super) tool: ToolName,
    pub(super) origin: Origin,
    pub(super) error: SchemaError,
}

impl BrokenSchema {
    /// The name of the tool.
    pub fn tool(&self) -> &ToolName {
        &self.tool
    }

    /// The origin of the tool.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The mistake in the schema.
    pub fn error(&self) -> &SchemaError {
        &self.error
    }
}

impl RegistryError {
    fn of(problems: Problems) -> Self {
        Self(Box::new(problems))
    }

    pub(super) fn taken(collisions: Vec<Collision>) -> Self {
        Self::of(Problems {
            collisions,
            ..Problems::default()
        })
    }

    pub(super) fn panicked(origin: Origin) -> Self {
        Self::of(Problems {
            panicked: vec![origin],
            ..Problems::default()
        })
    }

    /// A tool that was to be renamed and is not there.
    pub(super) fn missing(name: &str, origin: Origin) -> Self {
        Self::name(format!("there is no tool `{name}` to be renamed"), origin)
    }

    /// A name that a combinator made or was given, and that no tool may have.
    pub(super) fn invalid(invalid: &InvalidToolName, origin: Origin) -> Self {
        Self::name(invalid.to_string(), origin)
    }

    /// A text that is no name of a server.
    pub(super) fn no_server(name: &str, origin: Origin) -> Self {
        let what =
            format!("{name:?} is no name of a server, which has letters, digits, `_` and `-`");
        Self::name(what, origin)
    }

    fn name(what: String, origin: Origin) -> Self {
        Self::of(Problems {
            names: vec![(what, origin)],
            ..Problems::default()
        })
    }

    pub(super) fn broken(broken: BrokenSchema) -> Self {
        Self::of(Problems {
            broken: vec![broken],
            ..Problems::default()
        })
    }

    pub(super) fn reserved(reserved: Vec<(ToolName, Origin)>) -> Self {
        Self::of(Problems {
            reserved,
            ..Problems::default()
        })
    }

    #[cfg(feature = "discover")]
    pub(super) fn empty(empty: Vec<EmptyPackage>, linked: Vec<&'static str>) -> Self {
        Self::of(Problems {
            empty,
            linked,
            ..Problems::default()
        })
    }

    pub(super) fn all(errors: impl Iterator<Item = Self>) -> Self {
        let mut all = Problems::default();
        for Self(error) in errors {
            all.collisions.extend(error.collisions);
            all.panicked.extend(error.panicked);
            all.broken.extend(error.broken);
            all.empty.extend(error.empty);
            all.linked.extend(error.linked);
            all.reserved.extend(error.reserved);
            all.names.extend(error.names);
        }
        Self::of(all)
    }

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

    pub(super) fn into_collisions(self) -> Vec<Collision> {
        self.0.collisions
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
        let tool = told(&(self.tool.clone(), self.origin));
        write!(
            f,
            "the input schema of the tool {tool} is broken: {}",
            self.error
        )
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
        let panicked = self
            .0
            .panicked
            .iter()
            .map(|origin| format!("a tool ({}) panicked in `spec()`", place(origin)));
        let linked = (!self.0.empty.is_empty()).then(|| match &self.0.linked[..] {
            [] => "no package that is linked here has tools".to_owned(),
            some => format!("packages that have tools here: `{}`", some.join("`, `")),
        });
        let reserved = self.0.reserved.iter().map(|tool| {
            format!(
                "the tool {} has an argument `{PURPOSE_ARGUMENT}`, in which the model says why it \
                 makes a call because the registry asks for that (`ask_purpose`); rename the \
                 argument",
                told(tool)
            )
        });
        let names = self.0.names.iter();
        let names = names.map(|(what, origin)| format!("{what} ({origin})"));
        let lines: Vec<String> = self
            .0
            .empty
            .iter()
            .map(EmptyPackage::to_string)
            .chain(linked)
            .chain(self.0.collisions.iter().map(Collision::to_string))
            .chain(panicked)
            .chain(self.0.broken.iter().map(BrokenSchema::to_string))
            .chain(reserved)
            .chain(names)
            .collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RegistryError {
    /// The source of the first broken schema.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.broken.first()?.error.source()
    }
}
