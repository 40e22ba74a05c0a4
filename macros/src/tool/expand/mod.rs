//! The tokens: a description of the tool and a few calls into the runtime, which does the rest.
//!
//! Nothing here fails. What the runtime is asked for is in its hidden module; see `hooks` for the closures.

mod call;
mod constraints;
mod free;
mod hooks;
mod mentions;
mod presets;
mod statics;

pub(crate) use call::{context, place_of, this};
pub(crate) use constraints::constrained;
pub(super) use free::{free, with_mistakes};
pub(crate) use hooks::cleaned;
pub(crate) use presets::{sample_type, value as preset_value};

use super::model::{Argument, Parameter, Tool};
use crate::holders::focused;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;

// A mistake of types is shown where the tokens of a call are. Where the call has the author's own span, rustc says nothing
// of a macro. But a local variable is seen only by tokens of its own hygiene, and the author's is another than ours where
// the tool is written by a further macro: so each variable is made once and used as the same token.

/// A place of the author's with our hygiene. Lints keep off such tokens too.
pub(crate) fn at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

/// The name of a struct for where it shows that `RunTool` is missing: always in the same place and words, which rustc tells
/// once.
fn unlinted(structure: &Ident) -> Ident {
    let mut name = structure.clone();
    name.set_span(at(structure.span()));
    name
}

/// The imports in front of everything that `definition` writes.
pub(crate) fn imports(runtime: &syn::Path) -> TokenStream {
    quote! {
        use #runtime::__private as __tw;
        use __tw::fallback::*;
    }
}

/// The tuple of the arguments' types.
pub(crate) fn tuple(tool: &Tool) -> TokenStream {
    let types = types(tool);
    quote!((#(#types,)*))
}

/// The tool as a reference that lasts. Not in a `static`: rustc evaluates each of those when it checks a crate, and a
/// method of a generic type can have none.
pub(crate) fn definition(tool: &Tool) -> TokenStream {
    let arguments: Vec<&Argument> = arguments(tool).collect();
    let types = types(tool);
    // The call is the one place whose bounds an argument's type can fail, so it fails once.
    let bounds = if tool.flat {
        quote!(__tw::flat)
    } else {
        let bounds = format_ident!("args{}", types.len());
        quote!(__tw::#bounds)
    };
    let bounds = if types.is_empty() {
        quote!(#bounds())
    } else {
        let types = types.iter().map(|ty| focused(ty));
        quote!(#bounds::<#(#types),*>())
    };
    let declared = statics::declared(&tool.declared, &arguments);
    let described = statics::arguments(&arguments);
    let hooks = hooks::hooks(tool, &arguments);
    let run = call::run(tool);
    let constructor = call::constructor(tool);
    quote!(const { &__tw::Definition::#constructor(#declared, #bounds, #described, #run)#hooks })
}

/// The body that runs a struct, in an async function with the context `__cx`.
pub(crate) fn run_struct(structure: &Ident) -> TokenStream {
    let convert = call::convert(None, structure);
    let structure = unlinted(structure);
    let called = quote_spanned!(structure.span()=> <#structure as __tw::RunTool>::run(self, __cx));
    quote! {
        let __r = #called.await;
        let __hint = __tw::output_hint(__cx);
        #convert
    }
}

/// Announces the tool that a type is.
pub(crate) fn register(ty: &TokenStream) -> TokenStream {
    let package = package();
    quote!(__tw::register!(#package, #ty);)
}

/// The package that is compiled. As `env!` would, which is one more expansion for every tool; Cargo sets it for each
/// crate.
fn package() -> String {
    std::env::var("CARGO_PKG_NAME").unwrap_or_default()
}

/// The attributes under which the author's tokens are repeated.
pub(crate) fn allowances(tool: &Tool) -> TokenStream {
    let deprecated = tool
        .declared
        .deprecated
        .as_ref()
        .map(|_| quote!(#[allow(deprecated)]));
    let allowed = &tool.allowed;
    quote!(#deprecated #(#allowed)*)
}

fn types(tool: &Tool) -> Vec<&Type> {
    arguments(tool).map(|argument| &argument.ty).collect()
}

fn arguments(tool: &Tool) -> impl Iterator<Item = &Argument> {
    tool.parameters.iter().filter_map(Parameter::argument)
}

/// A type that can be written anywhere, as one with an `impl Trait` in it cannot.
fn nameable(ty: Option<&Type>) -> Option<&Type> {
    ty.filter(|ty| !has_impl(ty.to_token_stream()))
}

fn has_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// `0`, as in `arguments.0`.
fn index(position: usize) -> Literal {
    Literal::usize_unsuffixed(position)
}
