//! A number that JSON does not have is an error of the tool, with its place.

use serde::Serialize;
use toolwright::content::ErrorKind;
use toolwright::{Executor, ToolError, ToolOutput, ToolRegistry, tool, tool_type};

/// Divide a number.
#[tool(register = false, pure)]
fn divide(a: f64, b: f64) -> f64 {
    a / b
}

#[tool_type(result)]
struct Statistics {
    count: usize,
    /// Nothing where there is no number.
    median: Option<f64>,
    means: Vec<f64>,
}

/// Look at some numbers.
#[tool(register = false, pure)]
async fn look_at(numbers: Vec<f64>) -> Result<Statistics, ToolError> {
    let count = numbers.len();
    let sum: f64 = numbers.iter().sum();
    Ok(Statistics {
        count,
        median: None,
        means: vec![
            1.0,
            sum / f64::from(u32::try_from(count).unwrap_or(u32::MAX)),
        ],
    })
}

#[derive(Serialize)]
struct Plain {
    ratio: f32,
}

/// Tell a ratio by hand.
#[tool(register = false, pure)]
fn ratio() -> Result<ToolOutput, serde_json::Error> {
    ToolOutput::json(&Plain {
        ratio: f32::INFINITY,
    })
}

#[tokio::test]
async fn what_is_not_finite_is_an_error_of_the_tool_with_its_place() {
    let registry = ToolRegistry::new().with(Divide).with(LookAt).with(Ratio);
    let executor = Executor::new(registry).unwrap();
    let cases = [
        ("divide", r#"{"a": 0, "b": 0}"#, "the number is NaN"),
        (
            "divide",
            r#"{"a": -1, "b": 0}"#,
            "the number is minus infinity",
        ),
        (
            "look_at",
            r#"{"numbers": []}"#,
            "the number at `/means/1` is NaN",
        ),
        ("ratio", "", "the number at `/ratio` is infinity"),
    ];
    for (name, arguments, expected) in cases {
        let outcome = executor.call(name, arguments).await;
        let error = outcome.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::Failed, "{name}");
        assert!(error.message().contains(expected), "{}", error.message());
    }
    let error = executor.call("divide", r#"{"a": 0, "b": 0}"#).await;
    assert_eq!(error.error().unwrap().code(), "number_not_finite");
    let fits = executor.call("look_at", r#"{"numbers": [1, 2]}"#).await;
    assert_eq!(
        fits.text(),
        r#"{"count":2,"median":null,"means":[1.0,1.5]}"#
    );
    assert_eq!(
        executor.call("divide", r#"{"a": 1, "b": 4}"#).await.text(),
        "0.25"
    );
}
