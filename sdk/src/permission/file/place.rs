//! The place of a file as a request describes it, read back for checkers.

use std::path::Path;
use std::{cell::OnceCell, io, path::PathBuf};

use super::{ENTRY, FILE_READ, FILE_WRITE, NAMED, TREE};
use super::{Resolved, fault, real_path, resolve::is_missing};
use crate::permission::PermissionRequest;

/// The place of a file or directory: all the paths that it goes by, as a request says them. A checker that judges
/// paths reads it by [`FileAccess::place_of`](super::FileAccess::place_of).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FilePlace<'p> {
    /// The path where it really is.
    pub real: &'p Path,
    /// The absolute path as it was named, where that differs.
    pub named: Option<&'p Path>,
    /// The path where the name itself lies, if that differs from both: of a link, the link. For a write,
    /// which may replace or remove the link.
    pub entry: Option<&'p Path>,
    /// True if everything below it is meant too.
    pub tree: bool,
}

impl<'p> FilePlace<'p> {
    /// A place of just one path.
    pub fn new(real: &'p Path) -> Self {
        Self {
            real,
            named: None,
            entry: None,
            tree: false,
        }
    }
}

/// A directory that many paths start at, for [`FileAccess::locate`](super::FileAccess::locate): where it leads is
/// looked up once.
#[derive(Debug)]
pub struct BaseDirectory<'b> {
    path: &'b Path,
    real: OnceCell<Option<PathBuf>>,
}

impl<'b> BaseDirectory<'b> {
    /// A directory by its absolute path.
    pub fn new(path: &'b Path) -> Self {
        Self {
            path,
            real: OnceCell::new(),
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &'b Path {
        self.path
    }

    /// Returns its [`real_path`]; `None` if that cannot be told.
    pub fn real(&self) -> Option<&Path> {
        let real = self.real.get_or_init(|| real_path(self.path).ok());
        real.as_deref()
    }

    /// The same as [`real_path`]. Of a name right in the directory that is not there, one look is
    /// enough: most words of commands are such.
    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        match self.missing(path) {
            Some(real) => Ok(real),
            None => real_path(path),
        }
    }

    fn missing(&self, path: &Path) -> Option<PathBuf> {
        let name = path.file_name()?;
        if path.parent()? != self.path {
            return None;
        }
        let path = self.real()?.join(name);
        // Even a link that leads nowhere is there.
        match path.symlink_metadata() {
            Err(error) if is_missing(&error) => Some(path),
            _ => None,
        }
    }
}

/// A [`FilePlace`] that owns its paths: see [`FileAccess::locate`](super::FileAccess::locate).
#[derive(Debug)]
pub struct LocatedFile {
    resolved: Resolved,
    tree: bool,
}

impl LocatedFile {
    /// Returns the place.
    pub fn place(&self) -> FilePlace<'_> {
        FilePlace {
            real: &self.resolved.target,
            named: self.resolved.named.as_deref(),
            entry: self.resolved.entry.as_deref(),
            tree: self.tree,
        }
    }
}

impl super::FileAccess {
    /// Returns the place that the request would speak of, without making one: for checkers that judge many paths which
    /// start at one directory, such as the words of a command. `None` if the request could not be made.
    pub fn locate(&self, base: &BaseDirectory<'_>) -> Option<LocatedFile> {
        if fault(&self.path).is_some() {
            return None;
        }
        let resolved = self.resolve(|path| base.real_path(path)).ok()?;
        let located = LocatedFile {
            resolved,
            tree: self.tree,
        };
        let is_text = {
            let place = located.place();
            let others = place.named.iter().chain(&place.entry);
            place.real.to_str().is_some() && others.copied().all(|path| path.to_str().is_some())
        };
        is_text.then_some(located)
    }

    /// Returns the place that a request of the kinds [`READ`](Self::READ) and [`WRITE`](Self::WRITE) speaks of;
    /// `None` for a request of another kind. Whoever made the request by hand may have put any text there.
    pub fn place_of(request: &PermissionRequest) -> Option<FilePlace<'_>> {
        if !matches!(request.kind(), FILE_READ | FILE_WRITE) {
            return None;
        }
        let path = |key| request.details().get(key)?.as_str().map(Path::new);
        Some(FilePlace {
            named: path(NAMED),
            entry: path(ENTRY),
            tree: request.details().get(TREE) == Some(&true.into()),
            ..FilePlace::new(Path::new(request.target()))
        })
    }
}
