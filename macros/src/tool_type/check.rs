//! From what was written to what it means.

use super::conflicts::{Derived, check_serde};
use super::names::{check_names, says};
use super::parse::{FieldKeys, ParsedType, each_field, serde};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::names::argument_name_problem;
use crate::renamed::runtime_of;
use crate::token_text::token_text;
use crate::tool::check::{
    check_constraints, check_presets, is_no_object, is_option, texts, undocumented,
};
use crate::tool::keys::{ArgKeys, ToolTypeKeys};
use crate::tool::model::{Constraint, DefaultOrExample};
use crate::values::Bare;
use proc_macro2::Ident;
use syn::{Attribute, DeriveInput, LitStr, Path, Type};

pub(super) struct Data {
    pub(super) runtime: Path,
    /// Read from what the model sends.
    pub(super) argument: bool,
    /// Allowed for the model to read.
    pub(super) result: bool,
    pub(super) item: DeriveInput,
    /// In the order of the source; `None` where nothing is said of the field.
    pub(super) fields: Vec<Option<Field>>,
}

/// The settings of `#[arg(..)]` on a field.
pub(super) struct Field {
    pub(super) ty: Type,
    pub(super) name: Option<LitStr>,
    pub(super) aliases: Vec<LitStr>,
    pub(super) default: Option<DefaultOrExample>,
    pub(super) example: Option<DefaultOrExample>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) is_option: bool,
}

pub(super) fn check(parsed: ParsedType, errors: &mut Errors) -> Data {
    let ParsedType {
        keys,
        mut item,
        fields,
    } = parsed;
    let ToolTypeKeys {
        argument,
        result,
        deny_undocumented,
        runtime,
    } = keys;
    if let (Some(Keyed { key: first, .. }), Some(Keyed { key: second, .. })) = (&argument, &result)
    {
        let message = format!(
            "`{first}` and `{second}` together are what the type is without either: remove both"
        );
        errors.on(second, message);
    }
    let is_argument = argument.is_some() || result.is_none();
    let is_result = result.is_some() || argument.is_none();
    let derived = Derived {
        argument: is_argument,
        result: is_result,
        any_arg: fields.iter().any(|field| !field.marks.is_empty()),
    };
    derived.check(&mut item.attrs, errors);
    let only_result = argument.is_none() && result.is_some();
    let borrows = is_argument && check_lifetimes(&item, errors);
    let generic = !item.generics.params.is_empty();
    check_names(&item, &fields, errors);
    let mut types = Vec::new();
    each_field(&mut item.data, &mut |field| {
        types.push((field.ident.clone(), field.ty.clone()));
        if deny_undocumented.is_some() {
            check_documented(field, errors);
        }
        check_flat(field, errors);
    });
    let fields = fields
        .into_iter()
        .zip(types)
        .map(|(FieldKeys { serde, marks, keys }, (ident, ty))| {
            let mark = marks.first()?;
            let before = errors.count();
            check_place(&item.ident, mark, only_result, generic, errors);
            check_serde(&serde, &keys, errors);
            let field = check_field(ident.as_ref(), ty, keys, errors);
            // Rustc judges what is right: of a mistake here it would tell once more.
            (errors.count() == before && !borrows).then_some(field)
        })
        .collect();
    Data {
        runtime: runtime_of(runtime, "tool_type", errors),
        // Else serde says of each field that it borrows.
        argument: is_argument && !borrows,
        result: is_result,
        item,
        fields,
    }
}

/// Refuses a field without a description: the model would see only the name and the type.
fn check_documented(field: &syn::Field, errors: &mut Errors) {
    let is_hidden = says(&field.attrs, &["flatten", "skip", "skip_deserializing"]);
    if let Some(ident) = &field.ident
        && !is_hidden
        && Docs::of(&field.attrs).is_none()
    {
        errors.on(ident, undocumented(&ident.to_string()));
    }
}

/// serde flattens what is made of names alone. The runtime looks at types by other names.
fn check_flat(field: &syn::Field, errors: &mut Errors) {
    let said = serde(&field.attrs);
    if let Some(flatten) = said.iter().find(|said| said.path().is_ident("flatten"))
        && is_no_object(&field.ty)
    {
        let message = format!(
            "`#[serde(flatten)]` puts the fields of a struct or the members of a map in place of the field, \
             and `{}` has neither: remove `flatten`",
            token_text(&field.ty)
        );
        errors.on(flatten, message);
    }
}

/// Reports a type that borrows, and returns true if it does.
fn check_lifetimes(item: &DeriveInput, errors: &mut Errors) -> bool {
    let first = item.generics.lifetimes().next();
    if let Some(lifetime) = first {
        let message = format!(
            "`{}` borrows, and what the model fills in is owned: let it own what it has, as with `String`, \
             or write `#[tool_type(result)]`",
            item.ident
        );
        errors.on(&lifetime.lifetime, message);
    }
    first.is_some()
}

fn check_place(
    item: &Ident,
    mark: &Attribute,
    only_result: bool,
    generic: bool,
    errors: &mut Errors,
) {
    if only_result {
        let message = format!(
            "`#[arg(..)]` is for what the model fills in, and `{item}` is a result: remove one of the two"
        );
        errors.on(mark.path(), message);
    } else if generic {
        let message = format!(
            "`#[arg(..)]` needs a type that is known here, and `{item}` is generic: \
             write the type out, or constrain where `{item}` is used"
        );
        errors.on(mark.path(), message);
    }
}

fn check_field(ident: Option<&Ident>, ty: Type, mut keys: ArgKeys, errors: &mut Errors) -> Field {
    refuse(keys.secret.as_ref(), errors, |key| {
        format!("`{key}` is for arguments: write it on the argument that this type is a part of")
    });
    refuse(keys.flatten.as_ref(), errors, |key| {
        format!("a field is flattened by serde: write `#[serde({key})]`")
    });
    if let (None, Some(Keyed { key, .. })) = (ident, &keys.name) {
        errors.on(
            key,
            format!("a field without a name has no `{key}`: remove it"),
        );
    }
    let name = keys.name.take().map(|name| name.value);
    let aliases = texts(keys.aliases.take());
    for name in name.iter().chain(&aliases) {
        if let Some(problem) = argument_name_problem(&name.value()) {
            errors.on(name, problem);
        }
    }
    let constraints = check_constraints(&mut keys, errors);
    let is_option = is_option(&ty);
    let (default, example) =
        check_presets(None, &ty, keys.default, keys.example, &constraints, errors);
    Field {
        ty,
        name,
        aliases,
        default,
        example,
        constraints,
        is_option,
    }
}

fn refuse(key: Option<&Keyed<Bare>>, errors: &mut Errors, message: impl Fn(&Ident) -> String) {
    if let Some(Keyed { key, .. }) = key {
        errors.on(key, message(key));
    }
}
