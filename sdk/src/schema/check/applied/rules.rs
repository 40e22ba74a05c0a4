//! The rules of the schemas that speak of a value, for it and for its parts.

use serde_json::Value;

use super::{Guide, Said, TooMuch, is_closed};
use crate::schema::check::pattern::matches;
use crate::schema::walk::{Node, has_type};

/// All that speaks of one value.
#[derive(Debug)]
pub(crate) struct Rules<'s>(pub(super) Vec<(&'s Node, bool)>);

impl<'s> Rules<'s> {
    /// Returns true if the value is to be written and not shown.
    pub(crate) fn is_write_only(&self) -> bool {
        let write_only = |(node, _): &(&Node, bool)| node.get("writeOnly") == Some(&true.into());
        self.0.iter().any(write_only)
    }

    /// Returns true if it is certainly a number.
    pub(crate) fn is_number(&self) -> bool {
        self.sure()
            .any(|node| has_type(node, "integer") || has_type(node, "number"))
    }

    /// Returns true if a member of the value has to be there.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.sure().any(|node| match node.get("required") {
            Some(Value::Array(list)) => list.iter().any(|one| one == name),
            _ => false,
        })
    }

    /// The members that the value certainly may have.
    pub(crate) fn properties(&self) -> impl Iterator<Item = (&'s String, &'s Value)> {
        self.sure()
            .filter_map(|node| node.get("properties")?.as_object())
            .flatten()
    }

    /// Returns true if the value is an object that has no member called so, by its schema: one that it has
    /// all the same has another name that the schema does not tell.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        let names = |node: &Node| match node.get("properties") {
            Some(Value::Object(properties)) => properties.contains_key(name),
            _ => false,
        };
        self.sure().any(is_closed) && !self.0.iter().any(|(node, _)| names(node))
    }

    fn sure(&self) -> impl Iterator<Item = &'s Node> {
        self.0
            .iter()
            .filter(|(_, sure)| *sure)
            .map(|(node, _)| *node)
    }

    /// Returns what speaks of a member of the value.
    pub(crate) fn member(
        &self,
        name: &str,
        guide: &mut Guide<'s>,
    ) -> Result<Vec<Said<'s>>, TooMuch> {
        let mut said = Vec::new();
        for (node, sure) in &self.0 {
            guide.spend(1)?;
            let before = said.len();
            if let Some(Value::Object(properties)) = node.get("properties") {
                said.extend(properties.get(name).map(|schema| (schema, *sure)));
            }
            if let Some(Value::Object(patterns)) = node.get("patternProperties") {
                for (pattern, schema) in patterns {
                    guide.spend(50)?;
                    match matches(pattern, name, &mut guide.left) {
                        Some(true) => said.push((schema, *sure)),
                        Some(false) => {}
                        // JSON Schema has more of a pattern than we can read.
                        None => said.push((schema, false)),
                    }
                }
            }
            if said.len() == before {
                said.extend(node.get("additionalProperties").map(|rest| (rest, *sure)));
            }
            said.extend(node.get("unevaluatedProperties").map(|rest| (rest, false)));
        }
        Ok(said)
    }

    /// Returns what speaks of an item of the value.
    pub(crate) fn item(
        &self,
        index: usize,
        guide: &mut Guide<'s>,
    ) -> Result<Vec<Said<'s>>, TooMuch> {
        guide.spend(self.0.len())?;
        let mut said = Vec::new();
        for (node, sure) in &self.0 {
            let items = node.get("items");
            let (first, rest) = match (node.get("prefixItems"), items) {
                (None, Some(Value::Array(first))) => (&first[..], node.get("additionalItems")),
                (Some(Value::Array(first)), rest) => (&first[..], rest),
                (_, rest) => (&[][..], rest),
            };
            let own = first.get(index).or(rest);
            said.extend(own.map(|schema| (schema, *sure)));
            let perhaps = ["contains", "unevaluatedItems"].map(|keyword| node.get(keyword));
            said.extend(perhaps.into_iter().flatten().map(|schema| (schema, false)));
        }
        Ok(said)
    }
}
