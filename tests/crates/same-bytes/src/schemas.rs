//! Schemas as text.

use std::fs;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolwright::content::ContentHash;
use toolwright::{Executor, Tool, ToolName, ToolRegistry, ToolSpec, tool};

use crate::{Change, Copied};

/// A type of another crate, which says nothing of an order.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Foreign {
    zed: f32,
    alpha: Option<u8>,
}

/// Take and give a type of another crate.
#[tool(register = false, pure)]
fn pass(second: Foreign, first: Vec<Foreign>) -> Foreign {
    first.into_iter().next().unwrap_or(second)
}

const TEXT: &str = r#"{
    "type": "object",
    "required": ["zed", "alpha"],
    "properties": {
        "zed": {"type": "number", "minimum": 1.50, "maximum": 1e2, "default": -0},
        "alpha": {"enum": [{"y": 1, "x": 18446744073709551615}]}
    }
}"#;

fn specs() -> Vec<ToolSpec> {
    let spec = |name| ToolSpec::new(ToolName::new(name).unwrap(), "Made by hand.");
    let value = serde_json::from_str(TEXT).unwrap();
    vec![
        Change.spec().clone(),
        Copied.spec().clone(),
        Pass.spec().clone(),
        spec("by_text")
            .with_input_schema_text(TEXT)
            .unwrap()
            .with_example(json!({"zed": 2.0, "alpha": {"x": 1}})),
        spec("by_value").with_input_schema(value),
    ]
}

#[test]
fn a_schema_has_the_same_bytes_in_each_program() {
    let lines = specs().into_iter().map(|spec| {
        let text = serde_json::to_string(&spec).unwrap();
        let back: ToolSpec = serde_json::from_str(&text).unwrap();
        assert_eq!(
            serde_json::to_string(&back).unwrap(),
            text,
            "it is read back as it was"
        );
        format!("{}\n{text}\n", ContentHash::of(&text))
    });
    let lines = lines.collect::<String>();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/src/schemas.golden");
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() && !cfg!(feature = "other-json") {
        fs::write(golden, &lines).unwrap();
    }
    assert_eq!(lines, fs::read_to_string(golden).unwrap());
}

#[test]
fn a_list_is_made_once_and_asks_for_the_purpose_last() {
    let registry = ToolRegistry::new().with(Change).with(Copied);
    let executor = Executor::new(registry.clone()).unwrap();
    let (one, other) = (
        executor.tools().to_json().unwrap(),
        executor.tools().to_json().unwrap(),
    );
    assert!(std::sync::Arc::ptr_eq(&one, &other));
    let place = |name: &str| one.find(&format!("\"{name}\":{{")).unwrap();
    assert!(place("zed") < place("steps") && place("steps") < place("part"));
    let asking = Executor::new(registry.ask_purpose()).unwrap();
    let asking = asking.tools().to_json().unwrap();
    let purpose = asking.find("\"tool_use_purpose\":{").unwrap();
    assert!(asking.find("\"by\":{").unwrap() < purpose);
}
