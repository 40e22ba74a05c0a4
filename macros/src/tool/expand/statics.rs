//! The constant parts: what the tool and its arguments say of themselves, and the defaults.

use super::{default_function, index, some};
use crate::docs::Docs;
use crate::literal::Literal;
use crate::tool::model::{Argument, Declared, Effect, Metadata, MetadataValue, Preset};
use crate::values::DefaultValue;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Lit, LitFloat, LitInt, LitStr};

pub(super) fn declared(declared: &Declared) -> TokenStream {
    let Declared {
        name,
        title,
        description,
        version,
        aliases,
        category,
        effect,
        destructive,
        open_world,
        needs_approval,
        streaming,
        timeout_ms,
        metadata,
        deprecated,
    } = declared;
    let description = docs(description);
    let effect = effect.map(|effect| match effect {
        Effect::Pure => quote!(__tw::Effect::Pure),
        Effect::ReadOnly => quote!(__tw::Effect::ReadOnly),
        Effect::Idempotent => quote!(__tw::Effect::Idempotent),
    });
    let optional = [
        with("title", title.as_ref()),
        with("version", version.as_ref()),
        with("aliases", list(aliases)),
        with("category", category.as_ref()),
        with("effect", effect),
        with("destructive", *destructive),
        with("open_world", *open_world),
        with("needs_approval", *needs_approval),
        with("streaming", *streaming),
        with("timeout_ms", *timeout_ms),
        with("metadata", (!metadata.is_empty()).then(|| pairs(metadata))),
        with("deprecated", deprecated.as_ref()),
    ];
    quote!(__tw::Declared::new(#name, #description)#(#optional)*)
}

/// A call that adds a part to a constant. Calls, where fields and `..NEW` would do: rustc checks
/// every field of the latter, in every tool.
pub(super) fn with(name: &str, value: Option<impl ToTokens>) -> Option<TokenStream> {
    let name = proc_macro2::Ident::new(name, Span::call_site());
    value.map(|value| quote!(.#name(#value)))
}

fn list(texts: &[LitStr]) -> Option<TokenStream> {
    (!texts.is_empty()).then(|| quote!(&[#(#texts),*]))
}

fn docs(docs: &Docs) -> TokenStream {
    match docs {
        Docs::Text(text) => quote!(__tw::Docs::Text(#text)),
        Docs::Raw(pieces) => quote!(__tw::Docs::Raw(::core::concat!(#(#pieces, "\n"),*))),
    }
}

fn pairs(metadata: &[Metadata]) -> TokenStream {
    let pairs = metadata.iter().map(|Metadata { key, value }| {
        let value = match value {
            MetadataValue::Text(text) => quote!(Text(#text)),
            MetadataValue::Integer(number) => {
                let number = without_suffix(number);
                quote!(Integer(#number))
            }
            MetadataValue::Float(number) => {
                let number = without_suffix(number);
                quote!(Float(#number))
            }
            MetadataValue::Bool(truth) => quote!(Bool(#truth)),
        };
        quote!((#key, __tw::Meta::#value))
    });
    quote!(&[#(#pairs),*])
}

/// `2u8` is 2: the suffix would only clash with the runtime's type.
fn without_suffix(literal: &Literal) -> TokenStream {
    let Literal { minus, lit } = literal;
    let lit = match lit {
        Lit::Int(number) if matches!(number.suffix(), "f32" | "f64") => {
            LitFloat::new(&format!("{}.0", number.base10_digits()), number.span())
                .into_token_stream()
        }
        Lit::Int(number) => LitInt::new(number.base10_digits(), number.span()).into_token_stream(),
        Lit::Float(number) => {
            LitFloat::new(number.base10_digits(), number.span()).into_token_stream()
        }
        other => other.into_token_stream(),
    };
    quote!(#minus #lit)
}

pub(super) fn arguments(arguments: &[&Argument]) -> TokenStream {
    let entries = arguments.iter().enumerate().map(|(position, argument)| {
        let Argument {
            ident: _,
            ty: _,
            name,
            description,
            aliases,
            default,
            constraints: _,
        } = argument;
        let description = description
            .as_ref()
            .map_or_else(|| quote!(__tw::Docs::Text("")), docs);
        let aliases = with("aliases", list(aliases));
        let default = default.as_ref().map(|_| {
            let function = default_function(position);
            quote!(|| (&__tw::Shown(&#function())).tool_json())
        });
        let default = with("default", default);
        quote!(__tw::Argument::new(#name, #description)#aliases #default)
    });
    quote!(&[#(#entries),*])
}

/// A function each, so that an author's expression stands in one place.
pub(super) fn default_functions(arguments: &[&Argument]) -> Vec<TokenStream> {
    let with_default = arguments
        .iter()
        .enumerate()
        .filter_map(|(position, argument)| {
            let Preset { key, value } = argument.default.as_ref()?;
            let name = default_function(position);
            let ty = &argument.ty;
            let value = match value {
                DefaultValue::OfType => {
                    quote_spanned!(*key=> __tw::own_default())
                }
                DefaultValue::Text(text) => {
                    quote_spanned!(text.span()=> __tw::default_from_text(#text))
                }
                DefaultValue::Expr(value) => value.to_token_stream(),
            };
            Some(quote! {
                fn #name() -> #ty {
                    #value
                }
            })
        });
    with_default.collect()
}

/// Fills in what the model left out.
pub(super) fn fill(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements: Vec<TokenStream> = arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| argument.default.is_some())
        .map(|(position, _)| {
            let (index, function) = (index(position), default_function(position));
            let value = some(quote!(#function()));
            quote! {
                if __s.#index.is_none() {
                    __s.#index = #value;
                }
            }
        })
        .collect();
    let fill = (!statements.is_empty()).then(|| quote!(|__s| { #(#statements)* }));
    with("fill", fill)
}
