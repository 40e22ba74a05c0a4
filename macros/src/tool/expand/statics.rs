//! The constant parts: what the tool and its arguments say of themselves, and the defaults.

use super::{at, default_function, index, some};
use crate::docs::Docs;
use crate::literal::Literal;
use crate::tool::model::{Argument, Declared, Effect, Metadata, MetadataValue, Preset};
use crate::values::DefaultValue;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Lit, LitFloat, LitInt};

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
        Effect::Pure => quote!(effect: __tw::Effect::Pure,),
        Effect::ReadOnly => quote!(effect: __tw::Effect::ReadOnly,),
        Effect::Idempotent => quote!(effect: __tw::Effect::Idempotent,),
    });
    let optional = [
        field("title", title.as_ref().map(some)),
        field("version", version.as_ref().map(some)),
        field(
            "aliases",
            (!aliases.is_empty()).then(|| quote!(&[#(#aliases),*])),
        ),
        field("category", category.as_ref().map(some)),
        effect,
        field("destructive", destructive.map(some)),
        field("open_world", open_world.map(some)),
        field("needs_approval", needs_approval.map(some)),
        field("streaming", streaming.map(some)),
        field("timeout_ms", timeout_ms.map(some)),
        field("metadata", (!metadata.is_empty()).then(|| pairs(metadata))),
        field("deprecated", deprecated.as_ref().map(some)),
    ];
    quote! {
        __tw::Declared { name: #name, description: #description, #(#optional)* ..__tw::Declared::NEW }
    }
}

fn field(name: &str, value: Option<TokenStream>) -> Option<TokenStream> {
    let name = proc_macro2::Ident::new(name, Span::call_site());
    value.map(|value| quote!(#name: #value,))
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

pub(super) fn arguments(arguments: &[&Argument]) -> Option<TokenStream> {
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
        let description = field("description", description.as_ref().map(docs));
        let aliases = field(
            "aliases",
            (!aliases.is_empty()).then(|| quote!(&[#(#aliases),*])),
        );
        let default = default.as_ref().map(|_| {
            let function = default_function(position);
            let shown = some(quote!(|| (&__tw::Shown(&#function())).json()));
            quote!(default: #shown,)
        });
        quote!(__tw::Argument { name: #name, #description #aliases #default ..__tw::Argument::NEW })
    });
    (!arguments.is_empty()).then(|| quote!(arguments: &[#(#entries),*],))
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
                    quote_spanned!(at(*key)=> ::core::default::Default::default())
                }
                // The type is inferred, so that one which is not made of text is reported on the text.
                DefaultValue::Text(text) => {
                    quote_spanned!(at(text.span())=> __tw::default_from_str(#text))
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
    let fill = some(quote!(|__s| { #(#statements)* }));
    (!statements.is_empty()).then(|| quote!(fill: #fill,))
}
