//! Arguments read by one strict pass, and after it failed by a second that finds everything that is wrong.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::Value;

pub(crate) use complaint::worded;

use super::argument::{ReadSlots, Slots};
use super::reader::ArgumentReader;
use crate::arguments::strict::{Flags, Strict, Tree, Unreadable, numbers_are_text, repeated};
use crate::arguments::{InvalidArguments, View, rounded};
use crate::spec::ToolSpec;

mod branches;
pub(super) mod cause;
mod complaint;
mod explain;
mod faults;
mod hints;
mod judged;
pub(super) mod names;
mod proof;
mod report;
mod skeleton;
mod unseen;
mod words;

pub(crate) use judged::{holds, run_time};
use names::{Names, find};
pub(crate) use report::{report, valid_of_whole};
pub(crate) use words::not_an_object;

/// The tool's spec, whose input schema is made when it is first asked for.
pub(crate) type SpecOf<'c, 's> = &'c (dyn Fn() -> &'s ToolSpec + 'c);

/// Whether the arguments could be read into slots.
#[inline]
pub(crate) fn read<A: ReadSlots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    slots: &mut A::Slots,
    flags: &Flags,
) -> bool {
    let mut names = Names::of(reader.arguments, &reader.order);
    match arguments {
        View::Empty => true,
        View::Text(text) if numbers_are_text() => {
            tree_of(text).is_some_and(|tree| read::<A>(View::Tree(&tree), reader, slots, flags))
        }
        View::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let visitor = SlotsVisitor::<A> {
                names,
                slots,
                flags,
            };
            deserializer.deserialize_map(visitor).is_ok() && deserializer.end().is_ok()
        }
        View::Tree(Value::Object(members)) => members.iter().all(|(key, value)| {
            let index = names.find_sorted(key);
            let value = Tree::<Unreadable>::new(value);
            index.is_some_and(|index| A::read(slots, index, value, flags).is_ok())
        }),
        // A sequence is no object, whatever serde's own structs take.
        View::Tree(_) => false,
    }
}

pub(crate) fn whole<T: DeserializeOwned>(arguments: View<'_>, flags: &Flags) -> Option<T> {
    let text = match arguments {
        View::Empty => "{}",
        // A list is no object, whatever the type would take.
        View::Text(text) if numbers_are_text() => {
            return whole(View::Tree(&tree_of(text)?), flags);
        }
        View::Text(text) if text.trim_ascii_start().starts_with('{') => text,
        View::Tree(tree @ Value::Object(_)) => {
            let tree = Tree::<Unreadable>::new(tree);
            return Strict::<T>::new(flags).deserialize(tree).ok();
        }
        View::Text(_) | View::Tree(_) => return None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict::<T>::new(flags)
        .deserialize(&mut deserializer)
        .ok()?;
    deserializer.end().ok()?;
    Some(value)
}

/// Returns true if each number was kept as it was sent.
#[cold]
pub(crate) fn is_kept(arguments: View<'_>, spec: SpecOf<'_, '_>) -> bool {
    rounded(arguments, Some(spec())).is_empty()
}

/// Whether also that is right which the strict pass did not see.
#[cold]
pub(crate) fn all_is_known<A: Slots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    spec: SpecOf<'_, '_>,
) -> bool {
    InvalidArguments::too_deep(arguments).is_none()
        && unseen::problems(arguments, reader, spec().input_schema()).is_empty()
}

/// The tree of a text, for programs in which numbers are texts: what a type is read from then shows
/// such a number as an object of one name.
#[cold]
fn tree_of(text: &str) -> Option<Value> {
    let is_single = repeated(text).is_ok_and(|repeated| repeated.is_empty());
    is_single.then(|| serde_json::from_str(text).ok())?
}

struct SlotsVisitor<'s, A: Slots> {
    names: Names,
    slots: &'s mut A::Slots,
    flags: &'s Flags,
}

impl<'de, A: ReadSlots> Visitor<'de> for SlotsVisitor<'_, A> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        while let Some(index) = map.next_key_seed(&mut self.names)? {
            map.next_value_seed(Slot::<A> {
                slots: self.slots,
                index,
                flags: self.flags,
            })?;
        }
        Ok(())
    }
}

/// Where the value goes that a map is at.
struct Slot<'s, A: Slots> {
    slots: &'s mut A::Slots,
    index: usize,
    flags: &'s Flags,
}

impl<'de, A: ReadSlots> DeserializeSeed<'de> for Slot<'_, A> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        A::read(self.slots, self.index, deserializer, self.flags)
    }
}
