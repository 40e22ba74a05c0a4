//! Policies as files.

use std::path::Path;
use std::sync::Arc;

use super::{Loaded, Section, read};
use crate::PermissionPolicy;
use crate::problem::PolicyError;
use crate::toml_reader::text_of;

impl PermissionPolicy {
    #[doc = include_str!("../../docs/policy.md")]
    ///
    /// # Errors
    ///
    /// Fails if there is a mistake in the text or its rules. The error lists all mistakes; text that is not TOML ends
    /// the reading and is reported alone.
    pub fn from_toml(text: &str, root: impl AsRef<Path>) -> Result<Self, PolicyError> {
        let policy = build(text, &Section::default(), root.as_ref(), None);
        // A whole file is there.
        policy.unwrap_or_else(|| Self::builder(root).build())
    }

    /// Reads the policy in a table of a larger text, such as the settings of an app: with the section `policy`, the
    /// table `[policy]`, with `[policy.trees]` and rules below `[[policy.allow]]`. Its keys are those of
    /// [`from_toml`](Self::from_toml); what else the text has is not looked at. `None` if there is no such table.
    ///
    /// The section is the name of the table, its parts with dots between. Mistakes name the lines of the text, and the
    /// file if it has a name.
    ///
    /// ```
    /// use toolwright_policy::PermissionPolicy;
    ///
    /// let settings = r#"
    /// timeout = "20 s"
    ///
    /// [policy]
    /// default = "ask"
    ///
    /// [[policy.deny]]
    /// comands = ["git push"]
    /// "#;
    /// let error = PermissionPolicy::from_toml_section(settings, "policy", Some("app.toml"), "/srv/app").unwrap_err();
    /// let told = error.problems()[0].to_string();
    /// assert!(told.starts_with("app.toml line 8, deny rule 1: there is no key `comands`"), "{told}");
    /// assert!(PermissionPolicy::from_toml_section(settings, "rules", None, "/srv/app")?.is_none());
    /// # Ok::<(), toolwright_policy::PolicyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As by [`from_toml`](Self::from_toml). A text that is no TOML is told of once.
    pub fn from_toml_section(
        text: &str,
        section: &str,
        file: Option<&str>,
        root: impl AsRef<Path>,
    ) -> Result<Option<Self>, PolicyError> {
        let file = file.map(Arc::from);
        let section = Section::named(section);
        build(text, &section, root.as_ref(), file.as_ref()).transpose()
    }

    /// The policy of a file, as [`from_toml`](Self::from_toml) reads it: UTF-8 text of at most 1 MiB.
    /// Relative paths in it start at the root, wherever the file lies.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or as [`from_toml`](Self::from_toml) does. The problems name the file.
    pub fn load(file: impl AsRef<Path>, root: impl AsRef<Path>) -> Result<Self, PolicyError> {
        let file = file.as_ref();
        let name: Arc<str> = file.display().to_string().into();
        let text = text_of(file).map_err(|error| PolicyError::unreadable(&name, error))?;
        let policy = build(&text, &Section::default(), root.as_ref(), Some(&name));
        policy.unwrap_or_else(|| Self::builder(root).build())
    }
}

/// The policy of a section. `None` if there is no such section.
fn build(
    text: &str,
    section: &Section,
    root: &Path,
    file: Option<&Arc<str>>,
) -> Option<Result<PermissionPolicy, PolicyError>> {
    let Loaded {
        default,
        shared,
        rules,
        problems,
    } = read(text, section, file)?;
    let policy = PermissionPolicy::builder(root)
        .default_verdict(default.unwrap_or_default())
        .shared(shared)
        .rules(rules)
        .with_text(file.cloned(), problems)
        .build();
    Some(policy)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use std::error::Error;
    use std::io;

    use super::*;
    use crate::toml_reader::MAX_SIZE;

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
