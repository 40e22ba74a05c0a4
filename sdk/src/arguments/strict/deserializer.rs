//! The deserializer that a type is read from: each kind that it can ask for, with what refuses the
//! rest.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde_json::value::RawValue;

use super::asked::Asked;
use super::choice::VariantChoice;
use super::visitors::{Integer, Null, NumberVisitor, PartsVisitor, Single, Strictly, Text, Truth};
use super::{Wrapped, whole};
use crate::schema::is_whole;

impl<'f, D> Wrapped<'f, D> {
    #[inline]
    fn any<V>(&self, visitor: V) -> Strictly<'f, V> {
        Strictly(visitor, self.flags)
    }

    #[inline]
    fn parts<V>(&self, visitor: V, asked: Asked) -> PartsVisitor<'f, V> {
        let flags = self.flags;
        PartsVisitor {
            visitor,
            asked,
            flags,
        }
    }
}

macro_rules! integers {
    ($($method:ident: $type:ident as $asked:ident,)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
                self.inner.$method(Integer::<V, $type> {
                    flags: self.flags,
                    visitor,
                    asked: Asked::$asked,
                    fits: PhantomData,
                })
            }
        )*
    };
}

macro_rules! scalars {
    ($($method:ident: $Scalar:ident,)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
                self.inner.$method($Scalar(visitor))
            }
        )*
    };
}

macro_rules! anything {
    ($($method:ident)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
                let visitor = self.any(visitor);
                self.inner.$method(visitor)
            }
        )*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Wrapped<'_, D> {
    type Error = D::Error;

    integers! {
        deserialize_i8: i8 as I8, deserialize_i16: i16 as I16, deserialize_i32: i32 as I32,
        deserialize_i64: i64 as I64, deserialize_u8: u8 as U8, deserialize_u16: u16 as U16,
        deserialize_u32: u32 as U32, deserialize_u64: u64 as U64,
    }

    scalars! {
        deserialize_bool: Truth,
        deserialize_char: Text, deserialize_str: Text, deserialize_string: Text,
        deserialize_unit: Null,
    }

    anything! {
        deserialize_bytes deserialize_byte_buf deserialize_option deserialize_identifier
    }

    /// As 64 bits, because a reader of 32 gives 0 for a number that is too small for them.
    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_f64(Single(visitor, self.flags))
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner
            .deserialize_f64(NumberVisitor(visitor, self.flags))
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        wide(self.inner, visitor, Asked::I128)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        wide(self.inner, visitor, Asked::U128)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.flags.unseen.set(true);
        let visitor = self.parts(visitor, Asked::Object);
        self.inner.deserialize_map(visitor)
    }

    /// The type takes what comes, and serde may have to keep it until the type is known.
    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.flags.unseen.set(true);
        let visitor = self.any(visitor);
        self.inner.deserialize_any(visitor)
    }

    #[cold]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.flags.open {
            return self.inner.deserialize_ignored_any(visitor);
        }
        // The name is known to who reads the object.
        Err(D::Error::unknown_field("", &[]))
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_unit_struct(name, Null(visitor))
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.any(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.parts(visitor, Asked::List);
        self.inner.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.parts(visitor, Asked::List);
        self.inner.deserialize_tuple(len, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.parts(visitor, Asked::List);
        self.inner.deserialize_tuple_struct(name, len, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.parts(visitor, Asked::Object);
        self.inner.deserialize_struct(name, fields, visitor)
    }

    /// Not as an enum: the readers of JSON take `{"name": null}` for a variant without content.
    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(VariantChoice {
            visitor,
            variants,
            flags: self.flags,
        })
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// An integer of 128 bits, which only the text has: what reads numbers gives up at 64 bits or at a
/// point, and asked for 128 it does not take a point.
fn wide<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    inner: D,
    visitor: V,
    asked: Asked,
) -> Result<V::Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(inner)?;
    let text = raw.get();
    // Narrow where it can be, as every reader of JSON gives it.
    if let Ok(number) = text.parse::<u64>() {
        return visitor.visit_u64(number);
    }
    if asked == Asked::U128 {
        if let Ok(number) = text.parse::<u128>() {
            return visitor.visit_u128(number);
        }
    } else if let Ok(number) = text.parse::<i64>() {
        return visitor.visit_i64(number);
    } else if let Ok(number) = text.parse::<i128>() {
        return visitor.visit_i128(number);
    }
    let float = serde_json::from_str(text).ok().filter(|_| is_whole(text));
    match float.and_then(whole) {
        Some(number) if asked == Asked::I128 => visitor.visit_i64(number),
        Some(number @ 0..) => visitor.visit_u64(number.unsigned_abs()),
        _ => Err(D::Error::invalid_type(
            Unexpected::Other("another value"),
            &asked,
        )),
    }
}
