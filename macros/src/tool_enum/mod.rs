//! `#[derive(ToolEnum)]`: an enum whose variants hold tools.

#[cfg(test)]
mod tests;

use crate::derive_tool::keys;
use crate::errors::Errors;
use crate::keys::fill;
use crate::tool::check::{allowed, cfgs, runtime_of};
use crate::tool::expand::at;
use crate::tool::keys::ToolEnumKeys;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Generics, Path, Type, Variant};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let closed = parse(item, &mut errors);
    closed.map_or_else(TokenStream::new, |closed| closed.expand(&errors))
}

struct Closed {
    runtime: Path,
    ident: Ident,
    generics: Generics,
    cfgs: Vec<Attribute>,
    /// What the author allows where a tool is named.
    allowed: Vec<TokenStream>,
    members: Vec<Member>,
}

struct Member {
    cfgs: Vec<Attribute>,
    variant: Ident,
    tool: Type,
}

/// Nothing where rustc has reported a mistake in the syntax.
fn parse(item: TokenStream, errors: &mut Errors) -> Option<Closed> {
    let DeriveInput {
        attrs,
        ident,
        generics,
        data,
        ..
    } = syn::parse2(item).ok()?;
    let variants = match data {
        Data::Enum(data) => data.variants,
        Data::Struct(_) | Data::Union(_) => {
            let message = format!(
                "`{ident}` is no enum: a set of tools is `enum {ident} {{ Read(ReadFile), .. }}`; for one tool \
                 there is `#[derive(Tool)]`"
            );
            errors.on(&ident, message);
            Punctuated::new()
        }
    };
    if !generics.params.is_empty() {
        let message = format!(
            "`{ident}` is generic, and a closed set has the tools that it names: write them"
        );
        errors.on(&generics, message);
    }
    let marks = attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("tool"));
    let entries = marks
        .flat_map(|mark| keys(mark, "crate = my_app::toolwright", errors))
        .collect();
    let ToolEnumKeys { runtime } = fill(entries, errors);
    if variants.is_empty() && errors.is_empty() {
        let message =
            format!("`{ident}` has no variant, and so no tool: write one such as `Read(ReadFile)`");
        errors.on(&ident, message);
    }
    let members = variants
        .into_iter()
        .filter_map(|variant| {
            refuse_keys(&variant, errors);
            errors.keep(member(variant))
        })
        .collect();
    Some(Closed {
        runtime: runtime_of(runtime),
        cfgs: cfgs(&attrs),
        allowed: allowed(&attrs),
        ident,
        generics,
        members,
    })
}

/// `#[tool(..)]` on a variant or in it would say nothing.
fn refuse_keys(variant: &Variant, errors: &mut Errors) {
    let inside = variant.fields.iter().flat_map(|field| &field.attrs);
    for mark in variant
        .attrs
        .iter()
        .chain(inside)
        .filter(|attribute| attribute.path().is_ident("tool"))
    {
        let message = format!(
            "`#[tool(..)]` stands on the struct that `{}` holds, beside its `#[derive(Tool)]`: move it there",
            variant.ident
        );
        errors.on(mark.path(), message);
    }
}

fn member(variant: Variant) -> syn::Result<Member> {
    let Variant {
        attrs,
        ident,
        fields,
        ..
    } = variant;
    let wrong = match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let field = fields.unnamed.into_iter().next();
            let tool = field.map(|field| field.ty);
            return tool
                .map(|tool| Member {
                    cfgs: cfgs(&attrs),
                    variant: ident.clone(),
                    tool,
                })
                .ok_or_else(|| Error::new_spanned(&ident, "no tool"));
        }
        Fields::Unnamed(fields) => format!("has {} fields", fields.unnamed.len()),
        Fields::Named(_) => "has fields of its own".to_owned(),
        Fields::Unit => "holds nothing".to_owned(),
    };
    let message = format!(
        "`{ident}` {wrong}, and each variant holds one tool: write `{ident}(Arguments)`, \
         where `Arguments` is a struct with `#[derive(Tool)]`"
    );
    Err(Error::new_spanned(ident, message))
}

impl Closed {
    /// With mistakes the members are left out, and what uses the set still compiles.
    fn expand(&self, errors: &Errors) -> TokenStream {
        let Self {
            runtime,
            ident,
            generics,
            cfgs,
            allowed,
            members,
        } = self;
        let (parameters, arguments, clause) = generics.split_for_impl();
        let imports = quote!(use #runtime::__private as __tw;);
        let (list, spec, run, names) = if errors.is_empty() {
            let names = members.iter().map(Member::names);
            (
                members.iter().map(Member::entry).collect(),
                arms(members, Member::spec),
                arms(members, Member::run),
                Some(quote_spanned! {at(ident.span())=>
                    const _: () = __tw::tools_of_a_set_have_names_of_their_own(&[#(#names,)*]);
                }),
            )
        } else {
            let reason = "a crate with mistakes in a tool does not compile";
            let never = quote!(_ => ::core::unreachable!(#reason));
            (TokenStream::new(), never.clone(), never, None)
        };
        // What only mistakes have: with the `for`, rustc asks for the bound where the set is used, and not here.
        let clause = (!errors.is_empty()).then(|| {
            let predicates = clause.iter().flat_map(|clause| &clause.predicates);
            quote!(where #(#predicates,)* for<'__tw> Self: ::core::marker::Send + 'static)
        });
        // The enum itself warns of what is deprecated in it.
        quote! {
            #(#cfgs)*
            #[allow(deprecated)]
            #(#allowed)*
            const _: () = {
                #imports

                impl #parameters __tw::ToolEnum for #ident #arguments #clause {
                    fn members() -> &'static [__tw::Member<Self>] {
                        const { &[#list] }
                    }

                    fn spec(&self) -> &'static #runtime::ToolSpec {
                        match self { #spec }
                    }

                    async fn run(
                        self,
                        __cx: &#runtime::ToolContext,
                    ) -> ::core::result::Result<#runtime::ToolOutput, #runtime::ToolError> {
                        match self { #run }
                    }
                }

                #names
            };
            #errors
        }
    }
}

fn arms(members: &[Member], arm: impl Fn(&Member) -> TokenStream) -> TokenStream {
    let arms = members.iter().map(|member| {
        let (cfgs, arm) = (&member.cfgs, arm(member));
        quote!(#(#cfgs)* #arm,)
    });
    arms.collect()
}

impl Member {
    /// The one place where the type's bound can fail.
    fn entry(&self) -> TokenStream {
        let Self {
            cfgs,
            variant,
            tool,
        } = self;
        let member = quote_spanned!(at(tool.span())=> __tw::member);
        quote! {
            #(#cfgs)*
            #member::<#tool, Self>(|__a| <#tool as __tw::TypedTool>::from_arguments(__a).map(Self::#variant)),
        }
    }

    fn spec(&self) -> TokenStream {
        let Self { variant, tool, .. } = self;
        quote!(Self::#variant(_) => <#tool as __tw::TypedTool>::spec())
    }

    fn run(&self) -> TokenStream {
        let variant = &self.variant;
        quote!(Self::#variant(__tool) => __tw::run_typed(__tool, __cx).await)
    }

    fn names(&self) -> TokenStream {
        let Self { cfgs, tool, .. } = self;
        quote!(#(#cfgs)* <#tool as __tw::TypedTool>::NAMES)
    }
}
