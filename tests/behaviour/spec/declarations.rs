//! The declarations of a tool beyond its name and schema, and their effect in the executor.

mod capabilities;
mod output_limit;

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::spec::{Bound, Capability, Determinism, Effect};
use toolwright::{Executor, Tool, ToolError, ToolName, ToolOutcome, ToolRegistry, ToolSpec};

use crate::support::HandMade;

fn capability(text: &str) -> Capability {
    text.parse().unwrap()
}

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

fn everything() -> ToolSpec {
    ToolSpec::new(ToolName::new("index.build").unwrap(), "Build the index.")
        .with_title("Build")
        .with_version("2")
        .with_category("index")
        .with_alias(ToolName::new("build").unwrap())
        .with_input_schema(json!({"type": "object", "properties": {"token": {"type": "string"}}}))
        .with_output_schema(json!({"type": "object"}))
        .with_effect(Effect::Idempotent)
        .with_determinism(Determinism::Bounded)
        .with_capability(capability("fs:read:/data"))
        .with_capability(capability("net:connect:[::1]:443"))
        .with_timeout(Duration::from_millis(1500))
        .with_memory_limit(u64::MAX)
        .with_fuel_limit(1000)
        .with_output_limit(65_536)
        .with_concurrent(true)
        .with_durable(true)
        .with_pool("gpu")
        .with_explicit_only(true)
        .with_example(json!({"token": "t-1"}))
        .with_secret("token")
        .with_metadata("team", "search")
}

#[test]
fn s1_02_a_listing_shows_the_four_declarations() {
    let declared = HandMade::new("index.build").spec(|_| everything());
    let plain = HandMade::new("plain").spec(|spec| spec.with_effect(Effect::AtMostOnce));
    let snapshot = ToolRegistry::new()
        .with(declared)
        .with(plain)
        .freeze()
        .unwrap();
    let listing: Value = serde_json::from_str(&snapshot.to_json().unwrap()).unwrap();
    let shown = |tool: usize, keys: &[&str]| -> Value {
        let all = listing[tool].as_object().unwrap();
        all.iter()
            .filter(|(key, _)| keys.contains(&key.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    };
    let keys = [
        "effect",
        "determinism",
        "capabilities",
        "timeout_ms",
        "max_memory_bytes",
        "max_fuel",
        "max_output_bytes",
        "concurrent",
        "durable",
        "pool",
        "explicit_only",
        "secrets",
    ];
    assert_eq!(
        shown(0, &keys),
        json!({
            "effect": "idempotent",
            "determinism": "bounded",
            "capabilities": ["fs:read:/data", "net:connect:[::1]:443"],
            "timeout_ms": 1500,
            "max_memory_bytes": u64::MAX,
            "max_fuel": 1000,
            "max_output_bytes": 65_536,
            "concurrent": true,
            "durable": true,
            "pool": "gpu",
            "explicit_only": true,
            "secrets": ["token"],
        })
    );
    // Properties that are not declared are not shown: nothing is promised and nothing is required.
    assert_eq!(shown(1, &keys), json!({"effect": "at_most_once"}));
    let plain = snapshot.get("plain").unwrap().spec();
    assert_eq!(plain.determinism(), Determinism::NonDeterministic);
    assert!(plain.capabilities().is_empty() && plain.bounds().is_empty());
    assert!(!plain.is_concurrent() && !plain.is_explicit_only());
    assert!(!plain.is_durable() && plain.pool().is_none());
    assert!(plain.secrets().is_empty() && plain.examples().is_empty());
}

#[test]
fn s0_04_a_spec_with_everything_survives_serialisation() {
    let spec = everything();
    let text = serde_json::to_string(&spec).unwrap();
    let back: ToolSpec = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    assert_eq!(back.determinism(), Determinism::Bounded);
    assert_eq!(back.capabilities(), spec.capabilities());
    assert_eq!(back.bounds(), spec.bounds());
    assert_eq!(back.bounds().timeout(), Some(Duration::from_millis(1500)));
    assert_eq!(back.timeout(), back.bounds().timeout());
    assert!(back.is_concurrent() && back.is_explicit_only());
    assert!(back.is_durable() && back.pool() == Some("gpu"));
    assert_eq!(back.examples(), [json!({"token": "t-1"})]);
    assert_eq!(back.secrets(), ["token"]);

    let broken = text.replace("fs:read:/data", "fs:read");
    let error = serde_json::from_str::<ToolSpec>(&broken).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`fs:read` cannot be a capability"),
        "{error}"
    );
}

#[test]
fn determinism_follows_from_the_effect_unless_it_is_declared() {
    let of = |effect: Effect, declared: Option<Determinism>| {
        let spec = ToolSpec::new(ToolName::new("t").unwrap(), "T.");
        let spec = match declared {
            Some(determinism) => spec.with_determinism(determinism),
            None => spec,
        };
        let spec = spec.with_effect(effect);
        let listed = serde_json::to_value(&spec).unwrap();
        let back: ToolSpec = serde_json::from_value(listed.clone()).unwrap();
        assert_eq!(back.determinism(), spec.determinism());
        let named = listed.get("determinism").and_then(Value::as_str);
        (spec.determinism(), named.map(str::to_owned))
    };
    let (fixed, bounded, none) = (
        Determinism::Deterministic,
        Determinism::Bounded,
        Determinism::NonDeterministic,
    );
    assert_eq!(of(Effect::Pure, None), (fixed, None));
    for effect in [Effect::ReadOnly, Effect::Idempotent, Effect::AtMostOnce] {
        assert_eq!(of(effect, None), (none, None));
        assert_eq!(of(effect, Some(none)), (none, None));
        assert_eq!(
            of(effect, Some(fixed)),
            (fixed, Some("deterministic".into()))
        );
    }
    assert_eq!(of(Effect::Pure, Some(fixed)), (fixed, None));
    assert_eq!(
        of(Effect::Pure, Some(bounded)),
        (bounded, Some("bounded".into()))
    );
    assert_eq!(
        of(Effect::Pure, Some(none)),
        (none, Some("non_deterministic".into()))
    );
}

/// The bounds that keep an executor of these tools from being built.
fn unenforceable(registry: ToolRegistry) -> Vec<(String, Bound)> {
    let error = Executor::new(registry).unwrap_err();
    let problems = error.problems().iter();
    problems
        .map(|problem| match problem {
            BuildProblem::UnenforceableBound { tool, bound, .. } => {
                let told = problem.to_string();
                assert!(told.contains(&format!("`{tool}`")) && told.contains(bound.as_str()));
                (tool.to_string(), *bound)
            }
            other => panic!("{other}"),
        })
        .collect()
}

#[test]
fn s1_12_a_memory_limit_that_nothing_measures_is_refused() {
    for bytes in [0, 1, 67_108_864, u64::MAX] {
        let tool = HandMade::new("large").spec(|spec| spec.with_memory_limit(bytes));
        let registry = ToolRegistry::new().with(tool).with(HandMade::new("small"));
        assert_eq!(
            unenforceable(registry),
            [("large".to_owned(), Bound::Memory)]
        );
    }
}

#[test]
fn s1_13_a_fuel_limit_that_nothing_meters_is_refused() {
    let metered = HandMade::new("metered").spec(|spec| spec.with_fuel_limit(10));
    let both = HandMade::new("both").spec(|spec| spec.with_fuel_limit(0).with_memory_limit(0));
    let registry = ToolRegistry::new().with(metered).with(both);
    assert_eq!(
        unenforceable(registry),
        [
            ("both".to_owned(), Bound::Memory),
            ("both".to_owned(), Bound::Fuel),
            ("metered".to_owned(), Bound::Fuel),
        ],
        "all of them are told"
    );
}

#[test]
fn examples_live_in_the_input_schema() {
    let spec = ToolSpec::new(ToolName::new("t").unwrap(), "T.");
    assert!(spec.examples().is_empty());
    let spec = spec
        .with_example(json!({"a": 1}))
        .with_example(json!({"a": 2}));
    assert_eq!(spec.examples(), [json!({"a": 1}), json!({"a": 2})]);
    assert_eq!(
        *spec.input_schema(),
        json!({
            "type": "object",
            "properties": {},
            "additionalProperties": false,
            "examples": [{"a": 1}, {"a": 2}],
        })
    );
    let of = |schema: Value| {
        let spec = ToolSpec::new(ToolName::new("t").unwrap(), "T.").with_input_schema(schema);
        spec.with_example(json!({"a": 2})).input_schema().clone()
    };
    let added = json!({"examples": [{"a": 2}]});
    assert_eq!(
        of(json!({"examples": [{"a": 1}]})),
        json!({"examples": [{"a": 1}, {"a": 2}]})
    );
    assert_eq!(of(json!(true)), added);
    assert_eq!(of(json!({"examples": "none"})), added);
    for kept in [json!(false), json!(null), json!("odd")] {
        assert_eq!(of(kept.clone()), kept);
    }
    let replaced = spec.with_input_schema(json!({"examples": 7}));
    assert!(replaced.examples().is_empty());
}

#[test]
fn a_clone_with_an_example_leaves_the_original_as_it_was() {
    let tool = HandMade::new("t");
    let shown = Tool::spec(&tool).clone().with_example(json!({}));
    assert_eq!(shown.examples().len(), 1);
    assert!(Tool::spec(&tool).examples().is_empty());
}

#[test]
fn capabilities_and_secrets_are_declared_once() {
    let spec = ToolSpec::new(ToolName::new("t").unwrap(), "T.")
        .with_capability(capability("a:b:c"))
        .with_capability(capability("a:b:C"))
        .with_capability(capability("a:b:c"))
        .with_secret("token")
        .with_secret(String::from("token"));
    assert_eq!(
        spec.capabilities(),
        [capability("a:b:c"), capability("a:b:C")]
    );
    assert_eq!(spec.secrets(), ["token"]);
}

#[test]
fn what_contradicts_itself_keeps_an_executor_from_being_built() {
    use toolwright::spec::{Contradiction, ToolAnnotations};
    let hints = ToolAnnotations::new;
    let refused = |change: &dyn Fn(ToolSpec) -> ToolSpec| -> Vec<Contradiction> {
        let tool = HandMade::new("both").spec(change);
        let Err(error) = Executor::new(ToolRegistry::new().with(tool)) else {
            return Vec::new();
        };
        assert!(error.to_string().contains("the tool `both` declares"));
        let problems = error.problems().iter();
        let found = problems.map(|problem| match problem {
            BuildProblem::Contradiction {
                tool,
                contradiction,
                ..
            } => {
                assert_eq!(tool.as_str(), "both");
                *contradiction
            }
            other => panic!("{other}"),
        });
        found.collect()
    };
    let non_deterministic = |spec: ToolSpec| spec.with_determinism(Determinism::NonDeterministic);
    assert_eq!(
        refused(&non_deterministic),
        [Contradiction::PureNonDeterministic]
    );
    assert!(refused(&|spec| non_deterministic(spec).with_effect(Effect::ReadOnly)).is_empty());
    for effect in [Effect::Pure, Effect::ReadOnly, Effect::Idempotent] {
        let with = |hints: ToolAnnotations| {
            refused(&|spec| spec.with_effect(effect).with_annotations(hints))
        };
        let is_pure = effect == Effect::Pure;
        let changes_nothing = effect.is_read_only();
        assert_eq!(
            with(hints().with_open_world(true)),
            [Contradiction::PureOpenWorld][..usize::from(is_pure)]
        );
        assert_eq!(
            with(hints().with_destructive(true)),
            [Contradiction::ReadOnlyDestructive][..usize::from(changes_nothing)]
        );
        assert_eq!(
            with(hints().with_read_only(false)),
            [Contradiction::ReadOnlyDenied][..usize::from(changes_nothing)]
        );
        let all = hints().with_destructive(false).with_open_world(false);
        assert!(with(all.with_read_only(changes_nothing)).is_empty());
    }
    for (version, is_one) in [
        ("", false),
        ("1 2", false),
        ("1\n", false),
        ("v1-\u{e4}", true),
    ] {
        let found = refused(&|spec| spec.with_version(version));
        assert_eq!(found.is_empty(), is_one, "{version:?}");
    }
}

#[test]
fn a_pool_that_is_none_keeps_an_executor_from_being_built() {
    let built = |pool: &str| {
        let pool = pool.to_owned();
        let tool = HandMade::new("render").spec(|spec| spec.with_pool(pool));
        Executor::builder(ToolRegistry::new().with(tool))
            .hosts_pools()
            .build()
            .map(|_| ())
    };
    let longest = "p".repeat(64);
    for pool in ["gpu", "GPU-1.eu_west", "-", ".", &longest] {
        assert!(built(pool).is_ok(), "{pool:?}");
    }
    let too_long = "p".repeat(65);
    for pool in [
        "", " ", "a b", "gpu\n", "a/b", "a:b", "*", "g\u{e9}", "\u{202e}", "\0", &too_long,
    ] {
        let error = built(pool).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the executor cannot be built:\n\
             - the tool `render` declares a pool that is none: it is 1 to 64 ASCII letters, digits, `-`, `_` and \
             `.`, such as `gpu`. Policies and replay go by what is declared, so keep what is true",
            "{pool:?}"
        );
    }
}

#[test]
fn a_model_does_not_see_where_a_tool_runs() {
    let listed = |change: &dyn Fn(ToolSpec) -> ToolSpec| {
        let tool = HandMade::new("render").spec(change);
        let registry = ToolRegistry::new().with(tool);
        let findings = format!("{:?}", registry.lint());
        let snapshot = registry.freeze().unwrap();
        let lists = toolwright_providers::Api::ALL.map(|api| {
            toolwright_providers::ToolList::new(api, &snapshot)
                .as_str()
                .to_owned()
        });
        (lists, findings)
    };
    let plain = listed(&|spec| spec);
    let placed = listed(&|spec| spec.with_durable(true).with_pool("gpu"));
    assert_eq!(placed, plain);
}

/// The four declarations are there for each tool, whether it declares them or not.
#[test]
fn s1_02_a_table_of_tools_has_the_four_declarations_of_each() {
    let declared = HandMade::new("index.build").spec(|_| everything());
    let plain = HandMade::new("plain").spec(|spec| spec.with_effect(Effect::AtMostOnce));
    let registry = ToolRegistry::new().with(declared).with(plain);
    let rows: Vec<String> = registry
        .specs()
        .map(|spec| {
            let capabilities: Vec<&str> =
                spec.capabilities().iter().map(Capability::as_str).collect();
            format!(
                "{} | {} | {} | {:?} | {:?}",
                spec.name(),
                spec.effect().as_str(),
                spec.determinism().as_str(),
                capabilities,
                spec.bounds().output(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "index.build | idempotent | bounded | [\"fs:read:/data\", \"net:connect:[::1]:443\"] | \
             Some(65536)",
            "plain | at_most_once | non_deterministic | [] | None",
        ]
    );
}
