//! The members of an object: their keys, and `null` for what may be left out.

use std::collections::HashSet;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::RepairKind;
use super::keys::{Meaning, PropertyNames};
use super::walk::{RepairWalk, Spot};
use crate::schema::{Keyword, Keywords, compiled, resolved};

/// The names that an object must have.
struct RequiredNames<'s> {
    list: &'s [Value],
    /// The same where there are many, so that each is found in one step.
    many: HashSet<&'s str>,
}

/// The most names that are looked through one by one.
const FEW: usize = 32;

impl<'s> RequiredNames<'s> {
    fn of(list: &'s [Value]) -> Self {
        let many = if list.len() > FEW { list } else { &[] };
        let many = many.iter().filter_map(Value::as_str).collect();
        Self { list, many }
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    fn has(&self, name: &str) -> bool {
        if self.list.len() > FEW {
            return self.many.contains(name);
        }
        self.list.iter().any(|one| one.as_str() == Some(name))
    }

    fn are_in(&self, members: &Map<String, Value>) -> bool {
        let mut names = self.list.iter().filter_map(Value::as_str);
        names.all(|name| members.contains_key(name))
    }
}

impl<'s> RepairWalk<'s> {
    /// Visits the members of the object at the place.
    pub(super) fn members(&mut self, members: &mut Map<String, Value>, node: Keywords<'s>) -> bool {
        let is_about_members = [
            Keyword::Properties,
            Keyword::Required,
            Keyword::PatternProperties,
            Keyword::AdditionalProperties,
        ]
        .iter()
        .any(|keyword| node.has(*keyword));
        if !is_about_members || !self.spend(members.len()) {
            return !is_about_members;
        }
        let required = RequiredNames::of(node.list(Keyword::Required));
        let patterns = self.patterns(node, members);
        let rest = node.get(Keyword::AdditionalProperties);
        let is_closed =
            [rest, node.get(Keyword::UnevaluatedProperties)].contains(&Some(&Value::Bool(false)));
        let names = PropertyNames {
            properties: node.object(Keyword::Properties),
            aliases: if self.pointer.is_empty() {
                self.aliases
            } else {
                &[]
            },
        };
        let is_pattern = |key: &str| patterns.iter().any(|(pattern, _)| pattern.is_match(key));
        if !self.spend(required.len() + names.properties.map_or(0, Map::len)) {
            return false;
        }
        // The names of this schema itself are known where the meanings are found.
        let is_alone = node.say_all() && self.scope().len() == 1;
        let meanings = names.meanings(
            members,
            |key| !is_pattern(key) && (is_alone || !self.is_described(key)),
            |name| is_closed || required.has(name),
        );
        let mut fits = true;
        // The object is changed last, because it is gone through here.
        let mut changes: Vec<(String, Option<&'s str>)> = Vec::new();
        for ((key, value), meaning) in members.iter_mut().zip(meanings) {
            for (_, schema) in patterns.iter().filter(|(pattern, _)| pattern.is_match(key)) {
                fits &= self.part(key, value, schema, Spot::Member);
            }
            let (name, schema) = match meaning {
                Meaning::Property(property)
                | Meaning::Rivalled(property)
                | Meaning::Misspelt(property) => property,
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
            if value.is_null()
                && !required.has(name)
                && !matches!(meaning, Meaning::Rivalled(_))
                && !self.takes(Value::Null, schema)
            {
                changes.push((key.clone(), None));
                self.member(RepairKind::Removed, key, Value::Null, None);
                continue;
            }
            fits &= if self.pointer.is_empty() && self.secrets.iter().any(|one| one == name) {
                self.secret_part(key, value, schema)
            } else {
                self.part(key, value, schema, Spot::Member)
            };
            if let Meaning::Misspelt(_) = meaning {
                changes.push((key.clone(), Some(name)));
                let (from, to) = (Value::from(&key[..]), Value::from(name));
                self.member(RepairKind::Key, key, from, Some(to));
            }
        }
        for (key, name) in changes {
            if let (Some(value), Some(name)) = (members.remove(&key), name) {
                members.insert(name.to_owned(), value);
            }
        }
        fits && required.are_in(members)
    }

    /// The patterns of keys that can be read.
    fn patterns(
        &mut self,
        node: Keywords<'s>,
        members: &Map<String, Value>,
    ) -> Vec<(Regex, &'s Value)> {
        let mut patterns = Vec::new();
        let Some(declared) = node.object(Keyword::PatternProperties) else {
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
        self.scope().iter().any(|node| self.describes(node, key, 8))
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
