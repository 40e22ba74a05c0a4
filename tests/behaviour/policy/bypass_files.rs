//! Lines that reach files by a way around: through the directories above them, another repository, the
//! directories of processes, and options. Each with what one policy has to say of it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
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

/// A line of `files.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    line: String,
    verdict: String,
    why: String,
    /// The directory where the line runs, seen from the root.
    #[serde(default)]
    directory: PathBuf,
}

fn data(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/policy");
    data.join(name)
}

/// A root with a repository, and things in it that are forbidden or that a tool may have made.
fn world(top: &Path) -> PathBuf {
    let root = top.join("ws");
    for name in [
        "ws/src/a.rs",
        "ws/src/sub/b.rs",
        "ws/docs/guide.md",
        "ws/docs/new.md",
        "ws/top/.env",
        "ws/top/sub/x",
        "ws/secrets/token",
        "ws/bare/HEAD",
        "ws/bare/config",
        "ws/bare/objects/x",
        "ws/bare/refs/x",
        "ws/nested/.git/config",
        "ws/nested/.git/HEAD",
        "ws/nested/deep/x",
        "other/x",
    ] {
        let path = top.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x\n").unwrap();
    }
    fs::create_dir(root.join("empty")).unwrap();
    symlink("/proc/self/cwd", root.join("process")).unwrap();
    let git = Command::new("git")
        .args(["init", "-q"])
        .current_dir(&root)
        .status()
        .unwrap();
    assert!(git.success());
    root
}

#[test]
fn each_line_that_reaches_files_is_judged_as_expected() {
    let top = tempfile::tempdir().unwrap();
    let top = top.path().canonicalize().unwrap();
    let root = world(&top);
    let text = fs::read_to_string(data("files.toml")).unwrap();
    let policy = PermissionPolicy::from_toml(&text, &root).unwrap();
    let arguments = Arguments::from(r#"{"line": ""}"#);
    let call = CallView::new(Run.spec(), &arguments);
    let mut wrong = Vec::new();
    let cases = fs::read_to_string(data("files.jsonl")).unwrap();
    assert!(cases.lines().count() >= 120);
    for case in cases.lines() {
        let case: Case = serde_json::from_str(case).unwrap();
        let requests = CommandAccess::shell(&case.line)
            .in_directory(&case.directory)
            .within(&root)
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
                "{verdict} and not {} ({}):\n{}\n{explanation}",
                case.verdict, case.why, case.line,
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// A sub-command that is not known works in a repository all the same.
#[test]
fn git_of_an_unknown_sub_command_stays_in_the_repository_of_the_root() {
    let top = tempfile::tempdir().unwrap();
    let root = world(&top.path().canonicalize().unwrap());
    let text =
        "default = \"ask\"\n[trees]\nallowed = [\".\"]\n[[allow]]\ncommands = [\"git\", \"cd\"]\n";
    let policy = PermissionPolicy::from_toml(text, &root).unwrap();
    let arguments = Arguments::from(r#"{"line": ""}"#);
    let call = CallView::new(Run.spec(), &arguments);
    let asks = |line: &str| {
        let shell = CommandAccess::shell(line).within(&root);
        let explanation = policy.explain(&call, &shell.into_requests().unwrap());
        matches!(explanation.verdict, Verdict::Ask(_))
    };
    assert!(!asks("git frobnicate"));
    assert!(!asks("cd src && git frobnicate"));
    for line in [
        "cd bare && git x$Y",
        "cd nested && git x$Y",
        "cd / && git x$Y",
        "git -C bare x$Y",
    ] {
        assert!(asks(line), "{line}");
    }
}
