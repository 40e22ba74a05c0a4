//! From the arguments of a call to a tuple of values: one strict pass, and after it failed a
//! second that finds everything that is wrong.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;

use super::argument::{ReadSlots, Slots};
use super::constraint::Checks;
use super::function::{ArgumentEntry, Definition};
use crate::message::{Arguments, InvalidArguments, View};

mod report;

/// Reads the arguments of a call.
pub(super) fn parse<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    schema: &dyn Fn() -> &'s Value,
) -> Result<A, InvalidArguments> {
    let (shape, hooks) = (definition.shape(), definition.hooks());
    let read = match arguments.view() {
        View::Empty => Ok(A::empty()),
        View::Text(text) => (shape.read_text)(text, hooks.arguments),
        View::Tree(tree) => (shape.read_tree)(tree, hooks.arguments),
    };
    if let Ok(mut slots) = read {
        if let Some(fill) = hooks.fill {
            fill(&mut slots);
        }
        let fits = hooks.check.is_none_or(|check| {
            let mut checks = Checks::checking();
            check(&mut checks, &slots);
            checks.failed().is_empty()
        });
        if fits && let Ok(values) = (shape.finish)(slots) {
            return Ok(values);
        }
    }
    Err(report::report(arguments, definition, schema()))
}

pub(super) fn read_text<A: ReadSlots>(
    text: &str,
    entries: &[ArgumentEntry],
) -> Result<A::Slots, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let slots = deserializer.deserialize_map(SlotsVisitor::<A>::new(entries))?;
    deserializer.end()?;
    Ok(slots)
}

pub(super) fn read_tree<A: ReadSlots>(
    tree: &Value,
    entries: &[ArgumentEntry],
) -> Result<A::Slots, serde_json::Error> {
    // A sequence is no object, whatever serde's own structs take.
    match tree {
        Value::Object(_) => tree.deserialize_map(SlotsVisitor::<A>::new(entries)),
        _ => Err(serde_json::Error::custom("not an object")),
    }
}

struct SlotsVisitor<'t, A> {
    entries: &'t [ArgumentEntry],
    of: PhantomData<A>,
}

impl<'t, A> SlotsVisitor<'t, A> {
    fn new(entries: &'t [ArgumentEntry]) -> Self {
        Self {
            entries,
            of: PhantomData,
        }
    }
}

impl<'de, A: ReadSlots> Visitor<'de> for SlotsVisitor<'_, A> {
    type Value = A::Slots;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<A::Slots, M::Error> {
        let mut slots = A::empty();
        let mut next = 0;
        while let Some(index) = map.next_key_seed(Key {
            entries: self.entries,
            next,
        })? {
            A::read(&mut slots, index, &mut map)?;
            next = index + 1;
        }
        Ok(slots)
    }
}

/// Finds the argument that a key names. Models send arguments in the order in which they are
/// declared, so the search starts after the last one found.
struct Key<'t> {
    entries: &'t [ArgumentEntry],
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, key: &str) -> Result<usize, E> {
        if let Some(entry) = self.entries.get(self.next)
            && entry.name == key
        {
            return Ok(self.next);
        }
        find(self.entries, key).ok_or_else(|| E::custom("unknown argument"))
    }
}

/// The argument that a key names, by its name or an alias.
fn find(entries: &[ArgumentEntry], key: &str) -> Option<usize> {
    entries
        .iter()
        .position(|entry| entry.name == key || entry.aliases.contains(&key))
}
