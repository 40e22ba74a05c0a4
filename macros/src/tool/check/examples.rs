//! Whole calls that are shown to the model. What only the types can tell is checked by `lint()`.

use super::presets::check_value;
use crate::errors::Errors;
use crate::json::{JsonMember, Object};
use crate::literal::Literal;
use crate::names::{listed, meant, nearest};
use crate::tool::model::{Argument, Parameter};
use crate::values::Objects;
use proc_macro2::Ident;

/// The examples as JSON text.
pub(super) fn check_examples(
    tool: &Ident,
    Objects(examples): &Objects,
    parameters: &[Parameter],
    all_known: bool,
    errors: &mut Errors,
) -> Vec<String> {
    let arguments: Vec<&Argument> = parameters.iter().filter_map(Parameter::argument).collect();
    let members = examples.iter().flat_map(|Object(members)| members);
    for member in members.filter(|_| all_known) {
        check_member(tool, member, &arguments, errors);
    }
    examples.iter().map(Object::text).collect()
}

fn check_member(
    tool: &Ident,
    JsonMember { key, value }: &JsonMember,
    arguments: &[&Argument],
    errors: &mut Errors,
) {
    let name = key.value();
    let Some(argument) = arguments.iter().find(|argument| argument.name == name) else {
        let names = || arguments.iter().map(|argument| argument.name.as_str());
        let hint = meant(nearest(&name, names()));
        let known = match arguments {
            [] => "it takes none".to_owned(),
            _ => format!("the arguments are {}", listed(names())),
        };
        errors.on(
            key,
            format!("`{tool}` has no argument `{name}`{hint}\n{known}"),
        );
        return;
    };
    if let Some(known) = value.literal.as_ref().and_then(Literal::known) {
        check_value(
            "example",
            &known,
            &value.literal,
            &argument.constraints,
            errors,
        );
    }
}
