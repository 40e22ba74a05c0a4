//! The target of a path.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows before it says that they go round.
const LINKS: usize = 40;

/// Returns the target of an absolute path: without `.` and `..`, and with every link followed, also links to
/// files that do not exist. The target of a request for a file is such a path.
///
/// A missing directory may be made before the path is used. So the path behind it is followed too, for instance
/// the link in `missing/../link/file`, and so is a link whose target has no directory yet. The crate
/// `soft-canonicalize` takes both as they are written, and so reports for some paths that they stay in a
/// root which they leave.
///
/// # Errors
///
/// Fails if a directory on the way cannot be read, or if links form a circle.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if is_missing(&error) => walk(path),
        known => known,
    }
}

fn walk(path: &Path) -> io::Result<PathBuf> {
    let mut left = Vec::new();
    let mut real = PathBuf::new();
    let mut links = 0;
    push_parts(&mut left, path);
    while let Some(part) = left.pop() {
        if part == ".." {
            // At the top it stays there, as the system has it.
            real.pop();
            continue;
        }
        real.push(part);
        match real.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                links += 1;
                if links > LINKS {
                    return Err(io::Error::other("links that go round"));
                }
                push_parts(&mut left, &real.read_link()?);
                real.pop();
            }
            Err(error) if !is_missing(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(real)
}

/// Puts the parts of a path on a stack, the first on top.
fn push_parts(left: &mut Vec<OsString>, path: &Path) {
    let parts = path.components().rev();
    left.extend(
        parts
            .filter(|part| *part != Component::CurDir)
            .map(|part| part.as_os_str().to_owned()),
    );
}

pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// A path without `.` and `..`, by its text alone. `None` where `..` leads above its beginning.
pub(super) fn clean(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::with_capacity(path.as_os_str().len());
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            Component::ParentDir => return None,
            part => clean.push(part),
        }
    }
    Some(clean)
}
