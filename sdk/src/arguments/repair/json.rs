//! JSON text as a tree, if it says one thing.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::ReadTree;
use super::lenient::stripped;
use super::numbers::is_lossless;
use crate::arguments::strict::{loss, numbers, numbers_are_text};
use crate::util::nesting::{self, DEPTH};

/// The tree of a text, if it is JSON in which no object has a name twice and no number would be rounded.
pub(super) fn tree(text: &str) -> Option<ReadTree<'_>> {
    let mut reading = SingleNames::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut tree = reading.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    if numbers_are_text() {
        // To read such a number is to read an object of one name.
        tree = serde_json::from_str(text).ok()?;
        reading.may_round = true;
    }
    let order = reading.order.unwrap_or_default();
    (!reading.may_round || is_kept(text)).then_some(ReadTree { tree, order })
}

/// Returns true if no number in a text would be rounded.
fn is_kept(text: &str) -> bool {
    !numbers(text).any(|number| loss(number).is_some())
}

/// The name of a member, lent by the text where it stands there as it is.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

/// Reads JSON in which no object has a name twice.
#[derive(Default)]
struct SingleNames<'t> {
    /// True if a float is without a fraction, and so may stand for another number.
    may_round: bool,
    /// The names of the outermost object, if it is one, as they came.
    order: Option<Vec<Cow<'t, str>>>,
}

impl<'de> DeserializeSeed<'de> for &mut SingleNames<'de> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut SingleNames<'de> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Value, M::Error> {
        let mut members = Map::new();
        let is_outermost = self.order.is_none();
        let mut order = Vec::with_capacity(if is_outermost { 16 } else { 0 });
        self.order.get_or_insert_default();
        while let Some(Name(name)) = map.next_key()? {
            if is_outermost {
                order.push(name.clone());
            }
            let value = map.next_value_seed(&mut *self)?;
            if members.insert(name.into_owned(), value).is_some() {
                return Err(M::Error::custom("a name is given twice"));
            }
        }
        if is_outermost {
            self.order = Some(order);
        }
        Ok(Value::Object(members))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Value, S::Error> {
        self.order.get_or_insert_default();
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(&mut *self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        self.may_round |= value.fract() == 0.0;
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

/// The object that a text is but for a code fence around it or commas after last values, and what these
/// were. No number of it has been rounded.
pub(super) fn lenient(text: &str) -> Option<(Value, Vec<&'static str>)> {
    let stripped = stripped(text)?;
    let tree = strict_container(&stripped.text, DEPTH)?;
    tree.is_object().then_some((tree, stripped.removed))
}

/// The array or object that a text is, if need be without a code fence around it and commas after last
/// values, with its numbers as they are written, in at most so many
/// levels.
pub(super) fn container(text: &str, levels: usize) -> Option<Value> {
    let strict = strict_container(text, levels);
    strict.or_else(|| strict_container(&stripped(text)?.text, levels))
}

fn strict_container(text: &str, levels: usize) -> Option<Value> {
    let text = text.trim_ascii();
    if !text.starts_with(['[', '{']) || nesting::of_text(text) > levels.min(DEPTH) {
        return None;
    }
    if !numbers(text).all(is_lossless) {
        return None;
    }
    tree(text).map(|read| read.tree)
}

/// Returns true if each number stands in the text as it is written again.
pub(super) fn numbers_are_as_written(text: &str) -> bool {
    numbers(text).all(|number| {
        let float = || number.parse().ok().and_then(Number::from_f64);
        !number.contains(['.', 'e', 'E']) || float().is_some_and(|f| f.to_string() == number)
    })
}
