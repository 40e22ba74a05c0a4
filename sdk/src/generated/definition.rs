//! All that is particular to one tool, as a constant: what it declares, how its arguments are read
//! and what runs.

use std::panic::Location;
use std::sync::Arc;

use super::invocation::ReadNowFn;
use super::later::RunLater;
use super::method::Receiver;
use super::shape::{PrepareFn, Shape};
use crate::arguments::constraint::Checks;
use crate::arguments::{
    ArgFlag, ArgumentReader, CheckFn, Entry, FillFn, NameOrder, Parameter, Presets, Samples, Slots,
    ValidateFn, description, is_secret, mistakes,
};
use crate::content::{ToolError, ToolOutput};
use crate::context::{BodyContext, ResourceKey, ToolContext};
use crate::permission::PermissionRequest;
use crate::schema::{self, OutputSchema, Property, SchemaFn};
use crate::spec::{Declared, Drawn, Mistakes, SchemaSource};
use crate::util::future::BoxFuture;

/// Everything that is particular to one tool.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Definition<A: Slots> {
    pub(super) declared: Declared,
    parameters: fn() -> Vec<Parameter>,
    pub(super) prepare: PrepareFn<A>,
    pub(super) read_now: ReadNowFn<A>,
    pub(super) reader: ArgumentReader<A>,
    pub(super) run: RunKind<A>,
    pub(super) blocking: bool,
    pub(super) needs: &'static [ResourceKey],
    pub(super) ask: Option<AskFn<A>>,
    /// Lets go of what a session has left.
    pub(super) cleanup: Option<CleanupFn>,
    /// The place where the tool was declared.
    pub(super) place: &'static Location<'static>,
    samples: Option<SamplesFn>,
    output: Option<fn() -> Option<SchemaFn>>,
}

/// The function, with what it takes and gives turned about.
pub(super) enum RunKind<A: Slots> {
    /// An async function.
    Later(&'static dyn RunLater<A>),
    /// A sync function, which needs no future.
    Now(NowFn<A>),
}

pub(super) type NowFn<A> = fn(A, Receiver, &dyn BodyContext) -> BodyResult;
type AskFn<A> = fn(&A, &Receiver, &ToolContext) -> Result<Vec<PermissionRequest>, ToolError>;
pub(super) type CleanupFn = for<'a> fn(&'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>>;
type SamplesFn = fn(&mut Samples);
pub(crate) type BodyResult = Result<ToolOutput, ToolError>;

macro_rules! hooks {
    ($($field:ident $(in $of:ident)?: $type:ty;)*) => {
        $(
            pub const fn $field(mut self, $field: $type) -> Self {
                self.$($of.)?$field = Some($field);
                self
            }
        )*
    };
}

impl<A: Slots> Definition<A> {
    #[track_caller]
    pub const fn new(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [Entry],
        run: &'static dyn RunLater<A>,
    ) -> Self {
        Self::of(declared, shape, arguments, RunKind::Later(run))
    }

    #[track_caller]
    pub const fn sync(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [Entry],
        run: NowFn<A>,
    ) -> Self {
        Self::of(declared, shape, arguments, RunKind::Now(run))
    }

    #[track_caller]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a shape is made for one definition, which takes it apart"
    )]
    const fn of(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [Entry],
        run: RunKind<A>,
    ) -> Self {
        Self {
            declared,
            parameters: shape.parameters,
            prepare: shape.prepare,
            read_now: shape.read_now,
            reader: ArgumentReader {
                arguments,
                order: NameOrder::of(arguments),
                read: shape.read,
                flat: shape.flat,
                fill: None,
                check: None,
                validate: None,
            },
            run,
            blocking: false,
            needs: &[],
            ask: None,
            cleanup: None,
            place: Location::caller(),
            samples: None,
            output: None,
        }
    }

    pub const fn blocking(mut self) -> Self {
        self.blocking = true;
        self
    }

    pub const fn needs(mut self, needs: &'static [ResourceKey]) -> Self {
        self.needs = needs;
        self
    }

    hooks! {
        fill in reader: FillFn<A>;
        check in reader: CheckFn<A>;
        validate in reader: ValidateFn<A>;
        ask: AskFn<A>;
        cleanup: CleanupFn;
        samples: SamplesFn;
        output: fn() -> Option<SchemaFn>;
    }

    /// The values of arguments that are left out, for those with a default.
    fn defaults(&self) -> Presets {
        let mut presets = Presets::showing();
        if let Some(fill) = self.reader.fill {
            fill(&mut presets, &mut A::empty());
        }
        presets
    }

    /// Returns true if the schema of the arguments is that of their types, with no defaults and constraints.
    fn has_only_types(&self) -> bool {
        let reader = &self.reader;
        !reader.flat && reader.fill.is_none() && reader.check.is_none()
    }
}

/// An argument without a default.
fn property(entry: &Entry, parameter: &Parameter) -> Property<'static> {
    Property {
        name: entry.0,
        description: description(entry).into(),
        schema: parameter.schema,
        required: parameter.required,
        default: None,
    }
}

impl<A: Slots> SchemaSource for Definition<A> {
    /// With the constraints and examples in it.
    fn input(&self) -> Drawn {
        let mut shown = Vec::new();
        let parameters = (self.parameters)();
        let (mut schema, unkept) = match &parameters[..] {
            [whole] if self.reader.flat => schema::whole_input_schema(whole.schema),
            _ => {
                let mut defaults = self.defaults();
                shown = defaults.shown().to_vec();
                let mut properties: Vec<Property<'_>> = Vec::new();
                for (index, (entry, parameter)) in
                    self.reader.arguments.iter().zip(&parameters).enumerate()
                {
                    let mut property = property(entry, parameter);
                    property.required &= !defaults.has(index);
                    // The default of a secret would show in the schema.
                    property.default = defaults.take(index).filter(|_| !is_secret(entry));
                    properties.push(property);
                }
                schema::input_schema(&properties)
            }
        };
        let impossible = self.reader.check.map(|check| {
            let mut checks = Checks::describing(&mut schema, self.reader.arguments);
            check(&mut checks, &A::empty());
            checks.impossible()
        });
        if let Some(samples) = self.samples {
            let mut found = Samples::default();
            samples(&mut found);
            found.show_in(&mut schema, self.reader.arguments);
        }
        let mut found = mistakes::of_types(self.reader.arguments, self.reader.flat, &unkept);
        found.extend(impossible.unwrap_or_default());
        mistakes::of_arguments(&self.reader, &shown, &schema, &unkept, &mut found);
        Drawn {
            schema,
            unkept,
            mistakes: Mistakes::new(self.declared.3, self.place, found),
        }
    }

    fn is_kept(&self) -> bool {
        self.has_only_types() && {
            let types = (self.parameters)().into_iter().map(|one| one.schema);
            schema::is_kept_by_types(types)
        }
    }

    fn write_input(&self, text: &mut Vec<u8>) -> serde_json::Result<bool> {
        if !self.has_only_types() || self.samples.is_some() {
            return Ok(false);
        }
        let parameters = (self.parameters)();
        let arguments = self.reader.arguments.iter().zip(&parameters);
        let properties: Vec<_> = arguments
            .map(|(entry, parameter)| property(entry, parameter))
            .collect();
        schema::write_input_schema(&properties, text)?;
        Ok(true)
    }

    fn output(&self) -> Option<Arc<OutputSchema>> {
        OutputSchema::of(self.output?()?)
    }

    fn argument_names(&self) -> Vec<&'static str> {
        if self.reader.flat {
            return Vec::new();
        }
        self.reader.arguments.iter().map(|entry| entry.0).collect()
    }

    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)> {
        let of_one = |(name, _, marks): &Entry| {
            let aliases = marks.iter().filter_map(|mark| match mark {
                ArgFlag::Aliases(aliases) => Some(*aliases),
                ArgFlag::Raw | ArgFlag::Secret => None,
            });
            let name = *name;
            aliases.flatten().map(move |alias| (*alias, name))
        };
        self.reader.arguments.iter().flat_map(of_one).collect()
    }
}
