//! A tool that says its name, description and schema as text, and gives text.

use std::error::Error;
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{ToolFn, tool_fn};
use crate::arguments::InvalidArguments;
use crate::context::ToolContext;
use crate::id::{InvalidToolName, SessionId, ToolName};
use crate::spec::{InvalidSchema, ToolSpec, schema_of_text};

/// A tool in plain terms: name, description and input schema as text, and a body from a JSON
/// object to text or the text of an error. [`from_executable`] makes a [`Tool`](crate::Tool) of it.
///
/// An `Arc<dyn TextTool>` is one too.
pub trait TextTool: Send + Sync + 'static {
    /// The tool's name; a [`ToolName`] is made of it.
    fn name(&self) -> &str;

    /// The text by which the model decides to call the tool.
    fn description(&self) -> &str;

    /// The JSON Schema of the arguments, as JSON text.
    fn input_schema(&self) -> &str;

    /// Says more of the tool than the three texts, such as its effect or timeout. Default: nothing
    /// more, and so a tool that promises nothing about its effect.
    fn refine(&self, spec: ToolSpec) -> ToolSpec {
        spec
    }

    /// Judges arguments that satisfy the schema, before anybody is asked. Default: all are taken.
    ///
    /// # Errors
    ///
    /// Fails if they are refused: the model reads the error.
    fn validate(&self, input: &Map<String, Value>) -> Result<(), InvalidArguments> {
        let _ = input;
        Ok(())
    }

    /// Does it. Both texts are for the model to read.
    ///
    /// # Errors
    ///
    /// Fails if the tool fails: kind [`Failed`](crate::content::ErrorKind::Failed).
    fn execute(
        &self,
        context: ToolContext,
        input: Map<String, Value>,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>>;

    /// Lets go of what the tool holds for a session that has ended. Default: nothing.
    ///
    /// # Errors
    ///
    /// Fails if something could not be released: the text is for the host.
    fn cleanup_session<'a>(
        &'a self,
        session: &'a SessionId,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        let _ = session;
        Box::pin(ready(Ok(())))
    }
}

impl<T: TextTool + ?Sized> TextTool for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn description(&self) -> &str {
        (**self).description()
    }

    fn input_schema(&self) -> &str {
        (**self).input_schema()
    }

    fn refine(&self, spec: ToolSpec) -> ToolSpec {
        (**self).refine(spec)
    }

    fn validate(&self, input: &Map<String, Value>) -> Result<(), InvalidArguments> {
        (**self).validate(input)
    }

    fn execute(
        &self,
        context: ToolContext,
        input: Map<String, Value>,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
        (**self).execute(context, input)
    }

    fn cleanup_session<'a>(
        &'a self,
        session: &'a SessionId,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        (**self).cleanup_session(session)
    }
}

/// Makes a tool of a [`TextTool`]. The three texts are read here, once.
///
/// The arguments of a call must satisfy the schema, as with [`tool_fn`].
///
/// ```
/// use std::pin::Pin;
///
/// use serde_json::{Map, Value};
/// use toolwright::{Executor, ToolContext, ToolRegistry, ToolSpec};
/// use toolwright::spec::Effect;
/// use toolwright::tools::{from_executable, TextTool};
///
/// struct Reverse;
///
/// impl TextTool for Reverse {
///     fn name(&self) -> &str {
///         "reverse"
///     }
///
///     fn description(&self) -> &str {
///         "Turn a text around."
///     }
///
///     fn input_schema(&self) -> &str {
///         r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#
///     }
///
///     fn refine(&self, spec: ToolSpec) -> ToolSpec {
///         spec.with_effect(Effect::Pure)
///     }
///
///     fn execute(
///         &self,
///         _context: ToolContext,
///         input: Map<String, Value>,
///     ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
///         Box::pin(async move {
///             let text = input.get("text").and_then(Value::as_str).ok_or("there is no text")?;
///             Ok(text.chars().rev().collect())
///         })
///     }
/// }
///
/// # if !cfg!(feature = "json-schema") { return Ok(()); }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with(from_executable(Reverse)?))?;
/// assert_eq!(executor.call("reverse", r#"{"text": "stressed"}"#).await.text(), "desserts");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the name cannot be a tool's name, or if the schema is not the text of a JSON object. The error describes
/// both.
pub fn from_executable<T: TextTool>(executable: T) -> Result<ToolFn, InvalidExecutable> {
    let name = ToolName::new(executable.name().to_owned());
    let schema = schema_of_text(executable.name(), executable.input_schema());
    let (name, schema) = match (name, schema) {
        (Ok(name), Ok(schema)) => (name, schema),
        (name, schema) => {
            return Err(InvalidExecutable {
                name: name.err(),
                schema: schema.err(),
            });
        }
    };
    let spec = ToolSpec::new(name, executable.description().to_owned());
    let spec = spec.with_ordered_schema(schema);
    let spec = executable.refine(spec);
    let executable = Arc::new(executable);
    let (judge, cleaner) = (Arc::clone(&executable), Arc::clone(&executable));
    let tool = tool_fn(spec, move |input, context| {
        let executable = Arc::clone(&executable);
        async move { executable.execute(context, input).await }
    });
    let tool = tool.on_session_end(move |session| {
        let executable = Arc::clone(&cleaner);
        async move { executable.cleanup_session(&session).await }
    });
    Ok(tool.with_validate(move |input| judge.validate(input)))
}

/// A [`TextTool`] that cannot be a tool: everything that is wrong with what it says of itself.
#[derive(Clone)]
pub struct InvalidExecutable {
    name: Option<InvalidToolName>,
    schema: Option<InvalidSchema>,
}

crate::util::error_text::debug_as_text!(InvalidExecutable);

impl InvalidExecutable {
    /// The mistake in the name, if there is one.
    pub fn name(&self) -> Option<&InvalidToolName> {
        self.name.as_ref()
    }

    /// The mistake in the input schema, if there is one.
    pub fn schema(&self) -> Option<&InvalidSchema> {
        self.schema.as_ref()
    }
}

impl fmt::Display for InvalidExecutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.iter().map(InvalidToolName::to_string);
        let schema = self.schema.iter().map(InvalidSchema::to_string);
        f.write_str(&name.chain(schema).collect::<Vec<_>>().join("\n"))
    }
}

impl Error for InvalidExecutable {}
