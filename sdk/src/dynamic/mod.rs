//! Tools made at run time: a description and a closure, where `#[tool]` takes a function.

mod bytes;
mod executable;
mod function;
mod object;
mod typed;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::arguments::{Arguments, InvalidArguments, validated};
use crate::content::{ToolError, ToolOutput};
use crate::context::{ResourceKey, ToolContext};
use crate::generated::boxed_error;
use crate::id::SessionId;
use crate::permission::{IntoRequests, PermissionRequest};
use crate::spec::ToolSpec;
use crate::tool::{Cleanup, Invocation, Started, Tool, ToolFacts};
use crate::util::future::BoxFuture;

pub use bytes::from_bytes;
pub use executable::{InvalidExecutable, TextTool, from_executable};
pub use function::tool_fn;
pub use typed::tool_fn_typed;

/// A tool made at run time, by [`tool_fn`], [`tool_fn_typed`], [`from_executable`] or
/// [`from_bytes`]. `A` is what the arguments of a call are read into.
///
/// It is a [`Tool`] like any other: it is registered, permitted, stopped and recorded as one that
/// `#[tool]` makes.
pub struct ToolFn<A = Map<String, Value>> {
    spec: ToolSpec,
    needs: Vec<ResourceKey>,
    read: ReadFn<A>,
    validate: Option<Box<ValidateClosure<A>>>,
    ask: Option<Arc<AskClosure<A>>>,
    run: ClosureKind<A>,
    cleanup: Option<Box<CleanupClosure>>,
}

type Output = Result<ToolOutput, ToolError>;
type ReadFn<A> = fn(&Arguments<'_>, &ToolSpec) -> Result<A, InvalidArguments>;
type ValidateClosure<A> = dyn Fn(&A) -> Result<(), InvalidArguments> + Send + Sync;
type AskClosure<A> =
    dyn Fn(&A, &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> + Send + Sync;
type CleanupClosure = dyn Fn(SessionId) -> BoxFuture<'static, Result<(), ToolError>> + Send + Sync;
type LaterClosure<A> = dyn Fn(A, ToolContext) -> BoxFuture<'static, Output> + Send + Sync;
type NowClosure<A> = dyn Fn(A, &ToolContext) -> Output + Send + Sync;

pub(crate) enum ClosureKind<A> {
    /// A body that may wait.
    Later(Arc<LaterClosure<A>>),
    /// A body that never waits.
    Now(Arc<NowClosure<A>>),
}

impl<A> Clone for ClosureKind<A> {
    fn clone(&self) -> Self {
        match self {
            Self::Later(run) => Self::Later(Arc::clone(run)),
            Self::Now(run) => Self::Now(Arc::clone(run)),
        }
    }
}

impl<A> ToolFn<A> {
    fn new(spec: ToolSpec, read: ReadFn<A>, run: ClosureKind<A>) -> Self {
        Self {
            spec,
            needs: Vec::new(),
            read,
            validate: None,
            ask: None,
            run,
            cleanup: None,
        }
    }

    /// Sets what judges arguments that satisfy the schema, before anybody is asked: what
    /// `validate = PATH` is to `#[tool]`. An error refuses the call with its text; an
    /// [`ArgumentProblem`](crate::arguments::ArgumentProblem) points to one argument, and
    /// [`InvalidArguments`] to several. Default: nothing, so that all are taken.
    ///
    /// ```
    /// use serde_json::{Map, Value};
    /// use toolwright::{ToolError, ToolName, ToolSpec, tool_fn};
    ///
    /// let spec = ToolSpec::new(ToolName::new("book")?, "Book a room.");
    /// let tool = tool_fn(spec, async |_: Map<String, Value>, _ctx| Ok::<_, ToolError>("booked"))
    ///     .with_validate(|arguments| match arguments.len() {
    ///         0 => Err("say at least one thing about the room"),
    ///         _ => Ok(()),
    ///     });
    /// # Ok::<(), toolwright::id::InvalidToolName>(())
    /// ```
    pub fn with_validate<V, E>(mut self, validate: V) -> Self
    where
        V: Fn(&A) -> Result<(), E> + Send + Sync + 'static,
        E: fmt::Display + 'static,
    {
        self.validate = Some(Box::new(move |arguments| validated(validate(arguments))));
        self
    }

    /// Sets what a call asks to be allowed, worked out from its arguments before anything is done:
    /// what `permission = EXPR` is to `#[tool]`. Default: nothing, so that the checker judges the
    /// tool alone.
    ///
    /// ```
    /// use toolwright::{FileAccess, ToolContext, ToolError, ToolName, ToolSpec, tool_fn};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Open {
    ///     path: String,
    /// }
    ///
    /// let spec = ToolSpec::new(ToolName::new("open")?, "Open a file.");
    /// let tool = tool_fn(spec, async |open: Open, _ctx| Ok::<_, ToolError>(open.path))
    ///     .with_permission(|open: &Open, _ctx: &ToolContext| FileAccess::read(&open.path));
    /// # Ok::<(), toolwright::id::InvalidToolName>(())
    /// ```
    pub fn with_permission<P, Q>(mut self, ask: P) -> Self
    where
        P: Fn(&A, &ToolContext) -> Q + Send + Sync + 'static,
        Q: IntoRequests,
    {
        self.ask = Some(Arc::new(move |arguments, ctx| {
            ask(arguments, ctx).into_requests()
        }));
        self
    }

    /// Sets the resources of the app that every call needs, so that an executor is not built
    /// without them. The body finds them by [`ToolContext::require`]. Default: none.
    ///
    /// ```
    /// use serde_json::{Map, Value};
    /// use toolwright::{
    ///     Executor, tool_fn, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec,
    /// };
    /// use toolwright::context::ResourceKey;
    ///
    /// struct Motto(&'static str);
    ///
    /// let spec = ToolSpec::new(ToolName::new("motto")?, "Tell the motto.");
    /// let tool = tool_fn(spec, async |_: Map<String, Value>, ctx: ToolContext| {
    ///     Ok::<_, ToolError>(ctx.require::<Motto>()?.0)
    /// })
    /// .with_needs([ResourceKey::of::<Motto>()]);
    ///
    /// let registry = ToolRegistry::new().with(tool);
    /// assert!(Executor::new(registry.clone()).is_err());
    /// assert!(Executor::builder(registry).resource(Motto("onwards")).build().is_ok());
    /// # Ok::<(), toolwright::id::InvalidToolName>(())
    /// ```
    pub fn with_needs(mut self, needs: impl Into<Vec<ResourceKey>>) -> Self {
        self.needs = needs.into();
        self
    }

    /// Sets what lets go of what the tool holds for a session, once the session has
    /// [ended](crate::Session::end): what `cleanup = EXPR` is to `#[tool]`. An error is reported by
    /// [`SessionEndError`](crate::executor::SessionEndError), a panic too. Default: nothing.
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use std::sync::{Arc, Mutex};
    ///
    /// use serde_json::{Map, Value};
    /// use toolwright::{
    ///     Executor, tool_fn, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec,
    /// };
    /// use toolwright::id::SessionId;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let open: Arc<Mutex<HashSet<SessionId>>> = Arc::default();
    /// let of_end = Arc::clone(&open);
    /// let spec = ToolSpec::new(ToolName::new("connect")?, "Open a connection.");
    /// let tool = tool_fn(spec, async |_: Map<String, Value>, _ctx| Ok::<_, ToolError>("connected"))
    ///     .on_session_end(move |session| {
    ///         let open = Arc::clone(&of_end);
    ///         async move {
    ///             open.lock().map_err(|_| "the list is lost")?.remove(&session);
    ///             Ok::<(), &str>(())
    ///         }
    ///     });
    /// let executor = Executor::new(ToolRegistry::new().with(tool))?;
    /// open.lock().unwrap().insert(SessionId::new("s-1"));
    /// executor.session("s-1").end().await?;
    /// assert!(open.lock().unwrap().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_session_end<F, Fut, E>(mut self, cleanup: F) -> Self
    where
        F: Fn(SessionId) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        self.cleanup = Some(Box::new(move |session| {
            let cleaning = cleanup(session);
            Box::pin(async move {
                let cleaned = cleaning.await;
                cleaned.map_err(boxed_error)
            })
        }));
        self
    }
}

impl<A> fmt::Debug for ToolFn<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolFn")
            .field("name", self.spec.name())
            .field("needs", &self.needs)
            .finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
#[async_trait]
impl<A: Send + 'static> Tool for ToolFn<A> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn facts(&self) -> ToolFacts {
        ToolFacts {
            enforces_schema: true,
            never_waits: matches!(self.run, ClosureKind::Now(_)),
            cleanup: Cleanup::own_if(self.cleanup.is_some()),
            ..ToolFacts::default()
        }
    }

    fn needs(&self) -> &[ResourceKey] {
        &self.needs
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let arguments = (self.read)(arguments, &self.spec)?;
        if let Some(validate) = &self.validate {
            validate(&arguments)?;
        }
        Ok(Box::new(Call {
            arguments,
            ask: self.ask.clone(),
            run: self.run.clone(),
        }))
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        match &self.cleanup {
            Some(cleanup) => cleanup(session.clone()).await,
            None => Ok(()),
        }
    }
}

/// A call with its arguments read.
struct Call<A> {
    arguments: A,
    ask: Option<Arc<AskClosure<A>>>,
    run: ClosureKind<A>,
}

impl<A: Send + 'static> Invocation for Call<A> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        match &self.ask {
            Some(ask) => ask(&self.arguments, ctx),
            None => Ok(Vec::new()),
        }
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        self.start_apart(ctx)
    }

    fn start_apart(self: Box<Self>, ctx: &ToolContext) -> Started<'static> {
        let Self { arguments, run, .. } = *self;
        match run {
            ClosureKind::Later(run) => Started::Pending(run(arguments, ctx.clone())),
            ClosureKind::Now(run) => Started::Done(run(arguments, ctx)),
        }
    }
}
