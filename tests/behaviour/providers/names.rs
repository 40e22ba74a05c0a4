//! Names of tools, as each API allows them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolError, ToolName, ToolOutcome, ToolRegistry, ToolSpec, tool_fn};
use toolwright_providers::{Api, ModelTools, ToolList};

use super::{definitions, message};

const NAMES: [&str; 8] = [
    "fs.read_file",
    "fs_read_file",
    "mcp.github.search",
    "3d.view",
    "-dash",
    "plain",
    "9",
    "_9",
];

fn registry() -> ToolRegistry {
    let long = format!("{}.{}", "x".repeat(60), "y".repeat(60));
    let names = NAMES.into_iter().chain([long.as_str()]);
    names.fold(ToolRegistry::new(), |registry, name| {
        let spec = ToolSpec::new(
            ToolName::new(name.to_owned()).unwrap(),
            "Tell its own name.",
        );
        let own = name.to_owned();
        registry.with(tool_fn(spec, move |_: Value, _| {
            let own = own.clone();
            async move { Ok::<_, ToolError>(own) }
        }))
    })
}

/// The alphabet and length of each API, as its documentation says.
fn is_allowed(api: Api, name: &str) -> bool {
    let mut bytes = name.bytes();
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (1..=64).contains(&name.len())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && (api != Api::Gemini || starts_well)
}

#[tokio::test]
async fn s0_44_every_name_has_a_form_that_the_api_takes_and_leads_back() {
    let executor = Executor::builder(registry()).permission_checker(AllowAll);
    let session = executor.build().unwrap().session("s");
    for api in Api::ALL {
        let tools = ModelTools::new(api, &session);
        let shown: Vec<String> = definitions(api, tools.list().as_str())
            .iter()
            .map(|definition| definition["name"].as_str().unwrap().to_owned())
            .collect();
        let distinct: BTreeSet<&String> = shown.iter().collect();
        assert_eq!(distinct.len(), NAMES.len() + 1, "{api}: {shown:?}");
        for name in &shown {
            assert!(is_allowed(api, name), "{api}: {name}");
        }
        let calls: Vec<_> = shown
            .iter()
            .map(|name| ("c", name.as_str(), json!({})))
            .collect();
        let calls: Vec<_> = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"]
            .into_iter()
            .zip(calls)
            .map(|(id, (_, name, arguments))| (id, name, arguments))
            .collect();
        let reply = tools.answer(&message(api, &calls)).await.unwrap();
        let own: BTreeSet<String> = reply.outcomes.iter().map(ToolOutcome::text).collect();
        assert_eq!(own.len(), NAMES.len() + 1, "{api}: {own:?}");
        assert!(
            NAMES.iter().all(|name| own.contains(*name)),
            "{api}: {own:?}"
        );
    }
}

#[test]
fn names_are_the_same_on_every_run_and_in_every_order() {
    let one = registry().freeze().unwrap();
    let names = one.specs().map(|spec| spec.name().to_string());
    let mut backwards = ToolRegistry::new();
    for name in names.collect::<Vec<_>>().into_iter().rev() {
        let spec = ToolSpec::new(ToolName::new(name).unwrap(), "Tell its own name.");
        backwards = backwards.with(tool_fn(spec, |_: Value, _| async {
            Ok::<_, ToolError>("")
        }));
    }
    let other = backwards.freeze().unwrap();
    for api in Api::ALL {
        let (one, other) = (ToolList::new(api, &one), ToolList::new(api, &other));
        assert_eq!(one.as_str(), other.as_str(), "{api}");
    }
}

#[tokio::test]
async fn a_call_may_use_any_name_of_the_tool() {
    let spec = ToolSpec::new(ToolName::new("fs.read").unwrap(), "Read a file.")
        .with_alias(ToolName::new("cat").unwrap())
        .with_input_schema(json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["path"],
            "additionalProperties": false,
        }));
    let tool = tool_fn(spec, |arguments: Value, _| async move {
        Ok::<_, ToolError>(arguments.to_string())
    });
    let executor = Executor::builder(ToolRegistry::new().with(tool)).permission_checker(AllowAll);
    let session = executor.build().unwrap().session("s");
    for api in Api::ALL {
        let tools = ModelTools::new(api, &session);
        let arguments = json!({"path": "a", "limit": null});
        for name in ["fs.read", "fs_read", "cat"] {
            let message = message(api, &[("c", name, arguments.clone())]);
            let reply = tools.answer(&message).await.unwrap();
            assert_eq!(reply.outcomes[0].text(), r#"{"path":"a"}"#, "{api}: {name}");
        }
        let unknown = message(api, &[("c", "fs_raed", arguments.clone())]);
        let reply = tools.answer(&unknown).await.unwrap();
        assert!(reply.outcomes[0].text().contains("fs.read"), "{api}");
    }
}
