//! The configuration, and how it reaches an executor and its sessions.

use std::path::Path;
use std::sync::Arc;

use toolwright::ExecutorBuilder;
use toolwright::executor::SessionOptions;
use toolwright::registry::Selector;
use toolwright_policy::PermissionPolicy;
use toolwright_policy::toml_reader::text_of;

use crate::document::{self, Document};
use crate::error::ConfigError;

/// The configuration of one file, without mistakes: see the [page of the crate](crate).
#[derive(Debug, Clone)]
pub struct Config {
    document: Document,
}

impl Config {
    /// Reads a file of UTF-8 text of at most 1 MiB. Relative paths in it start at the folder that it lies in.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or has mistakes; the error lists all of them, each with its line and key.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = file.as_ref();
        let name: Arc<str> = path.display().to_string().into();
        let text =
            text_of(path).map_err(|error| ConfigError::unreadable(Arc::clone(&name), error))?;
        let root = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Self::new(&text, root, Some(name))
    }

    /// Reads a text. Relative paths in it start at the root.
    ///
    /// ```
    /// use toolwright_config::Config;
    ///
    /// let error = Config::from_toml("[tools]\nselectd = [\"fs.*\"]\n", ".").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the configuration cannot be used:\n\
    ///      - line 2, `tools.selectd`: there is no key `selectd`; did you mean `selected`?"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read).
    pub fn from_toml(text: &str, root: impl AsRef<Path>) -> Result<Self, ConfigError> {
        Self::new(text, root.as_ref(), None)
    }

    fn new(text: &str, root: &Path, file: Option<Arc<str>>) -> Result<Self, ConfigError> {
        // A program's own directory has no say in where a relative path leads.
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        match document::read(text, file.as_deref(), &root) {
            Ok(document) => Ok(Self { document }),
            Err(mistakes) => Err(ConfigError::new(file, mistakes)),
        }
    }

    /// Sets up an executor: its permission checker, features, hooks, and the rules of sessions below others. What the file
    /// does not speak of stays as the builder has it; the builder's own hooks run before those of the file.
    pub fn apply(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        let document = &self.document;
        let mut builder = document.hooks.apply(builder);
        if let Some(policy) = &document.policy {
            builder = builder.permission_checker(Arc::clone(policy));
        }
        if let Some(rules) = &document.sub_sessions {
            builder = builder.sub_session_rules(rules.clone());
        }
        for feature in &document.features {
            builder = builder.feature_gate(feature.clone());
        }
        builder
    }

    /// Returns the options of a session with the tools of the section `tools`.
    pub fn session(&self) -> SessionOptions {
        with_tools(SessionOptions::new(), self.document.selected.as_ref())
    }

    /// Returns the options of a session in a role, by its name in the section `roles`: with the rules of the role and the
    /// tools that it selects, or else those of the section `tools`. `None` if the file has no such role.
    pub fn role(&self, name: &str) -> Option<SessionOptions> {
        let role = self.document.roles.get(name)?;
        let selected = role.selected.as_ref().or(self.document.selected.as_ref());
        Some(with_tools(SessionOptions::new(), selected).role(role.rules.clone()))
    }

    /// Returns the names of the roles, sorted.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.document.roles.keys().map(String::as_str)
    }

    /// Returns the policy, for explanations and for sessions with a checker of their own.
    pub fn policy(&self) -> Option<&Arc<PermissionPolicy>> {
        self.document.policy.as_ref()
    }
}

fn with_tools(options: SessionOptions, selected: Option<&Selector>) -> SessionOptions {
    match selected {
        Some(selected) => options.tools(selected.clone()),
        None => options,
    }
}
