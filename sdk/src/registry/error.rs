//! Why a registry is not as its author meant it.

use std::fmt;

use super::Origin;
use crate::id::ToolName;

/// Tools that could not be registered: all of them, each with what it clashes with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryError {
    collisions: Vec<Collision>,
    panicked: Vec<Origin>,
    nothing: Option<String>,
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
}

impl RegistryError {
    pub(super) fn taken(collisions: Vec<Collision>) -> Self {
        Self {
            collisions,
            panicked: Vec::new(),
            nothing: None,
        }
    }

    pub(super) fn panicked(origin: Origin) -> Self {
        Self {
            collisions: Vec::new(),
            panicked: vec![origin],
            nothing: None,
        }
    }

    #[cfg(feature = "discover")]
    pub(super) fn nothing(why: String) -> Self {
        Self {
            collisions: Vec::new(),
            panicked: Vec::new(),
            nothing: Some(why),
        }
    }

    pub(super) fn all(errors: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::taken(Vec::new());
        for error in errors {
            all.collisions.extend(error.collisions);
            all.panicked.extend(error.panicked);
            all.nothing = all.nothing.or(error.nothing);
        }
        all
    }

    /// The names that are wanted twice.
    pub fn collisions(&self) -> &[Collision] {
        &self.collisions
    }

    pub(super) fn into_collisions(self) -> Vec<Collision> {
        self.collisions
    }
}

/// A tool as errors tell of it: its name, and where it was registered.
fn told((name, origin): &(ToolName, Origin)) -> String {
    format!("`{name}` (registered at {origin})")
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (told(&self.first), told(&self.second));
        if self.first == self.second {
            write!(f, "the tool {first} has the name `{}` twice", self.name)
        } else {
            write!(
                f,
                "the name `{}` is wanted by two tools, {first} and {second}; rename one of them",
                self.name
            )
        }
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let panicked = self
            .panicked
            .iter()
            .map(|origin| format!("the tool registered at {origin} panicked in `spec()`"));
        let lines: Vec<String> = self
            .nothing
            .iter()
            .cloned()
            .chain(self.collisions.iter().map(Collision::to_string))
            .chain(panicked)
            .collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RegistryError {}
