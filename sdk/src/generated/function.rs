//! A tool that there is one of: a constant definition, and one generic implementation of the
//! contract for all of them.

use std::future::ready;
use std::panic::Location;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use super::definition::{CleanupFn, Definition, RunKind};
use super::method::Receiver;
use super::prepare;
use crate::arguments::{Arguments, InvalidArguments, ReadTree, Slots};
use crate::content::ToolError;
use crate::context::{ResourceKey, ToolContext};
use crate::spec::{ToolSpec, names_of, spec_of};
use crate::tool::{Attempt, Cleanup, DirectRun, FixedNames, Invocation, Tool, ToolFacts};
use crate::util::future::BoxFuture;

/// The trait that `#[tool]` implements; everything else follows from the definition.
#[doc(hidden)]
pub trait FnTool: Send + Sync + 'static {
    fn definition() -> Defined;
}

/// A [`Definition`], whatever the arguments: rustc refuses a public interface (E0446) that names an
/// argument's type which is less public than the tool, and checks less this way.
#[doc(hidden)]
pub trait Untyped: Sync {
    fn make_spec(&'static self) -> ToolSpec;

    fn names(&'static self) -> FixedNames;

    fn needs(&'static self) -> &'static [ResourceKey];

    fn never_waits(&'static self) -> bool;

    fn arguments_only(&'static self) -> bool;

    fn cleanup(&'static self) -> Option<CleanupFn>;

    /// Reads the arguments of a call on a receiver.
    ///
    /// # Errors
    ///
    /// Fails if something is wrong with them, with the number of those that were read before the first that is refused.
    fn parse<'s>(
        &'static self,
        arguments: &Arguments<'_>,
        receiver: Receiver,
        spec: &dyn Fn() -> &'s ToolSpec,
    ) -> Result<Box<dyn Invocation>, usize>;

    fn runs_directly(&'static self) -> bool;

    /// Reads the arguments of a call on a receiver and runs its body up to its first wait, if it
    /// [runs directly](Self::runs_directly).
    fn run_directly<'s>(
        &'static self,
        arguments: &Arguments<'_>,
        receiver: Receiver,
        spec: &dyn Fn() -> &'s ToolSpec,
        run: &mut DirectRun<'_, '_>,
    );

    /// Returns everything that is wrong with the arguments of a call. `tree` is that of their text, where it was read
    /// for a repair, and `read` the number of those that were read before the first that is refused.
    fn report(
        &'static self,
        arguments: &Arguments<'_>,
        tree: Option<ReadTree<'_>>,
        read: usize,
        spec: &ToolSpec,
    ) -> InvalidArguments;
}

impl dyn Untyped {
    pub(super) fn facts(&'static self) -> ToolFacts {
        ToolFacts {
            names: Some(self.names()),
            enforces_schema: true,
            never_waits: self.never_waits(),
            arguments_only: self.arguments_only(),
            runs_directly: self.runs_directly(),
            cleanup: Cleanup::own_if(self.cleanup().is_some()),
        }
    }

    /// The same as [`parse`](Self::parse), and if that fails, everything that is wrong.
    pub(super) fn parse_or_report<'s>(
        &'static self,
        arguments: &Arguments<'_>,
        receiver: Receiver,
        spec: &dyn Fn() -> &'s ToolSpec,
    ) -> Result<Box<dyn Invocation>, InvalidArguments> {
        self.parse(arguments, receiver, spec)
            .map_err(|read| self.report(arguments, None, read, spec()))
    }
}

impl<A: Slots> Untyped for Definition<A> {
    fn make_spec(&'static self) -> ToolSpec {
        match spec_of(&self.declared, self) {
            Ok(spec) => spec,
            // The macro checks names, so only an expansion written by hand gets here.
            Err(invalid) => ToolSpec::unnamed(invalid.to_string()),
        }
    }

    fn names(&'static self) -> FixedNames {
        names_of(&self.declared)
    }

    fn needs(&'static self) -> &'static [ResourceKey] {
        self.needs
    }

    fn never_waits(&'static self) -> bool {
        matches!(self.run, RunKind::Now(_)) && !self.blocking
    }

    fn arguments_only(&'static self) -> bool {
        // The body of a struct, which is async, has a context that is none of its needs.
        self.never_waits() && self.needs.is_empty() && self.ask.is_none()
    }

    fn cleanup(&'static self) -> Option<CleanupFn> {
        self.cleanup
    }

    fn parse<'s>(
        &'static self,
        arguments: &Arguments<'_>,
        receiver: Receiver,
        spec: &dyn Fn() -> &'s ToolSpec,
    ) -> Result<Box<dyn Invocation>, usize> {
        match self.run {
            RunKind::Now(run) => (self.read_now)(arguments, spec, self, receiver, run),
            RunKind::Later(later) => later.read(arguments, spec, self, receiver),
        }
    }

    fn runs_directly(&'static self) -> bool {
        self.ask.is_none() && !self.blocking
    }

    fn run_directly<'s>(
        &'static self,
        arguments: &Arguments<'_>,
        receiver: Receiver,
        spec: &dyn Fn() -> &'s ToolSpec,
        run: &mut DirectRun<'_, '_>,
    ) {
        let mut values = None;
        let read = (self.prepare)(arguments.view(), &self.reader, spec, &mut values);
        let (Ok(()), Some(values)) = (read, values) else {
            return;
        };
        if !run.begins() {
            return;
        }
        match self.run {
            RunKind::Now(now) => {
                let ran = now(values, receiver, run.context);
                run.end(Poll::Ready(ran));
            }
            RunKind::Later(later) => later.run_directly(values, receiver, run),
        }
    }

    fn report(
        &'static self,
        arguments: &Arguments<'_>,
        tree: Option<ReadTree<'_>>,
        read: usize,
        spec: &ToolSpec,
    ) -> InvalidArguments {
        prepare::report(arguments, tree, read, self, spec)
    }
}

/// A definition that exists once, with the place of its spec.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)]
pub struct Defined {
    definition: &'static dyn Untyped,
    spec: &'static SpecCell,
    #[cfg_attr(
        not(feature = "discover"),
        expect(dead_code, reason = "only `discover!` tells it")
    )]
    place: &'static Location<'static>,
}

/// The place of a spec once it was asked for. Without its type: that a `static` may be shared is proved in every tool, and
/// a spec has many parts to prove it of.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct SpecCell(OnceLock<Box<dyn MadeSpec>>);

trait MadeSpec: Send + Sync {
    fn spec(&self) -> &ToolSpec;
}

impl MadeSpec for ToolSpec {
    fn spec(&self) -> &ToolSpec {
        self
    }
}

impl SpecCell {
    #[allow(clippy::new_without_default, reason = "it stands in a `static`")]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }
}

impl Defined {
    /// With the place of the call: `file!` and its like are expanded one by one, for every tool.
    #[inline]
    #[track_caller]
    pub fn new(spec: &'static SpecCell, definition: &'static dyn Untyped) -> Self {
        Self {
            definition,
            spec,
            place: Location::caller(),
        }
    }

    #[cfg(feature = "discover")]
    pub(crate) fn place(self) -> &'static Location<'static> {
        self.place
    }

    #[inline]
    pub(crate) fn spec(self) -> &'static ToolSpec {
        let make = || Box::new(self.definition.make_spec()) as Box<dyn MadeSpec>;
        self.spec.0.get_or_init(make).spec()
    }

    /// The tool, as registries keep it.
    pub(crate) fn into_tool(self) -> Arc<dyn Tool> {
        Arc::new(ByDefinition(self))
    }

    pub(crate) fn names(self) -> FixedNames {
        self.definition.names()
    }

    fn facts(self) -> ToolFacts {
        self.definition.facts()
    }

    pub(crate) fn needs(self) -> &'static [ResourceKey] {
        self.definition.needs()
    }

    pub(crate) fn cleanup(self, ctx: &ToolContext) -> BoxFuture<'_, Result<(), ToolError>> {
        match self.definition.cleanup() {
            Some(cleanup) => cleanup(ctx),
            None => Box::pin(ready(Ok(()))),
        }
    }

    #[inline]
    pub(crate) fn parse(
        self,
        arguments: &Arguments<'_>,
    ) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let spec = || self.spec();
        self.definition.parse_or_report(arguments, None, &spec)
    }

    #[inline]
    pub(crate) fn attempt(self, arguments: &Arguments<'_>) -> Attempt {
        let spec = || self.spec();
        let parsed = self.definition.parse(arguments, None, &spec);
        parsed.map_err(|_| None)
    }

    #[inline]
    pub(crate) fn run_directly(self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        let spec = || self.spec();
        self.definition.run_directly(arguments, None, &spec, run);
    }

    fn report(self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        self.definition.report(arguments, tree, 0, self.spec())
    }
}

/// A tool by its definition alone, as registries keep those of `#[tool]`.
struct ByDefinition(Defined);

impl Tool for ByDefinition {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn facts(&self) -> ToolFacts {
        self.0.facts()
    }

    fn needs(&self) -> &[ResourceKey] {
        self.0.needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        self.0.parse(arguments)
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        self.0.attempt(arguments)
    }

    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        self.0.run_directly(arguments, run);
    }

    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        self.0.report(arguments, tree)
    }

    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        self.0.cleanup(ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FnTool> Tool for T {
    fn spec(&self) -> &ToolSpec {
        T::definition().spec()
    }

    fn facts(&self) -> ToolFacts {
        T::definition().facts()
    }

    fn needs(&self) -> &[ResourceKey] {
        T::definition().needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        T::definition().parse(arguments)
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        T::definition().attempt(arguments)
    }

    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        T::definition().run_directly(arguments, run);
    }

    fn cleanup_in<'a>(&'a self, ctx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        T::definition().cleanup(ctx)
    }

    #[inline]
    fn into_shared(self) -> Arc<dyn Tool> {
        T::definition().into_tool()
    }
}
