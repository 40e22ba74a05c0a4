//! From the arguments of a call to a tuple of values: one strict pass, and after it failed a
//! second that finds everything that is wrong.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::Value;

pub(crate) use complaint::worded;

use super::Invocation;
use super::argument::{ReadSlots, Slots};
use super::constraint::Checks;
use super::definition::Definition;
use super::invocation::FnInvocation;
use super::method::Receiver;
use super::presets::Presets;
use crate::message::{Arguments, InvalidArguments, View, rounded};
use crate::spec::ToolSpec;
use crate::strict::{Flags, Strict, Tree, Unreadable, numbers_are_text, repeated};

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

pub(super) use judged::run_time;
use names::{Names, find};
pub(super) use report::valid_of_whole;
pub(super) use words::not_an_object;

/// Reads the arguments of a call.
#[inline]
pub(super) fn parse<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    receiver: Receiver,
    spec: &dyn Fn() -> &'s ToolSpec,
) -> Result<Box<dyn Invocation>, InvalidArguments> {
    (definition.shape.prepare)(arguments.view(), definition, spec, receiver, None)
        .ok_or_else(|| report::report(arguments, definition, spec()))
}

/// Reads the arguments of a call into values.
#[inline]
pub(super) fn values<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    spec: &dyn Fn() -> &'s ToolSpec,
) -> Result<A, InvalidArguments> {
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return Err(invalid);
    }
    let mut values = None;
    (definition.shape.prepare)(arguments.view(), definition, spec, None, Some(&mut values));
    match values {
        Some(Ok(values)) => Ok(values),
        _ => Err(report::report(arguments, definition, spec())),
    }
}

/// The tool's spec, whose input schema is made when it is first asked for.
pub(super) type SpecOf<'c, 's> = &'c (dyn Fn() -> &'s ToolSpec + 'c);

/// Where the values go that somebody asked for, or what the author's own validation says of them.
pub(super) type Place<'t, A> = &'t mut Option<Result<A, InvalidArguments>>;

/// The strict pass: an invocation only if nothing at all is wrong with the arguments. Where there is
/// a place for the values they go there, and there is none: one function reads for both, because
/// each reader is a good part of what a tool adds to a program.
pub(super) fn prepare<A: ReadSlots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: SpecOf<'_, '_>,
    receiver: Receiver,
    place: Option<Place<'_, A>>,
) -> Option<Box<dyn Invocation>> {
    let mut flags = Flags::default();
    // Filled in place: the arguments of a tool can be large, and moving them costs.
    let mut slots = A::empty();
    while !read::<A>(arguments, definition, &mut slots, &flags) {
        flags = flags.again()?;
        slots = A::empty();
    }
    if flags.rounds() && !is_kept(arguments, spec) {
        return None;
    }
    if flags.unseen() && !all_is_known(arguments, definition, spec) {
        return None;
    }
    let promise = spec().promise();
    if !promise.is_kept() && !judged::holds(arguments, definition, promise) {
        return None;
    }
    if let Some(fill) = definition.fill {
        fill(&mut Presets::filling(), &mut slots);
    }
    if let Some(check) = definition.check {
        let mut checks = Checks::checking();
        check(&mut checks, &slots);
        if !checks.failed().is_empty() {
            return None;
        }
    }
    finish(A::finish(slots)?, definition, receiver, place)
}

/// Whether the arguments could be read into slots.
#[inline]
fn read<A: ReadSlots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    slots: &mut A::Slots,
    flags: &Flags,
) -> bool {
    let mut names = Names::of(definition.arguments, &definition.order);
    match arguments {
        View::Empty => true,
        View::Text(text) if numbers_are_text() => {
            tree_of(text).is_some_and(|tree| read::<A>(View::Tree(&tree), definition, slots, flags))
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

/// The strict pass of a tool whose one argument is the whole object.
pub(super) fn prepare_whole<T: DeserializeOwned + Send + 'static>(
    arguments: View<'_>,
    definition: &'static Definition<(T,)>,
    spec: SpecOf<'_, '_>,
    receiver: Receiver,
    place: Option<Place<'_, (T,)>>,
) -> Option<Box<dyn Invocation>> {
    let mut flags = Flags::default();
    let value = loop {
        match whole::<T>(arguments, &flags) {
            Some(value) => break value,
            None => flags = flags.again()?,
        }
    };
    if flags.rounds() && !is_kept(arguments, spec) {
        return None;
    }
    if flags.unseen() && !all_is_known(arguments, definition, spec) {
        return None;
    }
    let promise = spec().promise();
    if !promise.is_kept() && !judged::holds(arguments, definition, promise) {
        return None;
    }
    finish((value,), definition, receiver, place)
}

fn whole<T: DeserializeOwned>(arguments: View<'_>, flags: &Flags) -> Option<T> {
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
fn is_kept(arguments: View<'_>, spec: SpecOf<'_, '_>) -> bool {
    rounded(arguments, Some(spec())).is_empty()
}

/// Whether also that is right which the strict pass did not see.
#[cold]
fn all_is_known<A: Slots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: SpecOf<'_, '_>,
) -> bool {
    InvalidArguments::too_deep(arguments).is_none()
        && unseen::problems(arguments, definition, spec().input_schema()).is_empty()
}

/// The tree of a text, for programs in which numbers are texts: what a type is read from then shows
/// such a number as an object of one name.
#[cold]
fn tree_of(text: &str) -> Option<Value> {
    let is_single = repeated(text).is_ok_and(|repeated| repeated.is_empty());
    is_single.then(|| serde_json::from_str(text).ok())?
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "each call moves the values once more")]
fn finish<A: Slots + Send>(
    values: A,
    definition: &'static Definition<A>,
    receiver: Receiver,
    place: Option<Place<'_, A>>,
) -> Option<Box<dyn Invocation>> {
    let valid = match definition.validate {
        Some(validate) => validate(&values),
        None => Ok(()),
    };
    if let Some(place) = place {
        // Not by `map`, which moves the values once more.
        match valid {
            Ok(()) => *place = Some(Ok(values)),
            Err(invalid) => *place = Some(Err(invalid)),
        }
        return None;
    }
    valid.ok()?;
    // Room first, so that the values are moved there and not by way of the stack.
    let room = Box::<FnInvocation<A>>::new_uninit();
    let invocation = FnInvocation {
        values,
        receiver,
        definition,
    };
    let invocation: Box<FnInvocation<A>> = Box::write(room, invocation);
    Some(invocation)
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
