//! What is wrong with the arguments of a call.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::extent::{DEPTH, depth};
use crate::character::character_of;

/// Everything that is wrong with the arguments of one call.
///
/// As text it is what the model reads to correct itself: each problem with its place, what was
/// expected and what was found, the nearest name where one is near, and the list of arguments
/// that there are. It never holds a line or column, and never a parameter that the app fills.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidArguments {
    problems: Vec<ArgumentProblem>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    valid: Vec<String>,
}

/// One thing that is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentProblem {
    pointer: String,
    kind: ProblemKind,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
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
}

impl ArgumentProblem {
    /// A problem at a place. The pointer is a JSON pointer (RFC 6901) into the arguments, empty
    /// for the arguments as a whole; the message reads on after it.
    pub fn new(kind: ProblemKind, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            kind,
            message: message.into(),
            suggestion: None,
        }
    }

    /// Adds the name or value that was probably meant.
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The kind.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// JSON pointer (RFC 6901) to the place; empty for the arguments as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What is wrong there, in words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The name or value that was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "`{}`: ", self.pointer)?;
        }
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

impl InvalidArguments {
    /// The report of some problems.
    pub fn new(problems: Vec<ArgumentProblem>) -> Self {
        Self {
            problems,
            valid: Vec::new(),
        }
    }

    /// Adds the list of arguments that there are, each as the model should read it.
    pub fn with_valid(mut self, valid: Vec<String>) -> Self {
        self.valid = valid;
        self
    }

    /// The problems, in the order of the arguments as they were sent, what is missing last.
    pub fn problems(&self) -> &[ArgumentProblem] {
        &self.problems
    }

    /// The arguments that there are.
    pub fn valid(&self) -> &[String] {
        &self.valid
    }

    /// The text is not JSON. The error's own words have lines and columns and quote the text; all
    /// that is said is how far it was understood.
    pub(crate) fn syntax(text: &str, error: &serde_json::Error) -> Self {
        let message = if depth(text) > DEPTH {
            format!("the arguments nest deeper than {DEPTH} levels")
        } else if error.is_eof() {
            "the arguments are not valid JSON: the text ends before the object does".to_owned()
        } else {
            format!(
                "the arguments are not valid JSON: there is an error at character {} of {}",
                character_of(text, error),
                text.chars().count()
            )
        };
        Self::new(vec![ArgumentProblem::new(ProblemKind::Syntax, "", message)])
    }

    /// A tree does not fit a type; the error is one without line and column.
    pub(crate) fn of_type(path: &serde_path_to_error::Path, error: &serde_json::Error) -> Self {
        Self::new(vec![ArgumentProblem::new(
            ProblemKind::Type,
            pointer(path),
            error.to_string(),
        )])
    }
}

/// The JSON pointer of a path.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
            Segment::Map { key } => push_key(&mut pointer, key),
            Segment::Enum { variant } => push_key(&mut pointer, variant),
            Segment::Unknown => {}
        }
    }
    pointer
}

/// Appends a key to a JSON pointer, escaped as RFC 6901 §3 says.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invalid arguments:")?;
        match &self.problems[..] {
            [one] => write!(f, " {one}")?,
            all => {
                for problem in all {
                    write!(f, "\n- {problem}")?;
                }
            }
        }
        if !self.valid.is_empty() {
            write!(f, "\nValid arguments: {}.", self.valid.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidArguments {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_error_says_how_far_it_was_understood() {
        let text = "{\n\"a\": }";
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        assert_eq!(
            InvalidArguments::syntax(text, &error).to_string(),
            "Invalid arguments: the arguments are not valid JSON: there is an error at character 8 of 8"
        );
        for (text, place) in [
            ("{\"größe\": }", "character 11 of 11"),
            ("{\r\n\"a\": }", "character 9 of 9"),
            ("x", "character 1 of 1"),
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
}
