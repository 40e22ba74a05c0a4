//! The contract between a tool and whoever runs it.

mod direct;
mod started;

use std::sync::Arc;

use async_trait::async_trait;

use crate::arguments::{Arguments, InvalidArguments, ReadTree};
use crate::content::ToolError;
use crate::context::{ResourceKey, ToolContext};
use crate::id::SessionId;
use crate::spec::{SchemaFault, ToolSpec};
use crate::util::future::BoxFuture;

pub(crate) use direct::{DirectRun, DirectStage};
pub use started::{Invocation, Started};

/// A tool: a description, and the way from a call's arguments to an invocation.
///
/// `#[tool]` implements this from a function. For tools whose description or arguments are known
/// only at run time there is [`tool_fn`](crate::tool_fn), and by hand it is for what needs more than a closure:
///
/// ```
/// use toolwright::{Tool, ToolContext, ToolName, ToolOutput, ToolSpec};
/// use toolwright::arguments::{Arguments, InvalidArguments};
/// use toolwright::tools::{Invocation, Started};
///
/// struct Echo {
///     spec: ToolSpec,
/// }
///
/// struct EchoCall {
///     text: String,
/// }
///
/// impl Tool for Echo {
///     fn spec(&self) -> &ToolSpec {
///         &self.spec
///     }
///
///     fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
///         let text = arguments.to_value()?.to_string();
///         Ok(Box::new(EchoCall { text }))
///     }
/// }
///
/// impl Invocation for EchoCall {
///     fn start(self: Box<Self>, _ctx: &ToolContext) -> Started<'_> {
///         Started::Done(Ok(ToolOutput::text(self.text)))
///     }
/// }
///
/// let spec = ToolSpec::new(ToolName::new("echo")?, "Give the arguments back.");
/// let registry = toolwright::ToolRegistry::new().with(Echo { spec });
/// # Ok::<(), toolwright::id::InvalidToolName>(())
/// ```
#[async_trait]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "this must implement `Tool`",
    note = "`#[tool]` on a function `read_file` makes the tool `ReadFile`: pass that",
    note = "a value with `#[toolset]` is added by `with_set`, a struct with `#[derive(Tool)]` by `with_type`"
)]
pub trait Tool: Send + Sync + 'static {
    /// The description: cheap, and callable before any run.
    fn spec(&self) -> &ToolSpec;

    /// Returns what is known of a tool that a macro or a function of toolwright makes. A tool that is written by hand says
    /// none of it.
    #[doc(hidden)]
    fn facts(&self) -> ToolFacts {
        ToolFacts::default()
    }

    /// The resources of the app that every call needs. An executor is not built without them.
    fn needs(&self) -> &[ResourceKey] {
        &[]
    }

    /// Turns arguments into an invocation. Nothing runs yet.
    ///
    /// # Errors
    ///
    /// Fails if the arguments do not fit the input schema; the error lists all mistakes.
    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments>;

    /// Parses the arguments, and leaves out the report where it costs something: arguments that are repaired need none.
    #[doc(hidden)]
    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        self.parse(arguments).map_err(Some)
    }

    /// Returns the report that [`attempt`](Self::attempt) left out when it refused these arguments. `tree` is that of their
    /// text, where it was read for a repair.
    #[doc(hidden)]
    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        let _ = tree;
        match self.parse(arguments) {
            Ok(_) => InvalidArguments::undisclosed(),
            Err(invalid) => invalid,
        }
    }

    /// Reads the arguments of a call that may run whatever they are, and runs its body up to its first wait, if the facts
    /// of the tool say that it does. A tool that passes on the facts of another passes this on too.
    #[doc(hidden)]
    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        let _ = (arguments, run);
    }

    /// Lets go of what the tool holds for a session that has ended: [`Session::end`](crate::Session::end)
    /// calls it once. Default: nothing. What macros make takes the key `cleanup`, and
    /// [`ToolFn::on_session_end`](crate::tools::ToolFn::on_session_end) is for tools made at run time.
    ///
    /// # Errors
    ///
    /// Fails if something could not be released.
    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        let _ = session;
        Ok(())
    }

    /// The same with what the app lends, for tools that macros make.
    #[doc(hidden)]
    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        self.cleanup_session(ctx.session_id())
    }

    /// Returns the tool as registries keep it. The tools of `#[tool]` share one implementation of this trait there: one
    /// for each is code that nothing else calls.
    #[doc(hidden)]
    fn into_shared(self) -> Arc<dyn Tool>
    where
        Self: Sized,
    {
        Arc::new(self)
    }
}

/// The facts about a tool that is not written by hand: see [`Tool::facts`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the tool"
)]
pub struct ToolFacts {
    /// The name and aliases, where they are known without making the spec.
    pub(crate) names: Option<FixedNames>,
    /// True if calls are held to the input schema. A tool that is written by hand checks its own arguments.
    pub(crate) enforces_schema: bool,
    /// True if [`Invocation::start`] always gives [`Started::Done`], so that a call runs its body where it stands.
    pub(crate) never_waits: bool,
    /// True if its body is given its arguments and nothing of the call: it makes no calls of its own.
    pub(crate) arguments_only: bool,
    /// True if its calls request nothing, and [`Tool::run_directly`] runs them.
    pub(crate) runs_directly: bool,
    /// The cleanup after a session.
    pub(crate) cleanup: Cleanup,
}

/// The cleanup of a tool after a session that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Cleanup {
    /// The tool's own.
    #[default]
    Own,
    /// No cleanup: the tool need not be asked.
    Nothing,
    /// A cleanup of several tools, by its identity, so that only one of them is asked.
    Shared(*const ()),
}

impl Cleanup {
    /// The cleanup of a tool by the setting for it.
    pub(crate) fn own_if(is_set: bool) -> Self {
        if is_set { Self::Own } else { Self::Nothing }
    }
}

/// Returns the reason why the input schema of a tool cannot be enforced, if it is enforced at all.
pub(crate) fn schema_fault(tool: &dyn Tool) -> Option<&SchemaFault> {
    let enforced = tool.facts().enforces_schema.then(|| tool.spec());
    enforced.and_then(|spec| spec.promise().fault())
}

/// An invocation, or the report of what is wrong with the arguments; `None` if [`Tool::parse`] makes it.
pub(crate) type Attempt = Result<Box<dyn Invocation>, Option<InvalidArguments>>;

/// A canonical name, and the aliases.
pub(crate) type FixedNames = (&'static str, &'static [&'static str]);

#[async_trait]
#[diagnostic::do_not_recommend]
impl Tool for Arc<dyn Tool> {
    fn spec(&self) -> &ToolSpec {
        (**self).spec()
    }

    fn facts(&self) -> ToolFacts {
        (**self).facts()
    }

    fn needs(&self) -> &[ResourceKey] {
        (**self).needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        (**self).parse(arguments)
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        (**self).attempt(arguments)
    }

    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        (**self).report(arguments, tree)
    }

    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        (**self).run_directly(arguments, run);
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        (**self).cleanup_session(session).await
    }

    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        (**self).cleanup_in(ctx)
    }

    fn into_shared(self) -> Arc<dyn Tool> {
        self
    }
}
