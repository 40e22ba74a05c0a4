//! A tool from a description and a closure.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{ClosureKind, ToolFn, object};
use crate::content::ToolOutput;
use crate::context::ToolContext;
use crate::generated::boxed_error;
use crate::spec::ToolSpec;

/// Makes a tool of a description and a closure, for tools that are known only at run time, such as
/// those of a configuration or of another process. Where the arguments are a type that is known at compile time,
/// [`tool_fn_typed`](crate::tools::tool_fn_typed) takes the schema from it.
///
/// ```
/// use serde_json::{Map, Value, json};
/// use toolwright::{Executor, tool_fn, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec};
/// use toolwright::spec::Effect;
///
/// let spec = ToolSpec::new(ToolName::new("greet")?, "Greet somebody.")
///     .with_input_schema_text(r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#)?
///     .with_effect(Effect::Pure);
/// let greet = tool_fn(spec, |arguments: Map<String, Value>, ctx: ToolContext| async move {
///     match arguments.get("name").and_then(Value::as_str) {
///         Some(name) => Ok(format!("Hello {name}, this is {}", ctx.session_id())),
///         None => Err(ToolError::not_found("nobody is here")),
///     }
/// });
///
/// # if !cfg!(feature = "json-schema") { return Ok(()); }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with(greet))?;
/// let result = executor.call("greet", json!({"name": "Ada"})).await;
/// assert!(result.text().starts_with("Hello Ada"));
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Arguments.** What is no object is refused, and so is a name that an object has twice, at any
/// depth; nothing at all means `{}`. What does not satisfy the schema of the spec is refused, with
/// all that is wrong; a value that equals the default which the schema declares for it is always
/// right. The schema is of JSON Schema 2020-12 or of the draft that its `$schema` names, formats
/// are enforced, and references to other documents are never followed: a schema that has one, or
/// is none, cannot be registered. All this takes the feature `json-schema`; without it a tool whose
/// schema demands anything beyond "an object" keeps an executor from being built.
///
/// `A` is what they are then read into, before anybody is asked for permission: an object as
/// [`Map`](serde_json::Map) or [`Value`](serde_json::Value), or a type of your own.
/// [`ToolFn::with_validate`] has the last word.
///
/// **The body.** It is called when the call begins to run, with the arguments and a context of its
/// own, so that its future borrows nothing. It gives whatever turns into a [`ToolOutput`]: text,
/// `()`, JSON, or an output of several parts ([`ToolOutput::json`] makes one of whatever implements
/// `Serialize`). It fails with whatever `?` turns into a boxed error: text, an error type or
/// [`ToolError`](crate::ToolError), which keeps its kind; `Box<dyn Error + Send + Sync>` where there
/// are several. The model reads the top message, the log has the whole chain.
///
/// Permission requests and needs are added by [`ToolFn::with_permission`] and
/// [`ToolFn::with_needs`], all else by the spec.
#[allow(private_bounds, reason = "implemented for every such closure")]
pub fn tool_fn<A, F, Fut, R, E>(spec: ToolSpec, function: F) -> ToolFn<A>
where
    A: DeserializeOwned + Send + 'static,
    F: Fn(A, ToolContext) -> Fut + SharedClosure,
    Fut: Future<Output = Result<R, E>> + Send + 'static,
    R: Into<ToolOutput>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let function = Arc::new(function);
    let run = move |arguments, ctx| {
        let function = Arc::clone(&function);
        // The closure may do more than make a future, so it is called in the body's first poll: a
        // call that was cancelled before does nothing.
        let body = async move {
            match function(arguments, ctx).await {
                Ok(output) => Ok(output.into()),
                Err(error) => Err(boxed_error(error)),
            }
        };
        Box::pin(body) as _
    };
    ToolFn::new(spec, object::parse, ClosureKind::Later(Arc::new(run)))
}

/// A closure that calls which run at once can share: `Send + Sync + 'static`.
#[diagnostic::on_unimplemented(
    message = "calls that run at once cannot share this closure",
    label = "this must be `Send + Sync + 'static`, and so must what it captures",
    note = "`Arc` in place of `Rc`, and a `Mutex` or an atomic in place of a `Cell` or `RefCell`, make it so"
)]
pub(crate) trait SharedClosure: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<F: Send + Sync + 'static> SharedClosure for F {}
