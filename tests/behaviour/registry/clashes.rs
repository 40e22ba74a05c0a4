//! Names that are equal or look alike, and registries that are merged twice.

use toolwright::registry::OnCollision;
use toolwright::{BuildError, Executor, ToolOutput, ToolRegistry};

use crate::support::HandMade;

fn collides(registry: ToolRegistry) -> String {
    Executor::new(registry).map_or_else(|error: BuildError| error.to_string(), |_| String::new())
}

#[test]
fn trap_an_alias_that_is_the_name_of_another_tool_is_an_error_in_either_order() {
    let named = || HandMade::new("read");
    let aliased = || HandMade::new("fs.read").spec(|spec| spec.with_alias("read".parse().unwrap()));
    for error in [
        collides(ToolRegistry::new().with(named()).with(aliased())),
        collides(ToolRegistry::new().with(aliased()).with(named())),
    ] {
        assert!(
            error.contains("`read`") && error.contains("`fs.read`"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn trap_names_that_look_alike_once_they_are_sanitised_stay_apart() {
    let names = ["a.b", "a_b", "a-b", "a.b.c", "a_b.c", "a.b_c"];
    let mut registry = ToolRegistry::new();
    for name in names {
        let tool = HandMade::new(name).run(move |_, _| Ok(ToolOutput::text(name)));
        registry.register(tool).unwrap();
    }
    let executor = Executor::new(registry).unwrap();
    let tools = executor.tools();
    for name in names {
        let wire = tools.wire_name(name).unwrap();
        assert_eq!(executor.call(wire, "{}").await.text(), name, "{wire}");
    }
}

#[test]
fn trap_a_registry_that_is_merged_twice_is_told_of_or_changes_nothing() {
    let one = ToolRegistry::new().with(HandMade::new("read"));
    let mut merged = one.clone();
    let error = merged.merge(one.clone(), OnCollision::Fail).unwrap_err();
    assert_eq!(error.collisions().len(), 1);
    for policy in [OnCollision::KeepExisting, OnCollision::Replace] {
        merged.merge(one.clone(), policy).unwrap();
        assert_eq!(merged.len(), 1);
    }
}
