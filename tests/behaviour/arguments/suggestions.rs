//! The name that is suggested in place of one that does not exist.

use serde_json::json;
use toolwright::{Executor, ToolRegistry, tool, tool_type};

/// Add two numbers.
#[tool(register = false, pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A trip.
#[tool_type]
#[derive(Default)]
struct Trip {
    from_city: String,
    #[arg(default = "")]
    from_cite: String,
}

/// Travel.
#[tool(register = false, pure)]
fn travel(#[arg(default)] trip: Trip, start_day: u32, #[arg(default = 0)] start_days: u32) -> u32 {
    start_day + start_days + u32::from(trip.from_city == trip.from_cite)
}

async fn suggested(tool: &str, arguments: serde_json::Value) -> Vec<Option<String>> {
    let executor = Executor::new(ToolRegistry::new().with(Add).with(Travel)).unwrap();
    let outcome = executor.call(tool, &arguments).await;
    let invalid = outcome
        .error()
        .unwrap()
        .invalid_arguments()
        .unwrap()
        .clone();
    let suggestions = invalid.problems().iter();
    suggestions
        .map(|problem| problem.suggestion().map(str::to_owned))
        .collect()
}

#[tokio::test]
async fn a_name_that_is_given_is_not_suggested() {
    assert_eq!(
        suggested("add", json!({"a": 1, "c": 2})).await,
        [None, None]
    );
    let both = json!({"start_day": 1, "start_dayz": 2, "start_days": 3});
    assert_eq!(suggested("travel", both).await, [None]);
    let inner =
        json!({"start_day": 1, "trip": {"from_city": "a", "from_citi": "b", "from_cite": "c"}});
    assert_eq!(suggested("travel", inner).await, [None]);
}

#[tokio::test]
async fn what_is_required_and_missing_is_suggested_first() {
    // It is as near to the other.
    let near = json!({"start_dayy": 2});
    let told = suggested("travel", near).await;
    assert_eq!(told[0].as_deref(), Some("start_day"));
    let inner = json!({"start_day": 1, "trip": {"from_citz": "a"}});
    let told = suggested("travel", inner).await;
    assert_eq!(told[0].as_deref(), Some("from_city"));
    let left = json!({"start_day": 1, "start_dayz": 2});
    assert_eq!(
        suggested("travel", left).await[0].as_deref(),
        Some("start_days")
    );
}
