//! The property that each key of an object means.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::util::lookup::MemberLookup;

/// Writes a key without what tells spellings apart: `max_results`, `max-results`, `max results`,
/// `maxResults` and `MAX_RESULTS` are one.
pub(super) fn fold<'f>(key: &str, folded: &'f mut String) -> &'f str {
    folded.clear();
    if key.is_ascii() {
        let told = key.bytes().filter(|byte| !is_left_out(*byte));
        told.for_each(|byte| folded.push(byte.to_ascii_lowercase().into()));
    } else {
        let told = key.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        folded.extend(told.flat_map(char::to_lowercase));
    }
    folded
}

fn is_left_out(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b' ')
}

/// Returns the length of a key that is folded, as far as it is known without that: letters that are not ASCII may become
/// longer or shorter.
fn folded_length(key: &str) -> Option<usize> {
    let told = || key.bytes().filter(|byte| !is_left_out(*byte)).count();
    key.is_ascii().then(told)
}

/// The name of a property, and its schema.
pub(super) type Named<'s> = (&'s str, &'s Value);

/// The meaning of a key of an object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning<'s> {
    /// The property of this name, or an alias of it.
    Property(Named<'s>),
    /// Likewise, while another key may be a misspelt name of it.
    Rivalled(Named<'s>),
    /// A misspelt name of this property.
    Misspelt(Named<'s>),
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
    property: Option<Named<'s>>,
    /// True if several properties are.
    is_open: bool,
}

impl<'s> Spelling<'s> {
    /// The one property that is spelt so.
    fn meant(&self) -> Option<Named<'s>> {
        self.property.filter(|_| !self.is_open)
    }
}

impl<'s> PropertyNames<'s> {
    fn property(&self, name: &str) -> Option<Named<'s>> {
        let (name, schema) = self.properties?.get_key_value(name)?;
        Some((name, schema))
    }

    /// The property of exactly this alias.
    fn aliased(&self, key: &str) -> Option<Named<'s>> {
        let mut aliases = self.aliases.iter();
        let (_, name) = aliases.find(|(alias, _)| *alias == key)?;
        self.property(name)
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
        let mut own = self.properties.map(MemberLookup::of);
        let mut named = |key| {
            let property = own.as_mut().and_then(|own| own.get(key));
            property.or_else(|| self.aliased(key))
        };
        let meaning = |(index, key): (usize, &'m String)| match named(key) {
            Some(property) if self.aliases.is_empty() || self.given(property.0, members) == 1 => {
                Meaning::Property(property)
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
        // Its names are those of the schema, so that a hash will do which somebody who sends names could guess.
        let mut wanted: hashbrown::HashMap<&str, usize> = hashbrown::HashMap::new();
        for spelling in spellings.values() {
            if let Some((name, _)) = spelling.meant() {
                *wanted.entry(name).or_default() += spelling.keys;
            }
        }
        for meaning in &mut meanings {
            if let Meaning::Property(property) = *meaning
                && wanted.contains_key(property.0)
            {
                *meaning = Meaning::Rivalled(property);
            }
        }
        for (index, key) in unknown {
            let spelling = spellings.get(fold(key, &mut folded));
            if let Some((name, schema)) = spelling.and_then(Spelling::meant)
                && wanted.get(name) == Some(&1)
                && self.given(name, members) == 0
                && is_open_to(name)
            {
                meanings[index] = Meaning::Misspelt((name, schema));
            }
        }
        meanings
    }

    /// Finds the properties of spellings.
    fn spelt(&self, spellings: &mut HashMap<String, Spelling<'s>>, folded: &mut String) {
        // Few properties are as long as an unknown key, and only those need to be folded and looked up.
        let bit = |length: usize| 1_u64 << length.min(63);
        let lengths = spellings.keys().fold(0, |all, key| all | bit(key.len()));
        let may_be_one = |written| {
            folded_length(written).is_none_or(|length| length > 0 && lengths & bit(length) != 0)
        };
        let own = self.properties.into_iter().flatten();
        let own = own.map(|(name, schema)| (&name[..], (&name[..], schema)));
        let aliases = self.aliases.iter();
        let aliases = aliases.filter_map(|(alias, name)| Some((*alias, self.property(name)?)));
        for (written, property) in own.chain(aliases) {
            if !may_be_one(written) {
                continue;
            }
            let folded = fold(written, folded);
            if !folded.is_empty()
                && let Some(spelling) = spellings.get_mut(folded)
            {
                spelling.is_open |= spelling.property.is_some_and(|known| known.0 != property.0);
                spelling.property = Some(property);
            }
        }
    }
}
