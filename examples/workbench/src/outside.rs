//! The files that workbench keeps: they lie outside of the root, where the tools do not reach.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::{Cli, Problem};

/// The most links that a name is followed through: as many as Linux follows.
const LINKS: usize = 40;

/// Refuses a path that lies in the root, or would once it is made.
pub(crate) fn must_be_outside(cli: &Cli, path: &Path) -> Result<(), Problem> {
    let root = cli.canonical_root()?;
    match place(path.to_owned()) {
        Some(place) if place.starts_with(&root) => Err(Problem::WithinRoot {
            path: path.to_owned(),
            root,
        }),
        // Whatever cannot be found cannot be made either, and whoever tries tells why.
        _ => Ok(()),
    }
}

/// Returns the place of a file or folder that is there, or comes to be there when it is made.
fn place(mut path: PathBuf) -> Option<PathBuf> {
    for _ in 0..LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            place => return place.ok(),
        }
        // The parent of a bare name is an empty path, which the system does not know.
        let parent = Path::new(".").join(path.parent()?);
        let parent = parent.canonicalize().ok()?;
        let made = parent.join(path.file_name()?);
        match fs::read_link(&made) {
            // To make it makes what the link names.
            Ok(target) => path = parent.join(target),
            Err(_) => return Some(made),
        }
    }
    None
}
