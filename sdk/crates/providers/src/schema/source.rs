//! Questions about a tool's own schema.

use std::collections::{HashMap, HashSet};

use crate::json::{Json, Object};

/// A type of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(super) const ALL: [Self; 7] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The type of a value, the narrowest one.
    pub(super) fn of(value: &Json) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(_) => Self::Boolean,
            Json::Number(number) if number.is_f64() => match number.as_f64() {
                Some(value) if value.fract() == 0.0 => Self::Integer,
                _ => Self::Number,
            },
            Json::Number(_) => Self::Integer,
            Json::String(_) => Self::String,
            Json::Array(_) => Self::Array,
            Json::Object(_) => Self::Object,
        }
    }

    /// Returns true if a value of the type `other` is of this type.
    pub(super) fn takes(self, other: Self) -> bool {
        self == other || (self == Self::Number && other == Self::Integer)
    }
}

/// The types that a schema names, or those that its keywords are about. `None`: it says nothing of types.
pub(super) fn kinds(schema: &Object) -> Option<Vec<Kind>> {
    match schema.get("type") {
        Some(Json::String(name)) => Some(Kind::named(name).into_iter().collect()),
        Some(Json::Array(names)) => {
            let mut kinds: Vec<Kind> = Vec::new();
            for kind in names
                .iter()
                .filter_map(Json::as_str)
                .filter_map(Kind::named)
            {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            Some(kinds)
        }
        _ => {
            if let Some(values) = values(schema) {
                let mut kinds: Vec<Kind> = Vec::new();
                for kind in values.into_iter().map(Kind::of) {
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                return Some(kinds);
            }
            let about = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains(keyword));
            if about(&["properties", "required", "additionalProperties"]) {
                Some(vec![Kind::Object])
            } else if about(&["items", "prefixItems"]) {
                Some(vec![Kind::Array])
            } else if about(&["pattern", "minLength", "maxLength"]) {
                Some(vec![Kind::String])
            } else if about(&["minimum", "maximum"]) {
                Some(vec![Kind::Number])
            } else {
                None
            }
        }
    }
}

/// The values that a schema lists, by `enum` or `const`.
pub(super) fn values(schema: &Object) -> Option<Vec<&Json>> {
    if let Some(value) = schema.get("const") {
        return Some(vec![value]);
    }
    schema
        .get("enum")?
        .as_array()
        .map(|values| values.iter().collect())
}

/// The properties of a schema that must be there.
pub(super) fn required(schema: &Object) -> Vec<&str> {
    let names = schema.get("required").and_then(Json::as_array);
    names
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .collect()
}

/// Adds a name to a JSON Pointer.
pub(super) fn below(pointer: &str, names: &[&str]) -> String {
    let mut below = pointer.to_owned();
    for name in names {
        below.push('/');
        below.push_str(&name.replace('~', "~0").replace('/', "~1"));
    }
    below
}

/// A tool's own schema, in which its references are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    pub(super) root: &'s Json,
}

/// The number of references that are followed one after the other; more of them are a circle.
const MAX_REFERENCES: usize = 32;

impl<'s> Source<'s> {
    /// Returns the schema that a reference stands for, and the pointer to it. `None`: there is none in this document.
    pub(super) fn resolve(self, reference: &str) -> Option<(&'s Json, String)> {
        let fragment = percent_decoded(reference.strip_prefix('#')?)?;
        let mut found = self.root;
        let mut tokens = fragment.split('/');
        if tokens.next() != Some("") {
            return None;
        }
        for token in tokens {
            let token = token.replace("~1", "/").replace("~0", "~");
            found = match found {
                Json::Object(object) => object.get(&token)?,
                Json::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some((found, fragment))
    }

    /// Follows references that stand alone, to a schema that is no such reference.
    pub(super) fn target(self, mut schema: &'s Json) -> &'s Json {
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = schema.get("$ref").and_then(Json::as_str) else {
                break;
            };
            let Some((target, _)) = self.resolve(reference) else {
                break;
            };
            schema = target;
        }
        schema
    }

    /// Returns true if `null` may be valid.
    pub(super) fn accepts_null(self, schema: &Json) -> bool {
        self.accepts_null_within(schema, MAX_REFERENCES)
    }

    fn accepts_null_within(self, schema: &Json, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else {
            return true;
        };
        let schema = match schema {
            Json::Object(schema) => schema,
            Json::Bool(any) => return *any,
            _ => return true,
        };
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str)
            && let Some((target, _)) = self.resolve(reference)
            && !self.accepts_null_within(target, steps)
        {
            return false;
        }
        if let Some(values) = values(schema)
            && !values.contains(&&Json::Null)
        {
            return false;
        }
        if schema.contains("type") && !kinds(schema).unwrap_or_default().contains(&Kind::Null) {
            return false;
        }
        let branches = |keyword| schema.get(keyword).and_then(Json::as_array);
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = branches(keyword)
                && !branches
                    .iter()
                    .any(|branch| self.accepts_null_within(branch, steps))
            {
                return false;
            }
        }
        let all = branches("allOf").unwrap_or_default();
        all.iter()
            .all(|branch| self.accepts_null_within(branch, steps))
    }
}

/// Undoes the `%24` of a URI.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let value = digit()? * 16 + digit()?;
        bytes.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// The schemas that were asked whether they contain themselves, by their pointer.
#[derive(Debug, Default)]
pub(super) struct Recursion(HashMap<String, bool>);

impl Recursion {
    /// Returns true if the schema at a pointer contains a reference to itself, over others or not.
    pub(super) fn is_at(&mut self, source: Source<'_>, pointer: &str) -> bool {
        if let Some(known) = self.0.get(pointer) {
            return *known;
        }
        let found = is_recursive(source, pointer);
        self.0.insert(pointer.to_owned(), found);
        found
    }
}

fn is_recursive(source: Source<'_>, pointer: &str) -> bool {
    let mut seen: HashSet<String> = HashSet::new();
    let mut next: Vec<String> = vec![pointer.to_owned()];
    while let Some(at) = next.pop() {
        let Some((schema, _)) = source.resolve(&format!("#{at}")) else {
            continue;
        };
        let mut found = Vec::new();
        references(source, schema, &mut found);
        for target in found {
            // A reference to something that contains the schema leads back to it too.
            if target == pointer || pointer.starts_with(&format!("{target}/")) {
                return true;
            }
            if seen.insert(target.clone()) {
                next.push(target);
            }
        }
    }
    false
}

/// The pointers of all references below a schema, its definitions aside.
fn references(source: Source<'_>, schema: &Json, found: &mut Vec<String>) {
    match schema {
        Json::Object(object) => {
            if let Some(reference) = object.get("$ref").and_then(Json::as_str)
                && let Some((_, pointer)) = source.resolve(reference)
            {
                found.push(pointer);
            }
            for (keyword, value) in object.iter() {
                if !matches!(
                    keyword,
                    "$defs" | "definitions" | "enum" | "const" | "default" | "examples"
                ) {
                    references(source, value, found);
                }
            }
        }
        Json::Array(items) => {
            for item in items {
                references(source, item, found);
            }
        }
        _ => {}
    }
}
