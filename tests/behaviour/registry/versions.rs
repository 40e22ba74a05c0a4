//! Versions of a tool beside each other.

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::event::{EventKind, MemoryEvents};
use toolwright::executor::{BuildProblem, Limits, SessionOptions, WaitMode};
use toolwright::outcome::Suspension;
use toolwright::permission::DenyAll;
use toolwright::registry::{FeatureGate, OnCollision, Selector};
use toolwright::ticket::Answer;
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolName, ToolOutcome, ToolRegistry, ToolSpec, tool,
};
use toolwright_policy::{PermissionPolicy, Rule};

use crate::support::HandMade;

/// Tell what a stay costs.
#[tool(name = "price", version = "1.9.0", pure, register = false)]
fn price_1(nights: u32) -> u32 {
    nights * 80
}

/// Tell what a stay costs.
#[tool(
    name = "price",
    version = "1.10.0",
    pure,
    aliases("cost"),
    capabilities("shop:read:prices"),
    register = false
)]
fn price_2(nights: u32, guests: u32) -> u32 {
    nights * 60 + guests * 20
}

/// Call another tool.
#[tool(
    name = "relay",
    read_only,
    capabilities("shop:read:prices"),
    register = false
)]
async fn relay(tool: String, ctx: &ToolContext) -> String {
    let arguments = json!({"nights": 1});
    ctx.call(ToolCall::new(tool, arguments)).await.text()
}

fn both() -> ToolRegistry {
    ToolRegistry::new().with(Price1).with(Price2)
}

fn executor(registry: ToolRegistry) -> Executor {
    let builder = Executor::builder(registry);
    builder.grant_capability("shop:read:*").build().unwrap()
}

fn version(name: &'static str, version: &'static str) -> HandMade {
    let tool = HandMade::new(name).spec(|spec| spec.with_version(version));
    tool.run(move |ctx, _| {
        assert_eq!(ctx.tool_name().as_str(), name);
        Ok(toolwright::ToolOutput::text(version))
    })
}

fn with_alias(tool: HandMade, alias: &'static str) -> HandMade {
    tool.spec(|spec| spec.with_alias(ToolName::new(alias).unwrap()))
}

fn versions(registry: &ToolRegistry, name: &str) -> Vec<String> {
    let specs = registry.versions(name);
    specs
        .map(|spec| spec.version().unwrap_or("-").to_owned())
        .collect()
}

async fn by_host(executor: &Executor, name: &str, arguments: &str) -> String {
    let call = ToolCall::new(name, arguments).by_host();
    executor.session("s").call(call).await.text()
}

#[tokio::test]
async fn s1_03_two_versions_of_one_name_coexist_and_are_told_apart_in_the_log() {
    for registry in [both(), ToolRegistry::new().with(Price2).with(Price1)] {
        assert_eq!(versions(&registry, "price"), ["1.10.0", "1.9.0"]);
        let ids: Vec<String> = registry
            .versions("cost")
            .map(|spec| spec.id().to_string())
            .collect();
        assert_eq!(ids, ["price@1.10.0", "price@1.9.0"]);
        let events = MemoryEvents::new(100);
        let executor = Executor::builder(registry)
            .grant_capability("shop:read:*")
            .events(events.clone())
            .build()
            .unwrap();
        let shown: Vec<String> = executor
            .tools()
            .specs()
            .map(|spec| spec.id().to_string())
            .collect();
        assert_eq!(shown, ["price@1.10.0"]);

        let two = r#"{"nights": 1, "guests": 1}"#;
        for name in ["price", "cost", "price@1.10.0"] {
            assert_eq!(executor.call(name, two).await.text(), "80");
        }
        for name in ["price@1.9.0", "cost@1.9.0"] {
            assert_eq!(by_host(&executor, name, r#"{"nights": 2}"#).await, "160");
        }
        let mut told = Vec::new();
        for event in events.take() {
            if matches!(event.kind(), EventKind::Finished { .. }) {
                let call = event.call().unwrap();
                let version = call.version().unwrap_or("-");
                told.push(format!("{}@{version}", call.tool()));
            }
        }
        let highest = ["price@1.10.0"; 3];
        assert_eq!(told[..3], highest);
        assert_eq!(told[3..], ["price@1.9.0"; 2]);

        // The lower version is not advertised, and no model reaches it; other versions do not exist.
        for name in ["price@1.9.0", "price@2", "price@", "@1.9.0", "price@1.9.0@"] {
            let outcome = executor.call(name, r#"{"nights": 2}"#).await;
            assert_eq!(outcome.error().unwrap().kind(), ErrorKind::NotFound);
        }
        assert!(
            by_host(&executor, "price@2", "{}")
                .await
                .contains("no tool `price@2`")
        );
    }
}

#[test]
fn two_tools_of_one_name_collide_unless_both_declare_versions_that_differ() {
    let place = HandMade::new("price");
    for (first, second) in [
        (version("price", "1"), version("price", "1")),
        (version("price", "1"), place.clone()),
        (place.clone(), version("price", "1")),
        (place.clone(), place),
    ] {
        let registry = ToolRegistry::new().with(first).with(second);
        let error = registry.check().unwrap_err();
        assert_eq!(error.collisions().len(), 1);
        assert_eq!(error.collisions()[0].name().as_str(), "price");
        assert_eq!(registry.len(), 1);
    }
    let registry = ["2", "1", "3", "10"]
        .into_iter()
        .fold(ToolRegistry::new(), |registry, number| {
            registry.with(version("price", number))
        });
    registry.check().unwrap();
    assert_eq!(versions(&registry, "price"), ["10", "3", "2", "1"]);
    assert_eq!((registry.len(), registry.names().len()), (1, 1));
    let third = registry.clone().with(version("price", "3"));
    assert_eq!(third.check().unwrap_err().collisions().len(), 1);
}

#[test]
fn name_and_aliases_are_those_of_the_highest_version() {
    let first = with_alias(version("price", "1"), "old");
    let second = with_alias(version("price", "2"), "new");
    let other = with_alias(HandMade::new("other"), "mine");
    for registry in [
        ToolRegistry::new().with(first.clone()).with(second.clone()),
        ToolRegistry::new().with(second.clone()).with(first.clone()),
    ] {
        assert!(registry.contains("new") && !registry.contains("old"));
        let tools = registry.freeze().unwrap();
        assert!(tools.get("new@1").is_some() && tools.get("old").is_none());
        let spec = |name: &str| {
            tools
                .get(name)
                .unwrap()
                .spec()
                .version()
                .unwrap()
                .to_owned()
        };
        assert_eq!((spec("new"), spec("new@1")), ("2".into(), "1".into()));
    }
    // An alias that another tool has keeps the version out, and all stays as it was.
    let mut registry = ToolRegistry::new().with(other).with(first);
    let error = registry
        .register(with_alias(version("price", "2"), "mine"))
        .unwrap_err();
    assert_eq!(error.collisions()[0].name().as_str(), "mine");
    assert_eq!(versions(&registry, "price"), ["1"]);
    assert!(registry.contains("old"));
    registry
        .register(with_alias(version("price", "2"), "old"))
        .unwrap();
    registry.check().unwrap();
    assert_eq!(versions(&registry, "old"), ["2", "1"]);
    // The lower version that is left has its own aliases again.
    let mut registry = ToolRegistry::new()
        .with(with_alias(version("price", "1"), "old"))
        .with(second);
    assert!(registry.remove("price@2").is_some());
    assert_eq!(versions(&registry, "price"), ["1"]);
    assert!(registry.contains("old") && !registry.contains("new"));
}

#[test]
fn registries_are_combined_with_all_versions() {
    let three = || {
        let registry = ToolRegistry::new().with(version("price", "1"));
        let registry = registry.with(with_alias(version("price", "2"), "cost"));
        registry.with(version("price", "3-rc.1"))
    };
    let all = ["3-rc.1", "2", "1"];
    let prefixed = three().prefixed("shop");
    prefixed.check().unwrap();
    assert_eq!(versions(&prefixed, "shop.price"), all);
    let renamed = three().renamed("price", "value");
    renamed.check().unwrap();
    assert_eq!(versions(&renamed, "value"), all);
    assert!(renamed.contains("value@2") && !renamed.contains("price@2"));
    let server = ToolRegistry::new().with_server("shop", three());
    server.check().unwrap();
    assert_eq!(versions(&server, "shop.price"), all);

    let stable = three().filtered(|spec| !spec.version().unwrap().contains('-'));
    assert_eq!(versions(&stable, "price"), ["2", "1"]);
    assert!(stable.contains("cost"));
    let none = three().filtered(|_| false);
    assert!(none.is_empty() && versions(&none, "price").is_empty());
    let lowest = three().filtered(|spec| spec.version() == Some("1"));
    assert_eq!(versions(&lowest, "price"), ["1"]);

    let mut gone = three();
    assert_eq!(gone.remove("price@1").unwrap().spec().version(), Some("1"));
    assert!(gone.remove("price@1").is_none());
    assert_eq!(versions(&gone, "price"), ["3-rc.1", "2"]);
    assert_eq!(
        gone.remove("price").unwrap().spec().version(),
        Some("3-rc.1")
    );
    assert!(gone.is_empty() && !gone.contains("price@2") && !gone.contains("cost"));

    for (rule, name) in [
        (OnCollision::Fail, None),
        (OnCollision::KeepExisting, Some("first")),
        (OnCollision::Replace, Some("second")),
    ] {
        let titled = |title: &'static str| {
            move |number: &'static str| version("price", number).spec(|spec| spec.with_title(title))
        };
        let (first, second) = (titled("first"), titled("second"));
        let mut merged = ToolRegistry::new().with(first("1")).with(first("2"));
        let other = ToolRegistry::new().with(second("3")).with(second("2"));
        let done = merged.merge(other, rule);
        assert_eq!(done.is_ok(), name.is_some());
        let Some(name) = name else {
            assert_eq!(versions(&merged, "price"), ["2", "1"]);
            continue;
        };
        merged.check().unwrap();
        assert_eq!(versions(&merged, "price"), ["3", "2", "1"]);
        let shown: Vec<&str> = merged
            .versions("price")
            .filter_map(ToolSpec::title)
            .collect();
        assert_eq!(shown, ["second", name, "first"]);
    }
}

#[tokio::test]
async fn each_version_is_judged_by_its_own_spec_and_the_same_rules() {
    // The lower one needs no capability, and is not at most once as the higher is.
    let bare = Executor::new(both()).unwrap();
    let two = r#"{"nights": 1, "guests": 1}"#;
    let denied = bare.call("price", two).await;
    assert_eq!(denied.error().unwrap().kind(), ErrorKind::CapabilityDenied);
    assert_eq!(
        by_host(&bare, "price@1.9.0", r#"{"nights": 1}"#).await,
        "80"
    );

    let root = std::env::temp_dir();
    for (rule, runs) in [
        (Rule::deny().tools(["price"]), false),
        (Rule::allow().tools(["price"]), true),
    ] {
        let at_most_once = version("price", "1").spec(|spec| {
            let effect = toolwright::spec::Effect::AtMostOnce;
            spec.with_effect(effect)
        });
        let registry = ToolRegistry::new()
            .with(at_most_once)
            .with(version("price", "2"));
        let default = Executor::new(registry.clone()).unwrap();
        assert_eq!(default.call("price", "{}").await.text(), "2");
        let asks = by_host(&default, "price@1", "{}").await;
        assert!(asks.contains("approval"), "{asks}");

        let policy = PermissionPolicy::builder(&root).rule(rule).build().unwrap();
        let builder = Executor::builder(registry).permission_checker(policy);
        let executor = builder.build().unwrap();
        for (name, text) in [("price", "2"), ("price@1", "1")] {
            let told = by_host(&executor, name, "{}").await;
            assert_eq!(told == text, runs, "{name}: {told}");
        }
    }
}

#[tokio::test]
async fn a_suspended_call_goes_on_with_the_version_that_it_began_with() {
    /// Deploy.
    #[tool(name = "deploy", version = "1", register = false)]
    fn deploy_1(place: String) -> String {
        format!("deployed to {place} by 1")
    }
    /// Deploy.
    #[tool(name = "deploy", version = "2", register = false)]
    fn deploy_2(place: String, fast: Option<bool>) -> String {
        format!("deployed to {place} by 2, {fast:?}")
    }
    async fn interrupt(executor: &Executor, name: &str) -> Suspension {
        let call = ToolCall::new(name, r#"{"place": "x"}"#).by_host();
        match executor.session("s").call(call).await {
            ToolOutcome::Suspended(waits) => waits,
            other => panic!("{other:?}"),
        }
    }
    let builder = Executor::builder(ToolRegistry::new().with(Deploy1));
    let executor = builder.approvals(WaitMode::Suspending).build().unwrap();
    let session = executor.session("s");
    let first = interrupt(&executor, "deploy").await;
    let edited = interrupt(&executor, "deploy").await;
    let gone = interrupt(&executor, "deploy").await;
    assert_eq!(first.ticket().call().version(), Some("1"));

    executor
        .update_tools(|tools| tools.register(Deploy2))
        .unwrap();
    let second = interrupt(&executor, "deploy").await;
    let by_version = interrupt(&executor, "deploy@1").await;
    for (waits, text) in [
        (&first, "deployed to x by 1"),
        (&second, "deployed to x by 2, None"),
        (&by_version, "deployed to x by 1"),
    ] {
        let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
        assert_eq!(outcome.text(), text);
    }
    // Arguments that a person gives are read by that version too.
    let with_new = json!({"place": "y", "fast": true});
    let refused = session
        .resume(edited.ticket(), Answer::edited(with_new))
        .await;
    assert!(refused.unwrap_err().to_string().contains("fast"));
    let answer = Answer::edited(json!({"place": "y"}));
    let outcome = session.resume(edited.ticket(), answer).await.unwrap();
    assert!(outcome.text().starts_with("deployed to y by 1"));

    executor
        .update_tools(|tools| {
            assert!(tools.remove("deploy@1").is_some());
            Ok(())
        })
        .unwrap();
    let error = session
        .resume(gone.ticket(), Answer::yes())
        .await
        .unwrap_err();
    assert_eq!(
        error.kind(),
        toolwright::ticket::TicketErrorKind::ChangedTool
    );
}

#[tokio::test]
async fn tools_call_versions_by_name() {
    let executor = executor(both().with(Relay));
    for (tool, text) in [("price@1.9.0", "80"), ("cost@1.9.0", "80")] {
        let arguments = json!({"tool": tool});
        assert_eq!(executor.call("relay", arguments).await.text(), text);
    }
    let arguments = json!({"tool": "price"}).to_string();
    let highest = executor.call("relay", &*arguments).await.text();
    assert!(highest.contains("`guests`"), "{highest}");
}

/// A body of a lower version that calls its own name gets the highest, and what it knows of itself is its
/// own: what it declares is what it may hand on.
#[tokio::test]
async fn a_lower_version_knows_itself() {
    /// Relay.
    #[tool(name = "relay", version = "2", read_only, register = false)]
    async fn relay_2(tool: String, ctx: &ToolContext) -> String {
        ctx.call(ToolCall::new(tool, json!({"nights": 1, "guests": 1})))
            .await
            .text()
    }
    /// Relay.
    #[tool(
        name = "relay",
        version = "1",
        read_only,
        capabilities("shop:read:prices"),
        register = false
    )]
    async fn relay_1(tool: String, ctx: &ToolContext) -> String {
        ctx.call(ToolCall::new(tool, json!({"nights": 1, "guests": 1})))
            .await
            .text()
    }
    let executor = executor(both().with(Relay1).with(Relay2));
    let price = r#"{"tool": "price"}"#;
    let by_highest = by_host(&executor, "relay", price).await;
    assert!(by_highest.contains("does not declare"), "{by_highest}");
    assert_eq!(by_host(&executor, "relay@1", price).await, "80");
    // Likewise after the tools were changed, and in a session of its own tools.
    executor
        .update_tools(|tools| tools.register(Relay))
        .unwrap_err();
    executor
        .update_tools(|tools| tools.register(version("further", "1")))
        .unwrap();
    assert_eq!(by_host(&executor, "relay@1", price).await, "80");
    let options = SessionOptions::new().tools(Selector::new(["relay", "price"]).unwrap());
    let session = executor.session_with("own", options);
    let call = ToolCall::new("relay@1", price).by_host();
    assert_eq!(session.call(call).await.text(), "80");
}

#[tokio::test]
async fn who_selects_and_limits_tools_means_all_versions() {
    let registry = || both().with(HandMade::new("other"));
    let executor = executor(registry());
    for (patterns, there) in [
        (&["*"][..], true),
        (&["price"], true),
        (&["cost"], true),
        (&["*", "!price"], false),
        (&["*", "!cost"], false),
        (&["other"], false),
    ] {
        let options = SessionOptions::new().tools(Selector::new(patterns).unwrap());
        let session = executor.session_with("selecting", options);
        let call = ToolCall::new("price@1.9.0", r#"{"nights": 1}"#).by_host();
        let outcome = session.call(call).await;
        assert_eq!(outcome.is_success(), there, "{patterns:?}");
        assert_eq!(session.tools().get("price").is_some(), there);
        let below = session.sub_session("below");
        let call = ToolCall::new("price@1.9.0", r#"{"nights": 1}"#).by_host();
        assert_eq!(below.call(call).await.is_success(), there, "{patterns:?}");
    }
    let selected = Selector::all().select(&executor.tools());
    let names: Vec<&str> = selected.names().iter().map(ToolName::as_str).collect();
    assert_eq!(names, ["other", "price"]);

    executor.set_feature_gate(FeatureGate::closed(
        "prices",
        Selector::new(["price"]).unwrap(),
        "closed",
    ));
    assert!(
        by_host(&executor, "price@1.9.0", "{}")
            .await
            .contains("no tool")
    );

    let limited =
        Executor::builder(registry()).limits(Limits::new().max_concurrent_of("price@3", 1));
    let error = limited.build().unwrap_err();
    assert!(matches!(
        error.problems()[0],
        BuildProblem::UnknownTool { .. }
    ));
    for name in ["price", "price@1.9.0"] {
        Executor::builder(registry())
            .limits(Limits::new().max_concurrent_of(name, 1))
            .build()
            .unwrap();
    }
    // A tool for the app alone is that in all its versions.
    let mut hidden = registry();
    assert!(hidden.unadvertise("cost"));
    let tools = hidden.freeze().unwrap();
    assert_eq!(tools.specs().len(), 1);
    assert_eq!((tools.len(), tools.versions("price").count()), (3, 2));
}

#[tokio::test]
async fn models_are_told_of_a_version_that_takes_the_place_of_another() {
    let events = MemoryEvents::new(10);
    let builder = Executor::builder(ToolRegistry::new().with(version("price", "1")));
    let executor = builder.events(events.clone()).build().unwrap();
    let told = || {
        let names = |names: &[ToolName]| names.len();
        let told = events.take();
        told.iter()
            .map(|event| match event.kind() {
                EventKind::ToolsChanged {
                    added,
                    removed,
                    changed,
                    ..
                } => (names(added), names(removed), names(changed)),
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    let turn = executor.session("s").turn();
    executor
        .update_tools(|tools| tools.register(version("price", "2")))
        .unwrap();
    assert_eq!(told(), [(0, 0, 1)]);
    // A change that no model sees is no change for it.
    executor
        .update_tools(|tools| tools.register(version("price", "0.5")))
        .unwrap();
    assert!(told().is_empty());
    assert_eq!(turn.call(ToolCall::new("price", "")).await.text(), "1");
    assert_eq!(executor.call("price", "").await.text(), "2");
    assert_eq!(by_host(&executor, "price@0.5", "").await, "0.5");
    executor.replace_tools(ToolRegistry::new()).unwrap();
    let gone = executor.call("price", "").await;
    assert_eq!(gone.error().unwrap().code(), "tool_removed");
    let denied = Executor::builder(both())
        .permission_checker(DenyAll)
        .build()
        .unwrap();
    assert!(
        !by_host(&denied, "price@1.9.0", r#"{"nights": 1}"#)
            .await
            .contains("80")
    );
}

#[test]
fn names_for_providers_and_lints_are_those_of_the_highest_version() {
    let registry = ToolRegistry::new()
        .with(version("shop.price", "1"))
        .with(version("shop.price", "2"))
        .with(version("shop_price", "1"));
    assert!(
        registry
            .lint()
            .iter()
            .all(|lint| lint.tool() != "shop.price@1")
    );
    let alone = ToolRegistry::new()
        .with(version("shop.price", "2"))
        .with(version("shop_price", "1"));
    assert_eq!(registry.lint(), alone.lint());
    let (tools, alone) = (registry.freeze().unwrap(), alone.freeze().unwrap());
    let wire = tools.wire_name("shop.price").unwrap();
    assert_eq!(Some(wire), alone.wire_name("shop.price"));
    assert_eq!(tools.get(wire).unwrap().spec().version(), Some("2"));
    assert_eq!(tools.to_json().unwrap(), alone.to_json().unwrap());
}
