//! Every key is read, and the documentation has each.

use serde_json::json;

use super::super::*;
use crate::PermissionPolicy;
use crate::rule::{AnnotationName, AnnotationTest, ArgumentTest};
use toolwright::spec::Effect;

#[test]
#[allow(clippy::too_many_lines, reason = "one file with every key")]
fn every_key_is_read() {
    let loaded = read(
        r#"
        default = "deny"
        shared = true

        [trees]
        allowed = ["src"]
        read-only = ["vendor", "docs"]
        forbidden = [".env"]

        [[deny]]
        reason = "never"
        tools = ["fs.*", "!fs.read"]
        effects = ["pure", "read-only", "idempotent", "at-most-once"]
        hints = ["destructive", "!open-world", "needs-approval", "!streaming"]
        capabilities = ["fs:read:*"]

        [deny.arguments]
        "/a" = "x"
        "/b" = { one-of = [1, 2.5, 0xff, true, [1], { x = 1 }] }
        "/c" = { min = -1, max = 18446744073709551615 }
        "/d" = { min = 1_000.5 }
        "/e" = { present = false }

        [[allow]]
        paths = ["a"]
        reads = ["b"]
        writes = ["c"]

        [[allow]]
        commands = ["git log"]
        exact-commands = ["ls"]
        read-only-commands = true
        environment = ["RUST_LOG"]

        [[ask]]
        hosts = ["example.org"]

        [[ask]]
        kinds = ["deploy"]
        targets = ["prod*"]
        "#,
        &Section::default(),
        None,
    )
    .unwrap();
    assert_eq!(loaded.problems, []);
    assert_eq!(loaded.default, Some(DefaultDecision::Deny));
    assert!(loaded.shared);
    let number = |value: serde_json::Value| value.as_number().cloned();
    let list = |texts: &[&str]| -> Vec<String> { texts.iter().map(|t| (*t).to_owned()).collect() };
    let [
        allowed,
        reads,
        writes,
        forbidden,
        deny,
        paths,
        commands,
        hosts,
        kinds,
    ] = &loaded.rules[..]
    else {
        panic!("{:?}", loaded.rules)
    };
    assert_eq!(allowed.list("paths"), list(&["src"]));
    assert_eq!(allowed.line, Some(6));
    assert_eq!(reads.list("reads"), list(&["vendor", "docs"]));
    assert_eq!(writes.list("writes"), list(&["vendor", "docs"]));
    assert_eq!(writes.verdict, RuleVerdict::Deny);
    assert_eq!(forbidden.list("paths"), list(&[".env"]));
    assert_eq!(forbidden.verdict, RuleVerdict::Deny);
    assert_eq!(deny.line, Some(10));
    assert_eq!(deny.reason.as_deref(), Some("never"));
    assert_eq!(deny.list("tools"), list(&["fs.*", "!fs.read"]));
    assert_eq!(
        deny.effects.clone().unwrap(),
        [
            Effect::Pure,
            Effect::ReadOnly,
            Effect::Idempotent,
            Effect::AtMostOnce
        ]
    );
    let hint = |name, given| AnnotationTest { name, given };
    assert_eq!(
        deny.hints.clone().unwrap(),
        [
            hint(AnnotationName::Destructive, true),
            hint(AnnotationName::OpenWorld, false),
            hint(AnnotationName::NeedsApproval, true),
            hint(AnnotationName::Streaming, false),
        ]
    );
    assert_eq!(deny.list("capabilities"), list(&["fs:read:*"]));
    let test = |pointer: &str, test| (pointer.to_owned(), test);
    assert_eq!(
        deny.arguments,
        [
            test("/a", ArgumentTest::Equals(json!("x"))),
            test(
                "/b",
                ArgumentTest::OneOf(vec![
                    json!(1),
                    json!(2.5),
                    json!(255),
                    json!(true),
                    json!([1]),
                    json!({"x": 1}),
                ])
            ),
            test(
                "/c",
                ArgumentTest::Range {
                    min: number(json!(-1)),
                    max: number(json!(u64::MAX)),
                }
            ),
            test(
                "/d",
                ArgumentTest::Range {
                    min: number(json!(1000.5)),
                    max: None,
                }
            ),
            test("/e", ArgumentTest::Present(false)),
        ]
    );
    assert_eq!(paths.list("paths"), list(&["a"]));
    assert_eq!(paths.list("reads"), list(&["b"]));
    assert_eq!(paths.list("writes"), list(&["c"]));
    assert_eq!(commands.list("commands"), list(&["git log"]));
    assert_eq!(commands.list("exact-commands"), list(&["ls"]));
    assert!(commands.read_only_commands);
    assert_eq!(commands.list("environment"), list(&["RUST_LOG"]));
    assert_eq!(hosts.list("hosts"), list(&["example.org"]));
    assert_eq!(kinds.list("kinds"), list(&["deploy"]));
    assert_eq!(kinds.list("targets"), list(&["prod*"]));
}

/// The documentation has a table of all keys, each with an example.
#[test]
fn every_example_of_the_documentation_is_read() {
    let mut keys = Vec::new();
    for row in include_str!("../../../docs/policy.md").lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [key, _, example] = cells[..] else {
            continue;
        };
        let key = key.trim_start_matches("| ").trim_matches('`');
        let Some(example) = example
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix("` |"))
        else {
            continue;
        };
        keys.push(key.to_owned());
        let text = match key {
            "allow" | "ask" | "deny" => format!("{example}\ntools = [\"*\"]"),
            _ if KEYS.contains(&key) => example.to_owned(),
            "reason" => format!("[[allow]]\n{example}\ntools = [\"*\"]"),
            "environment" => format!("[[allow]]\n{example}\ncommands = [\"make\"]"),
            "targets" => format!("[[allow]]\n{example}\nkinds = [\"deploy\"]"),
            _ => format!("[[allow]]\n{example}"),
        };
        let policy = PermissionPolicy::from_toml(&text, env!("CARGO_MANIFEST_DIR"));
        assert!(policy.is_ok(), "{text}\n{policy:?}");
    }
    let all = KEYS.iter().chain(&rule::KEYS);
    for key in all.chain(&["one-of", "min", "max", "present"]) {
        assert!(
            keys.iter().any(|listed| listed == key),
            "`{key}` is not documented"
        );
    }
}

#[test]
fn the_policy_of_the_guide_is_read() {
    let page = include_str!("../../../../../docs/guide/policies.md");
    let (_, from) = page.split_once("```toml\n").unwrap();
    let (text, _) = from.split_once("```").unwrap();
    let policy = PermissionPolicy::from_toml(text, "/srv/project").unwrap();
    assert_eq!(policy.rules().len(), 5);
}
