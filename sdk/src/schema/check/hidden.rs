//! The values that a schema marks as secret, with `writeOnly`: they are shown to nobody.

use std::borrow::Cow;

use hashbrown::HashSet;
use serde_json::Value;

use super::applied::{Guide, Rules, TooMuch};
use crate::schema::path::at;
use crate::schema::refs::resolved;
use crate::util::pointer::unescaped;

/// The most schemas that are looked at for one value. If more speak of it, one may mark it.
const LOOKED_AT: usize = 500;

/// The most references and parts that lead on from one to another.
const LINKS: usize = 8;

/// Returns true if a schema marks what it describes as secret: itself, by what it refers to, or by a part
/// or an alternative of it.
pub(crate) fn marks_secret(node: &Value, root: &Value) -> bool {
    let mut looked_at = 0;
    let mut left = vec![(node, LINKS)];
    while let Some((node, links)) = left.pop() {
        looked_at += 1;
        if node.get("writeOnly") == Some(&Value::Bool(true)) || looked_at > LOOKED_AT {
            return true;
        }
        let Some(links) = links.checked_sub(1) else {
            continue;
        };
        if node.get("$ref").is_some() {
            left.extend(resolved(root, node).map(|target| (target, links)));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = node.get(keyword) {
                left.extend(parts.iter().map(|part| (part, links)));
            }
        }
    }
    false
}

/// The most schemas that are looked at. If there are more, one of them may mark a secret.
const PARTS: usize = 2_000;

/// Returns true if any part of a schema says that it is shown to nobody.
pub(crate) fn names_secret(root: &Value) -> bool {
    let mut left = vec![root];
    while let Some(schema) = left.pop() {
        match schema {
            Value::Array(list) => left.extend(list),
            Value::Object(keywords) => {
                if keywords.get("writeOnly") == Some(&Value::Bool(true)) {
                    return true;
                }
                left.extend(keywords.values());
            }
            _ => {}
        }
    }
    false
}

/// Returns true if a value of this schema may hold a secret anywhere.
pub(crate) fn may_hold_secret(node: &Value, root: &Value) -> bool {
    let leads_on = |part: &&Value| part.is_array() || part.is_object();
    // The schemas that references have led to: one may lead back.
    let mut led_to: HashSet<*const Value> = HashSet::new();
    let mut looked_at = 1;
    let mut left = vec![node];
    while let Some(schema) = left.pop() {
        match schema {
            Value::Array(list) => {
                looked_at += list.len();
                left.extend(list.iter().filter(leads_on));
            }
            Value::Object(keywords) => {
                if keywords.get("writeOnly") == Some(&Value::Bool(true)) {
                    return true;
                }
                looked_at += keywords.len();
                if keywords.contains_key("$ref") {
                    looked_at += 1;
                    let target = resolved(root, schema);
                    left.extend(target.filter(|target| led_to.insert(*target)));
                }
                left.extend(keywords.values().filter(leads_on));
            }
            _ => {}
        }
        if looked_at > PARTS {
            return true;
        }
    }
    false
}

/// Tells which places among arguments are secret, or in something secret.
pub(crate) struct Hidden<'s> {
    root: &'s Value,
    guide: Guide<'s>,
    /// The names of the secret arguments.
    names: &'s [Cow<'static, str>],
}

impl<'s> Hidden<'s> {
    /// By the schema of the arguments, and the names of those that are secret.
    pub(crate) fn new(root: &'s Value, names: &'s [Cow<'static, str>]) -> Self {
        let guide = Guide::new(root);
        Self { root, guide, names }
    }

    /// The secrets of arguments of which nothing is known: there are none.
    pub(crate) fn nothing() -> Self {
        Self::new(&Value::Null, &[])
    }

    /// The outermost secret on the way to a place, the place itself included, both as JSON
    /// pointers. Where it takes too much to find out, it is the first part of the way.
    pub(crate) fn on_the_way<'p>(&mut self, pointer: &'p str) -> Option<&'p str> {
        self.find(pointer).unwrap_or_else(|TooMuch| {
            let first = pointer.match_indices('/').nth(1);
            Some(first.map_or(pointer, |(end, _)| &pointer[..end]))
        })
    }

    /// The outermost secret on the way to a place, or the place itself where a part of what belongs
    /// there is one.
    pub(crate) fn in_or_around(&mut self, pointer: &str) -> Option<String> {
        if let Some(place) = self.on_the_way(pointer) {
            return Some(place.to_owned());
        }
        let node = at(self.root, pointer);
        let around = node.is_none_or(|node| may_hold_secret(node, self.root));
        (around || pointer.is_empty()).then(|| pointer.to_owned())
    }

    fn find<'p>(&mut self, pointer: &'p str) -> Result<Option<&'p str>, TooMuch> {
        let mut rules = self.guide.root(None)?;
        if rules.is_write_only() {
            return Ok(Some(""));
        }
        let mut end = 0;
        for (depth, key) in pointer.split('/').skip(1).enumerate() {
            end += 1 + key.len();
            let key = unescaped(key);
            if depth == 0 && self.names.iter().any(|name| *name == key) {
                return Ok(Some(&pointer[..end]));
            }
            rules = self.inside(&rules, &key)?;
            if rules.is_write_only() {
                return Ok(Some(&pointer[..end]));
            }
        }
        Ok(None)
    }

    /// All that may speak of a member or item of a value, whichever of the two it is.
    fn inside(&mut self, rules: &Rules<'s>, key: &str) -> Result<Rules<'s>, TooMuch> {
        let mut said = rules.member(key, &mut self.guide)?;
        if let Ok(index) = key.parse() {
            said.extend(rules.item(index, &mut self.guide)?);
        }
        self.guide.rules(said, None)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mark_is_found_by_reference_part_and_alternative() {
        let root =
            json!({"$defs": {"secret": {"writeOnly": true}, "loop": {"$ref": "#/$defs/loop"}}});
        for (schema, secret) in [
            (json!({"writeOnly": true}), true),
            (json!({"writeOnly": "yes"}), false),
            (json!({"$ref": "#/$defs/secret"}), true),
            (json!({"allOf": [{}, {"$ref": "#/$defs/secret"}]}), true),
            (
                json!({"anyOf": [{"type": "null"}, {"oneOf": [{"writeOnly": true}]}]}),
                true,
            ),
            (json!({"properties": {"a": {"writeOnly": true}}}), false),
            (json!({"$ref": "#/$defs/loop"}), false),
            (json!({"$ref": "#/$defs/none"}), false),
            (json!(true), false),
        ] {
            assert_eq!(marks_secret(&schema, &root), secret, "{schema}");
        }
    }

    #[test]
    fn the_outermost_secret_on_the_way_is_told() {
        let root = json!({
            "properties": {
                "user": {"properties": {"token": {"anyOf": [{"type": "object", "writeOnly": true}, {"type": "null"}]}}},
                "keys": {"items": {"properties": {"a/b": {"$ref": "#/$defs/any", "writeOnly": true}}}},
                "map": {"patternProperties": {"^x": {"writeOnly": true}}},
                "7": {"allOf": [{"$ref": "#/$defs/secret"}]},
            },
            "$defs": {"secret": {"writeOnly": true}, "any": {}},
        });
        let names = ["password".into()];
        let mut hidden = Hidden::new(&root, &names);
        for (pointer, secret) in [
            ("", None),
            ("/user", None),
            ("/user/token", Some("/user/token")),
            ("/user/token/a/b", Some("/user/token")),
            ("/keys/3/a~1b/c", Some("/keys/3/a~1b")),
            ("/keys/3/b", None),
            ("/map/xy/z", Some("/map/xy")),
            ("/map/y", None),
            ("/password/hunter2", Some("/password")),
            ("/user/password", None),
            ("/7/8", Some("/7")),
        ] {
            assert_eq!(hidden.on_the_way(pointer), secret, "{pointer}");
        }
        assert_eq!(Hidden::nothing().on_the_way("/a/b"), None);
    }

    #[test]
    fn what_takes_too_much_to_find_out_is_secret() {
        let many: Vec<Value> = (0..300_000).map(|_| json!({})).collect();
        let root = json!({"allOf": many});
        assert_eq!(Hidden::new(&root, &[]).on_the_way("/a/b"), Some("/a"));
    }
}
