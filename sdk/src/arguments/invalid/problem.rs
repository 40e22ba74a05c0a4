//! A single problem of the arguments of a call.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::util::character::{is_deceptive, is_plain};

/// A single problem of the arguments of a call.
///
/// An author's `validate` may give one. Its text, for the model, is made of its parts: the words,
/// what was expected, what was found, and what was probably meant.
///
/// ```
/// use toolwright::arguments::{ArgumentProblem, ProblemKind};
///
/// let problem = ArgumentProblem::new(ProblemKind::Constraint, "/until", "is before `from`")
///     .with_expected("a day after 2026-03-01")
///     .with_found("2026-02-01");
/// assert_eq!(
///     problem.to_string(),
///     "`/until`: is before `from`: expected a day after 2026-03-01, found 2026-02-01",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentProblem {
    // Shorter than strings by a third: this is the error of a `validate`, and stands in its result.
    pointer: Box<str>,
    kind: ProblemKind,
    /// The whole of what is said of the place, made of the words and what follows.
    message: Box<str>,
    /// The words besides what was expected and found, if there are any and the message
    /// is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suggestion: Option<Box<str>>,
}

/// The kinds of [`ArgumentProblem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not JSON.
    Syntax,
    /// A required argument is not there.
    Missing,
    /// There is no argument of that name.
    Unknown,
    /// An argument is given twice, under one name or under an alias.
    Repeated,
    /// The value is of another type than declared.
    Type,
    /// The value is of the right type and outside of what is allowed.
    Constraint,
    /// Checking the value takes more work than the limit allows: see
    /// [`Limit::CheckSteps`](crate::content::Limit::CheckSteps).
    Limit,
}

impl ArgumentProblem {
    /// A problem at a place. The pointer is a JSON pointer (RFC 6901) into the arguments, empty
    /// for the arguments as a whole; the message reads on after it, as in "is before `from`".
    pub fn new(kind: ProblemKind, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into().into(),
            kind,
            message: message.into().into(),
            words: None,
            expected: None,
            found: None,
            suggestion: None,
        }
    }

    /// A name is given twice, at a place.
    pub(crate) fn given_twice(pointer: impl Into<String>) -> Self {
        Self::new(ProblemKind::Repeated, pointer, "is given more than once")
    }

    /// A value other than expected.
    pub(crate) fn other(
        kind: ProblemKind,
        pointer: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let mut problem = Self::new(kind, pointer, "");
        problem.expected = Some(expected.into().into());
        problem.with_found(found)
    }

    /// A secret value other than expected: the text names its kind, and the data has nothing of it.
    pub(crate) fn secret(
        kind: ProblemKind,
        pointer: impl Into<String>,
        expected: impl Into<String>,
        found: &str,
    ) -> Self {
        let found = format!("{found}, which is secret and not shown");
        let mut problem = Self::other(kind, pointer, expected, found);
        problem.found = None;
        problem
    }

    /// Adds what would be right, in words that read on after "expected": `an integer from 1 to
    /// 50`. It becomes part of the message.
    pub fn with_expected(mut self, expected: impl Into<String>) -> Self {
        self.keep_words();
        self.expected = Some(expected.into().into());
        self.compose()
    }

    /// Adds what was found, in words that read on after "found": a short value, or the kind and
    /// size of a long one. It becomes part of the message; leave it out where the value is secret.
    pub fn with_found(mut self, found: impl Into<String>) -> Self {
        self.keep_words();
        self.found = Some(found.into().into());
        self.compose()
    }

    /// Adds the name or value that was probably meant.
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into().into());
        self
    }

    pub(crate) fn with_kind(mut self, kind: ProblemKind) -> Self {
        self.kind = kind;
        self
    }

    /// Takes back what [`with_expected`](Self::with_expected) added.
    pub(crate) fn without_expected(mut self) -> Self {
        self.keep_words();
        self.expected = None;
        self.compose()
    }

    /// A message without expectations is all words.
    fn keep_words(&mut self) {
        if self.expected.is_none() && self.found.is_none() && !self.message.is_empty() {
            self.words = Some(std::mem::take(&mut self.message));
        }
    }

    /// Makes the message from its parts.
    fn compose(mut self) -> Self {
        let words = self.words.as_deref().unwrap_or_default();
        let rest = match (&self.expected, &self.found) {
            // The expected values in place of an unknown name are the names.
            (Some(names), _) if self.kind == ProblemKind::Unknown => {
                self.message = format!("{words}; valid here: {names}").into();
                return self;
            }
            (Some(expected), Some(found)) => ["expected ", expected, ", found ", found].concat(),
            (Some(expected), None) => format!("expected {expected}"),
            (None, Some(found)) => format!("found {found}"),
            (None, None) => String::new(),
        };
        self.message = match (words.is_empty(), rest.is_empty()) {
            (true, _) => rest.into(),
            (false, true) => self.words.take().unwrap_or_default(),
            (false, false) => format!("{words}: {rest}").into(),
        };
        self
    }

    /// The kind.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// JSON pointer (RFC 6901) to the place; empty for the arguments as a whole. A long unknown name is cut to its
    /// beginning.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the mistake there, in words: everything but the place and the suggestion.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Writes the problem as the model reads it.
    pub(super) fn write_to(&self, out: &mut impl fmt::Write) -> fmt::Result {
        if !self.pointer.is_empty() {
            for part in ["`", &shown(&self.pointer), "`: "] {
                out.write_str(part)?;
            }
        }
        out.write_str(&self.message)?;
        if let Some(suggestion) = &self.suggestion {
            for part in ["; did you mean `", suggestion, "`?"] {
                out.write_str(part)?;
            }
        }
        Ok(())
    }

    /// Returns the values that would be right, in words that read on after "expected"; for an unknown name, the names
    /// that exist in its place, if it is not near to one.
    pub fn expected(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// Returns the value that was found: a short one as it is, or the kind and size of a long one. `None` if there was
    /// none, and if the value is secret.
    pub fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// The name or value that was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

/// The longest parts of a pointer that are shown, in characters: its beginning and its end.
const SHOWN: [usize; 2] = [100, 60];

/// A pointer as one line that is not long: the names in it are whatever was sent.
fn shown(pointer: &str) -> Cow<'_, str> {
    let [start, end] = SHOWN;
    if pointer.len() <= start + end && is_plain(pointer) {
        return Cow::Borrowed(pointer);
    }
    let count = pointer.chars().count();
    let mut text = String::new();
    for (place, c) in pointer.chars().enumerate() {
        if count > start + end && (start..count - end).contains(&place) {
            if place == start {
                text.push('…');
            }
        } else if is_deceptive(c) {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problem() -> ArgumentProblem {
        ArgumentProblem::new(ProblemKind::Constraint, "/a", "is odd")
    }

    #[test]
    fn a_message_is_made_of_its_parts() {
        for (problem, message) in [
            (problem(), "is odd"),
            (problem().with_expected("2"), "is odd: expected 2"),
            (problem().with_found("3"), "is odd: found 3"),
            (
                problem().with_found("3").with_expected("2"),
                "is odd: expected 2, found 3",
            ),
            (
                ArgumentProblem::other(ProblemKind::Type, "", "text", "3"),
                "expected text, found 3",
            ),
            (problem().with_expected("2").without_expected(), "is odd"),
        ] {
            assert_eq!(problem.message(), message);
            let written = serde_json::to_value(&problem).unwrap();
            let read: ArgumentProblem = serde_json::from_value(written).unwrap();
            assert_eq!(read, problem);
            assert_eq!(
                read.with_expected("4").with_found("5"),
                problem.with_expected("4").with_found("5")
            );
        }
    }

    #[test]
    fn a_secret_is_in_no_data() {
        let problem = ArgumentProblem::secret(ProblemKind::Type, "/a", "text", "a number");
        assert_eq!(
            problem.message(),
            "expected text, found a number, which is secret and not shown"
        );
        assert_eq!(problem.expected(), Some("text"));
        assert_eq!(problem.found(), None);
    }

    #[test]
    fn what_was_written_before_is_read() {
        let old = json!({
            "pointer": "/a", "kind": "type", "message": "expected text, found 1", "suggestion": "b",
        });
        let read: ArgumentProblem = serde_json::from_value(old.clone()).unwrap();
        assert_eq!(
            read.to_string(),
            "`/a`: expected text, found 1; did you mean `b`?"
        );
        assert_eq!((read.expected(), read.found()), (None, None));
        assert_eq!(serde_json::to_value(&read).unwrap(), old);
    }

    #[test]
    fn a_pointer_is_shown_as_one_short_line() {
        let pointer = format!("/a\nb\u{202e}/{}/end", "ä".repeat(1000));
        let problem = ArgumentProblem::new(ProblemKind::Type, pointer.clone(), "is wrong");
        assert_eq!(problem.pointer(), pointer);
        let text = problem.to_string();
        assert!(text.starts_with("`/a\\nb\\u{202e}/ä") && text.ends_with("ä/end`: is wrong"));
        assert!(text.chars().count() < 200, "{text}");
    }
}
