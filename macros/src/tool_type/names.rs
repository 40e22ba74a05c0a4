//! Refuses two fields of one object with the same name, which serde accepts silently.

use super::parse::{FieldKeys, serde};
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::tool::check::{Claim, check_claims};
use crate::values::Texts;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, Field, Fields, Lit, LitStr, Meta, MetaNameValue,
    Token,
};

/// `given` has the keys of all fields, in the order of the source.
pub(super) fn check_names(item: &DeriveInput, given: &[FieldKeys], errors: &mut Errors) {
    let mut given = given.iter();
    let mut object = |fields: &Fields, is_renamed: bool| {
        let mut claims = Vec::new();
        for (field, keys) in fields.iter().zip(given.by_ref()) {
            claim(field, keys, is_renamed, &mut claims);
        }
        check_claims(&claims, errors);
    };
    let is_renamed = says(&item.attrs, &["rename_all"]);
    match &item.data {
        Data::Struct(data) => object(&data.fields, is_renamed),
        Data::Enum(data) => {
            let is_renamed = says(&item.attrs, &["rename_all_fields"]);
            for variant in &data.variants {
                let is_renamed = is_renamed || says(&variant.attrs, &["rename_all"]);
                object(&variant.fields, is_renamed);
            }
        }
        Data::Union(_) => {}
    }
}

/// Nothing for what is not read by a name of its own, or not there under each condition.
fn claim(field: &Field, keys: &FieldKeys, is_renamed: bool, claims: &mut Vec<Claim>) {
    let Some(ident) = &field.ident else { return };
    let conditional = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
    };
    if field.attrs.iter().any(conditional)
        || says(&field.attrs, &["skip", "skip_deserializing", "flatten"])
    {
        return;
    }
    let mut add = |name: &LitStr| {
        claims.push(Claim::new(ident, name.value(), name.to_token_stream()));
    };
    let name = keys.keys.name.as_ref().map(|given| given.value.clone());
    let name = name.or_else(|| keys.serde.iter().find_map(|said| text(said, "rename")));
    match name {
        Some(name) => add(&name),
        // The rule that makes the name is serde's.
        None if is_renamed => {}
        None => add(&LitStr::new(&ident.unraw().to_string(), ident.span())),
    }
    if let Some(Keyed {
        value: Texts(aliases),
        ..
    }) = &keys.keys.aliases
    {
        aliases.iter().for_each(&mut add);
    }
    let aliases = keys.serde.iter().filter_map(|said| text(said, "alias"));
    aliases.for_each(|alias| add(&alias));
}

/// The text of `word = ".."`, and of `word(deserialize = "..")`.
pub(super) fn text(said: &Meta, word: &str) -> Option<LitStr> {
    match said {
        Meta::NameValue(MetaNameValue {
            path,
            value:
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }),
            ..
        }) if path.is_ident(word) => Some(text.clone()),
        Meta::List(list) if list.path.is_ident(word) => {
            let read = Punctuated::<Meta, Token![,]>::parse_terminated;
            let inside = list.parse_args_with(read).ok()?;
            inside.iter().find_map(|said| text(said, "deserialize"))
        }
        _ => None,
    }
}

/// Returns true if the author's `#[serde(..)]` has one of these words.
pub(super) fn says(attributes: &[Attribute], words: &[&str]) -> bool {
    serde(attributes)
        .iter()
        .any(|said| words.iter().any(|word| said.path().is_ident(word)))
}
