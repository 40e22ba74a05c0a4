//! Enums by the name of the variant: a text where it has no content, else an object with the
//! content under the name. serde reads `{"name": null}` for the text as well, which no schema
//! shows.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::asked::{Asked, OneOf};
use super::visitors::PartsVisitor;
use super::{Flags, Wrapped};

/// Gives a type the variant that a text or an object names.
pub(super) struct VariantChoice<'f, V> {
    pub(super) visitor: V,
    pub(super) variants: &'static [&'static str],
    pub(super) flags: &'f Flags,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for VariantChoice<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&OneOf(self.variants), f)
    }

    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.visitor
            .visit_enum(NameAlone(StrDeserializer::new(name)))
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<V::Value, E> {
        let name = BorrowedStrDeserializer::new(name);
        self.visitor.visit_enum(NameAlone(name))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        let flags = self.flags;
        let map_of_one = NamedVariant {
            map: &mut map,
            flags,
        };
        let value = self.visitor.visit_enum(map_of_one)?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::invalid_type(Unexpected::Map, &ONE_NAME)),
        }
    }
}

const ONE_NAME: &str = "an object of one name";
const NAME_ALONE: &str = "the name alone, as a text";
const WITH_CONTENT: &str = "an object with the content under the name";

/// A variant that a text names.
struct NameAlone<D>(D);

impl<'de, D: Deserializer<'de>> EnumAccess<'de> for NameAlone<D> {
    type Error = D::Error;
    type Variant = NoContent<D::Error>;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), D::Error> {
        Ok((seed.deserialize(self.0)?, NoContent(PhantomData)))
    }
}

struct NoContent<E>(PhantomData<E>);

impl<E: Error> NoContent<E> {
    #[cold]
    fn refused() -> E {
        E::invalid_type(Unexpected::UnitVariant, &WITH_CONTENT)
    }
}

impl<'de, E: Error> VariantAccess<'de> for NoContent<E> {
    type Error = E;

    #[inline]
    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, E> {
        Err(Self::refused())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, E> {
        Err(Self::refused())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, E> {
        Err(Self::refused())
    }
}

/// A variant that the name in an object names, and its content.
struct NamedVariant<'f, 'm, A> {
    map: &'m mut A,
    flags: &'f Flags,
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for NamedVariant<'_, '_, A> {
    type Error = A::Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), A::Error> {
        match self.map.next_key_seed(seed)? {
            Some(name) => Ok((name, self)),
            None => Err(A::Error::invalid_type(Unexpected::Map, &ONE_NAME)),
        }
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for NamedVariant<'_, '_, A> {
    type Error = A::Error;

    #[cold]
    fn unit_variant(self) -> Result<(), A::Error> {
        Err(A::Error::invalid_type(Unexpected::Map, &NAME_ALONE))
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.map.next_value_seed(Wrapped::new(seed, self.flags))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = PartsVisitor {
            visitor,
            asked: Asked::List,
            flags: self.flags,
        };
        self.map.next_value_seed(TupleContent { len, visitor })
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = PartsVisitor {
            visitor,
            asked: Asked::Object,
            flags: self.flags,
        };
        self.map.next_value_seed(FieldsContent { fields, visitor })
    }
}

/// The content of a variant that is a tuple.
struct TupleContent<V> {
    len: usize,
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for TupleContent<V> {
    type Value = V::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_tuple(self.len, self.visitor)
    }
}

/// The content of a variant that has fields.
struct FieldsContent<V> {
    fields: &'static [&'static str],
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for FieldsContent<V> {
    type Value = V::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_struct("", self.fields, self.visitor)
    }
}
