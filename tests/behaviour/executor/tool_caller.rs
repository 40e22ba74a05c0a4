//! The interface of what runs calls, for which an app stands something in.

use std::sync::{Arc, Mutex};

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::ToolCaller;
use toolwright::permission::AllowAll;
use toolwright::registry::ToolSnapshot;
use toolwright::testing::FakeToolCaller;
use toolwright::{
    Executor, ToolCall, ToolError, ToolOutcome, ToolOutput, ToolRegistry, async_trait, tool,
};

/// Tell how many there are of something.
#[tool(read_only, register = false)]
async fn stock(item: String) -> Result<u32, ToolError> {
    match &*item {
        "nuts" => Ok(12),
        _ => Err(ToolError::not_found(format!("`{item}` is not sold here"))),
    }
}

/// Order something.
#[tool(register = false)]
async fn order(item: String, count: u32) -> String {
    format!("{count} {item} are on their way")
}

/// A function of an app: it orders what is running out, and says what became of it.
async fn restock(tools: &dyn ToolCaller, items: &[&str]) -> Vec<String> {
    let stock = |item: &&str| ToolCall::new("stock", json!({ "item": item }));
    let counts = tools.call_all(items.iter().map(stock).collect()).await;
    let mut said = Vec::new();
    for (item, count) in items.iter().zip(counts) {
        let Ok(count) = count.json::<u32>() else {
            said.push(format!("{item}: {}", count.text()));
            continue;
        };
        if count < 20 {
            let order = json!({ "item": item, "count": 20 - count });
            said.push(tools.call(ToolCall::new("order", order)).await.text());
        }
    }
    said
}

#[tokio::test]
async fn s0_49_a_function_of_an_app_is_tested_with_a_fake() {
    let tools = ToolRegistry::new().with(Stock).freeze().unwrap();
    let fake = FakeToolCaller::new()
        .with_tools(tools)
        .answer("stock", json!(5))
        .answer("stock", json!(50))
        .answer("stock", ToolError::unavailable("the shop is closed"))
        .answer("order", "ordered");
    let said = restock(&fake, &["tea", "milk", "salt"]).await;
    assert_eq!(said, ["ordered", "salt: the shop is closed"]);
    let called: Vec<String> = fake
        .calls()
        .iter()
        .map(|call| format!("{} {}", call.name(), call.arguments().to_value().unwrap()))
        .collect();
    assert_eq!(
        called,
        [
            r#"stock {"item":"tea"}"#,
            r#"stock {"item":"milk"}"#,
            r#"stock {"item":"salt"}"#,
            r#"order {"count":15,"item":"tea"}"#,
        ]
    );
    assert_eq!(ToolCaller::tools(&fake).len(), 1);

    // A call that the script does not have is an error, and is recorded too.
    let call = ToolCall::new("order", "{}").with_id("c-1");
    let outcome = fake.call(call).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Unavailable);
    assert!(
        outcome.text().contains("`FakeToolCaller::answer`"),
        "{}",
        outcome.text()
    );
    assert_eq!(outcome.result().call_id().unwrap().as_str(), "c-1");
    assert_eq!(fake.calls().len(), 5);

    // An error that ends the run ends it here too.
    let blocked = ToolError::new(ErrorKind::Blocked, "enough").into_fatal();
    let fake = FakeToolCaller::new().answer("stock", ToolOutput::from(blocked));
    let outcome = fake.call(ToolCall::new("stock", "{}")).await;
    assert!(matches!(outcome, ToolOutcome::Failed(_)));
}

/// Writes down each call that it passes on, and allows no order above a limit.
struct Guarded<C> {
    inner: C,
    log: Mutex<Vec<String>>,
}

#[async_trait]
impl<C: ToolCaller> ToolCaller for Guarded<C> {
    fn tools(&self) -> Arc<ToolSnapshot> {
        self.inner.tools()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
        let line = format!("{} {}", call.name(), call.arguments().to_value().unwrap());
        self.log.lock().unwrap().push(line);
        self.inner.call(call).await
    }
}

fn executor() -> Executor {
    let tools = ToolRegistry::new().with(Stock).with(Order);
    Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

#[tokio::test]
async fn s0_49_a_function_of_an_app_runs_with_a_session_a_turn_and_a_wrapper_of_either() {
    let expected = ["8 nuts are on their way", "bolts: `bolts` is not sold here"];
    let session = executor().session("s-1");
    assert_eq!(restock(&session, &["nuts", "bolts"]).await, expected);
    assert_eq!(restock(&session.turn(), &["nuts", "bolts"]).await, expected);
    assert_eq!(ToolCaller::tools(&session).len(), session.tools().len());

    let shared: Arc<dyn ToolCaller> = Arc::new(session.clone());
    let wrapped = Guarded {
        inner: shared,
        log: Mutex::default(),
    };
    assert_eq!(restock(&wrapped, &["nuts", "bolts"]).await, expected);
    // A batch goes by the wrapper's own `call`, so that it misses none.
    assert_eq!(
        *wrapped.log.lock().unwrap(),
        [
            r#"stock {"item":"nuts"}"#,
            r#"stock {"item":"bolts"}"#,
            r#"order {"count":8,"item":"nuts"}"#,
        ]
    );
    assert_eq!(wrapped.tools().len(), 2);

    // A turn that is cancelled is so behind the interface too.
    let turn = session.turn();
    turn.cancel();
    let outcome = ToolCaller::call(&turn, ToolCall::new("stock", r#"{"item": "nuts"}"#)).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
}

/// The members of a batch run side by side behind the interface, as they do before it.
#[tokio::test]
async fn a_batch_behind_the_interface_is_the_batch_of_the_session() {
    /// Wait for the other call.
    #[tool(read_only, register = false)]
    async fn meet(meeting: &tokio::sync::Barrier) {
        meeting.wait().await;
    }
    let executor = Executor::builder(ToolRegistry::new().with(Meet))
        .resource(tokio::sync::Barrier::new(2))
        .build()
        .unwrap();
    let session: Box<dyn ToolCaller> = Box::new(executor.session("s-1"));
    let calls = vec![ToolCall::new("meet", ""), ToolCall::new("meet", "")];
    let outcomes = session.call_all(calls).await;
    assert!(outcomes.iter().all(ToolOutcome::is_success));
}

/// Names the type of a future.
fn size_of_future<F: Future>(future: F) -> usize {
    size_of_val(&future)
}

#[tokio::test]
async fn the_methods_of_a_session_itself_box_nothing() {
    let session = executor().session("s-1");
    let own = size_of_future(session.call(ToolCall::new("stock", "{}")));
    let boxed = size_of_future(ToolCaller::call(&session, ToolCall::new("stock", "{}")));
    assert_eq!(boxed, 2 * size_of::<usize>());
    assert!(own > boxed, "{own}");
}
