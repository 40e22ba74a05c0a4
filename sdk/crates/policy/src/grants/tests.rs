//! Commands that try to pass for what was granted, or for something else than what was refused.

#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

mod alike;

use serde_json::json;

use super::*;
use toolwright::id::ToolName;
use toolwright::permission::{CommandAccess, HostAccess, IntoRequests, PermissionChecker};

fn request(access: impl IntoRequests) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

/// A policy without rules of its own.
pub(super) fn policy() -> PermissionPolicy {
    PermissionPolicy::builder("/").build().unwrap()
}

pub(super) fn tool() -> ToolName {
    ToolName::new("t".to_owned()).unwrap()
}

fn all_allow(grants: &[&GrantScope], request: &PermissionRequest) -> bool {
    policy().grant_covers(grants, &GrantQuery::new(&tool(), request)) == Coverage::Yes
}

fn allows(matcher: &GrantScope, request: &PermissionRequest) -> bool {
    all_allow(&[matcher], request)
}

fn refuses(matcher: &GrantScope, request: &PermissionRequest) -> Coverage {
    policy().refusal_covers(matcher, &GrantQuery::new(&tool(), request))
}

fn line(line: &str) -> PermissionRequest {
    request(CommandAccess::shell(line).in_directory(std::env::temp_dir()))
}

fn program(words: &[&str]) -> PermissionRequest {
    let access = CommandAccess::program(words[0], words[1..].iter().copied());
    request(access.in_directory(std::env::temp_dir()))
}

fn git_log() -> GrantScope {
    GrantScope::command(["git", "log"])
}

#[test]
fn words_begin_as_they_were_granted() {
    for (words, expected) in [
        (&["git", "log"][..], true),
        (&["git", "log", "-3"], true),
        (&["git", "log", "--", "src/a.rs"], true),
        (&["git", "push"], false),
        (&["git"], false),
        (&["git", "-c", "core.pager=x", "log"], false),
        (&["git", "-C", "/x", "log"], false),
        (&["git", "logs"], false),
        (&["git log"], false),
        (&["/tmp/git", "log"], false),
        (&["sh", "-c", "git log; rm -rf x"], false),
        (&["env", "GIT_PAGER=x", "git", "log"], false),
        (&["git", "log", "--output=/home/x/.bashrc"], false),
        (&["git", "log", "--outp", "x"], false),
        (&["git", "log", "/etc/passwd"], false),
        (&["git", "log", "a/../../b"], false),
    ] {
        assert_eq!(allows(&git_log(), &program(words)), expected, "{words:?}");
    }
    let sizes = GrantScope::command(["du"]);
    assert!(allows(&sizes, &program(&["du", "-sh", "--max-depth=1"])));
    assert!(!allows(
        &sizes,
        &program(&["du", "--files0-from=/home/x/.netrc"])
    ));
    let wide = GrantScope::command(["git", "log", "--output=x"]);
    assert!(allows(&wide, &program(&["git", "log", "--output=x"])));
    assert!(!allows(&GrantScope::command([""; 0]), &program(&["ls"])));
    // Not a list of texts.
    let odd = PermissionRequest::new("command.run", "git log", "x")
        .with_detail("directory", "/")
        .with_detail("argv", json!(["git", "log", 3]));
    assert!(!allows(&git_log(), &odd));
}

#[test]
fn each_command_of_a_line_has_to_be_granted() {
    for (text, expected) in [
        ("git log", true),
        ("git log -3 2>&1", true),
        ("git log 2>/dev/null", true),
        ("git log && git log -1", true),
        ("git push", false),
        ("git log; rm -rf x", false),
        ("git log\nrm -rf x", false),
        ("git log & rm -rf x", false),
        ("git log | sh", false),
        ("git log || rm x", false),
        ("git log > f", false),
        ("git log >> f", false),
        ("git log < f", false),
        ("git log $(rm x)", false),
        ("git log `rm x`", false),
        ("git log <(rm x)", false),
        ("git log \"$(rm x)\"", false),
        ("git log $X", false),
        ("git log --output=f", false),
        ("git -c core.pager=x log", false),
        ("git -C /x log", false),
        ("GIT_PAGER=x git log", false),
        ("GIT_EXTERNAL_DIFF=x git log -p", false),
        ("export PAGER=x; git log", false),
        ("alias git=rm; git log", false),
        ("git() { rm x; }; git log", false),
        ("cd /x && git log", false),
        ("sudo git log", false),
        ("$GIT log", false),
        ("g\\it lo''g", true),
        ("git\tlog", true),
        ("git log # ; rm x", true),
        ("(git log)", true),
        ("if git log; then rm x; fi", false),
        ("git log '", false),
        ("", false),
        ("# git log", false),
    ] {
        assert_eq!(allows(&git_log(), &line(text)), expected, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_granted_directory_that_became_a_link_covers_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (out, elsewhere) = (root.join("out"), root.join("elsewhere"));
    std::fs::create_dir(&out).unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    let allowed = || {
        let grants = [git_log(), GrantScope::writes(out.to_str().unwrap())];
        let request = request(CommandAccess::shell("git log > out/f").in_directory(&root));
        all_allow(&[&grants[0], &grants[1]], &request)
    };
    assert!(allowed());
    std::fs::remove_dir(&out).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &out).unwrap();
    assert!(!allowed());
}

#[test]
fn a_directory_with_a_pattern_in_its_name_is_just_that_directory() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for name in ["[ab]*", "a1"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    let odd = root.join("[ab]*");
    let allowed = |text: &str| {
        let grants = [git_log(), GrantScope::writes(odd.to_str().unwrap())];
        let request = request(CommandAccess::shell(text).in_directory(&root));
        all_allow(&[&grants[0], &grants[1]], &request)
    };
    assert!(allowed("git log > '[ab]*/f'"));
    assert!(!allowed("git log > a1/f"));
}

#[test]
fn a_refused_command_is_refused_in_every_spelling() {
    let rm = GrantScope::command(["rm"]);
    for (text, expected) in [
        ("rm x", Coverage::Yes),
        ("/bin/rm x", Coverage::Yes),
        ("ls; rm x", Coverage::Yes),
        ("env rm x", Coverage::Yes),
        ("sudo rm x", Coverage::Yes),
        ("sh -c 'rm x'", Coverage::Yes),
        ("xargs rm < f", Coverage::Yes),
        ("find . -exec rm {} +", Coverage::Yes),
        ("r\\m x", Coverage::Yes),
        ("echo $(rm x)", Coverage::Yes),
        ("$X y", Coverage::Maybe),
        ("eval \"$X\"", Coverage::Maybe),
        ("rm '", Coverage::Maybe),
        ("ls", Coverage::No),
        ("git rm x", Coverage::No),
        ("echo rm", Coverage::No),
    ] {
        assert_eq!(refuses(&rm, &line(text)), expected, "{text}");
    }
    assert_eq!(refuses(&rm, &program(&["sh", "-c", "rm x"])), Coverage::Yes);
    // A refused directory is not reached by a command either.
    let secrets = GrantScope::reads("/ws/secrets");
    assert_eq!(
        refuses(&secrets, &line("cat /ws/secrets/key")),
        Coverage::Yes
    );
    assert_eq!(
        refuses(&secrets, &line("cat < /ws/secrets/key")),
        Coverage::Yes
    );
    assert_eq!(refuses(&secrets, &line("cat /ws/other")), Coverage::No);
    let local = GrantScope::host("127.0.0.1", None);
    let loopback = request(HostAccess::connect("localhost").port(80));
    assert_ne!(refuses(&local, &loopback), Coverage::No);
}

#[test]
fn commands_start_where_they_were_granted() {
    let here = GrantScope::command(["git", "log"]).started_in("/usr");
    let git =
        |directory: &str| request(CommandAccess::program("git", ["log"]).in_directory(directory));
    assert!(allows(&here, &git("/usr")));
    assert!(allows(&here, &git("/usr/bin")));
    assert!(!allows(&here, &git("/")));
    let nowhere = PermissionRequest::new("command.run", "git log", "x")
        .with_detail("argv", json!(["git", "log"]));
    assert!(!allows(&here, &nowhere));
}

#[test]
fn several_grants_cover_a_line_together() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let test = GrantScope::command(["cargo", "test"]);
    let tree = GrantScope::writes(root.to_str().unwrap());
    let line = |text: &str| request(CommandAccess::shell(text).in_directory(&root));
    let log = git_log();
    assert!(all_allow(&[&log, &test], &line("git log && cargo test")));
    assert!(!all_allow(&[&log], &line("git log && cargo test")));
    assert!(all_allow(&[&log, &tree], &line("git log > out")));
    assert!(!all_allow(&[&log, &tree], &line("git log > /etc/out")));
    let never = GrantScope::command(["cargo"]);
    assert_eq!(
        refuses(&never, &line("git log && cargo test")),
        Coverage::Yes
    );
    assert_eq!(refuses(&never, &line("git log")), Coverage::No);
    // It may be `cargo`.
    assert_eq!(refuses(&never, &line("git log; $X")), Coverage::Maybe);
}
