//! From the arguments of a call to an invocation of a generated tool.

use serde::de::DeserializeOwned;

use super::definition::Definition;
use crate::arguments::constraint::Checks;
use crate::arguments::strict::Flags;
use crate::arguments::{
    ArgumentReader, Arguments, InvalidArguments, Presets, ReadSlots, ReadTree, Slots, SpecOf, View,
    parse,
};
use crate::spec::ToolSpec;
use crate::util::cold::cold_path;

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
    let read = (definition.prepare)(arguments.view(), &definition.reader, spec, &mut values);
    match (read, values) {
        (Ok(()), Some(values)) => Ok(values),
        (read, _) => {
            let read = read.err().unwrap_or_default().read;
            Err(report(arguments, None, read, definition, spec()))
        }
    }
}

/// Returns everything that is wrong with the arguments of a call, of which the first `read` were read.
#[cold]
pub(super) fn report<A: Slots>(
    arguments: &Arguments<'_>,
    tree: Option<ReadTree<'_>>,
    read: usize,
    definition: &'static Definition<A>,
    spec: &ToolSpec,
) -> InvalidArguments {
    let reader = &definition.reader;
    let refusal = || {
        (definition.prepare)(arguments.view(), reader, &|| spec, &mut None)
            .err()?
            .told
    };
    parse::report(arguments, tree, read, &reader.types(), spec, &refusal)
}

/// The refusal of arguments.
#[derive(Default)]
pub(super) struct ValuesRefusal {
    /// The refusal of the author's own validation; absent where the arguments do not fit.
    told: Option<InvalidArguments>,
    /// The number of arguments that were read before the first that was refused, and of which nothing was left unseen.
    pub(super) read: usize,
}

impl ValuesRefusal {
    #[cold]
    fn at(read: usize, flags: &Flags) -> Self {
        let read = if flags.unseen() { 0 } else { read };
        Self { told: None, read }
    }
}

/// The strict pass: values only if nothing at all is wrong with the arguments.
pub(super) fn prepare<A: ReadSlots>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<A>,
    spec: SpecOf<'_, '_>,
    place: &mut Option<A>,
) -> Result<(), ValuesRefusal> {
    let mut flags = Flags::default();
    // Filled in place: the arguments of a tool can be large, and moving them costs.
    let mut slots = A::empty();
    while let Err(read) = parse::read::<A>(arguments, reader, &mut slots, &flags) {
        cold_path();
        let again = flags.again();
        flags = again.ok_or_else(|| ValuesRefusal::at(read, &flags))?;
        slots = A::empty();
    }
    if !parse::is_right(arguments, reader, spec, &flags) {
        return Err(ValuesRefusal::default());
    }
    if let Some(fill) = reader.fill {
        fill(&mut Presets::filling(), &mut slots);
    }
    if let Some(check) = reader.check {
        let mut checks = Checks::checking();
        check(&mut checks, &slots);
        if !checks.failed().is_empty() {
            return Err(ValuesRefusal::default());
        }
    }
    finish(
        A::finish(slots).ok_or_else(ValuesRefusal::default)?,
        reader,
        place,
    )
}

/// The strict pass of a tool whose one argument is the whole object.
pub(crate) fn prepare_whole<T: DeserializeOwned + Send + 'static>(
    arguments: View<'_>,
    reader: &'static ArgumentReader<(T,)>,
    spec: SpecOf<'_, '_>,
    place: &mut Option<(T,)>,
) -> Result<(), ValuesRefusal> {
    let mut flags = Flags::default();
    let value = loop {
        match parse::whole::<T>(arguments, &flags) {
            Some(value) => break value,
            None => flags = flags.again().ok_or_else(ValuesRefusal::default)?,
        }
    };
    if !parse::is_right(arguments, reader, spec, &flags) {
        return Err(ValuesRefusal::default());
    }
    finish((value,), reader, place)
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "each call moves the values once more")]
fn finish<A: Slots>(
    values: A,
    reader: &'static ArgumentReader<A>,
    place: &mut Option<A>,
) -> Result<(), ValuesRefusal> {
    if let Some(validate) = reader.validate {
        validate(&values).map_err(|told| ValuesRefusal {
            told: Some(told),
            read: 0,
        })?;
    }
    *place = Some(values);
    Ok(())
}
