//! Permission expressions of tools.

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::event::EventChannel;
use toolwright::permission::AllowAll;
use toolwright::{Executor, PermissionRequest, ToolCall, ToolOutcome, ToolRegistry, tool};

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(toolwright::ToolError::kind)
}

/// Open a page of a book.
#[tool(
    register = false,
    permission = PermissionRequest::new("page", pages[*at].as_str(), "Open a page")
)]
fn open_page(pages: Vec<String>, at: usize) -> String {
    format!("opened {}", pages[at])
}

#[tokio::test]
async fn trap_a_panic_in_a_permission_expression_denies_its_call_alone() {
    let builder =
        || Executor::builder(ToolRegistry::new().with(OpenPage)).permission_checker(AllowAll);
    for executor in [
        builder().build().unwrap(),
        builder().events(EventChannel::new(8)).build().unwrap(),
    ] {
        let calls =
            [0, 1, 0].map(|at| ToolCall::new("open_page", json!({"pages": ["a"], "at": at})));
        let outcomes = executor.session("s").call_all(calls).await;
        let kinds: Vec<_> = outcomes.iter().map(kind).collect();
        assert_eq!(kinds, [None, Some(ErrorKind::Panicked), None]);
        assert_eq!(outcomes[2].text(), "opened a");
    }
}
