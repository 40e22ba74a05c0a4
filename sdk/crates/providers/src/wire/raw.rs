//! Members of a message that may be anything.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The most items of a list that is read. An item takes far more memory than its text.
const MAX_ITEMS: usize = 65536;

/// A member that should be a text, an object or a list of a known form. A value of another form is no error: it is
/// named, so that one bad call of a message leaves the others alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Loose<'m, T = Nothing> {
    /// `null`.
    #[default]
    Null,
    Text(Cow<'m, str>),
    Known(T),
    /// The kind of value that stands there instead, with its article.
    Other(&'static str),
}

/// The form of an object or a list, as [`Loose`] reads it.
pub(crate) trait LooseForm<'m>: Sized {
    fn object<A: MapAccess<'m>>(mut map: A) -> Result<Loose<'m, Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Loose::Other("an object"))
    }

    fn list<A: SeqAccess<'m>>(mut list: A) -> Result<Loose<'m, Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::Other("a list"))
    }
}

/// No object and no list: a text is expected.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Nothing {}

impl LooseForm<'_> for Nothing {}

/// An object of the members of a struct.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LooseMembers<T>(pub(crate) T);

impl<'m, T: Deserialize<'m>> LooseForm<'m> for LooseMembers<T> {
    fn object<A: MapAccess<'m>>(map: A) -> Result<Loose<'m, Self>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|known| Loose::Known(Self(known)))
    }
}

impl<'m, T: Deserialize<'m>> LooseForm<'m> for Vec<T> {
    fn list<A: SeqAccess<'m>>(mut list: A) -> Result<Loose<'m, Self>, A::Error> {
        let mut items = Self::new();
        while let Some(item) = list.next_element()? {
            if items.len() == MAX_ITEMS {
                return Err(A::Error::custom("a list of more than 65536 items"));
            }
            items.push(item);
        }
        Ok(Loose::Known(items))
    }
}

/// The first item of a list, and the number of the others, which are skipped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct First<T>(pub(crate) Option<T>);

impl<'m, T: Deserialize<'m>> LooseForm<'m> for First<T> {
    fn list<A: SeqAccess<'m>>(mut list: A) -> Result<Loose<'m, Self>, A::Error> {
        let first = list.next_element()?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::Known(Self(first)))
    }
}

impl<'m, T> Loose<'m, T> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn into_text(self) -> Option<Cow<'m, str>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the same without the form: a text or none.
    pub(crate) fn only_text(self) -> Loose<'m> {
        self.into_text().map_or(Loose::Null, Loose::Text)
    }

    /// Returns the text, if it is not empty.
    pub(crate) fn filled(self) -> Option<Cow<'m, str>> {
        self.into_text().filter(|text| !text.is_empty())
    }

    pub(crate) fn into_known(self) -> Option<T> {
        match self {
            Self::Known(known) => Some(known),
            _ => None,
        }
    }

    /// The kind of value, with its article.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Text(_) => "a text",
            Self::Known(_) => "a value",
            Self::Other(kind) => kind,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl<'de: 'm, 'm, T: LooseForm<'de>> Deserialize<'de> for Loose<'m, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor(PhantomData))
    }
}

struct LooseVisitor<'m, T>(PhantomData<Loose<'m, T>>);

impl<'de: 'm, 'm, T: LooseForm<'de>> Visitor<'de> for LooseVisitor<'m, T> {
    type Value = Loose<'m, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Loose::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Loose::Other("a boolean"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Loose::Other("a number"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Loose::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Loose::Other("a number"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Owned(text)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::object(map)
    }
}
