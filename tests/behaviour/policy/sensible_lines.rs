//! The lines that developers write, against the policy that workbench is shipped with: how many of them ask
//! though each of their commands alone runs unasked.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use toolwright::arguments::Arguments;
use toolwright::permission::{CallView, CommandAccess, IntoRequests, Verdict};
use toolwright::{Tool, tool};
use toolwright_policy::PermissionPolicy;

/// Run a line of bash.
#[tool(name = "shell.run", register = false)]
async fn run(line: String) {
    drop(line);
}

#[derive(Deserialize)]
struct Line {
    line: String,
}

fn lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/policy/sensible.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Line>(line).unwrap().line)
        .collect()
}

/// A project as `cargo new` and a year of work leave it.
fn project() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for name in [
        "src/main.rs",
        "src/lib.rs",
        "src/parser.rs",
        "src/config.rs",
        "src/commands/mod.rs",
        "src/commands/build.rs",
        "tests/cli.rs",
        "tests/parser.rs",
        "tests/data/a.txt",
        "examples/basic.rs",
        "docs/guide.md",
        "docs/design.md",
        "target/debug/demo",
        ".github/workflows/ci.yml",
        ".github/CODEOWNERS",
        "README.md",
        "CHANGELOG.md",
        "Cargo.toml",
        "Cargo.lock",
        "LICENSE",
    ] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x\n").unwrap();
    }
    fs::write(root.path().join(".gitignore"), "/target\n.env\n").unwrap();
    let git = Command::new("git")
        .args(["init", "-q"])
        .current_dir(root.path())
        .status()
        .unwrap();
    assert!(git.success());
    root
}

fn asks(policy: &PermissionPolicy, root: &Path, line: &str) -> Option<String> {
    let root = root.canonicalize().unwrap();
    let requests = CommandAccess::shell(line)
        .in_directory(&root)
        .within(&root)
        .into_requests()
        .unwrap();
    let arguments = Arguments::from(r#"{"line": ""}"#);
    let call = CallView::new(Run.spec(), &arguments);
    let explanation = policy.explain(&call, &requests);
    (explanation.verdict != Verdict::Allow).then(|| explanation.to_string())
}

fn policy(root: &Path) -> PermissionPolicy {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/workbench/policies/workbench.toml");
    PermissionPolicy::from_toml(&fs::read_to_string(path).unwrap(), root).unwrap()
}

/// The lines that ask, each with what keeps it from running unasked.
const ASKING: [(&str, &str); 1] = [(
    "cat docs/$(ls -t docs/ | head -1)",
    "what a substitution prints may be any name, one with `..` in it too",
)];

#[test]
fn of_the_lines_that_developers_write_one_in_twenty_asks_at_most() {
    let root = project();
    let policy = policy(root.path());
    let lines = lines();
    let mut asking = Vec::new();
    let mut why = String::new();
    for line in &lines {
        if let Some(explanation) = asks(&policy, root.path(), line) {
            asking.push(line.as_str());
            why += &[line.as_str(), "\n", &explanation, "\n"].concat();
        }
    }
    assert_eq!(lines.len(), 200);
    assert!(asking.len() * 20 <= lines.len(), "{why}");
    let known: Vec<&str> = ASKING.iter().map(|(line, _)| *line).collect();
    assert_eq!(asking, known, "{why}");
}

#[test]
fn a_search_of_a_directory_asks_once_something_forbidden_lies_below_it() {
    let root = project();
    let policy = policy(root.path());
    for line in [
        "grep -rn x .",
        "grep -r x src",
        "grep -rh \"\" src/*",
        "diff -N docs src",
    ] {
        assert_eq!(asks(&policy, root.path(), line), None, "{line}");
    }
    fs::write(root.path().join("src/.env"), "TOKEN=x\n").unwrap();
    for line in ["grep -rn x .", "grep -r x src", "diff -N docs src"] {
        let why = asks(&policy, root.path(), line).unwrap_or_default();
        assert!(why.contains("src/.env"), "{line}: {why}");
    }
    assert_eq!(asks(&policy, root.path(), "grep -rn x docs tests"), None);
}
