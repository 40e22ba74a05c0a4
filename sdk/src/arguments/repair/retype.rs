//! Values of another type than declared, and what they were probably meant to be.

use std::cell::LazyCell;
use std::ops::BitOr;

use serde_json::Value;

use super::choice::RepairChoice;
use super::json::{container, numbers_are_as_written};
use super::numbers;
use super::walk::{RepairWalk, Spot};
use crate::schema::{Keyword, Keywords, integer, refused_by, resolved, weight};
use crate::util::nesting::DEPTH;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypeSet(u8);

impl TypeSet {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// Numbers that are no integers.
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    const ALL: Self = Self(127);

    /// The types that a schema takes by its own keywords.
    pub(super) fn declared(node: Keywords<'_>) -> Self {
        let called = |name: &str| match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::INTEGER | Self::FRACTION,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            // No type of JSON Schema: nothing is known.
            _ => Self::ALL,
        };
        match node.get(Keyword::Type) {
            Some(Value::String(name)) => called(name),
            Some(Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                names.fold(Self(0), |all, name| all | called(name))
            }
            _ => {
                let listed = listed(node).map(Self::of);
                listed.reduce(BitOr::bitor).unwrap_or(Self::ALL)
            }
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if integer(number).is_some() => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn overlap(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_only(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for TypeSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Returns how many values a schema lists as the only ones.
pub(super) fn count_listed(node: Keywords<'_>) -> usize {
    node.list(Keyword::Enum).len() + usize::from(node.has(Keyword::Const))
}

/// The values that a schema lists as the only ones.
fn listed(node: Keywords<'_>) -> impl Iterator<Item = &Value> {
    let list = node.list(Keyword::Enum).iter();
    list.chain(node.get(Keyword::Const))
}

/// The texts among them.
pub(super) fn texts_of(node: Keywords<'_>) -> impl Iterator<Item = &str> {
    listed(node).filter_map(Value::as_str)
}

/// The one listed text that is this text but for letter case.
pub(super) fn case_of<'s>(text: &str, node: Keywords<'s>) -> Option<&'s str> {
    // Made once, and only if it is needed: the text was sent, and may be long.
    let folded = LazyCell::new(|| text.to_lowercase());
    let is_alike = |one: &&str| {
        if text.is_ascii() && one.is_ascii() {
            one.eq_ignore_ascii_case(text)
        } else {
            one.to_lowercase() == *folded
        }
    };
    let mut alike = texts_of(node).filter(is_alike);
    let found = alike.next()?;
    alike.all(|other| other == found).then_some(found)
}

impl<'s> RepairWalk<'s> {
    /// Visits the value of the place as the keywords of one schema have it that are about the
    /// value itself.
    pub(super) fn own(&mut self, value: &mut Value, node: Keywords<'s>, spot: Spot) -> bool {
        let types = TypeSet::declared(node);
        if types.overlap(TypeSet::of(value)) {
            self.letter_case(value, node);
            return self.inside(value, node);
        }
        let mut candidates = self.candidates(value, node, types, spot);
        if candidates.len() > 1 {
            return self.choose(value, candidates, node);
        }
        let Some((candidate, must_fit)) = candidates.pop() else {
            return false;
        };
        let mark = self.repairs.len();
        let sent = std::mem::replace(value, candidate);
        let original = must_fit.then(|| sent.clone());
        self.became(sent, value);
        let fits = self.inside(value, node);
        if !fits && let Some(original) = original {
            *value = original;
            self.repairs.truncate(mark);
        }
        fits
    }

    /// Returns what the value may have been meant to be, each with true if it is that only if it fits.
    fn candidates(
        &mut self,
        value: &Value,
        node: Keywords<'s>,
        types: TypeSet,
        spot: Spot,
    ) -> Vec<(Value, bool)> {
        let mut found = Vec::new();
        if !self.spend(4 * weight(value) + count_listed(node)) {
            return found;
        }
        match value {
            Value::String(text) => self.read_text(text, types, &mut found),
            Value::Bool(_) | Value::Number(_) if types.overlap(TypeSet::STRING) => {
                let spelled = numbers::spelled(value, texts_of(node), || self.is_as_written());
                found.extend(spelled.map(|text| (Value::from(text), false)));
            }
            _ => {}
        }
        if types.overlap(TypeSet::ARRAY) && spot == Spot::Member && self.is_one_of(value, node) {
            found.push((Value::Array(vec![value.clone()]), true));
        }
        found
    }

    /// Returns true if a value may be the one item of a list.
    fn is_one_of(&self, value: &Value, list: Keywords<'s>) -> bool {
        let Some(items @ Value::Object(_)) = list.get(Keyword::Items) else {
            return false;
        };
        if list.has(Keyword::PrefixItems) {
            return false;
        }
        match value {
            Value::Null | Value::Array(_) => false,
            // It may be a list as well: as JSON that cannot be read, or with commas. Of texts that
            // are listed it is plain.
            Value::String(text) if text.trim_ascii_start().starts_with('[') => false,
            Value::String(text) if text.contains([',', ';', '\n']) => resolved(self.root, items)
                .is_some_and(|items| {
                    let items = Keywords::of(items);
                    !TypeSet::declared(items).overlap(TypeSet::STRING)
                        || texts_of(items).next().is_some()
                }),
            _ => true,
        }
    }

    fn read_text(&mut self, text: &str, types: TypeSet, found: &mut Vec<(Value, bool)>) {
        let number = if types.overlap(TypeSet::FRACTION) {
            numbers::number(text)
        } else if types.overlap(TypeSet::INTEGER) {
            numbers::integer(text)
        } else {
            None
        };
        found.extend(number.map(|number| (number.into(), false)));
        if types.overlap(TypeSet::BOOLEAN) {
            found.extend(numbers::boolean(text).map(|boolean| (boolean.into(), false)));
        }
        if types.overlap(TypeSet::ARRAY | TypeSet::OBJECT) {
            let tree = container(text, DEPTH.saturating_sub(self.around));
            if let Some(tree) = tree.filter(|tree| types.overlap(TypeSet::of(tree))) {
                self.as_written &= numbers_are_as_written(text);
                found.push((tree, false));
            }
        }
    }

    /// Makes the value the one candidate that fits.
    fn choose(
        &mut self,
        value: &mut Value,
        candidates: Vec<(Value, bool)>,
        node: Keywords<'s>,
    ) -> bool {
        let mut choice = RepairChoice::new(self.repairs.len());
        for (mut candidate, _) in candidates {
            self.became(value.clone(), &candidate);
            let fits = self.inside(&mut candidate, node);
            choice.tried(fits.then_some(candidate), &mut self.repairs);
        }
        choice.decide(value, &mut self.repairs)
    }

    /// A text that is one of a list but for letter case.
    fn letter_case(&mut self, value: &mut Value, node: Keywords<'s>) {
        let Value::String(text) = &*value else { return };
        let count = count_listed(node);
        if count == 0 || !self.spend(count) || texts_of(node).any(|one| one == text) {
            return;
        }
        if let Some(found) = case_of(text, node) {
            let sent = std::mem::replace(value, Value::from(found));
            self.became(sent, value);
        }
    }

    /// Visits what is in the value, and judges the whole.
    fn inside(&mut self, value: &mut Value, node: Keywords<'s>) -> bool {
        let mut fits = true;
        match value {
            Value::Array(items) => {
                let (first, rest) = match node.get(Keyword::Items) {
                    Some(Value::Array(first)) => (&first[..], node.get(Keyword::AdditionalItems)),
                    rest => (node.list(Keyword::PrefixItems), rest),
                };
                for (index, item) in items.iter_mut().enumerate() {
                    let (schema, spot) = match first.get(index) {
                        Some(schema) => (Some(schema), Spot::Member),
                        None => (rest, Spot::Item),
                    };
                    if let Some(schema) = schema {
                        fits &= self.part(itoa::Buffer::new().format(index), item, schema, spot);
                    }
                }
            }
            Value::Object(members) => fits = self.members(members, node),
            _ => {}
        }
        self.spend(count_listed(node) / 8)
            && refused_by(value, node, &mut self.effort).is_none()
            && self.effort > 0
            && fits
    }
}
