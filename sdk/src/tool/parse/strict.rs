//! A deserializer in front of another that refuses what serde lets through in types of the
//! author's own: names that a struct does not have, and lists in place of structs, at any depth.
//!
//! A derived struct reads the value of a name that it does not know as something to ignore, so
//! that is where it is refused: the list of names need not be searched. What serde buffers first
//! (flattened, untagged and internally tagged types) asks for anything at all and passes unseen;
//! [`unseen`] tells of it.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// What a read came upon that its result does not tell. It stands on the stack of whoever reads
/// and is handed down, so that a type which reads something of its own does not disturb it.
#[derive(Default)]
pub(in crate::tool) struct Flags {
    unseen: Cell<bool>,
    unknown: Cell<bool>,
}

impl Flags {
    /// Whether something was read in which not everything was seen: what serde buffers, and maps,
    /// which take a name twice.
    #[inline]
    pub(super) fn unseen(&self) -> bool {
        self.unseen.get()
    }

    /// Whether a name was refused that a struct does not have.
    pub(super) fn unknown(&self) -> bool {
        self.unknown.get()
    }
}

/// Reads a `T` strictly.
pub(in crate::tool) struct Strict<'f, T> {
    flags: &'f Flags,
    read: PhantomData<T>,
}

impl<'f, T> Strict<'f, T> {
    #[inline]
    pub(in crate::tool) fn new(flags: &'f Flags) -> Self {
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

/// What a visitor may be given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A struct: an object and nothing else.
    Struct,
    Other,
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

    #[inline]
    fn other<V>(&self, visitor: V) -> Strictly<'f, V> {
        self.visitor(visitor, Form::Other)
    }

    #[inline]
    fn of_struct<V>(&self, visitor: V) -> Strictly<'f, V> {
        self.visitor(visitor, Form::Struct)
    }

    #[inline]
    fn visitor<V>(&self, visitor: V, form: Form) -> Strictly<'f, V> {
        let flags = self.flags;
        Strictly {
            visitor,
            form,
            flags,
        }
    }
}

struct Strictly<'f, V> {
    visitor: V,
    form: Form,
    flags: &'f Flags,
}

macro_rules! forward {
    ($($method:ident)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
                let visitor = self.other(visitor);
        self.inner.$method(visitor)
            }
        )*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Wrapped<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_option
        deserialize_unit deserialize_seq deserialize_identifier
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.flags.unseen.set(true);
        let visitor = self.other(visitor);
        self.inner.deserialize_map(visitor)
    }

    /// The type takes what comes, and serde has to keep it until the type is known.
    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.flags.unseen.set(true);
        self.inner.deserialize_any(visitor)
    }

    #[cold]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, D::Error> {
        self.flags.unknown.set(true);
        Err(D::Error::custom("there is no such field"))
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.other(visitor);
        self.inner.deserialize_unit_struct(name, visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.other(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.other(visitor);
        self.inner.deserialize_tuple(len, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.other(visitor);
        self.inner.deserialize_tuple_struct(name, len, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.of_struct(visitor);
        self.inner.deserialize_struct(name, fields, visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.other(visitor);
        self.inner.deserialize_enum(name, variants, visitor)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty,)*) => {
        $(
            #[inline]
            fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
                self.visitor.$method(value)
            }
        )*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strictly<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visit! {
        visit_bool: bool, visit_i8: i8, visit_i16: i16, visit_i32: i32, visit_i64: i64,
        visit_i128: i128, visit_u8: u8, visit_u16: u16, visit_u32: u32, visit_u64: u64,
        visit_u128: u128, visit_f32: f32, visit_f64: f64, visit_char: char, visit_str: &str,
        visit_borrowed_str: &'de str, visit_string: String, visit_bytes: &[u8],
        visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.visitor
            .visit_some(Wrapped::new(deserializer, self.flags))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        self.visitor
            .visit_newtype_struct(Wrapped::new(deserializer, self.flags))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        match self.form {
            Form::Struct => Err(A::Error::custom("a list is no object")),
            Form::Other => self.visitor.visit_seq(Wrapped::new(parts, self.flags)),
        }
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Wrapped::new(parts, self.flags))
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(Wrapped::new(parts, self.flags))
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

impl<'de, 'f, A: EnumAccess<'de>> EnumAccess<'de> for Wrapped<'f, A> {
    type Error = A::Error;
    type Variant = Wrapped<'f, A::Variant>;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Wrapped::new(variant, self.flags)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Wrapped<'_, A> {
    type Error = A::Error;

    #[inline]
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.inner
            .newtype_variant_seed(Wrapped::new(seed, self.flags))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.other(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.of_struct(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}

#[cfg(test)]
mod tests;
