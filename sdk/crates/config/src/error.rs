//! The mistakes of a file.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// The mistakes that keep a file from being a [`Config`](crate::Config): all of them at once.
///
/// Displayed, each mistake has a line of its own. Of a file that cannot be read the [source](Error::source) is the
/// [`std::io::Error`].
#[derive(Clone)]
pub struct ConfigError {
    file: Option<Arc<str>>,
    mistakes: Vec<Mistake>,
    source: Option<Arc<io::Error>>,
}

/// A mistake in a file. Displayed as ``line 3, `tools.selectd`: there is no key `selectd`; did you mean `selected`?``.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    pub(crate) line: Option<usize>,
    pub(crate) key: String,
    pub(crate) message: String,
}

impl Mistake {
    /// A mistake of the file as a whole.
    pub(crate) fn of_file(message: impl Into<String>) -> Self {
        Self {
            line: None,
            key: String::new(),
            message: message.into(),
        }
    }

    /// Returns the line in the file, counted from 1, if it is about one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the key with the tables that it stands in, such as `roles.reviewer.never`; empty for the file as a whole.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns a clause that says what is wrong, and what would be right.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}")?;
        }
        match (self.line, &*self.key) {
            (None, "") => {}
            (Some(_), "") => f.write_str(": ")?,
            (None, key) => write!(f, "`{key}`: ")?,
            (Some(_), key) => write!(f, ", `{key}`: ")?,
        }
        f.write_str(&self.message)
    }
}

impl ConfigError {
    pub(crate) fn new(file: Option<Arc<str>>, mut mistakes: Vec<Mistake>) -> Self {
        // From the top of the file to its end, as its author goes through it.
        mistakes.sort_by_key(Mistake::line);
        Self {
            file,
            mistakes,
            source: None,
        }
    }

    pub(crate) fn unreadable(file: Arc<str>, error: io::Error) -> Self {
        let mistake = Mistake::of_file(format!("the file cannot be read: {error}"));
        Self {
            source: Some(Arc::new(error)),
            ..Self::new(Some(file), vec![mistake])
        }
    }

    /// Returns the path of the file, if the configuration was read from one.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the mistakes, in the order of their lines.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used:")?;
        for mistake in &self.mistakes {
            f.write_str("\n- ")?;
            match (
                &self.file,
                mistake.line.is_some() || !mistake.key.is_empty(),
            ) {
                (Some(file), true) => write!(f, "{file} ")?,
                (Some(file), false) => write!(f, "{file}: ")?,
                (None, _) => {}
            }
            mistake.fmt(f)?;
        }
        Ok(())
    }
}

/// Writes the text, so that `?` in `main` and `unwrap` print what a person can read.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|error| error as _)
    }
}
