//! Tools whose calls cannot be dispatched.

use std::sync::Arc;
use std::time::Duration;

use toolwright::executor::{BuildProblem, LocalDispatcher, PlacementProblem};
use toolwright::{BuildError, Executor, ToolRegistry, tool};

use super::relay::Relay;
use super::{host, local};
use crate::waiting_support::Runs;

/// Render a scene.
#[tool(register = false, pure, pool = "gpu")]
fn render() {}

/// Book a flight.
#[tool(register = false, durable, timeout = "2h")]
async fn book() {}

/// Add two numbers.
#[tool(register = false, pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn placement(error: &BuildError) -> Vec<(String, PlacementProblem)> {
    let problems = error.problems().iter().map(|problem| match problem {
        BuildProblem::Placement { tool, problem, .. } => (tool.to_string(), problem.clone()),
        other => panic!("{other}"),
    });
    problems.collect()
}

#[test]
fn a_tool_of_a_pool_needs_a_dispatcher() {
    let tools = ToolRegistry::new().with(Render).with(Book).with(Add);
    let error = Executor::new(tools).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the executor cannot be built:\n\
         - the tool `book` is durable, and this executor has no dispatcher that keeps its calls: set one with \
         `Executor::builder(..).dispatcher(..)`. If this process is itself a host of such tools, or a test, say so with \
         `.hosts_pools()`\n\
         - the tool `render` runs on hosts of the pool `gpu`, and this executor has no dispatcher that brings calls there: \
         set one with `Executor::builder(..).dispatcher(..)`. If this process is itself a host of such tools, or a test, \
         say so with `.hosts_pools()`"
    );
}

#[test]
fn a_durable_tool_needs_a_dispatcher_that_outlives_the_process() {
    let runs = Arc::new(Runs::default());
    let build = || Executor::builder(ToolRegistry::new().with(Book));
    let error = build().dispatcher(local(&runs)).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the executor cannot be built:\n\
         - the tool `book` is durable, and with this dispatcher a call ends with its process: set one that promises \
         `outlives_process`, or take `durable` out of the declaration"
    );
    assert_eq!(
        placement(&error),
        [("book".to_owned(), PlacementProblem::NotDurable)]
    );
    let lasting = Relay::new(local(&runs), []).promising(|all| all.outlives_process = true);
    build().dispatcher(lasting).build().unwrap();
}

#[test]
fn a_timeout_fits_the_longest_time_of_the_dispatcher() {
    let runs = Arc::new(Runs::default());
    let hours = |hours: u64| Duration::from_secs(hours * 3_600);
    let build = |longest: Duration| {
        let relay = Relay::new(local(&runs), []).promising(|all| {
            all.outlives_process = true;
            all.max_time = Some(longest);
        });
        let tools = ToolRegistry::new().with(Book).with(Render);
        Executor::builder(tools).dispatcher(relay).build()
    };
    build(hours(2)).unwrap();
    let error = build(hours(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the executor cannot be built:\n\
         - the tool `book` has a timeout of 7200s, and this dispatcher runs a body for 3600s at most: declare a \
         shorter timeout, or set another dispatcher"
    );
}

#[tokio::test]
async fn tools_that_are_added_later_are_placed_too() {
    let runs = Arc::new(Runs::default());
    let tools = ToolRegistry::new().with(Add);
    let plain = Executor::new(tools.clone()).unwrap();
    let error = plain.replace_tools(tools.clone().with(Render)).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "the executor's tools cannot be changed so:\n- the tool `render` runs on hosts of the pool `gpu`"
        ),
        "{error}"
    );
    let [(tool, PlacementProblem::NoDispatcher { pool, .. })] = &placement(&error)[..] else {
        panic!("{error}");
    };
    assert_eq!((tool.as_str(), pool.as_deref()), ("render", Some("gpu")));
    let host = host(&runs, ToolRegistry::new().with(Book), |builder| builder);
    let executor = Executor::builder(tools.clone())
        .dispatcher(LocalDispatcher::new(host))
        .build()
        .unwrap();
    executor.replace_tools(tools.with(Render)).unwrap();
    // The call is dispatched: its host has no such tool.
    let outcome = executor.call("render", "{}").await;
    assert!(!outcome.is_success(), "{outcome:?}");
    assert_eq!(
        executor.call("add", r#"{"a": 1, "b": 2}"#).await.text(),
        "3"
    );
}
