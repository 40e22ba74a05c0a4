//! The reasons why a type refuses a value, and all the values in a tree that it refuses.

use std::fmt;

use serde::de::{self, Expected, Unexpected};
use serde_json::Value;

use super::invalid::TOLD;
use super::strict::{Flags, KeyType, Note, Trace, Tree, TreeError};
use crate::schema::weight;
use crate::util::pointer::{below, is_within};

/// The finding of a field that its constraints refuse. The report of a call knows it by this: the
/// errors of serde tell more of a value only in words.
pub(crate) const NOT_ALLOWED: Unexpected<'_> =
    Unexpected::Other("a value that is not allowed here");

/// The finding of a field that takes too much work to be checked.
pub(crate) const NOT_CHECKED: Unexpected<'_> =
    Unexpected::Other("a value that takes too much work to be checked");

/// The reason why a value could not be read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TypeRefusal {
    /// It is another than this.
    Expected(String),
    /// It is a list of another length than it should be.
    Length,
    /// The words of whoever wrote the type, or serde's.
    Says(String),
    /// An object lacks a name.
    Missing(&'static str),
    /// A name that its object does not have, if it is told, and those that it has.
    Unknown(String, &'static [&'static str]),
    /// A name of no variant, and those that there are.
    NoVariant(String, &'static [&'static str]),
    /// An object has a name twice, once perhaps as another name of it.
    Repeated(&'static str),
    /// A constraint refused a value that was of the right type.
    NotAllowed,
    /// To hold the value to a constraint would take too much work.
    TooMuch,
    /// The name of a member was to be read into a type of keys that no text is read into.
    Key(KeyType),
}

impl fmt::Display for TypeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be read")
    }
}

impl std::error::Error for TypeRefusal {}

impl TreeError for TypeRefusal {
    fn of_key(asked: KeyType) -> Self {
        Self::Key(asked)
    }
}

impl de::Error for TypeRefusal {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Says(message.to_string())
    }

    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Expected(expected.to_string())
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            NOT_ALLOWED => Self::NotAllowed,
            NOT_CHECKED => Self::TooMuch,
            _ => Self::Expected(expected.to_string()),
        }
    }

    fn invalid_length(_found: usize, _expected: &dyn Expected) -> Self {
        Self::Length
    }

    fn unknown_variant(name: &str, names: &'static [&'static str]) -> Self {
        Self::NoVariant(name.to_owned(), names)
    }

    fn unknown_field(name: &str, names: &'static [&'static str]) -> Self {
        Self::Unknown(name.to_owned(), names)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}

/// Everything that a type refuses in a value, found by reading it again without the parts that were
/// refused before.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// The places, as JSON pointers into the value, and the reasons.
    pub(crate) refused: Vec<Refused>,
    /// The places of which not all is known: only the schema can say what else is wrong there.
    pub(crate) unclear: Vec<Unclear>,
    /// True if there may be more, elsewhere.
    pub(crate) is_cut: bool,
}

#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) at: String,
    pub(crate) why: TypeRefusal,
    /// True if serde has read the place from a copy, so that the reason is about some part of it.
    pub(crate) is_copied: bool,
}

/// A place of which a type has not told all.
#[derive(Debug)]
pub(crate) struct Unclear {
    pub(crate) at: String,
    /// True if only names can be missing that were not told.
    pub(crate) only_missing: bool,
}

/// The most values that are read again. What is left over is taken from the schema as it is.
pub(crate) const EFFORT: usize = 1 << 18;

/// Reads a value once, as strictly as a call reads it.
#[allow(clippy::type_complexity, reason = "it is said here and below alone")]
pub(crate) fn read_traced(
    value: &Value,
    trace: &Trace,
    read: &mut dyn FnMut(Tree<'_, TypeRefusal>, &Flags) -> Result<(), TypeRefusal>,
) -> Result<(), TypeRefusal> {
    let flags = Flags::default();
    let first = read(Tree::traced(value, trace), &flags);
    trace.unseen.set(trace.unseen.get() || flags.unseen());
    let Some(again) = flags.again().filter(|_| first.is_err()) else {
        return first;
    };
    let failed = trace.failed.take();
    read(Tree::traced(value, trace), &again).or_else(|_| {
        trace.failed.replace(failed);
        first
    })
}

/// Reads a value until nothing of it is refused.
#[allow(clippy::type_complexity, reason = "it is said here and above alone")]
pub(crate) fn refusals(
    value: &Value,
    effort: &mut usize,
    trace: &mut Trace,
    read: &mut dyn FnMut(Tree<'_, TypeRefusal>, &Flags) -> Result<(), TypeRefusal>,
) -> Refusals {
    let mut found = Refusals::default();
    let mut left_out: Vec<String> = Vec::new();
    while let Err(why) = read_traced(value, trace, read) {
        let mut at = trace.place();
        let note = value.pointer(&at).and_then(|part| trace.of(part));
        let follows = left_out.iter().any(|place| is_within(place, &at));
        if follows {
            // An object is refused for what was left out of it. Its other members were read, unless they
            // were copied.
            let is_left_out = |name: &str| left_out.contains(&below(&at, name));
            let only_missing = note != Some(Note::Map)
                && matches!(why, TypeRefusal::Missing(name) if is_left_out(name));
            let at = at.clone();
            found.unclear.push(Unclear { at, only_missing });
        } else {
            match why {
                TypeRefusal::Missing(_) => found.unclear.push(Unclear {
                    at: at.clone(),
                    only_missing: true,
                }),
                TypeRefusal::Repeated(_) => found.unclear.push(Unclear::all(&at)),
                _ => {}
            }
            let is_copied = matches!(note, Some(Note::Anything | Note::Map));
            found.refused.push(Refused {
                at: at.clone(),
                why,
                is_copied,
            });
        }
        // A tuple without one of its parts is another tuple.
        while let Some((around, _)) = at.rsplit_once('/')
            && let Some(Note::Length(_)) = value.pointer(around).and_then(|part| trace.of(part))
        {
            found.unclear.push(Unclear::all(around));
            at.truncate(around.len());
        }
        if at.is_empty() {
            return found;
        }
        let part = value.pointer(&at);
        *effort = effort.saturating_sub(weight(value));
        match part {
            Some(part) if *effort > 0 && found.refused.len() < TOLD => trace.leave_out(part),
            _ => {
                found.is_cut = true;
                return found;
            }
        }
        left_out.push(at);
    }
    found
}

impl Unclear {
    fn all(at: &str) -> Self {
        Self {
            at: at.to_owned(),
            only_missing: false,
        }
    }
}
