//! From the arguments of a call to a tuple of values: one strict pass, and after it failed a
//! second that finds everything that is wrong.

use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use self::strict::{Flags, Strict};
use super::Invocation;
use super::argument::{ReadSlots, Slots};
use super::constraint::Checks;
use super::definition::{Definition, Entry, has_alias};
use super::invocation::FnInvocation;
use super::method::Receiver;
use super::presets::Presets;
use crate::message::{Arguments, InvalidArguments, View};
use crate::spec::ToolSpec;

mod branches;
mod complaint;
mod explain;
mod faults;
mod judged;
mod proof;
mod report;
mod skeleton;
pub(super) mod strict;
pub(super) mod tree;
mod unseen;
mod words;

pub(super) use judged::run_time;
pub(super) use words::not_an_object;

/// Reads the arguments of a call.
#[inline]
pub(super) fn parse<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    receiver: Receiver,
    spec: &dyn Fn() -> &'s ToolSpec,
) -> Result<Box<dyn Invocation>, InvalidArguments> {
    let take = Take::Invocation(receiver);
    (definition.shape.prepare)(arguments.view(), definition, spec, take)
        .ok_or_else(|| report::report(arguments, definition, spec()))
}

/// Reads the arguments of a call into values.
pub(super) fn values<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    spec: &dyn Fn() -> &'s ToolSpec,
) -> Result<A, InvalidArguments> {
    let mut values = None;
    let take = Take::Values(&mut values);
    (definition.shape.prepare)(arguments.view(), definition, spec, take);
    match values {
        Some(Ok(values)) => Ok(values),
        _ => Err(report::report(arguments, definition, spec())),
    }
}

/// The tool's spec, whose input schema is made when it is first asked for.
pub(super) type SpecOf<'c, 's> = &'c (dyn Fn() -> &'s ToolSpec + 'c);

/// What is made of values. One function reads for all, because each reader is a good part of what
/// a tool adds to a program.
pub(super) enum Take<'t, A> {
    Invocation(Receiver),
    /// Or what the author's own validation says of them.
    Values(&'t mut Option<Result<A, InvalidArguments>>),
}

/// The strict pass: something only if nothing at all is wrong with the arguments.
pub(super) fn prepare<A: ReadSlots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: SpecOf<'_, '_>,
    take: Take<'_, A>,
) -> Option<Box<dyn Invocation>> {
    let flags = Flags::default();
    // Filled in place: the arguments of a tool can be large, and moving them costs.
    let mut slots = A::empty();
    let visitor = SlotsVisitor::<A> {
        entries: definition.arguments,
        slots: &mut slots,
        flags: &flags,
    };
    match arguments {
        View::Empty => {}
        View::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            deserializer.deserialize_map(visitor).ok()?;
            deserializer.end().ok()?;
        }
        // A sequence is no object, whatever serde's own structs take.
        View::Tree(tree @ Value::Object(_)) => tree.deserialize_map(visitor).ok()?,
        View::Tree(_) => return None,
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
    finish(A::finish(slots)?, definition, take)
}

/// The strict pass of a tool whose one argument is the whole object.
pub(super) fn prepare_whole<T: DeserializeOwned + Send + 'static>(
    arguments: View<'_>,
    definition: &'static Definition<(T,)>,
    spec: SpecOf<'_, '_>,
    take: Take<'_, (T,)>,
) -> Option<Box<dyn Invocation>> {
    let flags = Flags::default();
    let value = whole::<T>(arguments, &flags)?;
    if flags.unseen() && !all_is_known(arguments, definition, spec) {
        return None;
    }
    let promise = spec().promise();
    if !promise.is_kept() && !judged::holds(arguments, definition, promise) {
        return None;
    }
    finish((value,), definition, take)
}

fn whole<T: DeserializeOwned>(arguments: View<'_>, flags: &Flags) -> Option<T> {
    let text = match arguments {
        View::Empty => "{}",
        // A list is no object, whatever the type would take.
        View::Text(text) if text.trim_ascii_start().starts_with('{') => text,
        View::Tree(tree @ Value::Object(_)) => {
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

/// Whether also that is right which the strict pass did not see.
#[cold]
fn all_is_known<A: Slots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: SpecOf<'_, '_>,
) -> bool {
    unseen::problems(arguments, definition, spec().input_schema()).is_empty()
}

#[inline]
fn finish<A: Slots + Send>(
    values: A,
    definition: &'static Definition<A>,
    take: Take<'_, A>,
) -> Option<Box<dyn Invocation>> {
    let valid = match definition.validate {
        Some(validate) => validate(&values),
        None => Ok(()),
    };
    match take {
        Take::Values(place) => {
            *place = Some(valid.map(|()| values));
            None
        }
        Take::Invocation(receiver) => valid.is_ok().then(|| -> Box<dyn Invocation> {
            Box::new(FnInvocation {
                values,
                receiver,
                definition,
            })
        }),
    }
}

struct SlotsVisitor<'s, A: Slots> {
    entries: &'static [Entry],
    slots: &'s mut A::Slots,
    flags: &'s Flags,
}

impl<'de, A: ReadSlots> Visitor<'de> for SlotsVisitor<'_, A> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut next = 0;
        while let Some(index) = map.next_key_seed(Key {
            entries: self.entries,
            next,
        })? {
            A::read(self.slots, index, &mut map, self.flags)?;
            next = index + 1;
        }
        Ok(())
    }
}

/// Finds the argument that a key names. Models send arguments in the order in which they are
/// declared, so the search starts after the last one found.
struct Key {
    entries: &'static [Entry],
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Key {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, key: &str) -> Result<usize, E> {
        if let Some(entry) = self.entries.get(self.next)
            && same(entry.0, key)
        {
            return Ok(self.next);
        }
        find(self.entries, key).ok_or_else(|| E::custom("unknown argument"))
    }
}

/// The argument that a key names, by its name or an alias.
fn find(entries: &[Entry], key: &str) -> Option<usize> {
    let named = |entry: &Entry| same(entry.0, key);
    let aliased = |entry: &Entry| has_alias(entry, key);
    let at = entries.iter().position(named);
    at.or_else(|| entries.iter().position(aliased))
}

/// Whether two names are the same. Most are short, and a comparison of slices is a call to the C
/// library each time: this looks at the two ends, which overlap in the middle.
#[inline]
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == b.len()
        && match a.len() {
            0 => true,
            1..=3 => a[0] == b[0] && a[a.len() / 2] == b[b.len() / 2] && a.last() == b.last(),
            4..=7 => ends::<4>(a, b),
            8..=16 => ends::<8>(a, b),
            _ => a == b,
        }
}

#[inline]
fn ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk::<N>() && a.last_chunk::<N>() == b.last_chunk::<N>()
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn names_are_the_same_when_every_byte_is() {
        let name = "a_name_of_more_than_16";
        for length in 0..=name.len() {
            let name = &name[..length];
            assert!(same(name, &String::from_iter([name])));
            assert!(!same(name, &format!("{name}x")));
            for at in 0..length {
                let mut other = name.to_owned();
                other.replace_range(at..=at, "X");
                assert!(!same(name, &other), "{other}");
            }
        }
    }
}
