//! The directory that a line runs in: the one that was judged, whatever its path leads to by then.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, open, openat};

/// A directory that is held open. A line is started in what is held: a link that comes to stand in
/// its path after the judgement leads no line elsewhere.
///
/// On systems other than Linux no path leads to what is held, and a line is started by the path of
/// the directory.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    held: OwnedFd,
}

/// To be held, a directory need not be readable where the system can do without.
#[cfg(target_os = "linux")]
const HELD: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const HELD: OFlags = OFlags::RDONLY;

impl Directory {
    /// Opens a directory by its real path, name by name. A link in it is an error.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = HELD | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut held = open("/", flags, Mode::empty())?;
        for part in path.components() {
            match part {
                Component::RootDir => {}
                Component::Normal(name) => held = openat(&held, name, flags, Mode::empty())?,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        if !path.is_absolute() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(Self {
            path: path.to_owned(),
            held,
        })
    }

    /// The path to start a process by.
    pub(super) fn to_start_in(&self) -> PathBuf {
        if cfg!(target_os = "linux") {
            // It leads to what is held, and not to where that was found. The child has it open until
            // it becomes another program.
            format!("/proc/self/fd/{}", self.held.as_raw_fd()).into()
        } else {
            self.path.clone()
        }
    }
}
