//! From what was written to what it means. Every check reports all it finds and goes on.

mod capabilities;
mod claims;
mod constraints;
mod declared;
mod determinism;
mod examples;
mod form;
mod function;
mod multiples;
mod needs;
mod pairs;
mod parameters;
mod presets;
mod types;

pub(crate) use constraints::{Allowed, check_constraints};
pub(crate) use form::{Form, MethodOf, Written};
pub(crate) use function::allowed;
pub(crate) use parameters::undocumented;
pub(crate) use presets::check_presets;
pub(crate) use types::{borrowed, is_no_object, is_option, lent};

use super::model::{Callee, Declared, Free, Function, Shell, Tool};
use super::parse::Parsed;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::values::Bare;
use proc_macro2::Ident;
use quote::quote;
use syn::{Attribute, Path, ReturnType, Signature};

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
        mut keys,
        parameters,
    } = written;
    form.check_keys(&keys, errors);
    form::check_blocking(&callee, keys.blocking.as_ref(), errors);
    form::check_permission(&callee, keys.permission.as_ref(), errors);
    form::check_cleanup(keys.cleanup.as_ref(), errors);
    let is_blocking = keys.blocking.is_some();
    let (validate, permission) = (keys.validate.take(), keys.permission.take());
    let cleanup = keys.cleanup.take();
    let (needs, examples) = (keys.needs.take(), keys.examples.take());
    let of_block = matches!(&form, Form::Method(of) if of.deny_undocumented);
    let deny_undocumented = keys.deny_undocumented.take().is_some() || of_block;
    let (register, struct_name) = (keys.register.take(), keys.struct_name.take());
    let runtime = runtime_of(keys.runtime.take());
    let determinism = keys.determinism.as_ref().map(|given| given.value.clone());
    let bounded = determinism.filter(|word| word == "bounded");
    let declared = declared::check(ident, &form, attributes, &callee, keys, errors);
    let written = parameters.len();
    if deny_undocumented {
        parameters::check_documented(&parameters, errors);
    }
    let (parameters, flat) = parameters::check_parameters(ident, &form, parameters, errors);
    // An argument that was refused may be what an example names.
    let none_refused = parameters.len() == written;
    if none_refused {
        determinism::check_bounded(bounded.as_ref(), &callee, &parameters, errors);
    }
    let all_known = !flat && none_refused;
    let examples = examples.map_or_else(Vec::new, |examples| {
        examples::check_examples(ident, &examples.value, &parameters, all_known, errors)
    });
    let needs = needs.map_or_else(Vec::new, |needs| {
        needs::check_needs(needs, &parameters, errors)
    });
    let tool = declared.map(|declared| Tool {
        callee,
        allowed: allowed(attributes),
        declared: Declared {
            examples,
            ..declared
        },
        parameters,
        flat,
        needs,
        validate: validate.map(|validate| validate.value),
        permission: permission.map(|permission| permission.value),
        cleanup: cleanup.map(|cleanup| cleanup.value),
        blocking: is_blocking,
    });
    Own {
        runtime,
        struct_name,
        register: register.is_none_or(|register| register.value.0),
        tool,
    }
}

/// Where the runtime is.
pub(crate) fn runtime_of(given: Option<Keyed<Path>>) -> Path {
    given.map_or_else(|| syn::parse_quote!(::toolwright), |runtime| runtime.value)
}

/// A key that stands alone, where it stands.
type Flag<'k> = Option<&'k Keyed<Bare>>;
