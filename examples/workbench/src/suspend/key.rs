//! The key that tickets are signed with: a file for its owner alone, apart from what it signs.
//!
//! Whoever reads it can answer in anybody's name. So it lies neither in the folder of the tickets,
//! which may be copied or shared, nor below the root, which the tools read.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use toolwright::ticket::TicketKey;

/// The reasons why there is no key to sign with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    #[error(
        "there is no place for the key that signs tickets: neither XDG_STATE_HOME nor HOME is set; name a \
         file by `--key FILE`"
    )]
    Homeless,
    #[error("the key {} cannot be {verb}", path.display())]
    Io {
        path: PathBuf,
        verb: &'static str,
        #[source]
        error: io::Error,
    },
    #[error("the key {} is no file", path.display())]
    NoFile { path: PathBuf },
    #[error(
        "the key {} can be read or written by other users: `chmod 600` closes it; if somebody may have \
         read it, remove it, and what waits with it",
        path.display()
    )]
    Open { path: PathBuf },
    #[error("the key {} is not 64 hexadecimal digits", path.display())]
    Malformed { path: PathBuf },
    #[error(
        "the key {} lies in {}, {why}: name another file by `--key FILE`",
        path.display(), place.display()
    )]
    Misplaced {
        path: PathBuf,
        place: PathBuf,
        why: &'static str,
    },
    #[error("there is no randomness to make a key of: {0}")]
    Random(getrandom::Error),
}

/// A directory that the key must not lie in, and why.
pub(crate) type Kept<'d> = (&'d Path, &'static str);

/// Reads the key, which is made where there is none.
pub(crate) fn load(named: Option<&Path>, apart_from: &[Kept<'_>]) -> Result<TicketKey, KeyError> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => state().ok_or(KeyError::Homeless)?.join("ticket.key"),
    };
    let failed = |verb| {
        let path = path.clone();
        move |error| KeyError::Io { path, verb, error }
    };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make_directories(directory).map_err(failed("made"))?;
    let real = directory.canonicalize().map_err(failed("made"))?;
    for (place, why) in apart_from {
        if real.starts_with(place) {
            return Err(KeyError::Misplaced {
                path,
                place: (*place).to_owned(),
                why,
            });
        }
    }
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    make(directory, &path)?;
    // It may be that of another process, which was quicker.
    read(&path)?.ok_or_else(|| failed("read")(io::ErrorKind::NotFound.into()))
}

/// The directory for state that is neither configuration nor data, by the XDG base directory specification.
pub(crate) fn state() -> Option<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = named
        .filter(absolute)
        .or_else(|| Some(std::env::home_dir().filter(absolute)?.join(".local/state")))?;
    Some(state.join("toolwright"))
}

/// Makes a directory and those that it lies in, for their owner alone where they are missing.
pub(crate) fn make_directories(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// `None`: there is no such file.
fn read(path: &Path) -> Result<Option<TicketKey>, KeyError> {
    let failed = |error| KeyError::Io {
        path: path.to_owned(),
        verb: "read",
        error,
    };
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(found) if found.is_file() => {}
        Ok(_) => {
            return Err(KeyError::NoFile {
                path: path.to_owned(),
            });
        }
    }
    let file = File::open(path).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Asked of the handle, so that it is of what is read.
        let mode = file.metadata().map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(KeyError::Open {
                path: path.to_owned(),
            });
        }
    }
    let mut text = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut text).map_err(failed)?;
    match bytes(text.trim_ascii()) {
        Some(bytes) => Ok(Some(TicketKey::from_bytes(bytes))),
        None => Err(KeyError::Malformed {
            path: path.to_owned(),
        }),
    }
}

/// More than a key takes.
const MAX_FILE: u64 = 100;

fn bytes(digits: &[u8]) -> Option<[u8; 32]> {
    let digits = std::str::from_utf8(digits).ok()?;
    blake3::Hash::from_hex(digits).ok().map(Into::into)
}

fn make(directory: &Path, path: &Path) -> Result<(), KeyError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(KeyError::Random)?;
    let write = || {
        let mut file = NamedTempFile::new_in(directory)?;
        writeln!(file, "{}", blake3::Hash::from_bytes(bytes).to_hex())?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(path) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
            _ => Ok(()),
        }
    };
    write().map_err(|error| KeyError::Io {
        path: path.to_owned(),
        verb: "made",
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state/ticket.key");
        let made = load(Some(&path), &[]).unwrap();
        let read = load(Some(&path), &[]).unwrap();
        assert_eq!(made.as_bytes(), read.as_bytes());
        let other = load(Some(&dir.path().join("other.key")), &[]).unwrap();
        assert_ne!(made.as_bytes(), other.as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn it_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state/ticket.key");
        load(Some(&path), &[]).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        for open in [0o640, 0o604, 0o620] {
            fs::set_permissions(&path, fs::Permissions::from_mode(open)).unwrap();
            assert!(matches!(load(Some(&path), &[]), Err(KeyError::Open { .. })));
        }
    }

    #[test]
    fn it_lies_where_no_tool_and_no_ticket_does() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().canonicalize().unwrap();
        let path = place.join("below/ticket.key");
        let error = load(Some(&path), &[(&place, "which is not its place")]).unwrap_err();
        assert!(matches!(error, KeyError::Misplaced { .. }));
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_key_is_not_taken_for_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ticket.key");
        load(Some(&path), &[]).unwrap();
        for text in [
            "",
            "abc",
            &"0".repeat(63),
            &"0".repeat(200),
            &"g".repeat(64),
        ] {
            // Its mode stays as it is.
            fs::write(&path, text).unwrap();
            let error = load(Some(&path), &[]).unwrap_err();
            assert!(matches!(error, KeyError::Malformed { .. }), "{text}");
        }
        let error = load(Some(dir.path()), &[]).unwrap_err();
        assert!(matches!(error, KeyError::NoFile { .. }), "{error}");
    }
}
