//! All that is particular to one tool, as a constant: what it declares, how its arguments are read
//! and what runs.

use std::panic::Location;
use std::sync::Arc;

use super::invocation::ReadNowFn;
use super::later::RunLater;
use super::method::Receiver;
use super::schemas::{SamplesFn, SchemaParts};
use super::shape::{PrepareFn, Shape};
use crate::arguments::{
    ArgumentReader, CheckFn, Entry, FillFn, NameOrder, Parameter, Slots, ValidateFn,
};
use crate::content::{ToolError, ToolOutput};
use crate::context::{BodyContext, ResourceKey, ToolContext};
use crate::permission::PermissionRequest;
use crate::schema::{OutputSchema, SchemaFn};
use crate::spec::{Declared, Drawn, SchemaSource};
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

    /// The parts that the schema of the arguments is made of.
    fn schema_parts(&self) -> SchemaParts<'_> {
        SchemaParts {
            name: self.declared.3,
            place: self.place,
            types: self.reader.types(),
            parameters: self.parameters,
            samples: self.samples,
        }
    }
}

impl<A: Slots> SchemaSource for Definition<A> {
    fn input(&self) -> Drawn {
        self.schema_parts().input()
    }

    fn is_kept(&self) -> bool {
        self.schema_parts().is_kept()
    }

    fn write_input(&self, text: &mut Vec<u8>) -> serde_json::Result<bool> {
        self.schema_parts().write_input(text)
    }

    fn output(&self) -> Option<Arc<OutputSchema>> {
        OutputSchema::of(self.output?()?)
    }

    fn argument_names(&self) -> Vec<&'static str> {
        self.schema_parts().argument_names()
    }

    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)> {
        self.schema_parts().argument_aliases()
    }
}
