//! An answer that fits its question.

use std::fmt;

use serde_json::{Value, json};

/// The reason why an answer does not fit its question, for the person who answers: it says what would be right.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidReply(pub(super) String);

crate::util::error_text::debug_as_text!(InvalidReply);

/// The answer of a person, read and checked.
///
/// Its `Display` is the answer for a model to read. A secret shows in neither that nor `Debug`.
///
/// ```
/// use toolwright::question::Question;
/// use serde_json::json;
///
/// let question = Question::choices("Which toppings?", ["ham", "olives"]).other();
/// let reply = question.check(&json!(["olives", {"other": "figs"}]))?;
/// assert_eq!(reply.choices().collect::<Vec<_>>(), ["olives", "figs"]);
/// assert_eq!(reply.to_string(), "olives, figs");
/// # Ok::<(), toolwright::question::InvalidReply>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    pub(super) said: ReplyContent,
    pub(super) by_default: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum ReplyContent {
    Choice(Selection),
    Choices(Vec<Selection>),
    Text { text: String, secret: bool },
    YesNo(bool),
}

/// The choice of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selection {
    /// An option of the question.
    #[non_exhaustive]
    Offered {
        /// Its place among the options, counted from 0.
        index: usize,
        /// Its label.
        label: String,
    },
    /// Another text.
    Other(String),
}

impl Selection {
    /// The label, or the other text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Offered { label, .. } => label,
            Self::Other(text) => text,
        }
    }

    /// The place among the options, counted from 0.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Offered { index, .. } => Some(*index),
            Self::Other(_) => None,
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Offered { label, .. } => json!(label),
            Self::Other(text) => json!({ "other": text }),
        }
    }
}

impl Reply {
    /// The label or the other text that was chosen, if the question was a choice.
    pub fn choice(&self) -> Option<&str> {
        match &self.said {
            ReplyContent::Choice(picked) => Some(picked.as_str()),
            _ => None,
        }
    }

    /// The labels and other texts that were chosen, in the order of the answer, if the question was a choice of one or
    /// several.
    pub fn choices(&self) -> impl ExactSizeIterator<Item = &str> {
        self.picked().iter().map(Selection::as_str)
    }

    /// The choices, with their places among the options.
    pub fn picked(&self) -> &[Selection] {
        match &self.said {
            ReplyContent::Choice(picked) => std::slice::from_ref(picked),
            ReplyContent::Choices(picked) => picked,
            ReplyContent::Text { .. } | ReplyContent::YesNo(_) => &[],
        }
    }

    /// The free text, a secret one too.
    pub fn text(&self) -> Option<&str> {
        match &self.said {
            ReplyContent::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The free text, or what was chosen, as a text of its own; of several choices and of yes and no
    /// what `Display` shows.
    pub fn into_text(self) -> String {
        match self.said {
            ReplyContent::Text { text, .. }
            | ReplyContent::Choice(
                Selection::Offered { label: text, .. } | Selection::Other(text),
            ) => text,
            ReplyContent::Choices(_) | ReplyContent::YesNo(_) => self.to_string(),
        }
    }

    /// Yes or no.
    pub fn is_yes(&self) -> Option<bool> {
        match self.said {
            ReplyContent::YesNo(yes) => Some(yes),
            _ => None,
        }
    }

    /// Returns true if the default was taken.
    pub fn is_default(&self) -> bool {
        self.by_default
    }

    /// The answer as its question reads it. A secret is there as it is.
    pub fn to_value(&self) -> Value {
        match &self.said {
            ReplyContent::Choice(picked) => picked.to_value(),
            ReplyContent::Choices(picked) => picked.iter().map(Selection::to_value).collect(),
            ReplyContent::Text { text, .. } => json!(text),
            ReplyContent::YesNo(yes) => json!(yes),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.said {
            ReplyContent::Choice(picked) => f.write_str(picked.as_str()),
            ReplyContent::Choices(picked) => {
                for (number, picked) in picked.iter().enumerate() {
                    let between = if number == 0 { "" } else { ", " };
                    write!(f, "{between}{}", picked.as_str())?;
                }
                Ok(())
            }
            ReplyContent::Text { secret: true, .. } => f.write_str("(secret)"),
            ReplyContent::Text { text, .. } => f.write_str(text),
            ReplyContent::YesNo(yes) => f.write_str(if *yes { "yes" } else { "no" }),
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reply({:?})", self.to_string())
    }
}
