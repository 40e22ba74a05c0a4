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
    file: File,
}

impl HeldName {
    /// Takes a name: locks a file beside the database, which stays there.
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
        let file = options.open(&path).map_err(SqliteError::file(&path))?;
        // By its full name: later versions of the standard library have a method of this one.
        match FileExt::try_lock(&file) {
            Ok(()) => Ok(Self {
                name: name.to_owned(),
                file,
            }),
            Err(TryLockError::WouldBlock) => Err(SqliteError::InUse {
                role,
                name: name.to_owned(),
                path: database.to_owned(),
            }),
            Err(TryLockError::Error(error)) => Err(SqliteError::file(&path)(error)),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A process that was begun by this one at this moment may have the file too, and with it the lock.
impl Drop for HeldName {
    fn drop(&mut self) {
        let _ = FileExt::unlock(&self.file);
    }
}
