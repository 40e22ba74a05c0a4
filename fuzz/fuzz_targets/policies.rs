//! A policy in TOML: it loads or names its mistakes by line, and one more denial denies.

#![no_main]

#[path = "../project.rs"]
mod project;

use libfuzzer_sys::fuzz_target;
use project::{Project, ROOT, shell_call};
use toolwright::permission::Verdict;
use toolwright_policy::PermissionPolicy;

const LINES: [&str; 4] = [
    "git status && cargo test 2>&1 | tail -5",
    "cat src/main.rs > secrets/token",
    "rm -rf src; x=$(cat .env)",
    "((",
];

fuzz_target!(|text: &str| {
    let Some(project) = Project::new(text) else {
        if let Err(error) = PermissionPolicy::from_toml(text, ROOT.path()) {
            assert!(!error.to_string().is_empty());
        }
        return;
    };
    for line in LINES {
        let preview = project.executor.session("fuzz").preview(&shell_call(line));
        let preview = preview.expect("the arguments fit");
        let explanation = project.policy.explain(&preview.call(), preview.requests());
        assert_eq!(
            std::mem::discriminant(preview.verdict()),
            std::mem::discriminant(&explanation.verdict),
            "the explanation of {line:?} is not its verdict"
        );
        let _ = explanation.to_string();
    }
    let denied = format!("{text}\n[[deny]]\ntools = [\"*\"]\n");
    if let Some(project) = Project::new(&denied) {
        let preview = project.executor.session("fuzz").preview(&shell_call("ls"));
        let verdict = preview.expect("the arguments fit").verdict().clone();
        assert!(
            matches!(verdict, Verdict::Deny(_)),
            "a denial of all tools: {verdict:?}"
        );
    }
});
