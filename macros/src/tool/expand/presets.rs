//! Defaults and examples, as calls that name each value once.

use super::index;
use super::statics::with;
use crate::tool::model::{Argument, DefaultOrExample};
use crate::values::DefaultValue;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;

/// Fills in what the model left out, and shows it in the schema.
pub(super) fn fill(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements = arguments.iter().enumerate().filter_map(|(place, argument)| {
        let value = value(argument.default.as_ref()?);
        let (slot, place) = (index(place), Literal::usize_suffixed(place));
        Some(quote!(__d.preset(#place, &mut __s.#slot, || #value, |__v| (&__tw::Shown(__v)).__tool_json());))
    });
    let all: TokenStream = statements.collect();
    with(
        "fill",
        (!all.is_empty()).then(|| quote!(|__d, __s| { #all })),
    )
}

/// Shows the examples in the schema.
pub(super) fn samples(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements = arguments
        .iter()
        .enumerate()
        .filter_map(|(place, argument)| {
            let (value, of) = (value(argument.example.as_ref()?), sample_type(&argument.ty));
            let place = Literal::usize_suffixed(place);
            Some(quote!(__d.sample(#place, #of, || #value, |__v| (&__tw::Shown(__v)).__tool_json());))
        });
    let all: TokenStream = statements.collect();
    with("samples", (!all.is_empty()).then(|| quote!(|__d| { #all })))
}

/// The type of an example: for an `Option` the type in it.
pub(crate) fn sample_type(ty: &Type) -> TokenStream {
    quote!(__tw::SampleProbe::<#ty>(__tw::PhantomData).__tool_sample())
}

pub(crate) fn value(DefaultOrExample { key, value }: &DefaultOrExample) -> TokenStream {
    match value {
        DefaultValue::OfType => quote_spanned!(*key=> __tw::own_default()),
        DefaultValue::Text(text) => quote_spanned!(text.span()=> __tw::default_from_text(#text)),
        DefaultValue::Expr(value) => value.to_token_stream(),
    }
}
