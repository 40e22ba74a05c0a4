//! Lines of a shell that agents write, and those by which rules on commands were walked around in
//! public reports, each with what one policy has to say of it.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toolwright::arguments::Arguments;
use toolwright::permission::{CallView, CommandAccess, IntoRequests, Verdict};
use toolwright::{Tool, tool};
use toolwright_policy::PermissionPolicy;

/// Run a line of bash.
#[tool(name = "shell.run")]
async fn run(line: String) {
    drop(line);
}

/// A line of `commands.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    line: String,
    verdict: String,
    why: String,
    /// The report that it comes from: owner/repository#number.
    source: Option<String>,
}

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data/policy")
        .join(name)
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(data("commands.jsonl")).unwrap();
    let case =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(case).collect()
}

#[test]
fn each_line_of_the_corpus_is_judged_as_expected() {
    let root = tempfile::tempdir().unwrap();
    for directory in ["src", "secrets", "target"] {
        fs::create_dir(root.path().join(directory)).unwrap();
    }
    let text = fs::read_to_string(data("commands.toml")).unwrap();
    let policy = PermissionPolicy::from_toml(&text, root.path()).unwrap();
    let arguments = Arguments::from(r#"{"line": ""}"#);
    let call = CallView::new(Run.spec(), &arguments);
    let mut wrong = Vec::new();
    for case in cases() {
        let requests = CommandAccess::shell(&case.line)
            .in_directory(root.path())
            .into_requests()
            .unwrap();
        let explanation = policy.explain(&call, &requests);
        let verdict = match &explanation.verdict {
            Verdict::Allow => "allow",
            Verdict::Ask(_) => "ask",
            Verdict::Deny(_) => "deny",
            other => panic!("{other:?}"),
        };
        if verdict != case.verdict {
            wrong.push(format!(
                "{verdict} and not {} ({}; {}):\n{}\n{explanation}",
                case.verdict,
                case.why,
                case.source.as_deref().unwrap_or("no report"),
                case.line,
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_lines_are_many_and_most_work_goes_on_without_a_prompt() {
    let cases = cases();
    let allowed = cases.iter().filter(|case| case.verdict == "allow").count();
    assert!(cases.len() >= 65, "{}", cases.len());
    assert!(
        allowed * 10 >= cases.len() * 4,
        "{allowed} of {}",
        cases.len()
    );
}
