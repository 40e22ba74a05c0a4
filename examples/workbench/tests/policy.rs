//! Policies from files: the calls that they let run, the texts about them, and the policy of the examples.
//!
//! `TOOLWRIGHT_BLESS=1 cargo test -p workbench --test workbench policy` writes the
//! explanations anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use toolwright_policy::PermissionPolicy;

use super::*;

/// The policy of the examples, as the tests' own directory names it.
const POLICY: &str = "policies/workbench.toml";

/// A project, as far as the policy of the examples speaks of one.
fn project() -> Bench {
    let bench = Bench::new();
    for dir in ["src", ".git", ".git/hooks", ".cargo"] {
        fs::create_dir(bench.path(dir)).unwrap();
    }
    bench
        .file("src/main.rs", "fn main() {}\n")
        .file("Cargo.toml", "[package]\n")
        .file("key.pem", "a key\n")
        .file(".env", "TOKEN=x\n");
    bench
}

fn with_policy(bench: &Bench, text: &str) -> String {
    let file = bench.outside().join("policy.toml");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn shell(line: &str) -> (&'static str, Value) {
    ("shell.run", json!({ "command": line }))
}

fn explain(bench: &Bench, tool: &str, arguments: &Value) -> String {
    let arguments = arguments.to_string();
    let ended = bench.run(&["--policy", POLICY, "policy", "explain", tool, &arguments]);
    let root = bench.root.canonicalize().unwrap();
    let text = ended.exits(0);
    text.replace(root.to_str().unwrap(), "ROOT")
}

#[test]
fn a_policy_decides_what_runs() {
    let bench = project();
    let write = |path: &str| {
        let arguments = json!({"path": path, "content": "x"});
        bench.call_with(&["--policy", POLICY], "fs.write", &arguments)
    };
    write("src/new.rs").exits(0);
    assert_eq!(fs::read(bench.path("src/new.rs")).unwrap(), b"x");
    let denied = write(".git/hooks/pre-commit");
    let text = denied.exits(3);
    assert!(text.contains("git writes its own files"), "{text}");
    assert!(!bench.path(".git/hooks/pre-commit").exists());
    let asked = bench.call_with(
        &["--policy", POLICY],
        "fs.remove",
        &json!({"path": "src/main.rs"}),
    );
    let text = asked.exits(3);
    assert!(text.contains("nothing brings back"), "{text}");
    assert!(text.contains("workbench policy explain"), "{text}");
    assert!(bench.path("src/main.rs").exists());
}

#[test]
fn without_a_policy_the_message_names_it() {
    let bench = project();
    let asked = bench.call("fs.write", &json!({"path": "a", "content": "x"}));
    let text = asked.exits(3);
    assert!(text.contains("`workbench --yes`"), "{text}");
    assert!(text.contains("`--policy FILE`"), "{text}");
}

#[test]
fn check_tells_all_that_is_wrong() {
    let bench = Bench::new();
    let file = with_policy(
        &bench,
        "default = \"readonly\"\n\n[[allow]]\ntool = [\"fs.read\"]\n\n[[deny]]\npaths = [\"a[b\"]\n",
    );
    let ended = bench.run(&["--policy", &file, "policy", "check"]);
    assert_eq!(ended.exits(2), "");
    for wrong in [
        "policy.toml line 1: \"readonly\" is no default; did you mean \"read-only\"?",
        "policy.toml line 4, allow rule 1: there is no key `tool`; did you mean `tools`?",
        "policy.toml line 6, deny rule 1: `a[b`",
    ] {
        assert!(ended.stderr.contains(wrong), "{wrong}\n{}", ended.stderr);
    }

    let file = with_policy(&bench, "[[ask]]\ntools = [\"fs.raed\"]\n");
    let ended = bench.run(&["--policy", &file, "policy", "check"]);
    ended.exits(2);
    let wrong = "there is no tool `fs.raed`; did you mean `fs.read`?";
    assert!(ended.stderr.contains(wrong), "{}", ended.stderr);
    // Nor does anything else run by it.
    bench.run(&["--policy", &file, "list"]).exits(2);

    let file = with_policy(&bench, "[[ask]]\ntools = [\"fs.read\"]\n");
    let ended = bench.run(&["--policy", &file, "policy", "check"]);
    assert_eq!(ended.exits(0), "1 rule, no problem\n");
}

#[test]
fn there_has_to_be_a_policy_and_one_way_to_decide() {
    let bench = Bench::new();
    let ended = bench.run(&["policy", "check"]);
    ended.exits(2);
    assert!(ended.stderr.contains("--policy FILE"), "{}", ended.stderr);
    let ended = bench.run(&["--policy", "no/such/file.toml", "list"]);
    ended.exits(2);
    assert!(
        ended.stderr.contains("no/such/file.toml"),
        "{}",
        ended.stderr
    );
    for other in ["--yes", "--deny"] {
        bench.run(&["--policy", POLICY, other, "list"]).exits(2);
    }
}

#[test]
fn the_cause_of_a_missing_file_is_told_once() {
    let bench = Bench::new();
    let ended = bench.run(&["--policy", "/nope.toml", "list"]);
    ended.exits(2);
    let told = &ended.stderr;
    assert_eq!(told.matches("No such file").count(), 1, "{told}");
    assert!(told.contains("/nope.toml"), "{told}");
}

#[test]
fn a_call_is_explained_in_any_form_and_never_made() {
    let bench = project();
    let arguments = json!({"path": "src/new.rs", "content": "x"});
    let by_name = explain(&bench, "fs.write", &arguments);
    assert!(by_name.starts_with("`fs.write` runs"), "{by_name}");
    let line = json!({"name": "fs_write", "arguments": arguments}).to_string();
    let options = ["--policy", POLICY, "policy", "explain"];
    let by_line = bench.run(&[&options[..], &[&line]].concat());
    let root = bench.root.canonicalize().unwrap();
    let by_line = by_line.exits(0).replace(root.to_str().unwrap(), "ROOT");
    assert_eq!(by_line, by_name);
    let mut command = bench.command(&[&options[..], &["-"]].concat());
    let piped = finish(&mut command, &line);
    assert_eq!(
        piped.exits(0).replace(root.to_str().unwrap(), "ROOT"),
        by_name
    );
    assert!(!bench.path("src/new.rs").exists());

    bench
        .run(&[&options[..], &["{\"nome\": 1}"]].concat())
        .exits(2);
    let invalid = bench.run(&[&options[..], &["fs.write", "{}"]].concat());
    let text = invalid.exits(1);
    assert!(text.contains("`/path`"), "{text}");
}

#[test]
fn the_policy_of_the_examples_fits() {
    let bench = project();
    let ended = bench.run(&["--policy", POLICY, "policy", "check"]);
    let text = ended.exits(0);
    assert!(text.ends_with(" rules, no problem\n"), "{text}");
}

/// The explanations of more than ten calls, as their author reads them.
#[test]
fn explanations_read_as_before() {
    let bench = project();
    let calls = [
        ("text.count", json!({"text": "a b"})),
        ("fs.read", json!({"path": "src/main.rs"})),
        ("fs.read", json!({"path": ".env"})),
        (
            "fs.write",
            json!({"path": ".git/hooks/pre-commit", "content": "x"}),
        ),
        (
            "fs.write",
            json!({"path": ".cargo/config.toml", "content": "x"}),
        ),
        ("fs.remove", json!({"path": "src/main.rs"})),
        shell("RUST_LOG=debug cargo test 2>&1 | tail -5"),
        shell("git log --oneline && git push"),
        shell("cat src/main.rs > copy.rs"),
        shell("cat /etc/hostname"),
        shell("cat .env"),
        shell("make all"),
        shell("xargs rm < list; sudo ls"),
        shell("cat $(find . -name '*.key')"),
        ("fs.remove", json!({"path": "src", "recursive": true})),
        ("fs.read", json!({"path": "/nowhere/secret.txt"})),
        shell("$TOOL --version"),
        shell("echo 'open"),
    ];
    let mut all = String::new();
    for (tool, arguments) in &calls {
        let shown = match arguments["command"].as_str() {
            Some(line) => line.to_owned(),
            None => arguments.to_string(),
        };
        let text = explain(&bench, tool, arguments);
        writeln!(all, "==== {tool} {shown}\n{text}").unwrap();
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain.golden");
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        fs::write(&golden, &all).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap();
    assert_eq!(all, expected);
}

#[test]
fn every_rule_of_the_policy_of_the_examples_decides_some_call() {
    let bench = project();
    let home = std::env::home_dir().unwrap();
    let calls = [
        ("fs.read", json!({"path": "src/main.rs"})),
        ("fs.read", json!({"path": ".env"})),
        ("fs.write", json!({"path": ".git/config", "content": "x"})),
        (
            "fs.write",
            json!({"path": "workbench.toml", "content": "x"}),
        ),
        (
            "fs.write",
            json!({"path": ".github/workflows/ci.yml", "content": "x"}),
        ),
        ("fs.remove", json!({"path": "src/main.rs"})),
        shell("ls src"),
        shell("RUST_BACKTRACE=1 cargo test"),
        shell("git status"),
        shell("git log -p --output=x"),
        shell("git push origin main"),
        shell("git reset --hard"),
        shell("rm -rf target"),
        shell("curl https://example.org"),
        shell("sudo ls"),
    ];
    let mut explained = String::new();
    for (tool, arguments) in &calls {
        explained.push_str(&explain(&bench, tool, arguments));
    }
    let policy = PermissionPolicy::load(POLICY, &bench.root).unwrap();
    let idle: BTreeSet<String> = policy
        .rules()
        // An explanation names the lines, and not the one file that they are of.
        .map(|rule| format!(", by {rule}\n").replace(&format!("{POLICY} "), ""))
        .filter(|rule| !explained.contains(rule))
        .collect();
    assert!(idle.is_empty(), "{idle:#?}\n{explained}");
    // A secret of the home directory is none of the project's, and is forbidden all the same.
    let key = home.join(".ssh/id_ed25519");
    let text = explain(
        &bench,
        "shell.run",
        &json!({"command": format!("cat '{}'", key.display())}),
    );
    assert!(text.starts_with("`shell.run` is denied"), "{text}");
}
