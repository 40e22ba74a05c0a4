//! The list of tools, its pages and its changes.

use std::time::Duration;

use rmcp::model::{CacheScope, PaginatedRequestParams, SubscriptionFilter};
use rmcp::service::ServiceError;
use serde_json::json;
use toolwright::executor::SessionOptions;
use toolwright::id::ToolName;
use toolwright::spec::{Effect, ToolSpec};
use toolwright::tools::tool_fn;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_mcp::{rmcp, serve};

use crate::support::{Client, ERAS, Era, connect};

/// Delete a file.
///
/// It is gone then.
#[tool(title = "Delete", destructive)]
fn delete_file(path: String) -> String {
    path
}

/// Look at the web.
#[tool(read_only, open_world)]
fn look(url: String) -> String {
    url
}

fn named(name: &str) -> impl toolwright::Tool + use<> {
    let name: ToolName = name.parse().unwrap();
    let icons =
        json!([{"src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48"]}]);
    let spec = ToolSpec::new(name, "A tool.")
        .with_effect(Effect::Pure)
        .with_metadata("icons", icons)
        .with_metadata("_meta", json!({"example.com/x": 1}));
    tool_fn(spec, async |_: serde_json::Value, _| {
        Ok::<_, String>("done")
    })
}

#[tokio::test]
async fn a_tool_is_listed_with_all_that_its_spec_says() {
    for era in ERAS {
        let registry = ToolRegistry::new()
            .with(DeleteFile)
            .with(Look)
            .with(named("a.b"));
        let server = serve(Executor::new(registry).unwrap())
            .name("files")
            .title("Files");
        let connected = connect(server, Client::new(), era).await;
        let tools = connected.client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["a.b", "delete_file", "look"]);
        let told = serde_json::to_value(&tools).unwrap();
        assert_eq!(told[0]["icons"][0]["src"], "https://example.com/i.png");
        assert_eq!(told[0]["_meta"], json!({"example.com/x": 1}));
        assert_eq!(told[0]["annotations"]["openWorldHint"], false);
        assert_eq!(told[1]["title"], "Delete");
        assert_eq!(told[1]["description"], "Delete a file.\n\nIt is gone then.");
        let hints = json!({"title": "Delete", "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false});
        assert_eq!(told[1]["annotations"], hints);
        assert_eq!(
            told[1]["inputSchema"]["properties"]["path"]["type"],
            "string"
        );
        assert_eq!(told[2]["annotations"]["readOnlyHint"], true);
        assert_eq!(told[2]["annotations"]["openWorldHint"], true);
        connected.leave().await;
    }
}

#[tokio::test]
async fn pages_hold_each_tool_once_while_tools_come_and_go() {
    for era in ERAS {
        let mut registry = ToolRegistry::new();
        for number in 10..20 {
            registry = registry.with(named(&format!("t{number}")));
        }
        let executor = Executor::new(registry).unwrap();
        let connected = connect(serve(executor.clone()).page_size(4), Client::new(), era).await;
        let peer = connected.client.peer();
        let page = |cursor: Option<String>| {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            async { peer.list_tools(Some(params)).await }
        };
        let first = page(None).await.unwrap();
        assert_eq!(first.tools.len(), 4);
        executor
            .update_tools(|tools| {
                tools.remove("t13");
                tools.remove("t10");
                tools.register(named("t135"))
            })
            .unwrap();
        let second = page(first.next_cursor).await.unwrap();
        let names: Vec<&str> = second.tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["t135", "t14", "t15", "t16"]);
        let third = page(second.next_cursor).await.unwrap();
        assert_eq!((third.tools.len(), third.next_cursor), (3, None));
        let error = page(Some("\u{1}no cursor".to_owned())).await.unwrap_err();
        assert!(matches!(error, ServiceError::McpError(error) if error.code.0 == -32602));
        connected.leave().await;
    }
}

#[tokio::test]
async fn lifetime_and_scope_of_the_list_are_told_where_the_protocol_has_them() {
    for era in ERAS {
        let executor = Executor::new(ToolRegistry::new().with(Look)).unwrap();
        let server = serve(executor).cache(Duration::from_secs(60), CacheScope::Public);
        let connected = connect(server, Client::new(), era).await;
        let page = connected.client.list_tools(None).await.unwrap();
        let told = (page.ttl_ms, page.cache_scope);
        match era {
            Era::Stateful => assert_eq!(told, (None, None)),
            Era::Stateless => assert_eq!(told, (Some(60_000), Some(CacheScope::Public))),
        }
        connected.leave().await;
    }
}

#[tokio::test]
async fn a_client_of_the_stateful_era_is_told_of_changes() {
    let executor = Executor::new(ToolRegistry::new().with(Look)).unwrap();
    let connected = connect(serve(executor.clone()), Client::new(), Era::Stateful).await;
    assert_eq!(connected.client.list_all_tools().await.unwrap().len(), 1);
    executor
        .update_tools(|tools| tools.register(named("more")))
        .unwrap();
    connected.heard.changes.notified().await;
    assert_eq!(connected.client.list_all_tools().await.unwrap().len(), 2);
    connected.leave().await;
}

#[tokio::test]
async fn a_client_that_listens_is_told_of_changes() {
    let executor = Executor::new(ToolRegistry::new().with(Look)).unwrap();
    let connected = connect(serve(executor.clone()), Client::new(), Era::Stateless).await;
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut listening = connected.client.listen(filter).await.unwrap();
    let prompts = SubscriptionFilter::builder().prompts_list_changed().build();
    let others = connected.client.listen(prompts).await.unwrap();
    assert_eq!(others.acknowledged(), &SubscriptionFilter::new());
    executor
        .update_tools(|tools| tools.register(named("more")))
        .unwrap();
    let told = listening.next().await.unwrap();
    assert!(told.is_some());
    listening.cancel().await.unwrap();
    connected.leave().await;
}

#[tokio::test]
async fn a_session_has_the_tools_that_its_options_select() {
    for era in ERAS {
        let registry = ToolRegistry::new().with(DeleteFile).with(Look);
        let server = serve(Executor::new(registry).unwrap()).sessions(|client| {
            assert_eq!((client.name(), client.version()), ("test-client", "1.0.0"));
            assert!(client.principal().is_none());
            SessionOptions::new().tools("look".parse().unwrap())
        });
        let connected = connect(server, Client::new(), era).await;
        let tools = connected.client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 1);
        let error = connected
            .client
            .call_tool(crate::support::call("delete_file", json!({"path": "x"})))
            .await;
        assert!(matches!(error, Err(ServiceError::McpError(error)) if error.code.0 == -32602));
        connected.leave().await;
    }
}
