//! The source as it was written: the type, and the keys on it and on its fields.

use crate::errors::Errors;
use crate::keys::{entries, fill};
use crate::tool::keys::{ArgKeys, ToolTypeKeys};
use crate::tool::parse::{Marked, check_once, conceals};
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Meta, Token, Variant, Visibility};

pub(super) struct ParsedType {
    pub(super) keys: ToolTypeKeys,
    /// Without what is ours.
    pub(super) item: DeriveInput,
    /// The keys of every field, in the order of the source.
    pub(super) fields: Vec<FieldKeys>,
}

pub(super) struct FieldKeys {
    /// The entries of `#[serde(..)]` on the field.
    pub(super) serde: Vec<Meta>,
    pub(super) marks: Vec<Attribute>,
    pub(super) keys: ArgKeys,
}

/// `Err` when the item is no type; nothing where rustc has reported a mistake in its syntax.
pub(super) fn parse(
    args: TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> syn::Result<Option<ParsedType>> {
    let Ok(other_item) = other_item.parse2(item.clone()) else {
        return Ok(None);
    };
    other_item?;
    let Ok(mut item) = syn::parse2::<DeriveInput>(item) else {
        return Ok(None);
    };
    if let Data::Union(data) = &item.data {
        return Err(Error::new_spanned(
            data.union_token,
            "`#[tool_type]` goes on a struct or an enum, and JSON has nothing like a union",
        ));
    }
    let keys = fill(entries::<ToolTypeKeys>(args, errors), errors);
    check_once("tool_type", &mut item.attrs, errors);
    refuse_other_marks(&mut item, errors);
    let mut fields = Vec::new();
    each_field(&mut item.data, &mut |field| {
        fields.push(field_keys(&mut field.attrs, errors));
    });
    Ok(Some(ParsedType { keys, item, fields }))
}

pub(super) fn each_field(data: &mut Data, act: &mut dyn FnMut(&mut syn::Field)) {
    let mut all = |fields: &mut Fields| fields.iter_mut().for_each(&mut *act);
    match data {
        Data::Struct(data) => all(&mut data.fields),
        Data::Enum(data) => data
            .variants
            .iter_mut()
            .for_each(|variant| all(&mut variant.fields)),
        Data::Union(_) => {}
    }
}

/// `#[arg(..)]` on what is no field says nothing.
fn refuse_other_marks(item: &mut DeriveInput, errors: &mut Errors) {
    let ident = &item.ident;
    take_args(&mut item.attrs, errors, || {
        format!("`#[arg(..)]` is about one field: put it on a field of `{ident}`")
    });
    let Data::Enum(data) = &mut item.data else {
        return;
    };
    for Variant { attrs, ident, .. } in &mut data.variants {
        take_args(attrs, errors, || {
            format!(
                "`#[arg(..)]` is about one field, and `{ident}` is a variant: what serde can say of it is \
                 written `#[serde(..)]`, as in `#[serde(rename = \"other\")]`"
            )
        });
    }
}

fn take_args(attributes: &mut Vec<Attribute>, errors: &mut Errors, message: impl Fn() -> String) {
    for mark in attributes.extract_if(.., |attribute| attribute.path().is_ident("arg")) {
        errors.on(mark.path(), message());
    }
}

fn field_keys(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> FieldKeys {
    for behind in attributes.extract_if(.., |attribute| {
        attribute.path().is_ident("cfg_attr") && conceals(&attribute.meta, &["arg"])
    }) {
        errors.on(
            behind,
            "`#[arg(..)]` behind a condition would give the type two schemas: \
             put `#[cfg(..)]` on two whole fields, or remove the condition",
        );
    }
    // The docs of a field stay where they are: the schema is made from them.
    let mut own: Vec<Attribute> = attributes
        .extract_if(.., |attribute| attribute.path().is_ident("arg"))
        .collect();
    let Marked {
        docs: _,
        marks,
        keys,
    } = Marked::take(&mut own, errors);
    FieldKeys {
        serde: serde(attributes),
        marks,
        keys,
    }
}

/// The entries of every `#[serde(..)]`.
pub(super) fn serde(attributes: &[Attribute]) -> Vec<Meta> {
    said_by(attributes, "serde")
}

/// The entries of every attribute of a name. Those that cannot be read are left to its macro, which reports them.
pub(super) fn said_by(attributes: &[Attribute], name: &str) -> Vec<Meta> {
    let read = Punctuated::<Meta, Token![,]>::parse_terminated;
    let lists = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(name));
    lists
        .filter_map(|attribute| attribute.parse_args_with(read).ok())
        .flatten()
        .collect()
}

/// `Err` on the outside for the syntax, on the inside for another item.
fn other_item(input: ParseStream<'_>) -> syn::Result<syn::Result<()>> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    if input.peek(Token![struct]) || input.peek(Token![enum]) || input.peek(Token![union]) {
        input.parse::<TokenStream>()?;
        return Ok(Ok(()));
    }
    let word = input.call(Ident::parse_any)?;
    let instead = match word.to_string().as_str() {
        "type" => "put it on the type that this is another name for",
        "fn" | "async" => "on a function there is `#[tool]`",
        "impl" => "put it on the type itself",
        _ => "put it on the types that arguments and results are made of",
    };
    input.parse::<TokenStream>()?;
    Ok(Err(Error::new_spanned(
        word,
        format!("`#[tool_type]` goes on a struct or an enum: {instead}"),
    )))
}
