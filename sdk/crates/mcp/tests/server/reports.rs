//! Progress and messages of calls.

use rmcp::model::{LoggingLevel, SetLevelRequestParams};
use serde_json::json;
use toolwright::{ToolContext, ToolRegistry, tool};
use toolwright_mcp::{rmcp, serve};

use crate::support::{Client, ERAS, Era, allowing, call, connect};

/// Do something in steps.
#[tool(read_only)]
fn steps(ctx: &ToolContext) -> &'static str {
    for done in 0..=4 {
        ctx.progress(f64::from(done) / 4.0, format_args!("{done} of 4"));
        ctx.report_activity("plan", &format!("step {done}"), true);
    }
    ctx.progress(0.1, "back again");
    "done"
}

#[tokio::test]
async fn progress_comes_in_order_and_before_the_result() {
    for era in ERAS {
        let executor = allowing(ToolRegistry::new().with(Steps)).build().unwrap();
        let connected = connect(serve(executor), Client::new(), era).await;
        // The client sends a token with each call.
        connected.call("steps", json!({})).await;
        let progress = connected.heard.progress.lock().unwrap().clone();
        let told: Vec<f64> = progress.iter().map(|told| told.progress).collect();
        assert_eq!(told, [0.0, 25.0, 50.0, 75.0, 100.0], "{era:?}");
        assert!(progress.iter().all(|told| told.total == Some(100.0)));
        assert_eq!(progress[1].message.as_deref(), Some("1 of 4"));
        connected.leave().await;
    }
}

#[tokio::test]
async fn messages_come_to_those_who_ask_for_their_level() {
    let executor = allowing(ToolRegistry::new().with(Steps)).build().unwrap();
    let connected = connect(serve(executor.clone()), Client::new(), Era::Stateful).await;
    let heard = || std::mem::take(&mut *connected.heard.logs.lock().unwrap());
    connected.call("steps", json!({})).await;
    let told = heard();
    assert_eq!(told.len(), 5);
    assert_eq!(told[0].data, json!("step 0"));
    assert_eq!(told[0].logger.as_deref(), Some("plan"));
    for (level, count) in [(LoggingLevel::Error, 0), (LoggingLevel::Debug, 5)] {
        connected
            .client
            .set_level(SetLevelRequestParams::new(level))
            .await
            .unwrap();
        connected.call("steps", json!({})).await;
        assert_eq!(heard().len(), count);
    }
    connected.leave().await;

    let connected = connect(serve(executor), Client::new(), Era::Stateless).await;
    let heard = || std::mem::take(&mut *connected.heard.logs.lock().unwrap());
    connected.call("steps", json!({})).await;
    assert!(heard().is_empty());
    let mut request = call("steps", json!({}));
    let meta = json!({"io.modelcontextprotocol/logLevel": "info"});
    request.meta = Some(serde_json::from_value(meta).unwrap());
    connected.client.call_tool(request).await.unwrap();
    assert_eq!(heard().len(), 5);
    assert!(
        connected
            .client
            .set_level(SetLevelRequestParams::new(LoggingLevel::Info))
            .await
            .is_err()
    );
    connected.leave().await;
}
