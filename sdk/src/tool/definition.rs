//! All that is particular to one tool, as a constant: what it declares, how its arguments are read
//! and what runs.

use std::panic::Location;

use schemars::SchemaGenerator;
use serde_json::Value;

use super::argument::{Shape, Slots};
use super::constraint::Checks;
use super::method::Receiver;
use super::parse::names::Order;
use super::presets::{Presets, Samples};
use super::{BoxFuture, ResourceKey, ToolContext, mistakes};
use crate::message::{InvalidArguments, ToolError, ToolOutput};
use crate::permission::PermissionRequest;
use crate::schema::{self, Property};
use crate::spec::{Declared, Drawn, Mistakes, SchemaSource, before_first_heading};

/// Everything that is particular to one tool.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Definition<A: Slots> {
    pub(super) declared: Declared,
    pub(super) shape: Shape<A>,
    pub(super) arguments: &'static [Entry],
    pub(super) order: Order,
    pub(super) run: RunKind<A>,
    pub(super) blocking: bool,
    pub(super) needs: &'static [ResourceKey],
    /// Names each default once, for the schema and to fill it in.
    pub(super) fill: Option<FillFn<A>>,
    /// Names each constraint once, for the schema and for the check.
    pub(super) check: Option<CheckFn<A>>,
    /// Judges arguments that are valid one by one.
    pub(super) validate: Option<ValidateFn<A>>,
    pub(super) ask: Option<AskFn<A>>,
    /// Lets go of what a session has left.
    pub(super) cleanup: Option<CleanupFn>,
    /// Where the tool was declared.
    pub(super) place: &'static Location<'static>,
    samples: Option<SamplesFn>,
    output: Option<fn() -> Option<SchemaFn>>,
}

/// The function, with what it takes and gives turned about.
pub(super) enum RunKind<A> {
    /// An async function.
    Later(LaterFn<A>),
    /// A sync function, which needs no future.
    Now(NowFn<A>),
}

pub(super) type NowFn<A> = fn(A, Receiver, &ToolContext) -> ToolResult;
pub(super) type LaterFn<A> =
    for<'a> fn(A, Receiver, &'a ToolContext) -> Result<BoxFuture<'a, ToolResult>, ToolError>;
type AskFn<A> = fn(&A, &Receiver, &ToolContext) -> Result<Vec<PermissionRequest>, ToolError>;
pub(super) type CleanupFn = for<'a> fn(&'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>>;
type FillFn<A> = fn(&mut Presets, &mut <A as Slots>::Slots);
type CheckFn<A> = fn(&mut Checks<'_>, &<A as Slots>::Slots);
type ValidateFn<A> = fn(&A) -> Result<(), InvalidArguments>;
type SamplesFn = fn(&mut Samples);
pub(super) type SchemaFn = fn(&mut SchemaGenerator) -> schemars::Schema;
pub(super) type ToolResult = Result<ToolOutput, ToolError>;

/// One argument as declared: name, description, and what else there is to say. A tuple, as
/// [`Declared`] is.
pub(super) type Entry = (&'static str, &'static str, &'static [Mark]);

#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Mark {
    /// The description is documentation that the macro could not read.
    Raw,
    /// Other names.
    Aliases(&'static [&'static str]),
    /// Its value is shown to nobody.
    Secret,
}

/// Whether a name is another name for the argument.
pub(super) fn has_alias((_, _, marks): &Entry, name: &str) -> bool {
    marks
        .iter()
        .any(|mark| matches!(mark, Mark::Aliases(aliases) if aliases.contains(&name)))
}

pub(super) fn is_secret((_, _, marks): &Entry) -> bool {
    marks.iter().any(|mark| matches!(mark, Mark::Secret))
}

fn description((_, text, marks): &Entry) -> &'static str {
    if marks.iter().any(|mark| matches!(mark, Mark::Raw)) {
        before_first_heading(text)
    } else {
        text
    }
}

macro_rules! hooks {
    ($($field:ident: $type:ty;)*) => {
        $(
            pub const fn $field(mut self, $field: $type) -> Self {
                self.$field = Some($field);
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
        run: LaterFn<A>,
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
    const fn of(
        declared: Declared,
        shape: Shape<A>,
        arguments: &'static [Entry],
        run: RunKind<A>,
    ) -> Self {
        Self {
            declared,
            shape,
            arguments,
            order: Order::of(arguments),
            run,
            blocking: false,
            needs: &[],
            fill: None,
            check: None,
            validate: None,
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
        fill: FillFn<A>;
        check: CheckFn<A>;
        validate: ValidateFn<A>;
        ask: AskFn<A>;
        cleanup: CleanupFn;
        samples: SamplesFn;
        output: fn() -> Option<SchemaFn>;
    }

    /// What each argument is when it is left out, where a default says so.
    fn defaults(&self) -> Presets {
        let mut presets = Presets::showing();
        if let Some(fill) = self.fill {
            fill(&mut presets, &mut A::empty());
        }
        presets
    }
}

impl<A: Slots> SchemaSource for Definition<A> {
    /// With the constraints and examples in it.
    fn input(&self) -> Drawn {
        let mut shown = Vec::new();
        let parameters = (self.shape.parameters)();
        let (mut schema, unkept) = match &parameters[..] {
            [whole] if self.shape.flat => schema::whole_input_schema(whole.schema),
            _ => {
                let mut defaults = self.defaults();
                shown = defaults.shown().to_vec();
                let mut properties: Vec<Property<'_>> = Vec::new();
                for (index, (entry, parameter)) in self.arguments.iter().zip(parameters).enumerate()
                {
                    let required = parameter.required && !defaults.has(index);
                    // Whoever reads the schema would read the secret.
                    let default = defaults.take(index).filter(|_| !is_secret(entry));
                    properties.push(Property {
                        name: entry.0,
                        description: description(entry).into(),
                        schema: parameter.schema,
                        required,
                        default,
                    });
                }
                schema::input_schema(&properties)
            }
        };
        let impossible = self.check.map(|check| {
            let mut checks = Checks::describing(&mut schema, self.arguments);
            check(&mut checks, &A::empty());
            checks.impossible()
        });
        if let Some(samples) = self.samples {
            let mut found = Samples::default();
            samples(&mut found);
            found.show_in(&mut schema, self.arguments);
        }
        let mut found = mistakes::of_types(self.arguments, self.shape.flat, &unkept);
        found.extend(impossible.unwrap_or_default());
        mistakes::of_arguments(self, &shown, &schema, &unkept, &mut found);
        Drawn {
            schema,
            unkept,
            mistakes: Mistakes::new(self.declared.3, self.place, found),
        }
    }

    fn output(&self) -> Option<Value> {
        schema::output_schema(self.output?()?)
    }

    fn argument_names(&self) -> Vec<&'static str> {
        if self.shape.flat {
            return Vec::new();
        }
        self.arguments.iter().map(|entry| entry.0).collect()
    }

    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)> {
        let of_one = |(name, _, marks): &Entry| {
            let aliases = marks.iter().filter_map(|mark| match mark {
                Mark::Aliases(aliases) => Some(*aliases),
                Mark::Raw | Mark::Secret => None,
            });
            let name = *name;
            aliases.flatten().map(move |alias| (*alias, name))
        };
        self.arguments.iter().flat_map(of_one).collect()
    }
}
