//! Constraints on the fields of `#[tool_type]`: serde calls the check, schemars the description.

use std::marker::PhantomData;

use schemars::Schema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use serde_json::Value;

use super::{CHANGE, Checks};
use crate::arguments::refusal::{NOT_ALLOWED, NOT_CHECKED};
use crate::schema::{ENFORCED, Marked, nothing_fits, written};

/// Walks over the constraints of one value.
pub(crate) type FieldRules<T> = fn(&mut Checks<'_>, &Option<T>);

/// Reads a field and refuses what its constraints do not allow.
#[doc(hidden)]
pub fn read_field<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    rules: FieldRules<T>,
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
    // The report tells from the schema what is allowed.
    Err(D::Error::invalid_value(NOT_ALLOWED, &"a value that is"))
}

/// Adds the constraints to the schema of a field, and what is wrong with them.
///
/// The default is that of `#[arg(default = ..)]`; one that serde knows is in the schema already.
#[doc(hidden)]
pub fn describe_field<T: DeserializeOwned>(
    schema: &mut Schema,
    rules: FieldRules<T>,
    default: Option<fn() -> T>,
) {
    let node = schema.ensure_object();
    let shown = node.get("default").cloned();
    let read = || serde_json::from_value(shown.clone()?).ok();
    if let Some(default) = default.map(|default| default()).or_else(read) {
        let mut checks = Checks::explaining();
        rules(&mut checks, &Some(default));
        for (_, demands) in checks.into_broken() {
            outside(shown.as_ref(), &demands).put_on(node);
        }
    }
    rules(&mut Checks::describing_one(node), &None);
    if let Some(why) = nothing_fits(node) {
        let why = format!("{why}. {CHANGE}");
        let marked = Marked {
            why,
            ..Marked::default()
        };
        marked.put_on(node);
    }
    // A keyword that is enforced here needs nobody else, and only here is it known.
    let mut own = serde_json::Map::new();
    rules(&mut Checks::describing_one(&mut own), &None);
    let enforced = node
        .entry(ENFORCED)
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(enforced) = enforced {
        enforced.extend(own.into_iter().map(|(keyword, _)| Value::String(keyword)));
    }
}

/// A default that constraints refuse.
pub(crate) fn outside(value: Option<&Value>, demands: &serde_json::Map<String, Value>) -> Marked {
    Marked {
        field: None,
        what: "its default".to_owned(),
        value: value.filter(|value| !value.is_null()).cloned(),
        why: format!(
            "is refused by {}. Change the default or the constraint",
            written(demands)
        ),
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
