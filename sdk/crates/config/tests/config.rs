//! The file that gives an executor and its sessions their tools, rules, roles, features and hooks.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::fs;
use std::path::Path;

use toolwright::content::ErrorKind;
use toolwright::{Executor, Session, ToolCall, ToolOutcome, ToolRegistry, tool};
use toolwright_config::{Config, ConfigError};

/// Read a note.
#[tool(name = "notes.read", read_only, register = false)]
fn read_note(title: String) -> String {
    format!("the text of {title}")
}

/// Write a note.
#[tool(name = "notes.write", register = false)]
fn write_note(title: String) -> String {
    format!("{title} was written")
}

/// Remove a note.
#[tool(name = "notes.remove", register = false)]
fn remove_note(title: String) -> String {
    format!("{title} is gone")
}

/// Fetch a page.
#[tool(name = "web.fetch", read_only, register = false)]
fn fetch(title: String) -> String {
    title
}

/// Sum up.
#[tool(name = "agent.summary", pure, register = false)]
fn summary(title: String) -> String {
    title
}

fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(ReadNote)
        .with(WriteNote)
        .with(RemoveNote)
        .with(Fetch)
        .with(Summary)
}

fn names(session: &Session) -> Vec<String> {
    let tools = session.tools();
    tools.specs().map(|spec| spec.name().to_string()).collect()
}

async fn call(session: &Session, tool: &str, title: &str) -> ToolOutcome {
    let arguments = format!(r#"{{"title": "{title}"}}"#);
    session.call(ToolCall::new(tool, arguments)).await
}

const FILE: &str = r#"
# What the agent of this project may do.
[tools]
selected = ["notes.*", "web.*"]

[policy]
default = "read-only"

[[policy.allow]]
tools = ["notes.write", "notes.remove"]

[[policy.deny]]
reason = "the diary is private"
tools = ["notes.*"]
arguments = { "/title" = { one-of = ["diary"] } }

[roles.reader]
never = ["notes.write", "notes.remove"]

[roles.clerk]
selected = ["notes.read"]
always = ["agent.summary"]
explicit-only = ["notes.*"]

[sub-sessions]
never = ["notes.remove"]

[features.web]
tools = ["web.*"]
enabled = false
reason = "not licensed for this team"
message = "Web access is switched off."

[[hooks.before]]
program = "./checks/no-drafts"
arguments = ["draft"]
name = "no drafts"
tools = ["notes.write"]
timeout = "20s"
environment = { REASON = "finish it first" }

[[hooks.after]]
program = "sh"
arguments = ["-c", "grep -q 'is gone' && { echo 'it can be restored for a week' >&2; exit 2; }; exit 0"]
tools = ["notes.remove"]
keep-result = true
"#;

/// Writes a program beside the file, for its hook.
#[cfg(unix)]
fn write_check(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir(folder.join("checks")).unwrap();
    let check = folder.join("checks/no-drafts");
    let text = "#!/bin/sh\nif grep -q \"\\\"title\\\":\\\"[^\\\"]*$1\"; then echo \"$REASON\" >&2; exit 2; fi\n";
    fs::write(&check, text).unwrap();
    fs::set_permissions(&check, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn s3_59_one_file_gives_a_session_its_tools_rules_and_hooks() {
    let folder = tempfile::tempdir().unwrap();
    write_check(folder.path());
    let file = folder.path().join("toolwright.toml");
    fs::write(&file, FILE).unwrap();
    let config = Config::read(&file).unwrap();
    let executor = config.apply(Executor::builder(tools())).build().unwrap();

    // Its tools: what it selects, without the feature that is off.
    let session = executor.session_with("main", config.session());
    assert_eq!(
        names(&session),
        ["notes.read", "notes.remove", "notes.write"]
    );
    let off = call(&session, "web.fetch", "x").await;
    assert!(
        off.text().contains("Web access is switched off."),
        "{}",
        off.text()
    );

    // Its rules.
    assert_eq!(
        call(&session, "notes.write", "Plan").await.text(),
        "Plan was written"
    );
    let private = call(&session, "notes.read", "diary").await;
    assert_eq!(private.error().unwrap().kind(), ErrorKind::Denied);
    assert!(
        private.text().contains("the diary is private"),
        "{}",
        private.text()
    );
    let policy = config.policy().unwrap();
    let asked = ToolCall::new("notes.read", r#"{"title": "diary"}"#);
    let preview = session.preview(&asked).unwrap();
    let why = policy
        .explain(&preview.call(), preview.requests())
        .to_string();
    assert!(why.contains("line 12"), "{why}");

    // Its hooks.
    let draft = call(&session, "notes.write", "Plan (draft)").await;
    assert!(draft.text().contains("finish it first"), "{}", draft.text());
    let gone = call(&session, "notes.remove", "Plan").await;
    assert!(gone.text().starts_with("Plan is gone"), "{}", gone.text());
    assert!(
        gone.text().contains("it can be restored for a week"),
        "{}",
        gone.text()
    );

    // Its roles, and sessions below it.
    assert_eq!(config.roles().collect::<Vec<_>>(), ["clerk", "reader"]);
    let reader = executor.session_with("reader", config.role("reader").unwrap());
    assert_eq!(names(&reader), ["notes.read"]);
    let clerk = executor.session_with("clerk", config.role("clerk").unwrap());
    assert_eq!(names(&clerk), ["agent.summary", "notes.read"]);
    assert!(config.role("nobody").is_none());
    let below = session.sub_session("helper");
    assert_eq!(names(&below), ["notes.read", "notes.write"]);
}

#[tokio::test]
async fn what_a_file_does_not_speak_of_stays_as_the_builder_has_it() {
    let config = Config::from_toml("", ".").unwrap();
    assert!(config.policy().is_none() && config.roles().next().is_none());
    let builder = Executor::builder(tools());
    let builder = builder.permission_checker(toolwright::permission::AllowAll);
    let executor = config.apply(builder).build().unwrap();
    let session = executor.session_with("main", config.session());
    assert_eq!(session.tools().len(), 5);
    assert!(call(&session, "notes.remove", "Plan").await.is_success());
}

fn mistakes(text: &str) -> ConfigError {
    Config::from_toml(text, ".").unwrap_err()
}

#[test]
fn s3_59_a_mistake_names_its_line_and_key_and_what_would_be_right() {
    for (text, expected) in [
        (
            "[tool]\nselected = []",
            "line 1, `tool`: there is no key `tool`; did you mean `tools`?",
        ),
        (
            "[tools]\nselectd = [\"a\"]",
            "line 2, `tools.selectd`: there is no key `selectd`; did you mean `selected`?",
        ),
        (
            "[tools]\nallowed = [\"a\"]",
            "line 2, `tools.allowed`: `allowed` belongs to the policy; write `[[policy.allow]]` with \
             `tools = [..]` in it",
        ),
        (
            "[tools]\nselected = \"fs.*\"",
            "line 2, `tools.selected`: `selected` is a list of texts; write `selected = [\"fs.*\"]`",
        ),
        (
            "[tools]\nselected = [\n  \"fs.*\",\n  \"a b\",\n]",
            "line 4, `tools.selected`: ",
        ),
        (
            "tools = 5",
            "line 1, `tools`: `tools` is a table; write `[tools]` above its keys, and this is an integer",
        ),
        (
            "[[allow]]\ntools = [\"a\"]",
            "line 1, `allow`: `allow` belongs to the policy; write it below `[policy]`, as \
             `[[policy.allow]]`",
        ),
        (
            "# one\n[policy]\ndefault = \"read-onyl\"",
            "line 3, `policy`: \"read-onyl\" is no default; did you mean \"read-only\"?",
        ),
        (
            "[[policy.deny]]\ntools = [\"a\"]\n\n[[policy.deny]]\nwrite = [\".git\"]",
            "line 5, `policy.deny[2]`: there is no key `write`",
        ),
        (
            "[roles.clerk]\nallways = [\"a\"]",
            "line 2, `roles.clerk.allways`: there is no key `allways`; did you mean `always`?",
        ),
        (
            "[sub-sessions]\nselected = [\"a\"]",
            "line 2, `sub-sessions.selected`: there is no key `selected`; the keys are `always`, `never` and `explicit-only`",
        ),
        (
            "[features.web]\nenabled = false\nreason = \"costs\"",
            "line 1, `features.web`: a feature needs the `tools`",
        ),
        (
            "[features.web]\ntools = [\"web.*\"]\nenabled = false",
            "line 1, `features.web`: a feature that is off needs a `reason`",
        ),
        (
            "[features.web]\ntools = [\"web.*\"]\nenabled = \"no\"",
            "line 3, `features.web.enabled`: `enabled` is true or false, and this is a text",
        ),
        (
            "[hooks]\nbefor = []",
            "line 2, `hooks.befor`: there is no key `befor`; did you mean `before`?",
        ),
        (
            "[[hooks.before]]\ntools = [\"a\"]",
            "line 1, `hooks.before[1]`: a hook needs a `program`",
        ),
        (
            "[[hooks.before]]\nprogram = \"a\"\n[[hooks.before]]\nprogram = \"b\"\nkeep-result = true",
            "line 5, `hooks.before[2].keep-result`: there is no key `keep-result`; the keys are ",
        ),
        (
            "[[hooks.after]]\nprogram = \"a\"\ntimeout = \"5 parsecs\"",
            "line 3, `hooks.after[1].timeout`: \"5 parsecs\" is no time such as \"5s\" or \"1m 30s\"",
        ),
        (
            "[[hooks.after]]\nprogram = \"a\"\ntimeout = \"0s\"",
            "line 3, `hooks.after[1].timeout`: the time is zero",
        ),
        (
            "[[hooks.after]]\nprogram = \"a\"\nenvironment = { N = 5 }",
            "line 3, `hooks.after[1].environment.N`: `N` is a text in quotes, and this is an integer",
        ),
        (
            "\"a\\nb\" = 1",
            "line 1, `a\\u{a}b`: there is no key `a\\u{a}b`; the keys are `tools`, ",
        ),
        ("[tools\nselected = []", "line 1: this is no TOML: "),
    ] {
        let error = mistakes(text);
        let told = error.mistakes()[0].to_string();
        assert!(told.starts_with(expected), "{text}\n  {told}\n  {expected}");
        assert_eq!(error.mistakes().len(), 1, "{text}: {error}");
    }
}

#[test]
fn s3_59_all_mistakes_are_told_at_once_with_the_file_and_nothing_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolwright.toml");
    let text = "[tools]\nselectd = [\"a\"]\n[policy]\ndefualt = \"ask\"\n[[hooks.before]]\nprogram = 5\n\
                [features.web]\ntools = [\"a b\"]\n";
    fs::write(&file, text).unwrap();
    let error = Config::read(&file).unwrap_err();
    let lines: Vec<Option<usize>> = error
        .mistakes()
        .iter()
        .map(toolwright_config::Mistake::line)
        .collect();
    assert_eq!(lines, [Some(2), Some(4), Some(6), Some(8)], "{error}");
    let keys: Vec<&str> = error
        .mistakes()
        .iter()
        .map(toolwright_config::Mistake::key)
        .collect();
    assert_eq!(
        keys,
        [
            "tools.selectd",
            "policy",
            "hooks.before[1].program",
            "features.web.tools"
        ]
    );
    let shown = error.to_string();
    let first = format!("- {} line 2, `tools.selectd`: ", file.display());
    assert!(shown.lines().nth(1).unwrap().starts_with(&first), "{shown}");
    assert_eq!(format!("{error:?}"), shown);
    assert_eq!(error.file(), Some(&*file.display().to_string()));
}

#[test]
fn a_file_that_cannot_be_read_is_told_with_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.toml");
    let error = Config::read(&none).unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    let source = source.downcast_ref::<std::io::Error>().unwrap();
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    assert!(
        error
            .to_string()
            .contains(&format!("{}: the file cannot be read", none.display()))
    );
    fs::write(&none, b"\xff").unwrap();
    assert!(
        Config::read(&none)
            .unwrap_err()
            .to_string()
            .contains("it is not UTF-8 text")
    );
    fs::write(&none, vec![b'#'; 1024 * 1024 + 1]).unwrap();
    assert!(
        Config::read(&none)
            .unwrap_err()
            .to_string()
            .contains("more than 1 MiB")
    );
    assert!(Config::read(folder.path()).is_err());
    assert!(Path::new(&none).exists());
}
