//! Files that the owner alone may read, and that are there for good.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Sets the rights of a file that is made.
pub(crate) fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Writes a folder to the disk: a file that was made in it is there for good after that.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
