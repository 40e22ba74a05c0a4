//! A JSON tree to read from where it matters why a value is refused: serde's errors have words and
//! nothing else, so the error here is one that knows a constraint from a wrong type.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    self, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor, value::StrDeserializer,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::tool::constraint::NOT_ALLOWED;

/// Why a value could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tool) enum ReadError {
    /// A constraint refused a value that was of the right type.
    NotAllowed,
    /// The value is of another type.
    Unfit,
    /// An object lacks a name.
    Missing(&'static str),
    /// An object has a name twice, once perhaps as another name of it.
    Repeated(&'static str),
    /// An object has a name that its type refuses.
    Unknown,
    /// Whoever read it says so in words of its own: serde itself, where no branch of a union fits.
    Unclear,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be read")
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self::Unclear
    }

    fn invalid_type(_found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        Self::Unfit
    }

    fn invalid_value(found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        if found == NOT_ALLOWED {
            Self::NotAllowed
        } else {
            Self::Unfit
        }
    }

    fn unknown_variant(_name: &str, _expected: &'static [&'static str]) -> Self {
        Self::Unfit
    }

    fn unknown_field(_name: &str, _expected: &'static [&'static str]) -> Self {
        Self::Unknown
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}

/// A part of a tree.
#[derive(Clone, Copy)]
pub(in crate::tool) struct Tree<'de>(pub(in crate::tool) &'de Value);

impl<'de> IntoDeserializer<'de, ReadError> for Tree<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

fn members(
    members: &Map<String, Value>,
) -> MapDeserializer<'_, impl Iterator<Item = (&str, Tree<'_>)>, ReadError> {
    MapDeserializer::new(
        members
            .iter()
            .map(|(key, value)| (key.as_str(), Tree(value))),
    )
}

impl<'de> Deserializer<'de> for Tree<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), ..) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (.., Some(number)) => visitor.visit_f64(number),
                _ => Err(ReadError::Unfit),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter().map(Tree));
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            Value::Object(object) => {
                let mut members = members(object);
                let value = visitor.visit_map(&mut members)?;
                members.end().map(|()| value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        // `serde_json` asks by names of its own for what only its own deserializers give.
        if name.starts_with("$serde_json::") {
            let read = self.0.deserialize_newtype_struct(name, visitor);
            return read.map_err(|_| ReadError::Unclear);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(StrDeserializer::new(name)),
            Value::Object(object) if object.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(members(object)))
            }
            _ => Err(ReadError::Unfit),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
