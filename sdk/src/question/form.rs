//! The forms of answers that questions take.

use serde::{Deserialize, Serialize};

/// The form of the answer that a question takes, with its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuestionForm {
    /// A choice of one option. The answer is its label, or `{"other": "text"}`.
    #[non_exhaustive]
    Choice {
        /// The options, in their order.
        options: Vec<QuestionOption>,
        /// True if another text may be given in place of an option.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        other: bool,
    },
    /// Any of some options. The answer is a list of what a choice takes.
    #[non_exhaustive]
    Choices {
        /// The options, in their order.
        options: Vec<QuestionOption>,
        /// True if other texts may be given beside the options.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        other: bool,
        /// The fewest that must be chosen.
        #[serde(default)]
        min: usize,
        /// The most that may be chosen; `None` for all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<usize>,
    },
    /// A free text. The answer is the text.
    #[non_exhaustive]
    Text {
        /// The fewest characters.
        min_length: usize,
        /// The most characters.
        max_length: usize,
        /// The pattern that the text must match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<TextPattern>,
        /// True if it may have more than one line.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        multi_line: bool,
        /// True if it must not be shown while it is typed, nor in a log.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        secret: bool,
    },
    /// Yes or no. The answer is `true` or `false`.
    YesNo,
}

/// An option of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

impl QuestionOption {
    /// An option by its label, which is also the answer.
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            description: None,
        }
    }

    /// Sets a description of the option. Default: none.
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The meaning of the option.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

impl From<&str> for QuestionOption {
    fn from(label: &str) -> Self {
        Self::new(label)
    }
}

impl From<String> for QuestionOption {
    fn from(label: String) -> Self {
        Self::new(label)
    }
}

/// A label, and what choosing it means.
impl From<(&str, &str)> for QuestionOption {
    fn from((label, description): (&str, &str)) -> Self {
        Self::new(label).described(description)
    }
}

/// A pattern that a text must match: a regular expression, and the same in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPattern {
    pub(super) regex: String,
    pub(super) meaning: String,
}

impl TextPattern {
    /// The regular expression, in the syntax of `regex-lite`. It matches anywhere unless it says `^`
    /// and `$`.
    pub fn regex(&self) -> &str {
        &self.regex
    }

    /// The same in words, for people: `a date, as in 2026-02-28`.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }
}
