//! The promises of a schema that was drawn from types, as far as the types do not keep them.
//!
//! serde's derives keep what schemars' derives say of structure: types, names, what is required,
//! alternatives, the ends of an integer. What goes beyond comes from `#[schemars(range(..))]` and
//! its like or from a schema written by hand, and nothing reads it when a call is parsed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::number::{exact, integer_format};
use crate::schema::fault::Unenforced;
use crate::schema::refs::{Definitions, referred};
use crate::schema::walk::{Node, has_type, subschemas};
use crate::util::pointer::push_key;

/// The key by which a field lists the keywords of its schema that it enforces itself. The portable form has none of
/// it.
pub(crate) const ENFORCED: &str = "x-toolwright-enforced";

/// The key by which a type lists the declarations that it cannot keep, as a list of [`Marked`]. The portable form has
/// none of it.
pub(crate) const MISTAKES: &str = "x-toolwright-mistakes";

/// The most keywords in a message.
const TOLD: usize = 8;

/// The constraints that the types behind a schema do not keep.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unkept {
    /// The constraints that no type keeps, and only a validator checks.
    pub(crate) unenforced: Vec<Unenforced>,
    /// True if there is a constraint that a type may or may not keep, and whose check is cheap: schemars writes the
    /// same for a `char` and for a text of one character.
    pub(crate) light: bool,
    /// The schemas as they were drawn, if any of the two is so.
    pub(crate) drawn: Option<Value>,
    /// The declarations that types cannot keep, each with the place among the arguments.
    pub(crate) marked: Vec<(String, Marked)>,
    /// Returns true if there is a map among the types, or what looks like one.
    pub(crate) has_maps: bool,
}

/// A declaration that a type cannot keep.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Marked {
    /// The field that it is about, if it is not told by the place.
    pub(crate) field: Option<String>,
    /// The thing that is wrong, such as a default.
    pub(crate) what: String,
    /// Its value, which is not told where it is a part of a secret.
    pub(crate) value: Option<Value>,
    /// The reason why it is wrong.
    pub(crate) why: String,
}

impl Marked {
    /// Marks the schema of a type.
    pub(crate) fn put_on(self, schema: &mut Node) {
        let marks = schema
            .entry(MISTAKES)
            .or_insert_with(|| Value::Array(Vec::new()));
        if let (Value::Array(marks), Ok(mark)) = (marks, serde_json::to_value(self)) {
            marks.push(mark);
        }
    }
}

/// Looks through the schemas of arguments, each with its name, or through that of them all.
pub(crate) fn unkept(arguments: &[(Option<&str>, &Value)], definitions: &Definitions) -> Unkept {
    let mut scan = Scan {
        definitions,
        seen: BTreeSet::new(),
        found: Unkept::default(),
    };
    for (name, schema) in arguments {
        let mut place = String::new();
        if let Some(name) = name {
            push_key(&mut place, name);
        }
        scan.schema(schema, &place);
    }
    let mut found = scan.found;
    if found.light || !found.unenforced.is_empty() {
        found.drawn = Some(drawn(arguments, definitions));
    }
    found
}

/// A single schema of all arguments. It does not say which arguments there are and which are required: the types keep
/// that.
fn drawn(arguments: &[(Option<&str>, &Value)], definitions: &Definitions) -> Value {
    let mut root = Node::new();
    let mut properties = Node::new();
    for (name, schema) in arguments {
        match (name, schema) {
            (Some(name), schema) => {
                properties.insert((*name).to_owned(), (*schema).clone());
            }
            (None, Value::Object(node)) => root.clone_from(node),
            (None, _) => {}
        }
    }
    if !properties.is_empty() {
        root.insert("type".to_owned(), json!("object"));
        root.insert("properties".to_owned(), Value::Object(properties));
    }
    root.insert("$defs".to_owned(), definitions.to_value());
    Value::Object(root)
}

struct Scan<'d> {
    definitions: &'d Definitions,
    seen: BTreeSet<&'d str>,
    found: Unkept,
}

/// The degree to which a type keeps a keyword.
enum TypeEnforcement {
    Surely,
    Perhaps,
    Never,
}

impl Scan<'_> {
    fn schema(&mut self, schema: &Value, place: &str) {
        let Value::Object(node) = schema else { return };
        let enforced = node.get(ENFORCED).and_then(Value::as_array);
        if let Some(marks) = node.get(MISTAKES).and_then(Value::as_array) {
            let marks = marks
                .iter()
                .filter_map(|mark| Marked::deserialize(mark).ok());
            let marked = marks.map(|mark| (place.to_owned(), mark));
            self.found.marked.extend(marked);
        }
        self.found.has_maps |= node
            .get("additionalProperties")
            .is_some_and(|values| *values != Value::Bool(false));
        for (keyword, value) in node {
            if enforced.is_some_and(|list| list.iter().any(|one| one == keyword)) {
                continue;
            }
            match kept(keyword, value, node) {
                TypeEnforcement::Surely => {}
                TypeEnforcement::Perhaps => self.found.light = true,
                TypeEnforcement::Never => self.tell(keyword, place),
            }
        }
        self.inside(node, place);
    }

    fn inside(&mut self, node: &Node, place: &str) {
        if let Some((name, target)) = referred(node).and_then(|n| self.definitions.entry(n))
            && self.seen.insert(name)
        {
            self.schema(target, place);
        }
        let properties = node.get("properties").and_then(Value::as_object);
        for (name, inner) in properties.into_iter().flatten() {
            let mut place = place.to_owned();
            push_key(&mut place, name);
            self.schema(inner, &place);
        }
        subschemas(node, &mut |keyword, inner| match keyword {
            "allOf" | "anyOf" | "oneOf" => self.schema(inner, place),
            "items" | "prefixItems" | "additionalProperties" | "patternProperties" => {
                self.schema(inner, &format!("{place}/*"));
            }
            // Definitions are checked where they are referred to, and other keywords as a whole.
            _ => {}
        });
    }

    fn tell(&mut self, keyword: &str, place: &str) {
        let told = Unenforced::new(keyword, place);
        let all = &mut self.found.unenforced;
        if all.len() < TOLD && !all.contains(&told) {
            all.push(told);
        }
    }
}

fn kept(keyword: &str, value: &Value, node: &Node) -> TypeEnforcement {
    let by_type = match keyword {
        "minimum" | "maximum" => return bound_kept(keyword, value, node),
        "minLength" | "maxLength" => {
            // The lengths that schemars writes for a `char`.
            let one = |keyword| node.get(keyword).is_some_and(|length| *length == 1);
            return or_not(one("minLength") && one("maxLength"));
        }
        "minItems" | "maxItems" => return items_kept(value, node),
        // The keyword that it writes for a set; serde ignores an item that is there already.
        "uniqueItems" => return or_not(value.is_boolean()),
        // The keyword for an integer that is not zero, and for a type without values.
        "not" => {
            let not_zero = *value == json!({"const": 0}) && has_type(node, "integer");
            if *value != json!({}) {
                return or_not(not_zero);
            }
            true
        }
        // A format may come from the type, which keeps it, or from an attribute, which does not.
        "format" => {
            let checked = [
                "date",
                "date-time",
                "time",
                "email",
                "hostname",
                "uri",
                "uuid",
            ];
            if checked.iter().any(|format| value == format) {
                return TypeEnforcement::Perhaps;
            }
            true
        }
        // The pattern that schemars writes for the keys of a map of integers.
        "patternProperties" => value.as_object().is_some_and(|patterns| {
            let mut patterns = patterns.keys();
            patterns.all(|pattern| pattern == r"^\d+$" || pattern == r"^-?\d+$")
        }),
        "exclusiveMinimum" | "exclusiveMaximum" => return or_not(is_nanoseconds(node)),
        "multipleOf" | "pattern" | "contains" | "minContains" | "maxContains" | "propertyNames"
        | "minProperties" | "maxProperties" | "if" | "dependentRequired" | "dependentSchemas"
        | "dependencies" | "unevaluatedItems" => false,
        _ => true,
    };
    if by_type {
        TypeEnforcement::Surely
    } else {
        TypeEnforcement::Never
    }
}

fn or_not(perhaps: bool) -> TypeEnforcement {
    if perhaps {
        TypeEnforcement::Perhaps
    } else {
        TypeEnforcement::Never
    }
}

/// Compares an end of a number with that of its type.
fn bound_kept(keyword: &str, value: &Value, node: &Node) -> TypeEnforcement {
    let format = node.get("format").and_then(Value::as_str).unwrap_or("");
    let bound = value.as_number().and_then(exact);
    match integer_format(format) {
        Some((low, _)) if keyword == "minimum" && bound.is_some() => {
            if bound == low {
                return TypeEnforcement::Surely;
            }
            // The minimum of an unsigned integer that is not zero.
            or_not(low == Some(0) && bound == Some(1))
        }
        Some((_, high)) if bound.is_some() && bound == high => TypeEnforcement::Surely,
        // The bytes of a `CString`, and a part of chrono's `TimeDelta`.
        None if format.is_empty() => {
            let is = |keyword: &str, end: u32| node.get(keyword).is_some_and(|v| *v == end);
            let byte = is("minimum", 1) && is("maximum", 255);
            or_not(byte || is_nanoseconds(node))
        }
        _ => TypeEnforcement::Never,
    }
}

fn is_nanoseconds(node: &Node) -> bool {
    let is = |keyword: &str, end: u32| node.get(keyword).is_some_and(|v| *v == end);
    is("minimum", 0) && is("exclusiveMaximum", 1_000_000_000)
}

/// Compares a length of a list with that of its type.
fn items_kept(value: &Value, node: &Node) -> TypeEnforcement {
    if let Some(Value::Array(parts)) = node.get("prefixItems") {
        return match value.as_u64() {
            Some(length) if length == parts.len() as u64 => TypeEnforcement::Surely,
            _ => TypeEnforcement::Never,
        };
    }
    let fixed = node.get("minItems") == node.get("maxItems");
    let empty = node.get("maxItems").is_some_and(|most| *most == 0);
    or_not(fixed || empty)
}
