//! What becomes of a free function: itself, the struct that stands for the tool, and the tool.

use super::{allowances, at, definition, imports, register as announced};
use crate::errors::Errors;
use crate::tool::model::{Free, Shell};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Visibility};

pub(crate) fn free(shell: &Shell, free: &Free) -> TokenStream {
    let Shell {
        runtime,
        visibility,
        cfgs,
        function,
        handle: _,
    } = shell;
    let Free {
        handle,
        register,
        tool,
    } = free;
    let doc = doc_of_struct(&tool.declared.name, tool.callee.ident());
    let structure = structure(handle, visibility, cfgs, &doc);
    let (imports, definition) = (imports(runtime), definition(tool));
    let allowances = allowances(tool);
    let register = register.then(|| announced(&quote!(#handle)));

    // By value is the rule for arguments, and how many there are is the tool's to say.
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
        #function

        #structure

        #(#cfgs)*
        #allowances
        const _: () = {
            #imports

            impl __tw::FnTool for #handle {
                fn definition() -> __tw::Defined {
                    static __SPEC: __tw::SpecCell = __tw::SpecCell::new();
                    __tw::Defined::new(&__SPEC, #definition)
                }
            }

            #register
        };
    }
}

/// What is emitted beside the mistakes: enough for the rest of the author's crate to compile.
pub(crate) fn with_mistakes(shell: &Shell, errors: &Errors) -> TokenStream {
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
