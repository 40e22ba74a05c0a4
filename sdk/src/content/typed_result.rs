//! Results read into Rust types.

use serde::de::{DeserializeOwned, DeserializeSeed as _};
use serde_json::Value;

use super::block::Content;
use super::error::ToolError;
use super::result::{ToolResult, Truncation};
use crate::arguments::strict::{Flags, OneOf, Strict, Trace, Tree};
use crate::arguments::{ReadPlace, TypeRefusal, found};
use crate::util::pointer::below;

/// The reason why a result was not read into a Rust type: see [`ToolResult::json`].
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadResultError {
    /// The call ended in an error, such as a denial.
    #[error("the call ended in an error: {0}")]
    Failed(#[source] ToolError),
    /// The call waits for somebody, and its result comes later.
    #[error(
        "the call waits for an answer, and has no result yet: go on with it by `Session::resume`"
    )]
    Pending,
    /// The result was cut for the model: see
    /// [`Limits::max_output_bytes`](crate::executor::Limits::max_output_bytes).
    #[error(
        "the result was cut to {} of {} bytes: `Limits::max_output_bytes` sets how much a result may have",
        .0.shown,
        .0.total
    )]
    Truncated(Truncation),
    /// The result has several parts of data, and any of them could be meant.
    #[error(
        "the result has {parts} parts of data: read the one that is meant from `ToolResult::content`"
    )]
    #[non_exhaustive]
    SeveralParts {
        /// The number of parts.
        parts: usize,
    },
    /// The data is not of the type.
    #[error(
        "the result{}: expected {expected}, found {found}",
        if pointer.is_empty() { String::new() } else { format!(", at `{pointer}`") }
    )]
    #[non_exhaustive]
    Mismatch {
        /// The place, as a JSON pointer (RFC 6901); empty for the data as a whole.
        pointer: String,
        /// The value that the type expects there.
        expected: String,
        /// A short description of what is there.
        found: String,
    },
}

crate::util::error_text::debug_as_text!(ReadResultError);

impl ToolResult {
    /// Reads the data of the result into a Rust type: that of its one JSON part, or else of its one text
    /// part. A text is text, for a `String` or an enum, or holds JSON. A result without data is `null`,
    /// which `()` and `Option` take.
    ///
    /// Names that the type does not know are passed over, unless the type refuses them.
    ///
    /// ```
    /// use toolwright::{Executor, tool, tool_type, ToolRegistry};
    /// use toolwright::content::ReadResultError;
    ///
    /// #[tool_type]
    /// #[derive(Debug, PartialEq)]
    /// struct Weather {
    ///     /// In degrees Celsius.
    ///     celsius: i32,
    /// }
    ///
    /// /// Tell the weather of a place.
    /// #[tool(pure)]
    /// fn forecast(place: String) -> Weather {
    ///     Weather { celsius: place.len() as i32 }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Forecast))?;
    /// let outcome = executor.call("forecast", r#"{"place": "Bonn"}"#).await;
    /// assert_eq!(outcome.json::<Weather>()?, Weather { celsius: 4 });
    ///
    /// let error = executor.call("forecast", "{}").await.json::<Weather>().unwrap_err();
    /// assert!(matches!(error, ReadResultError::Failed(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the call has not succeeded, if its result was cut or has several parts of data, and if the data is not
    /// of the type: the error names the place, the expected type and the found value.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ReadResultError> {
        if let Some(error) = self.error() {
            return Err(ReadResultError::Failed(error.clone()));
        }
        if self.is_pending() {
            return Err(ReadResultError::Pending);
        }
        if let Some(truncation) = self.truncated() {
            return Err(ReadResultError::Truncated(*truncation));
        }
        let is_json = |part: &&Content| matches!(part, Content::Json { .. });
        let is_text = |part: &&Content| matches!(part, Content::Text { .. });
        let parts = self.content().iter();
        let json: Vec<&Content> = parts.clone().filter(is_json).collect();
        let parts = if json.is_empty() {
            parts.filter(is_text).collect()
        } else {
            json
        };
        match parts[..] {
            [] => of_json("null"),
            [Content::Text { text }] => of_text(text),
            [part] => of_json(part.as_text().unwrap_or_default()),
            _ => Err(ReadResultError::SeveralParts { parts: parts.len() }),
        }
    }
}

/// A text is taken as such by what takes text, whatever is in it.
fn of_text<T: DeserializeOwned>(text: &str) -> Result<T, ReadResultError> {
    let tree = Value::String(text.to_owned());
    if let Ok(value) = T::deserialize(&tree) {
        return Ok(value);
    }
    // A text that is no JSON is reported as the text that it is.
    match serde_json::from_str::<Value>(text) {
        Ok(_) => of_json(text),
        Err(_) => Err(mismatch::<T>(&tree)),
    }
}

fn of_json<T: DeserializeOwned>(json: &str) -> Result<T, ReadResultError> {
    serde_json::from_str(json).map_err(|error| match serde_json::from_str(json) {
        Ok(tree) => mismatch::<T>(&tree),
        // It nests deeper than a reader of JSON goes, or is no JSON.
        Err(_) => other("data that can be read", error.to_string()),
    })
}

fn other(expected: impl Into<String>, found: impl Into<String>) -> ReadResultError {
    ReadResultError::Mismatch {
        pointer: String::new(),
        expected: expected.into(),
        found: found.into(),
    }
}

/// Returns the error that says what the type expects and what the tree has instead.
#[cold]
fn mismatch<T: DeserializeOwned>(tree: &Value) -> ReadResultError {
    let (trace, flags) = (Trace::default(), Flags::open());
    match Strict::<T>::new(&flags).deserialize(Tree::<TypeRefusal>::traced(tree, &trace)) {
        Err(refusal) => at(tree, &trace.place(), refusal),
        // The first reader refused what this one takes, such as a number that no tree can hold.
        Ok(_) => other("a value of the type", found(tree)),
    }
}

fn at(tree: &Value, pointer: &str, refusal: TypeRefusal) -> ReadResultError {
    let place = ReadPlace::of(tree, pointer);
    let here = found(place.value);
    let (pointer, expected, found) = match refusal {
        TypeRefusal::Missing(name) => (
            below(&place.pointer, name),
            "a value".to_owned(),
            "nothing".to_owned(),
        ),
        TypeRefusal::Expected(what) => (place.pointer, what, here),
        TypeRefusal::Length => (place.pointer, "a list of another length".to_owned(), here),
        TypeRefusal::Unknown(name, names) => {
            let is_here = name == place.name;
            let pointer = if is_here {
                place.pointer
            } else {
                below(&place.pointer, &name)
            };
            (
                pointer,
                format!("no other names than {}", OneOf(names)),
                here,
            )
        }
        TypeRefusal::NoVariant(name, names) => (
            place.of_variant(&name),
            OneOf(names).to_string(),
            found(&Value::String(name)),
        ),
        TypeRefusal::Repeated(name) => (
            below(&place.pointer, name),
            "one value".to_owned(),
            "two".to_owned(),
        ),
        TypeRefusal::Says(words) => (place.pointer, format!("something else ({words})"), here),
        TypeRefusal::NotAllowed | TypeRefusal::TooMuch | TypeRefusal::Key(_) => (
            place.pointer,
            "a value that is allowed there".to_owned(),
            here,
        ),
    };
    ReadResultError::Mismatch {
        pointer,
        expected,
        found,
    }
}
