//! Arguments that must be a JSON object, whatever they are read into.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::message::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind, View, push_key};
use crate::spec::ToolSpec;
use crate::tool::parse::{not_an_object, run_time};

/// Reads the arguments of a call, which must satisfy the schema of the spec.
pub(super) fn parse<A: DeserializeOwned>(
    arguments: &Arguments<'_>,
    spec: &ToolSpec,
) -> Result<A, InvalidArguments> {
    check(arguments)?;
    if spec.promise().is_kept() {
        return arguments.parse();
    }
    let tree = arguments.to_value()?;
    run_time(&tree, spec)?;
    Arguments::from(&*tree).parse()
}

/// Refuses what is no object, and objects that have a name twice: a reader would take one of the
/// two, and another reader the other.
pub(super) fn check(arguments: &Arguments<'_>) -> Result<(), InvalidArguments> {
    match arguments.view() {
        View::Empty | View::Tree(Value::Object(_)) => Ok(()),
        View::Tree(other) => Err(not_an_object(other)),
        View::Text(text) if text.trim_ascii_start().starts_with('{') => check_names(text),
        View::Text(text) => Err(match serde_json::from_str(text) {
            Ok(other) => not_an_object(&other),
            Err(error) => InvalidArguments::syntax(text, &error),
        }),
    }
}

fn check_names(text: &str) -> Result<(), InvalidArguments> {
    let repeated = walk(text).map_err(|error| InvalidArguments::syntax(text, &error))?;
    if repeated.is_empty() {
        return Ok(());
    }
    Err(InvalidArguments::new(repeated))
}

/// The names that an object in `text` has twice, at any depth; none where the text is no JSON.
pub(in crate::tool) fn names_given_twice(text: &str) -> Vec<ArgumentProblem> {
    walk(text).unwrap_or_default()
}

fn walk(text: &str) -> serde_json::Result<Vec<ArgumentProblem>> {
    let mut walk = Walk::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    walk.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(walk.repeated)
}

/// The most names that are told: a text of nothing else must not make a message many times as
/// long.
const TOLD: usize = 20;

/// Goes through JSON and finds the names that an object has twice.
#[derive(Default)]
struct Walk {
    /// The JSON pointer of where it is.
    pointer: String,
    repeated: Vec<ArgumentProblem>,
}

impl Walk {
    fn repeated(&mut self) {
        if self.repeated.len() < TOLD {
            self.repeated.push(ArgumentProblem::new(
                ProblemKind::Repeated,
                self.pointer.clone(),
                "is given more than once",
            ));
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Walk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Walk {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let here = self.pointer.len();
        // Each with whether it was told, because comparing long pointers takes long.
        let mut names: HashMap<String, bool> = HashMap::new();
        while let Some(name) = map.next_key::<String>()? {
            push_key(&mut self.pointer, &name);
            match names.entry(name) {
                Entry::Vacant(first) => {
                    first.insert(false);
                }
                Entry::Occupied(mut again) => {
                    if !again.insert(true) {
                        self.repeated();
                    }
                }
            }
            map.next_value_seed(&mut *self)?;
            self.pointer.truncate(here);
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<(), S::Error> {
        let here = self.pointer.len();
        for index in 0_usize.. {
            push_key(&mut self.pointer, &index.to_string());
            if items.next_element_seed(&mut *self)?.is_none() {
                break;
            }
            self.pointer.truncate(here);
        }
        self.pointer.truncate(here);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(arguments: impl Into<Arguments<'static>>) -> Vec<(ProblemKind, String)> {
        let invalid = check(&arguments.into()).unwrap_err();
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
            assert!(check(&Arguments::from(good)).is_ok(), "{good}");
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
        assert!(check(&json!({"a": {"a": [{"a": 1}, {"a": 1}]}}).into()).is_ok());
    }

    #[test]
    fn what_is_told_is_bounded() {
        let many: Vec<String> = (0..1_000).map(|n| format!("\"{n}\":1,\"{n}\":2")).collect();
        assert_eq!(refused(format!("{{{}}}", many.join(","))).len(), TOLD);
    }
}
