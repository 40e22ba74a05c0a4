//! The words for what a type refuses.

use serde_json::Value;

use crate::arguments::refusal::TypeRefusal;
use crate::arguments::sentences::{
    expected, found, missing, other_than, secret, too_much, unknown_of,
};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{at, marks_secret, named};
use crate::util::pointer::below;
use crate::util::pointer::unescaped;

/// Puts a refusal into words: those of the schema, because serde's own name private types.
pub(super) fn of_refusal(
    place: &str,
    why: &TypeRefusal,
    tree: &Value,
    root: &Value,
) -> ArgumentProblem {
    let value = tree.pointer(place).unwrap_or(&Value::Null);
    let kind = match why {
        TypeRefusal::Missing(name) if value.is_object() => {
            let place = below(place, name);
            let expected = expected(&place, root);
            return missing(place, expected);
        }
        TypeRefusal::Repeated(name) if value.is_object() => {
            let words = "is given more than once, under different names";
            return ArgumentProblem::new(ProblemKind::Repeated, below(place, name), words);
        }
        TypeRefusal::TooMuch => return too_much(place.to_owned()),
        TypeRefusal::NotAllowed => ProblemKind::Constraint,
        _ => ProblemKind::Type,
    };
    // The schema may say nothing clear of the place; what is around it is told then.
    let mut around = place;
    loop {
        let node = at(root, around);
        let value = tree.pointer(around).unwrap_or(&Value::Null);
        if let Some(node) = node {
            if around == place {
                return other_than(kind, place.to_owned(), value, node, root);
            }
            let rest = &place[around.len() + 1..];
            let key = unescaped(rest.split('/').next().unwrap_or_default());
            let (Some(fields), Some(properties)) =
                (value.as_object(), node["properties"].as_object())
            else {
                return other_than(kind, around.to_owned(), value, node, root);
            };
            let inner = fields.get(&key).unwrap_or(&Value::Null);
            if matches!(why, TypeRefusal::Unknown(..)) {
                return unknown_of(&key, around, node, Some(fields));
            }
            // The schema does not say what an alias is another name of: perhaps of a secret.
            let (place, expected) = (below(around, &key), "another value".to_owned());
            if named(properties, &key).is_none()
                && properties.values().any(|node| marks_secret(node, root))
            {
                return secret(kind, place, expected, inner);
            }
            return ArgumentProblem::other(kind, place, expected, found(inner));
        }
        let Some((outer, _)) = around.rsplit_once('/') else {
            return ArgumentProblem::other(kind, place, "another value", found(value));
        };
        around = outer;
    }
}
