//! Names that one live process has at a time: of replicas, and of logs that are written.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use crate::error::SqliteError;

/// The longest name, in characters.
const LONGEST: usize = 64;

/// A name that no other process has, nor another handle of this one. The kernel releases it when the process ends,
/// however it ends.
#[derive(Debug)]
pub(crate) struct HeldName {
    name: String,
    path: PathBuf,
    file: File,
}

impl HeldName {
    /// Takes a name: locks a file beside the database. A killed process leaves the file, without its lock.
    pub(crate) fn take(
        database: &Path,
        role: &'static str,
        name: &str,
    ) -> Result<Self, SqliteError> {
        let is_good =
            |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_good) {
            return Err(SqliteError::BadName {
                role,
                name: name.to_owned(),
            });
        }
        let mut path = OsString::from(database);
        path.push(format!(".{role}-{name}.lock"));
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        loop {
            let file = options.open(&path).map_err(SqliteError::file(&path))?;
            // By its full name: later versions of the standard library have a method of this one.
            match FileExt::try_lock(&file) {
                // Whoever had it may have removed it meanwhile, and then another process makes another file.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => {
                    let name = name.to_owned();
                    return Ok(Self { name, path, file });
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(SqliteError::InUse {
                        role,
                        name: name.to_owned(),
                        path: database.to_owned(),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(SqliteError::file(&path)(error)),
            }
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// Returns true if an open file is the one that has the name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(file), Ok(named)) = (file.metadata(), path.metadata()) else {
        return false;
    };
    (file.dev(), file.ino()) == (named.dev(), named.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// The lock is released by name: a process that was begun by this one at this moment may have the file too, and with it
/// the lock.
impl Drop for HeldName {
    fn drop(&mut self) {
        // Elsewhere the file of a name that is taken again could not be told from the one that was removed.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
        let _ = FileExt::unlock(&self.file);
    }
}
