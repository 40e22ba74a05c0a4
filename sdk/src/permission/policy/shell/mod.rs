//! The shell line in parts.

mod files;
mod part;
mod read_only;
mod word;

pub(crate) use files::{Access, FileUse};
pub(crate) use part::{Assignment, Part, Reached};
pub(crate) use read_only::read_only;
pub(crate) use word::Word;

use std::path::Path;

use files::Redirect;

/// A line of bash, as the commands that would run.
#[derive(Debug, Clone)]
pub(crate) struct ShellLine {
    parts: Vec<Part>,
    redirects: Vec<Redirect>,
}

/// Why a line is not understood. Nothing is known of what it would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unparsable {
    /// What was not understood, for the person who is asked.
    pub(crate) what: String,
    /// Which character of the line, counted from 1, where it is known.
    pub(crate) at: Option<usize>,
}

impl ShellLine {
    /// A line of bash in parts.
    pub(crate) fn parse(line: &str) -> Result<Self, Unparsable> {
        Err(Unparsable {
            what: format!("`{line}`"),
            at: None,
        })
    }

    /// The one command that words are without a shell.
    pub(crate) fn from_words(words: &[String]) -> Self {
        Self {
            parts: vec![Part::known(words)],
            redirects: Vec::new(),
        }
    }

    /// All commands that the line may run, in the order in which they are written. A line that only
    /// sets variables or opens files has none.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The files that the shell itself opens for the line, which starts in this directory.
    pub(crate) fn files(&self, directory: &Path) -> Vec<FileUse> {
        self.redirects
            .iter()
            .map(|redirect| redirect.file(directory))
            .collect()
    }
}
