//! The general form: the tool's own schema, with what an API wants at the root.

use super::cost::SchemaCost;
use super::inline::inlined;
use super::narrow::WRAPPER;
use super::read_back::{Graph, Member, Node};
use super::source::{Kind, Source, below, kinds};
use super::{Converted, Loss, Unrepresentable};
use crate::api::Api;
use crate::json::{Json, Object};

/// Keywords that an API does not take at the root, since it must be a plain object.
const UNIONS: [&str; 5] = ["anyOf", "oneOf", "allOf", "enum", "not"];

/// Keywords that name a dialect or the document, and say nothing to a model.
const DOCUMENT: [&str; 4] = ["$schema", "$id", "id", "$comment"];

/// Makes the general form for an API.
pub(super) fn convert(schema: &Json, api: Api) -> Result<Converted, Unrepresentable> {
    let mut root = match schema {
        Json::Object(root) => root.clone(),
        Json::Bool(true) => Object::new(),
        _ => {
            return Err(Unrepresentable::new(
                "",
                "the root is no schema of an object",
            ));
        }
    };
    for keyword in DOCUMENT {
        root.remove(keyword);
    }
    // Ollama reads a property into a struct that has no `$ref` (`ToolProperty` in `api/types.go` of ollama 0.33.0), so the
    // model would see nothing of it.
    if api == Api::Compatible
        && let Some(inlined) = inlined(&root)
    {
        root = inlined;
    }
    let mut graph = Graph::default();
    let mut losses = Vec::new();
    let any = graph.add(Node::Any);
    let node;
    if is_plain(&root) {
        if !root.contains("type") {
            let typed = std::iter::once(("type".to_owned(), Json::from("object")));
            root = typed.chain(root).collect();
        } else if root.get("type").and_then(Json::as_str).is_none() {
            root.insert("type", "object");
        }
        if !root.contains("properties") {
            root.insert("properties", Object::new());
        }
        node = match rename(&mut root, api, &mut graph, any) {
            Some(node) => node,
            None if has_odd_names(&root, api) => {
                root = wrapped(root);
                graph.add(Node::Wrapped(WRAPPER.to_owned(), any))
            }
            None => any,
        };
    } else {
        root = wrapped(root);
        node = graph.add(Node::Wrapped(WRAPPER.to_owned(), any));
    }
    let schema = Json::Object(root);
    let source = Source { root: &schema };
    dangling(source, &schema, "", &mut losses);
    let cost = SchemaCost::of(&schema);
    Ok(Converted {
        cost,
        losses,
        read_back: graph.finish(node),
        schema,
    })
}

/// Returns true if a root is the schema of an object, and of nothing else.
fn is_plain(root: &Object) -> bool {
    if root.contains("$ref") || UNIONS.iter().any(|keyword| root.contains(keyword)) {
        return false;
    }
    match kinds(root) {
        Some(kinds) => kinds == [Kind::Object],
        None => true,
    }
}

/// Puts the whole schema below one property. Its definitions stay at the root, and references follow.
fn wrapped(mut inner: Object) -> Object {
    let definitions: Vec<_> = ["$defs", "definitions"]
        .into_iter()
        .filter_map(|keyword| Some((keyword, inner.remove(keyword)?)))
        .collect();
    let mut inner = Json::Object(inner);
    relocate(&mut inner);
    let mut properties = Object::new();
    properties.insert(WRAPPER, inner);
    let mut root = Object::new();
    root.insert("type", "object");
    root.insert("properties", properties);
    root.insert("required", vec![Json::from(WRAPPER)]);
    root.insert("additionalProperties", false);
    for (keyword, mut value) in definitions {
        relocate(&mut value);
        root.insert(keyword, value);
    }
    root
}

/// Changes references to the root, which now stands below a property.
fn relocate(schema: &mut Json) {
    match schema {
        Json::Object(object) => {
            for (keyword, value) in object.iter_mut() {
                match value {
                    Json::String(reference) if keyword == "$ref" => {
                        let at_definitions = reference.starts_with("#/$defs/")
                            || reference.starts_with("#/definitions/");
                        if let (Some(rest), false) = (reference.strip_prefix('#'), at_definitions) {
                            *reference = format!("#/properties/{WRAPPER}{rest}");
                        }
                    }
                    _ if matches!(keyword, "enum" | "const" | "default" | "examples") => {}
                    value => relocate(value),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(relocate),
        _ => {}
    }
}

/// Returns true if an API does not take a name of a property at the root.
fn is_odd(name: &str, api: Api) -> bool {
    api == Api::Anthropic && !(super::rules::ANTHROPIC.is_name)(name)
}

fn has_odd_names(root: &Object, api: Api) -> bool {
    let properties = root.get("properties").and_then(Json::as_object);
    properties.is_some_and(|properties| properties.iter().any(|(name, _)| is_odd(name, api)))
}

/// Gives properties of the root names that the API takes, if nothing but `required` refers to them by name.
fn rename(root: &mut Object, api: Api, graph: &mut Graph, any: usize) -> Option<usize> {
    if !has_odd_names(root, api) {
        return None;
    }
    let refers = [
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "patternProperties",
        "propertyNames",
        "if",
    ];
    if refers.iter().any(|keyword| root.contains(keyword))
        || refers_to_properties(&Json::Object(root.clone()))
    {
        return None;
    }
    let own = root.get("properties")?.as_object()?.clone();
    let mut shown = Object::new();
    let mut members = Vec::new();
    for (name, property) in own.iter() {
        let is_free = |new: &str| !own.contains(new) && !shown.contains(new);
        let new = if is_odd(name, api) {
            super::narrow::legal_name(name, is_free)
        } else {
            name.to_owned()
        };
        members.push(Member {
            shown: new.clone(),
            own: (new != name).then(|| name.to_owned()),
            required: false,
            null_is_absent: false,
            node: any,
        });
        shown.insert(new, property.clone());
    }
    let required = root
        .get("required")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter();
    let required = required.map(|name| {
        let member = members
            .iter()
            .find(|member| member.own.as_deref() == name.as_str());
        member.map_or_else(|| name.clone(), |member| Json::String(member.shown.clone()))
    });
    let required: Vec<Json> = required.collect();
    root.insert("properties", shown);
    if root.contains("required") {
        root.insert("required", required);
    }
    Some(graph.add(Node::Object(members)))
}

fn refers_to_properties(schema: &Json) -> bool {
    match schema {
        Json::Object(object) => object.iter().any(|(keyword, value)| match value {
            Json::String(reference) if keyword == "$ref" => {
                !reference.starts_with("#/$defs/") && !reference.starts_with("#/definitions/")
            }
            value => refers_to_properties(value),
        }),
        Json::Array(items) => items.iter().any(refers_to_properties),
        _ => false,
    }
}

/// Lists the references that lead to nothing in the document: no API fetches others.
fn dangling(source: Source<'_>, schema: &Json, pointer: &str, losses: &mut Vec<Loss>) {
    match schema {
        Json::Object(object) => {
            for (keyword, value) in object.iter() {
                match value {
                    Json::String(reference)
                        if keyword == "$ref" && source.resolve(reference).is_none() =>
                    {
                        losses.push(Loss::new(pointer.to_owned(), "$ref", false));
                    }
                    value => dangling(source, value, &below(pointer, &[keyword]), losses),
                }
            }
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                dangling(source, item, &below(pointer, &[&at.to_string()]), losses);
            }
        }
        _ => {}
    }
}
