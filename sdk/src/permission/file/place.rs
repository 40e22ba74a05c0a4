//! What a request for a file says of where the file is, read back for those who judge it.

use std::path::Path;

use super::{ENTRY, FILE_READ, FILE_WRITE, NAMED, TREE};
use crate::permission::PermissionRequest;

/// Where a file or directory is: all the paths that it goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'p> {
    /// Where it really is.
    pub(crate) real: &'p Path,
    /// The absolute path as it was named, where that differs.
    pub(crate) named: Option<&'p Path>,
    /// Where the name itself lies, where that differs from both: of a link, the link. For a write,
    /// which may replace or remove the link.
    pub(crate) entry: Option<&'p Path>,
    /// Whether everything below it is meant too.
    pub(crate) tree: bool,
}

impl<'p> Place<'p> {
    pub(crate) fn new(real: &'p Path) -> Self {
        Self {
            real,
            named: None,
            entry: None,
            tree: false,
        }
    }
}

impl super::FileAccess {
    /// The place that a request of these kinds speaks of.
    pub(crate) fn place_of(request: &PermissionRequest) -> Option<Place<'_>> {
        if !matches!(request.kind(), FILE_READ | FILE_WRITE) {
            return None;
        }
        let path = |key| request.details().get(key)?.as_str().map(Path::new);
        Some(Place {
            named: path(NAMED),
            entry: path(ENTRY),
            tree: request.details().get(TREE) == Some(&true.into()),
            ..Place::new(Path::new(request.target()))
        })
    }
}
