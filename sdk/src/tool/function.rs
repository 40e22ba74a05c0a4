//! A tool made from a function: a static description, and one generic implementation of the
//! contract for all of them.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use schemars::SchemaGenerator;
use serde_json::Value;

use super::argument::{Shape, Slots};
use super::constraint::Checks;
use super::{BoxFuture, FixedNames, Invocation, ResourceKey, Tool, ToolContext, parse, waits};
use crate::message::{Arguments, InvalidArguments, ToolError, ToolOutput};
use crate::permission::PermissionRequest;
use crate::spec::schema::{self, Property};
use crate::spec::{Declared, Docs, SchemaSource, ToolSpec};

/// What `#[tool]` implements; everything else follows from the definition.
#[doc(hidden)]
pub trait FnTool: Send + Sync + 'static {
    /// Without its type: rustc refuses a public interface (E0446) that names an argument's type which
    /// is less public than the tool, and checks less this way.
    fn definition() -> &'static dyn Defined;
}

/// A [`Definition`], whatever the arguments.
#[doc(hidden)]
pub trait Defined: Sync {
    fn spec(&'static self) -> &'static ToolSpec;

    fn names(&'static self) -> FixedNames;

    fn needs(&'static self) -> &'static [ResourceKey];

    fn parse(
        &'static self,
        arguments: &Arguments<'_>,
    ) -> Result<Box<dyn Invocation>, InvalidArguments>;
}

impl<A: Slots> Defined for Definition<A> {
    fn spec(&'static self) -> &'static ToolSpec {
        self.spec.get_or_init(|| {
            Box::new(match self.declared.spec(self) {
                Ok(spec) => spec,
                // Only an expansion written by hand gets here: the macro checks names.
                Err(invalid) => ToolSpec::unnamed(invalid.to_string()),
            })
        })
    }

    fn names(&'static self) -> FixedNames {
        self.declared.names()
    }

    fn needs(&'static self) -> &'static [ResourceKey] {
        self.needs
    }

    fn parse(
        &'static self,
        arguments: &Arguments<'_>,
    ) -> Result<Box<dyn Invocation>, InvalidArguments> {
        parse::parse(arguments, self, &|| self.spec().input_schema())
    }
}

/// Everything that is particular to one tool.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Definition<A: Slots> {
    declared: Declared,
    pub(super) shape: Shape<A>,
    pub(super) arguments: &'static [ArgumentEntry],
    run: Run<A>,
    needs: &'static [ResourceKey],
    /// Fills in the defaults of what is absent.
    pub(super) fill: Option<fn(&mut A::Slots)>,
    /// Names each constraint once, for the schema and for the check.
    pub(super) check: Option<CheckFn<A>>,
    ask: Option<AskFn<A>>,
    output: Option<fn() -> Option<SchemaFn>>,
    /// In a box, because rustc evaluates the static that this stands in, byte by byte.
    spec: OnceLock<Box<ToolSpec>>,
}

/// The function, with what it takes and gives turned about.
enum Run<A> {
    /// An async function.
    Later(LaterFn<A>),
    /// A sync function, which needs no future.
    Now(NowFn<A>),
}

type NowFn<A> = fn(A, &ToolContext) -> ToolResult;
type LaterFn<A> = for<'a> fn(A, &'a ToolContext) -> Result<BoxFuture<'a, ToolResult>, ToolError>;
type AskFn<A> = fn(&A, &ToolContext) -> Result<Vec<PermissionRequest>, ToolError>;
type CheckFn<A> = fn(&mut Checks<'_>, &<A as Slots>::Slots);
type SchemaFn = fn(&mut SchemaGenerator) -> schemars::Schema;
type ToolResult = Result<ToolOutput, ToolError>;

/// One argument as declared.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ArgumentEntry {
    pub(super) name: &'static str,
    pub(super) description: Docs,
    pub(super) aliases: &'static [&'static str],
    /// The default as JSON, where its type can be written as such.
    pub(super) default: Option<fn() -> Option<Value>>,
}

impl ArgumentEntry {
    pub const fn new(name: &'static str, description: Docs) -> Self {
        Self {
            name,
            description,
            aliases: &[],
            default: None,
        }
    }

    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub const fn default(mut self, default: fn() -> Option<Value>) -> Self {
        self.default = Some(default);
        self
    }
}

impl<A: Slots> Definition<A> {
    pub const fn new(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [ArgumentEntry],
        run: LaterFn<A>,
    ) -> Self {
        Self::of(declared, shape, arguments, Run::Later(run))
    }

    pub const fn sync(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [ArgumentEntry],
        run: NowFn<A>,
    ) -> Self {
        Self::of(declared, shape, arguments, Run::Now(run))
    }

    const fn of(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [ArgumentEntry],
        run: Run<A>,
    ) -> Self {
        Self {
            declared,
            shape,
            arguments,
            run,
            needs: &[],
            fill: None,
            check: None,
            ask: None,
            output: None,
            spec: OnceLock::new(),
        }
    }

    pub const fn needs(mut self, needs: &'static [ResourceKey]) -> Self {
        self.needs = needs;
        self
    }

    pub const fn fill(mut self, fill: fn(&mut A::Slots)) -> Self {
        self.fill = Some(fill);
        self
    }

    pub const fn check(mut self, check: CheckFn<A>) -> Self {
        self.check = Some(check);
        self
    }

    pub const fn ask(mut self, ask: AskFn<A>) -> Self {
        self.ask = Some(ask);
        self
    }

    pub const fn output(mut self, output: fn() -> Option<SchemaFn>) -> Self {
        self.output = Some(output);
        self
    }
}

impl<A: Slots> SchemaSource for Definition<A> {
    /// With the constraints in it.
    fn input(&self) -> Value {
        let mut properties: Vec<Property<'_>> = Vec::new();
        for (entry, parameter) in self.arguments.iter().zip((self.shape.parameters)()) {
            properties.push(Property {
                name: entry.name,
                description: entry.description.text().into(),
                schema: parameter.schema,
                required: parameter.required && entry.default.is_none(),
                default: entry.default.and_then(|default| default()),
            });
        }
        let mut schema = schema::input_schema(&properties);
        if let Some(check) = self.check {
            let mut checks = Checks::describing(&mut schema, self.arguments);
            check(&mut checks, &A::empty());
        }
        schema
    }

    fn output(&self) -> Option<Value> {
        schema::output_schema(self.output?()?)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FnTool> Tool for T {
    fn spec(&self) -> &ToolSpec {
        T::definition().spec()
    }

    fn fixed_names(&self) -> Option<FixedNames> {
        Some(T::definition().names())
    }

    fn needs(&self) -> &[ResourceKey] {
        T::definition().needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        T::definition().parse(arguments)
    }
}

/// A parsed call of a function.
pub(super) struct FnInvocation<A: Slots> {
    pub(super) values: A,
    pub(super) definition: &'static Definition<A>,
}

// Written out, because `#[async_trait]` would box the boxed future once more.
impl<A: Slots + Send> Invocation for FnInvocation<A> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        match self.definition.ask {
            Some(ask) => ask(&self.values, ctx),
            None => Ok(Vec::new()),
        }
    }

    fn invoke<'life0, 'async_trait>(
        self: Box<Self>,
        ctx: &'life0 ToolContext,
    ) -> BoxFuture<'async_trait, ToolResult>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        let Self { values, definition } = *self;
        let later = match definition.run {
            Run::Later(run) => run(values, ctx),
            Run::Now(run) => return Box::pin(lazy(move || run(values, ctx))),
        };
        later.unwrap_or_else(|error| Box::pin(std::future::ready(Err(error))))
    }

    fn runs_now(&self) -> bool {
        matches!(self.definition.run, Run::Now(_))
    }

    fn run_now(self: Box<Self>, ctx: &ToolContext) -> ToolResult {
        let Self { values, definition } = *self;
        match definition.run {
            Run::Now(run) => run(values, ctx),
            Run::Later(_) => Err(waits()),
        }
    }
}

/// Runs the function's future and turns what it gives into an output.
///
/// The name is what a compile error shows for a future that is not `Send`.
#[doc(hidden)]
pub fn tool_future_must_be_send<'a, F: Future + Send + 'a>(
    ctx: &'a ToolContext,
    future: F,
    convert: fn(F::Output, usize) -> ToolResult,
) -> BoxFuture<'a, ToolResult> {
    Box::pin(async move { convert(future.await, ctx.output_hint()) })
}

/// How much to reserve for what a sync function returns.
#[doc(hidden)]
pub fn output_hint(ctx: &ToolContext) -> usize {
    ctx.output_hint()
}

/// A sync function as a future that runs it when first polled.
fn lazy<F: FnOnce() -> T, T>(function: F) -> Lazy<F> {
    Lazy(Some(function))
}

struct Lazy<F>(Option<F>);

// The function is moved out to be called and never pinned.
impl<F> Unpin for Lazy<F> {}

impl<F: FnOnce() -> T, T> Future for Lazy<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        match self.0.take() {
            Some(function) => Poll::Ready(function()),
            None => Poll::Pending,
        }
    }
}
