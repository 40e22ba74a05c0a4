//! Adding tools, listing them, and the gate that all of them stand behind.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::{AllowAll, CallView, DenyAll, PermissionChecker, Verdict};
use toolwright::registry::OnCollision;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, PermissionRequest, Tool, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry,
    ToolSpec, tool,
};

use crate::waiting_support::Runs;

/// Turn a text around.
#[tool(name = "kiro.reverse", pure)]
fn reverse(text: String) -> String {
    text.chars().rev().collect()
}

/// Wait for a moment.
#[tool(name = "kiro.wait", read_only)]
async fn wait() -> &'static str {
    tokio::task::yield_now().await;
    "waited"
}

/// Note that something ran.
#[tool(name = "kiro.note", register = false)]
fn note(runs: &Runs) {
    runs.add();
}

/// A tool that nobody annotated.
struct Shout {
    spec: ToolSpec,
}

impl Shout {
    fn named(name: &'static str) -> Self {
        let schema = json!({
            "type": "object",
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
            "additionalProperties": false,
        });
        let spec = ToolSpec::new(ToolName::new(name).unwrap(), "Say it loudly.");
        Self {
            spec: spec.with_input_schema(schema),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShoutCall {
    text: String,
}

impl Tool for Shout {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(arguments.parse::<ShoutCall>()?))
    }
}

impl Invocation for ShoutCall {
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        if let Some(runs) = ctx.resource::<Runs>() {
            runs.add();
        }
        Started::Done(Ok(ToolOutput::text(self.text.to_uppercase())))
    }
}

/// The tools of this file, found at link time.
fn discovered() -> ToolRegistry {
    let mut registry = toolwright::discover!().unwrap();
    // The other files of this binary announce tools too, which may need what is not here.
    let others: Vec<ToolName> = registry
        .names()
        .filter(|name| !name.as_str().starts_with("kiro."))
        .cloned()
        .collect();
    for name in others {
        registry.remove(name.as_str());
    }
    registry
}

#[tokio::test]
async fn s3_01_a_tool_is_added_by_one_registration() {
    let mut registry = discovered();
    let before: Vec<String> = registry.names().map(ToString::to_string).collect();
    assert_eq!(before, ["kiro.reverse", "kiro.wait"]);

    registry.register(Shout::named("kiro.shout")).unwrap();

    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let tools = executor.tools();
    let names: Vec<&str> = tools.specs().map(|spec| spec.name().as_str()).collect();
    assert_eq!(names, ["kiro.reverse", "kiro.shout", "kiro.wait"]);
    let shouted = executor.call("kiro.shout", r#"{"text": "hello"}"#).await;
    assert_eq!(
        (shouted.is_success(), shouted.text().as_str()),
        (true, "HELLO")
    );
    let refused = executor.call("kiro.shout", r#"{"txt": "hello"}"#).await;
    assert_eq!(
        refused.error().map(ToolError::kind),
        Some(ErrorKind::InvalidArguments)
    );
    let reversed = executor.call("kiro.reverse", r#"{"text": "abc"}"#).await;
    assert_eq!(reversed.text(), "cba");
}

#[test]
fn s3_02_one_listing_for_all_kinds() {
    let mut registry = discovered();
    registry.register(Note).unwrap();
    registry.register(Shout::named("by-hand")).unwrap();
    let shared: Arc<dyn Tool> = Arc::new(Shout::named("shared"));
    registry.register_arc(shared).unwrap();
    let offered = ToolRegistry::new().with(Shout::named("offered"));
    registry.merge(offered, OnCollision::Fail).unwrap();
    let executor = Executor::builder(registry)
        .resource(Runs::default())
        .build()
        .unwrap();

    let text = executor.tools().to_json().unwrap();
    let listing: Vec<Value> = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = listing
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "by-hand",
            "kiro.note",
            "kiro.reverse",
            "kiro.wait",
            "offered",
            "shared"
        ]
    );
    for (entry, spec) in listing.iter().zip(executor.tools().specs()) {
        assert_eq!(entry["name"], *spec.name().as_str());
        assert_eq!(entry["description"], *spec.description());
        assert!(!spec.description().is_empty(), "{entry}");
        assert_eq!(entry["input_schema"], *spec.input_schema());
        assert_eq!(entry["input_schema"]["type"], "object", "{entry}");
    }
}

struct NoShouting;

impl PermissionChecker for NoShouting {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        match tool.name().as_str() {
            "by-hand" => Verdict::deny("people are asleep"),
            _ => Verdict::Allow,
        }
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        Verdict::Allow
    }
}

#[tokio::test]
async fn s3_03_a_tool_without_permission_code_is_gated() {
    let registry = || ToolRegistry::new().with(Note).with(Shout::named("by-hand"));
    let runs = Arc::new(Runs::default());
    let gated = |builder: toolwright::ExecutorBuilder| {
        builder.resource_arc(Arc::clone(&runs)).build().unwrap()
    };
    let calls = [("kiro.note", "{}"), ("by-hand", r#"{"text": "a"}"#)];

    for executor in [
        gated(Executor::builder(registry())),
        gated(Executor::builder(registry()).permission_checker(DenyAll)),
    ] {
        for (name, arguments) in calls {
            let outcome = executor.call(name, arguments).await;
            let kind = outcome.error().map(ToolError::kind);
            assert_eq!(kind, Some(ErrorKind::Denied), "{name}");
            assert_eq!(outcome.result().source(), ResultSource::Executor, "{name}");
        }
    }
    assert_eq!(runs.count(), 0);

    let executor = gated(Executor::builder(registry()).permission_checker(NoShouting));
    assert!(executor.call("kiro.note", "{}").await.is_success());
    let denied = executor.call("by-hand", r#"{"text": "a"}"#).await;
    assert!(
        denied.text().contains("people are asleep"),
        "{}",
        denied.text()
    );
    assert_eq!(runs.count(), 1);

    let executor = gated(Executor::builder(registry()).permission_checker(AllowAll));
    for (name, arguments) in calls {
        assert!(executor.call(name, arguments).await.is_success(), "{name}");
    }
    assert_eq!(runs.count(), 3);
}
