//! Policies, as an app meets them: what runs without a prompt, what asks, and what is denied.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;
use toolwright::permission::CommandAccess;
use toolwright::{Executor, FileAccess, PermissionRequest, ToolOutcome, ToolRegistry, tool};
use toolwright_policy::{DefaultDecision, PermissionPolicy, PolicyBuilder, Rule};

/// The directory that the tools work in, and the things that they did.
struct Work {
    root: PathBuf,
    done: Mutex<Vec<String>>,
}

impl Work {
    fn note(&self, what: &str) {
        self.done.lock().unwrap().push(what.to_owned());
    }
}

/// Read a text file.
#[tool(name = "fs.read", register = false, permission = FileAccess::read(work.root.join(path)))]
fn read(path: String, work: &Work) -> Result<String, std::io::Error> {
    work.note("read");
    fs::read_to_string(work.root.join(path))
}

/// Write a text file.
#[tool(name = "fs.write", register = false, permission = FileAccess::write(work.root.join(path)))]
fn write(path: String, text: String, work: &Work) -> Result<(), std::io::Error> {
    work.note("write");
    fs::write(work.root.join(path), text)
}

/// Say what a shell would run.
#[tool(name = "shell.run", register = false, permission = CommandAccess::shell(line).in_directory(&work.root))]
fn run(line: String, work: &Work) -> String {
    work.note("run");
    line
}

/// Send a mail to each of some people.
#[tool(
    name = "mail.send",
    register = false,
    permission = to.iter().map(|to| PermissionRequest::new("mail", to.as_str(), format!("Mail {to}"))).collect::<Vec<_>>()
)]
fn send(to: Vec<String>, work: &Work) -> usize {
    work.note("send");
    to.len()
}

/// Reset the counter.
#[tool(register = false)]
fn reset(work: &Work) {
    work.note("reset");
}

struct Setup {
    _dir: TempDir,
    root: PathBuf,
    executor: Executor,
    work: std::sync::Arc<Work>,
}

impl Setup {
    /// Directories `app/src`, `app/vendor` and `elsewhere`, with a file in each.
    fn new(policy: impl FnOnce(PolicyBuilder) -> PolicyBuilder) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("app");
        for file in ["app/src/a.rs", "app/vendor/b.rs", "elsewhere/c.rs"] {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "text").unwrap();
        }
        let policy = policy(PermissionPolicy::builder(&root).shared(true));
        let work = std::sync::Arc::new(Work {
            root: root.clone(),
            done: Mutex::default(),
        });
        let tools = ToolRegistry::new()
            .with(Read)
            .with(Write)
            .with(Run)
            .with(Send)
            .with(Reset);
        let executor = Executor::builder(tools)
            .resource_arc(work.clone())
            .permission_checker(policy.build().unwrap())
            .build()
            .unwrap();
        Self {
            _dir: dir,
            root,
            executor,
            work,
        }
    }

    async fn call(&self, tool: &str, arguments: serde_json::Value) -> ToolOutcome {
        let before = self.work.done.lock().unwrap().len();
        let outcome = self.executor.call(tool, arguments).await;
        let ran = self.work.done.lock().unwrap().len() - before;
        assert_eq!(ran, usize::from(outcome.is_success()), "{}", outcome.text());
        outcome
    }

    async fn read(&self, path: impl AsRef<Path>) -> ToolOutcome {
        let path = path.as_ref().to_str().unwrap();
        self.call("fs.read", serde_json::json!({"path": path}))
            .await
    }

    async fn write(&self, path: &str) -> ToolOutcome {
        self.call("fs.write", serde_json::json!({"path": path, "text": ""}))
            .await
    }

    async fn run(&self, line: &str) -> ToolOutcome {
        self.call("shell.run", serde_json::json!({"line": line}))
            .await
    }

    async fn send(&self, to: &[&str]) -> ToolOutcome {
        self.call("mail.send", serde_json::json!({"to": to})).await
    }
}

#[track_caller]
fn runs(outcome: &ToolOutcome) {
    assert!(outcome.is_success(), "{}", outcome.text());
}

/// A person would be asked, and here is none.
#[track_caller]
fn asks(outcome: &ToolOutcome) {
    let code = outcome.error().map(|error| error.code().to_owned());
    assert_eq!(
        code.as_deref(),
        Some("approval_unavailable"),
        "{}",
        outcome.text()
    );
}

#[track_caller]
fn denies(outcome: &ToolOutcome) {
    let code = outcome.error().map(|error| error.code().to_owned());
    assert_eq!(code.as_deref(), Some("denied"), "{}", outcome.text());
}

#[tokio::test]
async fn a_policy_matches_a_kind_of_the_app_s_own() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().kinds(["mail"]).targets(["*"]))
            .rule(Rule::deny().kinds(["mail"]).targets(["all"]))
    });
    runs(&setup.send(&["ada"]).await);
    denies(&setup.send(&["all"]).await);
}

#[tokio::test]
async fn of_several_requests_one_denial_denies_and_one_ask_asks() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().kinds(["mail"]).targets(["ada"]))
            .rule(Rule::deny().kinds(["mail"]).targets(["all"]))
    });
    runs(&setup.send(&["ada", "ada"]).await);
    denies(&setup.send(&["ada", "all"]).await);
    denies(&setup.send(&["all", "ada", "eve"]).await);
    asks(&setup.send(&["ada", "eve"]).await);
}

#[tokio::test]
async fn s3_19_what_is_allowed_runs_without_a_prompt() {
    let setup = Setup::new(|policy| policy.rule(Rule::allow().reads(["src"])));
    let outcome = setup.read("src/a.rs").await;
    assert_eq!(outcome.text(), "text");
}

#[tokio::test]
async fn s3_21_the_model_reads_why_it_is_denied() {
    let setup = Setup::new(|policy| {
        policy.rule(Rule::deny().writes(["vendor"])).rule(
            Rule::deny()
                .tools(["reset"])
                .because("the counter is on show"),
        )
    });
    let outcome = setup.write("vendor/b.rs").await;
    denies(&outcome);
    assert!(
        outcome
            .text()
            .ends_with("the policy denies writing below `vendor`"),
        "{}",
        outcome.text()
    );
    let outcome = setup.call("reset", serde_json::json!({})).await;
    assert_eq!(outcome.text(), "`reset` was denied: the counter is on show");
}

#[tokio::test]
async fn paths_are_allowed_and_denied_to_read_and_to_write() {
    let setup = Setup::new(|policy| policy.allowed_tree("src").read_only_tree("vendor"));
    runs(&setup.read("src/a.rs").await);
    runs(&setup.write("src/new.rs").await);
    runs(&setup.read("vendor/b.rs").await);
    denies(&setup.write("vendor/b.rs").await);
    // A directory next door is none of those, whatever its name begins with.
    fs::create_dir(setup.root.join("src-2")).unwrap();
    asks(&setup.write("src-2/new.rs").await);
    asks(&setup.write("new.rs").await);
}

#[tokio::test]
async fn a_trusted_tool_never_prompts() {
    let setup = Setup::new(|policy| policy.rule(Rule::allow().tools(["fs.read"])));
    runs(&setup.read("src/a.rs").await);
    runs(&setup.read("../elsewhere/c.rs").await);
    asks(&setup.write("src/a.rs").await);
}

#[tokio::test]
async fn a_denied_tool_is_rejected_without_a_prompt() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::deny().tools(["fs.write"]))
            .rule(Rule::allow().paths(["."]))
    });
    denies(&setup.write("src/a.rs").await);
    runs(&setup.read("src/a.rs").await);
}

#[tokio::test]
async fn commands_are_allowed_by_their_words() {
    let setup = Setup::new(|policy| policy.rule(Rule::allow().commands(["git *"])));
    runs(&setup.run("git log").await);
    runs(&setup.run("git log --oneline -5").await);
    asks(&setup.run("rm -rf src").await);
    asks(&setup.run("gitk").await);
}

#[tokio::test]
async fn s3_29_a_listed_tool_runs_unprompted() {
    let setup = Setup::new(|policy| {
        policy
            .default_verdict(DefaultDecision::Deny)
            .rule(Rule::allow().tools(["reset", "mail.*"]))
    });
    runs(&setup.call("reset", serde_json::json!({})).await);
    runs(&setup.send(&["ada"]).await);
    denies(&setup.read("src/a.rs").await);
}

#[cfg(unix)]
#[tokio::test]
async fn s3_30_trusted_directories_go_by_where_a_path_leads() {
    use std::os::unix::fs::symlink;
    let setup = Setup::new(|policy| policy.allowed_tree("."));
    symlink("../elsewhere", setup.root.join("out")).unwrap();
    symlink("src/a.rs", setup.root.join("in")).unwrap();
    symlink("../elsewhere/not-there", setup.root.join("dangling")).unwrap();
    runs(&setup.read("src/a.rs").await);
    runs(&setup.read("in").await);
    runs(&setup.read("src/../vendor/b.rs").await);
    runs(&setup.read(setup.root.join("src/a.rs")).await);
    asks(&setup.read("out/c.rs").await);
    asks(&setup.read("../elsewhere/c.rs").await);
    asks(&setup.read("src/../../elsewhere/c.rs").await);
    asks(&setup.write("dangling").await);
    // Out and in again is in.
    runs(&setup.read("out/../app/src/a.rs").await);
}

#[cfg(unix)]
#[tokio::test]
async fn s3_31_forbidden_paths_deny_even_a_trusted_tool() {
    use std::os::unix::fs::symlink;
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().tools(["*"]))
            .allowed_tree(".")
            .forbidden_tree("vendor")
    });
    symlink("vendor", setup.root.join("link")).unwrap();
    runs(&setup.read("src/a.rs").await);
    for forbidden in [
        "vendor/b.rs",
        "src/../vendor/b.rs",
        "link/b.rs",
        "link",
        "vendor/new",
    ] {
        denies(&setup.read(forbidden).await);
        denies(&setup.write(forbidden).await);
    }
    // Not by another tool either.
    denies(&setup.run("cat vendor/b.rs").await);
    denies(&setup.run("ls; echo x > vendor/new").await);
}

#[tokio::test]
async fn s3_32_a_chain_with_one_part_that_is_not_listed_asks() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().commands(["cargo test", "git log"]))
            .rule(Rule::deny().commands(["git push"]))
    });
    runs(&setup.run("cargo test && git log | git log -1").await);
    for asked in [
        "cargo test && rm -rf src",
        "git log; rm -rf src",
        "git log | sh",
        "cargo test $(rm -rf src)",
        "cargo test\nrm -rf src",
        "git log > src/a.rs",
        "git log 'unclosed",
    ] {
        asks(&setup.run(asked).await);
    }
    denies(&setup.run("cargo test && git push").await);
    denies(&setup.run("env A=1 git push origin").await);
}
