//! From what was written to what it means.

use super::parse::{Block, BlockItem};
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::names::tool_name_problem;
use crate::renamed::runtime_of;
use crate::token_text::token_text;
use crate::tool::check::{MethodOf, cfgs, check_method, lifetimes_of};
use crate::tool::keys::ToolsetKeys;
use crate::tool::model::{Judged, Tool};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, GenericParam, Generics, LitStr, Path, Type};

pub(super) struct Set {
    pub(super) runtime: Path,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) generics: Generics,
    pub(super) ty: Type,
    /// The name of a further block of the type.
    pub(super) part: Option<Ident>,
    /// The common cleanup of all tools, after a session that has ended.
    pub(super) cleanup: Option<Expr>,
    /// The block as it is emitted.
    pub(super) block: TokenStream,
    pub(super) methods: Vec<Method>,
}

pub(super) struct Method {
    pub(super) cfgs: Vec<Attribute>,
    pub(super) tool: Tool,
}

pub(super) fn check(block: Block, errors: &mut Errors) -> Set {
    let Block {
        attributes,
        inner,
        keys,
        generics,
        ty,
        items,
    } = block;
    let ToolsetKeys {
        prefix,
        part,
        deny_undocumented,
        cleanup,
        runtime,
    } = keys;
    check_lifetimes(&generics, &ty, errors);
    let owned = generics.lifetimes().next().is_none();
    let part = part.and_then(|part| check_part(part, &ty, errors));
    let prefix = check_prefix(prefix, errors);
    let mut methods = Vec::new();
    let mut emitted = Vec::new();
    let mut any = false;
    for item in items {
        let mut parsed = match item {
            BlockItem::Other(tokens) => {
                emitted.push(tokens);
                continue;
            }
            BlockItem::Refused(tokens) => {
                any = true;
                emitted.push(tokens);
                continue;
            }
            BlockItem::Tool(parsed) => parsed,
        };
        any = true;
        let of = MethodOf {
            prefix: prefix.clone(),
            deny_undocumented: deny_undocumented.is_some(),
            lifetimes: lifetimes_of(&generics),
        };
        let tool = check_method(&mut parsed, of, errors);
        if tool.judged != Judged::Not {
            methods.push(Method {
                cfgs: cfgs(&parsed.attributes),
                tool,
            });
        }
        let (attributes, visibility) = (&parsed.attributes, &parsed.visibility);
        let (signature, body) = (&parsed.signature, &parsed.body);
        // By value is the rule for arguments, and how many there are is the tool's to say.
        emitted.push(quote! {
            #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
            #(#attributes)* #visibility #signature #body
        });
    }
    if !any && errors.is_empty() {
        let message = format!(
            "`{}` has no tool in this block: put `#[tool]` on a method, or remove `#[toolset]`; \
             methods that a macro writes into the block are not seen here",
            token_text(&ty)
        );
        errors.on(&ty, message);
    }
    check_names(&methods, errors);
    if !owned {
        methods.clear();
    }
    let (parameters, clause) = (&generics.params, &generics.where_clause);
    let parameters = (!parameters.is_empty()).then(|| quote!(<#parameters>));
    Set {
        runtime: runtime_of(runtime, "toolset", errors),
        cfgs: cfgs(&attributes),
        block: quote!(#(#attributes)* impl #parameters #ty #clause { #(#inner)* #(#emitted)* }),
        generics,
        ty,
        part,
        cleanup: cleanup.map(|cleanup| cleanup.value),
        methods,
    }
}

/// Refuses lifetimes: a shared value lives as long as any of its users.
fn check_lifetimes(generics: &Generics, ty: &Type, errors: &mut Errors) {
    for parameter in &generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            let message = format!(
                "`{}` borrows for `{}`, and tools live as long as the app: let it own what it has, \
                 as with `Arc`, or write `'static`",
                token_text(ty),
                lifetime.lifetime
            );
            errors.on(lifetime, message);
        }
    }
}

/// The name of the part, for which there will be a struct.
fn check_part(Keyed { key, value }: Keyed<Ident>, ty: &Type, errors: &mut Errors) -> Option<Ident> {
    if let Type::Path(path) = ty
        && path.path.is_ident(&value)
    {
        let message = format!(
            "the struct that names the part would be called `{value}`, like the type: \
             name it for its tools, as in `{key} = Search`"
        );
        errors.on(value, message);
        return None;
    }
    Some(value)
}

fn check_prefix(prefix: Option<Keyed<LitStr>>, errors: &mut Errors) -> Option<String> {
    let Keyed { value, .. } = prefix?;
    let text = value.value();
    if text.is_empty() {
        errors.on(
            &value,
            "`prefix` is empty: write one such as `prefix = \"notes\"`, or remove it",
        );
        return None;
    }
    let trimmed = match text.trim_end_matches(['.', '_']) {
        "" => &text,
        trimmed => trimmed,
    };
    if trimmed != text {
        let message = format!(
            "a dot comes between the prefix and each name by itself: write `prefix = \"{trimmed}\"`"
        );
        errors.on(&value, message);
        return Some(trimmed.to_owned());
    }
    if let Some(problem) = tool_name_problem(&text) {
        errors.on(&value, format!("this prefix begins each name: {problem}"));
        return None;
    }
    Some(text)
}

/// Names that two methods answer to. Methods under conditions may exclude each other, and are left to the registry.
fn check_names(methods: &[Method], errors: &mut Errors) {
    for (place, Method { cfgs, tool }) in methods.iter().enumerate() {
        for name in tool.names() {
            let other = methods.iter().take(place).find(|other| {
                (cfgs.is_empty() || other.cfgs.is_empty())
                    && other.tool.names().any(|own| own == name)
            });
            if let Some(other) = other {
                let (first, second) = (other.tool.callee.ident(), tool.callee.ident());
                // Two methods of one name are rustc's to report.
                if first == second {
                    break;
                }
                let message = format!(
                    "`{first}` and `{second}` both answer to `{name}`, which leads to one tool: \
                     give one of them another name"
                );
                errors.on(second, message);
                break;
            }
        }
    }
}
