//! Descriptions and names of arguments.

use serde_json::json;

use super::*;
use LintKind::{ArgumentName, NamedLikeResource, UndocumentedArgument};

#[test]
fn each_argument_without_a_description_is_told_of_at_any_depth() {
    let found = in_schema(json!({
        "type": "object",
        "properties": {
            "fine": {"type": "string", "description": "Fine."},
            "bare": {"type": "string"},
            "blank": {"type": "string", "description": " \n"},
            "point": {
                "type": "object",
                "description": "A point.",
                "properties": {"x": {"type": "number"}, "a/b~c": {"type": "number"}},
            },
            "list": {
                "type": "array",
                "description": "Points.",
                "items": {"type": "object", "properties": {"y": {"type": "number"}}},
            },
            "map": {
                "type": "object",
                "description": "Points by name.",
                "additionalProperties": {"type": "object", "properties": {"z": {"type": "number"}}},
            },
            "pair": {
                "type": "array",
                "description": "Two.",
                "prefixItems": [
                    {"type": "string"},
                    {"type": "object", "properties": {"p": {"type": "number"}}},
                ],
            },
            "either": {
                "description": "One of two.",
                "anyOf": [
                    {"type": "string"},
                    {"type": "object", "properties": {"u": {"type": "number"}}},
                ],
            },
            "node": {"description": "A node.", "$ref": "#/$defs/Node"},
        },
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "leaf": {"type": "string"},
                    "next": {"description": "The next.", "$ref": "#/$defs/Node"},
                },
            },
        },
    }));
    let expected = [
        "/bare",
        "/blank",
        "/either/u",
        "/list/*/y",
        "/map/*/z",
        "/node/leaf",
        "/pair/1/p",
        "/point/a~1b~0c",
        "/point/x",
    ];
    let undocumented: Vec<&str> = found
        .iter()
        .filter(|(kind, _)| *kind == UndocumentedArgument)
        .map(|(_, pointer)| pointer.as_str())
        .collect();
    assert_eq!(undocumented, expected);
    assert_eq!(found.len(), expected.len() + 1, "{found:?}");
    assert!(found.contains(&at(ArgumentName, "/point/a~1b~0c")));
}

#[test]
fn what_is_said_elsewhere_counts() {
    let found = in_schema(json!({
        "type": "object",
        "properties": {
            "by_reference": {"$ref": "#/$defs/Named"},
            "by_part": {"allOf": [{"$ref": "#/$defs/Named"}, {"minLength": 1}]},
            "by_branches": {"anyOf": [{"$ref": "#/$defs/Named"}, {"type": "null"}]},
            "fixed": {"const": "v1"},
            "fixed_too": {"type": "string", "enum": ["v1"]},
            "forbidden": false,
            // Each branch says more of what the object itself describes.
            "object": {
                "type": "object",
                "description": "An object.",
                "properties": {"a": {"type": "string", "description": "A."}},
                "anyOf": [{"properties": {"a": {"minLength": 2}}}, {"required": ["a"]}],
            },
            "in_parts": {
                "description": "An object.",
                "allOf": [
                    {"type": "object", "properties": {"a": {"$ref": "#/$defs/Named"}}},
                    {"properties": {"a": {"minLength": 2}}},
                ],
            },
        },
        "$defs": {"Named": {"type": "string", "description": "A name."}},
    }));
    assert_eq!(found, []);
    let found = in_properties(&json!({
        "one_of_two": {"anyOf": [{"type": "string", "description": "A."}, {"type": "number"}]},
        "only_null": {"anyOf": [{"type": "null"}]},
    }));
    assert_eq!(
        found,
        [
            at(UndocumentedArgument, "/one_of_two"),
            at(UndocumentedArgument, "/only_null")
        ]
    );
}

#[test]
fn the_description_of_a_variant_is_that_of_its_content() {
    let branch = |description: Option<&str>, more: &[&str]| {
        let mut branch = json!({
            "type": "object",
            "properties": {"tag": {"enum": ["A"]}, "content": {"type": "string"}},
        });
        if let Some(text) = description {
            branch["description"] = json!(text);
        }
        for name in more {
            branch["properties"][*name] = json!({"type": "string"});
        }
        in_properties(&json!({"it": {"description": "It.", "anyOf": [branch]}}))
    };
    assert_eq!(branch(Some("Variant A."), &[]), []);
    assert_eq!(branch(None, &[]), [at(UndocumentedArgument, "/it/content")]);
    assert_eq!(branch(Some("Variant A."), &["b"]).len(), 2);
}

#[test]
fn a_schema_without_an_end_comes_to_one() {
    let itself =
        json!({"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]});
    let found = in_schema(json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}, "root": {"$ref": "#"}},
        "$defs": {"A": itself, "B": {"$ref": "#/$defs/B"}},
    }));
    let undocumented = |(kind, _): &&(LintKind, String)| *kind == UndocumentedArgument;
    assert_eq!(found.iter().filter(undocumented).count(), 3, "{found:?}");

    let link = |next: usize| json!({"$ref": format!("#/$defs/{next}")});
    let inner = |n: usize| json!({"type": "object", "properties": {"next": link(n + 1)}});
    let chains: [&dyn Fn(usize) -> Value; 3] = [
        &|n| link(n + 1),
        &|n| json!({"anyOf": [link(n + 1), link(n + 1)]}),
        &inner,
    ];
    for chain in chains {
        let definitions: Value = (0..5000).map(|n| (n.to_string(), chain(n))).collect();
        let properties = json!({"start": link(0)});
        let found = in_schema(json!({
            "type": "object", "properties": properties, "$defs": definitions,
        }));
        assert!(found.len() < 100, "{}", found.len());
    }
}

#[test]
fn names_of_arguments_are_those_that_all_providers_take() {
    let long = "n".repeat(65);
    let fits = "n".repeat(64);
    let described = json!({"type": "string", "description": "It."});
    let names = [
        "ok",
        "also-ok_2",
        "Ok",
        &fits,
        "dotted.name",
        "$schema",
        "größe",
        "",
        &long,
        "a b",
    ];
    let properties: Value = names
        .iter()
        .map(|name| ((*name).to_owned(), described.clone()))
        .collect();
    let found = in_properties(&properties);
    let long = format!("/{long}");
    let expected = ["/", "/$schema", "/a b", "/dotted.name", "/größe", &long];
    let mut expected = expected.map(|pointer| at(ArgumentName, pointer));
    expected.sort();
    assert_eq!(found, expected);
}

mod app {
    pub(super) struct Workspace;
    pub(super) struct HttpClient;
    pub(super) struct Generic<T>(T);
    pub(super) trait Files: Send + Sync {}
}

#[test]
fn an_argument_called_like_a_resource_is_told_of() {
    let text = json!({"type": "string", "description": "It."});
    let mut tool = Shown::new("tool", "Do something.").schema(json!({
        "type": "object",
        "properties": {
            "workspace": text, "files": text, "http_client": text, "generic": text, "string": text,
            "workspaces": text, "path": text, "mutex": text,
            "config": {
                "type": "object", "description": "It.", "properties": {"workspace": text},
            },
        },
    }));
    tool.needs = vec![
        ResourceKey::of::<std::sync::Mutex<app::Workspace>>(),
        ResourceKey::of::<dyn app::Files>(),
        ResourceKey::optional::<app::HttpClient>(),
        ResourceKey::of::<app::Generic<String>>(),
    ];
    let found = lint([tool]);
    assert!(found[0].message().contains("app::Files"), "{}", found[0]);
    let expected = ["/files", "/generic", "/http_client", "/workspace"];
    assert_eq!(
        places(found),
        expected.map(|pointer| at(NamedLikeResource, pointer))
    );
}
