//! `#[derive(ToolEnum)]`: an enum whose variants hold tools.

#[cfg(test)]
mod tests;

use crate::derive_tool::keys;
use crate::errors::Errors;
use crate::keys::fill;
use crate::renamed::runtime_of;
use crate::token_text::token_text;
use crate::tool::check::{allowed, cfgs};
use crate::tool::expand::at;
use crate::tool::keys::ToolEnumKeys;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
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
    /// The lints that the author allows, allowed again where a tool is named.
    allowed: Vec<TokenStream>,
    members: Vec<Member>,
}

struct Member {
    cfgs: Vec<Attribute>,
    variant: Ident,
    tool: Type,
    /// Another name for the tool, of one token and with its place: what is no tool fails wherever it is used, always in
    /// the same place and words, which rustc tells once.
    alias: Ident,
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
        .flat_map(|mark| keys::<ToolEnumKeys>(mark, "crate = my_app::toolwright", errors))
        .collect();
    let ToolEnumKeys { runtime } = fill(entries, errors);
    if variants.is_empty() && errors.is_empty() {
        let message =
            format!("`{ident}` has no variant, and so no tool: write one such as `Read(ReadFile)`");
        errors.on(&ident, message);
    }
    let members: Vec<Member> = variants
        .into_iter()
        .enumerate()
        .filter_map(|(place, variant)| {
            refuse_keys(&variant, errors);
            errors.keep(member(place, variant))
        })
        .collect();
    check_repeated(&members, errors);
    Some(Closed {
        runtime: runtime_of(runtime, "tool", errors),
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

fn member(place: usize, variant: Variant) -> syn::Result<Member> {
    let Variant {
        attrs,
        ident,
        fields,
        ..
    } = variant;
    let wrong = match fields {
        Fields::Unnamed(fields) => {
            let count = fields.unnamed.len();
            let mut types = fields.unnamed.into_iter().map(|field| field.ty);
            if let (1, Some(tool)) = (count, types.next()) {
                return Ok(Member {
                    cfgs: cfgs(&attrs),
                    variant: ident,
                    alias: format_ident!("__Tool{place}", span = at(tool.span())),
                    tool,
                });
            }
            format!("has {count} fields")
        }
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
    /// With mistakes there is no way to the members, what uses the set still compiles, and rustc judges the members.
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
        let (list, spec, run, definitions) = if errors.is_empty() {
            (
                members.iter().map(Member::entry).collect(),
                arms(members, Member::spec),
                arms(members, Member::run),
                definitions(members),
            )
        } else {
            let reason = "a crate with mistakes in a tool does not compile";
            let never = quote!(_ => ::core::unreachable!(#reason));
            let generic = !generics.params.is_empty();
            let members = if generic { &[][..] } else { &members[..] };
            let list: TokenStream = members.iter().map(Member::entry).collect();
            let aliases = members.iter().map(Member::alias).collect();
            (list, never.clone(), never, aliases)
        };
        // This clause is emitted beside mistakes only: with the `for`, rustc asks for the bound where the set is used,
        // and not here.
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

                #definitions
            };
            #errors
        }
    }
}

/// Each member's alias, and a check of its names against those before it, shown at the member.
fn definitions(members: &[Member]) -> TokenStream {
    let aliases = members.iter().map(Member::alias);
    let checks = members.iter().enumerate().skip(1).map(|(place, member)| {
        let Member {
            cfgs,
            variant,
            tool: _,
            alias,
        } = member;
        let before = members.iter().take(place).map(|other| {
            let (cfgs, alias) = (&other.cfgs, &other.alias);
            quote!(#(#cfgs)* <#alias as __tw::TypedTool>::NAMES)
        });
        let message = format!(
            "the tool of `{}` answers to a name that a tool before it has: give one of the two another `name`, \
             or remove the alias that is the other's name",
            variant.unraw()
        );
        quote_spanned! {alias.span()=>
            #(#cfgs)*
            const _: () = __tw::names_of_its_own(<#alias as __tw::TypedTool>::NAMES, &[#(#before,)*], #message);
        }
    });
    aliases.chain(checks).collect()
}

/// A tool that stands there twice, where no condition keeps one of the two away.
fn check_repeated(members: &[Member], errors: &mut Errors) {
    for (place, member) in members.iter().enumerate() {
        let other = members.iter().take(place).find(|other| {
            (member.cfgs.is_empty() || other.cfgs.is_empty())
                && token_text(&other.tool) == token_text(&member.tool)
        });
        if let Some(other) = other {
            let message = format!(
                "`{}` and `{}` both hold the tool `{}`: remove one of them",
                other.variant,
                member.variant,
                token_text(&member.tool)
            );
            errors.on(&member.tool, message);
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
    fn alias(&self) -> TokenStream {
        let Self {
            cfgs, tool, alias, ..
        } = self;
        quote! {
            #(#cfgs)*
            type #alias = #tool;
        }
    }

    fn entry(&self) -> TokenStream {
        let Self {
            cfgs,
            variant,
            tool: _,
            alias,
        } = self;
        quote! {
            #(#cfgs)*
            __tw::Member::new(
                <#alias as __tw::TypedTool>::definition,
                |__a| <#alias as __tw::TypedTool>::from_arguments(__a).map(Self::#variant),
            ),
        }
    }

    fn spec(&self) -> TokenStream {
        let Self { variant, alias, .. } = self;
        quote!(Self::#variant(_) => <#alias as __tw::TypedTool>::spec())
    }

    fn run(&self) -> TokenStream {
        let Self { variant, alias, .. } = self;
        let called =
            quote_spanned!(alias.span()=> <#alias as __tw::TypedTool>::invoke(__tool, __cx));
        quote!(Self::#variant(__tool) => #called.await)
    }
}
