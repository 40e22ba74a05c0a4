//! Members of a message that may be anything, and objects written anew with other members.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

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
    fn object<A: MapAccess<'m>>(map: A) -> Result<Loose<'m, Self>, A::Error> {
        Entries::drain(map)?;
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

/// The members of an object in their order, each value as it was written.
#[derive(Default)]
pub(crate) struct Entries<'m>(pub(crate) Vec<(Cow<'m, str>, Cow<'m, str>)>);

impl<'m> Entries<'m> {
    fn drain<A: MapAccess<'m>>(mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    pub(crate) fn read(object: &'m str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(object)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let member = self.0.iter().find(|(n, _)| n == name);
        member.map(|(_, value)| &**value)
    }

    /// Sets a member to JSON text: in its place if there is one of that name, otherwise at the end.
    pub(crate) fn set(&mut self, name: &'static str, json: String) {
        match self.0.iter_mut().find(|(n, _)| n == name) {
            Some((_, value)) => *value = Cow::Owned(json),
            None => self.0.push((Cow::Borrowed(name), Cow::Owned(json))),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(n, _)| n != name);
    }

    /// Writes the object, without blanks between its members.
    pub(crate) fn write(&self) -> String {
        let mut text = String::from("{");
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&quoted(name));
            text.push(':');
            text.push_str(value);
        }
        text.push('}');
        text
    }
}

impl<'de: 'm, 'm> Deserialize<'de> for Entries<'m> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'m> Visitor<'m> for EntriesVisitor {
            type Value = Entries<'m>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'m>>(self, mut map: A) -> Result<Entries<'m>, A::Error> {
                let mut entries = Vec::new();
                while let Some(name) = map.next_key::<Loose<'m>>()? {
                    let name = name
                        .into_text()
                        .ok_or_else(|| A::Error::custom("a name that is no text"))?;
                    entries.push((name, Cow::Borrowed(map.next_value::<&RawValue>()?.get())));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}

/// Returns a text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    // A text can always be written.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns JSON texts as a list.
pub(crate) fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::from("[");
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(item.as_ref());
    }
    text.push(']');
    text
}

/// A change of an item of a list.
pub(crate) enum Edit {
    Keep,
    Drop,
    Write(String),
}

/// Writes a list anew. Text that is no list stays as it is.
pub(crate) fn edit_list(text: &str, mut edit: impl FnMut(usize, &str) -> Edit) -> String {
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else {
        return text.to_owned();
    };
    let items = items.into_iter().enumerate();
    list(
        items.filter_map(|(index, item)| match edit(index, item.get()) {
            Edit::Keep => Some(Cow::Borrowed(item.get())),
            Edit::Drop => None,
            Edit::Write(text) => Some(Cow::Owned(text)),
        }),
    )
}

/// Returns the arguments of a member that should be JSON text within a text: decoded once, or as they are where a
/// server wrote an object in their place. `null` is none.
pub(crate) fn text_of_arguments(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(raw) = raw else {
        return Cow::Borrowed("");
    };
    let text = raw.get();
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    else {
        return Cow::Borrowed(text);
    };
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    // Fails for half of a surrogate pair alone: then the text as it was written tells the tool more than nothing.
    unescaped(inner).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the text that a JSON text stands for, without its quotation marks. `serde_json` would copy it twice.
fn unescaped(text: &str) -> Option<String> {
    let mut whole = Vec::with_capacity(text.len());
    let mut bytes = text.as_bytes();
    while let [first, rest @ ..] = bytes {
        bytes = rest;
        if *first != b'\\' {
            whole.push(*first);
            continue;
        }
        let (escaped, rest) = bytes.split_first()?;
        bytes = rest;
        whole.push(match escaped {
            b'"' | b'\\' | b'/' => *escaped,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            _ => {
                let (character, rest) = unicode_escape(bytes)?;
                bytes = rest;
                whole.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        });
    }
    String::from_utf8(whole).ok()
}

/// Returns the character of four hexadecimal digits, and of the other half of its pair if they are the first one of a
/// pair; and the bytes after it.
fn unicode_escape(bytes: &[u8]) -> Option<(char, &[u8])> {
    let unit = |bytes: &[u8]| {
        let digits = std::str::from_utf8(bytes.get(..4)?).ok()?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (first, rest) = (unit(bytes)?, bytes.get(4..)?);
    let second = rest.strip_prefix(b"\\u").and_then(unit);
    let units = [first].into_iter().chain(second);
    let character = char::decode_utf16(units).next()?.ok()?;
    let is_pair = character.len_utf16() == 2;
    Some((character, if is_pair { rest.get(6..)? } else { rest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> String {
        let raw: &RawValue = serde_json::from_str(json).unwrap();
        text_of_arguments(Some(raw)).into_owned()
    }

    #[test]
    fn a_text_is_decoded_as_the_library_does() {
        let mut seed = 7_u32;
        for _ in 0..2000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let pieces = [
                    "a",
                    "\\n",
                    "\\\\",
                    "\\\"",
                    "\\/",
                    "\\t\\b\\f\\r",
                    "é€",
                    "\\u00e9",
                    "\\u20AC",
                    "\\ud83d\\ude00",
                    "\\u0000",
                    " ",
                ];
                text.push_str(pieces[(seed >> 16) as usize % pieces.len()]);
            }
            let json = format!("\"{text}\"");
            assert_eq!(
                decoded(&json),
                serde_json::from_str::<String>(&json).unwrap(),
                "{json}"
            );
        }
        for (json, text) in [
            (r#""""#, ""),
            (r#""\"""#, "\""),
            (r#""\\""#, "\\"),
            ("null", "null"),
            ("[1]", "[1]"),
        ] {
            assert_eq!(decoded(json), text);
        }
        // No text of Rust can hold half of a pair.
        for json in [
            r#""\ud83d""#,
            r#""\ud83dx""#,
            r#""\ude00\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\ud83d\n""#,
        ] {
            assert_eq!(decoded(json), json);
        }
    }

    #[test]
    fn objects_keep_what_is_not_set() {
        let mut entries = Entries::read(r#"{ "a" : 1.50, "b\n":[ 1 ], "c":{} }"#).unwrap();
        entries.set("c", "2".to_owned());
        entries.set("d", quoted("x\""));
        entries.remove("a");
        assert_eq!(entries.write(), r#"{"b\n":[ 1 ],"c":2,"d":"x\""}"#);
        assert!(Entries::read("[]").is_err());
    }
}
