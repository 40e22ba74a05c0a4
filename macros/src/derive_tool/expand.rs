//! The expansion of the struct: its tool, and the code that turns a call into a value of the struct.

use super::parse::Typed;
use crate::errors::Errors;
use crate::token_search::{with_static, with_type};
use crate::tool::expand::{
    allowances, definition, imports, register as announced, run_struct, tuple,
};
use crate::tool::model::Judged;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{ConstParam, GenericParam, Generics, TypeParam};

pub(super) fn typed(typed: &Typed) -> TokenStream {
    let Typed {
        runtime,
        ident,
        generics: _,
        cfgs,
        fields,
        register,
        tool,
    } = typed;
    let Some(tool) = tool else {
        return TokenStream::new();
    };
    let values: Vec<Ident> = (0..fields.len())
        .map(|place| format_ident!("__{place}"))
        .collect();
    let names = tool.names();
    // These tokens stand outside of the `impl` block, where `Self` means nothing.
    let (values_type, definition) = (
        with_type(tuple(tool), ident),
        with_type(definition(tool), ident),
    );
    let imports = imports(runtime);
    let (allowances, run) = (allowances(tool), run_struct(ident));
    let register = register.then(|| announced(&quote!(__tw::Typed<#ident>)));
    quote! {
        #(#cfgs)*
        #allowances
        const _: () = {
            #imports

            static __SPEC: __tw::SpecCell = __tw::SpecCell::new();

            fn __definition() -> &'static __tw::Definition<#values_type> {
                #definition
            }

            fn __made((#(#values,)*): #values_type) -> #ident {
                #ident { #(#fields: #values),* }
            }

            impl __tw::TypedTool for #ident {
                const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];

                fn definition() -> __tw::Defined {
                    __tw::Defined::new(&__SPEC, __definition())
                }

                fn from_arguments(
                    __arguments: &#runtime::arguments::Arguments<'_>,
                ) -> ::core::result::Result<Self, #runtime::arguments::InvalidArguments> {
                    __tw::typed_values::<Self, _>(__definition(), __arguments).map(__made)
                }

                async fn invoke(
                    self,
                    __cx: &#runtime::ToolContext,
                ) -> ::core::result::Result<#runtime::ToolOutput, #runtime::ToolError> {
                    #run
                }
            }

            #register
        };
    }
}

/// The parameters and arguments of a struct that holds nothing borrowed: what is called owns all that it has, and rustc
/// would tell of each lifetime here once more.
fn for_static(generics: &Generics) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(_) => arguments.push(quote!('static)),
            GenericParam::Type(TypeParam { ident, bounds, .. }) => {
                let bounds = with_static(bounds.to_token_stream(), &[]);
                parameters.push(quote!(#ident: #bounds));
                arguments.push(quote!(#ident));
            }
            GenericParam::Const(ConstParam { ident, ty, .. }) => {
                parameters.push(quote!(const #ident: #ty));
                arguments.push(quote!(#ident));
            }
        }
    }
    (parameters, arguments)
}

/// Beside the mistakes: enough for what uses the tool to compile.
pub(super) fn with_mistakes(typed: &Typed, errors: &Errors) -> TokenStream {
    let Typed {
        runtime,
        ident,
        generics,
        cfgs,
        fields: _,
        register: _,
        tool,
    } = typed;
    let (parameters, arguments) = for_static(generics);
    let predicates = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates)
        .map(|predicate| with_static(predicate.to_token_stream(), &[]));
    let reason = "a crate with mistakes in a tool does not compile";
    let judged = tool.as_ref().filter(|tool| tool.judged != Judged::Not);
    let run = judged.map_or_else(
        || quote!(::core::unreachable!(#reason)),
        |_| run_struct(ident),
    );
    let judged = judged.map(|tool| {
        let (allowances, definition) = (allowances(tool), with_type(definition(tool), ident));
        quote! {
            #allowances
            const _: fn() = || {
                use __tw::fallback::*;
                let _ = #definition;
            };
        }
    });
    quote! {
        #(#cfgs)*
        const _: () = {
            #[allow(unused_imports)]
            use #runtime::__private as __tw;

            // With the `for`, rustc asks for the bound where the tool is used, and not here.
            impl<#(#parameters),*> __tw::TypedTool for #ident<#(#arguments),*>
            where
                #(#predicates,)*
                for<'__tw> Self: ::core::marker::Send + 'static,
            {
                const NAMES: &'static [&'static ::core::primitive::str] = &[];

                fn definition() -> __tw::Defined {
                    ::core::unreachable!(#reason)
                }

                fn from_arguments(
                    _: &#runtime::arguments::Arguments<'_>,
                ) -> ::core::result::Result<Self, #runtime::arguments::InvalidArguments> {
                    ::core::unreachable!(#reason)
                }

                async fn invoke(
                    self,
                    __cx: &#runtime::ToolContext,
                ) -> ::core::result::Result<#runtime::ToolOutput, #runtime::ToolError> {
                    #[allow(unused_imports)]
                    use __tw::fallback::*;
                    let _ = __cx;
                    #run
                }
            }

            #judged
        };
        #errors
    }
}
