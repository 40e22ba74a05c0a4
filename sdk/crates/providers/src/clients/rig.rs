//! Tools of the crate `rig`, and tools of ours of them.
//!
//! ```
//! use std::sync::Arc;
//! use rig_core::tool::DynamicTool;
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_providers::{Api, ToolList, clients};
//!
//! /// Count the words of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.split_whitespace().count()
//! }
//!
//! let session = Executor::new(ToolRegistry::new().with(Count))?.session("s-1");
//! let list = ToolList::new(Api::OpenAiResponses, &session.tools());
//! let tools: Vec<DynamicTool> = clients::rig::tools(&list, Arc::new(session));
//! assert_eq!(tools[0].name(), "count");
//! // model.agent().dynamic_tools(tools)
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rig_core::message::{
    DocumentSourceKind, Image as RigImage, ImageMediaType, MimeType, ToolName as RigName,
    ToolResultContent,
};
use rig_core::tool::{
    DynamicTool, IntoToolOutput, Tool, ToolContext, ToolErrorKind, ToolExecutionError,
    ToolOutput as RigOutput,
};
use serde_json::Value;
use toolwright::content::{Content, ErrorKind};
use toolwright::executor::ToolCaller;
use toolwright::id::InvalidToolName;
use toolwright::tools::ToolFn;
use toolwright::{ToolError, ToolName, ToolOutcome, ToolOutput, ToolSpec, tool_fn};

use crate::ToolList;
use crate::wire::text_of;

/// Returns a tool of `rig` for each tool of a list, in its order, whose calls the caller runs: a session, or whatever else
/// runs calls, in an [`Arc`].
///
/// Make the list for the API that `rig`'s model talks to. `rig` decides about the strict mode for all tools of a model; the
/// schemas of a list for `OpenAI` fit both ways, and a call is read back into the tool's own form.
///
/// The model reads the text of each result, be it an error, a denial or the note that the call waits for somebody. An
/// error has a [`ToolExecutionError`] for `rig`'s hooks, whose source is our [`ToolError`]. A call that waits is a success
/// for `rig`; the executor's [tickets](toolwright::Executor::tickets) have it.
///
/// `rig` runs the calls of a message one after another, or several at once by its `tool_concurrency`; either way it does not
/// know which of ours may run side by side, as [`Turn::call_all`](toolwright::Turn::call_all) does.
pub fn tools(list: &ToolList, caller: Arc<dyn ToolCaller>) -> Vec<DynamicTool> {
    let shared = Arc::new((list.clone(), caller));
    let tools = list.definitions().filter_map(|definition| {
        // Fails for an empty name, which no tool has.
        let name = RigName::new(definition.name).ok()?;
        let description = definition.description.unwrap_or_default();
        let (shared, shown) = (Arc::clone(&shared), Arc::<str>::from(definition.name));
        let run = move |arguments: Value| {
            let (shared, shown) = (Arc::clone(&shared), Arc::clone(&shown));
            Box::pin(async move {
                let (list, caller) = &*shared;
                let arguments = arguments.to_string();
                let call = list.tool_call(&shown, &arguments);
                result(&caller.call(call).await)
            }) as _
        };
        Some(DynamicTool::new(name, description, definition.schema, run))
    });
    tools.collect()
}

fn result(outcome: &ToolOutcome) -> Result<RigOutput, ToolExecutionError> {
    let result = outcome.result();
    let content = result.content().iter().map(shown);
    // A result without parts is an empty text.
    let content = RigOutput::content(content.collect()).unwrap_or_else(|_| RigOutput::text(""));
    let Some(error) = result.error() else {
        return Ok(content);
    };
    let message = error.message();
    let failed = match error.kind() {
        ErrorKind::Denied | ErrorKind::CapabilityDenied => ToolExecutionError::refused(message),
        ErrorKind::InvalidArguments => ToolExecutionError::invalid_args(message),
        ErrorKind::NotFound => ToolExecutionError::not_found(message),
        ErrorKind::TimedOut => ToolExecutionError::timeout(message),
        ErrorKind::Cancelled | ErrorKind::Blocked => ToolExecutionError::cancelled(message),
        _ => ToolExecutionError::other(message),
    };
    Err(failed
        .with_model_output(content)
        .with_code(error.code())
        .with_retryable(error.is_retryable())
        .with_source(error.clone()))
}

fn shown(part: &Content) -> ToolResultContent {
    match part {
        Content::Image(image) => {
            let media_type = ImageMediaType::from_mime_type(&image.media_type);
            ToolResultContent::image_base64(image.data.clone(), media_type, None)
        }
        // Data that `rig` cannot hold, such as a number beyond its range, stays text.
        Content::Json { json, .. } => match json.to_value() {
            Ok(value) => ToolResultContent::json(value),
            Err(_) => ToolResultContent::text(json.as_str()),
        },
        part => ToolResultContent::text(text_of(part)),
    }
}

/// Makes a tool of ours of a tool of `rig`: with its name, its description and its schema, whose calls must satisfy the
/// schema and be read into its arguments before anybody is asked.
///
/// A tool of `rig` promises nothing about its effect, so that without a policy somebody is asked about each call;
/// `refine` changes the spec, for instance [its effect](ToolSpec::with_effect). It runs with an empty
/// [`ToolContext`] of `rig`. A failure keeps `rig`'s [`ToolExecutionError`] as its source, and the model reads the text that
/// `rig` has for it.
///
/// ```
/// use rig_core::tool::{Tool, ToolContext};
/// use toolwright::spec::Effect;
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright_providers::clients;
///
/// struct Upper;
///
/// #[derive(serde::Deserialize)]
/// struct Arguments {
///     text: String,
/// }
///
/// impl Tool for Upper {
///     const NAME: &'static str = "upper";
///     type Args = Arguments;
///     type Output = String;
///     type Error = std::convert::Infallible;
///
///     fn description(&self) -> String {
///         "Turn a text into capital letters.".to_owned()
///     }
///
///     fn parameters(&self) -> serde_json::Value {
///         serde_json::json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
///     }
///
///     async fn call(&self, _: &mut ToolContext, arguments: Arguments) -> Result<String, Self::Error> {
///         Ok(arguments.text.to_uppercase())
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let upper = clients::rig::from_tool(Upper, |spec| spec.with_effect(Effect::Pure))?;
/// let executor = Executor::new(ToolRegistry::new().with(upper))?;
/// assert_eq!(executor.call("upper", r#"{"text": "quiet"}"#).await.text(), "QUIET");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the name cannot be a tool's name.
pub fn from_tool<T: Tool + 'static>(
    tool: T,
    refine: impl FnOnce(ToolSpec) -> ToolSpec,
) -> Result<ToolFn<T::Args>, InvalidToolName> {
    let spec = ToolSpec::new(ToolName::new(T::NAME)?, tool.description());
    let spec = refine(spec.with_input_schema(tool.parameters()));
    let tool = Arc::new(tool);
    Ok(tool_fn(spec, move |arguments: T::Args, _| {
        let tool = Arc::clone(&tool);
        async move { run(&*tool, arguments).await }
    }))
}

async fn run<T: Tool>(tool: &T, arguments: T::Args) -> Result<ToolOutput, ToolError> {
    let output = match tool.call(&mut ToolContext::new(), arguments).await {
        Ok(output) => output.into_tool_output(),
        Err(error) => Err(tool.map_error(error)),
    };
    output.map(read).map_err(failure)
}

fn read(output: RigOutput) -> ToolOutput {
    let parts = output.into_content().into_iter();
    parts.fold(ToolOutput::empty(), |output, part| {
        output.with(content(part))
    })
}

fn content(part: ToolResultContent) -> Content {
    match part {
        ToolResultContent::Text(text) => Content::text(text.text),
        ToolResultContent::Json { value } => match Content::json(&value) {
            Ok(content) => content,
            Err(_) => Content::text(value.to_string()),
        },
        ToolResultContent::Image(image) => read_image(image),
    }
}

fn failure(error: ToolExecutionError) -> ToolError {
    let kind = match error.kind() {
        ToolErrorKind::InvalidArgs => ErrorKind::InvalidArguments,
        ToolErrorKind::Timeout => ErrorKind::TimedOut,
        ToolErrorKind::Cancelled => ErrorKind::Cancelled,
        ToolErrorKind::NotFound => ErrorKind::NotFound,
        ToolErrorKind::PermissionDenied => ErrorKind::Denied,
        ToolErrorKind::RateLimited | ToolErrorKind::Network => ErrorKind::Unavailable,
        ToolErrorKind::Provider | ToolErrorKind::Other => ErrorKind::Failed,
    };
    let mut failed = ToolError::new(kind, error.model_output().render());
    if let Some(code) = error.code() {
        failed = failed.with_code(code.to_owned());
    }
    if let Some(retryable) = error.retryable() {
        failed = failed.with_retryable(retryable);
    }
    failed.with_source(error)
}

fn read_image(image: RigImage) -> Content {
    let media_type = image.media_type.as_ref().map(MimeType::to_mime_type);
    let media_type = media_type.unwrap_or("application/octet-stream");
    let bytes = match image.data {
        DocumentSourceKind::Raw(bytes) => Some(bytes),
        DocumentSourceKind::Base64(data) => BASE64.decode(data).ok(),
        DocumentSourceKind::Url(url) => return Content::resource_link(url, "image"),
        _ => None,
    };
    bytes.map_or_else(
        || Content::text("[An image that cannot be shown here.]"),
        |bytes| Content::image(bytes, media_type),
    )
}
