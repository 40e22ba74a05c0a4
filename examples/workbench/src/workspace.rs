//! The directory that the tools work on and never leave.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, FileType, Metadata, OpenOptions};
use cap_tempfile::TempFile;
use toolwright::permission::{IntoRequests, PathScope};
use toolwright::{FileAccess, ToolError};

use crate::files::{Files, Found, Kind, Last, Place};

/// A directory, held by a handle that all files are opened through.
///
/// Clones share the handle.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    dir: Arc<Dir>,
    root: Arc<Path>,
}

impl Workspace {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self {
            dir: Arc::new(dir),
            root: root.into(),
        })
    }

    /// The target of a path, as its permission request has it: the checked place is the one that is opened.
    fn real(&self, path: &Path) -> Result<Option<Place>, ToolError> {
        let path = self.root.join(path);
        let requests = FileAccess::read(path).within(&*self.root).into_requests()?;
        let inside = requests
            .iter()
            .find(|request| request.containment() == PathScope::Inside);
        Ok(inside.and_then(|request| {
            let below = Path::new(request.target()).strip_prefix(&*self.root);
            below.ok().and_then(Place::new)
        }))
    }

    /// The handle of a directory, reached name by name.
    fn directory(&self, place: &Place) -> io::Result<Dir> {
        let mut dir = self.dir.try_clone()?;
        for name in place.names() {
            dir = dir.open_dir_nofollow(name)?;
        }
        Ok(dir)
    }

    /// The directory that a place lies in, and its name there.
    fn parent<'p>(&self, place: &'p Place) -> io::Result<(Dir, &'p OsStr)> {
        let (parent, name) = place.split().ok_or_else(no_file)?;
        Ok((self.directory(&parent)?, name))
    }
}

impl Files for Workspace {
    fn root(&self) -> &Path {
        &self.root
    }

    fn share(&self) -> Arc<dyn Files> {
        Arc::new(self.clone())
    }

    fn resolve(&self, path: &Path, last: Last) -> Result<Option<Place>, ToolError> {
        let (directory, name) = match (last, path.parent(), path.file_name()) {
            (Last::Kept, Some(directory), Some(name)) => (directory, Some(name)),
            _ => (path, None),
        };
        match (self.real(directory)?, name) {
            (Some(directory), Some(name)) => Ok(Some(directory.join(name))),
            // The root itself lies outside of it.
            (None, Some(_)) => Ok(self.real(path)?.filter(Place::is_root)),
            (directory, None) => Ok(directory),
        }
    }

    fn find(&self, place: &Place) -> io::Result<Found> {
        let metadata = if place.is_root() {
            self.dir.dir_metadata()?
        } else {
            let (dir, name) = self.parent(place)?;
            dir.symlink_metadata(name)?
        };
        Ok(Found {
            kind: kind(metadata.file_type()),
            size: metadata.len(),
            read_only: metadata.permissions().readonly(),
        })
    }

    fn open(&self, place: &Place) -> io::Result<Box<dyn Read + Send>> {
        let (dir, name) = self.parent(place)?;
        Ok(Box::new(open(&dir, name, OpenOptions::new().read(true))?))
    }

    fn entries(&self, place: &Place) -> io::Result<Vec<(OsString, Kind)>> {
        let mut entries = Vec::new();
        for entry in self.directory(place)?.entries()? {
            let entry = entry?;
            entries.push((entry.file_name(), kind(entry.file_type()?)));
        }
        entries.sort();
        Ok(entries)
    }

    fn write(&self, place: &Place, content: &[u8]) -> io::Result<()> {
        let (parent, name) = place.split().ok_or_else(no_file)?;
        let mut dir = self.dir.try_clone()?;
        for name in parent.names() {
            dir = match dir.open_dir_nofollow(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    dir.create_dir(name)?;
                    dir.open_dir_nofollow(name)?
                }
                opened => opened?,
            };
        }
        // Not truncated as it is opened: only then it is known what it is.
        let mut file = open(&dir, name, OpenOptions::new().write(true).create(true))?;
        overwrite(&mut file, content)
    }

    fn replace(&self, place: &Place, old: &[u8], new: &[u8]) -> io::Result<bool> {
        let (dir, name) = self.parent(place)?;
        // For writing too: a file that may not be written could still be replaced by another.
        let mut file = open(&dir, name, OpenOptions::new().read(true).write(true))?;
        let metadata = file.metadata()?;
        if metadata.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let staged = stage(&dir, &metadata, new)?;
        // Looked at last, so that little time is left for another to change it.
        if !holds(&mut file, old)? || !is_same(&dir.symlink_metadata(name)?, &metadata) {
            return Ok(false);
        }
        match staged {
            Some(staged) => {
                // Elsewhere than on Unix an open file cannot be replaced.
                drop(file);
                staged.replace(name)?;
            }
            None => overwrite(&mut file, new)?,
        }
        Ok(true)
    }

    fn remove(&self, place: &Place, kind: Kind) -> io::Result<()> {
        let (dir, name) = self.parent(place)?;
        match kind {
            Kind::Directory => dir.remove_dir(name),
            _ => dir.remove_file_or_symlink(name),
        }
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Directory,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
    }
}

fn no_file() -> io::Error {
    io::ErrorKind::InvalidInput.into()
}

/// Opens a regular file. What it is, is asked of the handle, so that nothing can change in
/// between; and a pipe or a device is not waited for.
fn open(dir: &Dir, name: &OsStr, options: &mut OpenOptions) -> io::Result<File> {
    let options = options.follow(FollowSymlinks::No).nonblock(true);
    match dir.open_with(name, options) {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Ok(_) => Err(no_file()),
        // Systems give different errors for a link, a socket or a pipe that nobody reads.
        Err(error) => Err(match dir.symlink_metadata(name) {
            Ok(there) if !there.is_file() => no_file(),
            _ => error,
        }),
    }
}

fn overwrite(file: &mut File, content: &[u8]) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(content)
}

/// Returns true if a file holds exactly that.
fn holds(file: &mut File, expected: &[u8]) -> io::Result<bool> {
    let length = u64::try_from(expected.len()).unwrap_or(u64::MAX);
    let mut there = Vec::new();
    file.take(length.saturating_add(1))
        .read_to_end(&mut there)?;
    Ok(there == expected)
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// A file that can take the place of one with that metadata, in the same directory and with the
/// same mode and owner. `None` where it would not be the same: the file has further names, belongs
/// to another, or its directory takes no new file.
fn stage<'d>(dir: &'d Dir, like: &Metadata, content: &[u8]) -> io::Result<Option<TempFile<'d>>> {
    if like.nlink() > 1 {
        return Ok(None);
    }
    let mut staged = match TempFile::new(dir) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        staged => staged?,
    };
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt as _;
        let mine = staged.as_file().metadata()?;
        if (mine.uid(), mine.gid()) != (like.uid(), like.gid())
            && std::os::unix::fs::fchown(staged.as_file(), Some(like.uid()), Some(like.gid()))
                .is_err()
        {
            return Ok(None);
        }
    }
    staged.write_all(content)?;
    staged.as_file().set_permissions(like.permissions())?;
    // Else a crash could leave the new name without the new content.
    staged.as_file().sync_all()?;
    Ok(Some(staged))
}
