//! The decisions that a person may make once for all of a command, under a policy.

use toolwright::executor::WaitMode;
use toolwright::permission::{CommandAccess, IntoRequests};
use toolwright::ticket::{GrantScope, Requester, TicketFilter};
use toolwright::{Executor, PermissionRequest, ToolName, ToolRegistry};
use toolwright_policy::PermissionPolicy;

fn request(access: impl IntoRequests) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

async fn offered(request: &PermissionRequest) -> Vec<GrantScope> {
    let executor = Executor::builder(ToolRegistry::new())
        .permission_checker(PermissionPolicy::builder("/").build().unwrap())
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let turn = executor.session("s").turn().id();
    let by = Requester::new(ToolName::new("t").unwrap(), "s", turn);
    let permissions = executor.permissions();
    let _receiver = permissions.register(by, request.clone()).await.unwrap();
    let pending = permissions.pending(&TicketFilter::all()).await.unwrap();
    let options = pending[0].asks()[0].trust_options();
    options
        .iter()
        .map(|option| option.covers().clone())
        .collect()
}

/// The beginning of commands that is offered for one.
async fn beginning(request: &PermissionRequest) -> Option<String> {
    offered(request)
        .await
        .into_iter()
        .find_map(|covers| match covers {
            GrantScope::Command { words, .. } => Some(words.join(" ")),
            _ => None,
        })
}

#[tokio::test]
async fn a_beginning_is_offered_only_of_what_is_known() {
    let at = std::env::temp_dir();
    for (words, expected) in [
        (&["git", "log", "-3"][..], Some("git log")),
        (&["cargo", "test", "--lib"], Some("cargo test")),
        (&["npm", "run", "build"], Some("npm run build")),
        (&["ls", "-la"], Some("ls")),
        (&["npm", "run", "a;b"], None),
        (&["npm", "run"], None),
        (&["git"], None),
        (&["git", "push"], None),
        (&["git", "-c", "alias.x=!sh", "x"], None),
        (&["git", "log", "--output=x"], None),
        (&["/tmp/git", "log"], None),
        (&["rm", "x"], None),
        (&["cat", "x"], None),
        (&["sh", "-c", "git log"], None),
        (&["bash", "x.sh"], None),
        (&["env", "git", "log"], None),
        (&["sudo", "ls"], None),
        (&["xargs", "ls"], None),
        (&["python3", "-c", "x"], None),
        (&["node", "x.js"], None),
        (&["find", ".", "-delete"], None),
        (&["make"], None),
        (&["./ls"], None),
    ] {
        let access = CommandAccess::program(words[0], words[1..].iter().copied());
        let request = request(access.in_directory(&at));
        assert_eq!(beginning(&request).await.as_deref(), expected, "{words:?}");
        // The command itself always is.
        assert!(matches!(
            offered(&request).await[0],
            GrantScope::Request { .. }
        ));
    }
}

#[tokio::test]
async fn of_a_line_a_beginning_is_offered_only_where_it_is_one_plain_command() {
    let at = std::env::temp_dir();
    for (line, expected) in [
        ("git log -3", Some("git log")),
        ("git log 'a b'", Some("git log")),
        ("git log; ls", None),
        ("git log | cat", None),
        ("git log > f", None),
        ("git log $X", None),
        ("git log $(ls)", None),
        ("PAGER=x git log", None),
        ("command git log", None),
        ("git log '", None),
        ("", None),
    ] {
        let request = request(CommandAccess::shell(line).in_directory(&at));
        assert_eq!(beginning(&request).await.as_deref(), expected, "{line}");
    }
}
