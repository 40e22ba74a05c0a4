//! The values of a file, and the mistakes in them.

use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toolwright::registry::Selector;
use toolwright::text::nearest;

use crate::error::Mistake;

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

/// Reads values, notes mistakes, and goes on.
pub(crate) struct Reader {
    /// The positions at which the lines after the first begin.
    breaks: Vec<usize>,
    pub(crate) mistakes: Vec<Mistake>,
}

impl Reader {
    pub(crate) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            breaks: breaks.map(|(at, _)| at + 1).collect(),
            mistakes: Vec::new(),
        }
    }

    pub(crate) fn line(&self, span: &Range<usize>) -> usize {
        self.breaks.partition_point(|at| *at <= span.start) + 1
    }

    pub(crate) fn mistake(&mut self, at: &Range<usize>, key: &str, message: impl Into<String>) {
        self.mistakes.push(Mistake {
            line: Some(self.line(at)),
            key: key.to_owned(),
            message: message.into(),
        });
    }

    /// Returns the members of a table, each with its key behind those before it; a key that is not known is a mistake.
    pub(crate) fn members<'v, 't>(
        &mut self,
        path: &str,
        table: &'v DeTable<'t>,
        known: &[&str],
    ) -> Vec<(&'v str, String, &'v Value<'t>)> {
        self.members_or(path, table, known, &[])
    }

    /// The same; of some keys that are not known it is told where they belong.
    pub(crate) fn members_or<'v, 't>(
        &mut self,
        path: &str,
        table: &'v DeTable<'t>,
        known: &[&str],
        elsewhere: &[(&[&str], &str)],
    ) -> Vec<(&'v str, String, &'v Value<'t>)> {
        let mut members = Vec::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            let place = joined(path, name);
            if known.contains(&name) {
                members.push((name, place, value));
            } else {
                let belongs = elsewhere.iter().find(|(keys, _)| keys.contains(&name));
                let hint = match (belongs, nearest(name, known.iter().copied())) {
                    (Some((_, place)), _) => format!("it belongs {place}"),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => format!("the keys here are {}", listed(known)),
                };
                self.mistake(&key.span(), &place, format!("there is no such key; {hint}"));
            }
        }
        members
    }

    pub(crate) fn wrong_type(&mut self, key: &str, value: &Value<'_>, right: &str) {
        let found = found(value.get_ref());
        self.mistake(
            &value.span(),
            key,
            format!("this is {right}, and {found} is written"),
        );
    }

    pub(crate) fn table<'v, 't>(
        &mut self,
        key: &str,
        value: &'v Value<'t>,
    ) -> Option<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(
                key,
                value,
                &format!("a table; write `[{key}]` above its keys"),
            );
        }
        table
    }

    /// Returns the tables of a list, each with its place, such as `hooks.before[1]`.
    pub(crate) fn tables<'v, 't>(
        &mut self,
        key: &str,
        value: &'v Value<'t>,
    ) -> Vec<(String, &'v Value<'t>, &'v DeTable<'t>)> {
        let right = format!("a list of tables; write `[[{key}]]` above each");
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(key, value, &right);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.get_ref() {
                DeValue::Table(table) => {
                    tables.push((format!("{key}[{}]", index + 1), item, table));
                }
                _ => self.wrong_type(key, item, &right),
            }
        }
        tables
    }

    pub(crate) fn flag(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "`true` or `false`");
        }
        flag
    }

    /// Returns a text that says something.
    pub(crate) fn text(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        match value.get_ref().as_str() {
            None => self.wrong_type(key, value, "a text in quotes"),
            Some(text) if text.trim().is_empty() => {
                self.mistake(
                    &value.span(),
                    key,
                    "the text is empty; write one, or leave the key out",
                );
            }
            Some(text) => return Some(text.to_owned()),
        }
        None
    }

    /// Returns the texts of a list, which may be empty, and so may each of them.
    pub(crate) fn texts(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "a list of texts, such as `[\"one\", \"two\"]`");
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item.get_ref().as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => self.wrong_type(key, item, "a list of texts"),
            }
        }
        (texts.len() == items.len()).then_some(texts)
    }

    /// Returns a selector of tools; each text that is no pattern is told with its own line.
    pub(crate) fn selector(&mut self, key: &str, value: &Value<'_>) -> Option<Selector> {
        let patterns = self.texts(key, value)?;
        if let Ok(selector) = Selector::new(&patterns) {
            return Some(selector);
        }
        for item in value.get_ref().as_array().into_iter().flatten() {
            let pattern = item.get_ref().as_str();
            if let Some(Err(invalid)) = pattern.map(|pattern| Selector::new([pattern])) {
                self.mistake(&item.span(), key, invalid.to_string());
            }
        }
        None
    }

    /// Returns a time such as `5s` or `1m 30s`.
    pub(crate) fn duration(&mut self, key: &str, value: &Value<'_>) -> Option<Duration> {
        let text = self.text(key, value)?;
        match humantime::parse_duration(&text) {
            Ok(Duration::ZERO) => {
                self.mistake(&value.span(), key, "the time is zero; write a longer one");
                None
            }
            Ok(duration) => Some(duration),
            Err(error) => {
                let message = format!("{text:?} is no time such as \"5s\" or \"1m 30s\": {error}");
                self.mistake(&value.span(), key, message);
                None
            }
        }
    }
}

/// The most characters of a name that are shown.
const SHOWN: usize = 60;

/// Returns a key behind those of the tables that it stands in, on one line.
pub(crate) fn joined(path: &str, key: &str) -> String {
    let mut left = key.chars();
    let shown = left.by_ref().take(SHOWN).flat_map(char::escape_debug);
    let mut key: String = shown.collect();
    if left.next().is_some() {
        key.push('…');
    }
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}

pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
