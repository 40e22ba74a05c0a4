//! The struct as written, and what it means: its fields are checked as the parameters of a function are.

use crate::errors::Errors;
use crate::keys::{Entry, Keys, entries, fill};
use crate::renamed::runtime_of;
use crate::tool::check::{
    Form, Own, Written, borrowed, cfgs, check_tool, lent, lifetimes_of, owned,
};
use crate::tool::keys::ToolKeys;
use crate::tool::model::{Callee, Judged, Structure, Tool};
use crate::tool::parse::{Marked, ParsedParameter};
use proc_macro2::{Ident, TokenStream};
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, Generics, Meta, Pat, PatIdent, Path,
};

/// The struct.
pub(super) struct Typed {
    pub(super) runtime: Path,
    pub(super) ident: Ident,
    /// Empty unless the struct has mistakes: a tool has no generics.
    pub(super) generics: Generics,
    pub(super) cfgs: Vec<Attribute>,
    /// In their order, of all fields.
    pub(super) fields: Vec<Ident>,
    pub(super) register: bool,
    /// `None` for what is no struct with names.
    pub(super) tool: Option<Tool>,
}

/// Nothing where rustc has reported a mistake in the syntax.
pub(super) fn parse(item: TokenStream, errors: &mut Errors) -> Option<Typed> {
    let DeriveInput {
        mut attrs,
        ident,
        generics,
        data,
        ..
    } = syn::parse2(item).ok()?;
    let marks: Vec<Attribute> = attrs
        .extract_if(.., |attribute| attribute.path().is_ident("tool"))
        .collect();
    let keys = marks
        .iter()
        .flat_map(|mark| keys::<ToolKeys>(mark, "read_only", errors))
        .collect();
    let keys: ToolKeys = fill(keys, errors);
    let cfgs = cfgs(&attrs);
    refuse_arg(&ident, &attrs, errors);
    let Some(fields) = errors.keep(fields(&ident, data)) else {
        // An author who writes no struct with named fields has no use for further mistakes about tools.
        return Some(Typed {
            runtime: runtime_of(keys.runtime, "tool", errors),
            ident,
            generics,
            cfgs,
            fields: Vec::new(),
            register: false,
            tool: None,
        });
    };
    check_generics(&ident, &generics, &fields, errors);
    let names = fields
        .iter()
        .filter_map(|field| field.ident.clone())
        .collect();
    let parameters = fields
        .into_iter()
        .filter_map(|field| parameter(&ident, field, errors))
        .collect();
    let Own {
        runtime,
        struct_name: _,
        register,
        tool,
    } = check_tool(
        Written {
            form: Form::Struct,
            ident: &ident,
            lifetimes: lifetimes_of(&generics),
            attributes: &attrs,
            callee: Callee::Struct(Structure {
                ident: ident.clone(),
            }),
            judged: if generics.params.is_empty() {
                Judged::Whole
            } else {
                Judged::Not
            },
            keys,
            parameters,
        },
        errors,
    );
    Some(Typed {
        runtime,
        cfgs,
        ident,
        generics,
        fields: names,
        register,
        tool: Some(Tool {
            judged: match tool.judged {
                // There is no way from the arguments to a struct with mistakes.
                Judged::Whole if !errors.is_empty() => Judged::WithoutCall,
                judged => judged,
            },
            ..tool
        }),
    })
}

/// The entries of `#[tool(..)]` beside a derive. A message shows `example` as one that could stand there.
pub(crate) fn keys<K: Keys>(mark: &Attribute, example: &str, errors: &mut Errors) -> Vec<Entry> {
    match &mark.meta {
        Meta::List(list) => entries::<K>(list.tokens.clone(), errors),
        Meta::Path(path) => {
            let message = format!(
                "`#[tool]` says nothing without keys here: write `#[tool({example})]`, or remove it"
            );
            errors.on(path, message);
            Vec::new()
        }
        Meta::NameValue(pair) => {
            let message =
                format!("the keys of `#[tool]` stand in parentheses: write `#[tool({example})]`");
            errors.on(&pair.path, message);
            Vec::new()
        }
    }
}

fn fields(ident: &Ident, data: Data) -> syn::Result<Vec<Field>> {
    match data {
        Data::Struct(data) => match data.fields {
            Fields::Named(fields) => Ok(fields.named.into_iter().collect()),
            Fields::Unit => Ok(Vec::new()),
            Fields::Unnamed(_) => {
                let message = format!(
                    "the fields of `{ident}` have no names, by which the model could fill them in: \
                     write `struct {ident} {{ name: Type }}`"
                );
                Err(Error::new_spanned(ident, message))
            }
        },
        Data::Enum(_) => {
            let message = format!(
                "`{ident}` is an enum, and the arguments of a tool are a struct: write a struct with a field of \
                 this type, and `#[tool_type]` on the enum; for a set of tools there is `#[derive(ToolEnum)]`"
            );
            Err(Error::new_spanned(ident, message))
        }
        Data::Union(_) => {
            let message = format!("`{ident}` is a union, and the arguments of a tool are a struct");
            Err(Error::new_spanned(ident, message))
        }
    }
}

/// `#[arg(..)]` on the struct would say nothing.
fn refuse_arg(ident: &Ident, attributes: &[Attribute], errors: &mut Errors) {
    for mark in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("arg"))
    {
        let message = format!(
            "`#[arg(..)]` is about one argument: put it on a field of `{ident}`, or write `#[tool(..)]`"
        );
        errors.on(mark.path(), message);
    }
}

fn check_generics(ident: &Ident, generics: &Generics, fields: &[Field], errors: &mut Errors) {
    let only_lifetimes = generics.lifetimes().count() == generics.params.len();
    // Whoever owns what was borrowed needs no lifetime any more.
    if only_lifetimes && fields.iter().any(|field| borrowed(&field.ty).is_some()) {
        return;
    }
    if generics.params.is_empty() {
        return;
    }
    let message = if only_lifetimes {
        format!(
            "`{ident}` borrows, and what the model fills in is owned: let its fields own what they have, as with \
             `String`, or write `'static` in them"
        )
    } else {
        format!(
            "`{ident}` is generic, and a tool is one type with one schema: write concrete types"
        )
    };
    errors.on(generics, message);
}

/// The field as a parameter by value.
fn parameter(structure: &Ident, field: Field, errors: &mut Errors) -> Option<ParsedParameter> {
    let Field {
        mut attrs,
        ident,
        mut ty,
        ..
    } = field;
    let Marked { docs, marks, keys } = Marked::take(&mut attrs, errors);
    let ident = ident?;
    for mark in attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("tool"))
    {
        let message = format!(
            "`#[tool(..)]` is about the tool: put it on `{structure}`, or write `#[arg(..)]` for `{ident}`"
        );
        errors.on(mark.path(), message);
    }
    if let Some(reference) = lent(&ty).cloned() {
        let message = format!(
            "`{ident}` is a reference, and the fields of `{structure}` come from the model, which lends nothing: \
             own it; what comes from the app is declared with `#[tool(needs(..))]`, and `run` takes it from `ctx`"
        );
        errors.on(&reference, message);
        // The rest of the field is still checked.
        ty = owned(&reference.elem);
    }
    Some(ParsedParameter {
        pattern: Pat::Ident(pattern(ident)),
        ty,
        docs,
        marks,
        keys,
        conditions: attrs
            .into_iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .collect(),
        derived: Vec::new(),
    })
}

fn pattern(ident: Ident) -> PatIdent {
    PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: None,
        ident,
        subpat: None,
    }
}
