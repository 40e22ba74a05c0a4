//! The determinism that a tool declares.

use super::declared::Said;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::names::{listed, meant, nearest};
use crate::tool::model::{Callee, Effect, Parameter};
use proc_macro2::Ident;

const DETERMINISMS: [(&str, &str); 3] = [
    ("deterministic", "Deterministic"),
    ("bounded", "Bounded"),
    ("non_deterministic", "NonDeterministic"),
];

/// The name of the runtime's variant.
pub(super) fn check_determinism(
    given: Option<&Keyed<Ident>>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) -> Option<&'static str> {
    let Keyed { key, value } = given?;
    let Some((word, variant)) = DETERMINISMS.iter().find(|(word, _)| value == word) else {
        let words = || DETERMINISMS.iter().map(|(word, _)| *word);
        let hint = meant(nearest(&value.to_string(), words()));
        let message = format!(
            "`{value}` is no `{key}`{hint}\nthere are {}",
            listed(words())
        );
        errors.on(value, message);
        return None;
    };
    if let (Some((Effect::Pure, pure)), "non_deterministic") = (effect, *word) {
        let message = format!(
            "`{word}` contradicts `{pure}`: what touches nothing outside gives the same for the same, so keep one"
        );
        errors.on(value, message);
    }
    Some(variant)
}

/// Refuses a bounded tool that does not take the context by reference, under any name: its clock and its random
/// numbers come from there. A struct gets the context when it runs.
pub(super) fn check_bounded(
    bounded: Option<&Ident>,
    callee: &Callee,
    parameters: &[Parameter],
    errors: &mut Errors,
) {
    let (Some(word), Callee::Function(function) | Callee::Method { function, .. }) =
        (bounded, callee)
    else {
        return;
    };
    if parameters
        .iter()
        .all(|parameter| parameter.resource().is_none())
    {
        let name = &function.ident;
        let message = format!(
            "`{word}` cannot be kept: the clock and the random numbers of such a tool come from a \
             `&ToolContext`, and `{name}` takes none; add `ctx: &ToolContext`, or write `deterministic`"
        );
        errors.on(word, message);
    }
}
