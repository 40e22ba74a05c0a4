//! The hooks: what a tool has beyond its declaration and its run, each left out where there is nothing to do.

use super::call::context;
use super::mentions::Mentions;
use super::statics::with;
use super::{argument, at, constraints, index, nameable, resource, statics};
use crate::show::show;
use crate::tool::model::{Argument, Resource, Tool};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

pub(super) fn hooks(tool: &Tool, arguments: &[&Argument]) -> TokenStream {
    let needs = needs(tool);
    let fill = statics::fill(arguments);
    let check = constraints::check(arguments);
    let ask = ask(tool);
    let output = output(tool.returned.as_ref());
    quote!(#needs #fill #check #ask #output)
}

/// The resources by type, in the order in which the signature first mentions them.
fn needs(tool: &Tool) -> Option<TokenStream> {
    let mut seen = Vec::new();
    let mut keys = Vec::new();
    for Resource {
        ident: _,
        ty,
        optional,
    } in tool.parameters.iter().filter_map(resource)
    {
        let mention = (show(ty), *optional);
        if !seen.contains(&mention) {
            seen.push(mention);
            let kind = if *optional {
                quote!(optional)
            } else {
                quote!(of)
            };
            keys.push(quote!(__tw::ResourceKey::#kind::<#ty>()));
        }
    }
    with("needs", (!keys.is_empty()).then(|| quote!(&[#(#keys),*])))
}

/// The permission expression, with the parameters that it mentions in scope by reference.
fn ask(tool: &Tool) -> Option<TokenStream> {
    let permission = tool.permission.as_ref()?;
    let mentions = Mentions::of(permission.to_token_stream());
    let (values, context) = (format_ident!("__a", span = Span::mixed_site()), context());
    let arguments =
        tool.parameters
            .iter()
            .filter_map(argument)
            .enumerate()
            .map(|(position, argument)| {
                let index = index(position);
                (&argument.ident, quote!(&#values.#index))
            });
    let resources = tool.parameters.iter().filter_map(resource).map(
        |Resource {
             ident,
             ty,
             optional,
         }| {
            let value = if *optional {
                quote!(__tw::peek_optional::<#ty>(#context))
            } else {
                quote!(__tw::peek::<#ty>(#context)?)
            };
            (ident, value)
        },
    );
    let bindings = arguments
        .chain(resources)
        .filter(|(ident, _)| mentions.contain(ident))
        .map(|(ident, value)| {
            // A mention may turn out to be a field or a method of the same name.
            quote!(#[allow(unused_variables)] let #ident = #value;)
        });
    let requests =
        quote_spanned!(at(permission.span())=> __tw::IntoRequests::into_requests(#permission));
    let ask = quote!(|#values, #context| { #(#bindings)* #requests });
    with("ask", Some(ask))
}

/// The schema of what is returned, where its type can be named.
fn output(returned: Option<&Type>) -> Option<TokenStream> {
    let ty = nameable(returned)?;
    let schema = quote!(|| (&&__tw::SchemaOf::<#ty>(__tw::PhantomData)).tool_schema());
    with("output", Some(schema))
}
