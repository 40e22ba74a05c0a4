//! Commands that only read.

use std::path::Path;

use super::files::FileUse;
use super::part::Part;

/// The files that a command reads, if it is known to do nothing but read.
pub(crate) fn read_only(_part: &Part, _start: &Path) -> Option<Vec<FileUse>> {
    None
}
