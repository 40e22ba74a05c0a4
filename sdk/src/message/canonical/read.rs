//! Names that stand twice in one object of a text.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::message::push_key;

/// The JSON pointer of the first name that an object has twice; none where the text is no JSON.
pub(super) fn given_twice(text: &str) -> Option<String> {
    let mut names = Names::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match names.deserialize(&mut deserializer) {
        Ok(()) => None,
        Err(_) => names.twice,
    }
}

#[derive(Default)]
struct Names {
    /// Where it is.
    pointer: String,
    twice: Option<String>,
}

impl<'de> DeserializeSeed<'de> for &mut Names {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Names {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let here = self.pointer.len();
        let mut names: HashSet<String> = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            push_key(&mut self.pointer, &name);
            if !names.insert(name) {
                self.twice = Some(std::mem::take(&mut self.pointer));
                return Err(M::Error::custom("a name is given twice"));
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
