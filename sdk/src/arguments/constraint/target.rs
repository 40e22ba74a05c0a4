//! The types that can have each constraint.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroUsize,
};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::schema::is_multiple;

/// A number type that bounds and steps are written in.
pub trait Number: Copy + PartialOrd {
    /// The number as JSON; nothing for what JSON cannot say.
    fn json(self) -> Option<Value>;

    /// The greatest number below this one, for integers.
    fn before(self) -> Option<Self>;

    /// Returns true if the number is a multiple of `step`, which is above zero.
    fn is_multiple(self, step: Self) -> bool;
}

/// A type whose values have a range and can be multiples of a step: numbers, and `Option`s of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "`range`, `multiple_of` and `one_of` with numbers are for numbers",
    note = "for the length of a text or list there is `length`"
)]
pub trait RangeTarget {
    /// The type that its bounds are written in.
    type Number: Number;

    /// The number, if there is one.
    fn number(&self) -> Option<Self::Number>;
}

/// A type whose values have a length: text in characters, lists and maps in members, and `Option`s
/// of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no length",
    label = "`length` is for texts, lists, sets and maps",
    note = "for the size of a number there is `range`"
)]
pub trait LengthTarget {
    /// The things that are counted.
    const KIND: LengthKind;

    /// The length, if there is something.
    fn length(&self) -> Option<usize>;
}

/// A type whose values are text: strings, paths, and `Option`s of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "`pattern`, `format` and `one_of` with texts are for texts",
    note = "for numbers there are `range` and `one_of` with numbers"
)]
pub trait TextTarget {
    /// The text, if there is one.
    fn text(&self) -> Option<&str>;
}

/// The things that a length counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LengthKind {
    /// Characters of a text.
    Text,
    /// Items of a list or set.
    List,
    /// Members of a map.
    Map,
}

impl LengthKind {
    pub(super) fn min_keyword(self) -> &'static str {
        match self {
            Self::Text => "minLength",
            Self::List => "minItems",
            Self::Map => "minProperties",
        }
    }

    pub(super) fn max_keyword(self) -> &'static str {
        match self {
            Self::Text => "maxLength",
            Self::List => "maxItems",
            Self::Map => "maxProperties",
        }
    }
}

macro_rules! integers {
    ($($number:ident $(as $nonzero:ident)?),*) => {
        $(
            impl Number for $number {
                fn json(self) -> Option<Value> {
                    // 128 bits may be more than a JSON number holds.
                    serde_json::to_value(self).ok()
                }

                fn before(self) -> Option<Self> {
                    self.checked_sub(1)
                }

                #[inline]
                fn is_multiple(self, step: Self) -> bool {
                    self.checked_rem(step) == Some(0)
                }
            }

            #[diagnostic::do_not_recommend]
            impl RangeTarget for $number {
                type Number = $number;

                #[inline]
                fn number(&self) -> Option<$number> {
                    Some(*self)
                }
            }

            $(
                #[diagnostic::do_not_recommend]
                impl RangeTarget for $nonzero {
                    type Number = $number;

                    #[inline]
                    fn number(&self) -> Option<$number> {
                        Some(self.get())
                    }
                }
            )?
        )*
    };
}

integers! {
    i8 as NonZeroI8, i16 as NonZeroI16, i32 as NonZeroI32, i64 as NonZeroI64,
    isize as NonZeroIsize, i128,
    u8 as NonZeroU8, u16 as NonZeroU16, u32 as NonZeroU32, u64 as NonZeroU64,
    usize as NonZeroUsize, u128
}

macro_rules! floats {
    ($($number:ident as $wide:expr),*) => {
        $(
            impl Number for $number {
                fn json(self) -> Option<Value> {
                    serde_json::Number::from_f64($wide(self)?).map(Value::Number)
                }

                fn before(self) -> Option<Self> {
                    None
                }

                fn is_multiple(self, step: Self) -> bool {
                    let (value, step) = ($wide(self), $wide(step));
                    value.zip(step).is_some_and(|(value, step)| is_multiple(value, step))
                }
            }

            #[diagnostic::do_not_recommend]
            impl RangeTarget for $number {
                type Number = $number;

                #[inline]
                fn number(&self) -> Option<$number> {
                    Some(*self)
                }
            }
        )*
    };
}

floats!(f32 as widened, f64 as Some);

/// The number that a person takes it for: 0.1, where the nearest of 32 bits is 0.10000000149011612.
fn widened(number: f32) -> Option<f64> {
    number.to_string().parse().ok()
}

#[diagnostic::do_not_recommend]
impl<T: RangeTarget> RangeTarget for Option<T> {
    type Number = T::Number;

    #[inline]
    fn number(&self) -> Option<T::Number> {
        self.as_ref().and_then(T::number)
    }
}

#[diagnostic::do_not_recommend]
impl<T: LengthTarget> LengthTarget for Option<T> {
    const KIND: LengthKind = T::KIND;

    fn length(&self) -> Option<usize> {
        self.as_ref().and_then(T::length)
    }
}

#[diagnostic::do_not_recommend]
impl<T: TextTarget> TextTarget for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}

macro_rules! texts {
    ($($text:ty),*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl LengthTarget for $text {
                const KIND: LengthKind = LengthKind::Text;

                // JSON Schema counts characters as Unicode code points (RFC 8259).
                fn length(&self) -> Option<usize> {
                    Some(self.chars().count())
                }
            }

            #[diagnostic::do_not_recommend]
            impl TextTarget for $text {
                fn text(&self) -> Option<&str> {
                    Some(self)
                }
            }
        )*
    };
}

texts!(String, Box<str>, Arc<str>, Cow<'static, str>);

#[diagnostic::do_not_recommend]
impl LengthTarget for PathBuf {
    const KIND: LengthKind = LengthKind::Text;

    fn length(&self) -> Option<usize> {
        self.to_str().map(|path| path.chars().count())
    }
}

#[diagnostic::do_not_recommend]
impl TextTarget for PathBuf {
    fn text(&self) -> Option<&str> {
        self.to_str()
    }
}

macro_rules! collections {
    ($($kind:ident: $collection:ident<$($T:ident),*>;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($T),*> LengthTarget for $collection<$($T),*> {
                const KIND: LengthKind = LengthKind::$kind;

                fn length(&self) -> Option<usize> {
                    Some(self.len())
                }
            }
        )*
    };
}

collections! {
    List: Vec<T>;
    List: VecDeque<T>;
    List: BTreeSet<T>;
    List: HashSet<T, S>;
    Map: BTreeMap<K, V>;
    Map: HashMap<K, V, S>;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Number;

    #[test]
    fn integers_are_divided_exactly() {
        // Next to these, 64-bit floats are two and more apart.
        assert!(9_007_199_254_740_993_i64.is_multiple(3));
        assert!(!9_007_199_254_740_993_i64.is_multiple(2));
        assert!(Number::is_multiple(u64::MAX, 5));
        assert!(!Number::is_multiple(u64::MAX, 2));
        assert!(i64::MIN.is_multiple(2));
        assert!(!i64::MIN.is_multiple(10));
        assert!((i64::MIN + 8).is_multiple(10));
        assert!(Number::is_multiple(u128::MAX, 5));
        assert!(Number::is_multiple(0_u8, 7));
        for step in [0, -1] {
            assert!(!i64::MIN.is_multiple(step), "{step}");
        }
    }

    #[test]
    fn numbers_of_32_bits_are_the_short_decimals() {
        assert_eq!(0.1_f32.json(), Some(json!(0.1)));
        assert!(0.3_f32.is_multiple(0.1));
        assert!(19.99_f32.is_multiple(0.01));
        assert!(!0.35_f32.is_multiple(0.1));
        assert!(1e30_f32.is_multiple(0.5));
        for value in [f32::NAN, f32::INFINITY] {
            assert_eq!(value.json(), None);
            assert!(!value.is_multiple(0.5));
            assert!(!1.0_f32.is_multiple(value));
        }
    }
}
