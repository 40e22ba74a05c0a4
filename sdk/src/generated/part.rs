//! The parts of a type with `#[tool_type]`: which of them lack what the type needs, said once.
//!
//! The derives of serde and schemars report such a part in every function that they write. So an expansion derives
//! under the assumption that the parts have all they need, asks here for it once, and reaches the derived code
//! through [`Reading`] and [`Writing`], which leave it alone where the assumption is wrong. That is reported then, so
//! their replacements never run.

#![allow(
    clippy::unused_self,
    reason = "the methods are called by expansions alone, which pick them by the type of `self`"
)]

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::arguments::constraint::{FieldRules, describe_field, flat_field};

/// A part of what is both argument and result.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of `{Of}`: put `#[tool_type]` on `{Self}`",
    label = "this must implement `Deserialize`, `Serialize` and `JsonSchema`",
    note = "`#[toolwright::tool_type]` derives them, on the type or on what lacks them inside of it; of another crate's type, its features or `#[serde(with = ..)]` may"
)]
pub trait PartOf<Of> {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema, Of> PartOf<Of> for T {}

/// A part of what the model fills in.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of `{Of}`: put `#[tool_type]` on `{Self}`",
    label = "the model fills this in: it must implement `Deserialize` and `JsonSchema`",
    note = "`#[toolwright::tool_type]` derives them, on the type or on what lacks them inside of it; of another crate's type, its features or `#[serde(with = ..)]` may"
)]
pub trait PartOfArgument<Of> {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema, Of> PartOfArgument<Of> for T {}

/// A part of what a tool gives.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of `{Of}`: put `#[tool_type]` on `{Self}`",
    label = "the model reads this: it must implement `Serialize` and `JsonSchema`",
    note = "`#[toolwright::tool_type]` derives them, on the type or on what lacks them inside of it; of another crate's type, its features or `#[serde(with = ..)]` may"
)]
pub trait PartOfResult<Of> {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema, Of> PartOfResult<Of> for T {}

#[doc(hidden)]
pub const fn part_of<T: PartOf<Of>, Of>() {}

#[doc(hidden)]
pub const fn part_of_argument<T: PartOfArgument<Of>, Of>() {}

#[doc(hidden)]
pub const fn part_of_result<T: PartOfResult<Of>, Of>() {}

/// The reader that was derived, where the parts can be read.
#[doc(hidden)]
pub trait DerivedRead<'de>: Sized {
    #[allow(clippy::missing_errors_doc, reason = "as of `Deserialize`")]
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// The writer that was derived, where the parts can be written.
#[doc(hidden)]
pub trait DerivedWrite {
    #[allow(clippy::missing_errors_doc, reason = "as of `Serialize`")]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Reads a type by what was derived: an inherent method goes before that of a trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct Reading<T>(pub PhantomData<T>);

impl<'de, T: DerivedRead<'de>> Reading<T> {
    #[inline]
    #[allow(clippy::missing_errors_doc, reason = "as of `Deserialize`")]
    pub fn __tool_read<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}

#[doc(hidden)]
pub trait Unread<T>: Sized {
    #[allow(clippy::missing_errors_doc, reason = "it is the same for all")]
    fn __tool_read<'de, D: Deserializer<'de>>(self, _deserializer: D) -> Result<T, D::Error> {
        Err(D::Error::custom(REFUSED))
    }
}

impl<T> Unread<T> for Reading<T> {}

/// Writes a type by what was derived.
#[doc(hidden)]
#[derive(Debug)]
pub struct Writing<'v, T>(pub &'v T);

impl<T: DerivedWrite> Writing<'_, T> {
    #[inline]
    #[allow(clippy::missing_errors_doc, reason = "as of `Serialize`")]
    pub fn __tool_write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

#[doc(hidden)]
pub trait Unwritten: Sized {
    #[allow(clippy::missing_errors_doc, reason = "it is the same for all")]
    fn __tool_write<S: Serializer>(self, _serializer: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(REFUSED))
    }
}

impl<T> Unwritten for Writing<'_, T> {}

/// Describes a field whose type may lack the derives, which is reported elsewhere.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldSchema<T>(pub PhantomData<T>);

impl<T: DeserializeOwned> FieldSchema<T> {
    pub fn __tool_describe(
        self,
        schema: &mut Schema,
        rules: FieldRules<T>,
        default: Option<fn() -> T>,
    ) {
        describe_field(schema, rules, default);
    }

    pub fn __tool_flat(self, schema: &mut Schema, field: &str) {
        flat_field::<T>(schema, field);
    }
}

#[doc(hidden)]
pub trait NoFieldSchema<T>: Sized {
    fn __tool_describe(
        self,
        _schema: &mut Schema,
        _rules: FieldRules<T>,
        _default: Option<fn() -> T>,
    ) {
    }

    fn __tool_flat(self, _schema: &mut Schema, _field: &str) {}
}

impl<T> NoFieldSchema<T> for FieldSchema<T> {}

const REFUSED: &str = "a part of the type has no `#[tool_type]`";

/// Says whether a type has a schema: an inherent constant goes before that of a trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct HasSchema<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized + JsonSchema> HasSchema<T> {
    pub const __TOOL_HAS_SCHEMA: bool = true;
}

#[doc(hidden)]
pub trait LacksSchema {
    const __TOOL_HAS_SCHEMA: bool = false;
}

impl<T: ?Sized> LacksSchema for HasSchema<T> {}

/// The type itself, or one that has a schema in place of it.
#[doc(hidden)]
#[derive(Debug)]
pub struct DescribedIf<const HAS_SCHEMA: bool>;

#[doc(hidden)]
pub trait DescribedAs<T> {
    type Type;
}

impl<T> DescribedAs<T> for DescribedIf<true> {
    type Type = T;
}

impl<T> DescribedAs<T> for DescribedIf<false> {
    type Type = ();
}
