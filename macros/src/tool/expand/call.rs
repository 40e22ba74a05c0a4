//! The call of the author's function: what is lent from the app, the call, and what comes back.

use super::{arguments, at, nameable};
use crate::holders::{innermost, types_in};
use crate::token_search::leads_to;
use crate::tool::model::{Callee, Function, Judged, Parameter, Resource, Structure, Tool};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

pub(super) fn run(tool: &Tool) -> TokenStream {
    if tool.judged != Judged::Whole {
        return not_called(&tool.callee);
    }
    match &tool.callee {
        Callee::Function(function) => {
            let name = &function.ident;
            function_run(tool, function, &quote!(#name), None)
        }
        Callee::Method {
            function,
            takes_self,
        } => {
            let name = &function.ident;
            let this = takes_self.then(this);
            function_run(tool, function, &quote!(Self::#name), this.as_ref())
        }
        // A struct with mistakes is not made of its arguments.
        Callee::Struct(Structure { ident }) => {
            let (context, values) = (context(), format_ident!("__v"));
            let called = quote! {
                async move {
                    <#ident as __tw::TypedTool>::invoke(__made(#values), &#context).await
                }
            };
            later(
                ident,
                &quote! {
                    |#values, _, #context| {
                        let #context = __tw::own_context(#context);
                        __tw::converted(0, #called, |__output, _| __output)
                    }
                },
            )
        }
    }
}

/// The returned value of a call that cannot be written because of mistakes. It never runs, but it has the right type.
fn not_called(callee: &Callee) -> TokenStream {
    let never = quote!(::core::unreachable!());
    match callee {
        Callee::Function(function) | Callee::Method { function, .. } => {
            let Some(ty) = nameable(function.returned.as_ref()) else {
                return quote!(|_, _, _| #never);
            };
            let convert = convert(Some(ty), &function.ident);
            quote! {
                |_, _, _| {
                    let (__hint, __r): (usize, #ty) = #never;
                    #convert
                }
            }
        }
        Callee::Struct(_) => quote!(|_, _, _| #never),
    }
}

fn function_run(
    tool: &Tool,
    function: &Function,
    path: &TokenStream,
    this: Option<&Ident>,
) -> TokenStream {
    let Function {
        ident: name,
        is_async,
        returned,
    } = function;
    let lent = tool
        .parameters
        .iter()
        .filter_map(Parameter::resource)
        .enumerate()
        .map(|(position, resource)| lend(position, resource, *is_async))
        .collect::<Vec<TokenStream>>();
    let converted = convert(returned.as_ref(), name);
    if *is_async && this.is_none() && takes_arguments_alone(tool) {
        let ty = match returned {
            None => Some(quote!(())),
            returned => nameable(returned.as_ref()).map(ToTokens::to_token_stream),
        };
        if let Some(ty) = ty {
            return of_arguments(tool, name, path, &ty, &converted);
        }
    }
    let named = named(returned.as_ref());
    let convert = quote!(#named #converted);
    let (arguments, inputs) = positions(&tool.parameters);
    let receiver = this.map(|this| quote!(&*#this,));
    let call = quote_spanned!(name.span()=> #path(#receiver #(#inputs),*));
    let context = context();
    let (parameter, own) = match this {
        None => (quote!(_), None),
        Some(this) => (
            quote!(#this),
            Some(quote!(let #this = __tw::receiver::<Self>(#this)?;)),
        ),
    };
    let result = if !*is_async {
        quote! {
            #own
            #(#lent)*
            let __hint = __tw::output_hint(#context);
            let __r = #call;
            #convert
        }
    } else if this.is_some() || !lent.is_empty() {
        // The future keeps what is lent to it, from which what is returned may borrow.
        let converted = quote_spanned! {at(name.span())=>
            async move {
                let #context = &#context;
                #own
                #(#lent)*
                let __r = #call.await;
                let __hint = __tw::output_hint(#context);
                let __output = { #convert };
                __output
            }
        };
        quote! {
            let #context = __tw::own_context(#context);
            __tw::converted(0, #converted, |__output, _| __output)
        }
    } else {
        quote!(__tw::converted(__tw::output_hint(#context), #call, |__r, __hint| { #convert }))
    };
    let run = quote! {
        |(#(#arguments,)*), #parameter, #context| { #result }
    };
    if *is_async { later(name, &run) } else { run }
}

fn takes_arguments_alone(tool: &Tool) -> bool {
    arguments(tool).count() == tool.parameters.len()
}

/// The body of an async tool that takes arguments and nothing else, and whose returned type can be named, without which
/// rustc does not know it where it checks the conversion.
fn of_arguments(
    tool: &Tool,
    name: &Ident,
    path: &TokenStream,
    returned: &TokenStream,
    convert: &TokenStream,
) -> TokenStream {
    let count = tool.parameters.len();
    let checked = format_ident!("tool_future_must_be_send_{count}", span = name.span());
    // Not of the author's hygiene, as the conversion is not.
    let convert = quote!(|__r: #returned, __hint| { #convert });
    quote_spanned!(name.span()=> __tw::#checked(&__tw::OfArguments(#path, #convert)))
}

/// The body of an async tool. That its future cannot be sent is shown on the name.
fn later(name: &Ident, run: &TokenStream) -> TokenStream {
    quote_spanned!(name.span()=> __tw::tool_future_must_be_send(&#run))
}

/// The constructor of the definition.
pub(super) fn constructor(tool: &Tool) -> Ident {
    let is_sync = match &tool.callee {
        Callee::Function(function) | Callee::Method { function, .. } => !function.is_async,
        Callee::Struct(_) => false,
    };
    let name = if is_sync || tool.judged != Judged::Whole {
        "sync"
    } else {
        "new"
    };
    Ident::new(name, Span::call_site())
}

/// The value that a method is called on.
pub(crate) fn this() -> Ident {
    format_ident!("__this", span = Span::mixed_site())
}

/// Bound by position: an argument with the function's name would hide the function.
fn positions(parameters: &[Parameter]) -> (Vec<Ident>, Vec<TokenStream>) {
    let mut arguments = Vec::new();
    let mut resources = 0;
    let mut inputs = Vec::new();
    for parameter in parameters {
        let input = match parameter {
            Parameter::Argument(_) => {
                let name = format_ident!("__{}", arguments.len());
                arguments.push(name.clone());
                name.into_token_stream()
            }
            Parameter::Resource(_) => {
                resources += 1;
                lent_name(resources - 1).into_token_stream()
            }
            // Only beside mistakes.
            Parameter::Refused => quote!(::core::unreachable!()),
        };
        inputs.push(input);
    }
    (arguments, inputs)
}

/// An identifier with the macro's own hygiene, because a permission sees the parameters by the names that the author
/// chose.
pub(crate) fn context() -> Ident {
    format_ident!("__cx", span = Span::mixed_site())
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
    is_async: bool,
) -> TokenStream {
    let name = lent_name(position);
    let context = context();
    let place = place_of(ty);
    let function = match (is_async, optional) {
        (false, false) => "lend",
        (false, true) => "lend_optional",
        (true, false) => "lend_async",
        (true, true) => "lend_async_optional",
    };
    let function = Ident::new(function, place);
    let lent = quote_spanned! {place=>
        __tw::#function::<#ty, _>(__tw::Probe::<#ty>(__tw::PhantomData).__tool_resource_kind(), #context)
    };
    if *optional {
        quote!(let #name = #lent;)
    } else {
        quote!(let #name = #lent?;)
    }
}

/// From `__r`, what the function returned, to an output, with `__hint` to reserve for it.
pub(super) fn convert(returned: Option<&Type>, function: &Ident) -> TokenStream {
    let (value, error) = places(returned, function.span());
    let (v, hint) = (Ident::new("__v", value), format_ident!("__hint"));
    let put = quote_spanned!(value=> #v.__tool_value().__into_tool_output(#hint));
    let convert = Ident::new("__into_tool_error", error);
    quote! {
        match __r.__tool_returned().__tool_result() {
            ::core::result::Result::Ok(#v) => #put,
            ::core::result::Result::Err(__e) => {
                ::core::result::Result::Err((&&&(&__e).__tool_error()).__tool_error_kind().#convert(__e))
            }
        }
    }
}

/// Names the type of `__r`: one that rustc cannot find is known to be wrong by this, and else only unknown, which is one
/// more error.
fn named(returned: Option<&Type>) -> Option<TokenStream> {
    nameable(returned).map(|ty| quote!(let __r: #ty = __r;))
}

/// The places where mistakes of the returned value and of the error are shown: in `Result<T, E>` these are `T` and
/// `E`.
fn places(returned: Option<&Type>, function: Span) -> (Span, Span) {
    let Some(ty) = returned else {
        return (function, function);
    };
    let whole = place_of(ty);
    let (mut value, mut error) = (whole, whole);
    if let Type::Path(path) = ty
        && leads_to(&path.path, "Result")
    {
        let mut types = types_in(&path.path).map(place_of);
        value = types.next().unwrap_or(whole);
        error = types.next().unwrap_or(whole);
    }
    (value, error)
}

/// The word of a type that says most: `Error` in `std::io::Error`.
pub(crate) fn place_of(ty: &Type) -> Span {
    match innermost(ty) {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or_else(|| ty.span(), |segment| segment.ident.span()),
        other => other.span(),
    }
}
