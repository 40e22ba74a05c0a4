//! The validator behind the feature `json-schema`: what a schema says that no type keeps.
//!
//! Nothing is ever fetched: a reference to another document, unless it is to one of JSON Schema's
//! own, is an error of the schema.

mod cost;
mod errors;
mod places;
mod prepare;
mod work;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use jsonschema::{Keyword, PatternOptions, ValidationError};
use serde_json::Value;

use super::format::Format;
use super::violation::{Violation, ViolationKind};
use super::whole::whole;
use crate::schema::fault::{SchemaError, SchemaFault, Unenforced};
use crate::util::nesting::{self, DEPTH};
use crate::util::panic::discard;
use cost::{Cost, can_list, cost};
use errors::{beyond_form, schema_error, violation};
use places::Places;
use prepare::{EXACT, Patterns, Prepared, prepare};
use work::Work;

/// The most times that a pattern which needs it may go back in a text. A match that takes more is none.
const BACKTRACKS: usize = 10_000;
crate::util::documented::documented_default!("steps back of such a pattern", BACKTRACKS);
/// The part of the caller's stack that is used, in bytes. What may need more gets a stack of its own.
const STACK: usize = 256 << 10;
/// The most of it that a level of a schema, or of a value, takes, in bytes.
const LEVEL: usize = 4 << 10;
/// The largest stack there is, in bytes; a schema that may need more is refused.
const LARGEST: usize = 512 << 20;
/// The most ways through a schema for one value: each takes its time.
const WAYS: usize = 1_000_000;
/// The most errors that are told.
const TOLD: usize = 20;

/// The origin of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// It was drawn from types, which keep most of it.
    Types,
    /// A person or a program, for a tool made at run time.
    Author,
}

/// A schema, compiled.
pub(crate) struct Validator {
    schema: Value,
    compiled: jsonschema::Validator,
    /// The places at which the default is let through beside what the schema says.
    defaults: Vec<String>,
    patterns: Patterns,
    work: Work,
    /// The most schemas that judge one value, one inside of the other.
    levels: usize,
    whose: Whose,
}

impl Validator {
    /// Makes the judge of a schema; the keywords that types do not keep are its to judge.
    pub(crate) fn made(
        schema: &Value,
        whose: Whose,
        _: &[Unenforced],
    ) -> Result<Self, SchemaFault> {
        Self::compile(schema, whose).map_err(SchemaFault::Broken)
    }

    /// Compiles a schema of the draft that it names, or else of 2020-12.
    pub(crate) fn compile(schema: &Value, whose: Whose) -> Result<Self, SchemaError> {
        let too_much = |message| Err(SchemaError::new("", message));
        let nested = nesting::of_tree(schema, DEPTH);
        if nested > DEPTH {
            return too_much("it nests too deep");
        }
        let places = Places::of(schema);
        let Some(Cost { levels, ways }) = cost(&places) else {
            return too_much("it is too large, or its references lead back to where they are");
        };
        // The most is needed by a value that nests as deep as it may.
        if stack(levels, DEPTH) > LARGEST {
            return too_much("its references lead on to others for too long");
        }
        if ways > WAYS {
            return too_much("its alternatives have alternatives that judge the same, too many");
        }
        let Some(work) = Work::of(&places, ways) else {
            return too_much("its patterns are too large");
        };
        let Prepared {
            schema: ready,
            defaults,
            patterns,
        } = prepare(schema, &places, whose);
        let compile = || {
            // A schema from anywhere must not take the program down.
            catch_unwind(AssertUnwindSafe(|| options().build(&ready))).map_err(discard)
        };
        match on_stack(stack(nested + 8, 1), compile) {
            Some(Ok(Ok(compiled))) => Ok(Self {
                schema: schema.clone(),
                compiled,
                defaults,
                patterns,
                work,
                levels,
                whose,
            }),
            Some(Ok(Err(error))) => Err(schema_error(error, schema, &places.all)),
            _ => {
                let message = "the validator cannot read the schema";
                Err(SchemaError::new("", message))
            }
        }
    }

    /// Returns true if a value satisfies the schema; of a schema that was drawn from types, whatever types
    /// do not keep. They know other names and values besides those that the schema shows.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        if nesting::of_tree(value, DEPTH) > DEPTH || self.work.excess(value).is_some() {
            return false;
        }
        self.satisfies(value)
            || (self.whose == Whose::Types && self.violations_of(value).is_empty())
    }

    fn satisfies(&self, value: &Value) -> bool {
        let nested = nesting::of_tree(value, DEPTH);
        let judge = || self.compiled.is_valid(value);
        nested <= DEPTH
            && !self.patterns.refuse(value)
            && on_stack(stack(self.levels, nested), judge) == Some(true)
    }

    /// Returns what of the schema a value does not satisfy.
    pub(crate) fn violations(&self, value: &Value) -> Vec<Violation<'_>> {
        if nesting::of_tree(value, DEPTH) <= DEPTH
            && let Some(pointer) = self.work.excess(value)
        {
            return vec![Violation {
                pointer,
                node: None,
                root: &self.schema,
                kind: ViolationKind::TooMuch,
            }];
        }
        if self.satisfies(value) {
            return Vec::new();
        }
        self.violations_of(value)
    }

    /// The same of a value that is known not to satisfy the schema.
    fn violations_of(&self, value: &Value) -> Vec<Violation<'_>> {
        let nested = nesting::of_tree(value, DEPTH);
        let list = || {
            let errors: Vec<_> = self.compiled.iter_errors(value).collect();
            let told: Vec<&ValidationError<'_>> = match self.whose {
                Whose::Types => errors.iter().flat_map(beyond_form).collect(),
                Whose::Author => errors.iter().collect(),
            };
            let violation = |error: &&_| violation(error, &self.schema, &self.defaults);
            told.iter().take(TOLD).map(violation).collect::<Vec<_>>()
        };
        let listed = nested <= DEPTH
            && !self.patterns.refuse(value)
            && !self.patterns.are_slow(value)
            && can_list(value, &self.schema);
        if listed
            && let Some(listed) = on_stack(stack(self.levels, nested), list)
            && (!listed.is_empty() || self.whose == Whose::Types)
        {
            return listed;
        }
        vec![Violation {
            pointer: String::new(),
            node: Some(&self.schema),
            root: &self.schema,
            kind: if nested <= DEPTH {
                ViolationKind::Somewhere
            } else {
                ViolationKind::TooMuch
            },
        }]
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator")
            .field("draft", &self.compiled.draft())
            .finish_non_exhaustive()
    }
}

/// Returns the most stack that values take which nest so deep, each judged through so many schemas.
fn stack(levels: usize, nested: usize) -> usize {
    levels
        .saturating_mul(nested.saturating_add(1))
        .saturating_mul(LEVEL)
}

/// Runs `f` with so much stack; nothing comes of it if there is none to be had.
fn on_stack<T: Send>(needed: usize, f: impl FnOnce() -> T + Send) -> Option<T> {
    if needed <= STACK {
        return Some(f());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(needed.min(LARGEST) + STACK);
        let running = thread.spawn_scoped(scope, f).ok()?;
        running.join().map_err(discard).ok()
    })
}

fn options() -> jsonschema::ValidationOptions<'static> {
    let options = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS))
        .with_keyword(EXACT, |_, _, _| Ok(Box::new(Exact)));
    // A format takes the same wherever it is said.
    Format::ALL.iter().fold(options, |options, format| {
        let format = *format;
        options.with_format(format.as_str(), move |text: &str| format.is_valid(text))
    })
}

/// An integer that cannot have been rounded on its way here: written as a float beyond 53 bits it
/// may stand for another.
struct Exact;

impl<'i> Keyword<'i> for Exact {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            Ok(())
        } else {
            Err(ValidationError::custom("may have been rounded"))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        match instance {
            Value::Number(number) if number.is_f64() => number
                .as_f64()
                .is_none_or(|number| whole(number).is_some() || number.fract() != 0.0),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests;
