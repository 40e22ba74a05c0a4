//! Paths by their text alone.

use std::path::{Component, Path};

/// Returns true if a path says by its text alone where it is.
pub(super) fn is_settled(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// Returns true if a path is a directory, or lies in it.
pub(super) fn lies_in(path: &Path, directory: &Path) -> bool {
    is_settled(path) && is_settled(directory) && path.starts_with(directory)
}
