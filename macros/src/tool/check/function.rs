//! What the function itself must be: free, safe, not generic, described; and what its attributes say.

use super::Form;
use super::types::kind_of;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::names;
use crate::show::show;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Expr, ExprLit, FnArg, Lit, Meta, MetaNameValue, ReceiverKind, ReturnType, Safety,
    Signature, Type,
};

pub(super) fn check_signature(signature: &Signature, form: &Form, errors: &mut Errors) {
    check_qualifiers(signature, errors);
    check_generics(signature, errors);
    match form {
        Form::Free => refuse_receiver(signature, errors),
        Form::Method(_) | Form::Struct => check_receiver(signature, errors),
    }
    check_output(signature, errors);
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    let name = &signature.ident;
    if let Some(word) = &signature.constness {
        errors.on(
            word,
            format!("`{name}` is `const`, but a tool is called while the app runs: remove `const`"),
        );
    }
    if let Safety::Unsafe(word) = &signature.safety {
        let message = format!(
            "`{name}` is `unsafe`, and a model cannot keep what an unsafe function asks of its caller: \
             remove `unsafe`, and check inside what has to hold"
        );
        errors.on(word, message);
    }
    if let Some(abi) = &signature.abi {
        let message = format!(
            "`{name}` is `{abi}`, but a tool is called from Rust: remove `{abi}`",
            abi = show(abi)
        );
        errors.on(abi, message);
    }
    if let Some(variadic) = &signature.variadic {
        let message = format!("`{name}` has no fixed parameters: take a `Vec` in place of `...`");
        errors.on(variadic.dots, message);
    }
}

fn check_generics(signature: &Signature, errors: &mut Errors) {
    let name = &signature.ident;
    let generics = &signature.generics;
    if generics.params.is_empty() {
        if let Some(clause) = &generics.where_clause {
            let message = format!(
                "`{name}` has a `where` clause, but nothing is generic in a tool: remove it"
            );
            errors.on(clause, message);
        }
        return;
    }
    let only_lifetimes =
        generics.type_params().next().is_none() && generics.const_params().next().is_none();
    let mut types = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    // Whoever owns what was borrowed needs no lifetime any more.
    if only_lifetimes && types.any(|ty| kind_of("", ty).is_err()) {
        return;
    }
    let message = if only_lifetimes {
        format!(
            "`{name}` names a lifetime, and a tool has none to name: take what the model fills in by value, \
             and what comes from the app as `&T`"
        )
    } else {
        format!(
            "`{name}` is generic, and a tool is one function with one schema: write concrete types, \
             or take a `&dyn Trait` from the app"
        )
    };
    errors.on(generics, message);
}

fn refuse_receiver(signature: &Signature, errors: &mut Errors) {
    if let Some(receiver) = signature.receiver() {
        let name = &signature.ident;
        let message = format!(
            "`{name}` takes `self`, and `#[tool]` by itself is for free functions: put `#[toolset]` on the \
             `impl` block; in a trait's block it is for neither, so write a function that takes the value by reference"
        );
        errors.on(receiver.self_token, message);
    }
}

/// The tools of a block share its value, so that each has it by reference.
fn check_receiver(signature: &Signature, errors: &mut Errors) {
    let Some(receiver) = signature.receiver() else {
        return;
    };
    let name = &signature.ident;
    let (shared, mutable) = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutable) => (true, mutable.as_ref()),
        ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(ty) => (is_self(&ty.elem), ty.mutability.as_ref()),
            _ => (false, None),
        },
        _ => (false, None),
    };
    if let Some(word) = mutable.filter(|_| shared) {
        let message = format!(
            "`{name}` changes `self`, and calls that run at once share it: take `&self`, \
             and keep what changes behind a `Mutex` or in an atomic"
        );
        errors.on(word, message);
    } else if !shared {
        let message =
            format!("`{name}` takes `self` whole, and later calls need it too: take `&self`");
        errors.on(receiver.self_token, message);
    }
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Self"))
}

fn check_output(signature: &Signature, errors: &mut Errors) {
    if let ReturnType::Type(_, ty) = &signature.output
        && let Type::Never(never) = &**ty
    {
        let name = &signature.ident;
        let message = format!(
            "`{name}` never returns, so the model would wait for ever: return a result, or nothing"
        );
        errors.on(never, message);
    }
}

pub(super) fn check_description(
    name: &Ident,
    attributes: &[Attribute],
    errors: &mut Errors,
) -> Option<Docs> {
    let docs = Docs::of(attributes);
    let starts_with_heading = docs.is_some();
    let description = docs.and_then(Docs::before_heading);
    if description.is_none() {
        let problem = if starts_with_heading {
            "the description of `{}` is empty: the model reads the doc text up to its first heading; \
             write what the tool does before the heading"
        } else {
            "`{}` has no description, by which a model chooses a tool: write a doc comment, \
             such as `/// Reads a text file.`"
        };
        errors.on(name, problem.replace("{}", &name.to_string()));
    }
    description
}

/// The struct's name. `None` also for a method: in an `impl` block a struct would be a second error.
pub(super) fn check_handle(
    signature: &Signature,
    given: Option<Keyed<Ident>>,
    errors: &mut Errors,
) -> Option<Ident> {
    let function = &signature.ident;
    let is_given = given.is_some();
    let handle = given.map(|Keyed { value, .. }| value);
    let handle = handle.or_else(|| derived_handle(function, errors))?;
    if handle.unraw() == function.unraw() {
        let (at, fix) = if is_given {
            (
                &handle,
                "name it otherwise, or remove `struct_name`".to_owned(),
            )
        } else {
            (function, format!("add `struct_name = {handle}Tool`"))
        };
        let message =
            format!("the tool's struct would be called `{handle}`, like the function: {fix}");
        errors.on(at, message);
        return None;
    }
    signature.receiver().is_none().then_some(handle)
}

fn derived_handle(function: &Ident, errors: &mut Errors) -> Option<Ident> {
    let name = names::struct_name(&function.unraw().to_string());
    if name.is_none() {
        let message = format!("no struct can be named after `{function}`: add `struct_name = ..`");
        errors.on(function, message);
    }
    name.map(|name| Ident::new(&name, Span::call_site().located_at(function.span())))
}

/// The note of `#[deprecated]`.
pub(super) fn deprecated(attributes: &[Attribute]) -> Option<String> {
    let attribute = attributes
        .iter()
        .find(|attribute| attribute.path().is_ident("deprecated"))?;
    let note = match &attribute.meta {
        Meta::Path(_) => None,
        Meta::NameValue(pair) => text(&pair.value),
        Meta::List(list) => {
            let mut note = None;
            // What cannot be read here is reported by rustc, which knows the attribute.
            let _ = list.parse_nested_meta(|meta| {
                let pair = MetaNameValue {
                    path: meta.path,
                    eq_token: meta.input.parse()?,
                    value: meta.input.parse()?,
                };
                if pair.path.is_ident("note") {
                    note = text(&pair.value);
                }
                Ok(())
            });
            note
        }
    };
    Some(note.unwrap_or_default())
}

fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

/// `#[allow(..)]` for each lint that the function allows or expects.
pub(crate) fn allowed(attributes: &[Attribute]) -> Vec<TokenStream> {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
                let lints = &list.tokens;
                Some(quote!(#[allow(#lints)]))
            }
            _ => None,
        })
        .collect()
}
