//! Requests for files.

mod resolve;

mod place;

use std::borrow::Cow;
use std::io;
use std::path::{Component, Path, PathBuf};

pub use place::{BaseDirectory, FilePlace, LocatedFile};
use resolve::clean;
pub use resolve::real_path;

use super::additions::{Additions, takes_additions};
use super::request::SUMMARY;
use super::{IntoRequests, PathScope, PermissionRequest};
use crate::content::ToolError;
use crate::util::character::as_one_line;

/// The kinds of the requests.
pub(super) const FILE_READ: &str = FileAccess::READ;
pub(super) const FILE_WRITE: &str = FileAccess::WRITE;
/// Keys of details.
const NAMED: &str = "named";
const ENTRY: &str = "entry";
const TREE: &str = "tree";
pub(super) const ROOT: &str = "root";

/// A request to read or write a file or directory, for `permission = FileAccess::read(path)`.
///
/// The target of the request is where the path really leads: `..` and symbolic links are
/// resolved, also those that lead to what does not exist yet. With a root, a relative path starts
/// there, and the request says whether it leads [outside](PathScope::Outside); the built-in
/// checkers deny that. Without one, a relative path starts at the working directory.
///
/// ```
/// use toolwright::FileAccess;
/// use toolwright::permission::{IntoRequests, PathScope};
///
/// let root = std::env::temp_dir();
/// let requests = FileAccess::read("../etc/passwd").within(&root).into_requests()?;
/// assert_eq!(requests[0].kind(), "file.read");
/// assert_eq!(requests[0].containment(), PathScope::Outside);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
///
/// | detail | value | there when |
/// |---|---|---|
/// | `named` | the absolute path as it was named, without `.`, `..` and doubled slashes | it is not the target |
/// | `entry` | where the name itself lies, the directory resolved: of a link, the link | it is neither, and the request is one to write: a write may replace or remove the link |
/// | `tree` | `true` | everything below the path is meant too |
/// | `root` | where the root really is | there is a root |
///
/// # What a path cannot tell
///
/// A check of a path is a check of text, and between the check and the use a link may change. A
/// tool closes that gap so:
///
/// 1. It opens what was judged, and not what was named: the target, which has no link in it.
/// 2. It opens it without following links, from a handle of its root: `cap_std::fs::Dir` or
///    `openat2` with `RESOLVE_NO_SYMLINKS`. A link that was put there since is then an error.
/// 3. A tool that can only open by path opens first, without truncating, asks the system what it has opened, and goes
///    on only if that is the file that was judged.
///
/// ```
/// # #[cfg(target_os = "linux")] {
/// use std::fs::File;
/// use std::io::{self, Read};
/// use std::os::fd::AsRawFd;
/// use std::path::Path;
///
/// // The third habit, on Linux. `judged` is the target of the request that was allowed.
/// fn read_judged(judged: &Path) -> io::Result<String> {
///     let mut file = File::open(judged)?;
///     // Not the path once more, which may lead elsewhere by now: the handle.
///     let opened = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
///     if opened != judged {
///         return Err(io::Error::other("the path leads elsewhere since it was judged"));
///     }
///     let mut text = String::new();
///     file.read_to_string(&mut text)?;
///     Ok(text)
/// }
/// # let dir = std::env::temp_dir().canonicalize()?;
/// # let [path, link] = ["a", "b"].map(|x| dir.join(format!("toolwright-judged-{x}-{}", std::process::id())));
/// # std::fs::write(&path, "x")?;
/// # std::os::unix::fs::symlink(&path, &link)?;
/// # assert_eq!(read_judged(&path)?, "x");
/// # assert!(read_judged(&link).is_err());
/// # std::fs::remove_file(&path)?;
/// # std::fs::remove_file(&link)?;
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Nor does a path tell of hard links (two names of one file), of mounts (one directory in two
/// places) or of other namespaces (`/proc/1/root` may be another system's `/`).
#[derive(Debug, Clone)]
pub struct FileAccess {
    kind: &'static str,
    tree: bool,
    path: PathBuf,
    root: Option<PathBuf>,
    additions: Additions,
}

takes_additions!(FileAccess);

/// The paths of a request.
#[derive(Debug)]
struct Resolved {
    target: PathBuf,
    named: Option<PathBuf>,
    entry: Option<PathBuf>,
    root: Option<PathBuf>,
    containment: PathScope,
}

impl FileAccess {
    /// The kind of a request to read.
    pub const READ: &'static str = "file.read";

    /// The kind of a request to write.
    pub const WRITE: &'static str = "file.write";

    /// To read a file or list a directory.
    ///
    /// Also for a tool that goes through a tree and asks about each file as it comes to it.
    pub fn read(path: impl AsRef<Path>) -> Self {
        Self::new(FILE_READ, false, path.as_ref())
    }

    /// To create, change or remove a file or an empty directory.
    pub fn write(path: impl AsRef<Path>) -> Self {
        Self::new(FILE_WRITE, false, path.as_ref())
    }

    /// To read a directory and everything below it.
    ///
    /// A rule that keeps something below it from being read makes that a question, whether there is
    /// such a file or not. A tool that asks about each file as it comes to it, and leaves out what it
    /// may not read, proposes [`read`](Self::read).
    pub fn read_tree(path: impl AsRef<Path>) -> Self {
        Self::new(FILE_READ, true, path.as_ref())
    }

    /// To change, move or remove a file, or a directory and everything below it.
    ///
    /// So a file that a rule protects from writes cannot be removed with a directory above it: a person is asked at
    /// least. A move is a write of both paths, and a read of the first: a file that may not be read there may be
    /// readable elsewhere.
    pub fn write_tree(path: impl AsRef<Path>) -> Self {
        Self::new(FILE_WRITE, true, path.as_ref())
    }

    fn new(kind: &'static str, tree: bool, path: &Path) -> Self {
        Self {
            kind,
            tree,
            path: path.to_owned(),
            root: None,
            additions: Additions::default(),
        }
    }

    /// Sets the root of the request, a directory that must exist: a relative path starts there, and a path that leads
    /// out of it is denied. Default: no root; a relative path starts at the working directory of the process.
    pub fn within(mut self, root: impl AsRef<Path>) -> Self {
        self.root = Some(root.as_ref().to_owned());
        self
    }

    fn resolve(&self, real_path: impl Fn(&Path) -> io::Result<PathBuf>) -> io::Result<Resolved> {
        let root = self.root.as_ref().map(|root| root.canonicalize());
        let root = root.transpose()?;
        let path = match &root {
            Some(root) => Cow::Owned(root.join(&self.path)),
            None if self.path.is_absolute() => Cow::Borrowed(&self.path),
            None => Cow::Owned(std::env::current_dir()?.join(&self.path)),
        };
        let target = real_path(&path)?;
        let mut named = None;
        let mut entry = None;
        // Paths are compared by their parts: `a//b/` is `a/b`.
        if target != **path {
            named = clean(&path).filter(|named| *named != target);
        }
        if named.is_some() && self.kind == FILE_WRITE {
            entry =
                entry_of(&path)?.filter(|entry| *entry != target && named.as_ref() != Some(entry));
        }
        let containment = root.as_ref().map_or(PathScope::Unconfined, |root| {
            let is_inside = |path: &PathBuf| path.starts_with(root);
            if is_inside(&target) && entry.as_ref().is_none_or(is_inside) {
                PathScope::Inside
            } else {
                PathScope::Outside
            }
        });
        Ok(Resolved {
            target,
            named,
            entry,
            root,
            containment,
        })
    }
}

/// Returns the place of a name itself: its directory resolved, the name not.
pub(crate) fn entry_of(path: &Path) -> io::Result<Option<PathBuf>> {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    Ok(Some(real_path(directory)?.join(name)))
}

/// Returns the reason why a path cannot be judged, if its text alone shows one.
fn fault(path: &Path) -> Option<&'static str> {
    let bytes = path.as_os_str().as_encoded_bytes();
    // On Windows `file:stream` and `file::$DATA` are other names of what is in `file`.
    let is_stream = |part: Component<'_>| matches!(part, Component::Normal(name) if name.as_encoded_bytes().contains(&b':'));
    if bytes.is_empty() {
        Some("the path is empty")
    } else if bytes.contains(&0) {
        Some("the path has a NUL character in it")
    } else if cfg!(windows) && path.components().any(is_stream) {
        Some("the path names a stream of a file")
    } else {
        None
    }
}

#[diagnostic::do_not_recommend]
impl IntoRequests for FileAccess {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        let lossy = || self.path.to_string_lossy();
        let named = self.path.to_str().map_or_else(lossy, Cow::Borrowed);
        let shown = || as_one_line(&named, SUMMARY);
        let denied = |why: String| ToolError::denied(format!("the call was denied: {why}"));
        if let Some(fault) = fault(&self.path) {
            return Err(denied(fault.to_owned()));
        }
        let resolved = self.resolve(real_path).map_err(|error| {
            // A path that cannot be judged is refused: nothing is known of where it leads.
            denied(format!("it cannot be told where `{}` leads", shown())).with_source(error)
        })?;
        let text = |path: PathBuf| {
            path.into_os_string()
                .into_string()
                .map_err(|_| denied(format!("`{}` leads to a path that is not UTF-8", shown())))
        };
        let verb = match (self.kind == FILE_WRITE, self.tree) {
            (false, false) => "Read",
            (true, false) => "Write",
            (false, true) => "Read everything in",
            (true, true) => "Write everything in",
        };
        let summary = [verb, " `", &shown(), "`"].concat();
        let mut request = PermissionRequest::new(self.kind, text(resolved.target)?, summary)
            .with_containment(resolved.containment);
        if let Some(named) = resolved.named {
            request = request.with_detail(NAMED, text(named)?);
        }
        if let Some(entry) = resolved.entry {
            request = request.with_detail(ENTRY, text(entry)?);
        }
        if self.tree {
            request = request.with_detail(TREE, true);
        }
        if let Some(root) = resolved.root {
            request = request.with_detail(ROOT, text(root)?);
        }
        Ok(vec![self.additions.add_to(request)])
    }
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests;
