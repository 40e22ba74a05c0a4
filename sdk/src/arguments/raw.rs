//! The arguments of a call, as the model sent them.

use std::borrow::Cow;
use std::fmt;
use std::mem;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::invalid::InvalidArguments;
use super::read::read;
use super::strict::Flags;
use crate::util::nesting::{self, DEPTH};

/// The arguments of a call, held as they came: JSON text or a tree, borrowed or owned. Neither is
/// turned into the other on the way into a tool's own types.
///
/// Absent arguments, `null` and empty text all mean an empty object.
///
/// `Debug` shows the form and size only: arguments may hold secrets.
#[derive(Clone)]
pub struct Arguments<'a>(Form<'a>);

#[derive(Clone)]
enum Form<'a> {
    Text(Cow<'a, str>),
    Tree(&'a Value),
    Owned(OwnedTree),
}

/// A tree that may be deeper than the stack, because the app has made it.
#[derive(Clone)]
struct OwnedTree(Value);

impl Drop for OwnedTree {
    fn drop(&mut self) {
        nesting::drop_tree(mem::take(&mut self.0), DEPTH);
    }
}

/// The view of arguments by which they are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum View<'a> {
    Empty,
    Text(&'a str),
    Tree(&'a Value),
}

impl<'a> View<'a> {
    #[cold]
    fn of_text(text: &'a str) -> Self {
        match text.trim_ascii() {
            // The last is what a host writes that has an empty text in a tree.
            "" | "null" | "\"\"" => Self::Empty,
            _ => Self::Text(text),
        }
    }

    fn of_tree(tree: &'a Value) -> Self {
        match tree {
            Value::Null => Self::Empty,
            Value::String(text) if text.trim_ascii().is_empty() => Self::Empty,
            tree => Self::Tree(tree),
        }
    }
}

impl<'a> Arguments<'a> {
    /// The text, if they are a borrowed one.
    pub(crate) fn lent_text(&self) -> Option<&'a str> {
        match self.0 {
            Form::Text(Cow::Borrowed(text)) => Some(text),
            _ => None,
        }
    }
}

impl Arguments<'_> {
    /// No arguments.
    pub const fn empty() -> Self {
        Self(Form::Text(Cow::Borrowed("")))
    }

    /// The JSON text, where the arguments came as text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.0 {
            Form::Text(text) => Some(text),
            Form::Tree(_) | Form::Owned(_) => None,
        }
    }

    /// The tree, where the arguments came as a tree.
    pub fn as_tree(&self) -> Option<&Value> {
        match &self.0 {
            Form::Text(_) => None,
            Form::Tree(tree) => Some(tree),
            Form::Owned(tree) => Some(&tree.0),
        }
    }

    /// Returns true if they are a borrowed tree.
    pub(crate) fn is_lent_tree(&self) -> bool {
        matches!(self.0, Form::Tree(_))
    }

    /// Returns true if these arguments mean an empty object because nothing was sent.
    pub fn is_empty(&self) -> bool {
        matches!(self.view(), View::Empty)
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        match &self.0 {
            // The usual case decides at the first byte.
            Form::Text(text) if text.starts_with('{') => View::Text(text),
            Form::Text(text) => View::of_text(text),
            Form::Tree(tree) => View::of_tree(tree),
            Form::Owned(tree) => View::of_tree(&tree.0),
        }
    }

    /// The arguments as a tree, for tools that work on JSON.
    ///
    /// # Errors
    ///
    /// Fails if they are text that is not JSON.
    pub fn to_value(&self) -> Result<Cow<'_, Value>, InvalidArguments> {
        match self.view() {
            View::Empty => Ok(Cow::Owned(Value::Object(serde_json::Map::new()))),
            View::Tree(tree) => Ok(Cow::Borrowed(tree)),
            View::Text(text) => serde_json::from_str(text)
                .map(Cow::Owned)
                .map_err(|error| InvalidArguments::syntax(text, &error)),
        }
    }

    /// Parses the arguments into a type, for tools written by hand: as strictly as those of
    /// `#[tool]`.
    ///
    /// Refused at any depth, whatever the type itself would take: names that a struct does not
    /// have and names given twice, a list for a struct, `{"name": null}` for an enum's variant
    /// without content, a number that the type would round. `5.0` is an integer.
    ///
    /// Types that serde copies before it reads them (flattened, untagged and internally tagged ones) are
    /// seen only as a whole, and there names and lists are up to the type: put
    /// `#[serde(deny_unknown_fields)]` on it where that can be.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit the type: the error gives the place of the first problem, the expected value and the
    /// found one.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, InvalidArguments> {
        read(self, Flags::default)
    }

    /// The same, with names passed over that a struct does not have: for tools with a schema that
    /// says whether there may be any.
    pub(crate) fn parse_open<T: DeserializeOwned>(&self) -> Result<T, InvalidArguments> {
        read(self, Flags::open)
    }

    /// The same arguments, borrowing nothing.
    pub fn into_owned(self) -> Arguments<'static> {
        Arguments(match self.0 {
            Form::Text(text) => Form::Text(Cow::Owned(text.into_owned())),
            Form::Tree(tree) => Form::Owned(OwnedTree(tree.clone())),
            Form::Owned(tree) => Form::Owned(tree),
        })
    }
}

impl Default for Arguments<'_> {
    fn default() -> Self {
        Self::empty()
    }
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::Empty => f.write_str("Arguments(none)"),
            View::Text(text) => write!(f, "Arguments(text of {} bytes)", text.len()),
            View::Tree(_) => f.write_str("Arguments(tree)"),
        }
    }
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self(Form::Text(Cow::Borrowed(text)))
    }
}

impl From<String> for Arguments<'_> {
    fn from(text: String) -> Self {
        Self(Form::Text(Cow::Owned(text)))
    }
}

impl<'a> From<Cow<'a, str>> for Arguments<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(Form::Text(text))
    }
}

impl<'a> From<&'a String> for Arguments<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<Value> for Arguments<'_> {
    fn from(tree: Value) -> Self {
        Self(Form::Owned(OwnedTree(tree)))
    }
}

impl<'a> From<&'a Value> for Arguments<'a> {
    fn from(tree: &'a Value) -> Self {
        Self(Form::Tree(tree))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn absent_null_and_empty_mean_an_empty_object() {
        for arguments in [
            Arguments::empty(),
            Arguments::from(""),
            Arguments::from(" \n"),
            Arguments::from("null"),
            Arguments::from(" null "),
            Arguments::from("\"\""),
            Arguments::from(Value::Null),
            Arguments::from(json!("")),
        ] {
            assert!(arguments.is_empty());
            assert_eq!(*arguments.to_value().unwrap(), json!({}));
        }
        assert!(!Arguments::from("{}").is_empty());
    }

    #[test]
    fn a_tree_deeper_than_the_stack_is_dropped() {
        let mut tree = Value::Null;
        for level in 0..500_000 {
            tree = match level % 2 {
                0 => Value::Array(vec![tree]),
                _ => Value::Object(serde_json::Map::from_iter([("a".to_owned(), tree)])),
            };
        }
        let arguments = Arguments::from(tree);
        assert!(arguments.parse::<Value>().is_err());
        drop(arguments.into_owned());
    }

    #[test]
    fn debug_hides_the_content() {
        assert_eq!(
            format!("{:?}", Arguments::from(r#"{"key":"hunter2"}"#)),
            "Arguments(text of 17 bytes)"
        );
        assert_eq!(
            format!("{:?}", Arguments::from(json!({"key": "hunter2"}))),
            "Arguments(tree)"
        );
    }
}
