//! A JSON tree to read from if it matters why a value is refused, and where: with errors of the
//! reader's own, because those of `serde_json` have words and nothing else.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

use hashbrown::{HashMap, HashSet};
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, map};

use super::key::{KeyType, MemberKey};
use crate::util::nesting::DEPTH;
use crate::util::pointer::push_key;

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
    /// True if reads that end in such an error may have a [`Trace`].
    const IS_TRACED: bool = true;

    /// Returns the error of a name in an object that was to be read into a type which no text is read into.
    fn of_key(_asked: KeyType) -> Self {
        Self::custom("its name is none that can stand here")
    }
}

impl TreeError for Unreadable {
    const IS_TRACED: bool = false;
}

/// The record of one read of a tree: what was asked of its parts, and the place at which it failed.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The parts that are passed over, as if they were not there.
    left_out: HashSet<*const Value>,
    asked: RefCell<HashMap<*const Value, Note>>,
    /// The keys that lead to the part that failed, the last one first.
    pub(crate) failed: RefCell<Vec<String>>,
    /// True if a read could not see everything: see [`Flags::unseen`](super::Flags::unseen).
    pub(crate) unseen: Cell<bool>,
}

impl Trace {
    /// Returns what was asked of a part last.
    pub(crate) fn of(&self, part: &Value) -> Option<Note> {
        self.asked.borrow().get(&std::ptr::from_ref(part)).copied()
    }

    /// Returns the JSON pointer of the part that failed.
    pub(crate) fn place(&self) -> String {
        let mut pointer = String::new();
        for key in self.failed.borrow().iter().rev() {
            push_key(&mut pointer, key);
        }
        pointer
    }

    /// Begins anew, without one more part of the tree.
    pub(crate) fn leave_out(&mut self, part: &Value) {
        self.left_out.insert(part);
        self.failed.get_mut().clear();
    }

    /// Returns true if a part was read from a copy, or its names were, so that only the schema can tell
    /// what is wrong with it. `tree` is what was read.
    pub(crate) fn is_copied(&self, tree: &Value, pointer: &str) -> bool {
        let here = tree.pointer(pointer).and_then(|part| self.of(part));
        let ends = pointer.match_indices('/').map(|(end, _)| end);
        let mut around = ends.chain([pointer.len()]);
        let is_anything = |end: usize| {
            let part = tree.pointer(&pointer[..end]);
            part.and_then(|part| self.of(part)) == Some(Note::Anything)
        };
        here == Some(Note::Map) || around.any(is_anything)
    }

    fn keeps(&self, part: &Value) -> bool {
        self.left_out.is_empty() || !self.left_out.contains(&std::ptr::from_ref(part))
    }
}

/// The things that types ask of a part of a tree, as far as an error does not tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Note {
    /// Whatever it is: what a type makes of it is not seen.
    Anything,
    /// An object of any names.
    Map,
    /// A struct of these fields.
    Fields(&'static [&'static str]),
    /// A list of so many.
    Length(usize),
}

/// A part of a tree.
pub(crate) struct Tree<'de, E> {
    value: &'de Value,
    /// The number of levels of objects and lists that may still be entered: the app may have made a
    /// tree that is deeper than the stack.
    levels: usize,
    trace: Option<&'de Trace>,
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
            trace: None,
            error: PhantomData,
        }
    }

    /// Keeps a record of the read.
    pub(crate) fn traced(value: &'de Value, trace: &'de Trace) -> Self {
        trace.failed.borrow_mut().clear();
        Self {
            trace: Some(trace),
            ..Self::new(value)
        }
    }
}

impl<'de, E: TreeError> Tree<'de, E> {
    #[inline]
    fn trace(self) -> Option<&'de Trace> {
        self.trace.filter(|_| E::IS_TRACED)
    }

    #[inline]
    fn note(self, note: Note) {
        if let Some(trace) = self.trace() {
            let mut asked = trace.asked.borrow_mut();
            asked.insert(std::ptr::from_ref(self.value), note);
        }
    }

    #[inline]
    fn keeps(self, part: &Value) -> bool {
        self.trace().is_none_or(|trace| trace.keeps(part))
    }

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
                let mut items = TreeItems {
                    items: items.iter().enumerate(),
                    around: self.inside()?,
                };
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            Value::Object(members) => {
                let mut members = TreeMembers {
                    members: members.iter(),
                    next: None,
                    around: self.inside()?,
                };
                let value = visitor.visit_map(&mut members)?;
                members.end().map(|()| value)
            }
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

    /// Reads a part of this part, and keeps its key if that fails.
    #[inline]
    fn part<S: DeserializeSeed<'de>>(
        self,
        value: &'de Value,
        key: &dyn ToString,
        seed: S,
    ) -> Result<S::Value, E> {
        let read = seed.deserialize(Self { value, ..self });
        self.failed_at(read, key)
    }

    #[inline]
    fn failed_at<T>(self, read: Result<T, E>, key: &dyn ToString) -> Result<T, E> {
        if read.is_err() {
            self.note_failure(key);
        }
        read
    }

    /// Keeps the key of a part that failed.
    fn note_failure(self, key: &dyn ToString) {
        if let Some(trace) = self.trace() {
            trace.failed.borrow_mut().push(key.to_string());
        }
    }
}

/// The items of a list.
struct TreeItems<'de, E> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
    around: Tree<'de, E>,
}

impl<'de, E: TreeError> TreeItems<'de, E> {
    /// Returns the next item that is not left out. It stands apart from the read, which is compiled for each type of items.
    #[inline]
    fn next_kept(&mut self) -> Option<(usize, &'de Value)> {
        let around = self.around;
        self.items.find(|(_, item)| around.keeps(item))
    }

    fn end(mut self) -> Result<(), E> {
        let more = self.items.len();
        if self.items.any(|(_, item)| self.around.keeps(item)) {
            return Err(E::invalid_length(more, &"fewer items"));
        }
        Ok(())
    }
}

impl<'de, E: TreeError> SeqAccess<'de> for &mut TreeItems<'de, E> {
    type Error = E;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, E> {
        match self.next_kept() {
            Some((index, item)) => self.around.part(item, &index, seed).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The members of an object.
struct TreeMembers<'de, E> {
    members: map::Iter<'de>,
    next: Option<(&'de String, &'de Value)>,
    around: Tree<'de, E>,
}

impl<'de, E: TreeError> TreeMembers<'de, E> {
    /// Goes to the next member that is not left out, and returns its key.
    #[inline]
    fn next_kept(&mut self) -> Option<&'de String> {
        let around = self.around;
        self.next = self.members.find(|(_, value)| around.keeps(value));
        self.next.map(|(key, _)| key)
    }

    fn end(mut self) -> Result<(), E> {
        if self.members.any(|(_, value)| self.around.keeps(value)) {
            return Err(E::invalid_length(self.members.len(), &"fewer members"));
        }
        Ok(())
    }
}

impl<'de, E: TreeError> MapAccess<'de> for &mut TreeMembers<'de, E> {
    type Error = E;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        let Some(key) = self.next_kept() else {
            return Ok(None);
        };
        let read = seed.deserialize(MemberKey::new(key));
        self.around.failed_at(read, key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, E> {
        match self.next.take() {
            Some((key, value)) => self.around.part(value, key, seed),
            None => Err(E::custom(
                "the value of a member was asked for before its name",
            )),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
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

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.note(Note::Map);
        self.visit(visitor)
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

    forward_to_deserialize_any! {
        ignored_any
    }

    visit! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_seq deserialize_identifier
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.visit(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        self.visit(visitor)
    }
}
