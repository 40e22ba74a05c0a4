//! The reader of settings in TOML: values, and the mistakes found so far.

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use toolwright::text::{nearest, one_line};

/// The most bytes of a file. One that people read is a hundredth of this.
pub const MAX_SIZE: usize = 1024 * 1024;

/// The most characters that are shown of a text that somebody wrote.
const SHOWN: usize = 60;

/// A value, and where it stands.
pub type Value<'t> = Spanned<DeValue<'t>>;

/// Reads values, notes mistakes, and goes on.
#[derive(Debug)]
pub struct TomlReader<P> {
    /// The positions at which the lines after the first begin.
    breaks: Vec<usize>,
    /// The place of the mistakes to come.
    pub place: P,
    /// The mistakes, each with its place, its line if it is in one, and a clause that says what is wrong.
    pub mistakes: Vec<(P, Option<usize>, String)>,
}

impl<P: Clone> TomlReader<P> {
    /// A reader of a text.
    pub fn new(text: &str, place: P) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            breaks: breaks.map(|(at, _)| at + 1).collect(),
            place,
            mistakes: Vec::new(),
        }
    }

    /// Sets the place of the mistakes to come.
    pub fn at(&mut self, place: P) -> &mut Self {
        self.place = place;
        self
    }

    /// Returns the line in which something begins, counted from 1.
    pub fn line(&self, span: &Range<usize>) -> usize {
        self.breaks.partition_point(|at| *at <= span.start) + 1
    }

    /// Notes a mistake.
    pub fn mistake(&mut self, at: &Range<usize>, message: impl Into<String>) {
        let line = Some(self.line(at));
        let mistake = (self.place.clone(), line, message.into());
        self.mistakes.push(mistake);
    }

    /// Notes a key that there is not, or not here: where else some keys belong is told.
    pub fn misplaced_key(
        &mut self,
        key: &Spanned<impl AsRef<str>>,
        known: &[&str],
        elsewhere: &[(&[&str], &str)],
    ) {
        let wrong = key.get_ref().as_ref();
        if let Some((_, place)) = elsewhere.iter().find(|(keys, _)| keys.contains(&wrong)) {
            self.mistake(&key.span(), format!("`{wrong}` belongs {place}"));
            return;
        }
        let hint = match nearest(wrong, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", listed(known, '`')),
        };
        let wrong = shown(wrong);
        self.mistake(&key.span(), format!("there is no key `{wrong}`; {hint}"));
    }

    /// Notes a value of another type than that of its key.
    pub fn wrong_type(&mut self, key: &str, value: &Value<'_>, right: &str) {
        let key = shown(key);
        let found = found(value.get_ref());
        self.mistake(
            &value.span(),
            format!("`{key}` is {right}, and this is {found}"),
        );
    }

    /// Returns a table; `path` is its key behind those of the tables that it stands in.
    pub fn table<'v, 't>(
        &mut self,
        path: &str,
        key: &str,
        value: &'v Value<'t>,
    ) -> Option<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let right = format!("a table; write `[{path}]` above its keys");
            self.wrong_type(key, value, &right);
        }
        table
    }

    /// Returns a boolean.
    pub fn flag(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag
    }

    /// Returns a text that says something.
    pub fn text<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<&'v str> {
        match value.get_ref().as_str() {
            None => self.wrong_type(key, value, "a text in quotes"),
            Some(text) if text.trim().is_empty() => {
                let message = format!("`{key}` is empty; write something, or leave the key out");
                self.mistake(&value.span(), message);
            }
            text => return text,
        }
        None
    }

    /// Returns the texts of a list, those of its items that are texts. `None` if it is no list.
    pub fn texts<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<Vec<&'v Value<'v>>> {
        let Some(items) = value.get_ref().as_array() else {
            match value.get_ref().as_str() {
                Some(text) => {
                    let text = shown(text);
                    let message =
                        format!("`{key}` is a list of texts; write `{key} = [\"{text}\"]`");
                    self.mistake(&value.span(), message);
                }
                None => self.wrong_type(key, value, "a list of texts"),
            }
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            if item.get_ref().is_str() {
                texts.push(item);
            } else {
                let found = found(item.get_ref());
                let message = format!("`{key}` is a list of texts, and {found} is in it");
                self.mistake(&item.span(), message);
            }
        }
        Some(texts)
    }
}

/// Returns the text of a file, at most a little more than [`MAX_SIZE`]: a pipe may never end.
///
/// # Errors
///
/// Fails if the file cannot be read, or is not UTF-8.
pub fn text_of(path: &Path) -> io::Result<String> {
    let most = u64::try_from(MAX_SIZE).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SIZE {
        // It may have been cut within a character, and is too long whatever it says: that is told.
        bytes.fill(b' ');
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// Returns a text in a message: one line, and not long.
pub(crate) fn shown(text: &str) -> String {
    one_line(text, SHOWN)
}

/// Returns what a value is, with its article.
pub(crate) fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Writes words in quotes of a kind, as a list.
pub(crate) fn listed(words: &[&str], quote: char) -> String {
    let quoted = words.iter().map(|word| format!("{quote}{word}{quote}"));
    let quoted: Vec<String> = quoted.collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
