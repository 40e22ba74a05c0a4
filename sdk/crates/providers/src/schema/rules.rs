//! The rules of the narrow forms, as data. The keywords that a form keeps are those that the API enforces; its limits
//! stand in [`limits`](crate::limits).

use super::source::Kind;
use crate::api::Api;
use crate::json::Json;

/// The rules of a narrow form.
#[derive(Debug)]
pub(super) struct Rules {
    /// The API whose limits count for one schema.
    pub(super) api: Api,
    /// The form's name in reasons.
    pub(super) name: &'static str,
    /// Every property is required; one that is not says so by `null`.
    pub(super) requires_all: bool,
    /// It is a schema of `OpenAPI`: types are written `STRING`, `nullable` stands for `null`, nothing says that an
    /// object is closed, and `propertyOrdering` keeps the order of properties.
    pub(super) is_open_api: bool,
    pub(super) references: References,
    pub(super) enums: Enums,
    /// The characters and the length of a property's name.
    pub(super) is_name: fn(&str) -> bool,
    /// Returns true if a keyword of this value stays in a schema of this type.
    pub(super) keeps: fn(Kind, &str, &Json) -> bool,
}

/// The fate of `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// Its target stands in its place.
    Replaced,
    /// It stays, to `$defs`, if its target does not contain itself.
    Kept,
    /// It stays, to `$defs`.
    Recursive,
}

/// The form of `enum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enums {
    /// Values of one type, which stands beside them.
    Typed,
    /// Any scalars, without a type.
    Untyped,
    /// Texts.
    Texts,
}

/// `OpenAI`'s strict mode: <https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas>,
/// read 2026-11-24 in a stored copy; `minLength` and `maxLength` as pydantic-ai 2.68 keeps them, which tried it.
pub(super) const OPENAI: Rules = Rules {
    api: Api::OpenAiChat,
    name: "OpenAI's strict mode",
    requires_all: true,
    is_open_api: false,
    references: References::Recursive,
    enums: Enums::Typed,
    is_name: |_| true,
    keeps: |kind, keyword, value| match (kind, keyword) {
        (Kind::String, "format") => is_one_of(value, &FORMATS),
        (Kind::String, "pattern") => value.as_str().is_some_and(|pattern| !looks_around(pattern)),
        (Kind::String, "minLength" | "maxLength")
        | (
            Kind::Integer | Kind::Number,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
        )
        | (Kind::Array, "minItems" | "maxItems") => true,
        _ => false,
    },
};

/// Anthropic's strict mode: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations>,
/// read 2026-11-24 in a stored copy; `default` and `pattern` are described, as `transform_schema` of Anthropic's
/// Python package does it (2.12.0).
pub(super) const ANTHROPIC: Rules = Rules {
    api: Api::Anthropic,
    name: "Anthropic's strict mode",
    requires_all: false,
    is_open_api: false,
    references: References::Kept,
    enums: Enums::Untyped,
    // To other names the API answers with 400: property keys should match `^[a-zA-Z0-9_.-]{1,64}$`.
    is_name: |name| {
        let is_legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        (1..=64).contains(&name.len()) && name.chars().all(is_legal)
    },
    keeps: |kind, keyword, value| match (kind, keyword) {
        (Kind::String, "format") => is_one_of(value, &FORMATS) || is_one_of(value, &["uri"]),
        (Kind::Array, "minItems") => {
            matches!(value, Json::Number(n) if n.as_u64().is_some_and(|n| n < 2))
        }
        _ => false,
    },
};

/// The `Schema` of Gemini, as `types.py` of Google's Python package `google-genai` 3.4.0 has it. A `format` of texts is described, since not every model takes all of them.
pub(super) const GEMINI: Rules = Rules {
    api: Api::Gemini,
    name: "Gemini's `Schema`",
    requires_all: false,
    is_open_api: true,
    references: References::Replaced,
    enums: Enums::Texts,
    // The rule for the names of parameters, in the description of `FunctionDeclaration.parameters`.
    is_name: |name| {
        let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.len() <= 64
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(is_legal)
    },
    keeps: |kind, keyword, value| match (kind, keyword) {
        // They are doubles there.
        (Kind::Integer | Kind::Number, "minimum" | "maximum") => is_exact(value),
        (Kind::Integer, "format") => is_one_of(value, &["int32", "int64"]),
        (Kind::Number, "format") => is_one_of(value, &["float", "double"]),
        (Kind::String, "minLength" | "maxLength" | "pattern")
        | (Kind::Array, "minItems" | "maxItems")
        | (Kind::Object, "minProperties" | "maxProperties") => true,
        _ => false,
    },
};

/// The formats of texts that `OpenAI` takes, and Anthropic too.
const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

fn is_one_of(value: &Json, names: &[&str]) -> bool {
    value.as_str().is_some_and(|value| names.contains(&value))
}

/// Returns true if every double around a number is an integer or that number itself.
fn is_exact(value: &Json) -> bool {
    /// 2^53
    const LAST: f64 = 9_007_199_254_740_992.0;
    matches!(value, Json::Number(number) if number.as_f64().is_some_and(|value| value.abs() <= LAST))
}

/// Returns true if a regular expression looks ahead or behind.
fn looks_around(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(['\\', '(']) {
        let (_, from) = rest.split_at(at);
        if ["(?=", "(?!", "(?<=", "(?<!"]
            .iter()
            .any(|token| from.starts_with(token))
        {
            return true;
        }
        // The character after a backslash means itself.
        let mut characters = from.chars();
        if characters.next() == Some('\\') {
            characters.next();
        }
        rest = characters.as_str();
    }
    false
}
