//! The repository that `git` works on.
//!
//! The settings of a repository name programs that `git` runs: a pager, a file system monitor, filters,
//! hooks. So a rule that allows `git` holds for the repository of the root alone: not for one in a directory
//! that a tool may have made, nor for one elsewhere.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::git_index::submodules;
use toolwright::permission::real_path;
use toolwright_shell::{LineCommand, Word};

/// The variables that say which repository or which settings there are.
const VARIABLES: [&str; 6] = [
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
];

/// A repository as `git` finds it from a directory.
#[derive(Debug, PartialEq, Eq)]
enum Repository {
    /// No repository in any directory up to the top.
    None,
    /// The directory with a `.git` in it.
    Of(PathBuf),
    /// A directory that is one itself, without a working directory.
    Bare,
}

/// The repository of a root, looked up once for all commands of a line.
#[derive(Debug)]
pub(super) struct RootRepository {
    /// The root by the name that it was looked up by.
    named: PathBuf,
    root: PathBuf,
    own: Repository,
}

impl RootRepository {
    /// Looks up that of the root by its name and its real path. `None` if no command of `git` surely works on it.
    pub(super) fn new(named: &Path, root: &Path) -> Option<Self> {
        let own = repository_of(root);
        let is_foreign = match &own {
            Repository::None => false,
            Repository::Of(place) => place == root && has_foreign_part(root),
            Repository::Bare => true,
        };
        (!is_foreign).then(|| Self {
            named: named.to_owned(),
            root: root.to_owned(),
            own,
        })
    }

    /// Returns true if a command of `git` surely works on it, or on none.
    pub(super) fn has(&self, part: &LineCommand, start: &Path, changes: &dyn Fn() -> bool) -> bool {
        let sets = |name: &str| VARIABLES.iter().any(|variable| name.starts_with(variable));
        if part.assignments().iter().any(|set| sets(&set.name)) {
            return false;
        }
        let mut directories = part.directories(start);
        let mut words = part.words().iter().skip(1);
        while let Some(word) = words.next() {
            let Some(text) = word.known() else {
                // It may be `-C`.
                if word.may_start_with("-") {
                    return false;
                }
                break;
            };
            match text {
                "-C" => match words.next().and_then(Word::known) {
                    Some(to) => {
                        directories = directories.iter().map(|from| from.join(to)).collect();
                    }
                    None => return false,
                },
                _ if text.starts_with("--git-dir")
                    || text.starts_with("--work-tree")
                    || text.starts_with("--exec-path=")
                    || text == "--bare" =>
                {
                    return false;
                }
                "-c" | "--namespace" | "--config-env" | "--attr-source" | "--super-prefix" => {
                    words.next();
                }
                _ if text.starts_with('-') => {}
                _ => break,
            }
        }
        !directories.is_empty()
            && directories
                .iter()
                .all(|directory| self.is_of(directory, changes))
    }

    /// Returns true if `git` finds it from a directory.
    fn is_of(&self, directory: &Path, changes: &dyn Fn() -> bool) -> bool {
        // Another command of the line may make a repository that does not exist yet.
        let settled = self.own != Repository::None;
        if directory.as_os_str() == self.named.as_os_str() {
            return settled || !changes();
        }
        let Ok(directory) = real_path(directory) else {
            return false;
        };
        if directory == self.root {
            return settled || !changes();
        }
        directory.starts_with(&self.root) && repository_of(&directory) == self.own && !changes()
    }
}

/// Returns the repository that `git` finds from a directory upwards.
fn repository_of(directory: &Path) -> Repository {
    for place in directory.ancestors() {
        if place.join(".git").symlink_metadata().is_ok() {
            return Repository::Of(place.to_owned());
        }
        let has = |name: &str| place.join(name).symlink_metadata().is_ok();
        if has("HEAD") && (has("objects") || has("refs") || has("commondir")) {
            return Repository::Bare;
        }
    }
    Repository::None
}

/// The most bytes of an index that are read, and those of a file that names another directory.
const LARGEST_INDEX: u64 = 64 * 1024 * 1024;
const LARGEST_MARKER: u64 = 64 * 1024;

/// Returns true if a submodule may have a repository that is not kept in the root's own: `git status` goes
/// into it, with its settings.
fn has_foreign_part(root: &Path) -> bool {
    let Some(own) = git_directory(root) else {
        return true;
    };
    let index = own.join("index");
    if matches!(index.symlink_metadata(), Err(error) if error.kind() == ErrorKind::NotFound) {
        return false;
    }
    let Some(modules) = read(&index, LARGEST_INDEX).and_then(|bytes| submodules(&bytes)) else {
        // It may name any submodule.
        return true;
    };
    modules.into_iter().any(|path| {
        let module = root.join(path);
        let marker = module.join(".git");
        let is_kept = || git_directory(&module).is_some_and(|kept| kept.starts_with(&own));
        // A directory could be any repository that was put there.
        marker.symlink_metadata().is_ok() && !(marker.is_file() && is_kept())
    })
}

/// Returns the directory in which a working directory keeps its repository.
fn git_directory(working: &Path) -> Option<PathBuf> {
    let marker = working.join(".git");
    if !marker.is_file() {
        return real_path(&marker).ok();
    }
    let text = String::from_utf8(read(&marker, LARGEST_MARKER)?).ok()?;
    let target = text.strip_prefix("gitdir:")?;
    real_path(&working.join(target.trim())).ok()
}

/// Reads a plain file of at most so many bytes.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let found = path.metadata().ok()?;
    if !found.is_file() || found.len() > most {
        return None;
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
