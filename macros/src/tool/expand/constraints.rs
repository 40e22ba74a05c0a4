//! The constraints of arguments, as calls that both check a value and describe it in the schema.

use super::index;
use super::statics::with;
use crate::tool::model::{Argument, Constraint, Rule};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

pub(super) fn check(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements: Vec<TokenStream> = arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| !argument.constraints.is_empty())
        .map(|(position, argument)| {
            let (index, literal) = (index(position), Literal::usize_suffixed(position));
            let value = quote!(__c.of(#literal, ::core::option::Option::as_ref(&__s.#index)));
            constrained(value, &argument.constraints)
        })
        .collect();
    let check = (!statements.is_empty()).then(|| quote!(|__c, __s| { #(#statements)* }));
    with("check", check)
}

/// A value with all its constraints.
pub(crate) fn constrained(value: TokenStream, constraints: &[Constraint]) -> TokenStream {
    let mut before = value;
    let mut statements = TokenStream::new();
    for constraint in constraints {
        // A variable for each, because rustc shows a mistake where the receiver is.
        let value = format_ident!("__v", span = constraint.key);
        let call = call(constraint);
        statements.extend(quote!(let #value = #before;));
        before = quote!(#value #call);
    }
    quote!(#statements #before;)
}

fn call(Constraint { key, rule }: &Constraint) -> TokenStream {
    let (method, argument) = match rule {
        Rule::Range { min, max, below } => {
            let (min, max, below) = (min.as_slice(), max.as_slice(), below.as_slice());
            ("range", quote!(&[#(#min),*], &[#(#max),*], &[#(#below),*]))
        }
        Rule::MultipleOf(step) => ("multiple_of", quote!(&[#step])),
        Rule::Length { min, max } => {
            let (min, max) = (min.as_slice(), max.as_slice());
            ("length", quote!(&[#(#min),*], &[#(#max),*]))
        }
        Rule::UniqueItems => ("unique_items", TokenStream::new()),
        Rule::Pattern(pattern) => (
            "pattern",
            quote!({ static P: __tw::Pattern = __tw::Pattern::new(#pattern); &P }),
        ),
        Rule::Format(variant) => {
            let variant = Ident::new(variant, Span::call_site());
            ("format", quote!(__tw::Format::#variant))
        }
        Rule::OneOfText(list) => ("one_of_text", quote!(&[#(#list),*])),
        Rule::OneOfNumber(list) => ("one_of_number", quote!(&[#(#list),*])),
    };
    // A type that cannot have the constraint is reported at its key.
    let method = Ident::new(method, *key);
    quote!(.#method(#argument))
}
