//! A tool from a closure whose arguments and result are types with schemas.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use self::forms::{Later, LaterInContext, Now, NowInContext};
use super::function::SharedClosure;
use super::{ClosureKind, Output, ToolFn};
use crate::arguments::{Argument, Arguments, InvalidArguments};
use crate::content::{Content, ToolError, ToolOutput};
use crate::context::{BodyContext, ToolContext};
use crate::generated::{BodyResult, Definition, Receiver, ToolReturn, flat, values};
use crate::schema::SchemaFn;
use crate::spec::ToolSpec;

/// Makes a tool of a description and a closure, with the schemas of the closure's types.
///
/// ```
/// use toolwright::{Executor, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool_type};
/// use toolwright::spec::Effect;
/// use toolwright::tools::tool_fn_typed;
///
/// #[tool_type(argument)]
/// struct Greet {
///     /// The person to greet.
///     #[arg(length = 1..)]
///     name: String,
/// }
///
/// let hello = String::from("Hello"); // what a function could not capture
/// let spec = ToolSpec::new(ToolName::new("greet")?, "Greet somebody.").with_effect(Effect::Pure);
/// let greet = tool_fn_typed(spec, move |args: Greet| Ok(format!("{hello} {}", args.name)));
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with(greet))?;
/// assert_eq!(executor.call("greet", r#"{"name": "Ada"}"#).await.text(), "Hello Ada");
/// let refused = executor.call("greet", r#"{"nam": ""}"#).await;
/// assert!(refused.text().contains("`/nam`: there is no such argument; did you mean `name`?"));
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Arguments.** `A` is the object of arguments: a struct with `#[tool_type]`, or any type that is `Deserialize` and
/// `JsonSchema` and reads objects. It is read, checked, repaired and reported as the arguments of a `#[tool]` function
/// are. Its schema takes the place of an input schema of the spec; examples of the spec stay, and
/// [`ToolSpec::with_secret`] says which arguments are shown to nobody.
/// [`ToolFn::with_validate`] has the last word.
///
/// **The body.** The closure takes the arguments and, where it wants one, a context; the types of both are written out.
/// It may be async, with a context of its own, or sync, with a borrowed one:
///
/// | | without a context | with a context |
/// |---|---|---|
/// | sync | `\|args: Greet\| Ok(..)` | `\|args: Greet, ctx: &ToolContext\| Ok(..)` |
/// | async | `async \|args: Greet\| Ok(..)` | `async \|args: Greet, ctx: ToolContext\| Ok(..)` |
///
/// It returns `Result<_, ToolError>`; `?` makes a [`ToolError`] of the errors of the standard library, and
/// [`ToolError::from_source`] of any other. A sync body holds the thread of its caller, and no timeout stops it.
///
/// **The result.** Text, `()`, [`ToolOutput`], [`Content`], or any type that is `Serialize` and `JsonSchema`, as
/// `#[tool_type(result)]` makes it. The schema of an object becomes the output schema, unless the spec has one.
///
/// Permission requests, needs and a cleanup are added by the methods of [`ToolFn`], all else by the spec.
#[allow(private_bounds, reason = "implemented for every such closure")]
pub fn tool_fn_typed<A, F, Form>(spec: ToolSpec, function: F) -> ToolFn<A>
where
    A: Argument,
    F: TypedClosure<A, Form> + SharedClosure,
    F::Body: TypedBody<A>,
{
    let spec = spec.with_types(ClosureTypes::<A, F::Body>::DEFINITION);
    ToolFn::new(
        spec,
        ClosureTypes::<A, F::Body>::read,
        function.into_body().into_run(),
    )
}

/// The types of a tool: its arguments and its body.
struct ClosureTypes<A, B>(PhantomData<fn(A, B)>);

impl<A: Argument, B: TypedBody<A>> ClosureTypes<A, B> {
    /// The definition of a tool whose one argument is the whole object. Only its types are used: the spec, the body and
    /// what a [`ToolFn`] adds are values.
    const DEFINITION: &'static Definition<(A,)> =
        &Definition::sync(("", "", &[], ""), flat::<A>(), &[], never).output(B::Output::schema);

    fn read(arguments: &Arguments<'_>, spec: &ToolSpec) -> Result<A, InvalidArguments> {
        let (arguments,) = values(arguments, Self::DEFINITION, &|| spec)?;
        Ok(arguments)
    }
}

/// The body of a definition that is there only for its types.
fn never<A>(_: (A,), _: Receiver, _: &dyn BodyContext) -> BodyResult {
    Err(ToolError::internal("the body of this tool is its closure"))
}

/// A closure in one of the forms of a body; `Form` tells them apart.
#[diagnostic::on_unimplemented(
    message = "this cannot be the body of a tool",
    label = "this must be a closure that takes the arguments, and a context where it wants one, and returns `Result<_, ToolError>`",
    note = "sync: `|args: Args| Ok(..)` or `|args: Args, ctx: &ToolContext| Ok(..)`",
    note = "async: `async |args: Args| Ok(..)` or `async |args: Args, ctx: ToolContext| Ok(..)`"
)]
pub(crate) trait TypedClosure<A, Form> {
    type Body;

    fn into_body(self) -> Self::Body;
}

/// A closure of a known form, whose types can be what a tool takes and returns.
pub(crate) trait TypedBody<A>: 'static {
    type Output: TypedOutput;

    fn into_run(self) -> ClosureKind<A>;
}

/// A result of a typed closure.
#[diagnostic::on_unimplemented(
    message = "a tool with a typed closure cannot return `{Self}`",
    label = "this must implement `Serialize` and `JsonSchema`, or be `ToolOutput`",
    note = "put `#[toolwright::tool_type(result)]` on the type that lacks one of them, or return text or `ToolOutput`"
)]
pub(crate) trait TypedOutput: 'static {
    fn schema() -> Option<SchemaFn> {
        None
    }

    fn into_tool_output(self, capacity: usize) -> Output;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + 'static> TypedOutput for T {
    fn schema() -> Option<SchemaFn> {
        Some(T::json_schema)
    }

    fn into_tool_output(mut self, capacity: usize) -> Output {
        // A text is taken as it is; all else is written as JSON.
        match (&mut self as &mut dyn Any).downcast_mut::<String>() {
            Some(text) => Ok(ToolOutput::text(std::mem::take(text))),
            None => self.into_output(capacity),
        }
    }
}

impl TypedOutput for ToolOutput {
    fn into_tool_output(self, _capacity: usize) -> Output {
        Ok(self)
    }
}

impl TypedOutput for Content {
    fn into_tool_output(self, _capacity: usize) -> Output {
        Ok(self.into())
    }
}

/// The forms of a closure: type parameters of [`tool_fn_typed`] that rustc finds.
mod forms {
    #![expect(
        unreachable_pub,
        reason = "whoever calls the function has its type parameters"
    )]

    pub struct Now;
    pub struct NowInContext;
    pub struct Later;
    pub struct LaterInContext;
}

/// A closure of a known form that returns `R`: a result, or the future of one.
pub(crate) struct Body<F, Form, R>(F, PhantomData<fn() -> (Form, R)>);

impl<A, F, R> TypedClosure<A, Now> for F
where
    F: Fn(A) -> Result<R, ToolError>,
{
    type Body = Body<F, Now, R>;

    fn into_body(self) -> Self::Body {
        Body(self, PhantomData)
    }
}

impl<A, F, R> TypedClosure<A, NowInContext> for F
where
    F: Fn(A, &ToolContext) -> Result<R, ToolError>,
{
    type Body = Body<F, NowInContext, R>;

    fn into_body(self) -> Self::Body {
        Body(self, PhantomData)
    }
}

impl<A, F, Fut> TypedClosure<A, Later> for F
where
    F: Fn(A) -> Fut,
    Fut: Future,
{
    type Body = Body<F, Later, Fut>;

    fn into_body(self) -> Self::Body {
        Body(self, PhantomData)
    }
}

impl<A, F, Fut> TypedClosure<A, LaterInContext> for F
where
    F: Fn(A, ToolContext) -> Fut,
    Fut: Future,
{
    type Body = Body<F, LaterInContext, Fut>;

    fn into_body(self) -> Self::Body {
        Body(self, PhantomData)
    }
}

impl<A, F, R> TypedBody<A> for Body<F, Now, R>
where
    A: 'static,
    F: Fn(A) -> Result<R, ToolError> + SharedClosure,
    R: TypedOutput,
{
    type Output = R;

    fn into_run(self) -> ClosureKind<A> {
        let function = self.0;
        now(move |arguments, _: &ToolContext| function(arguments))
    }
}

impl<A, F, R> TypedBody<A> for Body<F, NowInContext, R>
where
    A: 'static,
    F: Fn(A, &ToolContext) -> Result<R, ToolError> + SharedClosure,
    R: TypedOutput,
{
    type Output = R;

    fn into_run(self) -> ClosureKind<A> {
        now(self.0)
    }
}

impl<A, F, Fut, R> TypedBody<A> for Body<F, Later, Fut>
where
    A: Send + 'static,
    F: Fn(A) -> Fut + SharedClosure,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    R: TypedOutput,
{
    type Output = R;

    fn into_run(self) -> ClosureKind<A> {
        let function = self.0;
        later(move |arguments, _| function(arguments))
    }
}

impl<A, F, Fut, R> TypedBody<A> for Body<F, LaterInContext, Fut>
where
    A: Send + 'static,
    F: Fn(A, ToolContext) -> Fut + SharedClosure,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    R: TypedOutput,
{
    type Output = R;

    fn into_run(self) -> ClosureKind<A> {
        later(self.0)
    }
}

fn now<A, R: TypedOutput>(
    function: impl Fn(A, &ToolContext) -> Result<R, ToolError> + SharedClosure,
) -> ClosureKind<A> {
    ClosureKind::Now(Arc::new(move |arguments, ctx| {
        function(arguments, ctx)?.into_tool_output(ctx.output_hint())
    }))
}

fn later<A, Fut, R>(function: impl Fn(A, ToolContext) -> Fut + SharedClosure) -> ClosureKind<A>
where
    A: Send + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    R: TypedOutput,
{
    let function = Arc::new(function);
    ClosureKind::Later(Arc::new(move |arguments, ctx| {
        let function = Arc::clone(&function);
        // The closure may do more than make a future, so it is called in the body's first poll: a
        // call that was cancelled before does nothing.
        Box::pin(async move {
            let capacity = ctx.output_hint();
            function(arguments, ctx).await?.into_tool_output(capacity)
        })
    }))
}
