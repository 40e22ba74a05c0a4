//! What becomes of a block: itself, and a list of its tools.

use super::check::{Method, Set};
use crate::errors::Errors;
use crate::tool::expand::{allowances, at, definition, imports};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

/// With mistakes the tools are left out, and whoever registers the value still compiles.
pub(super) fn set(set: &Set, errors: &Errors) -> TokenStream {
    let Set {
        runtime,
        cfgs,
        generics,
        ty,
        part,
        block,
        methods,
    } = set;
    let tools = if errors.is_empty() {
        methods.iter().map(method).collect()
    } else {
        TokenStream::new()
    };
    let (parameters, ..) = generics.split_for_impl();
    let predicates = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    // Shown on the type when it cannot be shared.
    let shared = quote_spanned!(at(ty.span())=> Self: __tw::Shared);
    let marker = part.as_ref().map(|part| marker(part, set));
    // The type's own block says which part it is, and one without a name is of `()`.
    let part = part
        .as_ref()
        .map_or_else(|| quote!(()), |part| quote!(#part));
    let imports = imports(runtime);
    quote! {
        #block

        #marker

        #(#cfgs)*
        const _: () = {
            #imports

            impl #parameters __tw::Toolset<#part> for #ty
            where
                #(#predicates,)*
                #shared
            {
                fn tools(self: ::std::sync::Arc<Self>) -> ::std::vec::Vec<::std::sync::Arc<dyn __tw::Tool>> {
                    let mut __tools = ::std::vec::Vec::new();
                    #tools
                    __tools
                }
            }
        };
        #errors
    }
}

fn method(Method { cfgs, tool }: &Method) -> TokenStream {
    let (allowances, definition) = (allowances(tool), definition(tool));
    quote! {
        #(#cfgs)*
        #allowances
        ::std::vec::Vec::push(&mut __tools, __tw::method(&self, #definition));
    }
}

/// The name by which a further block is added.
fn marker(part: &Ident, set: &Set) -> TokenStream {
    let cfgs = &set.cfgs;
    let name = part.unraw();
    let doc = format!("The tools of a block of methods, for `.with_part({name}, ..)`.");
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types, unreachable_pub)]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        pub struct #part;
    }
}
