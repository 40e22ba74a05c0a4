//! Fields that serde flattens: their types are asked whether they are made of names.

use std::cell::Cell;
use std::fmt;

use schemars::Schema;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::schema::Marked;

/// Marks the schema of a type with a flattened field that serde reads from no object.
#[doc(hidden)]
pub fn flat_field<T: DeserializeOwned>(schema: &mut Schema, field: &str) {
    let is_single = Cell::new(false);
    let asked = T::deserialize(FlatProbe(&is_single));
    if asked.is_err() && is_single.get() {
        let marked = Marked {
            why: format!(
                "`{field}` has `#[serde(flatten)]`, and is neither a struct nor a map, so that no value can be read: \
                 remove `flatten`"
            ),
            ..Marked::default()
        };
        marked.put_on(schema.ensure_object());
    }
}

/// Gives nothing, and notes whether a type asks for what has no names.
struct FlatProbe<'a>(&'a Cell<bool>);

#[derive(Debug)]
struct NoValue;

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no value")
    }
}

impl std::error::Error for NoValue {}

impl de::Error for NoValue {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

macro_rules! single {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, NoValue> {
                self.0.set(true);
                Err(NoValue)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for FlatProbe<'_> {
    type Error = NoValue;

    single! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_seq
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, NoValue> {
        Err(NoValue)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        self.deserialize_seq(visitor)
    }

    forward_to_deserialize_any! {
        unit unit_struct map struct enum identifier ignored_any
    }
}
