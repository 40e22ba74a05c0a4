//! Names of capabilities by their origin.

use toolwright::{ToolName, ToolRegistry, tool};
use toolwright_mcp::bridge::CanonicalName;

/// Create an issue.
#[tool(open_world)]
fn bridge_create_issue(title: String) -> String {
    title
}

#[test]
fn s3_15_the_three_kinds_of_names_print_and_parse_back() {
    let name = |text: &'static str| ToolName::new(text).unwrap();
    let all = [
        (
            CanonicalName::BuiltIn(name("fs.read")),
            "fs.read",
            "fs.read",
        ),
        (
            CanonicalName::Mcp {
                server: "git-hub_1".into(),
                tool: name("issues.create"),
            },
            "@git-hub_1/issues.create",
            "git-hub_1.issues.create",
        ),
        (
            CanonicalName::Agent(name("researcher")),
            "#researcher",
            "researcher",
        ),
    ];
    for (canonical, text, tool) in all {
        assert_eq!(canonical.to_string(), text);
        assert_eq!(text.parse::<CanonicalName>().unwrap(), canonical);
        assert_eq!(canonical.to_tool_name().unwrap(), tool);
        let json = serde_json::to_string(&canonical).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(
            serde_json::from_str::<CanonicalName>(&json).unwrap(),
            canonical
        );
    }
}

#[test]
fn names_of_one_text_and_different_origins_differ() {
    let built_in: CanonicalName = "github.create".parse().unwrap();
    let of_server: CanonicalName = "@github/create".parse().unwrap();
    assert_ne!(built_in, of_server);
    assert_eq!(
        built_in.to_tool_name().unwrap(),
        of_server.to_tool_name().unwrap()
    );
}

#[test]
fn what_is_no_name_is_refused_with_the_reason() {
    let cases = [
        ("", "there must be text before and after each `.`"),
        ("@github", "write `@server/tool`"),
        ("@/create", "is no name of a server"),
        ("@git hub/create", "letters, digits, `_` and `-`"),
        ("@github/", "there must be text"),
        ("@github/a/b", "'/' is not allowed"),
        ("#", "there must be text"),
        ("#a b", "' ' is not allowed"),
        ("a@b", "'@' is not allowed"),
    ];
    for (text, why) in cases {
        let error = text.parse::<CanonicalName>().unwrap_err();
        assert_eq!(error.text(), text);
        let told = error.to_string();
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_tool_of_a_snapshot_has_the_name_of_its_origin() {
    let server = ToolRegistry::new().with(BridgeCreateIssue);
    let registry = ToolRegistry::new()
        .with(BridgeCreateIssue)
        .with_server("github", server);
    let tools = registry.freeze().unwrap();
    let names = tools
        .specs()
        .map(|spec| CanonicalName::of(&tools, spec.name()).to_string());
    let names: Vec<String> = names.collect();
    assert_eq!(
        names,
        ["bridge_create_issue", "@github/bridge_create_issue"]
    );
}
