//! From the validator's errors to ours.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ReferencingError, ValidationError};
use serde_json::Value;

use super::prepare::EXACT;
use crate::schema::check::violation::{Violation, ViolationKind};
use crate::schema::fault::SchemaError;

/// Returns the violation that an error of the validator tells.
pub(super) fn violation<'p>(
    error: &ValidationError<'_>,
    schema: &'p Value,
    defaults: &[String],
) -> Violation<'p> {
    let place = as_written(error.schema_path().as_str(), defaults);
    // The keyword is the last part.
    let node = match error.kind() {
        Kind::FalseSchema => schema.pointer(&place),
        _ => place
            .rsplit_once('/')
            .and_then(|(node, _)| schema.pointer(node)),
    };
    let kind = match error.kind() {
        Kind::Required {
            property: Value::String(name),
        } => ViolationKind::Missing(name.clone()),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            ViolationKind::Unknown(unexpected.clone())
        }
        Kind::Type {
            kind: TypeKind::Single(_) | TypeKind::Multiple(_),
        } => ViolationKind::Type,
        Kind::Not { .. } => ViolationKind::Excluded,
        Kind::Contains => ViolationKind::Contains,
        Kind::PropertyNames { error } => match &**error.instance() {
            Value::String(name) => ViolationKind::Name(name.clone()),
            _ => ViolationKind::Other,
        },
        // At a default that was let through there is one alternative that was written.
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } if has_union(node) => ViolationKind::Union,
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => ViolationKind::Somewhere,
        Kind::UniqueItems => ViolationKind::Repeated,
        Kind::MinProperties { .. } | Kind::MaxProperties { .. } => ViolationKind::Count,
        Kind::OneOfMultipleValid { .. } => ViolationKind::Several,
        // The schema as it was written has no such limit: the text is too long for its pattern.
        Kind::MaxLength { .. } if node.is_some_and(|node| node.get("maxLength").is_none()) => {
            ViolationKind::Pattern
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            ViolationKind::Pattern
        }
        Kind::Custom { keyword, .. } if keyword == EXACT => ViolationKind::Rounded,
        Kind::FalseSchema | Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => {
            ViolationKind::Never
        }
        _ => ViolationKind::Other,
    };
    Violation {
        pointer: error.instance_path().as_str().to_owned(),
        node,
        root: schema,
        kind,
    }
}

fn has_union(node: Option<&Value>) -> bool {
    node.is_some_and(|node| node.get("anyOf").is_some() || node.get("oneOf").is_some())
}

/// Returns the part of an error that is about more than form: names, types and which of several alternatives a
/// value is. All that is form, types have judged.
pub(super) fn beyond_form<'e>(error: &'e ValidationError<'_>) -> Vec<&'e ValidationError<'e>> {
    match error.kind() {
        kind if is_form(kind) => Vec::new(),
        // A branch of the right form tells what is wrong.
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let of_form = |branch: &&Vec<ValidationError<'static>>| {
                !branch.iter().any(|error| is_form(error.kind()))
            };
            let branch = context.iter().find(of_form);
            branch.into_iter().flatten().flat_map(beyond_form).collect()
        }
        _ => vec![error],
    }
}

fn is_form(kind: &Kind) -> bool {
    match kind {
        Kind::Required { .. }
        | Kind::AdditionalProperties { .. }
        | Kind::UnevaluatedProperties { .. }
        | Kind::AdditionalItems { .. }
        | Kind::UnevaluatedItems { .. }
        | Kind::Type { .. }
        | Kind::Enum { .. }
        | Kind::Constant { .. }
        | Kind::FalseSchema
        | Kind::OneOfMultipleValid { .. } => true,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => context
            .iter()
            .all(|branch| branch.iter().any(|error| is_form(error.kind()))),
        _ => false,
    }
}

/// The place in the schema as it was written, of one in the schema that was compiled.
fn as_written(place: &str, defaults: &[String]) -> String {
    let mut place = place.to_owned();
    for pointer in defaults {
        let rest = place.strip_prefix(pointer.as_str());
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix("/anyOf/1")) {
            place = format!("{pointer}{rest}");
        }
    }
    place
}

/// The longest words of the validator's own, in characters.
const WORDS: usize = 300;

/// Returns what is wrong with a schema.
pub(super) fn schema_error(
    error: ValidationError<'static>,
    schema: &Value,
    places: &[(String, &Value)],
) -> SchemaError {
    let (pointer, message) = match error.kind() {
        Kind::Referencing(reference) => referencing(reference, schema, places),
        Kind::Format { format } if format == "regex" => (
            error.instance_path().as_str().to_owned(),
            "this is no regular expression that can be read".to_owned(),
        ),
        _ => {
            let pointer = error.instance_path().as_str().to_owned();
            let words = if pointer.rsplit('/').next() == Some("type") {
                "there is no such type; there are \"array\", \"boolean\", \"integer\", \"null\", \
                 \"number\", \"object\" and \"string\""
                    .to_owned()
            } else {
                let words = error.masked_with("this").to_string();
                words.chars().take(WORDS).collect()
            };
            (pointer, words)
        }
    };
    SchemaError::new(pointer, message).with_source(error)
}

fn referencing(
    error: &ReferencingError,
    schema: &Value,
    places: &[(String, &Value)],
) -> (String, String) {
    let find = |leads: &dyn Fn(&str) -> bool| {
        let keywords = ["$ref", "$dynamicRef", "$recursiveRef"];
        places.iter().find_map(|(pointer, place)| {
            keywords.iter().find_map(|keyword| {
                let reference = place.get(keyword)?.as_str()?;
                leads(reference).then(|| (format!("{pointer}/{keyword}"), reference.to_owned()))
            })
        })
    };
    let nowhere = |found: Option<(String, String)>| {
        let (pointer, reference) = found.unwrap_or_default();
        (
            pointer,
            format!("the reference `{reference}` leads nowhere"),
        )
    };
    match error {
        ReferencingError::Unretrievable { uri, .. } => {
            let same = |other: &str| other.trim_end_matches('#') == uri.trim_end_matches('#');
            if schema
                .get("$schema")
                .and_then(Value::as_str)
                .is_some_and(same)
            {
                let message = format!("`{uri}` is no draft of JSON Schema that is known here");
                return ("/$schema".to_owned(), message);
            }
            let document = |text: &str| {
                let document = text.split('#').next().unwrap_or("");
                let document = document.trim_start_matches("../").trim_start_matches("./");
                text == uri || (!document.is_empty() && uri.ends_with(document))
            };
            let (pointer, reference) = find(&document).unwrap_or((String::new(), uri.clone()));
            let message = format!(
                "the reference `{reference}` leads to another document, and none is ever fetched: \
                 put what it refers to into `$defs`"
            );
            (pointer, message)
        }
        ReferencingError::PointerToNowhere { pointer } => {
            let decoded = |text: &str| {
                let text = crate::schema::refs::percent_decoded(text);
                text.is_some_and(|text| text.ends_with(pointer.as_str()))
            };
            nowhere(find(&decoded))
        }
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            nowhere(find(&|text| text.rsplit('#').next() == Some(anchor)))
        }
        ReferencingError::UnknownSpecification { specification } => {
            let message =
                format!("`{specification}` is no draft of JSON Schema that is known here");
            ("/$schema".to_owned(), message)
        }
        other => (
            String::new(),
            format!("a reference cannot be followed: {other}"),
        ),
    }
}
