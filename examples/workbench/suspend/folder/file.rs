//! Files that come to be at once: whole, written to the disk, and for one of all who try.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use crate::MAX_CALL;

/// The largest file that is read, in bytes: a call of the largest arguments, with room for escapes.
const MAX_FILE: u64 = 4 * MAX_CALL as u64;

/// What is wrong with a file or directory of the folder.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("{} cannot be {verb}", path.display())]
    Io {
        path: PathBuf,
        verb: &'static str,
        #[source]
        error: io::Error,
    },
    #[error("{} is not what workbench writes there", path.display())]
    Corrupt {
        path: PathBuf,
        #[source]
        error: serde_json::Error,
    },
    #[error("{} {what}", path.display())]
    Odd { path: PathBuf, what: &'static str },
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

/// Writes a new file, for its owner alone. `false`: there is one of that name, and it is left as it is.
pub(super) fn create(directory: &Path, name: &str, content: &impl Serialize) -> io::Result<bool> {
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(&serde_json::to_vec(content)?)?;
    // Else a crash could leave the name without the content.
    file.as_file().sync_all()?;
    match file.persist_noclobber(directory.join(name)) {
        Ok(_) => sync_directory(directory).map(|()| true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// Makes an empty file, unless it is there.
pub(super) fn mark(directory: &Path, name: &str) -> io::Result<()> {
    match File::create_new(directory.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created.and_then(|_| sync_directory(directory)),
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
    let mut text = Vec::new();
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
