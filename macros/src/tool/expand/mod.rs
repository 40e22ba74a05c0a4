//! The tokens: a description of the tool and a few calls into the runtime, which does the rest.
//!
//! Nothing here fails. What the runtime is asked for is in its hidden module; see `hooks` for the closures.

mod call;
mod constraints;
mod hooks;
mod mentions;
mod statics;

use super::model::{Argument, Parameter, Resource, Shell, Tool};
use crate::errors::Errors;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Type, Visibility};

// A mistake of types is shown where the tokens of a call are. Where the call has the author's own span, rustc says nothing
// of a macro. But a local variable is seen only by tokens of its own hygiene, and the author's is another than ours where
// the tool is written by a further macro: so each variable is made once and used as the same token.

/// A place of the author's with our hygiene. Lints keep off such tokens too.
fn at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

fn some(value: impl ToTokens) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

pub(super) fn tool(shell: &Shell, tool: &Tool) -> TokenStream {
    let Shell {
        runtime,
        visibility,
        cfgs,
        function,
        handle: _,
    } = shell;
    let Tool {
        handle,
        function: ident,
        is_async: _,
        allowed,
        declared,
        parameters,
        returned: _,
        permission: _,
        register,
    } = tool;
    let arguments: Vec<&Argument> = parameters.iter().filter_map(argument).collect();
    let types: Vec<&Type> = arguments.iter().map(|argument| &argument.ty).collect();
    let bounds = format_ident!("args{}", types.len());
    // The call is the one place whose bounds an argument's type can fail, so it fails once.
    let bounds = if types.is_empty() {
        quote!(__tw::#bounds())
    } else {
        quote!(__tw::#bounds::<#(#types),*>())
    };

    let structure = structure(
        handle,
        visibility,
        cfgs,
        &doc_of_struct(&declared.name, ident),
    );
    let defaults = statics::default_functions(&arguments);
    let declared_tokens = statics::declared(declared);
    let described = statics::arguments(&arguments);
    let hooks = hooks::hooks(tool, &arguments);
    let run = call::run(tool);
    let constructor = call::constructor(tool);
    let deprecated = declared
        .deprecated
        .as_ref()
        .map(|_| quote!(#[allow(deprecated)]));
    let register = register.then(|| quote!(__tw::register!(#handle);));

    // By value is the rule for arguments, and how many there are is the tool's to say.
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
        #function

        #structure

        #(#cfgs)*
        #deprecated
        #(#allowed)*
        const _: () = {
            use #runtime::__private as __tw;
            use __tw::fallback::*;

            #(#defaults)*

            impl __tw::FnTool for #handle {
                fn definition() -> &'static dyn __tw::Defined {
                    static DEFINITION: __tw::Definition<(#(#types,)*)> =
                        __tw::Definition::#constructor(#declared_tokens, #bounds, #described, #run)#hooks;
                    &DEFINITION
                }
            }

            #register
        };
    }
}

/// What is emitted beside the mistakes: enough for the rest of the author's crate to compile.
pub(super) fn with_mistakes(shell: &Shell, errors: &Errors) -> TokenStream {
    let Shell {
        runtime,
        visibility,
        cfgs,
        function,
        handle,
    } = shell;
    let stand_in = handle.as_ref().map(|handle| {
        let structure = structure(handle, visibility, cfgs, "A tool with mistakes.");
        let reason = "a crate with mistakes in a tool does not compile";
        quote! {
            #structure

            #(#cfgs)*
            impl #runtime::Tool for #handle {
                fn spec(&self) -> &#runtime::ToolSpec {
                    ::core::unreachable!(#reason)
                }

                fn parse(
                    &self,
                    _: &#runtime::Arguments<'_>,
                ) -> ::core::result::Result<::std::boxed::Box<dyn #runtime::Invocation>, #runtime::InvalidArguments> {
                    ::core::unreachable!(#reason)
                }
            }
        }
    });
    quote!(#function #stand_in #errors)
}

fn structure(
    handle: &Ident,
    visibility: &Visibility,
    cfgs: &[Attribute],
    doc: &str,
) -> TokenStream {
    // Shown where the function is named, should there be a type of this name already.
    let declaration = quote_spanned!(at(handle.span())=> #visibility struct #handle;);
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #declaration
    }
}

fn doc_of_struct(tool: &str, function: &Ident) -> String {
    let name = function.unraw();
    if *function == name {
        // `fn@`, because a module or a macro may have the same name.
        format!("The tool `{tool}`, made from the function [`{name}`](fn@{name}).")
    } else {
        format!("The tool `{tool}`, made from the function `{name}`.")
    }
}

fn argument(parameter: &Parameter) -> Option<&Argument> {
    match parameter {
        Parameter::Argument(argument) => Some(argument),
        Parameter::Resource(_) => None,
    }
}

fn resource(parameter: &Parameter) -> Option<&Resource> {
    match parameter {
        Parameter::Argument(_) => None,
        Parameter::Resource(resource) => Some(resource),
    }
}

/// A type that can be written anywhere, as one with an `impl Trait` in it cannot.
fn nameable(ty: Option<&Type>) -> Option<&Type> {
    ty.filter(|ty| !has_impl(ty.to_token_stream()))
}

fn has_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// `0`, as in `arguments.0`.
fn index(position: usize) -> Literal {
    Literal::usize_unsuffixed(position)
}

fn default_function(position: usize) -> Ident {
    format_ident!("__default_{position}")
}
