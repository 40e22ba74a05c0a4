//! A deserializer in front of another that refuses what serde lets through in types of the
//! author's own: names that a struct does not have, lists in place of structs, variants without
//! content that are given some, and numbers that a type would round, at any depth.
//!
//! A derived struct reads the value of a name that it does not know as something to ignore, so
//! that is where it is refused: the list of names need not be searched. What serde buffers first
//! (flattened, untagged and internally tagged types) asks for anything at all and passes unseen;
//! [`Flags::unseen`] tells of it.

use std::cell::Cell;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

mod asked;
mod choice;
mod deserializer;
mod key;
mod loss;
mod repeated;
mod tree;
mod visitors;

use crate::schema::whole;
pub(crate) use asked::OneOf;
pub(crate) use key::KeyType;
pub(crate) use loss::{Loss, loss, numbers, numbers_are_text, text_of};
#[cfg(test)]
pub(crate) use repeated::TOLD;
pub(crate) use repeated::repeated;
pub(crate) use tree::{Note, Trace, Tree, TreeError, Unreadable};

/// Observations of a read that its result does not show, and the settings of the read. The value stands on the stack
/// of the reader and is handed down, so that a type which reads something itself does not disturb it.
#[derive(Default)]
pub(crate) struct Flags {
    unseen: Cell<bool>,
    whole: Cell<bool>,
    rounds: Cell<bool>,
    /// Names that a struct does not have are passed over.
    open: bool,
    /// Numbers without a fraction are integers also where it is not known what they are for.
    integers: bool,
}

impl Flags {
    /// The settings of a read that ignores names a struct does not have.
    pub(crate) fn open() -> Self {
        let open = true;
        Self {
            open,
            ..Self::default()
        }
    }

    /// Returns true if the read could not see everything: serde buffers some parts, and maps take a name twice.
    #[inline]
    pub(crate) fn unseen(&self) -> bool {
        self.unseen.get()
    }

    /// Returns true if a float was read that may stand for another number: it is an integer, or 0.
    #[inline]
    pub(crate) fn rounds(&self) -> bool {
        self.rounds.get()
    }

    /// After a read that failed: how to read once more, if that may do better. serde takes no
    /// `5.0` for an integer in what it buffered, so it is given a 5. Not in the first read, because
    /// a type that takes anything gets what was sent.
    #[cold]
    pub(crate) fn again(&self) -> Option<Self> {
        let again = Self {
            open: self.open,
            integers: true,
            ..Self::default()
        };
        (self.whole.get() && !self.integers).then_some(again)
    }
}

/// Reads a `T` strictly.
pub(crate) struct Strict<'f, T> {
    flags: &'f Flags,
    read: PhantomData<T>,
}

impl<'f, T> Strict<'f, T> {
    #[inline]
    pub(crate) fn new(flags: &'f Flags) -> Self {
        let read = PhantomData;
        Self { flags, read }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Strict<'_, T> {
    type Value = T;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(Wrapped::new(deserializer, self.flags))
    }
}

/// A deserializer, an access to parts or a seed, with all that is below it strict too.
struct Wrapped<'f, D> {
    inner: D,
    flags: &'f Flags,
}

impl<'f, D> Wrapped<'f, D> {
    #[inline]
    fn new(inner: D, flags: &'f Flags) -> Self {
        Self { inner, flags }
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Wrapped<'_, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner
            .deserialize(Wrapped::new(deserializer, self.flags))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Wrapped<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.inner.next_element_seed(Wrapped::new(seed, self.flags))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Wrapped<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(Wrapped::new(seed, self.flags))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests;
