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
        let text = text_of(file).map_err(|error| PolicyError::unreadable(&name, error))?;
        build(&text, root.as_ref(), Some(&name))
    }
}

/// The text of a file, at most a little more than a policy may have: a pipe may never end.
fn text_of(path: &Path) -> io::Result<String> {
    let most = u64::try_from(MAX_SIZE).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SIZE {
        // It may have been cut within a character, and is too long whatever it says: that is told.
        bytes.fill(b' ');
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

fn build(
    text: &str,
    root: &Path,
    file: Option<&Arc<str>>,
) -> Result<PermissionPolicy, PolicyError> {
    let Loaded {
        default,
        shared,
        rules,
        flaws,
    } = read(text);
    let problems = flaws.into_iter().map(|flaw| problem(flaw, file)).collect();
    PermissionPolicy::builder(root)
        .default_verdict(default.unwrap_or_default())
        .shared(shared)
        .rules(rules)
        .with_text(file.cloned(), problems)
        .build()
}

fn problem(flaw: Flaw, file: Option<&Arc<str>>) -> Problem {
    let Flaw {
        line,
        place,
        message,
    } = flaw;
    match place {
        Place::File => Problem::of_policy(line, message),
        Place::Trees => Problem::of_policy(line, format!("in `[trees]`, {message}")),
        Place::Rule {
            verdict,
            number,
            line: begins,
        } => {
            let rule = RulePlace::new(verdict, number, Some(begins), file.cloned());
            Problem::of_rule(&rule, message).at_line(line)
        }
    }
    .in_file(file)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn what_is_wrong_with_a_file_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let told = |name: &str| {
            let error = PermissionPolicy::load(dir.path().join(name), "/srv/app").unwrap_err();
            let text = error
                .to_string()
                .replace(&*dir.path().to_string_lossy(), "DIR");
            let source = error.source().and_then(|error| error.downcast_ref());
            (text, source.map(io::Error::kind))
        };
        let (text, kind) = told("none.toml");
        let says = "the policy cannot be used:\n- DIR/none.toml: the file cannot be read: ";
        assert!(text.starts_with(says), "{text}");
        assert_eq!(kind, Some(io::ErrorKind::NotFound));
        std::fs::write(dir.path().join("bytes.toml"), b"\xff").unwrap();
        let (text, kind) = told("bytes.toml");
        assert!(text.ends_with("it is not UTF-8 text"), "{text}");
        assert_eq!(kind, Some(io::ErrorKind::Other));
        std::fs::write(dir.path().join("large.toml"), vec![b'#'; MAX_SIZE + 1]).unwrap();
        let (text, kind) = told("large.toml");
        assert!(
            text.contains("- DIR/large.toml: the file has more than 1 MiB"),
            "{text}"
        );
        assert_eq!(kind, None);
        std::fs::write(
            dir.path().join("two.toml"),
            "a = 1\n[[deny]]\ntools = [\"a b\"]",
        )
        .unwrap();
        let (text, kind) = told("two.toml");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with("- DIR/two.toml line 1: there is no key `a`"),
            "{text}"
        );
        assert!(
            lines[2].starts_with("- DIR/two.toml line 2, deny rule 1: `a b`"),
            "{text}"
        );
        assert_eq!((lines.len(), kind), (3, None));
    }
}
