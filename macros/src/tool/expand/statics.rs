//! The constant parts: what the tool and its arguments say of themselves.

use crate::docs::Docs;
use crate::literal::Literal;
use crate::tool::model::{Argument, Declared, Effect, Limits, Metadata, MetadataValue};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Lit, LitFloat, LitInt};

pub(super) fn declared(declared: &Declared, arguments: &[&Argument]) -> TokenStream {
    let Declared {
        name,
        title,
        description,
        version,
        aliases,
        category,
        effect,
        determinism,
        destructive,
        open_world,
        needs_approval,
        streaming,
        capabilities,
        timeout_ms,
        limits: Limits {
            memory,
            fuel,
            output,
        },
        concurrent,
        durable,
        pool,
        explicit_only,
        examples,
        metadata,
        deprecated,
    } = declared;
    let (description, raw) = docs(description);
    let effect = effect.map(|effect| match effect {
        Effect::Pure => quote!(__tw::Effect::Pure),
        Effect::ReadOnly => quote!(__tw::Effect::ReadOnly),
        Effect::Idempotent => quote!(__tw::Effect::Idempotent),
    });
    let determinism = determinism.map(|variant| {
        let variant = Ident::new(variant, Span::call_site());
        quote!(__tw::Determinism::#variant)
    });
    let secrets: Vec<&str> = arguments
        .iter()
        .filter(|argument| argument.secret)
        .map(|argument| argument.name.as_str())
        .collect();
    let parts = [
        raw.then(|| quote!(__tw::Part::Raw)),
        part("Title", title.as_ref()),
        part("Version", version.as_ref()),
        part("Aliases", list(aliases)),
        part("Category", category.as_ref()),
        part("Effect", effect),
        part("Determinism", determinism),
        part("Destructive", *destructive),
        part("OpenWorld", *open_world),
        part("NeedsApproval", *needs_approval),
        part("Streaming", *streaming),
        part("Capabilities", list(capabilities)),
        part("Timeout", *timeout_ms),
        part("Memory", *memory),
        part("Fuel", *fuel),
        part("Output", *output),
        concurrent.then(|| quote!(__tw::Part::Concurrent)),
        durable.then(|| quote!(__tw::Part::Durable)),
        part("Pool", pool.as_ref()),
        explicit_only.then(|| quote!(__tw::Part::ExplicitOnly)),
        part("Secrets", list(&secrets)),
        part("Examples", list(examples)),
        part("Metadata", (!metadata.is_empty()).then(|| pairs(metadata))),
        part("Deprecated", deprecated.as_ref()),
    ];
    let parts = parts.into_iter().flatten();
    let package = super::package();
    quote!((#name, #description, &[#(#parts),*], #package))
}

fn part(name: &str, value: Option<impl ToTokens>) -> Option<TokenStream> {
    let name = Ident::new(name, Span::call_site());
    value.map(|value| quote!(__tw::Part::#name(#value)))
}

/// A call that adds a hook. Calls, where fields and `..NEW` would do: rustc checks every field of the
/// latter, in every tool.
pub(super) fn with(name: &str, value: Option<impl ToTokens>) -> Option<TokenStream> {
    let name = Ident::new(name, Span::call_site());
    value.map(|value| quote!(.#name(#value)))
}

/// A call that says yes.
pub(super) fn flag(name: &str, on: bool) -> Option<TokenStream> {
    with(name, on.then(TokenStream::new))
}

fn list(texts: &[impl ToTokens]) -> Option<TokenStream> {
    (!texts.is_empty()).then(|| quote!(&[#(#texts),*]))
}

/// The text, and whether only the compiler can put it together.
fn docs(docs: &Docs) -> (TokenStream, bool) {
    match docs {
        Docs::Text(text) => (text.to_token_stream(), false),
        Docs::Raw(pieces) => (quote!(::core::concat!(#(#pieces, "\n"),*)), true),
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
    let entries = arguments.iter().map(|argument| {
        let Argument {
            ident: _,
            ty: _,
            name,
            description,
            aliases,
            default: _,
            constraints: _,
            example: _,
            secret,
        } = argument;
        let (description, raw) = description
            .as_ref()
            .map_or_else(|| (quote!(""), false), docs);
        let raw = raw.then(|| quote!(__tw::ArgFlag::Raw));
        let aliases = list(aliases).map(|list| quote!(__tw::ArgFlag::Aliases(#list)));
        let secret = secret.then(|| quote!(__tw::ArgFlag::Secret));
        let marks = raw.into_iter().chain(aliases).chain(secret);
        quote!((#name, #description, &[#(#marks),*]))
    });
    quote!(&[#(#entries),*])
}
