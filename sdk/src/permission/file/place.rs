//! What a request for a file says of where the file is, read back for those who judge it.

use std::path::Path;
#[cfg(feature = "policy")]
use std::{cell::OnceCell, io, path::PathBuf};

use super::{ENTRY, FILE_READ, FILE_WRITE, NAMED, TREE};
#[cfg(feature = "policy")]
use super::{Resolved, fault, real_path, resolve::is_missing};
use crate::permission::PermissionRequest;

/// Where a file or directory is: all the paths that it goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'p> {
    /// Where it really is.
    pub(crate) real: &'p Path,
    /// The absolute path as it was named, where that differs.
    pub(crate) named: Option<&'p Path>,
    /// Where the name itself lies, where that differs from both: of a link, the link. For a write,
    /// which may replace or remove the link.
    pub(crate) entry: Option<&'p Path>,
    /// Whether everything below it is meant too.
    pub(crate) tree: bool,
}

impl<'p> Place<'p> {
    pub(crate) fn new(real: &'p Path) -> Self {
        Self {
            real,
            named: None,
            entry: None,
            tree: false,
        }
    }
}

/// A directory that many paths start at. Where it leads is asked once.
#[cfg(feature = "policy")]
#[derive(Debug)]
pub(crate) struct Base<'b> {
    path: &'b Path,
    real: OnceCell<Option<PathBuf>>,
}

#[cfg(feature = "policy")]
impl<'b> Base<'b> {
    pub(crate) fn new(path: &'b Path) -> Self {
        Self {
            path,
            real: OnceCell::new(),
        }
    }

    pub(crate) fn path(&self) -> &'b Path {
        self.path
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
        let real = self.real.get_or_init(|| real_path(self.path).ok());
        let path = real.as_ref()?.join(name);
        // Even a link that leads nowhere is there.
        match path.symlink_metadata() {
            Err(error) if is_missing(&error) => Some(path),
            _ => None,
        }
    }
}

/// A [`Place`] with paths of its own.
#[cfg(feature = "policy")]
#[derive(Debug)]
pub(crate) struct Located {
    resolved: Resolved,
    tree: bool,
}

#[cfg(feature = "policy")]
impl Located {
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            real: &self.resolved.target,
            named: self.resolved.named.as_deref(),
            entry: self.resolved.entry.as_deref(),
            tree: self.tree,
        }
    }
}

impl super::FileAccess {
    #[cfg(feature = "policy")]
    /// The place that the request would speak of, without making one. `None` where there is none.
    pub(crate) fn locate(&self, base: &Base<'_>) -> Option<Located> {
        if fault(&self.path).is_some() {
            return None;
        }
        let resolved = self.resolve(|path| base.real_path(path)).ok()?;
        let located = Located {
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

    /// The place that a request of these kinds speaks of.
    pub(crate) fn place_of(request: &PermissionRequest) -> Option<Place<'_>> {
        if !matches!(request.kind(), FILE_READ | FILE_WRITE) {
            return None;
        }
        let path = |key| request.details().get(key)?.as_str().map(Path::new);
        Some(Place {
            named: path(NAMED),
            entry: path(ENTRY),
            tree: request.details().get(TREE) == Some(&true.into()),
            ..Place::new(Path::new(request.target()))
        })
    }
}
