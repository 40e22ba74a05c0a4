//! The faults of an input schema, and the parts of it that nothing enforces.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The reason why arguments cannot be checked by an input schema.
///
/// [`source`](Error::source) is the validator's own error, if there is one.
#[derive(Clone)]
pub struct SchemaError {
    pointer: String,
    message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

crate::util::error_text::debug_as_text!(SchemaError);

impl SchemaError {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
            source: None,
        }
    }

    #[cfg(feature = "json-schema")]
    pub(crate) fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// JSON pointer (RFC 6901) to the place in the schema; empty for the schema as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The fault there, in words.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl PartialEq for SchemaError {
    /// Compares place and message. The sources are errors, which have no equality.
    fn eq(&self, other: &Self) -> bool {
        (&self.pointer, &self.message) == (&other.pointer, &other.message)
    }
}

impl Eq for SchemaError {}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "at `{}`: {}", self.pointer, self.message)
        }
    }
}

impl Error for SchemaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// A keyword of an input schema that nothing enforces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unenforced {
    keyword: String,
    pointer: String,
}

impl Unenforced {
    pub(crate) fn new(keyword: impl Into<String>, pointer: impl Into<String>) -> Self {
        Self {
            keyword: keyword.into(),
            pointer: pointer.into(),
        }
    }

    /// The keyword, such as `pattern`.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// JSON pointer (RFC 6901) to the place among the arguments, in which `*` stands for every
    /// element of a list and every key of a map; empty for the arguments as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Unenforced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.pointer {
            "" => write!(f, "`{}`", self.keyword),
            pointer => write!(f, "`{}` at `{pointer}`", self.keyword),
        }
    }
}

/// The reason why arguments cannot be checked by an input schema.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaFault {
    /// It is no valid schema, or refers to a part that it lacks.
    Broken(SchemaError),
    /// It needs a validator, and the program is built without one.
    Unenforced(Vec<Unenforced>),
}
