//! The example `interactive`: the patterns of tools that wait for a person.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops at the first fault"
)]

use std::process::Command;

/// The lines after one.
fn after<'p>(printed: &'p str, line: &str) -> &'p str {
    let (_, after) = printed.split_once(line).expect(printed);
    after.trim_start_matches('\n')
}

fn printed() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_interactive"))
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn s2_36_an_interactive_tool_asks_and_goes_on() {
    let printed = printed();
    let plan = after(&printed, "> release.plan {}");
    assert!(
        plan.starts_with("? Where to?\n? Which version?\nrelease v2 to production\n"),
        "{printed}"
    );
    let notes = after(&printed, "> release.notes {}");
    assert!(
        notes.starts_with("? Shall the notes be short?\nthe user declined to answer"),
        "{printed}"
    );
    assert!(notes.contains("there is a template for that"), "{printed}");
}

#[test]
fn s2_37_a_sensitive_tool_runs_when_it_may() {
    let printed = printed();
    let staging = after(&printed, r#""place": "staging"}"#);
    assert!(
        staging.contains("? Deploy v2 to staging\nv2 runs in staging\n"),
        "{printed}"
    );
    let production = after(&printed, r#""place": "production"}"#);
    assert!(production.contains("not on a Friday"), "{printed}");
    assert!(!production.contains("v2 runs in"), "{printed}");
}

#[test]
fn s2_38_several_tools_are_made_at_once() {
    let printed = printed();
    for spec in [
        "deploy: Deploy a version.",
        "list_places: Tell which places there are.",
        "release.notes: Write the notes of a release.",
        "release.plan: Plan a release.",
    ] {
        assert!(printed.contains(spec), "{printed}");
    }
}
