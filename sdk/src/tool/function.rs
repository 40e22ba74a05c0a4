//! A tool made from a function: a static definition, and one generic implementation of the
//! contract for all of them.

use std::sync::OnceLock;

use super::argument::Slots;
use super::definition::Definition;
use super::{FixedNames, Invocation, ResourceKey, Tool, parse};
use crate::message::{Arguments, InvalidArguments};
use crate::spec::{ToolSpec, names_of, spec_of};

/// What `#[tool]` implements; everything else follows from the definition.
#[doc(hidden)]
pub trait FnTool: Send + Sync + 'static {
    /// Without its type: rustc refuses a public interface (E0446) that names an argument's type which
    /// is less public than the tool, and checks less this way.
    fn definition() -> &'static dyn Defined;
}

/// A [`FnDefinition`], whatever the arguments.
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

/// The definition of a tool that there is one of, with its spec once that was asked for.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct FnDefinition<A: Slots>(pub Definition<A>, pub SpecCell);

/// Where the spec is put.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct SpecCell {
    /// In a box, because rustc evaluates the static that this stands in, byte by byte.
    spec: OnceLock<Box<ToolSpec>>,
}

impl SpecCell {
    pub const fn new() -> Self {
        Self {
            spec: OnceLock::new(),
        }
    }
}

impl<A: Slots> Definition<A> {
    pub(super) fn make_spec(&'static self) -> ToolSpec {
        match spec_of(&self.declared, self) {
            Ok(spec) => spec,
            // Only an expansion written by hand gets here: the macro checks names.
            Err(invalid) => ToolSpec::unnamed(invalid.to_string()),
        }
    }
}

impl<A: Slots> Defined for FnDefinition<A> {
    fn spec(&'static self) -> &'static ToolSpec {
        self.1.spec.get_or_init(|| Box::new(self.0.make_spec()))
    }

    fn names(&'static self) -> FixedNames {
        names_of(&self.0.declared)
    }

    fn needs(&'static self) -> &'static [ResourceKey] {
        self.0.needs
    }

    fn parse(
        &'static self,
        arguments: &Arguments<'_>,
    ) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let schema = || self.spec().input_schema();
        parse::parse(arguments, &self.0, None, &schema)
    }
}

/// A tool by its definition alone.
pub(crate) struct ByDefinition(pub(crate) &'static dyn Defined);

impl Tool for ByDefinition {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn fixed_names(&self) -> Option<FixedNames> {
        Some(self.0.names())
    }

    fn needs(&self) -> &[ResourceKey] {
        self.0.needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        self.0.parse(arguments)
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
