//! The part of a tool that is the same for all of a macro's: what an expansion calls, and the contract that follows
//! from its constant definition.

mod closed;
mod definition;
mod function;
mod invocation;
mod later;
mod method;
mod part;
mod prepare;
mod returned;
mod schemas;
mod shape;
mod typed;

pub use crate::arguments::argument::{default_from_text, own_default};
pub use crate::arguments::constraint::{
    Format, OptionProbe, Pattern, describe_field, flat_field, not_an_option, read_field,
};
pub use crate::arguments::entry::ArgFlag;
pub use crate::arguments::presets::{Presets, SampleProbe, Samples, sample};
pub use crate::arguments::validate::{Judge, validated, validator};
pub use crate::context::resource::{
    Probe, ResourceKey, lend, lend_async, lend_async_optional, lend_optional, needed, peek,
    peek_optional,
};
pub use crate::tool::Tool;
pub use closed::{Member, ToolEnum, names_of_its_own};
pub(crate) use definition::BodyResult;
pub use definition::Definition;
pub use function::{Defined, FnTool, SpecCell};
pub use later::*;
pub use method::{
    BlockCleanup, Receiver, Shared, Toolset, block_cleanup, method, method_with, peek_receiver,
    receiver, shared,
};
pub use part::{
    DerivedRead, DerivedWrite, DescribedAs, DescribedIf, FieldSchema, HasSchema, Reading, Writing,
    part_of, part_of_argument, part_of_result,
};
pub(crate) use prepare::values;
pub(crate) use returned::boxed_error;
pub use returned::{SchemaOf, Shown, ToolReturn};
pub use shape::{
    Shape, args0, args1, args2, args3, args4, args5, args6, args7, args8, args9, args10, args11,
    args12, args13, args14, args15, args16, flat,
};
pub use typed::{RunTool, Typed, TypedTool, typed_values};

pub mod fallback {
    //! The traits by which an expansion tells types apart; see `returned`.
    pub use super::part::{LacksSchema as _, NoFieldSchema as _, Unread as _, Unwritten as _};
    pub use super::returned::{
        BoxedError as _, DisplayedError as _, LocalError as _, NeverError as _, NoSchema as _,
        NotShown as _, OtherError as _, OwnError as _, Plain as _, PlainValue as _,
        SomeSchema as _, SpecialSchema as _, Wrap as _, WrapError as _,
    };
    pub use crate::arguments::constraint::OptionKind as _;
    pub use crate::arguments::presets::PlainSample as _;
    pub use crate::arguments::validate::{Judges as _, JudgesNothing as _};
    pub use crate::context::resource::AppOwnedKind as _;
}
