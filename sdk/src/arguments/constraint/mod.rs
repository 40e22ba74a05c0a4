//! The constraints of `#[arg(..)]`: each is named once and is in the schema *and* enforced.
//!
//! The type of an argument decides which constraints it can have, through the traits here.
//! Implement one for a type of your own to constrain it; an `Option` of a constrained type is
//! constrained when it is there.

mod field;
mod flat;
mod target;
mod unique;

use std::sync::OnceLock;

use regex_lite::Regex;
use serde_json::Value;

pub use crate::schema::Format;
use crate::schema::{WORK, narrow, nothing_fits, of_matching, states};
use crate::spec::Mistake;
use crate::util::pointer::push_key;
pub(crate) use field::{FieldRules, outside};
pub use field::{OptionKind, OptionProbe, describe_field, not_an_option, read_field};
pub use flat::flat_field;
pub use target::{LengthKind, LengthTarget, Number, RangeTarget, TextTarget};
pub use unique::{UniqueItem, UniqueTarget, all_different};

use super::entry::Entry;

/// The way to mend constraints that exclude each other.
const CHANGE: &str = "Change one of the constraints";

/// Walks over the constraints of a tool, to describe them in a schema or to check values.
#[doc(hidden)]
#[derive(Debug)]
pub struct Checks<'a>(CheckMode<'a>);

#[derive(Debug)]
enum CheckMode<'a> {
    Check {
        failed: Failed,
        /// The failed arguments that were not checked, because that takes too much work.
        too_much: Failed,
    },
    Describe(Described<'a>),
}

/// The things made of the constraints where no call is checked.
#[derive(Debug)]
enum Described<'a> {
    Schema {
        schema: &'a mut Value,
        entries: &'static [Entry],
        /// The arguments that have constraints.
        constrained: Failed,
    },
    /// The schema of the one value that there is.
    One(&'a mut serde_json::Map<String, Value>),
    /// The constraints that values break, each with the index of its argument.
    Broken(Vec<(usize, serde_json::Map<String, Value>)>),
}

/// The indexes of the arguments that failed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Failed(u32);

impl Failed {
    fn add(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    pub(crate) fn has(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..u32::BITS as usize).filter(move |index| self.has(*index))
    }
}

impl<'a> Checks<'a> {
    pub(crate) fn describing(schema: &'a mut Value, entries: &'static [Entry]) -> Self {
        Self(CheckMode::Describe(Described::Schema {
            schema,
            entries,
            constrained: Failed::default(),
        }))
    }

    /// Describes the constraints of one value.
    fn describing_one(node: &'a mut serde_json::Map<String, Value>) -> Self {
        Self(CheckMode::Describe(Described::One(node)))
    }

    /// Finds the constraints that values break, to tell of them.
    pub(super) fn explaining() -> Self {
        Self(CheckMode::Describe(Described::Broken(Vec::new())))
    }

    /// Returns the constraints that values break, each with the index of its argument.
    pub(super) fn into_broken(self) -> Vec<(usize, serde_json::Map<String, Value>)> {
        match self.0 {
            CheckMode::Describe(Described::Broken(broken)) => broken,
            _ => Vec::new(),
        }
    }

    /// Returns the arguments whose constraints exclude each other, after they were described.
    pub(crate) fn impossible(&self) -> Vec<Mistake> {
        let CheckMode::Describe(Described::Schema {
            schema,
            entries,
            constrained,
        }) = &self.0
        else {
            return Vec::new();
        };
        let of_one = |index: usize| {
            let name = entries.get(index)?.0;
            let node = schema["properties"][name].as_object()?;
            let message = format!("{}. {CHANGE}", nothing_fits(node)?);
            let mut pointer = String::new();
            push_key(&mut pointer, name);
            Some(Mistake::new(pointer, message))
        };
        constrained.iter().filter_map(of_one).collect()
    }

    pub(crate) fn checking() -> Self {
        Self(CheckMode::Check {
            failed: Failed::default(),
            too_much: Failed::default(),
        })
    }

    pub(crate) fn failed(&self) -> Failed {
        match self.0 {
            CheckMode::Describe(_) => Failed::default(),
            CheckMode::Check { failed, .. } => failed,
        }
    }

    /// The failed arguments that take too much work to be checked.
    pub(crate) fn too_much(&self) -> Failed {
        match self.0 {
            CheckMode::Describe(_) => Failed::default(),
            CheckMode::Check { too_much, .. } => too_much,
        }
    }

    /// The constraints of one argument.
    #[inline]
    pub fn of<'c, T>(&'c mut self, index: usize, value: Option<&'c T>) -> Constrained<'c, 'a, T> {
        Constrained {
            checks: self,
            index,
            value,
        }
    }
}

/// An argument, to name its constraints.
#[doc(hidden)]
#[derive(Debug)]
pub struct Constrained<'c, 'a, T> {
    checks: &'c mut Checks<'a>,
    index: usize,
    value: Option<&'c T>,
}

impl<T> Constrained<'_, '_, T> {
    /// Names a constraint: what it adds to the schema, and whether a value satisfies it.
    #[inline]
    fn constraint(
        self,
        describe: impl FnOnce(&mut serde_json::Map<String, Value>),
        holds: impl FnOnce(&T) -> bool,
    ) -> Self {
        match &mut self.checks.0 {
            CheckMode::Check { failed, .. } => {
                if !self.value.is_none_or(holds) {
                    failed.add(self.index);
                }
            }
            CheckMode::Describe(Described::One(node)) => add(node, describe),
            CheckMode::Describe(Described::Broken(broken)) => {
                if !self.value.is_none_or(holds) {
                    let mut node = serde_json::Map::new();
                    describe(&mut node);
                    broken.push((self.index, node));
                }
            }
            CheckMode::Describe(Described::Schema {
                schema,
                entries,
                constrained,
            }) => {
                constrained.add(self.index);
                let name = entries.get(self.index).map_or("", |entry| entry.0);
                if let Some(Value::Object(node)) = schema
                    .get_mut("properties")
                    .and_then(|properties| properties.get_mut(name))
                {
                    add(node, describe);
                }
            }
        }
        self
    }
}

// The bounds stand on the methods: a type that lacks one gets its trait's own text.
impl<T> Constrained<'_, '_, T> {
    // Bounds come as lists of at most one, because a value of the wrong type in a `Some` gives notes about the `Some`.

    /// A range: least, greatest, and the first that is too great.
    #[inline]
    pub fn range(self, min: &[T::Number], max: &[T::Number], below: &[T::Number]) -> Self
    where
        T: RangeTarget,
    {
        let (min, max, below) = (min.first(), max.first(), below.first());
        let (min, max, below) = (min.copied(), max.copied(), below.copied());
        self.constraint(
            |node| {
                insert(node, "minimum", min.and_then(Number::json));
                insert(node, "maximum", max.and_then(Number::json));
                match below.and_then(Number::before) {
                    Some(max) => insert(node, "maximum", max.json()),
                    None => insert(node, "exclusiveMaximum", below.and_then(Number::json)),
                }
            },
            |value| {
                value.number().is_none_or(|number| {
                    min.is_none_or(|min| number >= min)
                        && max.is_none_or(|max| number <= max)
                        && below.is_none_or(|end| number < end)
                })
            },
        )
    }

    /// A step, above zero, which the number is a multiple of.
    #[inline]
    pub fn multiple_of(self, step: &[T::Number]) -> Self
    where
        T: RangeTarget,
    {
        let step = step.first().copied();
        self.constraint(
            |node| insert(node, "multipleOf", step.and_then(Number::json)),
            |value| {
                value
                    .number()
                    .zip(step)
                    .is_none_or(|(number, step)| number.is_multiple(step))
            },
        )
    }

    pub fn one_of_number(self, allowed: &[T::Number]) -> Self
    where
        T: RangeTarget,
    {
        self.constraint(
            |node| {
                let allowed = allowed.iter().filter_map(|number| number.json()).collect();
                insert(node, "enum", Some(Value::Array(allowed)));
            },
            |value| value.number().is_none_or(|n| allowed.contains(&n)),
        )
    }

    /// A length: least and greatest.
    #[inline]
    pub fn length(self, min: &[usize], max: &[usize]) -> Self
    where
        T: LengthTarget,
    {
        let (min, max) = (min.first().copied(), max.first().copied());
        self.constraint(
            |node| {
                insert(node, T::KIND.min_keyword(), min.map(Value::from));
                insert(node, T::KIND.max_keyword(), max.map(Value::from));
            },
            |value| {
                value.length().is_none_or(|length| {
                    min.is_none_or(|min| length >= min) && max.is_none_or(|max| length <= max)
                })
            },
        )
    }

    /// No two items are equal.
    pub fn unique_items(self) -> Self
    where
        T: UniqueTarget,
        T::Item: UniqueItem,
    {
        self.constraint(
            |node| insert(node, "uniqueItems", Some(Value::Bool(true))),
            T::has_unique_items,
        )
    }

    pub fn pattern(self, pattern: &'static Pattern) -> Self
    where
        T: TextTarget,
    {
        if let CheckMode::Check { failed, too_much } = &mut self.checks.0
            && let Some(text) = self.value.and_then(T::text)
            && pattern.is_too_much(text)
        {
            failed.add(self.index);
            too_much.add(self.index);
            return self;
        }
        self.constraint(
            |node| insert(node, "pattern", Some(pattern.source.into())),
            |value| value.text().is_none_or(|text| pattern.is_match(text)),
        )
    }

    pub fn format(self, format: Format) -> Self
    where
        T: TextTarget,
    {
        self.constraint(
            |node| insert(node, "format", Some(format.as_str().into())),
            |value| value.text().is_none_or(|text| format.is_valid(text)),
        )
    }

    pub fn one_of_text(self, allowed: &[&str]) -> Self
    where
        T: TextTarget,
    {
        self.constraint(
            |node| insert(node, "enum", Some(allowed.into())),
            |value| value.text().is_none_or(|text| allowed.contains(&text)),
        )
    }
}

/// Adds demands to those that the type of the value makes already.
fn add(
    node: &mut serde_json::Map<String, Value>,
    describe: impl FnOnce(&mut serde_json::Map<String, Value>),
) {
    let mut demands = serde_json::Map::new();
    describe(&mut demands);
    narrow(node, demands);
}

fn insert(node: &mut serde_json::Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        node.insert(key.to_owned(), value);
    }
}

/// A regular expression, compiled at first use; the macro has compiled it before.
#[doc(hidden)]
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Compiled>>,
}

#[derive(Debug)]
struct Compiled {
    regex: Regex,
    /// The approximate number of states of the pattern.
    states: usize,
}

impl Pattern {
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// Returns true if it matches anywhere in the text, as JSON Schema's `pattern` does. One that does not
    /// compile matches nothing.
    fn is_match(&self, text: &str) -> bool {
        self.compiled()
            .is_some_and(|compiled| compiled.regex.is_match(text))
    }

    /// Returns true if it takes more work than the limit allows to match a text.
    fn is_too_much(&self, text: &str) -> bool {
        self.compiled()
            .is_some_and(|compiled| of_matching(compiled.states, text.len()) > WORK)
    }

    fn compiled(&self) -> Option<&Compiled> {
        let compile = || {
            let regex = Regex::new(self.source).ok()?;
            let states = states(self.source);
            Some(Compiled { regex, states })
        };
        self.compiled.get_or_init(compile).as_ref()
    }
}
