//! The directory that the tools work on and never leave.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// A directory, held by a handle. Files are opened through the handle, which follows no link and
/// no `..` out of it, whatever changes between a check and the use.
#[derive(Debug)]
pub(crate) struct Workspace {
    dir: Dir,
    root: PathBuf,
    /// The root as it was named, which may lead there over a link.
    named: PathBuf,
}

impl Workspace {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let named = std::path::absolute(root)?;
        let root = root.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self { dir, root, named })
    }

    /// Where the directory is, for permission requests.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The handle that all files are opened through.
    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// A path as the handle wants it: relative. A model may name a file inside by its full path.
    pub(crate) fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        let inside = path
            .strip_prefix(&self.root)
            .or_else(|_| path.strip_prefix(&self.named))
            .unwrap_or(path);
        if inside.as_os_str().is_empty() {
            Path::new(".")
        } else {
            inside
        }
    }
}
