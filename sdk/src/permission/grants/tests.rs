#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

mod attacks;
mod sessions;

use serde_json::json;

use super::*;
use crate::id::ToolName;
use crate::message::Arguments;
use crate::permission::{CommandAccess, HostAccess, IntoRequests, PathScope, PermissionRequest};
use crate::ticket::{KeyedDigest, TicketKey};

fn spec(name: &str) -> ToolSpec {
    ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "A tool.")
}

fn request(access: impl IntoRequests) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

fn file(kind: &'static str, target: &str) -> PermissionRequest {
    PermissionRequest::new(kind, target, "Use a file")
}

/// What a matcher covers of a request of the tool `t`.
fn covers(covers: &GrantScope, level: GrantLevel, request: &PermissionRequest) -> Coverage {
    let spec = spec("t");
    let subject = Subject {
        tool: spec.name(),
        request,
        arguments: &|| None,
    };
    coverage(covers, level, &spec, &subject)
}

fn allows(matcher: &GrantScope, request: &PermissionRequest) -> bool {
    covers(matcher, GrantLevel::Allow, request) == Coverage::Yes
}

fn refuses(matcher: &GrantScope, request: &PermissionRequest) -> Coverage {
    covers(matcher, GrantLevel::Deny, request)
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
    // What was named but does not exist by that name is not touched.
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
        let subject = Subject {
            tool: spec.name(),
            request,
            arguments: &|| Some(given),
        };
        coverage(&matcher, GrantLevel::Allow, &spec, &subject) == Coverage::Yes
    };
    let call = PermissionRequest::new("tool.call", "t", "Call `t`");
    assert!(covered(&call, r#"{"token":"s1","to":"a"}"#));
    assert!(!covered(&call, r#"{"to": "a", "token": "s2"}"#));
    assert!(!covered(&call, r#"{"to": "a"}"#));
    // Where a path leads is not in them.
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
