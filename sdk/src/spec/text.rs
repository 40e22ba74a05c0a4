//! A schema that comes as text.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::ToolSpec;
use crate::schema::Ordered;
use crate::util::character::character_of;

impl ToolSpec {
    /// Sets the JSON Schema of the arguments from its text. Like one that is set with
    /// [`ToolSpec::with_input_schema`] it is kept as it is, its order too.
    ///
    /// ```
    /// use toolwright::{ToolName, ToolSpec};
    ///
    /// let spec = ToolSpec::new(ToolName::new("clock.now")?, "Tell the time in a time zone.");
    /// let broken = spec.clone().with_input_schema_text(r#"{"type": object}"#).unwrap_err();
    /// assert_eq!(broken.position(), Some(10));
    ///
    /// let spec = spec.with_input_schema_text(r#"{"type": "object"}"#)?;
    /// assert_eq!(spec.input_schema()["type"], "object");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON, or is JSON and no object. The error names the tool and the place.
    pub fn with_input_schema_text(self, text: &str) -> Result<Self, InvalidSchema> {
        let schema = schema_of_text(self.name.as_str(), text)?;
        Ok(self.with_ordered_schema(schema))
    }
}

/// The schema that a text is, for the tool of that name.
pub(crate) fn schema_of_text(tool: &str, text: &str) -> Result<Ordered, InvalidSchema> {
    let fault = match serde_json::from_str::<Ordered>(text) {
        Ok(schema) => match schema.value {
            Value::Object(_) => return Ok(schema),
            Value::Null => SchemaTextFault::NoObject("`null`"),
            Value::Bool(_) => SchemaTextFault::NoObject("a boolean"),
            Value::Number(_) => SchemaTextFault::NoObject("a number"),
            Value::String(_) => SchemaTextFault::NoObject("a text"),
            Value::Array(_) => SchemaTextFault::NoObject("a list"),
        },
        Err(error) => SchemaTextFault::NoJson {
            position: if error.is_eof() {
                text.chars().count() + 1
            } else {
                character_of(text, &error)
            },
            length: text.chars().count(),
            error: Arc::new(error),
        },
    };
    Err(InvalidSchema {
        tool: tool.to_owned(),
        fault,
    })
}

/// A text that cannot be the schema of a tool's arguments.
///
/// Its [source](Error::source) is the JSON reader's own error, where the text is not JSON.
#[derive(Clone)]
pub struct InvalidSchema {
    tool: String,
    fault: SchemaTextFault,
}

crate::util::error_text::debug_as_text!(InvalidSchema);

#[derive(Debug, Clone, thiserror::Error)]
enum SchemaTextFault {
    #[error("is not JSON: {}", if position > length {
        format!("the text ends too early, after {length} characters")
    } else {
        format!("there is an error at character {position} of {length}")
    })]
    NoJson {
        position: usize,
        length: usize,
        #[source]
        error: Arc<serde_json::Error>,
    },
    /// The JSON is no object, but this.
    #[error("is {0} where a JSON object must stand, such as `{{\"type\": \"object\"}}`")]
    NoObject(&'static str),
}

impl InvalidSchema {
    /// The name of the tool, as it was given.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The character at which the text stops being JSON, counted from 1; where it ends too early,
    /// the one after its last. Nothing where it is JSON and no object.
    pub fn position(&self) -> Option<usize> {
        match &self.fault {
            SchemaTextFault::NoJson { position, .. } => Some(*position),
            SchemaTextFault::NoObject(_) => None,
        }
    }
}

impl fmt::Display for InvalidSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tool, fault) = (&self.tool, &self.fault);
        write!(f, "the input schema of `{tool}` {fault}")
    }
}

impl Error for InvalidSchema {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.fault {
            SchemaTextFault::NoJson { error, .. } => Some(&**error),
            SchemaTextFault::NoObject(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, Option<usize>) {
        let error = schema_of_text("clock", text).unwrap_err();
        assert_eq!(error.tool(), "clock");
        assert_eq!(error.source().is_some(), error.position().is_some());
        (error.to_string(), error.position())
    }

    #[test]
    fn s1_16_a_text_that_is_not_json_says_where() {
        for (text, position, end) in [
            ("", 1, "ends too early, after 0 characters"),
            ("{", 2, "ends too early, after 1 characters"),
            ("{\"größe\": ]", 11, "an error at character 11 of 11"),
            (
                "{\n\t\"type\": object\n}",
                12,
                "an error at character 12 of 19",
            ),
            ("{} {}", 4, "an error at character 4 of 5"),
            ("schema", 1, "an error at character 1 of 6"),
        ] {
            let (shown, at) = fault(text);
            assert!(shown.starts_with("the input schema of `clock` is not JSON: "));
            assert!(shown.ends_with(end), "{text:?}: {shown}");
            assert_eq!(at, Some(position), "{text:?}");
        }
    }

    #[test]
    fn s1_16_a_text_that_is_no_object_says_what_it_is() {
        for (text, found) in [
            ("null", "`null`"),
            ("true", "a boolean"),
            ("1", "a number"),
            ("\"{}\"", "a text"),
            ("[{}]", "a list"),
        ] {
            let (shown, at) = fault(text);
            assert!(
                shown.contains(&format!(" is {found} where a JSON object")),
                "{shown}"
            );
            assert_eq!(at, None);
        }
    }

    #[test]
    fn s1_16_nesting_beyond_the_limit_is_an_error_and_no_overflow() {
        let deep = "{\"a\":".repeat(100_000);
        assert!(fault(&deep).1.is_some());
    }
}
