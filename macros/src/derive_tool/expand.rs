//! What becomes of the struct: its tool, and the way from a call to a value of it.

use super::parse::Typed;
use crate::errors::Errors;
use crate::tool::expand::{
    allowances, convert_output, definition, imports, register as announced, tuple,
};
use crate::tool::model::Tool;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn typed(typed: &Typed) -> TokenStream {
    let Typed {
        runtime,
        ident,
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
    let names = names(tool);
    let (imports, types, definition) = (imports(runtime), tuple(tool), definition(tool));
    let (allowances, convert) = (allowances(tool), convert_output(ident));
    let register = register.then(|| announced(&quote!(__tw::Typed<#ident>)));
    quote! {
        #(#cfgs)*
        #allowances
        const _: () = {
            #imports

            static SPEC: __tw::SpecCell = __tw::SpecCell::new();

            fn __definition() -> &'static __tw::Definition<#types> {
                #definition
            }

            fn __made((#(#values,)*): #types) -> #ident {
                #ident { #(#fields: #values),* }
            }

            impl __tw::TypedTool for #ident {
                const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];

                fn definition() -> __tw::Defined {
                    __tw::Defined::new(&SPEC, __definition())
                }

                fn from_arguments(
                    __arguments: &#runtime::Arguments<'_>,
                ) -> ::core::result::Result<Self, #runtime::InvalidArguments> {
                    __tw::typed_values::<Self, _>(__definition(), __arguments).map(__made)
                }

                fn convert(
                    __r: <Self as __tw::Run>::Output,
                    __hint: ::core::primitive::usize,
                ) -> ::core::result::Result<#runtime::ToolOutput, #runtime::ToolError> {
                    #convert
                }
            }

            #register
        };
    }
}

fn names(tool: &Tool) -> Vec<String> {
    let aliases = tool.declared.aliases.iter().map(syn::LitStr::value);
    std::iter::once(tool.declared.name.clone())
        .chain(aliases)
        .collect()
}

/// Beside the mistakes: enough for what uses the tool to compile.
pub(super) fn with_mistakes(typed: &Typed, errors: &Errors) -> TokenStream {
    let Typed {
        runtime,
        ident,
        cfgs,
        fields: _,
        register: _,
        tool: _,
    } = typed;
    let reason = "a crate with mistakes in a tool does not compile";
    quote! {
        #(#cfgs)*
        const _: () = {
            #[allow(unused_imports)]
            use #runtime::__private as __tw;

            impl __tw::TypedTool for #ident {
                const NAMES: &'static [&'static ::core::primitive::str] = &[];

                fn definition() -> __tw::Defined {
                    ::core::unreachable!(#reason)
                }

                fn from_arguments(
                    _: &#runtime::Arguments<'_>,
                ) -> ::core::result::Result<Self, #runtime::InvalidArguments> {
                    ::core::unreachable!(#reason)
                }

                fn convert(
                    _: <Self as __tw::Run>::Output,
                    _: ::core::primitive::usize,
                ) -> ::core::result::Result<#runtime::ToolOutput, #runtime::ToolError> {
                    ::core::unreachable!(#reason)
                }
            }
        };
        #errors
    }
}
