//! The types that `needs(..)` names: a body takes them from the context.

use super::types::bare;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::token_text::token_text;
use crate::tool::model::{Parameter, Resource};
use crate::values::Types;
use syn::Type;

pub(super) fn check_needs(
    Keyed {
        key,
        value: Types(list),
    }: Keyed<Types>,
    parameters: &[Parameter],
    errors: &mut Errors,
) -> Vec<Type> {
    let mut seen = Vec::new();
    let mut right = Vec::new();
    for ty in &list {
        let shown = token_text(ty);
        let before = errors.count();
        let taken = parameters
            .iter()
            .filter_map(Parameter::resource)
            .find(|Resource { ty, optional, .. }| !optional && token_text(ty) == shown);
        if let Type::Reference(reference) = bare(ty) {
            let fixed = token_text(&reference.elem);
            errors.on(
                ty,
                format!("`{key}` names types, and no references to them: write `{fixed}`"),
            );
        } else if seen.contains(&shown) {
            errors.on(ty, format!("`{shown}` is given twice: keep one of them"));
        } else if let Some(Resource { ident, .. }) = taken {
            let message = format!("`{ident}` is a `{shown}` already: remove it from `{key}`");
            errors.on(ty, message);
        }
        seen.push(shown);
        right.extend((errors.count() == before).then(|| ty.clone()));
    }
    right
}
