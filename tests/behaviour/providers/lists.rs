//! The list of tools for each API.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::registry::OnCollision;
use toolwright::{Tool as _, ToolError, ToolName, ToolRegistry, ToolSpec, tool, tool_fn};
use toolwright_providers::{Api, ListOptions, NotStrict, Strict, ToolList};

use super::{definitions, schema_of};

/// Search the notes for a word.
#[tool(name = "notes.find", read_only)]
fn search(
    /// The word to look for.
    #[arg(length = 1..)]
    word: String,
    /// Number of notes to return.
    #[arg(default = 10, range = 1..=50)]
    limit: u32,
    tags: Option<Vec<String>>,
) -> String {
    format!("{word} {limit} {tags:?}")
}

fn with_schema(name: &str, schema: Value) -> ToolRegistry {
    let spec = ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "Take something.")
        .with_input_schema(schema);
    ToolRegistry::new().with(tool_fn(spec, |_: Value, _| async {
        Ok::<_, ToolError>("taken")
    }))
}

#[test]
fn s2_39_s2_41_each_api_gets_name_description_and_schema_in_its_form() {
    let tools = ToolRegistry::new().with(Search).freeze().unwrap();
    let mut shown = String::new();
    for api in Api::ALL {
        let list = ToolList::new(api, &tools);
        shown.extend([format!(
            "## {api}\n\n{}\n\n{}\n\n",
            list.as_str(),
            list.report()
        )]);
        let definition = &definitions(api, list.as_str())[0];
        assert_eq!(definition["name"], "notes_find");
        assert_eq!(definition["description"], "Search the notes for a word.");
        let properties = schema_of(definition)["properties"].as_object().unwrap();
        assert_eq!(properties.len(), 3, "{api}");
    }
    let golden = include_str!("../../golden/provider-lists.md");
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/provider-lists.md");
        std::fs::write(path, &shown).unwrap();
        return;
    }
    assert_eq!(shown, golden);
}

#[test]
fn s0_45_any_schema_reaches_each_api_and_stays_as_it_is() {
    let own = json!({
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/node"},
            "kind": {"enum": ["a", "b", 3, null]},
            "pairs": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            "any": true,
            "named": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["tree"],
        "$defs": {"node": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/node"}},
        }},
    });
    let tools = with_schema("take", own.clone()).freeze().unwrap();
    for api in Api::ALL {
        let list = ToolList::new(api, &tools);
        assert_eq!(list.len(), 1, "{api}: {}", list.report());
        let definition = &definitions(api, list.as_str())[0];
        let shown = schema_of(definition)["properties"].as_object().unwrap();
        assert_eq!(shown.len(), 5, "{api}");
        assert_ne!(definition.get("strict"), Some(&Value::Bool(true)), "{api}");
    }
    assert_eq!(tools.get("take").unwrap().spec().input_schema(), &own);
}

#[test]
fn s3_07_the_list_of_every_api_is_valid_json_in_the_authors_order() {
    let tools = ToolRegistry::new().with(Search).freeze().unwrap();
    for api in Api::ALL {
        let list = ToolList::new(api, &tools);
        let text = list.as_str();
        definitions(api, text);
        let place = |name: &str| text.find(&format!("\"{name}\":{{")).unwrap();
        assert!(place("word") < place("limit"), "{api}");
        assert!(place("limit") < place("tags"), "{api}");
    }
}

#[test]
fn a_tool_that_cannot_be_strict_is_named_with_the_reason() {
    let map = json!({
        "type": "object",
        "properties": {"env": {"type": "object", "additionalProperties": {"type": "string"}}},
        "required": ["env"],
        "additionalProperties": false,
    });
    let tools = with_schema("run", map).with(Search);
    let tools = tools.freeze().unwrap();
    for api in [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic] {
        let list = ToolList::new(api, &tools);
        let strict = |list: &ToolList| -> Vec<bool> {
            let all = definitions(api, list.as_str());
            all.iter().map(|tool| tool["strict"] == true).collect()
        };
        assert_eq!(strict(&list), [true, false], "{api}");
        let mut told = list.report().tools().iter();
        let reason = told.find_map(|tool| tool.not_strict()).unwrap();
        assert!(
            matches!(reason, NotStrict::Unrepresentable(_)),
            "{api}: {reason}"
        );
        assert!(
            reason.to_string().contains("/properties/env"),
            "{api}: {reason}"
        );

        let forced = ListOptions::new().strict(Strict::Force);
        let error = ToolList::with_options(api, &tools, forced).unwrap_err();
        assert_eq!(error.tools().len(), 1);
        assert!(
            error.to_string().contains("run: not strict: "),
            "{api}: {error}"
        );

        let never = ListOptions::new().strict(Strict::Never);
        let list = ToolList::with_options(api, &tools, never).unwrap();
        assert_eq!(strict(&list), [false, false], "{api}");
        assert!(list.report().is_empty(), "{api}: {}", list.report());
    }
}

/// Each has three optional properties, and the last twenty.
fn many(count: usize) -> ToolRegistry {
    let tools = (0..count).map(|number| {
        let optional = if number + 1 == count { 20 } else { 3 };
        let properties: Value = (0..optional)
            .map(|at| (format!("p{at}"), json!({"type": "string"})))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let closed = json!({
            "type": "object", "properties": properties, "additionalProperties": false,
        });
        with_schema(&format!("tool_{number:03}"), closed)
    });
    tools.fold(ToolRegistry::new(), |all, one| {
        all.with_registry(one, OnCollision::Fail)
    })
}

#[test]
fn over_the_limits_of_a_request_the_largest_tools_are_no_longer_strict() {
    let tools = many(30).freeze().unwrap();
    let list = ToolList::new(Api::Anthropic, &tools);
    let definitions = definitions(Api::Anthropic, list.as_str());
    let strict = |tool: &&Value| tool["strict"] == true;
    let kept = definitions.iter().filter(strict).count();
    let limits = Api::Anthropic.limits();
    assert!(kept <= limits.strict_tools.unwrap().most as usize, "{kept}");
    assert!(
        3 * kept <= limits.optional_properties.unwrap().most as usize,
        "{kept}"
    );
    assert!(
        3 * (kept + 1) > limits.optional_properties.unwrap().most as usize,
        "{kept}"
    );
    assert!(definitions[29].get("strict").is_none());
    assert_eq!(list.report().tools().len(), 30 - kept);
    let reasons = list
        .report()
        .tools()
        .iter()
        .map(|tool| tool.not_strict().unwrap());
    for reason in reasons {
        assert!(matches!(reason, NotStrict::OverLimit { .. }), "{reason}");
    }
    // In a small selection there is room.
    let few = list.select(["tool_028", "tool_000"]).unwrap();
    assert!(few.report().is_empty(), "{}", few.report());
}

#[test]
fn more_tools_than_a_request_may_have_are_reported() {
    let list = ToolList::new(Api::OpenAiChat, &many(129).freeze().unwrap());
    assert_eq!(list.report().exceeded_tool_limit(), Some(128));
    assert!(
        list.report()
            .to_string()
            .starts_with("129 tools, and a request may have 128")
    );
}

#[test]
fn a_selection_is_the_list_of_those_tools() {
    let all = many(10).freeze().unwrap();
    let some = many(10).filtered(|spec| ["tool_003", "tool_007"].contains(&spec.name().as_str()));
    let some = some.freeze().unwrap();
    for api in Api::ALL {
        let list = ToolList::new(api, &all);
        let selected = list
            .select(["tool_007", "no.such", "tool_003", "tool_007"])
            .unwrap();
        assert_eq!(
            selected.as_str(),
            ToolList::new(api, &some).as_str(),
            "{api}"
        );
        assert_eq!(list.select([]).unwrap().as_str(), "[]", "{api}");
    }
}

#[test]
fn the_list_is_made_once_and_a_computed_description_each_time() {
    let tools = many(3).freeze().unwrap();
    for api in Api::ALL {
        let bytes = |list: &ToolList| list.as_str().as_ptr();
        let (one, other) = (ToolList::new(api, &tools), ToolList::new(api, &tools));
        assert_eq!(bytes(&one), bytes(&other), "{api}");
    }
    let count = AtomicUsize::new(0);
    let describe = move || format!("Listed {} times.", count.fetch_add(1, Ordering::Relaxed));
    let spec =
        ToolSpec::new(ToolName::new("count").unwrap(), "").with_computed_description(describe);
    let tools = ToolRegistry::new().with(tool_fn(spec, |_: Value, _| async {
        Ok::<_, ToolError>("")
    }));
    let tools = tools.freeze().unwrap();
    let texts = [0, 1].map(|_| ToolList::new(Api::Gemini, &tools).as_str().to_owned());
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn anthropics_options_are_in_the_list() {
    let example = json!({"word": "Ada", "limit": 1});
    let spec = Search.spec().clone().with_example(example.clone());
    let tool = tool_fn(spec, |_: Value, _| async { Ok::<_, ToolError>("") });
    let tools = ToolRegistry::new()
        .with(tool)
        .with_registry(many(2), OnCollision::Fail);
    let tools = tools.freeze().unwrap();
    let options = ListOptions::new()
        .input_examples(true)
        .cache_control(true)
        .defer_loading(["tool_001".parse().unwrap()]);
    let list = ToolList::with_options(Api::Anthropic, &tools, options.clone()).unwrap();
    let list: Vec<Value> = serde_json::from_str(list.as_str()).unwrap();
    assert_eq!(list[0]["input_examples"], json!([example]));
    assert_eq!(list[1]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(list[2]["defer_loading"], true);
    assert!(list[2].get("cache_control").is_none());
    assert_eq!(list[3]["type"], "tool_search_tool_bm25_20251119");
    // They are Anthropic's alone.
    for api in [
        Api::OpenAiChat,
        Api::OpenAiResponses,
        Api::Gemini,
        Api::Compatible,
    ] {
        let list = ToolList::with_options(api, &tools, options.clone()).unwrap();
        assert_eq!(list.as_str(), ToolList::new(api, &tools).as_str(), "{api}");
    }
}
