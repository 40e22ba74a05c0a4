//! Objects and lists written anew, their values as they were written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::raw::Loose;

/// The members of an object in their order, each value as it was written.
#[derive(Default)]
pub(crate) struct Entries<'m>(pub(crate) Vec<(Cow<'m, str>, Cow<'m, str>)>);

impl<'m> Entries<'m> {
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

/// Returns true if JSON text is a list with an item.
pub(crate) fn has_items(json: &str) -> bool {
    let inside = json.strip_prefix('[').map(str::trim_start);
    inside.is_some_and(|inside| inside != "]")
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

#[cfg(test)]
mod tests {
    use super::*;

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
