//! Every other form runs, through a toolwright of another name.

use std::sync::Arc;

use renamed::forms::{Double, Plan, Reading, Sum, names};
use tw::content::ErrorKind;
use tw::permission::AllowAll;
use tw::{Executor, ToolEnum, ToolError, ToolRegistry};

#[tokio::test]
async fn methods_and_types_run() {
    let plan = Arc::new(Plan::default());
    let registry = ToolRegistry::new()
        .with_set_arc(Arc::clone(&plan))
        .with_part(Reading, plan);
    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    for (task, number) in [
        (r#"{"task": {"what": "sleep"}}"#, "1"),
        (r#"{"task": {"what": "eat", "weight": "much"}}"#, "2"),
    ] {
        assert_eq!(executor.call("plan.add", task).await.text(), number);
    }
    let much = executor.call("plan.list", r#"{"least": "much"}"#).await;
    assert_eq!(much.text(), r#"[{"what":"eat","weight":"much"}]"#);
    for refused in [r#"{"task": {"what": ""}}"#, r#"{"task": {"wat": "eat"}}"#] {
        let outcome = executor.call("plan.add", refused).await;
        let kind = outcome.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{refused}");
    }
}

#[tokio::test]
async fn structs_run() {
    let executor = Executor::new(ToolRegistry::new().with_type::<Double>()).unwrap();
    let doubled = executor.call("double", r#"{"number": 4}"#).await;
    assert_eq!(doubled.text(), "8");
    let odd = executor.call("double", r#"{"number": 3}"#).await;
    assert!(odd.text().contains("3 is odd"), "{}", odd.text());
    assert_eq!(names(), ["double"]);
    assert!(Sum::parse("double", r#"{"number": 101}"#).is_err());
}
