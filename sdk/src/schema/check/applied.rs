//! The schemas that describe a value, found by going through value and schema side by side.
//!
//! It is no validator: it is for code that has to know where in a schema a value stands, such as filling in
//! defaults. Schemas that describe a value for certain are distinguished from those that only may: a union's
//! branch is certain if the value fits that one alone.

use hashbrown::HashMap;
use serde_json::{Number, Value};

use super::fits::is_of_one;
use super::whole::whole;
use crate::schema::refs::percent_decoded;
use crate::schema::walk::{Node, subschemas};

mod rules;

pub(crate) use rules::Rules;

/// The integer that a number is, also where it is written as a float; `None` where it is none, or
/// too large for a float to tell.
pub(crate) fn integral(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return Some(number.clone());
    }
    whole(number.as_f64()?).map(Number::from)
}

/// Going through value and schema took more steps than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// A schema that speaks of a value, and whether for certain.
pub(crate) type Said<'s> = (&'s Value, bool);

/// Leads through a schema, with a limit on its steps: schemas come from anywhere.
pub(crate) struct Guide<'s> {
    root: &'s Value,
    left: usize,
    /// By their `$id`, and by `#` and their anchor.
    named: Option<HashMap<String, &'s Value>>,
}

/// The steps that a schema may take whatever the value.
const STEPS: usize = 200_000;

/// The most levels of references and unions to see whether a value fits a branch.
const HOPS: usize = 16;

impl<'s> Guide<'s> {
    pub(crate) fn new(root: &'s Value) -> Self {
        Self {
            root,
            left: STEPS,
            named: None,
        }
    }

    /// Allows for more steps.
    pub(crate) fn earn(&mut self, steps: usize) {
        self.left = self.left.saturating_add(steps);
    }

    /// Notes some steps.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(steps).ok_or(TooMuch)?;
        Ok(())
    }

    /// Returns what the schema says of the whole.
    pub(crate) fn root(&mut self, value: Option<&Value>) -> Result<Rules<'s>, TooMuch> {
        self.rules(vec![(self.root, true)], value)
    }

    /// All that speaks of a value, references, parts and unions followed. Where the value is not
    /// known, it may be any branch of a union.
    pub(crate) fn rules(
        &mut self,
        mut open: Vec<Said<'s>>,
        value: Option<&Value>,
    ) -> Result<Rules<'s>, TooMuch> {
        let mut rules = Rules(Vec::with_capacity(open.len()));
        // Only references lead to a schema twice.
        let mut seen: Vec<Said<'s>> = Vec::new();
        while let Some((schema, sure)) = open.pop() {
            self.spend(1)?;
            let Value::Object(node) = schema else {
                continue;
            };
            rules.0.push((node, sure));
            for (keyword, reference) in references(node) {
                self.spend(1 + seen.len())?;
                let sure = sure && keyword == "$ref";
                let Some(target) = self.target(reference)? else {
                    continue;
                };
                let known = |(other, as_sure): &Said<'s>| {
                    std::ptr::eq(*other, target) && (*as_sure || !sure)
                };
                if !seen.iter().any(known) {
                    seen.push((target, sure));
                    open.push((target, sure));
                }
            }
            if let Some(Value::Array(parts)) = node.get("allOf") {
                open.extend(parts.iter().map(|part| (part, sure)));
            }
            for keyword in ["anyOf", "oneOf"] {
                if let Some(Value::Array(branches)) = node.get(keyword) {
                    self.branches(branches, sure, value, &mut open)?;
                }
            }
            let perhaps = ["if", "then", "else"].map(|keyword| node.get(keyword));
            open.extend(perhaps.into_iter().flatten().map(|part| (part, false)));
            if let Some(Value::Object(parts)) = node.get("dependentSchemas") {
                open.extend(parts.values().map(|part| (part, false)));
            }
        }
        Ok(rules)
    }

    /// The branches of a union that a value may be: one for certain, or all that it fits, or all
    /// where it fits none.
    fn branches(
        &mut self,
        branches: &'s [Value],
        sure: bool,
        value: Option<&Value>,
        open: &mut Vec<Said<'s>>,
    ) -> Result<(), TooMuch> {
        let Some(value) = value else {
            open.extend(branches.iter().map(|branch| (branch, false)));
            return Ok(());
        };
        let mut fitting = Vec::new();
        for branch in branches {
            if self.may_fit(branch, value, 2, HOPS)? {
                fitting.push(branch);
            }
        }
        match fitting[..] {
            [only] => open.push((only, sure)),
            [] => open.extend(branches.iter().map(|branch| (branch, false))),
            _ => open.extend(fitting.into_iter().map(|branch| (branch, false))),
        }
        Ok(())
    }

    /// Returns true if all that speaks of a value for certain takes `null`.
    pub(crate) fn takes_null(&mut self, said: &[Said<'s>]) -> Result<bool, TooMuch> {
        for (schema, sure) in said {
            if *sure && !self.may_fit(schema, &Value::Null, 0, HOPS)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if a value may satisfy a schema: false only if it certainly does not. Looks so many
    /// levels into objects.
    fn may_fit(
        &mut self,
        schema: &'s Value,
        value: &Value,
        levels: usize,
        hops: usize,
    ) -> Result<bool, TooMuch> {
        self.spend(1)?;
        let node = match schema {
            Value::Bool(all) => return Ok(*all),
            Value::Object(node) if hops > 0 => node,
            _ => return Ok(true),
        };
        if !is_of_one(value, node.get("type"), may_be_integer) || !is_listed(value, node) {
            return Ok(false);
        }
        if let Value::Object(map) = value
            && !self.may_fit_members(node, map, levels, hops)?
        {
            return Ok(false);
        }
        if let Some(Value::String(reference)) = node.get("$ref")
            && let Some(target) = self.target(reference)?
            && !self.may_fit(target, value, levels, hops - 1)?
        {
            return Ok(false);
        }
        if let Some(Value::Array(parts)) = node.get("allOf") {
            for part in parts {
                if !self.may_fit(part, value, levels, hops - 1)? {
                    return Ok(false);
                }
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword) {
                let mut any = false;
                for branch in branches {
                    any = any || self.may_fit(branch, value, levels, hops - 1)?;
                }
                if !any {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn may_fit_members(
        &mut self,
        node: &'s Node,
        map: &Node,
        levels: usize,
        hops: usize,
    ) -> Result<bool, TooMuch> {
        if let Some(Value::Array(required)) = node.get("required") {
            self.spend(required.len())?;
            let mut names = required.iter().filter_map(Value::as_str);
            if !names.all(|name| map.contains_key(name)) {
                return Ok(false);
            }
        }
        let properties = node.get("properties").and_then(Value::as_object);
        self.spend(map.len())?;
        if is_closed(node) {
            let known = |name: &String| properties.is_some_and(|all| all.contains_key(name));
            if !map.keys().all(known) {
                return Ok(false);
            }
        }
        let (Some(properties), Some(levels)) = (properties, levels.checked_sub(1)) else {
            return Ok(true);
        };
        for (name, value) in map {
            if let Some(schema) = properties.get(name)
                && !self.may_fit(schema, value, levels, hops - 1)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns what stands in for a value that is not there.
    pub(crate) fn default(&mut self, schema: &'s Value) -> Result<Option<&'s Value>, TooMuch> {
        let mut open = vec![schema];
        for _ in 0..HOPS {
            let Some(node) = open.pop().and_then(Value::as_object) else {
                break;
            };
            self.spend(1)?;
            if let Some(default) = node.get("default") {
                return Ok(Some(default));
            }
            if let Some(Value::Array(parts)) = node.get("allOf") {
                open.extend(parts);
            }
            if let Some(Value::String(reference)) = node.get("$ref") {
                open.extend(self.target(reference)?);
            }
        }
        Ok(None)
    }

    /// Returns what a reference leads to, within the schema itself.
    pub(super) fn target(&mut self, reference: &str) -> Result<Option<&'s Value>, TooMuch> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let Some(fragment) = percent_decoded(fragment) else {
            return Ok(None);
        };
        let within = match base {
            "" => Some(self.root),
            base => self.named()?.get(base).copied(),
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            return Ok(within.and_then(|schema| schema.pointer(&fragment)));
        }
        Ok(self.named()?.get(&format!("#{fragment}")).copied())
    }

    fn named(&mut self) -> Result<&HashMap<String, &'s Value>, TooMuch> {
        if self.named.is_none() {
            self.named = Some(self.find_named()?);
        }
        Ok(self.named.get_or_insert_default())
    }

    fn find_named(&mut self) -> Result<HashMap<String, &'s Value>, TooMuch> {
        let mut named = HashMap::new();
        let mut open = vec![self.root];
        while let Some(schema) = open.pop() {
            self.spend(1)?;
            let Value::Object(node) = schema else {
                continue;
            };
            for (keyword, before) in [("$id", ""), ("$anchor", "#"), ("$dynamicAnchor", "#")] {
                if let Some(Value::String(name)) = node.get(keyword) {
                    named.entry(format!("{before}{name}")).or_insert(schema);
                }
            }
            subschemas(node, &mut |_, inner| open.push(inner));
        }
        Ok(named)
    }
}

fn references(node: &Node) -> impl Iterator<Item = (&'static str, &String)> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .filter_map(|keyword| match node.get(keyword) {
            Some(Value::String(reference)) => Some((keyword, reference)),
            _ => None,
        })
}

/// Returns true if a number may be an integer; one that is too large to tell may be.
fn may_be_integer(number: &Number) -> bool {
    number.as_f64().is_none_or(|float| float.fract() == 0.0)
}

/// Returns true if a value is one of those that there are, if they are listed. A list or an object
/// that is not looked at.
fn is_listed(value: &Value, node: &Node) -> bool {
    if value.is_array() || value.is_object() {
        return true;
    }
    let same = |other: &Value| match (value, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => value == other,
    };
    let listed = match node.get("enum") {
        Some(Value::Array(list)) => list.iter().any(same),
        _ => true,
    };
    listed && node.get("const").is_none_or(same)
}

/// Returns true if an object has the properties that are named and no others.
fn is_closed(node: &Node) -> bool {
    node.get("additionalProperties") == Some(&Value::Bool(false))
        && !node.contains_key("patternProperties")
}
