//! From the arguments of a call to an invocation of a generated tool.

use serde::de::DeserializeOwned;

use super::definition::Definition;
use super::invocation::FnInvocation;
use super::method::Receiver;
use crate::arguments::constraint::Checks;
use crate::arguments::strict::Flags;
use crate::arguments::{
    Arguments, InvalidArguments, Presets, ReadSlots, Slots, SpecOf, View, parse,
};
use crate::spec::ToolSpec;
use crate::tool::Invocation;

/// Reads the arguments of a call into values.
#[inline]
pub(crate) fn values<'s, A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    spec: &dyn Fn() -> &'s ToolSpec,
) -> Result<A, InvalidArguments> {
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return Err(invalid);
    }
    let mut values = None;
    (definition.prepare)(arguments.view(), definition, spec, None, Some(&mut values));
    match values {
        Some(Ok(values)) => Ok(values),
        _ => Err(report(arguments, definition, spec())),
    }
}

/// Returns everything that is wrong with the arguments of a call.
#[cold]
pub(super) fn report<A: Slots>(
    arguments: &Arguments<'_>,
    definition: &'static Definition<A>,
    spec: &ToolSpec,
) -> InvalidArguments {
    let refusal = || {
        let mut values = None;
        let place = Some(&mut values);
        (definition.prepare)(arguments.view(), definition, &|| spec, None, place);
        values?.err()
    };
    parse::report(arguments, &definition.reader, spec, &refusal)
}

/// The place for the values that a caller wants, or for the refusal of the author's own validation.
pub(super) type ValuesSlot<'t, A> = &'t mut Option<Result<A, InvalidArguments>>;

/// The strict pass: an invocation only if nothing at all is wrong with the arguments. Where there is
/// a place for the values they go there, and there is none: one function reads for both, because
/// each reader is a good part of what a tool adds to a program.
pub(super) fn prepare<A: ReadSlots>(
    arguments: View<'_>,
    definition: &'static Definition<A>,
    spec: SpecOf<'_, '_>,
    receiver: Receiver,
    place: Option<ValuesSlot<'_, A>>,
) -> Option<Box<dyn Invocation>> {
    let mut flags = Flags::default();
    // Filled in place: the arguments of a tool can be large, and moving them costs.
    let mut slots = A::empty();
    while !parse::read::<A>(arguments, &definition.reader, &mut slots, &flags) {
        flags = flags.again()?;
        slots = A::empty();
    }
    if !parse::is_right(arguments, &definition.reader, spec, &flags) {
        return None;
    }
    if let Some(fill) = definition.reader.fill {
        fill(&mut Presets::filling(), &mut slots);
    }
    if let Some(check) = definition.reader.check {
        let mut checks = Checks::checking();
        check(&mut checks, &slots);
        if !checks.failed().is_empty() {
            return None;
        }
    }
    finish(A::finish(slots)?, definition, receiver, place)
}

/// The strict pass of a tool whose one argument is the whole object.
pub(crate) fn prepare_whole<T: DeserializeOwned + Send + 'static>(
    arguments: View<'_>,
    definition: &'static Definition<(T,)>,
    spec: SpecOf<'_, '_>,
    receiver: Receiver,
    place: Option<ValuesSlot<'_, (T,)>>,
) -> Option<Box<dyn Invocation>> {
    let mut flags = Flags::default();
    let value = loop {
        match parse::whole::<T>(arguments, &flags) {
            Some(value) => break value,
            None => flags = flags.again()?,
        }
    };
    if !parse::is_right(arguments, &definition.reader, spec, &flags) {
        return None;
    }
    finish((value,), definition, receiver, place)
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "each call moves the values once more")]
fn finish<A: Slots + Send>(
    values: A,
    definition: &'static Definition<A>,
    receiver: Receiver,
    place: Option<ValuesSlot<'_, A>>,
) -> Option<Box<dyn Invocation>> {
    let valid = match definition.reader.validate {
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
    // The room is allocated first, so that the values are moved there and not by way of the stack.
    let room = Box::<FnInvocation<A>>::new_uninit();
    let invocation = FnInvocation {
        values,
        receiver,
        definition,
    };
    let invocation: Box<FnInvocation<A>> = Box::write(room, invocation);
    Some(invocation)
}
