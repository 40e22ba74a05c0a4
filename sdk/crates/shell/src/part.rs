//! A command of a line.

use std::path::{Path, PathBuf};

use super::files::{self, FileUse};
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

    /// The files that some of its words are, where they are no options.
    pub fn words_as_files(&self, words: &[Word], start: &Path) -> Vec<FileUse> {
        let mut files = Vec::new();
        for directory in self.directories(start) {
            let known = words.iter().filter_map(Word::known);
            for text in known.filter(|text| !text.starts_with('-')) {
                files.push(FileUse::read(&directory.join(text), text));
            }
        }
        files
    }

    /// Every file that one of its words may name, for rules that forbid paths.
    pub fn named_files(&self, start: &Path) -> Vec<FileUse> {
        files::named(self, start)
    }
}
