//! What becomes of a block: itself, and a list of its tools.

use super::check::{Method, Set};
use crate::errors::Errors;
use crate::tool::expand::{allowances, at, cleaned, context, definition, imports, this};
use crate::words;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

/// With mistakes the tools are left out, and whoever registers the value still compiles.
pub(super) fn set(set: &Set, errors: &Errors) -> TokenStream {
    let Set {
        runtime,
        cfgs,
        generics,
        ty,
        part,
        cleanup,
        block,
        methods,
    } = set;
    let tools = if errors.is_empty() {
        let cleans = cleanup.is_some();
        let methods = methods.iter().map(|of_set| method(of_set, cleans));
        let cleanup = cleanup.as_ref().map(|cleanup| block_cleanup(cleanup, ty));
        quote!(#cleanup #(#methods)*)
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
    // All of it, because rustc shows the whole when another block of the type has no name either.
    let implementation = quote_spanned! {at(ty.span())=>
        impl #parameters __tw::Toolset<#part> for #ty where #(#predicates,)* #shared {
            fn tools(self: ::std::sync::Arc<Self>) -> ::std::vec::Vec<::std::sync::Arc<dyn __tw::Tool>> {
                let mut __tools = ::std::vec::Vec::new();
                #tools
                __tools
            }
        }
    };
    quote! {
        #block

        #marker

        #(#cfgs)*
        const _: () = {
            #imports

            #implementation
        };
        #errors
    }
}

fn method(Method { cfgs, tool }: &Method, cleans: bool) -> TokenStream {
    let (allowances, definition) = (allowances(tool), definition(tool));
    let made = if cleans {
        quote!(__tw::method_with(&self, #definition, &__cleanup))
    } else {
        quote!(__tw::method(&self, #definition))
    };
    quote! {
        #(#cfgs)*
        #allowances
        ::std::vec::Vec::push(&mut __tools, #made);
    }
}

/// Emits the common cleanup of all tools of the block, after a session that has ended.
fn block_cleanup(cleanup: &Expr, ty: &Type) -> TokenStream {
    let (this, context) = (this(), context());
    let expression = words::with_value(cleanup.to_token_stream(), &this);
    let name = Ident::new("cleanup", ty.span());
    let cleaned = cleaned(cleanup.span(), &TokenStream::new(), &expression, &name);
    quote! {
        #[allow(unused_variables)]
        let __cleanup = __tw::block_cleanup::<Self>(&self, |#this, #context| #cleaned);
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
        #[allow(
            non_camel_case_types,
            unreachable_pub,
            missing_copy_implementations,
            missing_debug_implementations
        )]
        pub struct #part;
    }
}
