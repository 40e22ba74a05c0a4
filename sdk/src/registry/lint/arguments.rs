//! The names and descriptions of arguments.

use serde_json::{Map, Value};

use super::{Findings, LintKind};
use crate::context::ResourceKey;
use crate::schema::places::{
    Role, SchemaLocation, ValueStep, around_property, description, fixed_value, listed, properties,
    target,
};
use crate::util::suggestion::folded;

/// The most characters that every provider allows in the name of an argument.
const LENGTH: usize = 64;

/// The most schemas that a description is looked for in: an imported schema can be built to have no
/// end.
const EFFORT: usize = 1024;

pub(super) fn check(
    place: &SchemaLocation<'_>,
    root: &Value,
    needs: &[ResourceKey],
    findings: &mut Findings<'_>,
) {
    // Each property is looked at from the schema that names it, which knows its siblings.
    let Some(properties) = properties(place.schema) else {
        return;
    };
    for (name, property) in properties {
        let fixed = Vec::new();
        let path = place.path.with(ValueStep::Property { name, fixed });
        if let Some(message) = bad_name(name) {
            findings.add(path.pointer(), LintKind::ArgumentName, message);
        }
        if !is_documented(place, name, property, root) {
            let message = "has no description, so that a model has to guess what goes in it: put \
                           a doc comment on the parameter, field or variant, or `description` in \
                           the schema";
            findings.add(path.pointer(), LintKind::UndocumentedArgument, message);
        }
        let resource = path.argument().and_then(|name| {
            let mut types = needs.iter().map(ResourceKey::type_name);
            types.find(|type_name| folded(last_segment(type_name)) == folded(name))
        });
        if let Some(type_name) = resource {
            let message = format!(
                "is called like the resource `{type_name}`, which the tool takes as well: if it \
                 was meant to be that, take it by reference, else rename it"
            );
            findings.add(path.pointer(), LintKind::NamedLikeResource, message);
        }
    }
}

fn bad_name(name: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let length = name.chars().count();
    let fault = match name.chars().find(|c| !allowed(*c)) {
        Some(other) => format!("has {other:?} in its name"),
        None if name.is_empty() => "has no name".to_owned(),
        None if length > LENGTH => format!("has a name of {length} characters"),
        None => return None,
    };
    Some(format!(
        "{fault}, which not every provider takes: rename it to at most {LENGTH} characters of \
         `A-Z`, `a-z`, `0-9`, `_` and `-`"
    ))
}

/// Returns true if a property of `place` is described, or needs no description.
fn is_documented(place: &SchemaLocation<'_>, name: &str, property: &Value, root: &Value) -> bool {
    let described = |schema| is_described(schema, root, &mut { EFFORT });
    // There is nothing to choose in a fixed value, and nothing to say of what may not be there.
    fixed_value(property).is_some()
        || *property == Value::Bool(false)
        || described(property)
        || is_only_content(place)
        || around_property(place, name).any(described)
}

/// Returns true if a property has a description, or one of the schemas that it refers to has.
fn is_described(schema: &Value, root: &Value, effort: &mut usize) -> bool {
    let Some(less) = effort.checked_sub(1) else {
        return false;
    };
    *effort = less;
    let is_null = |schema: &&Value| schema.get("type").is_some_and(|only| only == "null");
    description(schema).is_some()
        || target(schema, root).is_some_and(|target| is_described(target, root, effort))
        || listed(schema, "allOf")
            .iter()
            .any(|part| is_described(part, root, effort))
        || ["anyOf", "oneOf"].iter().any(|keyword| {
            let branches = listed(schema, keyword).iter();
            let mut branches = branches.filter(|branch| !is_null(branch)).peekable();
            branches.peek().is_some() && branches.all(|branch| is_described(branch, root, effort))
        })
}

/// Returns true if `place` is a described variant of an enum with one property beside its tag: serde has no place for
/// a description of that property.
fn is_only_content(place: &SchemaLocation<'_>) -> bool {
    let open = |properties: &Map<String, Value>| {
        let free = |property: &&Value| fixed_value(property).is_none();
        properties.values().filter(free).count() == 1
    };
    place.role == Role::Branch
        && description(place.schema).is_some()
        && properties(place.schema).is_some_and(open)
}

/// Types that hold a resource and whose names say nothing about an argument.
const HOLDERS: [&str; 9] = [
    "Arc", "Box", "Cell", "LazyLock", "Mutex", "OnceLock", "Option", "RefCell", "RwLock",
];

/// The name of a type without its path, from within what holds it: `Files` of
/// `alloc::sync::Arc<dyn my_app::Files>`.
fn last_segment(type_name: &str) -> &str {
    let mut left = type_name;
    loop {
        left = left.trim_start_matches('&').trim_start_matches("dyn ");
        let end = left.find(['<', '>', ' ', ',']).unwrap_or(left.len());
        let path = &left[..end];
        let segment = path.rsplit("::").next().unwrap_or(path);
        if !HOLDERS.contains(&segment) || !left[end..].starts_with('<') {
            return segment;
        }
        left = &left[end + 1..];
    }
}
