//! Policies as files.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use super::{Flaw, Loaded, MAX_SIZE, Place, read};
use crate::permission::policy::PermissionPolicy;
use crate::permission::policy::problem::{PolicyError, Problem, RulePlace};

impl PermissionPolicy {
    #[doc = include_str!("../../../../docs/policy.md")]
    ///
    /// # Errors
    ///
    /// When there is anything wrong with the text or its rules. The error tells of all of it; what
    /// is not TOML ends the reading and is told alone.
    pub fn from_toml(text: &str, root: impl AsRef<Path>) -> Result<Self, PolicyError> {
        build(text, root.as_ref(), None)
    }

    /// The policy of a file, as [`from_toml`](Self::from_toml) reads it: UTF-8 text of at most 1 MiB.
    /// Relative paths in it start at the root, wherever the file lies.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml) says. The problems name
    /// the file.
    pub fn load(file: impl AsRef<Path>, root: impl AsRef<Path>) -> Result<Self, PolicyError> {
        let file = file.as_ref();
        let name: Arc<str> = file.display().to_string().into();
        let text = text_of(file).map_err(|error| {
            let problem = Problem::of_policy(None, format!("the file cannot be read: {error}"));
            PolicyError::new(vec![problem.in_file(Some(&name))])
        })?;
        build(&text, root.as_ref(), Some(&name))
    }
}

/// The text of a file, or more of it than a policy has.
fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let most = u64::try_from(MAX_SIZE).unwrap_or(u64::MAX);
    // A little more, which tells that it is too much.
    let mut file = File::open(path)?.take(most.saturating_add(1));
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SIZE {
        // Where it is cut may be within a character.
        bytes.resize(MAX_SIZE, b' ');
    }
    text.push_str(&String::from_utf8_lossy(&bytes));
    Ok(text)
}
