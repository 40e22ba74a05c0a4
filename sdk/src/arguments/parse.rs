//! Arguments read by one strict pass, and after it failed by a second that finds everything that is wrong.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::argument::{ReadSlots, Slots};
use super::reader::{ArgumentReader, ArgumentTypes};
use crate::arguments::strict::{Flags, Strict, Tree, Unreadable, numbers_are_text, repeated};
use crate::arguments::{Arguments, InvalidArguments, ReadTree, View, diagnose, rounded, unseen};
use crate::spec::ToolSpec;

pub(super) mod names;

use names::ArgumentNames;

/// The tool's spec, whose input schema is made when it is first asked for.
pub(crate) type SpecOf<'c, 's> = &'c (dyn Fn() -> &'s ToolSpec + 'c);

/// Reads the arguments into slots.
///
/// # Errors
///
/// Fails if one is refused, with the number of those of a tree that were read before it. Of a text, that is 0.
#[inline]
pub(crate) fn read<A: ReadSlots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    slots: &mut A::Slots,
    flags: &Flags,
) -> Result<(), usize> {
    let uncounted = |is_read: bool| is_read.then_some(()).ok_or(0);
    let mut names = ArgumentNames::of(reader.arguments, &reader.order);
    match arguments {
        View::Empty => Ok(()),
        View::Text(text) if numbers_are_text() => {
            let tree = tree_of(text).ok_or(0_usize)?;
            uncounted(read::<A>(View::Tree(&tree), reader, slots, flags).is_ok())
        }
        View::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let mut visitor = SlotsVisitor::<A> {
                names,
                slots,
                flags,
            };
            let is_read = deserializer.deserialize_map(&mut visitor).is_ok();
            uncounted(is_read && deserializer.end().is_ok())
        }
        View::Tree(Value::Object(members)) => {
            let refused = members.iter().position(|(key, value)| {
                let index = names.find_sorted(key);
                let value = Tree::<Unreadable>::new(value);
                index.is_none_or(|index| A::read(slots, index, value, flags).is_err())
            });
            refused.map_or(Ok(()), Err)
        }
        // A sequence is no object, whatever serde's own structs take.
        View::Tree(_) => Err(0),
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

/// Returns true if that is right, too, which reading the arguments did not show.
#[inline(always)]
#[allow(clippy::inline_always, reason = "three looks, if all is well")]
pub(crate) fn is_right<A: Slots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    spec: SpecOf<'_, '_>,
    flags: &Flags,
) -> bool {
    (!flags.rounds() || is_kept(arguments, spec))
        && (!flags.unseen() || all_is_known(arguments, &reader.types(), spec))
        && (spec().promise().is_kept() || holds(arguments, spec()))
}

/// Returns true if each number was kept as it was sent.
#[cold]
fn is_kept(arguments: View<'_>, spec: SpecOf<'_, '_>) -> bool {
    rounded(arguments, Some(spec())).is_empty()
}

/// Returns true if that is right, too, which the strict pass did not see.
#[cold]
fn all_is_known(arguments: View<'_>, types: &ArgumentTypes<'_>, spec: SpecOf<'_, '_>) -> bool {
    InvalidArguments::too_deep(arguments).is_none()
        && arguments
            .named(spec())
            .is_some_and(|tree| unseen(arguments, &tree, types, spec()).is_empty())
}

/// Returns true if arguments that were read keep what their types do not.
#[cold]
fn holds(arguments: View<'_>, spec: &ToolSpec) -> bool {
    InvalidArguments::too_deep(arguments).is_none()
        && arguments
            .named(spec)
            .is_some_and(|tree| spec.promise().holds(&tree))
}

/// Returns everything that is wrong with arguments that were refused. `tree` is that of their text, where it was read
/// for a repair, and the first `read` of them are known to be taken. `refusal` is what the author's own validation says
/// of arguments that are right otherwise.
#[cold]
pub(crate) fn report(
    arguments: &Arguments<'_>,
    tree: Option<ReadTree<'_>>,
    read: usize,
    types: &ArgumentTypes<'_>,
    spec: &ToolSpec,
    refusal: &dyn Fn() -> Option<InvalidArguments>,
) -> InvalidArguments {
    let invalid = diagnose(arguments, tree, read, types, spec);
    if !invalid.problems().is_empty() {
        return invalid;
    }
    // If the two passes disagree, the arguments are refused all the same.
    refusal()
        .unwrap_or_else(|| InvalidArguments::undisclosed().with_valid(invalid.valid().to_vec()))
}

/// The tree of a text, for programs in which numbers are texts: what a type is read from then shows
/// such a number as an object of one name.
#[cold]
fn tree_of(text: &str) -> Option<Value> {
    let is_single = repeated(text).is_ok_and(|repeated| repeated.is_empty());
    is_single.then(|| serde_json::from_str(text).ok())?
}

struct SlotsVisitor<'s, A: Slots> {
    names: ArgumentNames,
    slots: &'s mut A::Slots,
    flags: &'s Flags,
}

/// By reference: a visitor is handed on, and to move one that was made just before waits until that is written.
impl<'de, A: ReadSlots> Visitor<'de> for &mut SlotsVisitor<'_, A> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
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

/// The place for the value that a map is at.
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
