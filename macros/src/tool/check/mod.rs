//! From what was written to what it means. Every check reports all it finds and goes on.

mod constraints;
mod declared;
mod function;
mod parameters;
mod types;

use super::keys::ToolKeys;
use super::model::{Declared, Shell, Tool};
use super::parse::Parsed;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::values::{Switch, Texts};
use quote::quote;
use syn::{LitStr, ReturnType};

/// The tool is there whenever nothing was reported.
pub(super) fn check(parsed: Parsed, errors: &mut Errors) -> (Shell, Option<Tool>) {
    let Parsed {
        attributes,
        visibility,
        signature,
        body,
        keys,
        parameters,
    } = parsed;
    let ToolKeys {
        name,
        title,
        version,
        aliases,
        category,
        pure,
        read_only,
        idempotent,
        destructive,
        open_world,
        needs_approval,
        streaming,
        timeout,
        permission,
        metadata,
        register,
        struct_name,
        runtime,
    } = keys;
    let ident = &signature.ident;

    function::check_signature(&signature, errors);
    let description = function::check_description(ident, &attributes, errors);
    let handle = function::check_handle(&signature, struct_name, errors);
    let name = declared::check_name(ident, name, errors);
    let aliases = declared::check_aliases(
        &name,
        aliases.map_or_else(
            Vec::new,
            |Keyed {
                 value: Texts(list), ..
             }| list,
        ),
        errors,
    );
    let effect = declared::check_effect(
        pure.as_ref(),
        read_only.as_ref(),
        idempotent.as_ref(),
        errors,
    );
    declared::check_destructive(destructive.as_ref(), effect, errors);
    let timeout_ms =
        timeout.and_then(|timeout| declared::check_timeout(&signature, &timeout, errors));
    let metadata = metadata.map_or_else(Vec::new, |metadata| {
        declared::check_metadata(metadata.value, errors)
    });
    let parameters = parameters::check_parameters(ident, parameters, errors);

    let shell = Shell {
        runtime: runtime.map_or_else(|| syn::parse_quote!(::toolwright), |runtime| runtime.value),
        visibility: visibility.clone(),
        cfgs: attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .cloned()
            .collect(),
        function: quote!(#(#attributes)* #visibility #signature #body),
        handle: handle.clone(),
    };
    let tool = handle.zip(description).map(|(handle, description)| Tool {
        handle,
        function: ident.clone(),
        is_async: signature.asyncness.is_some(),
        allowed: function::allowed(&attributes),
        declared: Declared {
            name,
            title: value(title),
            description,
            version: value(version),
            aliases,
            category: value(category),
            effect: effect.map(|(effect, _)| effect),
            destructive: on(destructive),
            open_world: on(open_world),
            needs_approval: on(needs_approval),
            streaming: on(streaming),
            timeout_ms,
            metadata,
            deprecated: function::deprecated(&attributes),
        },
        parameters,
        returned: match signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(*ty),
        },
        permission: permission.map(|permission| permission.value),
        register: register.is_none_or(|register| register.value.0),
    });
    (shell, tool)
}

fn value(text: Option<Keyed<LitStr>>) -> Option<LitStr> {
    text.map(|text| text.value)
}

fn on(switch: Option<Keyed<Switch>>) -> Option<bool> {
    switch.map(|switch| switch.value.0)
}
