//! Requests for files.

use std::io;
use std::path::{Path, PathBuf};

use soft_canonicalize::soft_canonicalize;

use super::request::SUMMARY;
use super::{Containment, IntoRequests, PermissionRequest};
use crate::character::one_line;
use crate::message::ToolError;

/// A request to read or write a file or directory, for `permission = FileAccess::read(path)`.
///
/// The target of the request is where the path really leads: `..` and symbolic links are
/// resolved, for what does not exist yet as far as it exists. With a root, a relative path starts
/// there, and the request says whether it leads [outside](Containment::Outside); the built-in
/// checkers deny that. Without one, a relative path starts at the working directory.
///
/// A check of a path is a check of text: between the check and the use, a link may change. So a
/// confined tool opens its files through a handle of its root (`cap_std::fs::Dir`, for
/// instance), never by the path that was judged.
///
/// ```
/// use toolwright::{Containment, FileAccess, IntoRequests};
///
/// let root = std::env::temp_dir();
/// let requests = FileAccess::read("../etc/passwd").within(&root).into_requests()?;
/// assert_eq!(requests[0].kind(), "file.read");
/// assert_eq!(requests[0].containment(), Containment::Outside);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FileAccess {
    mode: Mode,
    path: PathBuf,
    root: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
enum Mode {
    Read,
    Write,
}

impl FileAccess {
    /// To read a file or list a directory.
    pub fn read(path: impl AsRef<Path>) -> Self {
        Self::new(Mode::Read, path.as_ref())
    }

    /// To create, change or remove a file or directory.
    pub fn write(path: impl AsRef<Path>) -> Self {
        Self::new(Mode::Write, path.as_ref())
    }

    fn new(mode: Mode, path: &Path) -> Self {
        Self {
            mode,
            path: path.to_owned(),
            root: None,
        }
    }

    /// Confines the request to a directory, which must exist.
    pub fn within(mut self, root: impl AsRef<Path>) -> Self {
        self.root = Some(root.as_ref().to_owned());
        self
    }

    fn resolve(&self) -> io::Result<(PathBuf, Containment)> {
        let Some(root) = &self.root else {
            return Ok((soft_canonicalize(&self.path)?, Containment::Unconfined));
        };
        let root = root.canonicalize()?;
        let target = soft_canonicalize(root.join(&self.path))?;
        let containment = if target.starts_with(&root) {
            Containment::Inside
        } else {
            Containment::Outside
        };
        Ok((target, containment))
    }
}

#[diagnostic::do_not_recommend]
impl IntoRequests for FileAccess {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        let shown = one_line(&self.path.to_string_lossy(), SUMMARY);
        let (target, containment) = self.resolve().map_err(|error| {
            // A path that cannot be judged is refused: nothing is known of where it leads.
            ToolError::denied(format!(
                "the call was denied: it cannot be told where `{shown}` leads"
            ))
            .with_source(error)
        })?;
        let target = target.into_os_string().into_string().map_err(|_| {
            ToolError::denied(format!(
                "the call was denied: `{shown}` leads to a path that is not UTF-8"
            ))
        })?;
        let (kind, verb) = match self.mode {
            Mode::Read => ("file.read", "Read"),
            Mode::Write => ("file.write", "Write"),
        };
        let request = PermissionRequest::new(kind, target, format!("{verb} `{shown}`"))
            .with_containment(containment);
        Ok(vec![request])
    }
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn containment(path: &str, root: &Path) -> Containment {
        let requests = FileAccess::write(path).within(root).into_requests();
        requests.unwrap()[0].containment()
    }

    #[test]
    fn links_and_dots_are_followed_to_where_they_lead() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(dir.path().join("secret"), "x").unwrap();
        symlink(dir.path().join("secret"), root.join("file-out")).unwrap();
        symlink(dir.path(), root.join("dir-out")).unwrap();
        symlink(dir.path().join("not-there"), root.join("dangling-out")).unwrap();
        symlink("sub", root.join("dir-in")).unwrap();
        symlink("chain-b", root.join("chain-a")).unwrap();
        symlink("../secret", root.join("chain-b")).unwrap();

        for inside in [
            "a.txt",
            "sub/../a.txt",
            "dir-in/new.txt",
            "new/deep/file",
            "sub/./x",
            "new/../a.txt",
        ] {
            assert_eq!(containment(inside, &root), Containment::Inside, "{inside}");
        }
        for outside in [
            "..",
            "../secret",
            "sub/../../secret",
            "/etc/passwd",
            "file-out",
            "dir-out/secret",
            "dir-out/new",
            "dangling-out",
            "dangling-out/below",
            "chain-a",
            "dir-in/../../secret",
            "new/../../secret",
        ] {
            assert_eq!(
                containment(outside, &root),
                Containment::Outside,
                "{outside}"
            );
        }
    }

    #[test]
    fn a_root_next_door_is_outside() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(dir.path().join("root-2")).unwrap();
        assert_eq!(containment("../root-2/x", &root), Containment::Outside);
    }

    #[test]
    fn a_loop_or_a_missing_root_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        symlink("b", dir.path().join("a")).unwrap();
        symlink("a", dir.path().join("b")).unwrap();
        let loops = FileAccess::read("a").within(dir.path()).into_requests();
        assert!(loops.is_err());
        let no_root = FileAccess::read("a")
            .within(dir.path().join("nowhere"))
            .into_requests();
        let error = no_root.unwrap_err();
        assert_eq!(error.kind(), crate::message::ErrorKind::Denied);
        assert!(std::error::Error::source(&error).is_some());
    }
}
