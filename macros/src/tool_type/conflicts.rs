//! Conflicts between our derives and serde attributes and those that the author writes.

use crate::errors::Errors;
use crate::keys::Keys as _;
use crate::tool::keys::ArgKeys;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Meta, Path, Token};

/// The derives that the macro adds to the type.
pub(super) struct Derived {
    pub(super) argument: bool,
    pub(super) result: bool,
    /// True if a field has `#[arg(..)]`.
    pub(super) any_arg: bool,
}

impl Derived {
    /// Removes and reports derives that we add ourselves: a derive cannot stand twice.
    pub(super) fn check(&self, attributes: &mut Vec<Attribute>, errors: &mut Errors) {
        attributes.retain_mut(|attribute| {
            let Meta::List(list) = &mut attribute.meta else {
                return true;
            };
            let read = Punctuated::<Path, Token![,]>::parse_terminated;
            let (true, Ok(paths)) = (list.path.is_ident("derive"), list.parse_args_with(read))
            else {
                return true;
            };
            let problems: Vec<_> = paths.iter().map(|path| self.problem(path)).collect();
            if problems.iter().all(Option::is_none) {
                return true;
            }
            let kept = paths
                .iter()
                .zip(&problems)
                .filter(|(_, problem)| problem.is_none());
            let kept: Vec<&Path> = kept.map(|(path, _)| path).collect();
            list.tokens = quote!(#(#kept),*);
            problems
                .into_iter()
                .flatten()
                .for_each(|problem| errors.add(problem));
            true
        });
    }

    fn problem(&self, path: &Path) -> Option<Error> {
        let word = &path.segments.last()?.ident;
        let ours = match word.to_string().as_str() {
            "Deserialize" => self.argument,
            "Serialize" => self.result,
            "JsonSchema" => true,
            "Tool" if self.any_arg => {
                let message = "`#[derive(Tool)]` reads `#[arg(..)]` too, and `#[tool_type]` takes it off: \
                               put the derive in front of `#[tool_type]`";
                return Some(Error::new_spanned(word, message));
            }
            _ => false,
        };
        let message = format!("`#[tool_type]` derives `{word}` too: remove it here");
        ours.then(|| Error::new_spanned(word, message))
    }
}

/// Refuses settings that both `#[arg(..)]` and `#[serde(..)]` make on a field.
pub(super) fn check_serde(said: &[Meta], keys: &ArgKeys, errors: &mut Errors) {
    let others = ["name", "aliases", "default", "example", "secret", "flatten"];
    let mut given = keys.given().into_iter();
    let constraint = given.find(|key| !others.iter().any(|other| key == other));
    for meta in said {
        let Some(word) = meta.path().get_ident() else {
            continue;
        };
        let key = match word.to_string().as_str() {
            "rename" => keys.name.as_ref().map(|given| &given.key),
            "default" => keys.default.as_ref().map(|given| &given.key),
            "deserialize_with" | "with" => constraint,
            _ => None,
        };
        if let Some(key) = key {
            let message = format!(
                "`#[serde({word})]` and `#[arg({key})]` are both about how the field is read: keep one of them"
            );
            errors.on(word, message);
        }
    }
}
