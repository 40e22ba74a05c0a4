//! Checks of the function itself: free, safe, not generic, described; and of what its attributes say.

use super::Form;
use super::types::{kind_of, lasting, without_mistakes};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::holders::types_in;
use crate::keys::Keyed;
use crate::names;
use crate::token_search::lifetimes;
use crate::token_text::token_text;
use crate::tool::model::Judged;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Expr, ExprLit, FnArg, GenericArgument, Generics, Lifetime, Lit, Meta, MetaNameValue,
    PathArguments, ReceiverKind, ReturnType, Safety, Signature, Type, TypeParamBound, TypePath,
};

/// Returns the part of the tool that rustc can still check, and true if the returned type is part of it. `of_self` is the
/// `Self` that a free function mentions.
pub(super) fn check_signature(
    signature: &Signature,
    of_self: Option<&Ident>,
    form: &Form,
    errors: &mut Errors,
) -> (Judged, bool) {
    let generic = !signature.generics.params.is_empty();
    let unknown = generic || signature.receiver().is_some() || of_self.is_some();
    check_generics(signature, errors);
    let before = errors.count();
    check_qualifiers(signature, errors);
    match form {
        Form::Free => refuse_receiver(signature, of_self, errors),
        Form::Method(_) | Form::Struct => check_receiver(signature, errors),
    }
    let is_callable = errors.count() == before;
    let returns = check_output(signature, form, errors);
    let has_impl = contains_any(signature.inputs.to_token_stream(), &["impl"]);
    let judged = match form {
        Form::Free if unknown => Judged::Not,
        Form::Method(_) if generic => Judged::Not,
        _ if has_impl || !is_callable || !returns => Judged::WithoutCall,
        _ => Judged::Whole,
    };
    (judged, returns)
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
            abi = token_text(abi)
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
    if only_lifetimes && types.any(|ty| kind_of("", ty, &lifetimes_of(generics)).is_err()) {
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

/// The names of the lifetimes that are declared.
pub(crate) fn lifetimes_of(generics: &Generics) -> Vec<String> {
    generics
        .lifetimes()
        .map(|declared| declared.lifetime.ident.to_string())
        .collect()
}

/// The signature as it is emitted, without the mistakes that rustc would tell of too.
pub(super) fn mend(signature: &mut Signature, around: &[String]) {
    let mut declared = lifetimes_of(&signature.generics);
    declared.extend(around.iter().cloned());
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            *typed.ty = without_mistakes(&typed.ty, &declared);
        }
    }
    if let ReturnType::Type(_, ty) = &mut signature.output {
        **ty = lasting(ty, &declared);
    }
}

fn refuse_receiver(signature: &Signature, of_self: Option<&Ident>, errors: &mut Errors) {
    if let Some(receiver) = signature.receiver() {
        let name = &signature.ident;
        let message = format!(
            "`{name}` takes `self`, and `#[tool]` by itself is for free functions: put `#[toolset]` on the \
             `impl` block; in a trait's block it is for neither, so write a function that takes the value by reference"
        );
        errors.on(receiver.self_token, message);
    } else if let Some(word) = of_self {
        let name = &signature.ident;
        let message = format!(
            "`{name}` mentions `Self`, and `#[tool]` by itself is for free functions: put `#[toolset]` on the \
             `impl` block"
        );
        errors.on(word, message);
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

fn check_output(signature: &Signature, form: &Form, errors: &mut Errors) -> bool {
    let ReturnType::Type(_, ty) = &signature.output else {
        return true;
    };
    let before = errors.count();
    let name = &signature.ident;
    let mut declared = lifetimes_of(&signature.generics);
    declared.extend(form.lifetimes().iter().cloned());
    let unknown = |lifetime: &Lifetime| {
        lifetime.ident != "static"
            && lifetime.ident != "_"
            && !declared.iter().any(|known| lifetime.ident == known)
    };
    if let Some(lifetime) = lifetimes(ty.to_token_stream()).into_iter().find(unknown) {
        let message = format!(
            "`{name}` returns what borrows for `{lifetime}`, which nothing declares: return what is owned, such as \
             `String`, or write `'static`"
        );
        errors.on(lifetime, message);
    }
    if let Some((what, instead)) = awaited_or_iterated(ty, signature) {
        errors.on(ty, format!("`{name}` returns {what}: {instead}"));
    }
    if let Type::Never(never) = &**ty {
        let message = format!(
            "`{name}` never returns, so the model would wait for ever: return a result, or nothing"
        );
        errors.on(never, message);
    }
    errors.count() == before
}

/// A future or an iterator, and what to write in its place.
fn awaited_or_iterated(ty: &Type, signature: &Signature) -> Option<(&'static str, String)> {
    let bounds = match ty {
        Type::ImplTrait(found) => &found.bounds,
        Type::Path(path) => match held(path)? {
            Type::TraitObject(found) => &found.bounds,
            // `Pin<Box<dyn Future>>`
            Type::Path(path) => match held(path)? {
                Type::TraitObject(found) => &found.bounds,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let segment = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().cloned(),
        _ => None,
    };
    let segments: Vec<_> = bounds.iter().filter_map(segment).collect();
    if segments.iter().any(|segment| segment.ident == "Serialize") {
        return None;
    }
    let found = segments.iter().find_map(|segment| {
        let what = match segment.ident.to_string().as_str() {
            "Future" => "a future",
            "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => "an iterator",
            _ => return None,
        };
        Some((what, segment))
    });
    let (what, segment) = found?;
    let inside = match &segment.arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.iter().find_map(|argument| match argument {
                GenericArgument::AssocType(found) => Some(token_text(&found.ty)),
                _ => None,
            })
        }
        _ => None,
    };
    let inside = inside.unwrap_or_else(|| "T".to_owned());
    let name = &signature.ident;
    let instead = match (what, signature.asyncness.is_some()) {
        ("a future", false) => format!("make it `async fn {name}(..) -> {inside}`"),
        ("a future", true) => format!("wait for it with `.await`, and return `{inside}`"),
        _ => format!("return `Vec<{inside}>`, with `.collect()`"),
    };
    Some((what, instead))
}

/// `T` in `Box<T>` and `Pin<T>`.
fn held(path: &TypePath) -> Option<&Type> {
    let segment = path.path.segments.last()?;
    if segment.ident != "Box" && segment.ident != "Pin" {
        return None;
    }
    types_in(&path.path).next()
}

pub(super) fn check_description(
    name: &Ident,
    attributes: &[Attribute],
    // An unknown key was meant as the description.
    described: bool,
    errors: &mut Errors,
) -> Option<Docs> {
    let docs = Docs::of(attributes);
    let starts_with_heading = docs.is_some();
    let description = docs.and_then(Docs::before_heading);
    if description.is_none() && !described {
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
    of_self: Option<&Ident>,
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
    if mentions_type(signature, &handle) {
        let (at, fix) = if is_given {
            (&handle, "name it otherwise".to_owned())
        } else {
            (function, format!("add `struct_name = {handle}Tool`"))
        };
        let message = format!(
            "the tool's struct would be called `{handle}`, like a type in the signature of `{function}`: {fix}"
        );
        errors.on(at, message);
        return None;
    }
    let is_method = signature.receiver().is_some() || of_self.is_some();
    (!is_method).then_some(handle)
}

/// Returns true if a type of the signature is found by this name.
fn mentions_type(signature: &Signature, name: &Ident) -> bool {
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    inputs
        .chain(output)
        .any(|ty| begins_a_path(ty.to_token_stream(), name))
}

/// Returns true if the word stands among the tokens, but not behind `::` and not as a lifetime.
fn begins_a_path(tokens: TokenStream, name: &Ident) -> bool {
    let mut before = None;
    tokens.into_iter().any(|token| {
        let after = before.take();
        match token {
            TokenTree::Punct(punct) => {
                before = Some(punct.as_char());
                false
            }
            TokenTree::Ident(word) => {
                !matches!(after, Some(':' | '\'')) && word.unraw() == name.unraw()
            }
            TokenTree::Group(group) => begins_a_path(group.stream(), name),
            TokenTree::Literal(_) => false,
        }
    })
}

/// The `Self` that only a function in a block can mention.
pub(super) fn of_self(signature: &Signature, body: &TokenStream) -> Option<Ident> {
    find_self(signature.to_token_stream()).or_else(|| {
        let found = find_self(body.clone())?;
        // An item in the body has a `Self` of its own.
        let items = ["impl", "trait", "struct", "enum", "union", "macro_rules"];
        (!contains_any(body.clone(), &items)).then_some(found)
    })
}

fn find_self(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => (word == "Self").then_some(word),
        TokenTree::Group(group) => find_self(group.stream()),
        _ => None,
    })
}

fn contains_any(tokens: TokenStream, words: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => words.iter().any(|word| found == word),
        TokenTree::Group(group) => contains_any(group.stream(), words),
        _ => false,
    })
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
            // Attributes that cannot be read here are left to rustc, which knows them and reports the mistake.
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
