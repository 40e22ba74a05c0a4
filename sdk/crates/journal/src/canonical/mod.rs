//! JSON in the one form that equal data shares: RFC 8785.

use std::error::Error;
use std::fmt::{self, Write};

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use toolwright::content::ContentHash;

mod decimal;
#[cfg(test)]
mod tests;

use decimal::Decimal;

/// The most levels of objects and lists that are followed, as a reader of JSON text does.
const DEPTH: usize = 127;

/// JSON text in the canonical form of RFC 8785 (JCS): equal data has equal text, and so an equal
/// [hash](Self::hash), on every run and machine. No white space, members sorted by their names as
/// UTF-16, texts and numbers as ECMAScript writes them.
///
/// RFC 8785 takes all numbers for floats of 64 bits, and would give 9007199254740992 and
/// 9007199254740993 one text. Here a whole number that this would change keeps all its digits, however
/// large it is, so that two whole numbers never share a text and none is rounded. A fraction is the
/// float that is nearest to it.
///
/// ```
/// use toolwright_journal::CanonicalJson;
///
/// let one = CanonicalJson::from_text(r#"{"b": 10e-1, "a": "\u20ac", "id": 9007199254740993}"#)?;
/// let other = CanonicalJson::from_text(r#"{"id":9007199254740993,"a":"€","b":1}"#)?;
/// assert_eq!(one.as_str(), r#"{"a":"€","b":1,"id":9007199254740993}"#);
/// assert_eq!(one.hash(), other.hash());
/// # Ok::<(), toolwright_journal::NotCanonical>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalJson(String);

impl CanonicalJson {
    /// The canonical form of what a value is written as.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written as JSON, or for a reason of [`from_text`](Self::from_text).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, NotCanonical> {
        let text = serde_json::to_string(value).map_err(NotCanonical::new)?;
        Self::from_text(&text)
    }

    /// The canonical form of JSON text.
    ///
    /// # Errors
    ///
    /// Fails if it is no JSON, if an object has a name twice, if a text has half of a surrogate pair, or if it nests
    /// deeper than 127 levels.
    pub fn from_text(text: &str) -> Result<Self, NotCanonical> {
        let mut out = String::with_capacity(text.len());
        push_canonical(text, &mut out)?;
        Ok(Self(out))
    }

    /// Takes text that is known to be canonical.
    pub(crate) fn written(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash of the text's bytes.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.0.as_bytes())
    }
}

impl fmt::Display for CanonicalJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As the data, not as a text that holds it.
impl Serialize for CanonicalJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(&self.0)
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

/// Takes the text as it stands: what else was written is not the data that is meant, and has another
/// hash.
impl<'de> Deserialize<'de> for CanonicalJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(Box::<str>::from(raw).into()))
    }
}

/// The reason why data has no canonical form.
#[derive(thiserror::Error)]
#[error("the data has no canonical form: {0}")]
pub struct NotCanonical(#[source] Box<dyn Error + Send + Sync>);

toolwright::text::debug_as_text!(NotCanonical);

impl NotCanonical {
    pub(super) fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

/// Writes the canonical form of JSON text. After an error, a part of it may be written.
pub(super) fn push_canonical(text: &str, out: &mut String) -> Result<(), NotCanonical> {
    if is_short_whole(text) {
        out.push_str(text);
        return Ok(());
    }
    let raw: &RawValue = serde_json::from_str(text).map_err(NotCanonical::new)?;
    write_value(raw.get(), out, DEPTH)
}

fn write_value(text: &str, out: &mut String, depth: usize) -> Result<(), NotCanonical> {
    let inside = || {
        let too_deep = || NotCanonical::new(format!("it nests deeper than {DEPTH} levels"));
        depth.checked_sub(1).ok_or_else(too_deep)
    };
    match text.as_bytes().first() {
        Some(b'{') => {
            let depth = inside()?;
            let Members(mut members) = serde_json::from_str(text).map_err(NotCanonical::new)?;
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            if let Some([(name, _), ..]) = members.windows(2).find(|two| two[0].0 == two[1].0) {
                return Err(NotCanonical::new(format!("`{name}` is there twice")));
            }
            out.push('{');
            for (number, (name, value)) in members.into_iter().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                push_text(&name, out);
                out.push(':');
                write_value(value.get(), out, depth)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            let depth = inside()?;
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(NotCanonical::new)?;
            out.push('[');
            for (number, item) in items.into_iter().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                write_value(item.get(), out, depth)?;
            }
            out.push(']');
        }
        Some(b'"') => {
            let plain: String = serde_json::from_str(text).map_err(NotCanonical::new)?;
            push_text(&plain, out);
        }
        Some(b't' | b'f' | b'n') => out.push_str(text),
        _ => write_number(text, out)?,
    }
    Ok(())
}

/// Writes a text as RFC 8785 §3.2.2.2 asks for, which is as `serde_json` writes it.
pub(super) fn push_text(text: &str, out: &mut String) {
    let is_escaped = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
    out.push('"');
    let mut rest = text;
    // Most texts have nothing to escape. Seen as a whole, many bytes are looked at together.
    let has_escapes = text.bytes().fold(false, |has, byte| has | is_escaped(byte));
    while has_escapes && let Some(at) = rest.bytes().position(is_escaped) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut after = after.chars();
        match after.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(other) => {
                // A `String` takes all that is written to it.
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            None => {}
        }
        rest = after.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns true if a text is a whole number as JSON and ECMAScript write it, of so few digits that a float has it.
fn is_short_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    text == "0" || (text.len() <= 15 && !digits.is_empty() && is_whole)
}

/// A number as RFC 8785 §3.2.2.3 writes it, but a whole one that this would round with all its digits.
fn write_number(text: &str, out: &mut String) -> Result<(), NotCanonical> {
    if is_short_whole(text) {
        out.push_str(text);
        return Ok(());
    }
    let no_number = || NotCanonical::new("a number has too large an exponent");
    let exact = Decimal::parse(text).ok_or_else(no_number)?;
    let mut buffer = ryu_js::Buffer::new();
    let float = text.parse::<f64>().ok().filter(|float| float.is_finite());
    let short = float.map(|float| buffer.format_finite(float));
    let is_kept =
        |short: &&str| !exact.is_whole() || Decimal::parse(short).as_ref() == Some(&exact);
    match short.filter(is_kept) {
        Some(short) => out.push_str(short),
        None => out.push_str(&exact.to_text()),
    }
    Ok(())
}

/// The members of an object, each as it was written.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
