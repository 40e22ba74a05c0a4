//! What an input schema promises, and who keeps it.

use serde_json::Value;

use super::light::breach;
use super::validator::{Validator, Whose};
use crate::schema::fault::{SchemaError, SchemaFault, Unenforced};
use crate::schema::make::unkept::Unkept;
use crate::schema::walk::is_annotation;
use crate::util::nesting::{self, DEPTH};

/// What an input schema promises, and who keeps it.
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

/// Something that a value does not keep.
#[derive(Debug)]
pub(crate) struct Complaint<'p> {
    /// Where, as a JSON pointer into the value.
    pub(crate) pointer: String,
    /// The schema that the value breaks, if it is known, and the one that its references lead into.
    pub(crate) node: Option<&'p Value>,
    pub(crate) root: &'p Value,
    pub(crate) what: What,
}

/// What is wrong, where it is not just another value than the schema expects.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "json-schema"),
    expect(dead_code, reason = "most of it is what a validator says")
)]
pub(crate) enum What {
    /// The object lacks a name.
    Missing(String),
    /// The object has names that it must not have.
    Unknown(Vec<String>),
    /// It is of another type.
    Type,
    /// It is what it must not be.
    Not,
    /// No part of the list, or too few or many, are as some must be.
    Contains,
    /// A name in the object is not as names must be.
    Name(String),
    /// A list has something twice.
    Repeated,
    /// The number of members.
    Count,
    /// It fits several alternatives of which it may fit one.
    Several,
    /// It took too much to match it with a pattern.
    Pattern,
    /// A number that may have been rounded.
    Rounded,
    /// It is not allowed at all.
    Never,
    /// It fits none of several alternatives.
    Union,
    /// Anything else.
    Other,
    /// Something, somewhere in it.
    Some,
    /// It took too much to find out.
    TooMuch,
    /// Nobody can judge it.
    Unjudged,
}

impl Promise {
    /// That of a schema which was drawn from types.
    pub(crate) fn of_types(unkept: &Unkept) -> Self {
        let Some(drawn) = &unkept.drawn else {
            return Self::Kept;
        };
        if unkept.unenforced.is_empty() {
            return Self::Light(drawn.clone());
        }
        Self::judged(drawn, Whose::Types, &unkept.unenforced)
    }

    /// That of a schema which somebody wrote.
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

    /// Whether nothing is left to be judged.
    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self, Self::Kept)
    }

    /// Why no call can be judged.
    pub(crate) fn fault(&self) -> Option<&SchemaFault> {
        match self {
            Self::Broken(fault) => Some(fault),
            _ => None,
        }
    }

    /// Whether a value keeps it.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Kept => true,
            Self::Light(drawn) => breach(value, drawn).is_none(),
            Self::Judged(validator) => validator.holds(value),
            Self::Broken(_) => false,
        }
    }

    /// What a value does not keep: something, if it does not [hold](Self::holds).
    pub(crate) fn complaints(&self, value: &Value) -> Vec<Complaint<'_>> {
        match self {
            Self::Kept => Vec::new(),
            Self::Light(drawn) => breach(value, drawn)
                .map(|breach| Complaint {
                    pointer: breach.pointer,
                    node: breach.node,
                    root: drawn,
                    what: match breach.node {
                        Some(node) if node["uniqueItems"] == true => What::Repeated,
                        Some(_) => What::Other,
                        None => What::TooMuch,
                    },
                })
                .into_iter()
                .collect(),
            Self::Judged(validator) => validator.complaints(value),
            Self::Broken(_) => vec![Complaint {
                pointer: String::new(),
                node: None,
                root: &Value::Null,
                what: What::Unjudged,
            }],
        }
    }
}

/// Whether every object satisfies the schema, as can be seen at a glance.
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
