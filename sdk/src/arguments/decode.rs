//! From the arguments as they came to members: their form, before any type or schema is asked.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::{Map, Value};

use super::invalid::InvalidArguments;
use super::once::given_once;
use super::raw::{Arguments, View};
use super::repair::ReadTree;
use super::sentences::{not_an_object, valid};
use crate::spec::ToolSpec;

/// Reads the members of an object in the order in which they came, names that are given twice included.
pub(crate) struct Pairs<V>(PhantomData<V>);

impl<V> Pairs<V> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, V: Deserialize<'de>> Visitor<'de> for Pairs<V> {
    type Value = Vec<(String, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

/// Arguments by their own names.
pub(super) struct NamedArguments<'a> {
    /// An object. Of several values of one name it has the first.
    pub(super) tree: Cow<'a, Value>,
    /// The names in the order in which they came.
    pub(super) order: Vec<Cow<'a, str>>,
    /// The places among them of those that came before.
    pub(super) again: Vec<usize>,
}

impl Arguments<'_> {
    /// Returns the arguments by their own names, what is given twice included. A tree without other names is lent.
    /// `read` is the tree of their text, where there is one.
    pub(super) fn named<'a>(
        &'a self,
        read: Option<ReadTree<'a>>,
        spec: &ToolSpec,
    ) -> Result<NamedArguments<'a>, InvalidArguments> {
        let aliases = spec.argument_aliases();
        let own = |key: &str| aliases.iter().find(|(alias, _)| *alias == key);
        let members: Vec<(String, Value)> = match self.view() {
            View::Empty => Vec::new(),
            View::Tree(tree @ Value::Object(members)) => {
                if !members.keys().any(|key| own(key).is_some()) {
                    return Ok(NamedArguments {
                        tree: Cow::Borrowed(tree),
                        order: members.keys().map(Cow::from).collect(),
                        again: Vec::new(),
                    });
                }
                let members = members.iter();
                members
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect()
            }
            View::Tree(other) => return Err(not_an_object(other, spec)),
            View::Text(text) => match read {
                Some(ReadTree {
                    tree: Value::Object(mut members),
                    order,
                }) => {
                    if !members.keys().any(|key| own(key).is_some()) {
                        return Ok(NamedArguments {
                            tree: Cow::Owned(Value::Object(members)),
                            order,
                            again: Vec::new(),
                        });
                    }
                    let names = order.into_iter().map(Cow::into_owned);
                    names
                        .filter_map(|key| members.remove(&key).map(|value| (key, value)))
                        .collect()
                }
                _ => pairs_of(text, spec)?,
            },
        };
        let (mut tree, mut order, mut again) = (Map::new(), Vec::new(), Vec::new());
        for (key, value) in members {
            let name = own(&key).map_or(key, |(_, name)| (*name).to_owned());
            if tree.contains_key(&name) {
                again.push(order.len());
            } else {
                tree.insert(name.clone(), value);
            }
            order.push(Cow::Owned(name));
        }
        Ok(NamedArguments {
            tree: Cow::Owned(Value::Object(tree)),
            order,
            again,
        })
    }

    /// Refuses arguments that are no object, and objects that have a name twice: a reader would take one
    /// of the two, and another reader the other.
    pub(crate) fn check_form(&self, spec: &ToolSpec) -> Result<(), InvalidArguments> {
        let checked = match self.view() {
            View::Empty | View::Tree(Value::Object(_)) => Ok(()),
            View::Tree(other) => Err(not_an_object(other, spec)),
            View::Text(text) if text.trim_ascii_start().starts_with('{') => {
                given_once(text, || spec.hidden())
            }
            View::Text(text) => match serde_json::from_str(text) {
                Ok(other) => Err(not_an_object(&other, spec)),
                Err(error) => Err(InvalidArguments::syntax(text, &error)),
            },
        };
        checked.map_err(|invalid| invalid.with_valid(valid(spec.input_schema())))
    }
}

/// Returns the members of an object in the order in which they came.
fn pairs_of(text: &str, spec: &ToolSpec) -> Result<Vec<(String, Value)>, InvalidArguments> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let pairs = deserializer
        .deserialize_map(Pairs::new())
        .and_then(|pairs| deserializer.end().map(|()| pairs));
    pairs.map_err(|error| no_object(text, &error, spec))
}

/// Returns the report of a text that is no object: other JSON, or none.
fn no_object(text: &str, error: &serde_json::Error, spec: &ToolSpec) -> InvalidArguments {
    match serde_json::from_str::<Value>(text) {
        Ok(other) => not_an_object(&other, spec),
        Err(_) => InvalidArguments::syntax(text, error),
    }
}

impl<'a> View<'a> {
    /// Returns the arguments as a tree in which each has its own name; `None` if they are no object.
    pub(crate) fn named(self, spec: &ToolSpec) -> Option<Cow<'a, Value>> {
        let mut tree = match self {
            View::Empty => Cow::Owned(Value::Object(Map::new())),
            View::Tree(tree) => Cow::Borrowed(tree),
            View::Text(text) => Cow::Owned(serde_json::from_str(text).ok()?),
        };
        for (alias, name) in spec.argument_aliases() {
            let members = tree.as_object()?;
            if members.contains_key(alias)
                && !members.contains_key(name)
                && let Value::Object(members) = tree.to_mut()
                && let Some(value) = members.remove(alias)
            {
                members.insert(name.to_owned(), value);
            }
        }
        tree.is_object().then_some(tree)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::arguments::strict::TOLD;
    use crate::arguments::{ArgumentProblem, ProblemKind};
    use crate::id::ToolName;

    fn spec() -> ToolSpec {
        ToolSpec::new(ToolName::new("t").unwrap(), "")
    }

    fn refused(arguments: impl Into<Arguments<'static>>) -> Vec<(ProblemKind, String)> {
        let invalid = arguments.into().check_form(&spec()).unwrap_err();
        let told = |p: &ArgumentProblem| (p.kind(), p.pointer().to_owned());
        invalid.problems().iter().map(told).collect()
    }

    #[test]
    fn only_an_object_will_do() {
        for good in [
            "",
            " ",
            "null",
            "{}",
            " \t\r\n{\"a\": [null, true, -1, 1.5, \"x\"]} ",
        ] {
            assert!(Arguments::from(good).check_form(&spec()).is_ok(), "{good}");
        }
        for other in ["[]", "[{}]", "5", "\"{}\"", " true"] {
            assert_eq!(
                refused(other),
                [(ProblemKind::Type, String::new())],
                "{other}"
            );
            let tree: Value = serde_json::from_str(other).unwrap();
            assert_eq!(
                refused(tree),
                [(ProblemKind::Type, String::new())],
                "{other}"
            );
        }
        for broken in ["{", "{} {}", "{\"a\":}", "x", "\u{c}{}"] {
            assert_eq!(
                refused(broken),
                [(ProblemKind::Syntax, String::new())],
                "{broken}"
            );
        }
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(refused(deep), [(ProblemKind::Syntax, String::new())]);
    }

    #[test]
    fn each_name_that_an_object_has_twice_is_told_once() {
        let text =
            r#"{"a": 1, "b/c": [{"x": 1}, {"x": 1, "y": {}, "x": 2, "x": 3}], "\u0061": {}}"#;
        let expected = ["/b~1c/1/x", "/a"].map(|at| (ProblemKind::Repeated, at.to_owned()));
        assert_eq!(refused(text), expected);
        assert!(
            Arguments::from(json!({"a": {"a": [{"a": 1}, {"a": 1}]}}))
                .check_form(&spec())
                .is_ok()
        );
    }

    #[test]
    fn what_is_told_is_bounded() {
        let many: Vec<String> = (0..1_000).map(|n| format!("\"{n}\":1,\"{n}\":2")).collect();
        assert_eq!(refused(format!("{{{}}}", many.join(","))).len(), TOLD);
    }
}
