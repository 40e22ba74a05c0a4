//! The tools run, through a toolwright of another name.

use renamed::functions::Greeting;
use tw::content::ErrorKind;
use tw::{Executor, ToolError, ToolName};

#[tokio::test]
async fn they_are_discovered_and_run() {
    let registry = tw::discover!().unwrap();
    let names: Vec<&str> = registry.names().map(ToolName::as_str).collect();
    assert_eq!(names, ["double", "greet", "next"]);
    let executor = Executor::builder(registry)
        .resource(Greeting("Good day,".to_owned()))
        .build()
        .unwrap();

    let greeted = executor
        .call("hello", r#"{"name": "Ada", "times": 2}"#)
        .await;
    assert_eq!(greeted.text(), "Good day, Ada, Good day, Ada");
    let refused = executor
        .call("greet", r#"{"name": "Ada", "times": 4}"#)
        .await;
    let kind = refused.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::InvalidArguments));

    assert_eq!(executor.call("next", "").await.text(), "1");
    let last = executor.call("next", r#"{"number": 255}"#).await;
    assert_eq!(last.text(), "there is no number after 255");
}
