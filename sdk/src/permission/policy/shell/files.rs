//! The files of a line.

use std::path::{Path, PathBuf};

use super::part::{Directory, Part};
use super::word::Word;

/// A file that a line uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileUse {
    pub(crate) access: Access,
    /// The path, absolute if the directory given is, with its `..` and links as they are; `None` where
    /// it is not known.
    pub(crate) path: Option<PathBuf>,
    /// As it is written.
    pub(crate) shown: String,
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A file that the shell opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) access: Access,
    pub(super) target: Word,
    pub(super) directory: Directory,
}

impl Redirect {
    pub(super) fn file(&self, start: &Path) -> FileUse {
        let (path, shown) = match (&self.target, &self.directory) {
            (Word::Known(text), Directory::Known(directory)) => {
                (Some(start.join(directory).join(text)), text)
            }
            (Word::Known(text), Directory::Unknown) => {
                let path = Path::new(text);
                (path.is_absolute().then(|| path.to_owned()), text)
            }
            (Word::Unknown { shown, .. }, _) => (None, shown),
        };
        FileUse {
            access: self.access,
            path,
            shown: shown.clone(),
        }
    }
}

pub(super) fn named(_part: &Part, _start: &Path) -> Vec<FileUse> {
    Vec::new()
}
