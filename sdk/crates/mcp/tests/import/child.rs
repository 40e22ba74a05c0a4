//! Servers that are real child processes.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::{Executor, ToolError};
use toolwright_mcp::client::{
    Command, ImportFault, ImportOptions, ImportedServer, ServerStatus, import_with,
};

use crate::fake::executor;

/// The server of `examples/child_server.rs`.
fn server() -> Command {
    server_with([""; 0])
}

pub(crate) fn server_with<const N: usize>(arguments: [&str; N]) -> Command {
    // Beside the folder of the test programs; `cargo test -p toolwright-mcp` builds it.
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.set_file_name("examples");
    path.push(format!("child_server{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "cargo build -p toolwright-mcp --examples makes {}",
        path.display()
    );
    Command::new(path, arguments)
}

pub(crate) fn options() -> ImportOptions {
    ImportOptions::new().backoff(Duration::from_millis(10), Duration::from_millis(100))
}

async fn imported(command: Command) -> (Executor, ImportedServer) {
    let imported = import_with("child", command, options()).await.unwrap();
    (executor(&imported), imported)
}

fn kind(error: Option<&ToolError>) -> Option<ErrorKind> {
    error.map(ToolError::kind)
}

#[tokio::test]
async fn a_child_process_is_imported_and_called() {
    let (executor, imported) = imported(server()).await;
    assert_eq!(executor.tools().len(), 8);
    assert_eq!(
        executor.call("child.echo", r#"{"a":1}"#).await.text(),
        r#"{"a":1}"#
    );
    assert_eq!(imported.status(), ServerStatus::Connected);
}

#[tokio::test]
async fn a_child_process_gets_no_environment_but_what_is_named() {
    // Cargo sets variables of its own for this process.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let command = server()
        .env("MINE", "1")
        .inherit_env("CARGO_PKG_NAME")
        .inherit_env("NOT_SET");
    let (executor, _imported) = imported(command).await;
    let names = executor.call("child.environment", "{}").await.text();
    let mut names: Vec<&str> = names.split(' ').collect();
    let allowed = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    ];
    names.retain(|name| !allowed.contains(name));
    names.sort_unstable();
    assert_eq!(names, ["CARGO_PKG_NAME", "MINE"]);
}

#[test]
fn the_text_of_a_command_has_no_values() {
    let command = Command::new("server", ["--token", "s3cret"]).env("KEY", "s3cret");
    let text = format!("{command:?}");
    assert!(text.contains("KEY") && !text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn a_process_that_dies_in_a_call_ends_the_call_and_is_started_again() {
    let (executor, imported) = imported(server()).await;
    let result = executor.call("child.die", "{}").await.into_result();
    assert_eq!(
        kind(result.error()),
        Some(ErrorKind::Unavailable),
        "{result:?}"
    );
    let text = result.error().unwrap().message();
    assert!(
        text.starts_with("the MCP server `child` was lost while the call ran: "),
        "{text}"
    );
    imported
        .until(|server| server.status() != ServerStatus::Connected)
        .await;
    imported
        .until(|server| server.status() == ServerStatus::Connected)
        .await;
    assert!(executor.call("child.echo", "{}").await.is_success());
}

#[tokio::test]
async fn lines_that_are_no_messages_are_passed_over() {
    let (executor, _imported) = imported(server()).await;
    assert_eq!(
        executor.call("child.garbage", "{}").await.text(),
        "after the garbage"
    );
    assert!(executor.call("child.echo", "{}").await.is_success());
}

#[tokio::test]
async fn a_message_beyond_the_limit_ends_the_connection_with_the_reason() {
    let (executor, imported) = imported(server().max_message_bytes(1 << 20)).await;
    let ask = |count: u32| json!({"count": count});
    assert!(executor.call("child.big", ask(1 << 19)).await.is_success());
    let result = executor
        .call("child.big", ask(50_000_000))
        .await
        .into_result();
    assert_eq!(kind(result.error()), Some(ErrorKind::Unavailable));
    assert_eq!(
        result.error().unwrap().message(),
        "the MCP server `child` was lost while the call ran: it sent a message of more than 1048576 bytes; \
         whether the call had an effect is not known"
    );
    imported
        .until(|server| server.status() != ServerStatus::Connected)
        .await;
    imported
        .until(|server| server.status() == ServerStatus::Connected)
        .await;
    assert!(executor.call("child.echo", "{}").await.is_success());
}

#[tokio::test]
async fn a_result_beyond_the_limit_is_an_error_of_its_call_alone() {
    let options = options().max_result_bytes(1_000);
    let imported = import_with("child", server(), options).await.unwrap();
    let executor = executor(&imported);
    let result = executor
        .call("child.big", json!({"count": 1_001}))
        .await
        .into_result();
    assert_eq!(kind(result.error()), Some(ErrorKind::LimitExceeded));
    assert!(
        executor
            .call("child.big", json!({"count": 1_000}))
            .await
            .is_success()
    );
    assert_eq!(imported.status(), ServerStatus::Connected);
}

#[tokio::test]
async fn a_flood_of_reports_delays_nothing_for_good() {
    let (executor, _imported) = imported(server()).await;
    let flood = executor.call("child.flood", json!({"count": 20_000}));
    let echo = executor.call("child.echo", "{}");
    let (flood, echo) = tokio::join!(flood, echo);
    assert!(flood.is_success() && echo.is_success());
}

#[cfg(unix)]
#[tokio::test]
async fn closing_ends_the_process_and_those_that_it_started() {
    let (executor, imported) = imported(server()).await;
    let ids = executor.call("child.family", "{}").await.text();
    let is_there = |id: &str| {
        // A process that has ended and was not waited for yet is a zombie.
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    if !PathBuf::from("/proc/self/stat").exists() {
        return;
    }
    let ids: Vec<&str> = ids.split(' ').collect();
    assert!(ids.iter().all(|id| is_there(id)), "{ids:?}");
    imported.close();
    while ids.iter().any(|id| is_there(id)) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let result = executor.call("child.echo", "{}").await.into_result();
    assert_eq!(kind(result.error()), Some(ErrorKind::Unavailable));
    assert_eq!(imported.status(), ServerStatus::Closed);
}

#[tokio::test]
async fn a_program_that_is_not_there_or_is_no_server_is_an_error() {
    let missing = Command::new("no-such-program-here", ["--token=s3cret"]);
    let error = import_with("child", missing, options()).await.unwrap_err();
    assert!(
        matches!(error.fault(), ImportFault::Connect(_)),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "the tools of the MCP server `child` could not be imported: `no-such-program-here` cannot be started"
    );
    assert!(!format!("{error:?}").contains("s3cret"));
    let error = import_with("child", server_with(["--die"]), options())
        .await
        .unwrap_err();
    assert!(
        matches!(error.fault(), ImportFault::Handshake(_)),
        "{error:?}"
    );
    for name in ["", "a.b", "a b", "ä"] {
        let error = import_with(name, server(), options()).await.unwrap_err();
        assert!(matches!(error.fault(), ImportFault::Name(_)), "{error:?}");
    }
}
