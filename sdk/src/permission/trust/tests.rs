#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::*;
use crate::arguments::Arguments;
use crate::permission::grants::arguments_digest;
use crate::permission::{
    AnyChecker, CommandAccess, DefaultPolicy, FileAccess, HostAccess, IntoRequests,
};
use crate::spec::ToolSpec;
use crate::ticket::TicketKey;

fn spec() -> ToolSpec {
    ToolSpec::new(ToolName::new("t".to_owned()).unwrap(), "A tool.")
}

/// A checker with the plain rule.
fn plain() -> PermissionEvaluator {
    PermissionEvaluator::new(AnyChecker::new(DefaultPolicy), "")
}

fn offered(request: &PermissionRequest) -> Vec<GrantScope> {
    let options = trust_options(&plain(), spec().name(), request, None);
    options
        .iter()
        .map(|option| option.covers().clone())
        .collect()
}

fn labels(request: &PermissionRequest) -> Vec<String> {
    let options = trust_options(&plain(), spec().name(), request, None);
    options
        .iter()
        .map(|option| option.label().to_owned())
        .collect()
}

fn request(access: impl IntoRequests) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

fn file(target: &str) -> PermissionRequest {
    PermissionRequest::new("file.write", target, "Write")
}

/// The trees that are offered.
fn trees(request: &PermissionRequest) -> Vec<String> {
    let tree = |covers: GrantScope| match covers {
        GrantScope::Tree { directory, .. } => Some(directory),
        _ => None,
    };
    offered(request).into_iter().filter_map(tree).collect()
}

#[test]
fn a_file_then_its_directory_then_those_above_up_to_the_root() {
    let request = file("/ws/a/b/c/d/e.rs").with_detail("root", "/ws");
    assert_eq!(
        trees(&request),
        ["/ws/a/b/c/d", "/ws/a/b/c", "/ws/a/b", "/ws"]
    );
    assert_eq!(
        offered(&request)[0],
        GrantScope::target("file.write", "/ws/a/b/c/d/e.rs")
    );
    // The file is offered once.
    assert_eq!(
        labels(&request)[..2],
        [
            "write just /ws/a/b/c/d/e.rs",
            "write anything below /ws/a/b/c/d"
        ]
    );
    assert_eq!(trees(&file("/ws/a").with_detail("root", "/ws")), ["/ws"]);
    // Hidden files decide what programs do.
    let hook = file("/ws/.git/hooks/pre-commit").with_detail("root", "/ws");
    assert_eq!(trees(&hook), ["/ws"]);
    let all = file("/ws/a")
        .with_detail("tree", true)
        .with_detail("root", "/ws");
    assert_eq!(trees(&all), ["/ws/a", "/ws"]);
}

#[test]
fn neither_the_top_nor_the_home_directory_is_offered() {
    for target in ["/a", "/etc/passwd", "/"] {
        assert_eq!(trees(&file(target)), [""; 0], "{target}");
    }
    assert_eq!(trees(&file("/a").with_detail("root", "/")), [""; 0]);
    assert_eq!(trees(&file("/srv/app/a")), ["/srv/app"]);
    if let Some(home) = std::env::home_dir() {
        let home = home.to_str().unwrap();
        let above = home.rsplit_once('/').map_or("/", |(above, _)| above);
        for root in [home, above] {
            let in_home = file(&format!("{home}/x")).with_detail("root", root);
            assert_eq!(trees(&in_home), [""; 0], "{root}");
        }
        assert_eq!(trees(&file(&format!("{home}/.ssh/config"))), [""; 0]);
    }
    // A tool that may use any file is not trusted with all of them.
    let tool = GrantScope::tool(spec().name().clone());
    assert!(!offered(&file("/srv/app/a")).contains(&tool));
}

#[test]
fn what_leads_outside_is_not_offered() {
    let request = file("/etc/passwd")
        .with_detail("root", "/ws")
        .with_containment(PathScope::Outside);
    assert_eq!(offered(&request), []);
}

#[test]
fn every_option_covers_what_is_asked() {
    // The target lies in the root, and the link does not.
    let linked = file("/ws/a")
        .with_detail("root", "/ws")
        .with_detail("named", "/other/link")
        .with_detail("entry", "/other/link");
    assert_eq!(trees(&linked), [""; 0]);
    assert!(matches!(offered(&linked)[..], [GrantScope::Request { .. }]));
}

#[test]
fn a_call_then_its_arguments_then_its_tool() {
    let key = TicketKey::from_bytes([1; 32]);
    let digest = arguments_digest(&key, &spec(), &Arguments::from(r#"{"a":1}"#));
    let call = PermissionRequest::new(TOOL_CALL, "t", "Call `t`");
    let options = trust_options(&plain(), spec().name(), &call, digest);
    let labels: Vec<&str> = options.iter().map(TrustOption::label).collect();
    assert_eq!(
        labels,
        ["`t` with just these arguments", "every call of `t`"]
    );
    let deploy = PermissionRequest::new("deploy", "staging", "Deploy").with_detail("version", "1");
    let options = trust_options(&plain(), spec().name(), &deploy, digest);
    let labels: Vec<&str> = options.iter().map(TrustOption::label).collect();
    assert_eq!(
        labels,
        [
            "just this: Deploy",
            "whatever its details: deploy staging",
            "`t` with just these arguments",
            "every call of `t`",
        ]
    );
}

#[test]
fn what_the_tool_offers_comes_first_and_once() {
    let staging = GrantScope::target("deploy", "staging");
    let request = PermissionRequest::new("deploy", "staging", "Deploy")
        .with_detail("version", "1")
        .with_trust_option(TrustOption::new("every deploy to staging", staging.clone()));
    let offered = offered(&request);
    assert_eq!(offered[0], staging);
    assert_eq!(
        offered.iter().filter(|covers| **covers == staging).count(),
        1
    );
}

#[test]
fn a_host_at_its_port_then_at_any() {
    let request = request(HostAccess::connect("::1").port(80));
    assert_eq!(
        labels(&request),
        ["the host [::1] at port 80", "the host [::1] at any port"]
    );
    let odd = PermissionRequest::new("network.connect", "evil.com:80:80", "x");
    assert_eq!(offered(&odd), []);
}

#[test]
fn labels_of_long_paths_say_all_of_them() {
    let directory = format!("/ws/{0}/{0}", "long-".repeat(40));
    let request = file(&format!("{directory}/e.rs")).with_detail("root", "/ws");
    let labels = labels(&request);
    for label in [
        format!("write just {directory}/e.rs"),
        format!("write anything below {directory}"),
    ] {
        assert!(labels.contains(&label), "{label}\n{labels:?}");
    }
    // A directory that is too long for a label is not offered.
    let beyond = file(&format!("/ws/{}/e.rs", "x".repeat(5_000))).with_detail("root", "/ws");
    assert_eq!(trees(&beyond), ["/ws"]);
}

#[test]
fn no_label_is_forged_by_what_a_call_says() {
    let path = "/ws/x\n\u{202e}/a";
    let request = file(path).with_detail("root", "/ws");
    for label in labels(&request) {
        assert!(!label.contains(['\n', '\u{202e}']), "{label}");
    }
    let kind = PermissionRequest::new("a\u{1b}[2K", "b\nall", "x").with_detail("c", 1);
    for label in labels(&kind) {
        assert!(!label.contains(char::is_control), "{label}");
    }
}

#[test]
fn by_the_plain_rule_no_beginning_of_commands_is_offered() {
    let at = std::env::temp_dir();
    for access in [
        CommandAccess::program("git", ["log", "-3"]),
        CommandAccess::shell("git log -3"),
        CommandAccess::shell("ls"),
    ] {
        let request = request(access.in_directory(&at));
        assert!(matches!(
            offered(&request)[..],
            [GrantScope::Request { .. }]
        ));
    }
}

#[test]
fn a_real_file_is_offered_up_to_its_root() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("src")).unwrap();
    let request = request(FileAccess::write("src/a.rs").within(&root));
    let text = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    // A directory for temporary files may lie below one that is hidden.
    assert_eq!(trees(&request), [text(root.join("src")), text(root)]);
}
