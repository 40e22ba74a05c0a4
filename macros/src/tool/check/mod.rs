//! From what was written to what it means. Every check reports all it finds and goes on.

mod constraints;
mod declared;
mod examples;
mod form;
mod function;
mod parameters;
mod types;

pub(crate) use constraints::{check_constraints, check_preset};
pub(crate) use form::{Form, MethodOf, Written};
pub(crate) use types::is_option;

use super::keys::ToolKeys;
use super::model::{Callee, Declared, Free, Function, Shell, Tool};
use super::parse::Parsed;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::values::{Bare, Objects, Switch, Texts, Types};
use proc_macro2::Ident;
use quote::quote;
use syn::{Attribute, LitStr, Path, ReturnType, Signature};

/// A free function. The tool is there whenever nothing was reported.
pub(super) fn check(parsed: Parsed, errors: &mut Errors) -> (Shell, Option<Free>) {
    let Parsed {
        attributes,
        visibility,
        signature,
        body,
        keys,
        parameters,
    } = parsed;
    function::check_signature(&signature, &Form::Free, errors);
    let callee = Callee::Function(function(&signature));
    let written = Written {
        form: Form::Free,
        ident: &signature.ident,
        attributes: &attributes,
        callee,
        keys,
        parameters,
    };
    let Own {
        runtime,
        struct_name,
        register,
        tool,
    } = check_tool(written, errors);
    let handle = function::check_handle(&signature, struct_name, errors);
    let shell = Shell {
        runtime,
        visibility: visibility.clone(),
        cfgs: cfgs(&attributes),
        function: quote!(#(#attributes)* #visibility #signature #body),
        handle: handle.clone(),
    };
    let free = handle.zip(tool).map(|(handle, tool)| Free {
        handle,
        register,
        tool,
    });
    (shell, free)
}

/// A method of a block, whose own words are in `of`.
pub(crate) fn check_method(parsed: &mut Parsed, of: MethodOf, errors: &mut Errors) -> Option<Tool> {
    let form = Form::Method(of);
    let Parsed {
        attributes,
        visibility: _,
        signature,
        body: _,
        keys,
        parameters,
    } = parsed;
    function::check_signature(signature, &form, errors);
    let written = Written {
        form,
        ident: &signature.ident,
        attributes,
        callee: Callee::Method {
            function: function(signature),
            takes_self: signature.receiver().is_some(),
        },
        keys: std::mem::take(keys),
        parameters: std::mem::take(parameters),
    };
    check_tool(written, errors).tool
}

fn function(signature: &Signature) -> Function {
    Function {
        ident: signature.ident.clone(),
        is_async: signature.asyncness.is_some(),
        returned: match &signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some((**ty).clone()),
        },
    }
}

pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .cloned()
        .collect()
}

/// A tool, and the keys that only some forms have.
pub(crate) struct Own {
    pub(crate) runtime: Path,
    pub(crate) struct_name: Option<Keyed<Ident>>,
    pub(crate) register: bool,
    pub(crate) tool: Option<Tool>,
}

/// What is the same for every form.
pub(crate) fn check_tool(written: Written<'_>, errors: &mut Errors) -> Own {
    let Written {
        form,
        ident,
        attributes,
        callee,
        keys,
        parameters,
    } = written;
    let ToolKeys {
        name,
        title,
        version,
        aliases,
        category,
        pure,
        read_only,
        idempotent,
        determinism,
        destructive,
        open_world,
        needs_approval,
        streaming,
        capabilities,
        timeout,
        limits,
        needs,
        permission,
        validate,
        blocking,
        concurrent,
        explicit_only,
        examples,
        metadata,
        register,
        struct_name,
        runtime,
    } = keys;
    form.check_keys(
        register.as_ref(),
        struct_name.as_ref(),
        runtime.as_ref(),
        blocking.as_ref(),
        errors,
    );
    let description = function::check_description(ident, attributes, errors);
    let name = declared::check_name(ident, &form, name, errors);
    let aliases = declared::check_aliases(&name, texts(aliases), &form, errors);
    let effect = declared::check_effect(
        pure.as_ref(),
        read_only.as_ref(),
        idempotent.as_ref(),
        errors,
    );
    declared::check_destructive(destructive.as_ref(), effect, errors);
    let determinism = declared::check_determinism(determinism.as_ref(), effect, errors);
    let capabilities = declared::check_capabilities(texts(capabilities), errors);
    declared::check_concurrent(concurrent.as_ref(), effect, errors);
    form::check_blocking(&callee, blocking.as_ref(), errors);
    let timeout_ms = timeout
        .and_then(|timeout| declared::check_timeout(&callee, blocking.is_some(), &timeout, errors));
    let limits = limits
        .map(|limits| declared::check_limits(limits.value, errors))
        .unwrap_or_default();
    let metadata = metadata.map_or_else(Vec::new, |metadata| {
        declared::check_metadata(metadata.value, errors)
    });
    let (parameters, flat) = parameters::check_parameters(ident, parameters, errors);
    let examples = examples.map_or_else(
        Vec::new,
        |Keyed {
             value: Objects(list),
             ..
         }| { examples::check_examples(ident, list, &parameters, flat, errors) },
    );
    let tool = description.map(|description| Tool {
        callee,
        allowed: function::allowed(attributes),
        declared: Declared {
            name,
            title: value(title),
            description,
            version: value(version),
            aliases,
            category: value(category),
            effect: effect.map(|(effect, _)| effect),
            determinism,
            destructive: on(destructive),
            open_world: on(open_world),
            needs_approval: on(needs_approval),
            streaming: on(streaming),
            capabilities,
            timeout_ms,
            limits,
            concurrent: concurrent.is_some(),
            explicit_only: explicit_only.is_some(),
            examples,
            metadata,
            deprecated: function::deprecated(attributes),
        },
        parameters,
        flat,
        needs: needs.map_or_else(
            Vec::new,
            |Keyed {
                 value: Types(list), ..
             }| list,
        ),
        validate: validate.map(|validate| validate.value),
        permission: permission.map(|permission| permission.value),
        blocking: blocking.is_some(),
    });
    Own {
        runtime: runtime_of(runtime),
        struct_name,
        register: register.is_none_or(|register| register.value.0),
        tool,
    }
}

/// Where the runtime is.
pub(crate) fn runtime_of(given: Option<Keyed<Path>>) -> Path {
    given.map_or_else(|| syn::parse_quote!(::toolwright), |runtime| runtime.value)
}

fn texts(list: Option<Keyed<Texts>>) -> Vec<LitStr> {
    list.map_or_else(
        Vec::new,
        |Keyed {
             value: Texts(list), ..
         }| list,
    )
}

fn value(text: Option<Keyed<LitStr>>) -> Option<LitStr> {
    text.map(|text| text.value)
}

fn on(switch: Option<Keyed<Switch>>) -> Option<bool> {
    switch.map(|switch| switch.value.0)
}

/// A key that stands alone, where it stands.
type Flag<'k> = Option<&'k Keyed<Bare>>;
