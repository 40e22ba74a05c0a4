//! Words of a command.

/// One word of a command, after quotes and escapes are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// What the command gets.
    Known(String),
    /// What the command gets is not known before it runs.
    Unknown {
        /// As it is written.
        shown: String,
        /// What it begins with.
        prefix: String,
        /// What it ends with.
        suffix: String,
        /// Whether it may become no word, or several.
        splits: bool,
    },
}

impl Word {
    /// The text, if it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Unknown { .. } => None,
        }
    }

    /// Whether it is, or may turn out to be, this text, or begin with it where it splits.
    pub(crate) fn may_be(&self, text: &str) -> bool {
        match self {
            Self::Known(known) => known == text,
            Self::Unknown {
                prefix,
                suffix,
                splits,
                ..
            } => {
                text.starts_with(prefix.as_str())
                    && (*splits
                        || (text.ends_with(suffix.as_str())
                            && text.len() >= prefix.len() + suffix.len()))
            }
        }
    }
}
