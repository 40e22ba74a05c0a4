//! The promises of an input schema, and who keeps them.

use serde_json::Value;

use super::validator::{Validator, Whose};
use super::violation::{Violation, ViolationKind};
use super::violations::{Unions, violations};
use crate::schema::fault::{SchemaError, SchemaFault, Unenforced};
use crate::schema::make::unkept::Unkept;
use crate::schema::walk::is_annotation;
use crate::util::nesting::{self, DEPTH};

/// The promises of an input schema, and who keeps them.
#[derive(Debug)]
pub(crate) enum Promise {
    /// The types keep it, or there is nothing to keep.
    Kept,
    /// The types keep it but for what is judged at little cost, along the schema as it was drawn
    /// from them.
    Light(Value),
    /// A validator judges each call.
    Judged(Box<Validator>),
    /// Nobody can, so no call will do.
    Broken(SchemaFault),
}

impl Promise {
    /// Makes the promise of a schema that was drawn from types.
    pub(crate) fn of_types(unkept: &Unkept) -> Self {
        let Some(drawn) = &unkept.drawn else {
            return Self::Kept;
        };
        if unkept.unenforced.is_empty() {
            return Self::Light(drawn.clone());
        }
        Self::judged(drawn, Whose::Types, &unkept.unenforced)
    }

    /// Makes the promise of a schema that somebody wrote.
    pub(crate) fn of_schema(schema: &Value) -> Self {
        let wrong = match schema {
            Value::Object(_) | Value::Bool(_) if nesting::of_tree(schema, DEPTH) > DEPTH => {
                format!("the schema nests deeper than {DEPTH} levels")
            }
            Value::Object(_) | Value::Bool(_) => {
                if promises_nothing(schema) {
                    return Self::Kept;
                }
                return Self::judged(schema, Whose::Author, &[]);
            }
            Value::Null => "the schema is `null`, and a schema is an object".to_owned(),
            Value::Array(_) => "the schema is a list, and a schema is an object".to_owned(),
            Value::String(_) => "the schema is a text, and a schema is an object".to_owned(),
            Value::Number(_) => "the schema is a number, and a schema is an object".to_owned(),
        };
        Self::Broken(SchemaFault::Broken(SchemaError::new("", wrong)))
    }

    /// The unenforced keywords of a schema that was drawn from types are known.
    fn judged(schema: &Value, whose: Whose, unenforced: &[Unenforced]) -> Self {
        match Validator::made(schema, whose, unenforced) {
            Ok(validator) => Self::Judged(Box::new(validator)),
            Err(fault) => Self::Broken(fault),
        }
    }

    /// Returns true if nothing is left to be judged.
    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self, Self::Kept)
    }

    /// Returns the reason why no call can be judged.
    pub(crate) fn fault(&self) -> Option<&SchemaFault> {
        match self {
            Self::Broken(fault) => Some(fault),
            _ => None,
        }
    }

    /// Returns true if a value keeps it.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Judged(validator) => validator.holds(value),
            _ => self.violations(value).is_empty(),
        }
    }

    /// Returns what a value does not keep: something, if it does not [hold](Self::holds).
    pub(crate) fn violations(&self, value: &Value) -> Vec<Violation<'_>> {
        match self {
            Self::Kept => Vec::new(),
            Self::Light(drawn) => {
                let mut found = violations(value, drawn, Unions::BeyondForm);
                found.retain(|violation| !violation.kind.is_of_form());
                for violation in &mut found {
                    let is_of_set = |node: &Value| node["uniqueItems"] == true;
                    if violation.node.is_some_and(is_of_set) {
                        violation.kind = ViolationKind::Repeated;
                    }
                }
                found
            }
            Self::Judged(validator) => validator.violations(value),
            Self::Broken(_) => vec![Violation {
                pointer: String::new(),
                node: None,
                root: &Value::Null,
                kind: ViolationKind::Unjudged,
            }],
        }
    }
}

/// Returns true if every object satisfies the schema, as can be seen at a glance.
fn promises_nothing(schema: &Value) -> bool {
    let plain = |schema: &Value| match schema {
        Value::Object(node) => node.keys().all(|keyword| is_annotation(keyword)),
        other => *other == Value::Bool(true),
    };
    let Value::Object(node) = schema else {
        return plain(schema);
    };
    node.iter().all(|(keyword, value)| match keyword.as_str() {
        "type" => value == "object",
        "properties" => {
            let properties = value.as_object();
            properties.is_some_and(|properties| properties.values().all(plain))
        }
        "required" => value.as_array().is_some_and(Vec::is_empty),
        "additionalProperties" => plain(value),
        "$defs" | "definitions" => value.is_object(),
        _ => is_annotation(keyword),
    })
}
