//! The expansion of a free function: itself, the struct that stands for the tool, and the tool.

use super::{allowances, at, definition, imports, register as announced};
use crate::errors::Errors;
use crate::tool::model::{Emitted, Free, Judged, Tool};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Path, Visibility};

pub(crate) fn free(emitted: &Emitted, handle: &Ident, free: &Free) -> TokenStream {
    let Emitted {
        runtime,
        visibility,
        cfgs,
        function,
        handle: _,
    } = emitted;
    let Free { register, tool } = free;
    let doc = doc_of_struct(&tool.declared.name, tool.callee.ident());
    let module = module_of(tool.callee.ident());
    let structure = structure(&module, handle, visibility, cfgs, &doc);
    let (imports, definition) = (imports(runtime), definition(tool));
    let allowances = allowances(tool);
    let register = register.then(|| announced(&quote!(#module::#handle)));

    // By value is the rule for arguments, and how many there are is the tool's to say.
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
        #function

        #structure

        #(#cfgs)*
        #allowances
        const _: () = {
            #imports

            impl __tw::FnTool for #module::#handle {
                fn definition() -> __tw::Defined {
                    static __SPEC: __tw::SpecCell = __tw::SpecCell::new();
                    __tw::Defined::new(&__SPEC, #definition)
                }
            }

            #register
        };
    }
}

/// The tokens that are emitted beside the mistakes: enough for the rest of the author's crate to compile, and the
/// right parts of the tool, so that rustc reports wrong types in the same run.
pub(crate) fn with_mistakes(emitted: &Emitted, tool: &Tool, errors: &Errors) -> TokenStream {
    let Emitted {
        runtime,
        visibility,
        cfgs,
        function,
        handle,
    } = emitted;
    let stand_in = handle.as_ref().map(|handle| {
        let module = module_of(tool.callee.ident());
        let structure = structure(&module, handle, visibility, cfgs, "A tool with mistakes.");
        let reason = "a crate with mistakes in a tool does not compile";
        quote! {
            #structure

            #(#cfgs)*
            impl #runtime::Tool for #module::#handle {
                fn spec(&self) -> &#runtime::ToolSpec {
                    ::core::unreachable!(#reason)
                }

                fn parse(
                    &self,
                    _: &#runtime::arguments::Arguments<'_>,
                ) -> ::core::result::Result<::std::boxed::Box<dyn #runtime::tools::Invocation>, #runtime::arguments::InvalidArguments> {
                    ::core::unreachable!(#reason)
                }
            }
        }
    });
    let judged = judged(runtime, cfgs, tool);
    quote!(#function #stand_in #judged #errors)
}

/// The right parts of a tool with mistakes, for rustc to check.
fn judged(runtime: &Path, cfgs: &[Attribute], tool: &Tool) -> Option<TokenStream> {
    let (imports, definition) = (imports(runtime), definition(tool));
    let allowances = allowances(tool);
    (tool.judged != Judged::Not).then(|| {
        quote! {
            #(#cfgs)*
            #allowances
            #[allow(unreachable_code)]
            const _: fn() = || {
                #imports
                let _ = #definition;
            };
        }
    })
}

/// The struct, in a module of its own: where its name is another's already, rustc says so once, and what is written for
/// the struct by way of the module is no second mistake.
fn structure(
    module: &Ident,
    handle: &Ident,
    visibility: &Visibility,
    cfgs: &[Attribute],
    doc: &str,
) -> TokenStream {
    // Shown where the function is named, should there be a type of this name already. That it can be renamed behind `as`,
    // which rustc suggests where the name stands alone, is of no use to the author.
    let place = at(handle.span());
    let name = located(handle, Span::call_site());
    let (module_here, handle_here) = (located(module, place), located(handle, place));
    let import = quote_spanned!(place=> #visibility use #module_here::#name as #handle_here;);
    let declaration = quote_spanned!(place=> pub struct #handle;);
    quote! {
        #(#cfgs)*
        #[allow(unreachable_pub)]
        mod #module {
            #[doc = #doc]
            #declaration
        }
        #(#cfgs)*
        #[allow(unused_imports)]
        #import
    }
}

fn located(name: &Ident, place: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(place);
    name
}

fn module_of(function: &Ident) -> Ident {
    format_ident!("__tool_{}", function.unraw(), span = Span::call_site())
}

fn doc_of_struct(tool: &str, function: &Ident) -> String {
    let name = function.unraw();
    if *function == name {
        // `fn@`, because a module or a macro may have the same name.
        format!("The tool `{tool}`, made from the function [`{name}`](fn@super::{name}).")
    } else {
        format!("The tool `{tool}`, made from the function `{name}`.")
    }
}
