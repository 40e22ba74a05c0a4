//! The arguments that the model fills in, as a tuple, whatever their number.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, Visitor};

use super::refusal::TypeRefusal;
use crate::arguments::strict::{Flags, Strict, Tree};

/// The types that a tool may take by value: whatever the model can fill in.
///
/// Implemented for every type that is `Deserialize`, `JsonSchema` and `Send`; there is nothing to
/// implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "the model fills this in: it must implement `Deserialize` and `JsonSchema`, and be `Send`",
    note = "put `#[toolwright::tool_type]` on the type that lacks one of them; if it comes from the app, take it by reference",
    note = "types of `chrono`, `uuid` and `url` have them with toolwright's features of these names"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Argument for T {}

/// A tuple of arguments that are read one by one. Without bounds on the arguments, so that a type
/// which breaks one is told of once, where [`Shape`] is made.
#[doc(hidden)]
pub trait Slots: Sized + 'static {
    /// The arguments found so far.
    type Slots: 'static;

    /// Returns the slots before any argument was found.
    fn empty() -> Self::Slots;
}

/// A tuple of arguments that can be read.
pub(crate) trait ReadSlots: Slots + Send {
    /// Reads a value into a slot; a slot that is full is an error.
    fn read<'de, De: Deserializer<'de>>(
        slots: &mut Self::Slots,
        index: usize,
        value: De,
        flags: &Flags,
    ) -> Result<(), De::Error>;

    /// All arguments, if none is missing.
    fn finish(slots: Self::Slots) -> Option<Self>;
}

/// Reads an argument from a tree into a slot, for the report of a call.
pub(crate) type ReadArgumentFn<A> =
    fn(&mut <A as Slots>::Slots, usize, Tree<'_, TypeRefusal>, &Flags) -> Result<(), TypeRefusal>;

/// The facts that a type tells of an argument.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) required: bool,
}

pub(crate) fn parameter<T: Argument>() -> Parameter {
    Parameter {
        schema: T::json_schema,
        required: absent::<T>().is_none(),
    }
}

/// Returns what serde takes for a missing field: `None` for an `Option`, by whatever name.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Missing).ok()
}

struct Missing;

#[derive(Debug)]
struct NotAbsent;

impl fmt::Display for NotAbsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value is needed")
    }
}

impl std::error::Error for NotAbsent {}

impl de::Error for NotAbsent {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Missing {
    type Error = NotAbsent;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, NotAbsent> {
        Err(NotAbsent)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotAbsent> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A default written as a text literal.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a text is no value of the type `{Self}`",
    label = "the argument is of the type `{Self}`: write a value of it",
    note = "a text will do where the type has `From<&str>`; of an enum write the variant, as in `{Self}::Name`"
)]
pub trait DefaultFrom {
    fn default_from(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> DefaultFrom for T {
    fn default_from(text: &'static str) -> Self {
        text.into()
    }
}

#[doc(hidden)]
pub fn default_from_text<T: DefaultFrom>(text: &'static str) -> T {
    T::default_from(text)
}

/// A default that is the type's own.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default of its own",
    label = "write the value, as in `default = ..`",
    note = "`default` alone takes `Default::default()`"
)]
pub trait OwnDefault {
    fn own_default() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> OwnDefault for T {
    fn own_default() -> Self {
        Self::default()
    }
}

#[doc(hidden)]
pub fn own_default<T: OwnDefault>() -> T {
    T::own_default()
}

/// A value that is put where one already is.
#[cold]
fn repeated<E: de::Error>() -> E {
    E::custom("given twice")
}

macro_rules! tuples {
    ($(($($T:ident $index:tt)*))*) => {
        $(
            impl<$($T: 'static),*> Slots for ($($T,)*) {
                type Slots = ($(Option<$T>,)*);

                #[allow(clippy::unused_unit, reason = "there may be no arguments")]
                fn empty() -> Self::Slots {
                    ($(None::<$T>,)*)
                }
            }

            impl<$($T: DeserializeOwned + Send + 'static),*> ReadSlots for ($($T,)*) {
                #[inline]
                #[allow(unused_variables, reason = "there may be no arguments")]
                fn read<'de, De: Deserializer<'de>>(
                    slots: &mut Self::Slots,
                    index: usize,
                    value: De,
                    flags: &Flags,
                ) -> Result<(), De::Error> {
                    match index {
                        $($index => {
                            if slots.$index.is_some() {
                                return Err(repeated());
                            }
                            slots.$index = Some(Strict::<$T>::new(flags).deserialize(value)?);
                        })*
                        _ => {}
                    }
                    Ok(())
                }

                #[inline(always)]
                #[allow(clippy::inline_always, reason = "each call moves the values once more")]
                #[allow(unused_variables, reason = "there may be no arguments")]
                #[allow(clippy::unused_unit, reason = "there may be no arguments")]
                fn finish(slots: Self::Slots) -> Option<Self> {
                    Some(($(
                        match slots.$index {
                            Some(value) => value,
                            None => absent()?,
                        },
                    )*))
                }
            }
        )*
    };
}

// Tuples end at 16 arguments: each further one costs the runtime's own check time, and a tool
// with more is better served by a struct.
tuples! {
    ()
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15)
}
