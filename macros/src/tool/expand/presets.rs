//! Defaults and examples, as calls that name each value once.

use super::index;
use super::statics::with;
use crate::tool::model::{Argument, Preset};
use crate::values::DefaultValue;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};

/// Fills in what the model left out, and shows it in the schema.
pub(super) fn fill(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements = statements(arguments, |argument, slot, index, value| {
        let value = value(argument.default.as_ref()?);
        Some(
            quote!(__d.preset(#index, &mut #slot, || #value, |__v| (&__tw::Shown(__v)).__tool_json());),
        )
    });
    with("fill", statements.map(|all| quote!(|__d, __s| { #all })))
}

/// Shows the examples in the schema.
pub(super) fn samples(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements = statements(arguments, |argument, slot, index, value| {
        let value = value(argument.example.as_ref()?);
        Some(
            quote!(__d.sample(#index, &#slot, || #value, |__v| (&__tw::Shown(__v)).__tool_json());),
        )
    });
    with("samples", statements.map(|all| quote!(|__d, __s| { #all })))
}

type Write = fn(&Argument, TokenStream, Literal, fn(&Preset) -> TokenStream) -> Option<TokenStream>;

fn statements(arguments: &[&Argument], write: Write) -> Option<TokenStream> {
    let written = arguments
        .iter()
        .enumerate()
        .filter_map(|(place, argument)| {
            let slot = index(place);
            write(
                argument,
                quote!(__s.#slot),
                Literal::usize_suffixed(place),
                value,
            )
        });
    let all: TokenStream = written.collect();
    (!all.is_empty()).then_some(all)
}

pub(crate) fn value(Preset { key, value }: &Preset) -> TokenStream {
    match value {
        DefaultValue::OfType => quote_spanned!(*key=> __tw::own_default()),
        DefaultValue::Text(text) => quote_spanned!(text.span()=> __tw::default_from_text(#text)),
        DefaultValue::Expr(value) => value.to_token_stream(),
    }
}
