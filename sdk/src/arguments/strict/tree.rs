//! A JSON tree to read from where it matters why a value is refused: with errors of the reader's
//! own, because those of `serde_json` have words and nothing else.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::util::nesting::DEPTH;

/// The error of a value that could not be read, for callers that do not ask why.
#[derive(Debug)]
pub(crate) struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be read")
    }
}

impl std::error::Error for Unreadable {}

impl Error for Unreadable {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }

    fn invalid_type(_found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        Self
    }

    fn invalid_value(_found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        Self
    }

    fn unknown_field(_name: &str, _expected: &'static [&'static str]) -> Self {
        Self
    }
}

/// An error of who reads a tree.
pub(crate) trait TreeError: Error {
    /// Returns the error of a name in an object that was to be read into a type which no text is read into.
    fn of_key(_asked: KeyType) -> Self {
        Self::custom("its name is none that can stand here")
    }
}

impl TreeError for Unreadable {}

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

/// A part of a tree.
pub(crate) struct Tree<'de, E> {
    value: &'de Value,
    /// The number of levels of objects and lists that may still be entered: the app may have made a
    /// tree that is deeper than the stack.
    levels: usize,
    notes: Option<&'de Notes>,
    error: PhantomData<E>,
}

impl<E> Clone for Tree<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Tree<'_, E> {}

impl<'de, E> Tree<'de, E> {
    pub(crate) fn new(value: &'de Value) -> Self {
        Self {
            value,
            levels: DEPTH,
            notes: None,
            error: PhantomData,
        }
    }

    /// Keeps what was asked of each part.
    pub(crate) fn noted(value: &'de Value, notes: &'de Notes) -> Self {
        Self {
            notes: Some(notes),
            ..Self::new(value)
        }
    }

    fn note(self, note: Note) {
        if let Some(notes) = self.notes {
            let mut notes = notes.0.borrow_mut();
            notes.insert(std::ptr::from_ref(self.value), note);
        }
    }
}

/// The requests of types for parts of a tree, as far as an error does not show them.
#[derive(Default)]
pub(crate) struct Notes(RefCell<HashMap<*const Value, Note>>);

impl Notes {
    /// The last request for a part.
    pub(crate) fn of(&self, part: &Value) -> Option<Note> {
        self.0.borrow().get(&std::ptr::from_ref(part)).copied()
    }
}

/// The request of a type for a part of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Note {
    /// Whatever it is: what a type makes of it is not seen.
    Anything,
    /// A struct of these fields.
    Fields(&'static [&'static str]),
    /// A list of so many.
    Length(usize),
}

impl<'de, E: TreeError> IntoDeserializer<'de, E> for Tree<'de, E> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de, E: TreeError> Tree<'de, E> {
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => {
                if let Some(number) = number.as_u64() {
                    visitor.visit_u64(number)
                } else if let Some(number) = number.as_i64() {
                    visitor.visit_i64(number)
                } else if let Some(number) = number.as_f64() {
                    visitor.visit_f64(number)
                } else {
                    Err(E::invalid_type(Unexpected::Other("number"), &visitor))
                }
            }
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let inner = self.inside()?;
                let items = items.iter().map(|value| Self { value, ..inner });
                let mut items = SeqDeserializer::new(items);
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            Value::Object(object) => self.members(object, visitor),
        }
    }

    /// Returns this part with one level less, as the base for the values in it.
    #[inline]
    fn inside(self) -> Result<Self, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Self { levels, ..self }),
            None => Err(E::custom("it nests too deep")),
        }
    }

    fn members<V: Visitor<'de>>(
        self,
        members: &'de Map<String, Value>,
        visitor: V,
    ) -> Result<V::Value, E> {
        let inner = self.inside()?;
        let members = members.iter();
        let members = members.map(|(key, value)| (Key(key), Self { value, ..inner }));
        let mut members = MapDeserializer::new(members);
        let value = visitor.visit_map(&mut members)?;
        members.end().map(|()| value)
    }
}

macro_rules! visit {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
                self.visit(visitor)
            }
        )*
    };
}

impl<'de, E: TreeError> Deserializer<'de> for Tree<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        let value = self.visit(visitor)?;
        // An error that comes now is of what was made of it.
        self.note(Note::Anything);
        Ok(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        // `serde_json` asks by names of its own for what only its own deserializers give.
        if name.starts_with("$serde_json::") {
            let read = self.value.deserialize_newtype_struct(name, visitor);
            return read.map_err(|_| E::custom("the value cannot be read"));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        self.note(Note::Fields(fields));
        self.visit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, E> {
        self.note(Note::Length(len));
        self.visit(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        self.visit(visitor)
    }

    forward_to_deserialize_any! {
        ignored_any
    }

    visit! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_seq deserialize_map deserialize_identifier
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.visit(visitor)
    }
}

/// The name of a member, which a map may want as a number.
struct Key<'de>(&'de str);

struct ReadKey<'de, E> {
    key: &'de str,
    error: PhantomData<E>,
}

impl<'de, E: TreeError> IntoDeserializer<'de, E> for Key<'de> {
    type Deserializer = ReadKey<'de, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        ReadKey {
            key: self.0,
            error: PhantomData,
        }
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

impl<'de, E: TreeError> Deserializer<'de> for ReadKey<'de, E> {
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

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        self.read_as(KeyType::Struct(name), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.read_as(KeyType::Struct(name), visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.read_as(KeyType::Struct(name), visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, E> {
        self.read_as(KeyType::Tuple(len), visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.read_as(KeyType::List, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.read_as(KeyType::Map, visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.read_as(KeyType::Unit, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf identifier ignored_any
    }
}

impl<'de, E: TreeError> ReadKey<'de, E> {
    /// Reads the text, which is refused by what is made of several values.
    fn read_as<V: Visitor<'de>>(self, asked: KeyType, visitor: V) -> Result<V::Value, E> {
        let read = visitor.visit_borrowed_str::<Unreadable>(self.key);
        read.map_err(|_| E::of_key(asked))
    }
}
