//! The beginning of a connection, with child processes that are asked for their versions and answer oddly.

use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;
use toolwright_mcp::client::{ImportFault, import_with};

use crate::child::{options, server_with};
use crate::fake::executor;

/// Answers to `server/discover` that name no version which can be spoken without a handshake.
const ODD: [&str; 12] = [
    r#"{"jsonrpc": "2.0", "id": ID, "result": {}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"supportedVersions": []}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"supportedVersions": "all", "capabilities": {}}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"tools": []}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"ok": true}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": [1]}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete", "supportedVersions": [], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete", "supportedVersions": ["2025-06-18"], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"}}"#,
    r#"{"jsonrpc": "2.0", "id": 4711, "result": {}}"#,
    r#"{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "not initialized"}}"#,
    r#"{"jsonrpc": "2.0", "id": ID, "error": {"code": -32601, "message": "no such method"}}"#,
    // The process ends.
    "",
];

#[tokio::test]
async fn a_server_that_answers_the_question_for_its_versions_oddly_gets_the_handshake() {
    for answer in ODD {
        let command = server_with(["--discover", answer]);
        let imported = import_with("child", command, options()).await;
        let imported = imported.unwrap_or_else(|error| panic!("{answer}: {error:?}"));
        let version = imported.info().unwrap().protocol_version.clone();
        assert_eq!(version, ProtocolVersion::LATEST_WITH_INITIALIZE, "{answer}");
        let echo = executor(&imported).call("child.echo", r#"{"a":1}"#).await;
        assert_eq!(echo.text(), r#"{"a":1}"#, "{answer}");
    }
}

#[tokio::test]
async fn the_handshake_names_the_older_version_that_is_set() {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::V_2025_06_18),
    };
    let command = server_with(["--discover", ODD[0]]);
    let options = options().lifecycle(lifecycle);
    let imported = import_with("child", command, options).await.unwrap();
    let version = imported.info().unwrap().protocol_version.clone();
    assert_eq!(version, ProtocolVersion::V_2025_06_18);
}

#[tokio::test]
async fn a_server_of_later_versions_alone_or_an_import_of_one_version_gets_no_handshake() {
    let later = r#"{"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete", "supportedVersions": ["2999-01-01"], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"}}"#;
    let only = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::LATEST],
    };
    for (answer, options) in [(later, options()), (ODD[0], options().lifecycle(only))] {
        let command = server_with(["--discover", answer]);
        let error = import_with("child", command, options).await.unwrap_err();
        assert!(
            matches!(error.fault(), ImportFault::Handshake(_)),
            "{error:?}"
        );
    }
}
