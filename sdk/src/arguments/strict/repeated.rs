//! Names that an object has twice: a reader would take one of the two, and another reader the
//! other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::util::pointer::push_key;

/// The places of the names that an object in `text` has twice, at any depth, as JSON pointers.
///
/// # Errors
///
/// Fails if the text is not JSON.
pub(crate) fn repeated(text: &str) -> serde_json::Result<Vec<String>> {
    let mut walk = NameWalk::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    walk.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(walk.repeated)
}

/// The most names that are told: a text of nothing else must not make a message many times as
/// long.
pub(crate) const TOLD: usize = 20;

/// Goes through JSON and finds the names that an object has twice.
#[derive(Default)]
struct NameWalk {
    /// The JSON pointer of where it is.
    pointer: String,
    repeated: Vec<String>,
}

impl NameWalk {
    fn repeated(&mut self) {
        if self.repeated.len() < TOLD {
            self.repeated.push(self.pointer.clone());
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut NameWalk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut NameWalk {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let here = self.pointer.len();
        // Each with whether it was told, because comparing long pointers takes long.
        let mut names: HashMap<String, bool> = HashMap::new();
        while let Some(name) = map.next_key::<String>()? {
            push_key(&mut self.pointer, &name);
            match names.entry(name) {
                Entry::Vacant(first) => {
                    first.insert(false);
                }
                Entry::Occupied(mut again) => {
                    if !again.insert(true) {
                        self.repeated();
                    }
                }
            }
            map.next_value_seed(&mut *self)?;
            self.pointer.truncate(here);
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<(), S::Error> {
        let here = self.pointer.len();
        for index in 0_usize.. {
            push_key(&mut self.pointer, &index.to_string());
            if items.next_element_seed(&mut *self)?.is_none() {
                break;
            }
            self.pointer.truncate(here);
        }
        self.pointer.truncate(here);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
