//! What tells the branches of a union apart.

use serde_json::Value;

use super::words::names;

pub(super) fn required(node: &Value) -> impl Iterator<Item = &str> {
    let keys = node["required"].as_array().into_iter().flatten();
    keys.filter_map(Value::as_str)
}

/// The name whose value tells all of these objects apart.
pub(super) fn tag_of<'s>(branches: &[&'s Value]) -> Option<&'s str> {
    let (first, others) = branches.split_first()?;
    required(first).find(|key| {
        let tag = only_text(first, key);
        let differs = |other: &&Value| {
            required(other).any(|own| own == *key) && {
                let own = only_text(other, key);
                own.is_some() && own != tag
            }
        };
        tag.is_some() && others.iter().all(differs)
    })
}

/// The one name that each of these objects must have and no other may, if all differ.
pub(super) fn only_names<'s>(branches: &[&'s Value]) -> Option<Vec<&'s str>> {
    let only = |branch: &&'s Value| {
        let mut names = names(branch);
        let name = names.next()?;
        let is_one = names.next().is_none() && required(branch).any(|key| key == name);
        (is_one && branch["additionalProperties"] == Value::Bool(false)).then_some(name)
    };
    let names: Vec<&str> = branches.iter().map(only).collect::<Option<_>>()?;
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    (different.len() == names.len()).then_some(names)
}

/// The one text that a property can be.
pub(super) fn only_text<'s>(object: &'s Value, key: &str) -> Option<&'s str> {
    match object["properties"][key]["enum"].as_array()?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}
