//! The property that each key of an object means.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Writes a key without what tells spellings apart: `max_results`, `max-results`, `max results`,
/// `maxResults` and `MAX_RESULTS` are one.
pub(super) fn fold<'f>(key: &str, folded: &'f mut String) -> &'f str {
    folded.clear();
    let told = key.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    if key.is_ascii() {
        folded.extend(told.map(|c| c.to_ascii_lowercase()));
    } else {
        folded.extend(told.flat_map(char::to_lowercase));
    }
    folded
}

/// The meaning of a key of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning<'s> {
    /// The property of this name, or an alias of it.
    Property(&'s str),
    /// Likewise, while another key may be a misspelt name of it.
    Rivalled(&'s str),
    /// A misspelt name of this property.
    Misspelt(&'s str),
    /// The property has another name in the object too; both stay as they are.
    Contested,
    /// No property.
    Other,
}

/// The properties of an object, and how they are found.
pub(super) struct PropertyNames<'s> {
    pub(super) properties: Option<&'s Map<String, Value>>,
    /// Other names of properties, each with the property's own.
    pub(super) aliases: &'s [(&'s str, &'s str)],
}

/// A spelling of names that are unknown.
#[derive(Default)]
struct Spelling<'s> {
    /// The number of keys that are spelt so.
    keys: usize,
    /// The property that is spelt so.
    name: Option<&'s str>,
    /// True if several properties are.
    is_open: bool,
}

impl<'s> Spelling<'s> {
    /// The one property that is spelt so.
    fn meant(&self) -> Option<&'s str> {
        self.name.filter(|_| !self.is_open)
    }
}

impl<'s> PropertyNames<'s> {
    fn property(&self, name: &str) -> Option<&'s str> {
        let (name, _) = self.properties?.get_key_value(name)?;
        Some(name)
    }

    /// The property of exactly this name or alias.
    fn named(&self, key: &str) -> Option<&'s str> {
        self.property(key).or_else(|| {
            let mut aliases = self.aliases.iter();
            let (_, name) = aliases.find(|(alias, _)| *alias == key)?;
            self.property(name)
        })
    }

    /// Returns under how many names an object has a property.
    fn given(&self, property: &str, members: &Map<String, Value>) -> usize {
        let is_given = |alias: &str| self.property(alias).is_none() && members.contains_key(alias);
        let aliases = self.aliases.iter().filter(|(_, name)| *name == property);
        let aliases = aliases.filter(|(alias, _)| is_given(alias)).count();
        usize::from(members.contains_key(property)) + aliases
    }

    /// Returns what each key of an object means. `may_mean` says whether an unknown key may be a property at all, and
    /// `is_open_to` whether a property may have been meant by an unknown key.
    pub(super) fn meanings<'m>(
        &self,
        members: &'m Map<String, Value>,
        may_mean: impl Fn(&str) -> bool,
        is_open_to: impl Fn(&str) -> bool,
    ) -> Vec<Meaning<'s>> {
        let mut spellings: HashMap<String, Spelling<'s>> = HashMap::new();
        let (mut unknown, mut folded) = (Vec::new(), String::new());
        let meaning = |(index, key): (usize, &'m String)| match self.named(key) {
            Some(name) if self.aliases.is_empty() || self.given(name, members) == 1 => {
                Meaning::Property(name)
            }
            Some(_) => Meaning::Contested,
            None => {
                if may_mean(key) {
                    unknown.push((index, key));
                    let spelling = spellings.entry(fold(key, &mut folded).to_owned());
                    spelling.or_default().keys += 1;
                }
                Meaning::Other
            }
        };
        let mut meanings: Vec<Meaning<'s>> = members.keys().enumerate().map(meaning).collect();
        if unknown.is_empty() {
            return meanings;
        }
        self.spelt(&mut spellings, &mut folded);
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        for spelling in spellings.values() {
            if let Some(name) = spelling.meant() {
                *wanted.entry(name).or_default() += spelling.keys;
            }
        }
        for meaning in &mut meanings {
            if let Meaning::Property(name) = *meaning
                && wanted.contains_key(name)
            {
                *meaning = Meaning::Rivalled(name);
            }
        }
        for (index, key) in unknown {
            let spelling = spellings.get(fold(key, &mut folded));
            if let Some(name) = spelling.and_then(Spelling::meant)
                && wanted.get(name) == Some(&1)
                && self.given(name, members) == 0
                && is_open_to(name)
            {
                meanings[index] = Meaning::Misspelt(name);
            }
        }
        meanings
    }

    /// Finds the properties of spellings.
    fn spelt(&self, spellings: &mut HashMap<String, Spelling<'s>>, folded: &mut String) {
        let own = self.properties.into_iter().flatten();
        let own = own.map(|(name, _)| (&name[..], &name[..]));
        let aliases = self.aliases.iter();
        let aliases = aliases.filter_map(|(alias, name)| Some((*alias, self.property(name)?)));
        for (written, name) in own.chain(aliases) {
            let folded = fold(written, folded);
            if !folded.is_empty()
                && let Some(spelling) = spellings.get_mut(folded)
            {
                spelling.is_open |= spelling.name.is_some_and(|known| known != name);
                spelling.name = Some(name);
            }
        }
    }
}
