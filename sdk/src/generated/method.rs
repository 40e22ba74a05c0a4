//! Tools made from the methods of a value, which they share.

use std::any::Any;
use std::future::ready;
use std::sync::{Arc, OnceLock};

use super::function::Untyped;
use crate::arguments::{Arguments, InvalidArguments, ReadTree};
use crate::content::ToolError;
use crate::context::{ResourceKey, ToolContext};
use crate::spec::ToolSpec;
use crate::tool::{Attempt, Cleanup, DirectRun, Invocation, Tool, ToolFacts};
use crate::util::future::BoxFuture;

/// A value whose methods are tools: what `#[toolset]` implements.
///
/// The tools share the value, and nothing locks it: what changes in it is behind a lock or an
/// atomic of the author's choice. `Part` tells apart the blocks of one type, each added by its own
/// name; the one block that needs no name has `()`.
///
/// By hand it is for sets whose tools are known only at run time:
///
/// ```
/// use std::sync::Arc;
/// use serde_json::Value;
/// use toolwright::{Tool, tool_fn, ToolContext, ToolName, ToolRegistry, ToolSpec};
/// use toolwright::tools::Toolset;
///
/// /// A tool for each word.
/// struct Words(Vec<&'static str>);
///
/// impl Toolset for Words {
///     fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
///         let tool = |word: &&'static str| -> Option<Arc<dyn Tool>> {
///             let word = *word;
///             let name = ToolName::new(format!("say.{word}")).ok()?;
///             let spec = ToolSpec::new(name, format!("Say `{word}`."));
///             let say = move |_: Value, _: ToolContext| async move { Ok::<_, String>(word) };
///             Some(Arc::new(tool_fn(spec, say)))
///         };
///         self.0.iter().filter_map(tool).collect()
///     }
/// }
///
/// let registry = ToolRegistry::new().with_set(Words(vec!["yes", "no"]));
/// assert!(registry.contains("say.no"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no such tools",
    label = "this must be a value whose methods are tools",
    note = "put `#[toolset]` on an `impl` block of `{Self}`, and `#[tool]` on its methods",
    note = "what stands under `#[toolset(part = Name)]` is added by `with_part(Name, ..)`",
    note = "the tools share the value: with all that is in it, it must be `Send + Sync + 'static`"
)]
pub trait Toolset<Part = ()>: Send + Sync + 'static {
    /// The tools; each of them keeps the value.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// The values that tools can share.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the tools of `{Self}` cannot share it",
    label = "calls that run at once share this: it must be `Send + Sync + 'static`",
    note = "a `Mutex` or an atomic in place of a `Cell` or `RefCell` makes it so, and `Arc` in place of `Rc`"
)]
pub trait Shared: Sized + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Shared for T {}

/// Asks for it once.
#[doc(hidden)]
pub const fn shared<T: Shared>() {}

/// The value that a method is called on; a function has none. Without its type, so that a parsed
/// call is the same for functions and methods.
#[doc(hidden)]
pub type Receiver = Option<Arc<dyn Any + Send + Sync>>;

#[cold]
fn other_receiver() -> ToolError {
    ToolError::internal("the tool was called on another value than its own")
}

/// The value, for a method to be called on.
#[doc(hidden)]
pub fn receiver<T: Send + Sync + 'static>(receiver: Receiver) -> Result<Arc<T>, ToolError> {
    receiver
        .and_then(|value| value.downcast().ok())
        .ok_or_else(other_receiver)
}

/// The value, for `permission = EXPR`.
#[doc(hidden)]
pub fn peek_receiver<T: 'static>(receiver: &Receiver) -> Result<&T, ToolError> {
    receiver
        .as_ref()
        .and_then(|value| value.downcast_ref())
        .ok_or_else(other_receiver)
}

/// A method as a tool.
struct Method {
    definition: &'static dyn Untyped,
    receiver: Receiver,
    spec: OnceLock<Box<ToolSpec>>,
    /// The common cleanup of all tools of the block, if they have one.
    cleanup: Option<Arc<dyn BlockCleanup>>,
}

/// Makes a tool of a method.
#[doc(hidden)]
pub fn method<T: Send + Sync + 'static>(
    receiver: &Arc<T>,
    definition: &'static dyn Untyped,
) -> Arc<dyn Tool> {
    made(receiver, definition, None)
}

/// The same for a block that lets go of what a session has left.
#[doc(hidden)]
pub fn method_with<T: Send + Sync + 'static>(
    receiver: &Arc<T>,
    definition: &'static dyn Untyped,
    cleanup: &Arc<dyn BlockCleanup>,
) -> Arc<dyn Tool> {
    made(receiver, definition, Some(Arc::clone(cleanup)))
}

fn made<T: Send + Sync + 'static>(
    receiver: &Arc<T>,
    definition: &'static dyn Untyped,
    cleanup: Option<Arc<dyn BlockCleanup>>,
) -> Arc<dyn Tool> {
    let receiver: Arc<T> = Arc::clone(receiver);
    Arc::new(Method {
        definition,
        receiver: Some(receiver),
        spec: OnceLock::new(),
        cleanup,
    })
}

/// The common cleanup of all tools of a block, after a session that has ended.
#[doc(hidden)]
pub trait BlockCleanup: Send + Sync + 'static {
    fn run<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>>;
}

type BlockCleanupFn<T> = for<'a> fn(&'a T, &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>>;

struct CleanupOf<T> {
    value: Arc<T>,
    run: BlockCleanupFn<T>,
}

impl<T: Send + Sync + 'static> BlockCleanup for CleanupOf<T> {
    fn run<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        (self.run)(&self.value, ctx)
    }
}

/// Makes the cleanup of a block from an expression over its value.
#[doc(hidden)]
pub fn block_cleanup<T: Send + Sync + 'static>(
    value: &Arc<T>,
    run: BlockCleanupFn<T>,
) -> Arc<dyn BlockCleanup> {
    let value: Arc<T> = Arc::clone(value);
    Arc::new(CleanupOf { value, run })
}

impl Tool for Method {
    fn spec(&self) -> &ToolSpec {
        let make = || Box::new(self.definition.make_spec());
        self.spec.get_or_init(make)
    }

    fn facts(&self) -> ToolFacts {
        let cleanup = match &self.cleanup {
            Some(cleanup) => Cleanup::Shared(Arc::as_ptr(cleanup).cast()),
            None => Cleanup::Nothing,
        };
        ToolFacts {
            cleanup,
            ..self.definition.facts()
        }
    }

    fn needs(&self) -> &[ResourceKey] {
        self.definition.needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let receiver = self.receiver.clone();
        self.definition
            .parse_or_report(arguments, receiver, &|| self.spec())
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        self.definition
            .parse(arguments, self.receiver.clone(), &|| self.spec())
            .map_err(|_| None)
    }

    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        let receiver = self.receiver.clone();
        self.definition
            .run_directly(arguments, receiver, &|| self.spec(), run);
    }

    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        self.definition.report(arguments, tree, 0, self.spec())
    }

    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        match &self.cleanup {
            Some(cleanup) => cleanup.run(ctx),
            None => Box::pin(ready(Ok(()))),
        }
    }
}
