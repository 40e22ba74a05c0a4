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

pub(crate) use claims::{Claim, check_claims};
pub(crate) use constraints::check_constraints;
pub(crate) use form::{Form, MethodOf, Written};
pub(crate) use function::{allowed, lifetimes_of};
pub(crate) use parameters::undocumented;
pub(crate) use presets::check_presets;
pub(crate) use types::{borrowed, is_no_object, is_option, lent, owned};

use super::model::{Callee, Declared, Emitted, Free, Function, Judged, Tool};
use super::parse::ParsedTool;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::renamed::runtime_of;
use crate::values::{Bare, Texts};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Attribute, LitStr, Path, ReturnType, Signature, parse_quote};

/// A free function.
pub(super) fn check(parsed: ParsedTool, errors: &mut Errors) -> (Emitted, Free) {
    let ParsedTool {
        attributes,
        visibility,
        mut signature,
        body,
        keys,
        parameters,
    } = parsed;
    let of_self = function::of_self(&signature, &body);
    let (judged, returns) =
        function::check_signature(&signature, of_self.as_ref(), &Form::Free, errors);
    function::mend(&mut signature, &[]);
    let callee = Callee::Function(function(&signature, returns));
    let written = Written {
        form: Form::Free,
        ident: &signature.ident,
        lifetimes: lifetimes_of(&signature.generics),
        attributes: &attributes,
        callee,
        judged,
        keys,
        parameters,
    };
    let Own {
        runtime,
        struct_name,
        register,
        tool,
    } = check_tool(written, errors);
    let handle = function::check_handle(&signature, of_self.as_ref(), struct_name, errors);
    let emitted = Emitted {
        runtime,
        visibility: visibility.clone(),
        cfgs: cfgs(&attributes),
        function: {
            let signature = emitted(&signature);
            quote!(#(#attributes)* #visibility #signature #body)
        },
        handle,
    };
    (emitted, Free { register, tool })
}

/// A method of a block, whose own words are in `of`.
pub(crate) fn check_method(parsed: &mut ParsedTool, of: MethodOf, errors: &mut Errors) -> Tool {
    let form = Form::Method(of);
    let ParsedTool {
        attributes,
        visibility: _,
        signature,
        body: _,
        keys,
        parameters,
    } = parsed;
    let (judged, returns) = function::check_signature(signature, None, &form, errors);
    function::mend(signature, form.lifetimes());
    let written = Written {
        form,
        ident: &signature.ident,
        lifetimes: lifetimes_of(&signature.generics),
        attributes,
        callee: Callee::Method {
            function: function(signature, returns),
            takes_self: signature.receiver().is_some(),
        },
        judged,
        keys: std::mem::take(keys),
        parameters: std::mem::take(parameters),
    };
    check_tool(written, errors).tool
}

/// `returns` is `false` where no tool can return what stands there.
fn function(signature: &Signature, returns: bool) -> Function {
    Function {
        ident: signature.ident.clone(),
        is_async: signature.asyncness.is_some(),
        returned: match &signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => returns.then(|| (**ty).clone()),
        },
    }
}

/// The signature, with an empty list of parameters of ours where it has none. Of a type that it does not find, rustc
/// suggests to make a parameter, in the list where the type is first mentioned; and where it suggests something in the one
/// place and not in the others, it tells of it twice.
fn emitted(signature: &Signature) -> TokenStream {
    let Signature {
        constness,
        asyncness,
        safety,
        abi,
        fn_token,
        ident,
        generics,
        inputs,
        variadic,
        output,
        ..
    } = signature;
    if !generics.params.is_empty() || variadic.is_some() {
        return signature.to_token_stream();
    }
    let clause = &generics.where_clause;
    quote!(#constness #asyncness #safety #abi #fn_token #ident<>(#inputs) #output #clause)
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
    pub(crate) tool: Tool,
}

/// Checks everything that is the same for every form.
pub(crate) fn check_tool(written: Written<'_>, errors: &mut Errors) -> Own {
    let Written {
        form,
        ident,
        mut lifetimes,
        attributes,
        callee,
        judged,
        mut keys,
        parameters,
    } = written;
    form.check_keys(&keys, errors);
    // A refused key is left out of the code that rustc checks.
    let is_blocking = form::check_blocking(&callee, keys.blocking.as_ref(), errors);
    if !form::check_permission(&callee, keys.permission.as_ref(), errors) {
        keys.permission = None;
    }
    if !form::check_cleanup(&callee, keys.cleanup.as_ref(), errors) {
        keys.cleanup = None;
    }
    let (validate, permission) = (keys.validate.take(), keys.permission.take());
    let cleanup = keys.cleanup.take();
    let (needs, examples) = (keys.needs.take(), keys.examples.take());
    let of_block = matches!(&form, Form::Method(of) if of.deny_undocumented);
    let deny_undocumented = keys.deny_undocumented.take().is_some() || of_block;
    let (register, struct_name) = (keys.register.take(), keys.struct_name.take());
    let runtime = match form {
        // A block says it once, for all of its methods.
        Form::Method(_) => parse_quote!(::toolwright),
        Form::Free | Form::Struct => runtime_of(keys.runtime.take(), "tool", errors),
    };
    let determinism = keys.determinism.as_ref().map(|given| given.value.clone());
    let bounded = determinism.filter(|word| word == "bounded");
    let declared = declared::check(ident, &form, attributes, &callee, keys, errors);
    lifetimes.extend(form.lifetimes().iter().cloned());
    let written = parameters.len();
    if deny_undocumented {
        parameters::check_documented(&parameters, errors);
    }
    let (parameters, flat, none_refused) =
        parameters::check_parameters(ident, &form, &lifetimes, parameters, errors);
    // An argument that was refused may be what an example names.
    if none_refused {
        determinism::check_bounded(bounded.as_ref(), &callee, &parameters, errors);
    }
    let judged = match judged {
        Judged::Whole if parameters.len() < written => Judged::WithoutCall,
        judged => judged,
    };
    let all_known = !flat && none_refused;
    let examples = examples.map_or_else(Vec::new, |examples| {
        examples::check_examples(ident, &examples.value, &parameters, all_known, errors)
    });
    let needs = needs.map_or_else(Vec::new, |needs| {
        needs::check_needs(needs, &parameters, errors)
    });
    // They may name an argument that was refused, or count on it.
    let validate = validate.filter(|_| none_refused);
    let permission = permission.filter(|_| none_refused);
    let tool = Tool {
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
        judged,
    };
    Own {
        runtime,
        struct_name,
        register: register.is_none_or(|register| register.value.0),
        tool,
    }
}

/// A key that stands alone, where it stands.
type Flag<'k> = Option<&'k Keyed<Bare>>;

/// The texts of a key; none without it.
pub(crate) fn texts(given: Option<Keyed<Texts>>) -> Vec<LitStr> {
    given.map_or_else(Vec::new, |given| given.value.0)
}
