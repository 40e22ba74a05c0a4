//! The faults of questions.

use std::collections::HashSet;
use std::fmt;

use regex_lite::Regex;

use super::{Question, QuestionForm, QuestionOption};
use crate::content::ToolError;
use crate::util::character::{is_deceptive, one_line};

/// The most characters of a question, and of what helps to answer it.
const TEXT: usize = 4_000;
const DETAILS: usize = 100_000;
/// The most options, and the most characters of a label and a description.
const OPTIONS: usize = 1_000;
const LABEL: usize = 200;
const DESCRIPTION: usize = 2_000;
/// The most characters that an answer may be allowed to have.
const ANSWER: usize = 1_000_000;
/// The longest regular expression, in bytes.
const PATTERN: usize = 1_000;

/// The reason why a question cannot be asked: a mistake of the code that made it.
///
/// As a [`ToolError`] it is of kind [`Internal`](crate::content::ErrorKind::Internal), with the code
/// `invalid_question`.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("a question cannot be asked: {0}")]
pub struct InvalidQuestion(String);

crate::util::error_text::debug_as_text!(InvalidQuestion);

impl From<InvalidQuestion> for ToolError {
    fn from(invalid: InvalidQuestion) -> Self {
        Self::internal(invalid.to_string())
            .with_code("invalid_question")
            .with_source(invalid)
    }
}

/// A setting of another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Misuse {
    pub(super) setting: &'static str,
    pub(super) of: &'static str,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setting, of } = self;
        write!(f, "`{setting}` is a setting of {of}, and this is none")
    }
}

/// The first fault of a question.
pub(super) fn fault(question: &Question) -> Option<InvalidQuestion> {
    let fault = question.misuse.as_ref().map(Misuse::to_string);
    fault
        .or_else(|| of_text("the question", &question.text, TEXT))
        .or_else(|| {
            let details = question.details.as_deref()?;
            of_text("the details", details, DETAILS)
        })
        .or_else(|| of_form(&question.form))
        .or_else(|| of_default(question))
        .map(InvalidQuestion)
}

/// Checks a text for people: not blank, not too long, and without characters that move the cursor.
fn of_text(what: &str, text: &str, most: usize) -> Option<String> {
    if text.trim().is_empty() {
        return Some(format!("{what}: there is no text"));
    }
    if longer(text, most) {
        return Some(format!("{what}: more than {most} characters"));
    }
    let deceptive = text
        .chars()
        .find(|c| is_deceptive(*c) && !matches!(c, '\n' | '\t'))?;
    Some(format!(
        "{what}: a control character ({})",
        deceptive.escape_unicode()
    ))
}

fn of_form(form: &QuestionForm) -> Option<String> {
    match form {
        QuestionForm::Choice { options, .. } => of_options(options),
        QuestionForm::Choices {
            options,
            other,
            min,
            max,
        } => of_options(options).or_else(|| of_count(options.len(), *other, *min, *max)),
        QuestionForm::Text {
            min_length,
            max_length,
            pattern,
            ..
        } => {
            if min_length > max_length {
                return Some(format!(
                    "at least {min_length} characters are wanted and at most {max_length}"
                ));
            }
            if *max_length > ANSWER {
                return Some(format!(
                    "an answer may have {max_length} characters; at most {ANSWER} can be allowed"
                ));
            }
            let pattern = pattern.as_ref()?;
            of_pattern(&pattern.regex)
                .or_else(|| of_text("the meaning of the pattern", &pattern.meaning, DESCRIPTION))
        }
        QuestionForm::YesNo => None,
    }
}

fn of_options(options: &[QuestionOption]) -> Option<String> {
    if options.is_empty() {
        return Some("it has no options".to_owned());
    }
    if options.len() > OPTIONS {
        return Some(format!(
            "it has {} options; at most {OPTIONS} can be shown",
            options.len()
        ));
    }
    let mut seen = HashSet::with_capacity(options.len());
    options.iter().find_map(|option| {
        let label = option.label();
        of_text("the label of an option", label, LABEL)
            .or_else(|| {
                let shown = one_line(label, LABEL);
                if label.contains(['\n', '\t']) {
                    return Some(format!("the label `{shown}` is not one line of text"));
                }
                (label.trim() != label)
                    .then(|| format!("the label `{shown}` begins or ends with a space"))
            })
            .or_else(|| (!seen.insert(label)).then(|| format!("two options are called `{label}`")))
            .or_else(|| {
                of_text(
                    &format!("the description of `{label}`"),
                    option.description()?,
                    DESCRIPTION,
                )
            })
    })
}

fn of_count(options: usize, other: bool, min: usize, max: Option<usize>) -> Option<String> {
    if let Some(max) = max.filter(|max| min > *max) {
        return Some(format!(
            "at least {min} options are to be chosen and at most {max}"
        ));
    }
    if max == Some(0) {
        return Some("at most 0 options may be chosen".to_owned());
    }
    (!other && min > options)
        .then(|| format!("at least {min} options are to be chosen, and there are only {options}"))
}

fn of_pattern(pattern: &str) -> Option<String> {
    if pattern.len() > PATTERN {
        return Some(format!(
            "the pattern of the text has more than {PATTERN} bytes"
        ));
    }
    let error = Regex::new(pattern).err()?;
    Some(format!(
        "the pattern `{}` is no regular expression: {error}",
        one_line(pattern, LABEL)
    ))
}

/// The default has to be an answer, and cannot stand for itself.
fn of_default(question: &Question) -> Option<String> {
    let default = question.default.as_ref()?;
    if question.is_secret() {
        return Some("it asks for a secret and has a default, which everybody sees".to_owned());
    }
    if default.is_null() {
        return Some("its default is `null`, which is no answer".to_owned());
    }
    let unfit = super::check::read(question, default).err()?;
    Some(format!("its default does not fit: {unfit}"))
}

/// Counts no further than it has to.
pub(super) fn longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}
