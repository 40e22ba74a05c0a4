//! Tools whose arguments are a struct, and closed sets of them: what `#[derive(Tool)]` and
//! `#[derive(ToolEnum)]` implement.

use std::any::type_name;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;

use super::definition::Definition;
use super::function::{Defined, FnTool};
use super::prepare;
use crate::arguments::{Arguments, InvalidArguments, Slots};
use crate::content::{ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::spec::ToolSpec;

/// The body of a struct with `#[derive(Tool)]`: the struct is the arguments.
///
/// ```
/// use toolwright::{Executor, RunTool, Tool, ToolContext, ToolRegistry};
///
/// /// Roll dice.
/// #[derive(Tool)]
/// #[tool(pure)]
/// struct Roll {
///     /// Number of dice.
///     #[arg(default = 1, range = 1..=10)]
///     dice: u32,
/// }
///
/// impl RunTool for Roll {
///     type Output = u32;
///
///     async fn run(self, _ctx: &ToolContext) -> u32 {
///         self.dice * 4 // fair enough
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with_type::<Roll>())?;
/// assert_eq!(executor.call("roll", r#"{"dice": 2}"#).await.text(), "8");
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` says what its arguments are, and not what it does",
    label = "this must implement `RunTool`",
    note = "write `impl toolwright::RunTool for {Self}`, with `async fn run(self, ctx: &ToolContext)`"
)]
pub trait RunTool: Sized + Send {
    /// The output, with or without a `Result` around it; see
    /// [`ToolReturn`](super::returned::ToolReturn).
    type Output;

    /// Does it.
    fn run(self, ctx: &ToolContext) -> impl Future<Output = Self::Output> + Send;
}

/// A struct with `#[derive(Tool)]`: it is described, can be read from the arguments of a call, and
/// runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the arguments of a tool",
    label = "this must be a struct with `#[derive(Tool)]`",
    note = "`#[derive(Tool)]` makes a tool of a struct whose fields are the arguments"
)]
// Not a subtrait of `RunTool`: rustc reports a struct that lacks it where it runs, and would report it here again.
pub trait TypedTool: Sized + Send + 'static {
    /// The name and the aliases.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];

    #[doc(hidden)]
    fn definition() -> Defined;

    #[doc(hidden)]
    fn invoke(
        self,
        ctx: &ToolContext,
    ) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send;

    /// Reads the arguments of a call: strictly, with defaults filled in and constraints enforced.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit; the error lists all mistakes.
    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, InvalidArguments>;

    /// The tool's spec.
    fn spec() -> &'static ToolSpec {
        Self::definition().spec()
    }
}

/// Reads the arguments of a call, for `TypedTool::from_arguments`.
#[doc(hidden)]
#[inline]
pub fn typed_values<T: TypedTool, A: Slots>(
    definition: &'static Definition<A>,
    arguments: &Arguments<'_>,
) -> Result<A, InvalidArguments> {
    prepare::values(arguments, definition, &|| T::spec())
}

/// A struct with `#[derive(Tool)]` as a [`Tool`](crate::Tool), for what takes one of any kind.
///
/// ```
/// # use toolwright::{RunTool, Tool, ToolContext};
/// # /// Tell the time.
/// # #[derive(Tool)]
/// # struct Now;
/// # impl RunTool for Now { type Output = u32; async fn run(self, _: &ToolContext) -> u32 { 12 } }
/// use std::sync::Arc;
/// use toolwright::tools::Typed;
///
/// let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Typed::<Now>::new())];
/// assert_eq!(tools[0].spec().name().as_str(), "now");
/// ```
pub struct Typed<T>(PhantomData<fn() -> T>);

impl<T: TypedTool> Typed<T> {
    /// The tool that the type makes.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: TypedTool> Default for Typed<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Typed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Typed<T> {}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed<{}>", type_name::<T>())
    }
}

impl<T: TypedTool> FnTool for Typed<T> {
    fn definition() -> Defined {
        T::definition()
    }
}
