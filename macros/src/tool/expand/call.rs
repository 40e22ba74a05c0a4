//! The call of the author's function: what is lent from the app, the call, and what comes back.

use super::{at, resource};
use crate::tool::model::{Parameter, Resource, Tool};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

pub(super) fn run(tool: &Tool) -> TokenStream {
    let lent = tool
        .parameters
        .iter()
        .filter_map(resource)
        .enumerate()
        .map(|(position, resource)| lend(position, resource));
    let (arguments, inputs) = positions(&tool.parameters);
    let name = &tool.function;
    let place = at(name.span());
    let call = quote_spanned!(place=> #name(#(#inputs),*));
    let future = if tool.is_async {
        call
    } else {
        quote_spanned!(place=> __tw::lazy(move || #call))
    };
    let convert = convert(tool.returned.as_ref(), name);
    // Shown on the function's name when the future cannot be sent.
    let send = Ident::new("tool_future_must_be_send", place);
    quote! {
        |(#(#arguments,)*), __cx| {
            #(#lent)*
            ::core::result::Result::Ok(__tw::#send(__cx, #future, #convert))
        }
    }
}

/// Bound by position: an argument with the function's name would hide the function.
fn positions(parameters: &[Parameter]) -> (Vec<Ident>, Vec<Ident>) {
    let mut arguments = Vec::new();
    let mut resources = 0;
    let mut inputs = Vec::new();
    for parameter in parameters {
        let input = match parameter {
            Parameter::Argument(_) => {
                arguments.push(format_ident!("__{}", arguments.len()));
                arguments.last().cloned()
            }
            Parameter::Resource(_) => {
                resources += 1;
                Some(lent_name(resources - 1))
            }
        };
        inputs.extend(input);
    }
    (arguments, inputs)
}

fn lent_name(position: usize) -> Ident {
    format_ident!("__r{position}")
}

/// The kind is asked of the type, so that borrowed data is refused behind an alias too.
fn lend(
    position: usize,
    Resource {
        ident: _,
        ty,
        optional,
    }: &Resource,
) -> TokenStream {
    let name = lent_name(position);
    let place = at(place_of(ty));
    let kind = quote_spanned!(place=> __tw::Probe::<#ty>(__tw::PhantomData).kind());
    if *optional {
        quote_spanned!(place=> let #name = __tw::inject_optional::<#ty, _>(#kind, __cx);)
    } else {
        quote_spanned!(place=> let #name = __tw::inject::<#ty, _>(#kind, __cx)?;)
    }
}

fn convert(returned: Option<&Type>, function: &Ident) -> TokenStream {
    let (whole, value, error) = places(returned, function.span());
    let split = quote_spanned!(at(whole)=> __tw::Returned(__r).split());
    let put = quote_spanned!(at(value)=> __tw::Value(__v).put(__hint));
    let failed = quote_spanned!(at(error)=> (&&&__tw::error_kind(&__e)).kind().convert(__e));
    quote! {
        |__r, __hint| match #split {
            ::core::result::Result::Ok(__v) => #put,
            ::core::result::Result::Err(__e) => ::core::result::Result::Err(#failed),
        }
    }
}

/// Where mistakes of the return type, of its value and of its error are shown: in `Result<T, E>` on `T` and `E`.
fn places(returned: Option<&Type>, function: Span) -> (Span, Span, Span) {
    let Some(ty) = returned else {
        return (function, function, function);
    };
    let whole = place_of(ty);
    let (mut value, mut error) = (whole, whole);
    if let Type::Path(path) = ty
        && let Some(segment) = path
            .path
            .segments
            .last()
            .filter(|segment| segment.ident == "Result")
        && let PathArguments::AngleBracketed(list) = &segment.arguments
    {
        let mut types = list.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(place_of(ty)),
            _ => None,
        });
        value = types.next().unwrap_or(whole);
        error = types.next().unwrap_or(whole);
    }
    (whole, value, error)
}

/// The word of a type that says most: `Error` in `std::io::Error`.
fn place_of(ty: &Type) -> Span {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or_else(|| ty.span(), |segment| segment.ident.span()),
        other => other.span(),
    }
}
