//! The report of everything that is wrong with the arguments of a call.

mod problem;
mod syntax;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::raw::View;
use crate::util::character::as_one_line;
use crate::util::nesting::{self, DEPTH};
pub use problem::{ArgumentProblem, ProblemKind};

/// Everything that is wrong with the arguments of one call.
///
/// As text it is what the model reads to correct itself: each problem with its place, what was
/// expected and what was found, the nearest name where one is near, and the list of arguments
/// that there are. It never holds a line or column, a long value, the value of a secret, or a
/// parameter that the app fills; what a `validate` adds is up to its author.
///
/// As data it is in the error of the call:
///
/// ```
/// use toolwright::ToolError;
/// use toolwright::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
///
/// let late = ArgumentProblem::new(ProblemKind::Constraint, "/until", "is before `from`");
/// let error = ToolError::from(InvalidArguments::new(vec![late]));
/// let invalid = error.invalid_arguments().unwrap();
/// assert_eq!(invalid.problems()[0].pointer(), "/until");
/// assert_eq!(error.message(), "Invalid arguments: `/until`: is before `from`");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InvalidArguments(
    // A pointer wide, because every parse that succeeds returns room for it.
    Box<Report>,
);

#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "InvalidArguments")]
struct Report {
    problems: Vec<ArgumentProblem>,
    /// Absent where there are none: most reports get those of their tool once they are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid: Option<Arc<Vec<String>>>,
    #[serde(default, skip_serializing_if = "is_zero")]
    omitted: usize,
    /// Whoever made it did not know which arguments are secret.
    #[serde(skip)]
    is_unchecked: bool,
}

/// The most problems of one call that are kept: who sends more has to start anew, and a call that
/// is nothing else must not make a message many times as long.
pub(crate) const TOLD: usize = 20;
crate::util::documented::documented_default!("problems told of a call's arguments", TOLD);
/// The longest text of the problems, in bytes, if there is more than one.
const TEXT: usize = 4000;
/// The longest part of an argument's name that the text lists, in characters.
const NAME: usize = 120;
/// The most arguments that the text lists.
const LISTED: usize = 30;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl InvalidArguments {
    /// The report of some problems: of the first 20, and how many more there are.
    pub fn new(mut problems: Vec<ArgumentProblem>) -> Self {
        let omitted = problems.len().saturating_sub(TOLD);
        problems.truncate(TOLD);
        Self(Box::new(Report {
            problems,
            valid: None,
            omitted,
            is_unchecked: false,
        }))
    }

    /// Counts problems that were found and are not among those given.
    pub(crate) fn with_omitted(mut self, more: usize) -> Self {
        self.0.omitted = self.0.omitted.saturating_add(more);
        self
    }

    /// Adds the list of arguments that there are, each as the model should read it.
    pub fn with_valid(self, valid: Vec<String>) -> Self {
        self.with_shared_valid(Arc::new(valid))
    }

    /// The same, where the list is kept for other reports too.
    pub(crate) fn with_shared_valid(mut self, valid: Arc<Vec<String>>) -> Self {
        self.0.valid = Some(valid).filter(|valid| !valid.is_empty());
        self
    }

    /// The problems, in the order of the arguments as they were sent, what is missing last; at
    /// most 20.
    pub fn problems(&self) -> &[ArgumentProblem] {
        &self.0.problems
    }

    /// The arguments that there are.
    pub fn valid(&self) -> &[String] {
        self.0.valid.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Returns how many problems there are beyond [`problems`](Self::problems), as far as they were
    /// counted: of a call with thousands, not all are looked for. Usually 0.
    pub fn omitted(&self) -> usize {
        self.0.omitted
    }

    /// Returns true if some of the arguments take too much work to judge.
    pub(crate) fn exceeds_limit(&self) -> bool {
        let mut kinds = self.0.problems.iter().map(ArgumentProblem::kind);
        kinds.any(|kind| kind == ProblemKind::Limit)
    }

    /// Notes that whoever makes it does not know which arguments are secret.
    pub(crate) fn unchecked(mut self) -> Self {
        self.0.is_unchecked = true;
        self
    }

    /// Takes out what an unchecked report tells of secrets. The place of a secret is that of the
    /// outermost value that is one, or may hold one.
    pub(crate) fn without_secrets(
        mut self,
        secret: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Self {
        let problems = if self.0.is_unchecked {
            &mut self.0.problems[..]
        } else {
            &mut []
        };
        for problem in problems {
            let Some(place) = secret(problem.pointer()) else {
                continue;
            };
            if place != problem.pointer() || problem.kind() == ProblemKind::Type {
                let expected = problem.expected().unwrap_or("another value").to_owned();
                *problem = ArgumentProblem::secret(ProblemKind::Type, place, expected, "a value");
            }
        }
        self.0.is_unchecked = false;
        self
    }

    /// The report as the model reads it.
    pub(crate) fn text(&self) -> String {
        // Few reports are longer, and a text that grows is moved each time.
        let mut text = String::with_capacity(512);
        text.push_str("Invalid arguments:");
        match &self.0.problems[..] {
            [one] if self.0.omitted == 0 => {
                text.push(' ');
                let _ = one.write_to(&mut text);
            }
            all => {
                let mut shown = 0;
                let begin = text.len();
                for problem in all {
                    let end = text.len();
                    text.push_str("\n- ");
                    let _ = problem.write_to(&mut text);
                    if shown > 0 && text.len() - begin > TEXT {
                        text.truncate(end);
                        break;
                    }
                    shown += 1;
                }
                let more = (all.len() - shown).saturating_add(self.0.omitted);
                if more > 0 {
                    text.extend(["\n- and ", &more.to_string(), " more"]);
                }
            }
        }
        let valid = self.valid();
        if !valid.is_empty() {
            text.push_str("\nValid arguments");
            for (index, name) in valid.iter().take(LISTED).enumerate() {
                text.push_str(if index == 0 { ": " } else { ", " });
                text.push_str(&as_one_line(name, NAME));
            }
            if valid.len() > LISTED {
                text.extend([", .. (", &valid.len().to_string(), " in all)"]);
            }
            text.push('.');
        }
        text
    }

    /// The tree nests deeper than what is read from text: reading it could take more stack than
    /// there is.
    pub(crate) fn too_deep(arguments: View<'_>) -> Option<Self> {
        let View::Tree(tree) = arguments else {
            return None;
        };
        (nesting::of_tree(tree, DEPTH) > DEPTH).then(|| {
            let message = format!("the arguments nest deeper than {DEPTH} levels");
            Self::new(vec![ArgumentProblem::new(ProblemKind::Syntax, "", message)])
        })
    }

    /// The arguments were refused, and nothing was found that is wrong with them.
    pub(crate) fn undisclosed() -> Self {
        let message = "the arguments do not fit the tool's schema";
        Self::new(vec![ArgumentProblem::new(ProblemKind::Type, "", message)])
    }

    /// The text is not JSON.
    pub(crate) fn syntax(text: &str, error: &serde_json::Error) -> Self {
        let message = syntax::message(text, error);
        Self::new(vec![ArgumentProblem::new(ProblemKind::Syntax, "", message)])
    }
}

crate::util::error_text::debug_as_text!(InvalidArguments);

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for InvalidArguments {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_allows_and_nobody_can_read_is_named() {
        for (text, expected) in [
            (
                r#"{"a": 1e400}"#,
                "a number is out of range, at character 11 of 12",
            ),
            (
                r#"{"a": "\"x", "b": -1e999, "c": 2}"#,
                "a number is out of range",
            ),
            (r#"{"a": "\ud800"}"#, "half of a character"),
            (r#"{"a": "x\udc00y", "b": 1}"#, "half of a character"),
            (r#"{"a": "\ud800\u0041", "b": 1e2}"#, "half of a character"),
            (r#"{"\udfff": 1}"#, "half of a character"),
            (r#"{"a": 1e}"#, "not valid JSON"),
            (r#"{"a": 1e400} x"#, "not valid JSON"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let shown = InvalidArguments::syntax(text, &error).to_string();
            assert!(shown.contains(expected), "{text}: {shown}");
        }
    }

    #[test]
    fn a_syntax_error_says_how_far_it_was_understood() {
        let text = "{\n\"a\": }";
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        assert_eq!(
            InvalidArguments::syntax(text, &error).to_string(),
            "Invalid arguments: the arguments are not valid JSON: there is an error at character 8 of 8, in the value of `a`"
        );
        for (text, place) in [
            (
                "{\"größe\": }",
                "character 11 of 11, in the value of `größe`",
            ),
            ("{\r\n\"a\": }", "character 9 of 9, in the value of `a`"),
            ("x", "with no words and no code fence around it"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let shown = InvalidArguments::syntax(text, &error).to_string();
            assert!(shown.ends_with(place), "{shown}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(200));
        let error = serde_json::from_str::<serde_json::Value>(&deep).unwrap_err();
        let shown = InvalidArguments::syntax(&deep, &error).to_string();
        assert!(shown.ends_with("nest deeper than 127 levels"), "{shown}");
        let error = serde_json::from_str::<serde_json::Value>("{\"a\":").unwrap_err();
        let shown = InvalidArguments::syntax("{\"a\":", &error).to_string();
        assert!(
            shown.ends_with("the text ends before the object does"),
            "{shown}"
        );
    }
    #[test]
    fn a_long_report_is_cut() {
        let problem =
            |n: usize| ArgumentProblem::new(ProblemKind::Type, format!("/a/{n}"), "is odd");
        let invalid = InvalidArguments::new((0..50).map(problem).collect());
        let invalid = invalid.with_omitted(3);
        assert_eq!((invalid.problems().len(), invalid.omitted()), (TOLD, 33));
        assert!(
            invalid
                .to_string()
                .ends_with("`/a/19`: is odd\n- and 33 more")
        );
        let written = serde_json::to_value(&invalid).unwrap();
        assert_eq!(written["omitted"], 33);
        let read: InvalidArguments = serde_json::from_value(written).unwrap();
        assert_eq!(read, invalid);

        let long = |n| problem(n).with_expected("x".repeat(3000));
        let text = InvalidArguments::new((0..3).map(long).collect()).to_string();
        assert!(text.ends_with("xxx\n- and 2 more"), "{text}");

        let valid: Vec<String> = (0..40).map(|n| format!("`a{n}`")).collect();
        let text = InvalidArguments::new(vec![problem(0)]).with_valid(valid);
        assert!(text.to_string().ends_with("`a28`, `a29`, .. (40 in all)."));
        let none: InvalidArguments = serde_json::from_str(r#"{"problems": []}"#).unwrap();
        assert_eq!(none, InvalidArguments::default());
    }
}
