//! The expansion of a block: itself, and a list of its tools.

use super::check::{Method, Set};
use crate::errors::Errors;
use crate::token_search;
use crate::tool::expand::{allowances, at, cleaned, context, definition, imports, this};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

/// With mistakes what is right of the tools is still there, so that rustc tells what types are wrong in the same run.
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
    let cleans = cleanup.is_some();
    let methods = methods.iter().map(|of_set| method(of_set, cleans));
    let cleanup = cleanup.as_ref().map(|cleanup| block_cleanup(cleanup, ty));
    let tools = quote!(#cleanup #(#methods)*);
    let allowed = (!errors.is_empty()).then(|| quote!(#[allow(unreachable_code)]));
    let (parameters, ..) = generics.split_for_impl();
    let predicates = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    // For a type that is known here, rustc reports a missing bound at each word of the clause. So the bound is
    // assumed, by the `for`, and required once, shown on the type.
    let place = at(ty.span());
    let (shared, check) = if generics.params.is_empty() {
        let shared = quote_spanned!(place=> for<'__tw> Self: __tw::Shared);
        (
            shared,
            Some(quote_spanned!(place=> const _: fn() = || __tw::shared::<#ty>();)),
        )
    } else {
        (quote_spanned!(place=> Self: __tw::Shared), None)
    };
    let first = set.methods.first().map(|method| method.tool.callee.ident());
    let module = part.as_ref().map(|part| module_of(part, first));
    let named = part.as_ref().zip(module.as_ref());
    let marker = named.map(|(part, module)| marker(module, part, set));
    // The type's own block says which part it is, and one without a name is of `()`.
    let part = if let (Some(part), Some(module)) = (part, &module) {
        quote!(#module::#part)
    } else {
        quote!(())
    };
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
        #allowed
        const _: () = {
            #imports

            #check

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
    let expression = token_search::with_value(cleanup.to_token_stream(), &this);
    let name = Ident::new("cleanup", ty.span());
    let cleaned = cleaned(cleanup.span(), &TokenStream::new(), &expression, &name);
    quote! {
        #[allow(unused_variables)]
        let __cleanup = __tw::block_cleanup::<Self>(&self, |#this, #context| #cleaned);
    }
}

/// The name of the module of a part's name: no other block of the type has the same method.
fn module_of(part: &Ident, first: Option<&Ident>) -> Ident {
    let first = first.map_or_else(String::new, |first| format!("_{}", first.unraw()));
    format_ident!("__part_{}{first}", part.unraw(), span = Span::call_site())
}

/// The name by which a further block is added, in a module of its own: where the name is another's already, rustc says so
/// once, and the implementation for it is no second mistake.
fn marker(module: &Ident, part: &Ident, set: &Set) -> TokenStream {
    let cfgs = &set.cfgs;
    let name = part.unraw();
    let doc = format!("The tools of a block of methods, for `.with_part({name}, ..)`.");
    let import = quote_spanned!(at(part.span())=> pub use #module::#part;);
    quote! {
        #(#cfgs)*
        #[allow(unreachable_pub)]
        mod #module {
            #[doc = #doc]
            #[allow(non_camel_case_types, missing_copy_implementations, missing_debug_implementations)]
            pub struct #part;
        }
        #(#cfgs)*
        #[allow(unreachable_pub, unused_imports)]
        #import
    }
}
