//! Single files of the folder: made with all of their content or not at all, and read within a limit.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::key::random_bytes;
use crate::util::files::{if_there, make_file, make_folder};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// The reason why the folder cannot be used, or a file or folder in it.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderError {
    /// An operation of the file system failed.
    #[error("{} cannot be {verb}", path.display())]
    Io {
        path: PathBuf,
        /// The participle of the operation: `read`.
        verb: &'static str,
        #[source]
        error: io::Error,
    },
    /// A file holds something else than JSON of its type.
    #[error("{} is not what a store of tickets writes there", path.display())]
    Malformed {
        path: PathBuf,
        #[source]
        error: serde_json::Error,
    },
    /// A file or folder is not as the store leaves it.
    #[error("{} {fault}", path.display())]
    Unfit {
        path: PathBuf,
        /// The rest of the sentence.
        fault: &'static str,
    },
}

impl FolderError {
    /// Returns the closure for `map_err`.
    pub(super) fn io<'p>(path: &'p Path, verb: &'static str) -> impl Fn(io::Error) -> Self + 'p {
        move |error| Self::Io {
            path: path.to_owned(),
            verb,
            error,
        }
    }

    pub(super) fn unfit(path: &Path, fault: &'static str) -> Self {
        Self::Unfit {
            path: path.to_owned(),
            fault,
        }
    }
}

/// Writes a file and brings it to the disk. Returns false if there is one of that name, which stays as it is.
pub(super) fn create(
    unfinished: &Path,
    target: &Path,
    content: &impl Serialize,
) -> io::Result<bool> {
    make_folder(unfinished)?;
    let draft = draft(unfinished)?;
    let linked = write(&draft, content).and_then(|()| fs::hard_link(&draft, target));
    // A draft that cannot be removed goes when old ones are looked for.
    let _ = fs::remove_file(&draft);
    match linked {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        linked => linked.and_then(|()| sync_parent(target)).map(|()| true),
    }
}

fn write(draft: &Path, content: &impl Serialize) -> io::Result<()> {
    let mut file = make_file(draft)?;
    file.write_all(&serde_json::to_vec(content)?)?;
    // Otherwise a crash could leave the name without the content.
    file.sync_all()
}

/// Returns a new path in the folder of what is unfinished.
pub(super) fn draft(unfinished: &Path) -> io::Result<PathBuf> {
    let random = u128::from_ne_bytes(random_bytes().map_err(io::Error::other)?);
    Ok(unfinished.join(format!("{random:032x}")))
}

/// Brings the names in a folder to the disk.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    // Other systems cannot open a folder.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Brings the name of a file or folder to the disk.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync)
}

/// Reads a file that [`create`] made. Returns `None` if it is gone.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let unreadable = FolderError::io(path, "read");
    let Some(found) = if_there(path.symlink_metadata()).map_err(&unreadable)? else {
        return Ok(None);
    };
    // Opening a pipe would wait for a writer.
    if !found.is_file() {
        return Err(FolderError::unfit(path, "is not a file"));
    }
    if found.len() > MAX_FILE {
        return Err(FolderError::unfit(path, "is larger than 256 MiB"));
    }
    work::read(found.len());
    let mut text = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    let read = File::open(path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut text));
    if if_there(read).map_err(&unreadable)?.is_none() {
        return Ok(None);
    }
    let parsed = serde_json::from_slice(&text);
    parsed.map(Some).map_err(|error| FolderError::Malformed {
        path: path.to_owned(),
        error,
    })
}

/// Returns the names in a folder that `parse` knows, none if there is no such folder. Other names are not the store's.
pub(super) fn names<T>(
    folder: &Path,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, FolderError> {
    let unreadable = FolderError::io(folder, "read");
    let mut names = Vec::new();
    for entry in if_there(fs::read_dir(folder))
        .map_err(&unreadable)?
        .into_iter()
        .flatten()
    {
        work::entry();
        let name = entry.map_err(&unreadable)?.file_name();
        names.extend(name.to_str().and_then(&parse));
    }
    Ok(names)
}

/// Counts reads, so that tests can tell that many tickets take no more of them than they must.
#[cfg(test)]
pub(super) mod work {
    use std::cell::Cell;

    thread_local! {
        static DONE: Cell<Work> = const { Cell::new(Work { entries: 0, files: 0, bytes: 0 }) };
    }

    /// The entries, files and bytes that this thread has read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) struct Work {
        pub(in super::super) entries: u64,
        pub(in super::super) files: u64,
        pub(in super::super) bytes: u64,
    }

    /// Runs a piece of work, and returns its result and its reads.
    pub(in super::super) fn of<T>(work: impl FnOnce() -> T) -> (T, Work) {
        let before = DONE.get();
        let done = work();
        let after = DONE.get();
        let work = Work {
            entries: after.entries - before.entries,
            files: after.files - before.files,
            bytes: after.bytes - before.bytes,
        };
        (done, work)
    }

    pub(super) fn entry() {
        let mut done = DONE.get();
        done.entries += 1;
        DONE.set(done);
    }

    pub(super) fn read(bytes: u64) {
        let mut done = DONE.get();
        done.files += 1;
        done.bytes += bytes;
        DONE.set(done);
    }
}

/// Counts nothing outside of tests.
#[cfg(not(test))]
mod work {
    pub(super) fn entry() {}

    pub(super) fn read(_bytes: u64) {}
}
