//! From the arguments of a call to an invocation: limits, the purpose, the tool's own strict parse,
//! and where that refuses them, repair and the same parse once more.

use crate::arguments::{
    ArgumentProblem, Arguments, Excess, InvalidArguments, ProblemKind, Repaired,
};
use crate::content::{ErrorKind, ExceededLimit, Limit, Repairs, ToolError};
use crate::executor::arguments::purpose;
use crate::executor::guard::catch_tool_panic;
use crate::registry::ToolEntry;
use crate::tool::{Attempt, Invocation};
use crate::util::cold::cold_path;

/// The limits of arguments, and whether they are repaired.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadLimits {
    /// The most bytes of arguments.
    pub(crate) max_bytes: usize,
    /// The most levels of objects and lists in each other.
    pub(crate) max_depth: usize,
    /// True if arguments that do not fit are refused and never repaired.
    pub(crate) strict: bool,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            max_bytes: 1024 * 1024,
            max_depth: 64,
            strict: false,
        }
    }
}

/// The notes about the arguments of a call, whether it runs or not.
#[derive(Debug, Default)]
pub(crate) struct ReadNotes {
    /// The model's reason for the call.
    pub(crate) purpose: Option<Box<str>>,
    pub(crate) repairs: Option<Repairs>,
}

/// Reads the arguments of a call, which come with true if their tool has refused them as they were sent. What runs, where
/// it is not what was sent, goes to `changed`. Where the arguments are refused after repairs, the report is of the
/// repaired ones.
#[inline]
pub(crate) fn read(
    reading: &ReadLimits,
    asks_purpose: bool,
    entry: &ToolEntry,
    (sent, is_refused): (&Arguments<'_>, bool),
    changed: &mut Option<Arguments<'static>>,
    notes: &mut ReadNotes,
) -> Result<Box<dyn Invocation>, ToolError> {
    let ReadLimits {
        max_bytes,
        max_depth,
        strict,
    } = *reading;
    if let Some(excess) = sent.excess(max_bytes, max_depth) {
        return Err(too_large(excess, reading));
    }
    if asks_purpose {
        cold_path();
        *changed = take_purpose(sent, notes)?;
    }
    let arguments = changed.as_ref().unwrap_or(sent);
    let attempted = if is_refused {
        Err(None)
    } else {
        attempt(entry, arguments)?
    };
    match attempted {
        Ok(invocation) => Ok(invocation),
        Err(told) => {
            cold_path();
            let (repaired, repairs) = repaired(entry, arguments, strict, told)?.into_parts();
            notes.repairs = Some(Box::new(repairs));
            // If the arguments were JSON text inside a JSON text, the purpose is found only after the repair.
            let rest = if asks_purpose {
                take_purpose(&repaired, notes)?
            } else {
                None
            };
            parse(entry, changed.insert(rest.unwrap_or(repaired)))
        }
    }
}

/// Takes the purpose out of arguments. What is left of them is none where it was not among them.
fn take_purpose(
    arguments: &Arguments<'_>,
    notes: &mut ReadNotes,
) -> Result<Option<Arguments<'static>>, ToolError> {
    let taken = purpose::take(arguments)?;
    if taken.rest.is_some() {
        notes.purpose = taken.purpose;
    }
    Ok(taken.rest)
}

/// Reads arguments that somebody gave in place of a call's: they have no purpose among them.
#[cold]
pub(crate) fn read_anew(
    reading: &ReadLimits,
    entry: &ToolEntry,
    arguments: &mut Arguments<'static>,
    repairs: &mut Option<Repairs>,
) -> Result<Box<dyn Invocation>, ToolError> {
    let (mut changed, mut notes) = (None, ReadNotes::default());
    let read = read(
        reading,
        false,
        entry,
        (arguments, false),
        &mut changed,
        &mut notes,
    );
    if let Some(changed) = changed {
        *arguments = changed;
    }
    *repairs = notes.repairs;
    read
}

#[inline]
fn attempt(entry: &ToolEntry, arguments: &Arguments<'_>) -> Result<Attempt, ToolError> {
    catch_tool_panic("the tool", || entry.tool.attempt(arguments))
}

/// Returns the arguments that were probably meant in place of those that the tool has refused. `told` is what it has
/// said of them, if it has: where nothing can be repaired, that is the error.
#[cold]
fn repaired(
    entry: &ToolEntry,
    arguments: &Arguments<'_>,
    strict: bool,
    told: Option<InvalidArguments>,
) -> Result<Repaired, ToolError> {
    let mut tree = None;
    let exceeds_limit = told.as_ref().is_some_and(InvalidArguments::exceeds_limit);
    if !strict && !exceeds_limit {
        let repair = || entry.tool.spec().repair_or_read(arguments);
        match catch_tool_panic("the tool", repair) {
            Ok(Ok(repaired)) => return Ok(repaired),
            Ok(Err(read)) => tree = read,
            // A tool whose spec panics cannot be repaired for, and its own refusal stands.
            Err(_) => {}
        }
    }
    let invalid = match told {
        Some(invalid) => invalid,
        None => catch_tool_panic("the tool", || entry.tool.report(arguments, tree))?,
    };
    Err(without_secrets(entry, invalid).into())
}

/// Reads arguments that are not repaired any more.
pub(crate) fn parse(
    entry: &ToolEntry,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Invocation>, ToolError> {
    let parsed = catch_tool_panic("the tool", || entry.tool.parse(arguments))?;
    parsed.map_err(|invalid| without_secrets(entry, invalid).into())
}

/// A tool written by hand reads its arguments without its schema at hand, which says what is secret.
#[cold]
fn without_secrets(entry: &ToolEntry, invalid: InvalidArguments) -> InvalidArguments {
    let hidden = catch_tool_panic("the tool", || {
        let spec = entry.tool.spec();
        let mut hidden = spec.has_secrets().then(|| spec.hidden());
        invalid.without_secrets(&mut |pointer| hidden.as_mut()?.in_or_around(pointer))
    });
    hidden.unwrap_or_else(|_| {
        let message = "the arguments do not fit the tool";
        InvalidArguments::new(vec![ArgumentProblem::new(ProblemKind::Type, "", message)])
    })
}

/// The limits are the host's and no part of the tool's schema, so this is no report of invalid
/// arguments: whoever counts those to improve a schema would count in vain.
#[cold]
fn too_large(excess: Excess, limits: &ReadLimits) -> ToolError {
    let (limit, most, found, message) = match excess {
        Excess::Bytes(found) => {
            let most = limits.max_bytes;
            let message = format!(
                "the arguments are {found} bytes of JSON, and at most {most} are taken: send \
                 less, for instance in several calls"
            );
            (Limit::ArgumentBytes, most, found, message)
        }
        Excess::Levels(found) => {
            let most = limits.max_depth;
            let message = format!(
                "the arguments nest {found} levels deep, and at most {most} are taken, the \
                 arguments object being the first: send a flatter structure"
            );
            (Limit::ArgumentDepth, most, found, message)
        }
    };
    ToolError::new(ErrorKind::LimitExceeded, message).with_exceeded_limit(ExceededLimit::new(
        limit,
        most,
        Some(found),
    ))
}
