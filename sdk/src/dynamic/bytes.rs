//! A tool from bytes to bytes.

use std::error::Error;
use std::sync::Arc;

use serde_json::Value;

use super::{ClosureKind, ToolFn};
use crate::arguments::{Arguments, InvalidArguments, View, by_schema};
use crate::content::{Content, JsonText, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::generated::boxed_error;
use crate::spec::ToolSpec;

/// Makes a tool of a description and a closure from bytes to bytes, which runs where it is called
/// and never waits.
///
/// ```
/// use toolwright::{Executor, ToolError, ToolName, ToolRegistry, ToolSpec};
/// use toolwright::spec::Effect;
/// use toolwright::tools::from_bytes;
///
/// let spec = ToolSpec::new(ToolName::new("echo")?, "Give the arguments back.")
///     .with_effect(Effect::Pure);
/// let echo = from_bytes(spec, |input, _ctx| Ok::<_, ToolError>(input.to_vec()));
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with(echo))?;
/// assert_eq!(executor.call("echo", r#"{"a":  1.50}"#).await.text(), r#"{"a":  1.50}"#);
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Bytes in** are the JSON text that the model sent, byte for byte; `{}` where it sent nothing;
/// and the tree as compact JSON where the arguments came as a tree. They are always one JSON
/// object in which no object has a name twice: what is not is refused before anybody is asked for
/// permission. So is what does not satisfy the schema of the spec; see [`tool_fn`](crate::tool_fn()).
///
/// **Bytes out** that are a JSON object or array become structured data, other UTF-8 becomes text,
/// none become an empty output; either text is kept byte for byte. What is not UTF-8 no model can
/// read: the call then ends with an error of kind [`Failed`](crate::content::ErrorKind::Failed) and code
/// `output_not_text`, although the body ran. A tool that has an image to show is made with
/// [`tool_fn`](crate::tool_fn()).
///
/// An error is taken as by [`tool_fn`](crate::tool_fn()). As with every body that never waits, no
/// timeout and no cancellation stops it once it runs, so one that may take long looks at
/// [`ToolContext::is_cancelled`] now and then.
pub fn from_bytes<F, E>(spec: ToolSpec, function: F) -> ToolFn<Vec<u8>>
where
    F: Fn(&[u8], &ToolContext) -> Result<Vec<u8>, E> + Send + Sync + 'static,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let run = move |input: Vec<u8>, ctx: &ToolContext| match function(&input, ctx) {
        Ok(bytes) => output(bytes),
        Err(error) => Err(boxed_error(error)),
    };
    ToolFn::new(spec, input, ClosureKind::Now(Arc::new(run)))
}

/// The arguments as JSON text.
fn input(arguments: &Arguments<'_>, spec: &ToolSpec) -> Result<Vec<u8>, InvalidArguments> {
    arguments.check_form(spec)?;
    if !spec.promise().is_kept() {
        by_schema(&*arguments.to_value()?, spec)?;
    }
    Ok(match arguments.view() {
        View::Empty => b"{}".to_vec(),
        View::Text(text) => text.as_bytes().to_vec(),
        View::Tree(tree) => tree.to_string().into_bytes(),
    })
}

fn output(bytes: Vec<u8>) -> Result<ToolOutput, ToolError> {
    let length = bytes.len();
    let text = String::from_utf8(bytes).map_err(|error| {
        let error = error.utf8_error();
        let good = error.valid_up_to();
        ToolError::failed(format!(
            "the tool ran, and its output is not text: of {length} bytes, only the first {good} are UTF-8"
        ))
        .with_code("output_not_text")
        .with_source(error)
    })?;
    if text.is_empty() {
        return Ok(ToolOutput::empty());
    }
    // Text that a reader of JSON refuses, by its depth for instance, stays text.
    let structured = text.trim_ascii_start().starts_with(['{', '['])
        && serde_json::from_str::<Value>(&text).is_ok();
    Ok(if structured {
        ToolOutput::from(Content::Json {
            json: JsonText::written(text),
        })
    } else {
        ToolOutput::text(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s1_14_bytes_out_are_data_text_or_an_error() {
        for data in ["{}", " [1,\n 2]\n", r#"{"b": 1.50, "a": 1, "a": 2}"#] {
            let out = output(data.as_bytes().to_vec()).unwrap();
            let [Content::Json { json }] = out.content() else {
                panic!("{data} is data");
            };
            assert_eq!(json.as_str(), data);
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for text in [
            "5", "null", "\"a\"", " ", "{", "[1] [2]", "é", "[1e999]", &deep,
        ] {
            let out = output(text.as_bytes().to_vec()).unwrap();
            assert_eq!(out, ToolOutput::text(text));
        }
        assert_eq!(output(Vec::new()).unwrap(), ToolOutput::empty());
        let error = output(vec![b'o', b'k', 0xff, 0]).unwrap_err();
        assert_eq!(error.code(), "output_not_text");
        assert!(
            error
                .message()
                .ends_with("of 4 bytes, only the first 2 are UTF-8")
        );
    }
}
