#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy does not see that these are tests"
)]

mod sessions;

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::arguments::Arguments;
use crate::id::{GrantId, SessionId, ToolName};
use crate::permission::{
    AnyChecker, CallView, CommandAccess, DefaultPolicy, HostAccess, IntoRequests, PathScope,
    PermissionChecker, PermissionRequest, Verdict,
};
use crate::spec::ToolSpec;
use crate::ticket::{GrantScope, KeyedDigest, TicketKey};

fn spec(name: &str) -> ToolSpec {
    ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "A tool.")
}

fn request(access: impl IntoRequests) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

fn file(kind: &'static str, target: &str) -> PermissionRequest {
    PermissionRequest::new(kind, target, "Use a file")
}

/// A checker with the plain rule.
fn plain() -> PermissionEvaluator {
    PermissionEvaluator::new(AnyChecker::new(DefaultPolicy), "")
}

fn allows(matcher: &GrantScope, request: &PermissionRequest) -> bool {
    let spec = spec("t");
    let query = GrantQuery::new(spec.name(), request);
    plain().grant_covers(&[matcher], &query) == Coverage::Yes
}

fn refuses(matcher: &GrantScope, request: &PermissionRequest) -> Coverage {
    let spec = spec("t");
    plain().refusal_covers(matcher, &GrantQuery::new(spec.name(), request))
}

fn digest(arguments: &str) -> KeyedDigest {
    let key = TicketKey::from_bytes([7; 32]);
    arguments_digest(&key, &spec("t"), &Arguments::from(arguments)).unwrap()
}

#[test]
fn a_tree_covers_what_lies_in_it_and_no_sibling() {
    let tree = GrantScope::reads("/ws/src");
    for (target, expected) in [
        ("/ws/src", true),
        ("/ws/src/a/b.rs", true),
        ("/ws/srcs/a.rs", false),
        ("/ws/src.rs", false),
        ("/ws", false),
        ("/ws/src/../secrets", false),
        ("ws/src/a", false),
        ("/ws/SRC/a", false),
        ("", false),
    ] {
        assert_eq!(
            allows(&tree, &file("file.read", target)),
            expected,
            "{target}"
        );
        assert!(!allows(&tree, &file("file.write", target)), "{target}");
    }
    assert!(!allows(
        &tree,
        &PermissionRequest::new("deploy", "/ws/src/a", "x")
    ));
}

#[test]
fn all_that_a_write_touches_has_to_lie_in_the_tree() {
    let tree = GrantScope::writes("/ws/src");
    let entry = |entry: &str| file("file.write", "/ws/src/a").with_detail("entry", entry);
    assert!(allows(&tree, &entry("/ws/src/link")));
    assert!(!allows(&tree, &entry("/etc/link")));
    assert!(!allows(&tree, &entry("/ws/src/../link")));
    // A path as it was named, which does not exist by that name, is not touched.
    let named = file("file.write", "/ws/src/a").with_detail("named", "/private/ws/src/a");
    assert!(allows(&tree, &named));
    let outside = file("file.write", "/ws/src/a").with_containment(PathScope::Outside);
    for matcher in [
        tree,
        GrantScope::tool(spec("t").name().clone()),
        GrantScope::target("file.write", "/ws/src/a"),
    ] {
        assert!(!allows(&matcher, &outside));
    }
}

#[test]
fn one_file_is_neither_its_tree_nor_the_link_that_leads_to_it() {
    let one = GrantScope::target("file.write", "/ws/a");
    assert!(allows(&one, &file("file.write", "/ws/a")));
    assert!(!allows(
        &one,
        &file("file.write", "/ws/a").with_detail("tree", true)
    ));
    assert!(!allows(
        &one,
        &file("file.write", "/ws/a").with_detail("entry", "/ws/link")
    ));
    assert!(!allows(&one, &file("file.write", "/ws/a/b")));
}

#[test]
fn a_refused_tree_goes_by_every_name() {
    let tree = GrantScope::reads("/ws/secrets");
    for (target, expected) in [
        ("/ws/secrets/key", Coverage::Yes),
        ("/ws/Secrets/key", Coverage::Yes),
        ("/ws/secret", Coverage::No),
        ("/ws", Coverage::No),
    ] {
        assert_eq!(
            refuses(&tree, &file("file.read", target)),
            expected,
            "{target}"
        );
    }
    let linked = file("file.read", "/mnt/x").with_detail("named", "/ws/secrets/x");
    assert_eq!(refuses(&tree, &linked), Coverage::Yes);
    // It may be in what is read.
    let all = file("file.read", "/ws").with_detail("tree", true);
    assert_eq!(refuses(&tree, &all), Coverage::Maybe);
    assert_eq!(
        refuses(&tree, &file("file.write", "/ws/secrets/key")),
        Coverage::No
    );
}

#[test]
fn requests_of_an_app_go_by_their_letters() {
    let deploy = |version: &str| {
        PermissionRequest::new("deploy", "production", "Deploy").with_detail("version", version)
    };
    let exact = GrantScope::Request {
        kind: "deploy".into(),
        target: "production".into(),
        details: deploy("1").details().clone(),
    };
    assert!(allows(&exact, &deploy("1")));
    assert!(!allows(&exact, &deploy("2")));
    let target = GrantScope::target("deploy", "production");
    assert!(allows(&target, &deploy("2")));
    assert!(!allows(
        &target,
        &PermissionRequest::new("deploy", "Production", "Deploy")
    ));
    assert_eq!(refuses(&exact, &deploy("2")), Coverage::Yes);
    let tool = GrantScope::tool(spec("t").name().clone());
    assert!(allows(&tool, &deploy("1")));
    assert!(!allows(
        &GrantScope::tool(spec("u").name().clone()),
        &deploy("1")
    ));
}

#[test]
fn just_these_arguments_are_those_of_the_call_with_its_secrets() {
    let covered = |request: &PermissionRequest, arguments: &str| {
        let matcher = GrantScope::Arguments {
            tool: spec("t").name().clone(),
            digest: digest(r#"{"to": "a", "token": "s1"}"#),
        };
        let given = digest(arguments);
        let spec = spec("t");
        let digest = || Some(given);
        let query = GrantQuery::new(spec.name(), request).with_arguments(&digest);
        plain().grant_covers(&[&matcher], &query) == Coverage::Yes
    };
    let call = PermissionRequest::new("tool.call", "t", "Call `t`");
    assert!(covered(&call, r#"{"token":"s1","to":"a"}"#));
    assert!(!covered(&call, r#"{"to": "a", "token": "s2"}"#));
    assert!(!covered(&call, r#"{"to": "a"}"#));
    // The arguments do not show where a path leads.
    assert!(!covered(
        &file("file.read", "/ws/a"),
        r#"{"to": "a", "token": "s1"}"#
    ));
    let line = request(CommandAccess::shell("ls").in_directory("/"));
    assert!(!covered(&line, r#"{"to": "a", "token": "s1"}"#));
}

#[test]
fn the_same_arguments_have_one_digest_for_a_tool_and_a_key() {
    let other_key = TicketKey::from_bytes([8; 32]);
    let arguments = Arguments::from(r#"{"a": 1}"#);
    let of = |key: &TicketKey, name: &str| arguments_digest(key, &spec(name), &arguments);
    let key = TicketKey::from_bytes([7; 32]);
    assert_eq!(of(&key, "t"), of(&key, "t"));
    assert_ne!(of(&key, "t"), of(&key, "u"));
    assert_ne!(of(&key, "t"), of(&other_key, "t"));
    assert_eq!(of(&key, "t"), {
        let tree = json!({"a": 1});
        arguments_digest(&key, &spec("t"), &Arguments::from(&tree))
    });
    let broken = Arguments::from("{");
    assert_eq!(arguments_digest(&key, &spec("t"), &broken), None);
}

#[test]
fn a_host_is_granted_at_a_port_or_at_any() {
    let connect = |host: &str, port: u16| request(HostAccess::connect(host).port(port));
    let at = GrantScope::host("example.com", Some(443));
    let any = GrantScope::host("example.com", None);
    assert!(allows(&at, &connect("Example.com", 443)));
    assert!(!allows(&at, &connect("example.com", 80)));
    assert!(!allows(&at, &request(HostAccess::connect("example.com"))));
    assert!(allows(&any, &connect("example.com", 80)));
    assert!(!allows(&any, &connect("evil.example.com", 80)));
    assert!(!allows(&any, &connect("example.com.evil", 80)));
    // Whoever makes a request by hand may spell a target as they like.
    for target in [
        "EXAMPLE.com:443",
        "example.com:0443",
        "example.com:",
        "example.com:443:443",
    ] {
        let odd = PermissionRequest::new("network.connect", target, "x");
        assert!(!allows(&at, &odd), "{target}");
        assert_ne!(refuses(&at, &odd), Coverage::No, "{target}");
    }
    let six = GrantScope::host("[::1]", Some(80));
    assert!(allows(&six, &connect("::1", 80)));
    assert_eq!(
        refuses(&at, &request(HostAccess::connect("example.com"))),
        Coverage::Maybe
    );
    assert_eq!(refuses(&any, &connect("example.com", 1)), Coverage::Yes);
    assert_eq!(refuses(&at, &connect("other.com", 443)), Coverage::No);
}

#[test]
fn the_plain_rule_reads_no_commands() {
    let at = std::env::temp_dir();
    let line = |line: &str| request(CommandAccess::shell(line).in_directory(&at));
    let program = |words: &[&str]| {
        let access = CommandAccess::program(words[0], words[1..].iter().copied());
        request(access.in_directory(&at))
    };
    let git_log = GrantScope::command(["git", "log"]);
    assert!(!allows(&git_log, &line("git log")));
    assert!(!allows(&git_log, &program(&["git", "log"])));
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
    assert_eq!(refuses(&rm, &program(&["LS"])), Coverage::Maybe);
    let long = "x".repeat(1_000);
    assert_eq!(refuses(&rm, &program(&["ls", &long])), Coverage::Maybe);
    let reset = GrantScope::command(["git", "reset"]);
    assert_eq!(
        refuses(&reset, &program(&["git", "reset", "-q"])),
        Coverage::Yes
    );
    assert_eq!(
        refuses(&reset, &program(&["git", "-q", "reset"])),
        Coverage::Maybe
    );
    assert_eq!(refuses(&reset, &program(&["git"])), Coverage::Maybe);
    assert_eq!(
        refuses(&GrantScope::command([""; 0]), &line("ls")),
        Coverage::Maybe
    );
    // Any command may use a refused file.
    let secrets = GrantScope::reads("/ws/secrets");
    assert_eq!(refuses(&secrets, &line("ls")), Coverage::Maybe);
    assert_eq!(refuses(&secrets, &program(&["ls"])), Coverage::Maybe);
}

#[test]
fn several_grants_decide_together_by_the_checker() {
    /// Takes two grants together for one, and what begins with `?` for what may be refused.
    struct Two;

    impl PermissionChecker for Two {
        fn check_tool(&self, _: &ToolSpec) -> Verdict {
            Verdict::Allow
        }

        fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
            Verdict::ask("it asks")
        }

        fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
            assert_ne!(query.request().target(), "panic");
            let both = query.request().target() == "both" && grants.len() == 2;
            Coverage::of(both || query.covered_by(grants) == Coverage::Yes)
        }

        fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
            match query.request().target() {
                "panic" => panic!("out of order"),
                target if target.starts_with('?') => Coverage::Maybe,
                _ => query.refused_by(refusal),
            }
        }
    }

    let judge = PermissionEvaluator::new(AnyChecker::new(Arc::new(Two)), "");
    let session = SessionId::from("s");
    let grant = |number: u128, target: &str, level: GrantLevel| {
        let covers = GrantScope::target("do", target);
        Grant::new(GrantId::from_random(number), session.clone(), covers, level)
    };
    let one = grant(1, "one", GrantLevel::Allow);
    let other = grant(2, "other", GrantLevel::Allow);
    let never = grant(3, "other", GrantLevel::Deny);
    let spec = spec("t");
    let decides = |grants: &[&Grant], target: &str| {
        let request = PermissionRequest::new("do", target, "Do");
        let query = GrantQuery::new(spec.name(), &request);
        deciding(&judge, grants.iter().copied(), &query).map(Grant::id)
    };
    assert_eq!(decides(&[&one, &other], "one"), Some(one.id()));
    assert_eq!(decides(&[&one], "both"), None);
    // The last that was given made it whole.
    assert_eq!(decides(&[&one, &other], "both"), Some(other.id()));
    assert_eq!(decides(&[&one, &other, &never], "other"), Some(never.id()));
    assert_eq!(decides(&[&one, &never], "one"), Some(one.id()));
    // It may be refused.
    let unsure = grant(4, "?", GrantLevel::Allow);
    assert_eq!(decides(&[&unsure], "?"), Some(unsure.id()));
    assert_eq!(decides(&[&unsure, &never], "?"), None);
    // A checker that panics allows nothing, and may have refused it.
    let panics = grant(5, "panic", GrantLevel::Allow);
    assert_eq!(decides(&[&panics], "panic"), None);
    let request = PermissionRequest::new("do", "panic", "Do");
    let query = GrantQuery::new(spec.name(), &request);
    assert_eq!(
        judge.refusal_covers(never.covers(), &query),
        Coverage::Maybe
    );
    // Nothing covers a request that leads outside, whatever the checker says.
    let outside = PermissionRequest::new("do", "both", "Do").with_containment(PathScope::Outside);
    let query = GrantQuery::new(spec.name(), &outside);
    let both = [one.covers(), other.covers()];
    assert_eq!(judge.grant_covers(&both, &query), Coverage::No);
}

#[test]
fn one_includes_another_only_if_it_surely_does() {
    let tool = |name: &str| GrantScope::tool(spec(name).name().clone());
    let arguments = GrantScope::Arguments {
        tool: spec("t").name().clone(),
        digest: digest("{}"),
    };
    let reads = GrantScope::reads;
    let command = |words: &[&str]| GrantScope::command(words.iter().copied());
    let host = GrantScope::host;
    for (wide, narrow, expected) in [
        (tool("t"), arguments.clone(), true),
        (tool("u"), arguments.clone(), false),
        (arguments.clone(), tool("t"), false),
        (arguments.clone(), arguments, true),
        (reads("/a"), reads("/a/b"), true),
        (reads("/a"), reads("/ab"), false),
        (reads("/a"), reads("/a/../b"), false),
        (reads("/a/b"), reads("/a"), false),
        (reads("/a"), GrantScope::writes("/a/b"), false),
        (reads("/a"), GrantScope::target("file.read", "/a/b"), true),
        (reads("/a"), command(&["cat", "/a/b"]), false),
        (command(&["git"]), command(&["git", "log"]), true),
        (command(&["git", "log"]), command(&["git"]), false),
        (command(&[]), command(&["rm"]), false),
        (command(&["a"]).started_in("/x"), command(&["a"]), false),
        (command(&["a"]), command(&["a"]).started_in("/x"), true),
        (host("a", None), host("a", Some(1)), true),
        (host("a", Some(1)), host("a", None), false),
        (host("a", None), host("b", None), false),
        (tool("t"), reads("/a"), false),
    ] {
        assert_eq!(includes(&wide, &narrow), expected, "{wide:?} {narrow:?}");
    }
}
