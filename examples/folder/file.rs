//! Files that come to be at once: whole, written to the disk, and for one of all who try.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

/// The largest file that is read, in bytes: a call of the largest arguments, with room for escapes.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// What is wrong with a file or directory of the folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be read, written or made.
    #[error("{} cannot be {verb}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The thing that was to be done with it: `read`.
        verb: &'static str,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A file holds something else.
    #[error("{} is not what workbench writes there", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The place in its text where that shows.
        #[source]
        error: serde_json::Error,
    },
    /// It is not as it should be.
    #[error("{} {what}", path.display())]
    Odd {
        /// The file or directory.
        path: PathBuf,
        /// The fault, as the rest of a sentence.
        what: &'static str,
    },
}

impl FolderError {
    /// For `map_err`.
    pub(super) fn io<'p>(path: &'p Path, verb: &'static str) -> impl Fn(io::Error) -> Self + 'p {
        move |error| Self::Io {
            path: path.to_owned(),
            verb,
            error,
        }
    }
}

/// Makes a directory that nobody else may look into, unless it is there.
pub(super) fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    match builder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created,
    }
}

/// Has the disk know the names in a directory.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    // Elsewhere directories cannot be opened.
    if cfg!(unix) {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}

/// The moment when written data is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durable {
    /// Before anybody is told of it.
    Now,
    /// With all else that was written, when the folder is [flushed](flush): waiting for the disk is
    /// what takes most of the time.
    Later,
}

impl Durable {
    /// `Later` where one call brings all to the disk.
    pub(super) const AT_THE_END: Self = if cfg!(target_os = "linux") {
        Self::Later
    } else {
        Self::Now
    };
}

/// Brings all that was written below a directory to the disk.
#[cfg(target_os = "linux")]
pub(super) fn flush(directory: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(directory)?)?)
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub(super) fn flush(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The time between two searches for old files, of all processes together.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Returns true if it is time to look for old files, and notes in a file that it was done: a look
/// takes the longer the more there is, and each command would take one.
pub fn is_due(note: &Path) -> bool {
    let last = note.metadata().and_then(|found| found.modified()).ok();
    // A time to come is that of a clock that was set back.
    let age = last.and_then(|last| SystemTime::now().duration_since(last).ok());
    if age.is_some_and(|age| age < EVERY) {
        return false;
    }
    // An error is ignored, because then the next command looks too.
    let _ = fs::write(note, "\n");
    true
}

/// Writes a new file, for its owner alone. `false`: there is one of that name, and it is left as it is.
pub(super) fn create(
    directory: &Path,
    name: &str,
    content: &impl Serialize,
    durable: Durable,
) -> io::Result<bool> {
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(&serde_json::to_vec(content)?)?;
    if durable == Durable::Now {
        // Else a crash could leave the name without the content.
        file.as_file().sync_all()?;
    }
    match file.persist_noclobber(directory.join(name)) {
        Ok(_) if durable == Durable::Now => sync_directory(directory).map(|()| true),
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// Makes an empty file, unless it is there.
pub(super) fn mark(directory: &Path, name: &str, durable: Durable) -> io::Result<()> {
    match File::create_new(directory.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Ok(_) if durable == Durable::Now => sync_directory(directory),
        created => created.map(drop),
    }
}

/// Reads a file that [`create`] has written. `None`: it is gone.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let odd = |what| FolderError::Odd {
        path: path.to_owned(),
        what,
    };
    let unreadable = FolderError::io(path, "read");
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(&unreadable)?,
    };
    // A pipe would be waited for.
    if !found.is_file() {
        return Err(odd("is not a file"));
    }
    if found.len() > MAX_FILE {
        return Err(odd("is larger than anything that workbench writes there"));
    }
    work::read(found.len());
    let mut text = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    match File::open(path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut text)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(&unreadable)?,
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| FolderError::Corrupt {
            path: path.to_owned(),
            error,
        })
}

/// The numbers of the files `0.json`, `1.json` .. in a directory, in their order. What has another
/// name is not ours, or not finished. `None`: there is no such directory.
pub(super) fn numbers(directory: &Path) -> Result<Option<Vec<u64>>, FolderError> {
    let unreadable = FolderError::io(directory, "read");
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(&unreadable)?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        work::entry();
        let name = entry.map_err(&unreadable)?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".json"));
        let number = number.and_then(|number| number.parse::<u64>().ok());
        // `+1.json` and `01.json` are none either.
        numbers.extend(number.filter(|number| name.to_str() == Some(&self::name(*number))));
    }
    numbers.sort_unstable();
    Ok(Some(numbers))
}

/// The name of a numbered file.
pub(super) fn name(number: u64) -> String {
    format!("{number}.json")
}

/// Counts what is read, so that tests can tell that a folder of many tickets takes no more than it
/// must.
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

    /// Runs a piece of work, and returns its result and what it read.
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

    pub(in super::super) fn entry() {
        let mut done = DONE.get();
        done.entries += 1;
        DONE.set(done);
    }

    pub(in super::super) fn read(bytes: u64) {
        let mut done = DONE.get();
        done.files += 1;
        done.bytes += bytes;
        DONE.set(done);
    }
}

/// Nothing is counted outside of tests.
#[cfg(not(test))]
pub(super) mod work {
    pub(in super::super) fn entry() {}

    pub(in super::super) fn read(_bytes: u64) {}
}
