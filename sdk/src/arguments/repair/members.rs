//! The members of an object: their keys, and `null` for what may be left out.

use std::collections::HashSet;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::RepairKind;
use super::keys::{Meaning, PropertyNames};
use super::walk::{RepairWalk, Spot};
use crate::schema::{compiled, resolved};

impl<'s> RepairWalk<'s> {
    /// Visits the members of the object at the place.
    pub(super) fn members(&mut self, members: &mut Map<String, Value>, node: &'s Value) -> bool {
        let is_about_members = [
            "properties",
            "required",
            "patternProperties",
            "additionalProperties",
        ]
        .iter()
        .any(|keyword| node.get(keyword).is_some());
        if !is_about_members || !self.spend(members.len()) {
            return !is_about_members;
        }
        let required: HashSet<&str> = node["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let patterns = self.patterns(node, members);
        let rest = node.get("additionalProperties");
        let is_closed =
            [rest, node.get("unevaluatedProperties")].contains(&Some(&Value::Bool(false)));
        let names = PropertyNames {
            properties: node["properties"].as_object(),
            aliases: if self.pointer.is_empty() {
                self.aliases
            } else {
                &[]
            },
        };
        let keys: Vec<String> = members.keys().cloned().collect();
        let is_pattern = |key: &str| patterns.iter().any(|(pattern, _)| pattern.is_match(key));
        if !self.spend(required.len() + names.properties.map_or(0, Map::len)) {
            return false;
        }
        let meanings = names.meanings(
            &keys,
            |key| !is_pattern(key) && !self.is_described(key),
            |name| is_closed || required.contains(name),
        );
        let mut fits = true;
        for (key, meaning) in keys.iter().zip(meanings) {
            let Some(value) = members.get_mut(key) else {
                continue;
            };
            for (_, schema) in patterns.iter().filter(|(pattern, _)| pattern.is_match(key)) {
                fits &= self.part(key, value, schema, Spot::Member);
            }
            let name = match meaning {
                Meaning::Property(name) | Meaning::Rivalled(name) | Meaning::Misspelt(name) => name,
                Meaning::Contested => {
                    fits = false;
                    continue;
                }
                Meaning::Other => {
                    fits &= is_pattern(key)
                        || rest.is_none_or(|rest| self.part(key, value, rest, Spot::Member));
                    continue;
                }
            };
            let Some(schema) = names.properties.and_then(|properties| properties.get(name)) else {
                continue;
            };
            if value.is_null()
                && !required.contains(name)
                && !matches!(meaning, Meaning::Rivalled(_))
                && !self.takes(Value::Null, schema)
            {
                members.remove(key);
                self.member(RepairKind::Removed, key, Value::Null, None);
                continue;
            }
            fits &= if self.pointer.is_empty() && self.secrets.iter().any(|one| one == name) {
                self.secret_part(key, value, schema)
            } else {
                self.part(key, value, schema, Spot::Member)
            };
            if let Meaning::Misspelt(name) = meaning
                && let Some(value) = members.remove(key)
            {
                members.insert(name.to_owned(), value);
                let (from, to) = (Value::from(&key[..]), Value::from(name));
                self.member(RepairKind::Key, key, from, Some(to));
            }
        }
        fits && required.iter().all(|name| members.contains_key(*name))
    }

    /// The patterns of keys that can be read.
    fn patterns(
        &mut self,
        node: &'s Value,
        members: &Map<String, Value>,
    ) -> Vec<(Regex, &'s Value)> {
        let mut patterns = Vec::new();
        let Some(declared) = node["patternProperties"].as_object() else {
            return patterns;
        };
        let bytes = members.keys().map(String::len).sum();
        for (pattern, schema) in declared {
            let read = compiled(pattern, bytes, &mut self.effort);
            if self.effort == 0 {
                break;
            }
            patterns.extend(read.map(|pattern| (pattern, schema)));
        }
        patterns
    }

    /// Returns true if one of the schemas that describe the object names the key.
    fn is_described(&self, key: &str) -> bool {
        self.scope.iter().any(|node| self.describes(node, key, 8))
    }

    fn describes(&self, node: &Value, key: &str, links: usize) -> bool {
        if node["properties"].get(key).is_some() {
            return true;
        }
        let Some(links) = links.checked_sub(1) else {
            return false;
        };
        let target = node.get("$ref").and_then(|_| resolved(self.root, node));
        let parts = node["allOf"].as_array().into_iter().flatten();
        target
            .into_iter()
            .chain(parts)
            .any(|part| self.describes(part, key, links))
    }
}
