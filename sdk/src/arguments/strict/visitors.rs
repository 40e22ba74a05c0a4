//! The values that a type is given, by what it asked for. Each kind takes what JSON can give it and no more: the rest
//! is refused with an own message, and adds no code to the program.

use std::fmt;
use std::marker::PhantomData;
use std::num::FpCategory;

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::asked::Asked;
use super::{Flags, Wrapped, whole};

macro_rules! visit {
    ($($method:ident: $type:ty,)*) => {
        $(
            #[inline]
            fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
                self.0.$method(value)
            }
        )*
    };
}

/// An integer that must fit an `N`.
pub(super) struct Integer<'f, V, N> {
    pub(super) flags: &'f Flags,
    pub(super) visitor: V,
    pub(super) asked: Asked,
    pub(super) fits: PhantomData<N>,
}

impl<'de, V: Visitor<'de>, N: TryFrom<i64> + TryFrom<u64>> Visitor<'de> for Integer<'_, V, N> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.asked, f)
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        if N::try_from(value).is_err() {
            return Err(E::invalid_value(Unexpected::Signed(value), &self));
        }
        self.visitor.visit_i64(value)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        if N::try_from(value).is_err() {
            return Err(E::invalid_value(Unexpected::Unsigned(value), &self));
        }
        self.visitor.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        self.flags.rounds.set(true);
        match whole(value) {
            // As JSON gives it: unsigned where it can be.
            Some(whole) => match u64::try_from(whole) {
                Ok(whole) => self.visit_u64(whole),
                Err(_) => self.visit_i64(whole),
            },
            None => Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
    }
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $Scalar:ident as $asked:ident { $($visits:tt)* })*) => {
        $(
            $(#[$doc])*
            pub(super) struct $Scalar<V>(pub(super) V);

            impl<'de, V: Visitor<'de>> Visitor<'de> for $Scalar<V> {
                type Value = V::Value;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(&Asked::$asked, f)
                }

                $($visits)*
            }
        )*
    };
}

scalars! {
    Truth as Truth {
        visit! { visit_bool: bool, }
    }

    Text as Text {
        visit! {
            visit_char: char, visit_str: &str, visit_borrowed_str: &'de str, visit_string: String,
        }
    }

    Null as Null {
        #[inline]
        fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
            self.0.visit_unit()
        }
    }
}

/// A number.
pub(super) struct NumberVisitor<'f, V>(pub(super) V, pub(super) &'f Flags);

impl<'de, V: Visitor<'de>> Visitor<'de> for NumberVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Asked::Number, f)
    }

    visit! { visit_i64: i64, visit_u64: u64, visit_f32: f32, }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.classify() == FpCategory::Zero {
            self.1.rounds.set(true);
        }
        self.0.visit_f64(value)
    }
}

/// A number that must become neither infinite nor 0 in 32 bits.
pub(super) struct Single<'f, V>(pub(super) V, pub(super) &'f Flags);

impl<'de, V: Visitor<'de>> Visitor<'de> for Single<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Asked::Single, f)
    }

    visit! { visit_i64: i64, visit_u64: u64, visit_f32: f32, }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        #[expect(clippy::cast_possible_truncation, reason = "that is the question")]
        let single = value as f32;
        let is_zero = value.classify() == FpCategory::Zero;
        if is_zero {
            self.1.rounds.set(true);
        } else if value.is_finite()
            && (single.is_infinite() || single.classify() == FpCategory::Zero)
        {
            return Err(E::invalid_value(Unexpected::Float(value), &self));
        }
        self.0.visit_f64(value)
    }
}

/// An object or a list, whichever was asked for and not the other.
pub(super) struct PartsVisitor<'f, V> {
    pub(super) visitor: V,
    pub(super) asked: Asked,
    pub(super) flags: &'f Flags,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for PartsVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.asked, f)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        if self.asked != Asked::List {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        self.visitor.visit_seq(Wrapped::new(parts, self.flags))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        if self.asked != Asked::Object {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        self.visitor.visit_map(Wrapped::new(parts, self.flags))
    }
}

/// Whatever comes, where the type decides what it takes.
pub(super) struct Strictly<'f, V>(pub(super) V, pub(super) &'f Flags);

impl<'de, V: Visitor<'de>> Visitor<'de> for Strictly<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool: bool, visit_i8: i8, visit_i16: i16, visit_i32: i32, visit_i64: i64,
        visit_i128: i128, visit_u8: u8, visit_u16: u16, visit_u32: u32, visit_u64: u64,
        visit_u128: u128, visit_f32: f32, visit_char: char, visit_str: &str,
        visit_borrowed_str: &'de str, visit_string: String, visit_bytes: &[u8],
        visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.fract().classify() == FpCategory::Zero {
            self.1.rounds.set(true);
        }
        if let Some(whole) = whole(value) {
            self.1.whole.set(true);
            if self.1.integers {
                return match u64::try_from(whole) {
                    Ok(whole) => self.0.visit_u64(whole),
                    Err(_) => self.0.visit_i64(whole),
                };
            }
        }
        self.0.visit_f64(value)
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Wrapped::new(deserializer, self.1))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        self.0
            .visit_newtype_struct(Wrapped::new(deserializer, self.1))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Wrapped::new(parts, self.1))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Wrapped::new(parts, self.1))
    }
}
