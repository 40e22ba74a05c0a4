//! The values of a file, and the mistakes in them.

use std::time::Duration;

use toml::de::{DeTable, DeValue};
use toolwright::registry::Selector;
pub(crate) use toolwright_policy::toml_reader::Value;
use toolwright_policy::toml_reader::{MAX_SIZE, TomlReader};

use crate::error::Mistake;

/// Reads values and notes mistakes, each with the whole key of its value as the place.
pub(crate) type Reader = TomlReader<String>;

/// The members of a table, each with its name and its whole key.
pub(crate) type Members<'v, 't> = Vec<(&'v str, String, &'v Value<'t>)>;

/// Reads a text with its mistakes, or says that it is too long.
pub(crate) fn checked<T>(
    text: &str,
    read: impl FnOnce(&mut Reader) -> T,
) -> Result<T, Vec<Mistake>> {
    let mut reader = Reader::new(text, String::new());
    if text.len() > MAX_SIZE {
        let message = "the file has more than 1 MiB, which no configuration takes that people read";
        return Err(vec![Mistake::of_file(message)]);
    }
    let value = read(&mut reader);
    if reader.mistakes.is_empty() {
        return Ok(value);
    }
    let mistakes = reader.mistakes.into_iter();
    let mistake = |(key, line, message)| Mistake { line, key, message };
    Err(mistakes.map(mistake).collect())
}

/// Returns the members of a table; a key that is not known is a mistake, and of some it is told where they belong.
pub(crate) fn members<'v, 't>(
    reader: &mut Reader,
    path: &str,
    table: &'v DeTable<'t>,
    known: &[&str],
    elsewhere: &[(&[&str], &str)],
) -> Members<'v, 't> {
    let mut members = Vec::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        let place = joined(path, name);
        if known.contains(&name) {
            members.push((name, place, value));
        } else {
            reader.at(place).misplaced_key(key, known, elsewhere);
        }
    }
    members
}

/// Returns the tables of a list, each with its place, such as `hooks.before[1]`.
pub(crate) fn tables<'v, 't>(
    reader: &mut Reader,
    key: &str,
    path: &str,
    value: &'v Value<'t>,
) -> Vec<(String, &'v Value<'t>, &'v DeTable<'t>)> {
    let right = format!("a list of tables; write `[[{path}]]` above each");
    let Some(items) = value.get_ref().as_array() else {
        reader.at(path.to_owned()).wrong_type(key, value, &right);
        return Vec::new();
    };
    let mut tables = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.get_ref() {
            DeValue::Table(table) => tables.push((format!("{path}[{}]", index + 1), item, table)),
            _ => reader.at(path.to_owned()).wrong_type(key, item, &right),
        }
    }
    tables
}

/// Returns the texts of a list, which may be empty, and so may each of them. `None` if one is no text.
pub(crate) fn strings(reader: &mut Reader, key: &str, value: &Value<'_>) -> Option<Vec<String>> {
    let texts = reader.texts(key, value)?;
    let each = texts.iter().filter_map(|text| text.get_ref().as_str());
    let strings: Vec<String> = each.map(str::to_owned).collect();
    let items = value.get_ref().as_array()?;
    (strings.len() == items.len()).then_some(strings)
}

/// Returns a selector of tools; each text that is no pattern is told with its own line.
pub(crate) fn selector(reader: &mut Reader, key: &str, value: &Value<'_>) -> Option<Selector> {
    let patterns = strings(reader, key, value)?;
    if let Ok(selector) = Selector::new(&patterns) {
        return Some(selector);
    }
    let items = value.get_ref().as_array()?;
    for (item, pattern) in items.iter().zip(patterns) {
        if let Err(invalid) = Selector::new([pattern]) {
            reader.mistake(&item.span(), invalid.to_string());
        }
    }
    None
}

/// Returns a time such as `5s` or `1m 30s`.
pub(crate) fn duration(reader: &mut Reader, key: &str, value: &Value<'_>) -> Option<Duration> {
    let text = reader.text(key, value)?;
    let wrong = match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => "the time is zero; write a longer one".to_owned(),
        Ok(duration) => return Some(duration),
        Err(error) => format!("{text:?} is no time such as \"5s\" or \"1m 30s\": {error}"),
    };
    reader.mistake(&value.span(), wrong);
    None
}

/// The most characters of a name that are shown.
const SHOWN: usize = 60;

/// Returns a key behind those of the tables that it stands in, on one line.
pub(crate) fn joined(path: &str, key: &str) -> String {
    let key = toolwright::text::one_line(key, SHOWN);
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}
