//! A command of a line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::word::Word;

/// A simple command that a line may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCommand {
    pub(super) words: Vec<Word>,
    pub(super) assignments: Vec<Assignment>,
    pub(super) directory: Directories,
    pub(super) text: String,
    pub(super) outer: Vec<Vec<Word>>,
}

/// A variable that is set where a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assignment {
    /// The name of the variable.
    pub name: String,
    /// The value, if it is known.
    pub value: Option<String>,
}

/// The directories in which a command may run, seen from where the line starts: it runs in one of them. None if that
/// is not known. Shared, because each command of a line has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directories(pub(super) Arc<[PathBuf]>);

impl Directories {
    pub(super) fn unknown() -> Self {
        Self(Arc::default())
    }
}

/// The directory where the line starts.
impl Default for Directories {
    fn default() -> Self {
        Self([PathBuf::new()].into())
    }
}

impl LineCommand {
    /// The words, the program first.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The program as it is written, if it is known.
    pub fn program(&self) -> Option<&str> {
        self.words.first()?.known()
    }

    /// The commands that run this one, such as `env` or `sh -c`, each with all of its words; the
    /// outermost first. Rules that forbid these speak of this command too.
    pub fn outer(&self) -> &[Vec<Word>] {
        &self.outer
    }

    /// The variables set before it, and those set for good before it in the line that a program may see.
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// Returns where it may run, if it is known.
    pub fn directories(&self, start: &Path) -> Vec<PathBuf> {
        let from = |path: &PathBuf| {
            if path.as_os_str().is_empty() {
                start.to_owned()
            } else {
                start.join(path)
            }
        };
        self.directory.0.iter().map(from).collect()
    }

    /// The command for people: what is written, without redirections. May have any characters.
    pub fn text(&self) -> &str {
        &self.text
    }
}
