//! Options for files.

use std::path::{Component, Path, PathBuf};

use super::{quoted, this_request};
use crate::permission::file::{FILE_WRITE, ROOT};
use crate::permission::{FileAccess, FilePlace, PermissionRequest};
use crate::ticket::{GrantScope, TrustOption};

/// The most directories that are offered besides the root.
const DIRECTORIES: usize = 3;

/// The least names in the path of a directory that no root contains: nothing is offered right below
/// the top, such as `/etc` or `/usr`.
const DEEP: usize = 2;

/// The file, the directory that it is in and those above up to the root; without a root only the
/// directory that it is in.
pub(super) fn options(request: &PermissionRequest, options: &mut Vec<TrustOption>) {
    let Some(place) = FileAccess::place_of(request) else {
        return;
    };
    if !place.tree {
        // The label says which: a call may ask for several, and a link leads to another.
        options.extend(quoted(request.target()).map(|target| {
            TrustOption::new(
                format!("{} just {target}", verb(request)),
                GrantScope::target(request.kind(), request.target()),
            )
        }));
        options.push(this_request("just this file, by this path", request));
    }
    let home = std::env::home_dir();
    let home = home.as_deref().map(Homes::of);
    for directory in directories(request, &place) {
        let is_safe = home.as_ref().is_none_or(|home| !home.lie_in(directory));
        if let (true, Some(text)) = (is_safe, directory.to_str()) {
            options.extend(tree(request, text));
        }
    }
}

/// Offers a file once. The path that it was named by counts only where it has more to it than where
/// it leads, such as a link that lies elsewhere: then the file alone does not cover what is asked.
pub(super) fn once(fit: &mut Vec<TrustOption>) {
    let file = |option: &TrustOption| matches!(option.covers(), GrantScope::Target { .. });
    if fit.iter().any(file) {
        fit.retain(|option| !matches!(option.covers(), GrantScope::Request { .. }));
    }
}

fn verb(request: &PermissionRequest) -> &'static str {
    if request.kind() == FILE_WRITE {
        "write"
    } else {
        "read"
    }
}

fn tree(request: &PermissionRequest, directory: &str) -> Option<TrustOption> {
    Some(TrustOption::new(
        format!("{} anything below {}", verb(request), quoted(directory)?),
        GrantScope::Tree {
            kind: request.kind().to_owned(),
            directory: directory.to_owned(),
        },
    ))
}

/// The directories, the innermost first.
fn directories<'p>(request: &'p PermissionRequest, place: &FilePlace<'p>) -> Vec<&'p Path> {
    let root = request.details().get(ROOT).and_then(|root| root.as_str());
    let root = root.map(Path::new).filter(|root| root.is_absolute());
    let first = if place.tree {
        Some(place.real)
    } else {
        place.real.parent()
    };
    let Some(first) = first else {
        return Vec::new();
    };
    let Some(root) = root else {
        return Some(first)
            .filter(|directory| names(directory) >= DEEP && !is_hidden(directory))
            .into_iter()
            .collect();
    };
    let inside = first
        .ancestors()
        .take_while(|directory| directory.starts_with(root) && *directory != root);
    let mut directories: Vec<&Path> = inside
        // Hidden files decide what programs do: `.git/hooks`, `.vscode`, `.cargo`.
        .filter(|directory| {
            directory
                .strip_prefix(root)
                .is_ok_and(|below| !is_hidden(below))
        })
        .take(DIRECTORIES)
        .collect();
    if first.starts_with(root) && names(root) > 0 {
        directories.push(root);
    }
    directories
}

fn names(path: &Path) -> usize {
    let normal = |part: &Component<'_>| matches!(part, Component::Normal(_));
    path.components().filter(normal).count()
}

fn is_hidden(path: &Path) -> bool {
    path.components().any(
        |part| matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b".")),
    )
}

/// The names that the home directory goes by.
struct Homes {
    named: PathBuf,
    real: Option<PathBuf>,
}

impl Homes {
    fn of(home: &Path) -> Self {
        Self {
            named: home.to_owned(),
            real: home.canonicalize().ok(),
        }
    }

    /// Returns true if the home directory is this one, or lies in it.
    fn lie_in(&self, directory: &Path) -> bool {
        let names = std::iter::once(&self.named).chain(&self.real);
        names
            .filter(|home| home.is_absolute())
            .any(|home| home.starts_with(directory))
    }
}
