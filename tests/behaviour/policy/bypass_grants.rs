//! The lines by which rules on commands were walked around, against what a person has granted.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toolwright::permission::{CommandAccess, IntoRequests, RequestPreview};
use toolwright::ticket::{GrantLevel, GrantScope, Requester};
use toolwright::{Executor, PermissionRequest, ToolName, ToolRegistry};
use toolwright_policy::PermissionPolicy;

#[derive(Deserialize)]
struct Case {
    line: String,
    verdict: String,
    why: String,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/policy/commands.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn asker(executor: &Executor, session: &str) -> Requester {
    let turn = executor.session(session).turn().id();
    Requester::new(ToolName::new("shell.run").unwrap(), session, turn)
}

/// The commands that the policy of the corpus allows by name, as grants.
const GRANTED: [&str; 12] = [
    "git status",
    "git log",
    "git diff",
    "git show",
    "git add",
    "git commit",
    "cargo build",
    "cargo check",
    "cargo test",
    "cargo fmt",
    "cargo clippy",
    "rg",
];

#[tokio::test]
async fn no_line_that_a_policy_would_not_allow_is_covered_by_the_same_words_granted() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for name in ["src", "secrets", "target"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    // Only a checker that reads commands says what a command is.
    let executor = Executor::builder(ToolRegistry::new())
        .permission_checker(PermissionPolicy::builder(&root).build().unwrap())
        .build()
        .unwrap();
    let permissions = executor.permissions();
    for words in GRANTED {
        let covers = GrantScope::command(words.split(' ')).started_in(root.to_str().unwrap());
        permissions.grant("s", covers).await.unwrap();
    }
    for tree in ["src", "target"] {
        let tree = root.join(tree).to_str().unwrap().to_owned();
        permissions
            .grant("s", GrantScope::writes(tree.as_str()))
            .await
            .unwrap();
        permissions
            .grant("s", GrantScope::reads(tree))
            .await
            .unwrap();
    }
    let refused = GrantScope::writes(root.join("secrets").to_str().unwrap());
    let refused = permissions.grant("s", refused).level(GrantLevel::Deny);
    refused.await.unwrap();
    let mut covered = 0;
    for case in cases() {
        let access = CommandAccess::shell(&case.line).in_directory(&root);
        let request = access.into_requests().unwrap().remove(0);
        let granted = permissions
            .is_granted(asker(&executor, "s"), &request)
            .await
            .unwrap();
        assert!(
            !granted || case.verdict == "allow",
            "{} ({})",
            case.line,
            case.why
        );
        covered += usize::from(granted);
        let elsewhere = permissions
            .is_granted(asker(&executor, "t"), &request)
            .await
            .unwrap();
        assert!(!elsewhere, "{}", case.line);
    }
    // Most work goes on without a prompt.
    assert!(covered >= 12, "{covered}");
}

#[test]
fn s3_55_what_is_shown_to_whoever_approves_is_not_what_is_approved() {
    let request = |diff: &'static str| {
        PermissionRequest::new("file.write", "/ws/a", "Write `a`")
            .with_preview_by(move || RequestPreview::diff(diff))
    };
    let shown = request("-old\n+new").preview().unwrap();
    assert_eq!(shown.lines().collect::<Vec<_>>(), ["-old", "+new"]);
    assert!(request("a").is_same_as(&request("b")));
    assert!(!request("a").is_same_as(&request("a").with_detail("tree", true)));
}
