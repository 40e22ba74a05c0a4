//! Constraints on the fields of `#[tool_type]`: serde calls the check, schemars the description.

use std::marker::PhantomData;

use schemars::Schema;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};

use serde_json::Value;

use super::{Checks, Mode};
use crate::spec::schema::ENFORCED;

type Rules<T> = fn(&mut Checks<'_>, &Option<T>);

/// What a field finds that its constraints refuse. The report of a call knows it by this: the errors
/// of serde tell more of a value only in words.
pub(in crate::tool) const NOT_ALLOWED: Unexpected<'_> =
    Unexpected::Other("a value that is not allowed here");

/// The finding of a field that takes too much work to be checked. The report knows it likewise.
pub(in crate::tool) const NOT_CHECKED: Unexpected<'_> =
    Unexpected::Other("a value that takes too much work to be checked");

/// Reads a field and refuses what its constraints do not allow.
#[doc(hidden)]
pub fn read_field<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    rules: Rules<T>,
) -> Result<T, D::Error> {
    let value = Some(T::deserialize(deserializer)?);
    let mut checks = Checks::checking();
    rules(&mut checks, &value);
    if checks.failed().is_empty() {
        return value.ok_or_else(|| D::Error::custom("there is no value"));
    }
    if !checks.too_much().is_empty() {
        return Err(D::Error::invalid_value(NOT_CHECKED, &"a value that is"));
    }
    // What is allowed, the report tells from the schema.
    Err(D::Error::invalid_value(NOT_ALLOWED, &"a value that is"))
}

/// Adds the constraints to the schema of a field.
#[doc(hidden)]
pub fn describe_field<T>(schema: &mut Schema, rules: Rules<T>) {
    let node = schema.ensure_object();
    rules(&mut Checks(Mode::DescribeOne(node)), &None);
    // What is enforced here needs nobody else, and only here is it known.
    let mut written = serde_json::Map::new();
    rules(&mut Checks(Mode::DescribeOne(&mut written)), &None);
    let enforced = node
        .entry(ENFORCED)
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(enforced) = enforced {
        enforced.extend(
            written
                .into_iter()
                .map(|(keyword, _)| Value::String(keyword)),
        );
    }
}

/// Tells an `Option` by its type, because serde tells it by its name: one by another name, with a
/// reader of its own, would be missed when it is absent.
#[doc(hidden)]
#[derive(Debug)]
pub struct OptionProbe<T>(pub PhantomData<T>);

impl<T> OptionProbe<Option<T>> {
    pub fn __tool_option(&self) -> HiddenOption<T> {
        HiddenOption(PhantomData)
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct HiddenOption<T>(PhantomData<T>);

#[doc(hidden)]
#[derive(Debug)]
pub struct NoOption;

#[doc(hidden)]
pub trait OptionKind {
    fn __tool_option(&self) -> NoOption {
        NoOption
    }
}

impl<T> OptionKind for OptionProbe<T> {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is an `Option` by another name, which serde does not see",
    label = "write `Option<..>` as the type of a field that has constraints"
)]
pub trait Plainly {}

#[diagnostic::do_not_recommend]
impl Plainly for NoOption {}

#[doc(hidden)]
pub fn not_an_option(_probed: impl Plainly) {}
