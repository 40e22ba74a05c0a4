//! The constraints of arguments, as calls that both check a value and describe it in the schema.

use super::statics::with;
use super::{at, index, some};
use crate::tool::model::{Argument, Constraint, Rule};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::Expr;

pub(super) fn check(arguments: &[&Argument]) -> Option<TokenStream> {
    let statements: Vec<TokenStream> = arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| !argument.constraints.is_empty())
        .map(|(position, argument)| {
            let calls = argument.constraints.iter().map(call);
            let (index, position) = (index(position), Literal::usize_suffixed(position));
            quote!(__c.of(#position, __s.#index.as_ref()) #(#calls)*;)
        })
        .collect();
    let check = (!statements.is_empty()).then(|| quote!(|__c, __s| { #(#statements)* }));
    with("check", check)
}

fn call(Constraint { key, rule }: &Constraint) -> TokenStream {
    let (method, argument) = match rule {
        Rule::Range { min, max, below } => {
            let (min, max, below) = (
                option(min.as_ref()),
                option(max.as_ref()),
                option(below.as_ref()),
            );
            ("range", quote!(#min, #max, #below))
        }
        Rule::Length { min, max } => {
            let (min, max) = (option(min.as_ref()), option(max.as_ref()));
            ("length", quote!(#min, #max))
        }
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
    let method = Ident::new(method, at(*key));
    quote!(.#method(#argument))
}

fn option(end: Option<&Expr>) -> TokenStream {
    end.map_or_else(
        || quote!(::core::option::Option::None),
        |end| some(quote!(#end)),
    )
}
