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
mod started;
mod typed;
mod validate;
mod wait;
mod world;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;

use crate::id::SessionId;
use crate::message::{Arguments, InvalidArguments, ToolError};
use crate::spec::{SchemaFault, ToolSpec};

pub(crate) use alarm::{Alarm, Alarms, NoTimers};
pub use argument::Argument;
pub(crate) use block::{SuspendedTurns, TurnBlock};
pub use by_hand::{
    InvalidExecutable, TextTool, ToolFn, from_bytes, from_executable, tool_fn, tool_fn_typed,
};
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
pub(crate) use parse::worded;
pub use resource::{Resource, ResourceKey};
pub(crate) use resource::{Resources, missing};
pub use returned::ToolReturn;
pub(crate) use run::Given;
pub(crate) use scope::TurnScope;
pub(crate) use seat::{Full, Lane, Seat, Seated};
pub use started::{Invocation, Started};
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

    /// Returns true if [`Invocation::start`] always gives [`Started::Done`], so that a call runs its body where
    /// it stands. What `#[tool]` makes of a sync function says so.
    #[doc(hidden)]
    fn never_waits(&self) -> bool {
        false
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

    fn never_waits(&self) -> bool {
        (**self).never_waits()
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
