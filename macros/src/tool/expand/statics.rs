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
        explicit_only,
        examples,
        metadata,
        deprecated,
    } = declared;
    let description = docs(description);
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
    let optional = [
        with("title", title.as_ref()),
        with("version", version.as_ref()),
        with("aliases", list(aliases)),
        with("category", category.as_ref()),
        with("effect", effect),
        with("determinism", determinism),
        with("destructive", *destructive),
        with("open_world", *open_world),
        with("needs_approval", *needs_approval),
        with("streaming", *streaming),
        with("capabilities", list(capabilities)),
        with("timeout_ms", *timeout_ms),
        with("memory", *memory),
        with("fuel", *fuel),
        with("output", *output),
        flag("concurrent", *concurrent),
        flag("explicit_only", *explicit_only),
        with("secrets", list(&secrets)),
        with("examples", list(examples)),
        with("metadata", (!metadata.is_empty()).then(|| pairs(metadata))),
        with("deprecated", deprecated.as_ref()),
    ];
    quote!(__tw::Declared::new(#name, #description)#(#optional)*)
}

/// A call that adds a part to a constant. Calls, where fields and `..NEW` would do: rustc checks
/// every field of the latter, in every tool.
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
        let description = description
            .as_ref()
            .map_or_else(|| quote!(__tw::Docs::Text("")), docs);
        let aliases = with("aliases", list(aliases));
        let secret = flag("secret", *secret);
        quote!(__tw::Argument::new(#name, #description)#aliases #secret)
    });
    quote!(&[#(#entries),*])
}
