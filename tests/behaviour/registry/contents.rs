//! Registries: what is in them, in which order, and what happens to names that are wanted twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::registry::OnCollision;
use toolwright::{Executor, Tool, ToolName, ToolRegistry, ToolSpec, tool};

use crate::support::HandMade;

/// A crate that offers tools: its public face is `registry()`.
mod text_tools {
    use toolwright::{ToolRegistry, tool};

    /// Turn a text around.
    #[tool(name = "text.reverse", pure)]
    fn reverse(text: String) -> String {
        text.chars().rev().collect()
    }

    /// Count the words of a text.
    #[tool(name = "text.words", pure, aliases("wc"))]
    fn words(text: String) -> usize {
        text.split_whitespace().count()
    }

    pub(super) fn registry() -> ToolRegistry {
        ToolRegistry::new().with(Reverse).with(Words)
    }
}

/// Another one.
mod number_tools {
    use toolwright::{ToolRegistry, tool};

    /// Square a number.
    #[tool(name = "number.square", pure)]
    fn square(number: i64) -> i64 {
        number * number
    }

    pub(super) fn registry() -> ToolRegistry {
        ToolRegistry::new().with(Square)
    }
}

/// Say that this is the other one.
#[tool(name = "text.reverse", pure, register = false)]
fn other_reverse() -> &'static str {
    "the other one"
}

fn names(registry: &ToolRegistry) -> Vec<&str> {
    registry.names().map(ToolName::as_str).collect()
}

#[test]
fn s0_17_s2_12_s2_13_tools_are_found_and_listed() {
    let mut registry = ToolRegistry::new();
    for name in ["web.search", "clock", "fs.read"] {
        registry.register(HandMade::new(name)).unwrap();
    }
    for name in ["clock", "fs.read", "web.search"] {
        assert_eq!(registry.get(name).unwrap().spec().name(), name);
    }
    assert!(registry.get("fs").is_none());
    assert!(registry.get("").is_none());
    let specs: Vec<&str> = registry.specs().map(|spec| spec.name().as_str()).collect();
    assert_eq!(specs, ["clock", "fs.read", "web.search"]);
    assert_eq!(names(&registry), specs);
    assert_eq!(registry.len(), 3);
}

/// The order that a seed gives, by the method of Fisher and Yates with a small generator.
fn shuffled<T: Copy>(items: &[T], seed: u64) -> Vec<T> {
    let mut items = items.to_vec();
    let mut state = seed;
    for last in (1..items.len()).rev() {
        // The constants are Knuth's (MMIX).
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let chosen = usize::try_from(state >> 33).unwrap() % (last + 1);
        items.swap(last, chosen);
    }
    items
}

#[test]
fn s0_18_specs_are_sorted() {
    let all = [
        "z", "b.c", "b", "a-1", "A", "b_c", "fs.read", "fs", "m.n.o", "b.a",
    ];
    let orders: BTreeSet<Vec<&str>> = (1..=10).map(|seed| shuffled(&all, seed)).collect();
    assert_eq!(orders.len(), 10, "the orders differ");
    let listings: BTreeSet<String> = orders
        .iter()
        .map(|order| {
            let tools = order.iter().copied().map(HandMade::new);
            let registry = tools.fold(ToolRegistry::new(), ToolRegistry::with);
            let mut sorted = all;
            sorted.sort_unstable();
            assert_eq!(names(&registry), sorted);
            registry.freeze().unwrap().to_json().unwrap().to_string()
        })
        .collect();
    assert_eq!(listings.len(), 1, "every order gives the same bytes");
}

#[test]
fn s0_19_a_chain_builds_a_registry() {
    let registry = ToolRegistry::new()
        .with(HandMade::new("one"))
        .with(HandMade::new("two"))
        .with(OtherReverse);
    assert_eq!(names(&registry), ["one", "text.reverse", "two"]);
    registry.check().unwrap();
}

/// The tool of the registry, out of two with one name.
async fn reversed(registry: ToolRegistry) -> String {
    let executor = Executor::new(registry).unwrap();
    let outcome = executor.call("text.reverse", r#"{"text": "abc"}"#).await;
    if outcome.is_success() {
        return outcome.text();
    }
    // The other one takes no arguments.
    executor.call("text.reverse", "").await.text()
}

#[tokio::test]
async fn s0_20_registries_merge_by_the_rule_that_is_named() {
    let mut both = text_tools::registry();
    both.merge(number_tools::registry(), OnCollision::Fail)
        .unwrap();
    assert_eq!(
        names(&both),
        ["number.square", "text.reverse", "text.words"]
    );

    let other = || {
        ToolRegistry::new()
            .with(OtherReverse)
            .with(HandMade::new("wc"))
    };
    let error = both.merge(other(), OnCollision::Fail).unwrap_err();
    let wanted: Vec<&str> = error
        .collisions()
        .iter()
        .map(|c| c.name().as_str())
        .collect();
    assert_eq!(wanted, ["text.reverse", "wc"], "an alias clashes as well");
    let (first, second) = error.collisions()[1].tools();
    assert_eq!((first.as_str(), second.as_str()), ("text.words", "wc"));
    for line in error.to_string().lines() {
        assert_eq!(
            line.matches(file!()).count(),
            2,
            "both places are told: {line}"
        );
    }
    assert_eq!(
        names(&both),
        ["number.square", "text.reverse", "text.words"]
    );

    let mut kept = both.clone();
    kept.merge(other(), OnCollision::KeepExisting).unwrap();
    assert_eq!(names(&kept), names(&both));
    assert_eq!(reversed(kept).await, "cba");

    let mut replaced = both;
    replaced.merge(other(), OnCollision::Replace).unwrap();
    assert_eq!(names(&replaced), ["number.square", "text.reverse", "wc"]);
    assert_eq!(reversed(replaced).await, "the other one");
}

#[tokio::test]
async fn s0_21_a_crate_offers_its_tools_in_one_call() {
    let mut registry = text_tools::registry();
    registry
        .merge(number_tools::registry(), OnCollision::default())
        .unwrap();
    let executor = Executor::new(registry).unwrap();
    let words = executor
        .call("text.words", r#"{"text": "to be or not"}"#)
        .await;
    assert_eq!(words.text(), "4");
    let square = executor.call("number.square", r#"{"number": -7}"#).await;
    assert_eq!(square.text(), "49");
}

#[tokio::test]
async fn s0_24_an_unknown_name_is_told_to_the_model() {
    let executor = Executor::new(text_tools::registry()).unwrap();
    let outcome = executor.call("nope", r#"{"text": "x"}"#).await;
    assert_eq!(outcome.text(), "there is no tool `nope`");
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::NotFound);
    assert_eq!(outcome.error().unwrap().code(), "unknown_tool");
    assert_eq!(outcome.result().tool(), "nope");

    let near = executor.call("text_revers", "").await;
    assert!(
        near.text().contains("did you mean `text.reverse`?"),
        "{}",
        near.text()
    );
}

#[tokio::test]
async fn s2_01_a_tool_that_was_not_registered_cannot_be_called() {
    let empty = Executor::new(ToolRegistry::new()).unwrap();
    let missing = empty.call("number.square", r#"{"number": 2}"#).await;
    assert!(missing.result().is_error());
    assert_eq!(missing.error().unwrap().kind(), ErrorKind::NotFound);

    // Linked and made with `#[tool]`, and still not there until it is registered.
    let registered = Executor::new(number_tools::registry()).unwrap();
    let found = registered.call("number.square", r#"{"number": 2}"#).await;
    assert_eq!(found.text(), "4");
}

// The central registry is that of the executor: each task registers there, with no lock of the host's, and
// no task loses what another has registered or read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s2_10_a_hundred_tasks_register_read_and_call_without_loss() {
    fn names(executor: &Executor) -> BTreeSet<String> {
        let tools = executor.tools();
        tools.specs().map(|spec| spec.name().to_string()).collect()
    }
    let executor = Executor::new(ToolRegistry::new()).unwrap();
    let all_at_once = Arc::new(tokio::sync::Barrier::new(100));
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let (executor, all_at_once) = (executor.clone(), Arc::clone(&all_at_once));
            tokio::spawn(async move {
                let name = format!("tool.{number:03}");
                let tool = HandMade::new(name.clone());
                all_at_once.wait().await;
                let before = names(&executor);
                executor
                    .update_tools(|tools| tools.register(tool.clone()))
                    .unwrap();
                let outcome = executor.call(&name, json!({"number": number})).await;
                assert_eq!(outcome.text(), json!({"number": number}).to_string());
                let after = names(&executor);
                assert!(after.contains(&name));
                assert!(before.is_subset(&after), "what was read once stays");
                // A second one of the name is refused, whoever else registers meanwhile.
                assert!(
                    executor
                        .update_tools(|tools| tools.register(tool.clone()))
                        .is_err()
                );
                outcome.result().invocation_id()
            })
        })
        .collect();
    let mut ids = BTreeSet::new();
    for task in tasks {
        ids.insert(task.await.unwrap());
    }
    assert_eq!(ids.len(), 100, "each invocation has an id of its own");
    let expected: BTreeSet<String> = (0..100).map(|number| format!("tool.{number:03}")).collect();
    assert_eq!(names(&executor), expected);
}

#[test]
fn s2_11_s2_14_a_name_is_taken_once() {
    let mut registry = ToolRegistry::new();
    let first: Arc<dyn Tool> = Arc::new(HandMade::new("fs.read"));
    registry.register_arc(Arc::clone(&first)).unwrap();
    let error = registry.register(HandMade::new("fs.read")).unwrap_err();
    assert_eq!(error.collisions().len(), 1);
    assert_eq!(error.collisions()[0].name(), "fs.read");
    assert!(error.to_string().contains("wanted by two tools"), "{error}");
    assert!(Arc::ptr_eq(registry.get("fs.read").unwrap(), &first));

    let alias = |spec: ToolSpec| spec.with_alias(ToolName::new("fs.read").unwrap());
    assert!(registry.register(HandMade::new("cat").spec(alias)).is_err());
    assert!(registry.contains("fs.read"));
    assert!(!registry.contains("cat"), "nothing of a refused tool stays");
    assert!(!registry.contains("fs.write"));

    // In a chain the error waits until somebody looks.
    let chained = ToolRegistry::new().with(OtherReverse).with(OtherReverse);
    assert_eq!(chained.check().unwrap_err().collisions().len(), 1);
    let error = Executor::new(chained).unwrap_err();
    assert!(matches!(error.problems(), [BuildProblem::Registry(_)]));
}
