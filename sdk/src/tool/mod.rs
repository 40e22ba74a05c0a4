//! The contract between a tool and whoever runs it.

mod alarm;
mod argument;
mod ask;
mod block;
mod by_hand;
mod call;
mod cancellation;
mod check;
mod closed;
pub mod constraint;
mod context;
mod definition;
mod desk;
mod from_model;
mod function;
mod invocation;
mod method;
mod mistakes;
mod nested;
mod outcome;
mod parse;
mod part;
mod presets;
mod report;
mod resource;
mod returned;
mod run;
mod scope;
mod seat;
mod typed;
mod validate;
mod wait;
mod world;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;

use crate::id::SessionId;
use crate::message::{Arguments, InvalidArguments, ToolError, ToolOutput};
use crate::permission::PermissionRequest;
use crate::spec::{SchemaFault, ToolSpec};

pub(crate) use alarm::{Alarm, Alarms, NoTimers};
pub use argument::Argument;
pub(crate) use block::{SuspendedTurns, TurnBlock};
pub use by_hand::{InvalidExecutable, TextTool, ToolFn, from_bytes, from_executable, tool_fn};
pub(crate) use call::{CallExtras, CallIds};
pub(crate) use cancellation::Cancellation;
pub(crate) use check::{Kept, Specs, by_grants, pending, refused};
pub use closed::ToolEnum;
pub(crate) use context::SessionScope;
pub use context::ToolContext;
pub(crate) use desk::{Desk, Left, Waiting};
pub(crate) use function::ByDefinition;
#[cfg(feature = "discover")]
pub(crate) use function::Defined;
pub use method::Toolset;
pub(crate) use nested::{Calls, Nesting};
pub use outcome::{FailedCall, Suspension, ToolOutcome};
#[cfg(feature = "json-schema")]
pub(crate) use parse::worded;
pub use resource::{Resource, ResourceKey};
pub(crate) use resource::{Resources, missing};
pub use returned::ToolReturn;
pub(crate) use run::Given;
pub(crate) use scope::TurnScope;
pub(crate) use seat::{Full, Lane, Seat, Seated};
pub use typed::{RunTool, Typed, TypedTool};
pub use wait::ResumeInfo;
pub(crate) use wait::{Answered, Wait, Waits, is_suspension, suspension};
pub use world::{CallClock, CallRng, Clock, FixedClock, FreshId, SystemClock};
pub(crate) use world::{CallWorld, Seed, WorldSettings, WorldSource};

pub(crate) mod hidden {
    //! What an expansion of `#[tool]` names.
    pub use super::Tool;
    pub use super::argument::{
        Shape, args0, args1, args2, args3, args4, args5, args6, args7, args8, args9, args10,
        args11, args12, args13, args14, args15, args16, default_from_text, flat, own_default,
    };
    pub use super::closed::{Member, ToolEnum, names_of_its_own};
    pub use super::constraint::{
        Format, OptionProbe, Pattern, describe_field, flat_field, not_an_option, read_field,
    };
    pub use super::definition::{Definition, Mark};
    pub use super::function::{Defined, FnTool, SpecCell};
    pub use super::invocation::{output_hint, tool_future_must_be_send};
    pub use super::method::{
        BlockCleanup, Receiver, Shared, Toolset, block_cleanup, method, method_with, peek_receiver,
        receiver, shared,
    };
    pub use super::part::{
        DerivedRead, DerivedWrite, Described, DescribedAs, FieldSchema, HasSchema, Reading,
        Writing, part_of, part_of_argument, part_of_result,
    };
    pub use super::presets::{Presets, SampleProbe, Samples, sample};
    pub use super::resource::{
        Probe, ResourceKey, lend, lend_async, lend_async_optional, lend_optional, needed, peek,
        peek_optional,
    };
    pub use super::returned::{SchemaOf, Shown};
    pub use super::typed::{RunTool, Typed, TypedTool, typed_values};
    pub use super::validate::{Judge, validated, validator};

    pub mod fallback {
        //! The traits by which an expansion tells types apart; see `returned`.
        pub use crate::tool::constraint::OptionKind as _;
        pub use crate::tool::part::{
            LacksSchema as _, NoFieldSchema as _, Unread as _, Unwritten as _,
        };
        pub use crate::tool::presets::PlainSample as _;
        pub use crate::tool::resource::AppOwnedKind as _;
        pub use crate::tool::returned::{
            BoxedError as _, DisplayedError as _, LocalError as _, NeverError as _, NoSchema as _,
            NotShown as _, OtherError as _, OwnError as _, Plain as _, PlainValue as _,
            SomeSchema as _, SpecialSchema as _, Wrap as _, WrapError as _,
        };
        pub use crate::tool::validate::{Judges as _, JudgesNothing as _};
    }
}

/// A boxed future that may move between threads.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool: a description, and the way from a call's arguments to an invocation.
///
/// `#[tool]` implements this from a function. For tools whose description or arguments are known
/// only at run time there is [`tool_fn`], and by hand it is for what needs more than a closure:
///
/// ```
/// use toolwright::{async_trait, Tool, ToolContext, ToolError, ToolName, ToolOutput, ToolSpec};
/// use toolwright::arguments::{Arguments, InvalidArguments};
/// use toolwright::tools::Invocation;
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
/// #[async_trait]
/// impl Invocation for EchoCall {
///     async fn invoke(self: Box<Self>, _ctx: &ToolContext) -> Result<ToolOutput, ToolError> {
///         Ok(ToolOutput::text(self.text))
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

    /// The name and aliases, where they are known without making the spec, as of what `#[tool]`
    /// makes.
    #[doc(hidden)]
    fn fixed_names(&self) -> Option<FixedNames> {
        None
    }

    /// Why the input schema cannot be enforced, if it is enforced at all: a tool written by hand
    /// judges its arguments by itself.
    #[doc(hidden)]
    fn schema_fault(&self) -> Option<&SchemaFault> {
        None
    }

    /// The resources of the app that every call needs. An executor is not built without them.
    fn needs(&self) -> &[ResourceKey] {
        &[]
    }

    /// Turns arguments into an invocation. Nothing runs yet.
    ///
    /// # Errors
    ///
    /// When the arguments do not fit the input schema; the error lists all that is wrong.
    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments>;

    /// Lets go of what the tool holds for a session that has ended: [`Session::end`](crate::Session::end)
    /// calls it once. Default: nothing. What macros make takes the key `cleanup`, and
    /// [`ToolFn::on_session_end`] is for tools made at run time.
    ///
    /// # Errors
    ///
    /// When something could not be let go of.
    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        let _ = session;
        Ok(())
    }

    /// The same with what the app lends, for tools that macros make.
    #[doc(hidden)]
    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        self.cleanup_session(ctx.session_id())
    }

    /// Returns the identity of a cleanup that several tools share, so that only one of them is asked.
    /// `None` if the cleanup is the tool's own.
    #[doc(hidden)]
    fn cleans_with(&self) -> Option<*const ()> {
        None
    }
}

/// A canonical name, and the aliases.
pub(crate) type FixedNames = (&'static str, &'static [&'static str]);

/// A call with its arguments parsed, ready to run: it says what it wants, and then does it.
#[async_trait]
pub trait Invocation: Send + 'static {
    /// What the call asks to be allowed, worked out before anything is done.
    ///
    /// # Errors
    ///
    /// When that cannot be worked out; the call then ends with the error.
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        let _ = ctx;
        Ok(Vec::new())
    }

    /// Does it.
    ///
    /// # Errors
    ///
    /// When the tool fails. The model reads the error's message.
    async fn invoke(self: Box<Self>, ctx: &ToolContext) -> Result<ToolOutput, ToolError>;

    /// Whether the body never waits, so that [`Invocation::run_now`] runs it without a future. What
    /// `#[tool]` makes of a sync function says so.
    #[doc(hidden)]
    fn runs_now(&self) -> bool {
        false
    }

    /// Does it, for a body that never waits.
    #[doc(hidden)]
    fn run_now(self: Box<Self>, ctx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let _ = ctx;
        Err(waits())
    }
}

/// For the one who runs a body now that has to be waited for.
#[cold]
fn waits() -> ToolError {
    ToolError::internal("the tool's body has to be waited for")
}

impl fmt::Debug for dyn Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invocation")
    }
}

#[async_trait]
#[diagnostic::do_not_recommend]
impl Tool for Arc<dyn Tool> {
    fn spec(&self) -> &ToolSpec {
        (**self).spec()
    }

    fn fixed_names(&self) -> Option<FixedNames> {
        (**self).fixed_names()
    }

    fn schema_fault(&self) -> Option<&SchemaFault> {
        (**self).schema_fault()
    }

    fn needs(&self) -> &[ResourceKey] {
        (**self).needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        (**self).parse(arguments)
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        (**self).cleanup_session(session).await
    }

    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        (**self).cleanup_in(ctx)
    }

    fn cleans_with(&self) -> Option<*const ()> {
        (**self).cleans_with()
    }
}
