//! The property that each key of an object means.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// A key without what tells spellings apart: `max_results`, `max-results`, `max results`,
/// `maxResults` and `MAX_RESULTS` are one.
pub(super) fn fold(key: &str) -> String {
    let told = key.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    told.flat_map(char::to_lowercase).collect()
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

    /// Returns what each key means. `may_mean` says whether an unknown key may be a property at all, and
    /// `is_open_to` whether a property may have been meant by an unknown key.
    pub(super) fn meanings(
        &self,
        keys: &[String],
        may_mean: impl Fn(&str) -> bool,
        is_open_to: impl Fn(&str) -> bool,
    ) -> Vec<Meaning<'s>> {
        let mut given: HashMap<&str, usize> = HashMap::new();
        let named: Vec<Option<&'s str>> = keys.iter().map(|key| self.named(key)).collect();
        for name in named.iter().flatten() {
            *given.entry(name).or_default() += 1;
        }
        let is_unknown = |key: &str, named: Option<&str>| named.is_none() && may_mean(key);
        let unknown: Vec<bool> = keys
            .iter()
            .zip(&named)
            .map(|(k, n)| is_unknown(k, *n))
            .collect();
        let folded = if unknown.contains(&true) {
            self.folded()
        } else {
            HashMap::new()
        };
        let meant = keys.iter().zip(&unknown).map(|(key, unknown)| {
            let name = unknown.then(|| folded.get(&fold(key)).copied());
            name.flatten().flatten()
        });
        let meant: Vec<Option<&'s str>> = meant.collect();
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        for name in meant.iter().flatten() {
            *wanted.entry(name).or_default() += 1;
        }
        let count = |of: &HashMap<&str, usize>, name| of.get(name).copied().unwrap_or(0);
        let meaning = |named: Option<&'s str>, meant: Option<&'s str>| match (named, meant) {
            (Some(name), _) => match (count(&given, name), count(&wanted, name)) {
                (1, 0) => Meaning::Property(name),
                (1, _) => Meaning::Rivalled(name),
                _ => Meaning::Contested,
            },
            (None, Some(name)) => {
                let alone = count(&given, name) == 0 && count(&wanted, name) == 1;
                if alone && is_open_to(name) {
                    Meaning::Misspelt(name)
                } else {
                    Meaning::Other
                }
            }
            (None, None) => Meaning::Other,
        };
        let both = named.iter().zip(&meant);
        both.map(|(named, meant)| meaning(*named, *meant)).collect()
    }

    /// The property of each folded name; `None` where it could be two.
    fn folded(&self) -> HashMap<String, Option<&'s str>> {
        let mut folded: HashMap<String, Option<&'s str>> = HashMap::new();
        let own = self
            .properties
            .into_iter()
            .flatten()
            .map(|(name, _)| (&name[..], &name[..]));
        let aliases = self.aliases.iter();
        let aliases = aliases.filter_map(|(alias, name)| Some((*alias, self.property(name)?)));
        for (written, name) in own.chain(aliases) {
            let key = fold(written);
            if key.is_empty() {
                continue;
            }
            let known = folded.entry(key).or_insert(Some(name));
            if *known != Some(name) {
                *known = None;
            }
        }
        folded
    }
}
