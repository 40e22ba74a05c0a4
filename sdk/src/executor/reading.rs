//! From the arguments of a call to an invocation: limits, the tool's own strict parse, and where
//! that refuses them, repair and the same parse once more.

use super::Shared;
use super::guard::guarded;
use crate::message::extent::Excess;
use crate::message::{Arguments, ErrorKind, InvalidArguments, Repair, ToolError};
use crate::registry::Entry;
use crate::tool::Invocation;

/// How arguments are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// The most bytes of arguments.
    pub(super) max_bytes: usize,
    /// The most levels of objects and lists in each other.
    pub(super) max_depth: usize,
    /// What does not fit is refused and never repaired.
    pub(super) strict: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            max_bytes: 1024 * 1024,
            max_depth: 64,
            strict: false,
        }
    }
}

/// Reads the arguments of a call. What was repaired is added to `repairs`, also where the call is
/// refused all the same: the report is of the repaired arguments then.
#[inline]
pub(super) fn read(
    shared: &Shared,
    entry: &Entry,
    arguments: &Arguments<'_>,
    repairs: &mut Vec<Repair>,
) -> Result<Box<dyn Invocation>, ToolError> {
    let Reading {
        max_bytes,
        max_depth,
        strict,
    } = shared.reading;
    if let Some(excess) = arguments.excess(max_bytes, max_depth) {
        return Err(too_large(excess, &shared.reading));
    }
    match parse(entry, arguments)? {
        Ok(invocation) => Ok(invocation),
        Err(invalid) if strict => Err(invalid.into()),
        Err(invalid) => repair(entry, arguments, invalid, repairs),
    }
}

#[inline]
fn parse(
    entry: &Entry,
    arguments: &Arguments<'_>,
) -> Result<Result<Box<dyn Invocation>, InvalidArguments>, ToolError> {
    guarded("the tool", || entry.tool.parse(arguments))
}

#[cold]
fn repair(
    entry: &Entry,
    arguments: &Arguments<'_>,
    invalid: InvalidArguments,
    repairs: &mut Vec<Repair>,
) -> Result<Box<dyn Invocation>, ToolError> {
    // A tool that cannot say what it takes has said what is wrong.
    let repaired = guarded("the tool", || entry.tool.spec().repair(arguments));
    let Ok(Some(repaired)) = repaired else {
        return Err(invalid.into());
    };
    let (arguments, made) = repaired.into_parts();
    *repairs = made;
    parse(entry, &arguments)?.map_err(ToolError::from)
}

/// The limits are the host's and no part of the tool's schema, so this is no report of invalid
/// arguments: whoever counts those to improve a schema would count in vain.
#[cold]
fn too_large(excess: Excess, limits: &Reading) -> ToolError {
    let message = match excess {
        Excess::Bytes(found) => {
            let limit = limits.max_bytes;
            format!(
                "the arguments are {found} bytes of JSON, and at most {limit} are taken: send \
                 less, for instance in several calls"
            )
        }
        Excess::Levels(found) => {
            let limit = limits.max_depth;
            format!(
                "the arguments nest {found} levels deep, and at most {limit} are taken, the \
                 arguments object being the first: send a flatter structure"
            )
        }
    };
    ToolError::new(ErrorKind::LimitExceeded, message)
}
