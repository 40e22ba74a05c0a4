//! Numbers that a reader would round, by one rule for all arguments, as text and as a tree.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::invalid::TOLD;
use super::raw::View;
use super::sentences::shortened;
use super::strict::{Loss, loss, numbers, numbers_are_text, text_of};
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{Hidden, at, describe};
use crate::spec::ToolSpec;
use crate::util::pointer::below;
use crate::util::pointer::{push_key, unescaped};

/// The numbers among arguments that would be rounded where they stand, as problems.
///
/// A number that becomes 0, although it is not, is one everywhere. One that has a fraction which a
/// float has no room for is one where an integer is declared, and an integer that a float would round
/// is one where no number is declared: what is declared is then a float, which takes the nearest.
#[cold]
pub(crate) fn rounded(arguments: View<'_>, spec: Option<&ToolSpec>) -> Vec<ArgumentProblem> {
    let mut found = RoundedNumbers::default();
    match arguments {
        View::Text(text) => {
            if numbers(text).any(|number| loss(number).is_some()) {
                found.in_text(text);
            }
        }
        View::Tree(tree) if numbers_are_text() => found.in_tree(tree),
        // Its numbers were read before, and what they lost is not to be seen any more.
        View::Empty | View::Tree(_) => {}
    }
    if found.lossy.is_empty() {
        return Vec::new();
    }
    let root = spec.map_or(&Value::Null, ToolSpec::input_schema);
    let mut hidden = spec.map_or_else(Hidden::nothing, ToolSpec::hidden);
    let aliases = spec.map_or_else(Vec::new, ToolSpec::argument_aliases);
    let problems = found.lossy.into_iter().filter_map(|lossy| {
        let pointer = own_name(&lossy.pointer, &aliases);
        let node = at(root, &pointer);
        lossy.is_problem(node).then(|| {
            let expected = match node {
                Some(node) if declares(node, "integer") => describe(node, root),
                _ => "a number that can be kept as it is".to_owned(),
            };
            let kind = ProblemKind::Constraint;
            if let Some(place) = hidden.on_the_way(&pointer) {
                return ArgumentProblem::secret(kind, place, expected, "a number");
            }
            let found = format!("{}, which would be rounded", shortened(&lossy.number));
            ArgumentProblem::other(kind, pointer, expected, found)
        })
    });
    problems.collect()
}

/// Returns a place among the arguments in which the argument has its own name.
pub(super) fn own_name(pointer: &str, aliases: &[(&str, &str)]) -> String {
    let inside = pointer.get(1..).unwrap_or_default();
    let (first, rest) = inside.split_at(inside.find('/').unwrap_or(inside.len()));
    let key = unescaped(first);
    match aliases.iter().find(|(alias, _)| *alias == key) {
        Some((_, name)) => below("", name) + rest,
        None => pointer.to_owned(),
    }
}

/// Returns true if a schema names a type, alone or among others, or as an alternative.
fn declares(node: &Value, name: &str) -> bool {
    match &node["type"] {
        Value::String(only) => only == name,
        Value::Array(several) => several.iter().any(|one| one == name),
        _ => ["anyOf", "oneOf"].iter().any(|keyword| {
            let branches = node[*keyword].as_array();
            branches.is_some_and(|all| all.iter().any(|branch| branch["type"] == name))
        }),
    }
}

/// A number that a float has no room for.
struct Lossy {
    pointer: String,
    number: String,
    loss: Loss,
}

impl Lossy {
    fn is_problem(&self, node: Option<&Value>) -> bool {
        let is = |name: &str| node.is_some_and(|node| declares(node, name));
        match self.loss {
            Loss::Whole => true,
            Loss::Fraction => node.is_none() || (is("integer") && !is("number")),
            // Integers of 128 bits are read from the text.
            Loss::Digits => !is("number") && !is("integer"),
        }
    }
}

#[derive(Default)]
struct RoundedNumbers {
    pointer: String,
    lossy: Vec<Lossy>,
}

impl RoundedNumbers {
    fn number(&mut self, number: &str) {
        if let Some(loss) = loss(number).filter(|_| self.lossy.len() < TOLD) {
            self.lossy.push(Lossy {
                pointer: self.pointer.clone(),
                number: number.to_owned(),
                loss,
            });
        }
    }

    fn within(&mut self, key: &str, look: impl FnOnce(&mut Self)) {
        let here = self.pointer.len();
        push_key(&mut self.pointer, key);
        look(self);
        self.pointer.truncate(here);
    }

    /// In JSON, which no reader follows deeper than it can.
    fn in_text(&mut self, text: &str) {
        let text = text.trim_ascii();
        match text.as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<Cow<'_, str>, &RawValue> =
                    serde_json::from_str(text).unwrap_or_default();
                for (name, value) in members {
                    self.within(&name, |found| found.in_text(value.get()));
                }
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                for (index, item) in items.into_iter().enumerate() {
                    self.within(&index.to_string(), |found| found.in_text(item.get()));
                }
            }
            Some(b'-' | b'0'..=b'9') => self.number(text),
            _ => {}
        }
    }

    fn in_tree(&mut self, tree: &Value) {
        match tree {
            Value::Number(number) => {
                if let Some(text) = text_of(number) {
                    self.number(text);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if item.is_number() || item.is_array() || item.is_object() {
                        self.within(&index.to_string(), |found| found.in_tree(item));
                    }
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    if value.is_number() || value.is_array() || value.is_object() {
                        self.within(name, |found| found.in_tree(value));
                    }
                }
            }
            _ => {}
        }
    }
}
