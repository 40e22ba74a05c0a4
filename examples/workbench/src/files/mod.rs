//! The file system as the tools see it: a tree below a root, behind a trait, so that tests can put another in its
//! place.
//!
//! # Between the check and the use
//!
//! A path is judged as text, and opened later. In between, a link may come to stand where a
//! directory was, and then the text that was judged leads elsewhere. So a path is resolved once,
//! to a [`Place`]: plain names below the root, all links followed. The place is what is judged,
//! and the place is what is opened, name by name from the handle of the root, with no link
//! followed. A link that was put into the way in between is an error then, and never a detour.
//!
//! A directory that was moved cannot be recognized: a program that may rename a forbidden directory to an allowed name
//! has changed the meaning of the name. A hard link is the same for a file.

#[cfg(test)]
mod fake;
mod walk;

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use toolwright::ToolError;

#[cfg(test)]
pub(crate) use fake::Fake;
pub(crate) use walk::{MAX_DEPTH, Options, Skipped, Walk};

/// A tree of files. A path from a model comes in through [`resolve`](Self::resolve) alone; all
/// else works on a [`Place`] and follows no link.
pub(crate) trait Files: Send + Sync {
    /// The path of the tree, for permission requests.
    fn root(&self) -> &Path;

    /// The same tree, for what outlives the call that it is for.
    fn share(&self) -> Arc<dyn Files>;

    /// The target of a path, relative to the root or absolute; `None`: outside. A path that does not exist leads to
    /// the place where it would be made.
    fn resolve(&self, path: &Path, last: Last) -> Result<Option<Place>, ToolError>;

    /// The file or directory at a place.
    fn find(&self, place: &Place) -> io::Result<Found>;

    /// A file, for reading. Anything but a regular file is
    /// [`InvalidInput`](io::ErrorKind::InvalidInput), and is not waited for.
    fn open(&self, place: &Place) -> io::Result<Box<dyn Read + Send>>;

    /// The entries of a directory, sorted by name.
    fn entries(&self, place: &Place) -> io::Result<Vec<(OsString, Kind)>>;

    /// Makes a file hold `content`, and the directories that it lies in where they are missing.
    /// Anything but a regular file is [`InvalidInput`](io::ErrorKind::InvalidInput).
    fn write(&self, place: &Place, content: &[u8]) -> io::Result<()>;

    /// Puts `new` in the place of `old`, at once: whoever reads the file sees the one or the
    /// other. `false`: the file holds something else by now, and is left as it is.
    fn replace(&self, place: &Place, old: &[u8], new: &[u8]) -> io::Result<bool>;

    /// Removes a file, a link or an empty directory, as its kind was found.
    fn remove(&self, place: &Place, kind: Kind) -> io::Result<()>;
}

/// The treatment of a link at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// It is followed.
    Followed,
    /// It is what is meant.
    Kept,
}

/// The kind and the size of a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// In bytes.
    pub(crate) size: u64,
    /// True if nobody may write to it.
    pub(crate) read_only: bool,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// A path below the root in plain names: no `..`, and when it was made, no link. The empty one is
/// the root itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(PathBuf);

impl Place {
    /// A path below the root; `None` where it is not made of names alone.
    pub(crate) fn new(path: &Path) -> Option<Self> {
        let mut place = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => place.push(name),
                Component::CurDir => {}
                _ => return None,
            }
        }
        Some(Self(place))
    }

    pub(crate) fn as_path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.as_os_str().is_empty()
    }

    pub(crate) fn join(&self, name: &OsStr) -> Self {
        Self(self.0.join(name))
    }

    /// The directory that it lies in and its name there. The root has none.
    pub(crate) fn split(&self) -> Option<(Self, &OsStr)> {
        let parent = self.0.parent()?;
        Some((Self(parent.to_owned()), self.0.file_name()?))
    }

    /// The names on the way from the root.
    pub(crate) fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.0.iter()
    }

    /// Returns true if the name begins with a dot.
    pub(crate) fn is_hidden(&self) -> bool {
        let name = self.0.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    }
}
