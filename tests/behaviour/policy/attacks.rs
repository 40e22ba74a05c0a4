//! Calls that try to get around a policy by how they are written.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright::permission::HostAccess;
use toolwright::{
    Executor, PermissionRequest, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool, tool_type,
};
use toolwright_policy::{ArgumentTest, DefaultDecision, PermissionPolicy, PolicyBuilder, Rule};

use crate::support::Trace;

/// The target of a shipment.
#[tool_type]
#[derive(Clone)]
struct Target {
    #[arg(aliases("env"), default = "test")]
    stage: String,
    #[arg(default = 1)]
    copies: u32,
}

/// Ship a build.
#[tool(name = "ship", aliases("deploy"), register = false)]
fn ship(
    #[arg(aliases("dest"))] target: Target,
    #[arg(aliases("really"), default = true)] force: bool,
    count: Option<u64>,
    #[arg(default = 0.5)] share: f64,
    #[arg(secret, default = "prod")] account: String,
    tags: Option<Vec<String>>,
    ran: &Trace,
) {
    ran.note(format!(
        "{} {} {force} {count:?} {share} {account} {tags:?}",
        target.stage, target.copies
    ));
}

/// Connect to some hosts, first and then on the way.
#[tool(
    read_only,
    register = false,
    permission = hosts.iter().map(|to| connect(to)).collect::<Vec<_>>()
)]
async fn fetch(
    hosts: Vec<String>,
    #[arg(default = Vec::new())] then: Vec<String>,
    ran: &Trace,
    ctx: &ToolContext,
) -> Result<(), ToolError> {
    for to in then {
        ctx.check(connect(&to)).await?;
    }
    ran.note(format!("fetched {}", hosts.len()));
    Ok(())
}

/// A request made by hand, with whatever target.
fn connect(to: &str) -> PermissionRequest {
    PermissionRequest::new("network.connect", to, format!("Connect to {to}"))
}

/// Connect to a host.
#[tool(read_only, register = false, permission = HostAccess::url(url))]
fn get(url: String, ran: &Trace) {
    ran.note(url);
}

struct Setup {
    executor: Executor,
    ran: Trace,
}

impl Setup {
    fn new(policy: impl FnOnce(PolicyBuilder) -> PolicyBuilder) -> Self {
        let ran = Trace::default();
        let policy = policy(PermissionPolicy::builder("/srv/app").shared(true));
        let tools = ToolRegistry::new().with(Ship).with(Fetch).with(Get);
        let executor = Executor::builder(tools)
            .resource_arc(Arc::new(ran.clone()))
            .permission_checker(policy.build().unwrap())
            .build()
            .unwrap();
        Self { executor, ran }
    }

    /// All tools run, but for what a rule on arguments denies.
    fn denying(pointer: &str, test: ArgumentTest) -> Self {
        Self::new(|policy| {
            policy
                .rule(Rule::allow().tools(["*"]))
                .rule(Rule::deny().argument(pointer, test))
        })
    }

    async fn call(&self, tool: &str, arguments: impl Into<String>) -> Said {
        let outcome = self.executor.call(tool, arguments.into()).await;
        let said = said(&outcome);
        assert_eq!(self.ran.take().len(), usize::from(said == Said::Runs));
        said
    }

    async fn ship(&self, arguments: Value) -> Said {
        let text = self.call("ship", arguments.to_string()).await;
        // By another name of the tool the same holds.
        assert_eq!(self.call("deploy", arguments.to_string()).await, text);
        text
    }

    async fn fetch(&self, hosts: &[&str], then: &[&str]) -> Said {
        let arguments = json!({"hosts": hosts, "then": then});
        let outcome = self.executor.call("fetch", arguments).await;
        self.ran.take();
        said(&outcome)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Runs,
    Asks,
    Denied,
}

#[track_caller]
fn said(outcome: &ToolOutcome) -> Said {
    match outcome.error().map(ToolError::code) {
        None => Said::Runs,
        Some("approval_unavailable") => Said::Asks,
        Some("denied") => Said::Denied,
        Some(_) => panic!("{}", outcome.text()),
    }
}

fn equals(value: Value) -> ArgumentTest {
    ArgumentTest::Equals(value)
}

#[tokio::test]
async fn a_denied_argument_is_denied_by_each_of_its_names_and_by_default() {
    let setup = Setup::denying("/force", equals(json!(true)));
    for arguments in [
        json!({"target": {}}),
        json!({"target": {}, "force": true}),
        json!({"target": {}, "really": true}),
        json!({"dest": {}, "really": true}),
        json!({"target": {}, "force": null}),
        // Repaired.
        json!({"target": {}, "force": "true"}),
        json!({"target": "{}", "really": "true"}),
    ] {
        assert_eq!(
            setup.ship(arguments.clone()).await,
            Said::Denied,
            "{arguments}"
        );
    }
    let gentle = json!({"target": {}, "really": false});
    assert_eq!(setup.ship(gentle).await, Said::Runs);
}

#[tokio::test]
async fn another_name_of_a_member_within_an_argument_hides_nothing_from_a_denial() {
    let setup = Setup::denying("/target/stage", equals(json!("prod")));
    assert_eq!(setup.ship(json!({"target": {}})).await, Said::Runs);
    assert_eq!(
        setup.ship(json!({"target": {"stage": "prod"}})).await,
        Said::Denied
    );
    for target in [
        json!({"env": "prod"}),
        json!({"env": "test"}),
        json!("{\"env\": \"prod\"}"),
    ] {
        let said = setup.ship(json!({"target": target})).await;
        assert_eq!(said, Said::Asks, "{target}");
    }
    // As a whole, and as what is there or is not.
    let whole = equals(json!({"stage": "prod", "copies": 1}));
    let setup = Setup::denying("/target", whole);
    assert_eq!(
        setup.ship(json!({"target": {"env": "prod"}})).await,
        Said::Asks
    );
    let setup = Setup::new(|policy| {
        let test = equals(json!("test"));
        policy.rule(
            Rule::allow()
                .tools(["ship"])
                .argument("/target/stage", test),
        )
    });
    assert_eq!(setup.ship(json!({"target": {}})).await, Said::Runs);
    assert_eq!(
        setup.ship(json!({"target": {"env": "prod"}})).await,
        Said::Asks
    );
}

#[tokio::test]
async fn a_denied_number_is_denied_however_it_is_written() {
    let setup = Setup::denying("/count", equals(json!(1)));
    for count in ["1", "1.0", "1e0", "10e-1", "\"1\"", "0.1e1"] {
        let text = format!("{{\"target\": {{}}, \"count\": {count}}}");
        assert_eq!(setup.call("ship", text).await, Said::Denied, "{count}");
    }
    let setup = Setup::denying("/count", equals(json!(u64::MAX)));
    let at = |count: u64| json!({"target": {}, "count": count});
    assert_eq!(setup.ship(at(u64::MAX)).await, Said::Denied);
    assert_eq!(setup.ship(at(u64::MAX - 1)).await, Said::Runs);
    let least = ArgumentTest::Range {
        min: json!(9_007_199_254_740_993_u64).as_number().cloned(),
        max: None,
    };
    let setup = Setup::denying("/count", least);
    assert_eq!(setup.ship(at(9_007_199_254_740_993)).await, Said::Denied);
    assert_eq!(setup.ship(at(9_007_199_254_740_992)).await, Said::Runs);
}

#[tokio::test]
async fn trap_null_arguments_are_judged_like_those_that_are_left_out() {
    let setup = Setup::denying("/count", ArgumentTest::Present(false));
    assert_eq!(setup.ship(json!({"target": {}})).await, Said::Denied);
    assert_eq!(
        setup.ship(json!({"target": {}, "count": null})).await,
        Said::Denied
    );
    assert_eq!(
        setup.ship(json!({"target": {}, "count": 2})).await,
        Said::Runs
    );
    let setup = Setup::denying("/tags/0", equals(json!("hot")));
    assert_eq!(
        setup.ship(json!({"target": {}, "tags": ["hot"]})).await,
        Said::Denied
    );
    // A text in place of a list is repaired to a list of it.
    assert_ne!(
        said(
            &setup
                .executor
                .call("ship", json!({"target": {}, "tags": "[\"hot\"]"}))
                .await
        ),
        Said::Runs
    );
}

#[tokio::test]
async fn a_denial_by_a_secret_asks_even_of_one_that_is_left_out() {
    let setup = Setup::denying("/account", equals(json!("prod")));
    for arguments in [
        json!({"target": {}, "account": "prod"}),
        json!({"target": {}, "account": "test"}),
        // Its default is a secret too.
        json!({"target": {}}),
    ] {
        assert_eq!(
            setup.ship(arguments.clone()).await,
            Said::Asks,
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn one_allowed_host_takes_no_other_along() {
    let setup = Setup::new(|policy| {
        policy
            .default_verdict(DefaultDecision::Ask)
            .rule(Rule::allow().hosts(["good.example"]))
            .rule(Rule::deny().hosts(["10.0.0.0/8"]))
    });
    assert_eq!(
        setup.fetch(&["good.example"], &["good.example"]).await,
        Said::Runs
    );
    assert_eq!(
        setup.fetch(&["good.example", "x.example"], &[]).await,
        Said::Asks
    );
    assert_eq!(
        setup.fetch(&["good.example"], &["x.example"]).await,
        Said::Asks
    );
    assert_eq!(
        setup
            .fetch(&["good.example"], &["[::ffff:10.0.0.1]:80"])
            .await,
        Said::Denied
    );
    assert_eq!(
        setup.fetch(&["x.example", "10.0.0.1"], &[]).await,
        Said::Denied
    );
    assert_eq!(setup.fetch(&[], &[]).await, Said::Asks);
    assert_eq!(setup.fetch(&[], &["good.example"]).await, Said::Asks);
}

#[tokio::test]
async fn rules_for_one_tool_allow_nothing_to_another_on_its_way() {
    let setup = Setup::new(|policy| {
        policy
            .default_verdict(DefaultDecision::Deny)
            .rule(Rule::allow().tools(["get"]).hosts(["x.example"]))
            .rule(Rule::allow().tools(["fetch"]).hosts(["good.example"]))
    });
    assert_eq!(setup.fetch(&["good.example"], &[]).await, Said::Runs);
    assert_eq!(
        setup.fetch(&["good.example"], &["x.example"]).await,
        Said::Denied
    );
    assert_eq!(
        setup.call("get", r#"{"url": "https://x.example"}"#).await,
        Said::Runs
    );
    assert_eq!(
        setup
            .call("get", r#"{"url": "https://good.example"}"#)
            .await,
        Said::Denied
    );
    // A tool that only reads is denied by this default as any other.
    assert_eq!(setup.fetch(&[], &[]).await, Said::Denied);
    assert_eq!(setup.ship(json!({"target": {}})).await, Said::Denied);
}

#[tokio::test]
async fn no_url_leads_around_a_denied_host() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().tools(["*"]))
            .rule(Rule::deny().hosts(["localhost", "10.0.0.0/8", "bücher.example", "evil.example"]))
    });
    for url in [
        "http://127.1/",
        "http://0/",
        "http://0x7f.0.0.1",
        "http://0177.0.0.01",
        "http://[::]/",
        "http://[0:0:0:0:0:FFFF:7F00:1]:65535/",
        "http://[::ffff:0a00:0001]",
        "http://[64:ff9b::10.0.0.1]",
        "http://LOCALHOST.:0/",
        "http://a.LocalHost/",
        "http://167772161/",
        "http://012.1/",
        "http://①⓪.0.0.1/",
        "http://good.example@evil.example/",
        "http://good.example:x@evil.example",
        "http://EVIL.example./",
        "http://evil%2Eexample",
        "http://ev\til.exam\nple",
        "https:evil.example",
        "http:/\\evil.example",
        "https://BÜCHER.example",
        "https://xn--BCHER-kva.example.",
        "https://bu\u{308}cher.example",
    ] {
        let arguments = json!({"url": url}).to_string();
        assert_eq!(setup.call("get", arguments).await, Said::Denied, "{url}");
    }
    let fine = json!({"url": "https://evil.example@good.example"}).to_string();
    assert_eq!(setup.call("get", fine).await, Said::Runs);
}

#[tokio::test]
async fn no_target_made_by_hand_leads_around_a_denied_host() {
    let setup = Setup::new(|policy| {
        policy
            .rule(Rule::allow().tools(["*"]))
            .rule(Rule::deny().hosts(["::1", "fd00::/8", "evil.example:443"]))
    });
    for target in [
        "",
        " ",
        "0",
        "0x7f.1:80",
        "127.1",
        "2130706433:80",
        "::1:80",
        "::1%lo",
        "[::1%lo]:80",
        "fe80::1%eth0",
        "user@[::1]:80",
        "http://[::1]/",
        "[::1]:http",
        "[::1]:65536",
        "[::1]80",
        "evil.example:+443x",
        "evil.example..",
        "evil.example",
        "ｅvil.example:443",
        "evil。example:443",
        "evil.example:443/",
        "evil.example :443",
        "evil.example\0:443",
    ] {
        assert_ne!(setup.fetch(&[target], &[]).await, Said::Runs, "{target:?}");
        assert_ne!(setup.fetch(&[], &[target]).await, Said::Runs, "{target:?}");
    }
    for target in [
        "::1",
        "[::1]:0",
        "[0::1]:80",
        "fdab::",
        "EVIL.EXAMPLE.:0443",
        "127.0.0.1:1",
    ] {
        assert_eq!(setup.fetch(&[target], &[]).await, Said::Denied, "{target}");
    }
    assert_eq!(
        setup.fetch(&["evil.example:80", "[fe80::1]"], &[]).await,
        Said::Runs
    );
}

#[tokio::test]
async fn a_rule_by_another_name_of_an_argument_is_no_rule() {
    let problems = |shared: bool, tool: &str, pointer: &str| {
        let rule = Rule::deny()
            .tools([tool])
            .argument(pointer, equals(json!(true)));
        let policy = PermissionPolicy::builder("/srv/app")
            .shared(shared)
            .rule(rule);
        let tools = ToolRegistry::new().with(Ship).with(Fetch).with(Get);
        Executor::builder(tools)
            .resource(Trace::default())
            .permission_checker(policy.build().unwrap())
            .build()
            .err()
            .map(|error| error.to_string())
    };
    for shared in [true, false] {
        let told = problems(shared, "ship", "/really").unwrap();
        assert!(
            told.contains("`really` is another name of the argument `force` of `ship`"),
            "{told}"
        );
        assert!(
            problems(shared, "*", "/dest/copies")
                .unwrap()
                .contains("write `target`")
        );
        assert_eq!(problems(shared, "ship", "/force"), None);
        assert_eq!(problems(shared, "get", "/really"), None);
        // A tool by another name is reported as well.
        assert!(
            problems(shared, "deploy", "/force")
                .unwrap()
                .contains("write `ship`")
        );
    }
    assert!(
        problems(false, "shp", "/force")
            .unwrap()
            .contains("did you mean `ship`?")
    );
    assert_eq!(problems(true, "shp", "/force"), None);
}
