//! The name of a member, which a map may want as a number.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::tree::{TreeError, Unreadable};

/// A type of keys that no name in an object is read into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    Struct(&'static str),
    Tuple(usize),
    List,
    Map,
    Unit,
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Struct(name) => write!(f, "the struct `{name}`"),
            Self::Tuple(length) => write!(f, "a tuple of {length}"),
            Self::List => f.write_str("a list"),
            Self::Map => f.write_str("a map"),
            Self::Unit => f.write_str("`()`"),
        }
    }
}

/// The name of a member, to read from.
pub(super) struct MemberKey<'de, E> {
    key: &'de str,
    error: PhantomData<E>,
}

impl<'de, E: TreeError> MemberKey<'de, E> {
    pub(super) fn new(key: &'de str) -> Self {
        let error = PhantomData;
        Self { key, error }
    }

    /// Reads the text, which is refused by what is made of several values.
    fn read_as<V: Visitor<'de>>(self, asked: KeyType, visitor: V) -> Result<V::Value, E> {
        let read = visitor.visit_borrowed_str::<Unreadable>(self.key);
        read.map_err(|_| E::of_key(asked))
    }
}

/// As the readers of JSON do it: they take the text for JSON.
macro_rules! from_key {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
                let refused = |_| E::custom("its name is none that can stand here");
                let mut key = serde_json::Deserializer::from_str(self.key);
                let read = key.$method(visitor).map_err(refused)?;
                key.end().map_err(refused)?;
                Ok(read)
            }
        )*
    };
}

macro_rules! several {
    ($($method:ident($($of:ident: $type:ty),*) => $asked:expr;)*) => {
        $(
            fn $method<V: Visitor<'de>>(
                self,
                $($of: $type,)*
                visitor: V,
            ) -> Result<V::Value, E> {
                self.read_as($asked, visitor)
            }
        )*
    };
}

impl<'de, E: TreeError> Deserializer<'de> for MemberKey<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_str(self.key)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.key))
    }

    from_key! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64
    }

    several! {
        deserialize_struct(name: &'static str, _fields: &'static [&'static str]) => KeyType::Struct(name);
        deserialize_tuple_struct(name: &'static str, _length: usize) => KeyType::Struct(name);
        deserialize_unit_struct(name: &'static str) => KeyType::Struct(name);
        deserialize_tuple(length: usize) => KeyType::Tuple(length);
        deserialize_seq() => KeyType::List;
        deserialize_map() => KeyType::Map;
        deserialize_unit() => KeyType::Unit;
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf identifier ignored_any
    }
}
