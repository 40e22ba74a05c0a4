//! A line that was taken apart.

use std::path::Path;

use super::files::{FileUse, Redirect};
use super::part::LineCommand;

/// A line of bash, as the commands that would run.
#[derive(Debug, Clone)]
pub struct ShellLine {
    pub(super) parts: Vec<LineCommand>,
    pub(super) redirects: Vec<Redirect>,
    pub(super) carriers: Vec<LineCommand>,
}

impl ShellLine {
    /// All commands that the line may run, in the order in which they are written. A line that only
    /// sets variables or opens files has none.
    pub fn commands(&self) -> &[LineCommand] {
        &self.parts
    }

    /// The wrappers, such as `env -C x` and `timeout 5`, each without what it runs.
    pub fn carriers(&self) -> &[LineCommand] {
        &self.carriers
    }

    /// The files that the shell itself opens for the line, which starts in this directory.
    pub fn files(&self, directory: &Path) -> Vec<FileUse> {
        self.redirects
            .iter()
            .flat_map(|redirect| redirect.files(directory))
            .collect()
    }
}
