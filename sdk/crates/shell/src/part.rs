//! A command of a line.

use std::path::{Path, PathBuf};

use super::word::Word;

/// A simple command that a line may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCommand {
    pub(super) words: Vec<Word>,
    pub(super) assignments: Vec<Assignment>,
    pub(super) directory: Directory,
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

/// The place where a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Directory {
    /// Seen from where the line starts.
    Known(PathBuf),
    /// A directory among these.
    OneOf(Vec<PathBuf>),
    Unknown,
}

/// The directory where the line starts.
impl Default for Directory {
    fn default() -> Self {
        Self::Known(PathBuf::new())
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
        match &self.directory {
            Directory::Known(path) => vec![from(path)],
            Directory::OneOf(paths) => paths.iter().map(from).collect(),
            Directory::Unknown => Vec::new(),
        }
    }

    /// The command for people: what is written, without redirections. May have any characters.
    pub fn text(&self) -> &str {
        &self.text
    }
}
