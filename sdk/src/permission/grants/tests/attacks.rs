//! Commands that try to pass for what was granted, or for something else than what was refused.

use super::*;
#[cfg(feature = "policy")]
use crate::id::{GrantId, SessionId};

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

#[cfg(not(feature = "policy"))]
#[test]
fn without_a_parser_a_line_is_no_beginning_of_another() {
    assert!(!allows(&git_log(), &line("git log")));
    let exact = GrantScope::Request {
        kind: "command.run".into(),
        target: "git log".into(),
        details: line("git log").details().clone(),
    };
    assert!(allows(&exact, &line("git log")));
    assert!(!allows(&exact, &line("git log -3")));
    // And a refusal may mean any.
    let rm = GrantScope::command(["rm"]);
    assert_eq!(refuses(&rm, &line("ls")), Coverage::Maybe);
    assert_eq!(refuses(&rm, &program(&["/bin/rm", "x"])), Coverage::Yes);
    assert_eq!(refuses(&rm, &program(&["env", "rm", "x"])), Coverage::Maybe);
    assert_eq!(refuses(&rm, &program(&["ls"])), Coverage::No);
}

#[cfg(feature = "policy")]
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

#[cfg(feature = "policy")]
#[test]
fn several_grants_cover_a_line_together() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let session = SessionId::from("s");
    let grant = |number: u128, covers: GrantScope, level: GrantLevel| {
        Grant::new(GrantId::from_random(number), session.clone(), covers, level)
    };
    let log = grant(1, git_log(), GrantLevel::Allow);
    let test = grant(2, GrantScope::command(["cargo", "test"]), GrantLevel::Allow);
    let tree = grant(
        3,
        GrantScope::writes(root.to_str().unwrap()),
        GrantLevel::Allow,
    );
    let never = grant(4, GrantScope::command(["cargo"]), GrantLevel::Deny);
    let spec = spec("t");
    let decides = |grants: &[&Grant], text: &str| {
        let request = request(CommandAccess::shell(text).in_directory(&root));
        let subject = Subject {
            tool: spec.name(),
            request: &request,
            arguments: &|| None,
        };
        deciding(grants.iter().copied(), &spec, &subject).map(Grant::id)
    };
    assert_eq!(
        decides(&[&log, &test], "git log && cargo test"),
        Some(test.id())
    );
    assert_eq!(decides(&[&log], "git log && cargo test"), None);
    assert_eq!(decides(&[&log, &tree], "git log > out"), Some(tree.id()));
    assert_eq!(decides(&[&log, &tree], "git log > /etc/out"), None);
    assert_eq!(
        decides(&[&log, &test, &never], "git log && cargo test"),
        Some(never.id())
    );
    assert_eq!(decides(&[&log, &never], "git log"), Some(log.id()));
    // It may be `cargo`.
    assert_eq!(decides(&[&log, &never], "git log; $X"), None);
}

#[cfg(all(feature = "policy", unix))]
#[test]
fn a_granted_directory_that_became_a_link_covers_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (out, elsewhere) = (root.join("out"), root.join("elsewhere"));
    std::fs::create_dir(&out).unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    let spec = spec("t");
    let allowed = || {
        let grants = [git_log(), GrantScope::writes(out.to_str().unwrap())];
        let request = request(CommandAccess::shell("git log > out/f").in_directory(&root));
        let subject = Subject {
            tool: spec.name(),
            request: &request,
            arguments: &|| None,
        };
        Allowances::new(&grants).cover(&spec, &subject)
    };
    assert!(allowed());
    std::fs::remove_dir(&out).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &out).unwrap();
    assert!(!allowed());
}

#[cfg(feature = "policy")]
#[test]
fn a_directory_with_a_pattern_in_its_name_is_just_that_directory() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for name in ["[ab]*", "a1"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    let odd = root.join("[ab]*");
    let spec = spec("t");
    let allowed = |text: &str| {
        let grants = [git_log(), GrantScope::writes(odd.to_str().unwrap())];
        let request = request(CommandAccess::shell(text).in_directory(&root));
        let subject = Subject {
            tool: spec.name(),
            request: &request,
            arguments: &|| None,
        };
        Allowances::new(&grants).cover(&spec, &subject)
    };
    assert!(allowed("git log > '[ab]*/f'"));
    assert!(!allowed("git log > a1/f"));
}

#[cfg(feature = "policy")]
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
