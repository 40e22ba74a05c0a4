//! The property that each key of an object means.

use serde_json::{Map, Value};

use crate::util::lookup::MemberLookup;

/// Writes a key without what tells spellings apart: `max_results`, `max-results`, `max results`,
/// `maxResults` and `MAX_RESULTS` are one.
pub(super) fn fold<'f>(key: &str, folded: &'f mut String) -> &'f str {
    folded.clear();
    folded.reserve(key.len());
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
struct Spelling<'s> {
    folded: String,
    /// The number of keys that are spelt so.
    keys: usize,
    /// The property that is spelt so.
    property: Option<Named<'s>>,
    /// True if several properties are.
    is_open: bool,
}

impl<'s> Spelling<'s> {
    fn of(key: &str) -> Self {
        let mut folded = String::new();
        fold(key, &mut folded);
        Self {
            folded,
            keys: 1,
            property: None,
            is_open: false,
        }
    }

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
        let mut unknown = Vec::new();
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
                    unknown.push((index, &**key));
                }
                Meaning::Other
            }
        };
        let mut meanings: Vec<Meaning<'s>> = members.keys().enumerate().map(meaning).collect();
        if unknown.is_empty() {
            return meanings;
        }
        let spellings = self.spellings(&unknown);
        let wanted = wanted(&spellings);
        if wanted.is_empty() {
            return meanings;
        }
        let keys_for = |name: &str| {
            let found = wanted.binary_search_by_key(&name, |(name, _)| name);
            found.map_or(0, |found| wanted[found].1)
        };
        for meaning in &mut meanings {
            if let Meaning::Property(property) = *meaning
                && keys_for(property.0) > 0
            {
                *meaning = Meaning::Rivalled(property);
            }
        }
        let mut folded = String::new();
        for (index, key) in unknown {
            let spelling = find(&spellings, fold(key, &mut folded));
            let spelling = spelling.and_then(|found| spellings.get(found));
            if let Some((name, schema)) = spelling.and_then(Spelling::meant)
                && keys_for(name) == 1
                && self.given(name, members) == 0
                && is_open_to(name)
            {
                meanings[index] = Meaning::Misspelt((name, schema));
            }
        }
        meanings
    }

    /// Returns the spellings of unknown keys, sorted, with their properties.
    fn spellings(&self, unknown: &[(usize, &str)]) -> Vec<Spelling<'s>> {
        let spellings = unknown.iter().map(|(_, key)| Spelling::of(key));
        let mut spellings: Vec<Spelling<'s>> = spellings.collect();
        spellings.sort_unstable_by(|a, b| a.folded.cmp(&b.folded));
        spellings.dedup_by(|next, first| {
            let is_same = next.folded == first.folded;
            first.keys += usize::from(is_same);
            is_same
        });
        // Few properties are as long as an unknown key, and only those need to be folded and looked up.
        let bit = |length: usize| 1_u64 << length.min(63);
        let lengths = spellings.iter().map(|spelling| bit(spelling.folded.len()));
        let lengths = lengths.fold(0, |all, length| all | length);
        let may_be_one = |written| {
            folded_length(written).is_none_or(|length| length > 0 && lengths & bit(length) != 0)
        };
        let own = self.properties.into_iter().flatten();
        let own = own.map(|(name, schema)| (&name[..], (&name[..], schema)));
        let aliases = self.aliases.iter();
        let aliases = aliases.filter_map(|(alias, name)| Some((*alias, self.property(name)?)));
        let mut folded = String::new();
        for (written, property) in own.chain(aliases) {
            if !may_be_one(written) {
                continue;
            }
            let folded = fold(written, &mut folded);
            if !folded.is_empty()
                && let Some(spelling) = find(&spellings, folded)
                && let Some(spelling) = spellings.get_mut(spelling)
            {
                spelling.is_open |= spelling.property.is_some_and(|known| known.0 != property.0);
                spelling.property = Some(property);
            }
        }
        spellings
    }
}

/// Returns the place of a spelling.
fn find(spellings: &[Spelling<'_>], folded: &str) -> Option<usize> {
    let found = spellings.binary_search_by(|spelling| spelling.folded.as_str().cmp(folded));
    found.ok()
}

/// Returns the names of the properties that are meant by unknown keys, sorted, each with the number of these.
fn wanted<'s>(spellings: &[Spelling<'s>]) -> Vec<(&'s str, usize)> {
    let meant = spellings.iter().filter_map(|spelling| {
        let (name, _) = spelling.meant()?;
        Some((name, spelling.keys))
    });
    let mut wanted: Vec<(&str, usize)> = meant.collect();
    wanted.sort_unstable();
    wanted.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        first.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    wanted
}
