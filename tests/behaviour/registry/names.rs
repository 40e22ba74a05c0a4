//! Canonical names, wire names and aliases.

use std::collections::BTreeSet;

use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::registry::{RegistryError, ToolSnapshot};
use toolwright::{Executor, ToolContext, ToolError, ToolName, ToolRegistry, tool};

/// Read a file.
#[tool(name = "fs.read", aliases("read", "fsRead"), pure, register = false)]
fn read_file(path: String, ctx: &ToolContext) -> String {
    format!("{path} by {}", ctx.tool_name())
}

/// Read a file, with every spelling spelt out.
#[tool(
    name = "fs.read",
    aliases("read", "fs_read", "fsRead"),
    pure,
    register = false
)]
fn read_by_any_name(path: String, ctx: &ToolContext) -> String {
    format!("{path} by {}", ctx.tool_name())
}

/// Search for a text.
#[tool(name = "find", aliases("search", "grep"), pure, register = false)]
fn find(text: String) -> String {
    format!("found {text}")
}

/// Write a file.
#[tool(name = "fs.write", pure, register = false)]
fn write_file() -> &'static str {
    "written"
}

/// Wants the name of another tool.
#[tool(name = "web.fetch", aliases("fs.write"), pure, register = false)]
fn fetch() {}

/// Wants the alias of another tool.
#[tool(name = "book.open", aliases("get", "read"), pure, register = false)]
fn open_book() {}

/// Is named like the alias of another tool.
#[tool(name = "read", pure, register = false)]
fn plain_read() {}

/// Has the alias that another tool would be called by at a provider.
#[tool(name = "shadow", aliases("fs_write"), pure, register = false)]
fn shadow() -> &'static str {
    "shadowed"
}

const PATH: &str = r#"{"path": "a.txt"}"#;

#[tokio::test]
async fn s3_05_the_canonical_name_is_the_same_by_every_name() {
    let executor = Executor::new(ToolRegistry::new().with(ReadFile)).unwrap();
    let tools = executor.tools();
    let wire = tools.wire_name("fs.read").unwrap();
    for name in ["fs.read", "read", "fsRead", wire] {
        let outcome = executor.call(name, PATH).await;
        assert_eq!(outcome.text(), "a.txt by fs.read", "called as {name}");
        assert_eq!(outcome.result().tool(), "fs.read", "called as {name}");
        let tools = executor.tools();
        let tool = tools.get(name).unwrap();
        assert_eq!(tool.spec().name().as_str(), "fs.read", "called as {name}");
    }
    // Also of a call that never came to the tool.
    let refused = executor.call("read", "{}").await;
    assert_eq!(refused.result().tool(), "fs.read");
}

#[tokio::test]
async fn s3_08_aliases_answer() {
    let executor = Executor::new(ToolRegistry::new().with(Find).with(WriteFile)).unwrap();
    for name in ["find", "search", "grep"] {
        let outcome = executor.call(name, r#"{"text": "x"}"#).await;
        assert_eq!(outcome.text(), "found x", "called as {name}");
    }
    assert_eq!(executor.tools().len(), 2);
    let tools = executor.tools();
    let without = tools.get("fs.write").unwrap();
    assert!(without.spec().aliases().is_empty());
}

#[tokio::test]
async fn s3_09_spellings_lead_to_one_tool_and_the_log_has_its_name() {
    let registries = [
        ToolRegistry::new().with(ReadFile),
        ToolRegistry::new().with(ReadByAnyName),
    ];
    for registry in registries {
        let executor = Executor::new(registry).unwrap();
        for name in ["read", "fs_read", "fsRead"] {
            let outcome = executor.call(name, PATH).await;
            assert_eq!(outcome.text(), "a.txt by fs.read", "called as {name}");
            let logged = outcome.result().to_json().unwrap();
            assert_eq!(logged["tool"], "fs.read", "called as {name}");
        }
    }
}

/// The names that are wanted twice, each with the tools that want it.
fn told(error: &RegistryError) -> Vec<(&str, &str, &str)> {
    error
        .collisions()
        .iter()
        .map(|collision| {
            let (first, second) = collision.tools();
            (collision.name().as_str(), first.as_str(), second.as_str())
        })
        .collect()
}

#[test]
fn s3_10_a_clash_of_aliases_is_an_error_that_names_both() {
    let mut registry = ToolRegistry::new().with(ReadFile).with(WriteFile);

    let alias_is_a_name = registry.register(Fetch).unwrap_err();
    assert_eq!(
        told(&alias_is_a_name),
        [("fs.write", "fs.write", "web.fetch")]
    );
    let text = alias_is_a_name.to_string();
    for part in ["`fs.write`", "`web.fetch`", "names.rs"] {
        assert!(text.contains(part), "{text}");
    }
    let alias_is_an_alias = registry.register(OpenBook).unwrap_err();
    assert_eq!(told(&alias_is_an_alias), [("read", "fs.read", "book.open")]);
    let name_is_an_alias = registry.register(PlainRead).unwrap_err();
    assert_eq!(told(&name_is_an_alias), [("read", "fs.read", "read")]);

    // The registry is unchanged, and nothing of the refused tools is left behind.
    let names: Vec<&str> = registry.names().map(ToolName::as_str).collect();
    assert_eq!(names, ["fs.read", "fs.write"]);
    assert!(!registry.contains("get"));
    assert_eq!(
        registry.get("read").unwrap().spec().name().as_str(),
        "fs.read"
    );

    // In a chain the error waits for the executor.
    let chained = ToolRegistry::new()
        .with(Fetch)
        .with(WriteFile)
        .with(ReadFile);
    let error = Executor::new(chained).unwrap_err();
    let [BuildProblem::Registry(error)] = error.problems() else {
        panic!("{error}");
    };
    assert_eq!(told(error), [("fs.write", "web.fetch", "fs.write")]);
}

#[tokio::test]
async fn s3_10_an_alias_does_not_catch_calls_by_a_wire_name() {
    let registry = ToolRegistry::new().with(Shadow).with(WriteFile);
    let executor = Executor::new(registry).unwrap();
    let tools = executor.tools();
    let snapshot: &ToolSnapshot = &tools;
    let wires: BTreeSet<&str> = ["fs.write", "shadow"]
        .iter()
        .filter_map(|name| snapshot.wire_name(name))
        .collect();
    assert_eq!(wires.len(), 2);
    let wire = snapshot.wire_name("fs.write").unwrap();
    assert_eq!(executor.call(wire, "{}").await.text(), "written");
    assert_eq!(executor.call("fs_write", "{}").await.text(), "shadowed");
    let unknown = executor.call("fs-write", "{}").await;
    assert_eq!(
        unknown.error().map(ToolError::kind),
        Some(ErrorKind::NotFound)
    );
}
