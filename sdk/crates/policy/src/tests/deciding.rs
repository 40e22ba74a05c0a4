//! The rules that decide about tools, calls and requests of an app's own kinds.

use serde_json::json;

use super::*;
use toolwright::permission::TOOL_CHANGED;
use toolwright::spec::{Capability, ToolAnnotations};

fn of_tool(policy: &PermissionPolicy, tool: &ToolSpec) -> Said {
    judged(policy, tool, &json!({}), &[])
}

fn deploy(target: &str) -> PermissionRequest {
    PermissionRequest::new("deploy", target, "Deploy")
}

#[test]
fn what_no_rule_speaks_of_goes_by_the_default() {
    let by = |default, tool: &ToolSpec| {
        let policy = PermissionPolicy::builder("/").default_verdict(default);
        of_tool(&policy.build().unwrap(), tool)
    };
    assert_eq!(by(DefaultDecision::ReadOnly, &reader("a")), Said::Allow);
    assert_eq!(by(DefaultDecision::ReadOnly, &tool("a")), Said::Ask);
    assert_eq!(by(DefaultDecision::Ask, &reader("a")), Said::Ask);
    assert_eq!(by(DefaultDecision::Deny, &reader("a")), Said::Deny);
}

#[test]
fn the_most_specific_rule_decides_and_a_denial_always_does() {
    let rules = [
        Rule::ask().tools(["fs.*"]),
        Rule::allow().tools(["fs.read*"]),
        Rule::ask().tools(["fs.read_all"]),
        Rule::deny().tools(["fs.remove"]),
        Rule::allow().tools(["fs.remove", "fs.rename"]),
    ];
    let policy = policy(rules);
    assert_eq!(of_tool(&policy, &reader("fs.list")), Said::Ask);
    assert_eq!(of_tool(&policy, &tool("fs.read")), Said::Allow);
    assert_eq!(of_tool(&policy, &tool("fs.read_all")), Said::Ask);
    assert_eq!(of_tool(&policy, &tool("fs.remove")), Said::Deny);
    assert_eq!(of_tool(&policy, &tool("mail.send")), Said::Ask);
}

#[test]
fn what_cannot_be_compared_asks() {
    let destructive = AnnotationTest::given(AnnotationName::Destructive);
    let rules = [
        Rule::allow().tools(["fs.write"]),
        Rule::ask().hints([destructive]),
    ];
    let harmful = tool("fs.write").with_annotations(ToolAnnotations::new().with_destructive(true));
    assert_eq!(of_tool(&policy(rules.clone()), &harmful), Said::Ask);
    assert_eq!(
        of_tool(&policy(rules.clone()), &tool("fs.write")),
        Said::Allow
    );
    // A rule with both conditions is closer than either.
    let both = Rule::allow().tools(["fs.write"]).hints([destructive]);
    let rules = rules.into_iter().chain([both]);
    assert_eq!(of_tool(&policy(rules), &harmful), Said::Allow);
    // Two that say the same and do not agree.
    let rules = [
        Rule::allow().tools(["a", "b"]),
        Rule::ask().tools(["a", "c"]),
    ];
    assert_eq!(of_tool(&policy(rules), &tool("a")), Said::Ask);
}

#[test]
fn effects_hints_and_capabilities_are_conditions() {
    let not_open = AnnotationTest::missing(AnnotationName::OpenWorld);
    let rules = [
        Rule::allow()
            .effects([Effect::Idempotent])
            .hints([not_open]),
        Rule::deny().capabilities(["net:*:*"]),
    ];
    let policy = policy(rules);
    let twice = tool("a").with_effect(Effect::Idempotent);
    assert_eq!(of_tool(&policy, &twice), Said::Allow);
    let open = ToolAnnotations::new().with_open_world(true);
    assert_eq!(
        of_tool(&policy, &twice.clone().with_annotations(open)),
        Said::Ask
    );
    let net = Capability::new("net:connect:example.org:443").unwrap();
    assert_eq!(of_tool(&policy, &twice.with_capability(net)), Said::Deny);
}

#[test]
fn arguments_decide_about_calls() {
    let to = |value| ArgumentTest::Equals(value);
    let policy = policy([
        Rule::allow().tools(["mail.send"]),
        Rule::ask()
            .tools(["mail.send"])
            .argument("/to", to(json!("all"))),
        Rule::deny()
            .tools(["mail.*"])
            .argument("/to", to(json!("all")))
            .argument("/urgent", ArgumentTest::Present(true)),
    ]);
    let mail = tool("mail.send");
    assert_eq!(
        judged(&policy, &mail, &json!({"to": "ada"}), &[]),
        Said::Allow
    );
    assert_eq!(
        judged(&policy, &mail, &json!({"to": "all"}), &[]),
        Said::Ask
    );
    let urgent = json!({"to": "all", "urgent": 1});
    assert_eq!(judged(&policy, &mail, &urgent, &[]), Said::Deny);
    assert!(policy.looks_at_arguments(&mail));
    assert!(!policy.looks_at_arguments(&tool("fs.read")));
    assert_eq!(policy.check_tool(&mail), Verdict::Allow);
}

#[test]
fn a_secret_is_unknown_and_what_may_be_denied_asks() {
    let mail = tool("mail.send").with_secret("key");
    let equals = || ArgumentTest::Equals(json!("k"));
    let rules = |rule: Rule| {
        policy([
            Rule::allow().tools(["mail.send"]),
            rule.argument("/key", equals()),
        ])
    };
    let sent = json!({"key": "k"});
    for rule in [Rule::deny(), Rule::ask()] {
        assert_eq!(judged(&rules(rule), &mail, &sent, &[]), Said::Ask);
    }
    let only = policy([Rule::allow().argument("/key", equals())]);
    assert_eq!(judged(&only, &mail, &sent, &[]), Said::Ask);
    // A rule that may deny makes no denial milder.
    let strict = PermissionPolicy::builder("/")
        .default_verdict(DefaultDecision::Deny)
        .rule(Rule::deny().argument("/key", equals()));
    assert_eq!(
        judged(&strict.build().unwrap(), &mail, &sent, &[]),
        Said::Deny
    );
}

#[test]
fn what_may_be_denied_asks_though_each_request_is_allowed() {
    let deployer = tool("deploy").with_secret("key");
    let may_deny = || Rule::deny().argument("/key", ArgumentTest::Equals(json!("k")));
    let allowed = || Rule::allow().kinds(["deploy"]);
    for (default, expected) in [
        (DefaultDecision::ReadOnly, Said::Ask),
        (DefaultDecision::Ask, Said::Ask),
        // No milder than without the rule, for a call that requests nothing.
        (DefaultDecision::Deny, Said::Deny),
    ] {
        let of = |rules: Vec<Rule>, requests: &[PermissionRequest]| {
            let policy = PermissionPolicy::builder("/")
                .default_verdict(default)
                .rules(rules)
                .build()
                .unwrap();
            judged(&policy, &deployer, &json!({"key": "x"}), requests)
        };
        assert_eq!(of(vec![allowed()], &[deploy("x")]), Said::Allow);
        assert_eq!(of(vec![allowed(), may_deny()], &[deploy("x")]), expected);
        assert_eq!(of(vec![allowed(), may_deny()], &[]), expected);
    }
}

#[test]
fn a_capability_outweighs_none_but_what_speaks_of_it() {
    let capability = |text: &'static str| Capability::new(text).unwrap();
    let both = tool("t")
        .with_capability(capability("fs:read:/data"))
        .with_capability(capability("net:connect:example.org"));
    let of = |asked: &str, allowed: &str| {
        let rules = [
            Rule::ask().capabilities([asked]),
            Rule::allow().capabilities([allowed]),
        ];
        of_tool(&policy(rules), &both)
    };
    assert_eq!(of("fs:*:*", "fs:read:*"), Said::Allow);
    assert_eq!(of("fs:read:/*", "fs:read:/data"), Said::Allow);
    assert_eq!(of("fs:read:*", "fs:*:*"), Said::Ask);
    // Each says something that the other does not.
    assert_eq!(of("fs:read:*", "fs:*:/data"), Said::Ask);
    assert_eq!(of("net:*:*", "fs:read:/data"), Said::Ask);
}

#[test]
fn of_many_reasons_a_few_are_told() {
    let policy = policy([Rule::allow().commands(["ls"])]);
    let line: Vec<String> = (0..1_000).map(|number| format!("c{number}")).collect();
    let request = PermissionRequest::new("command.run", line.join(";"), "");
    let explanation = explained(&policy, &tool("t"), &json!({}), &[request]);
    let Verdict::Ask(ask) = &explanation.verdict else {
        panic!("{:?}", explanation.verdict);
    };
    assert!(
        ask.why().ends_with("the command `c2` and more"),
        "{}",
        ask.why()
    );
}

#[test]
fn what_is_said_of_requests_outweighs_the_default() {
    let policy = policy([Rule::allow().kinds(["deploy"]).targets(["test-*", "lab"])]);
    let of =
        |requests: &[PermissionRequest]| judged(&policy, &tool("deploy"), &json!({}), requests);
    assert_eq!(of(&[deploy("test-1")]), Said::Allow);
    assert_eq!(of(&[deploy("lab")]), Said::Allow);
    assert_eq!(of(&[deploy("lab-2")]), Said::Ask);
    assert_eq!(of(&[deploy("test-1"), deploy("production")]), Said::Ask);
    assert_eq!(of(&[]), Said::Ask);
}

#[test]
fn what_a_rule_says_of_the_tool_counts_besides() {
    let asks = policy([
        Rule::ask().tools(["deploy"]),
        Rule::allow().kinds(["deploy"]),
    ]);
    let deployer = tool("deploy");
    assert_eq!(
        judged(&asks, &deployer, &json!({}), &[deploy("x")]),
        Said::Ask
    );
    // And it is what counts for a request of which nothing is said.
    let allows = policy([
        Rule::allow().tools(["deploy"]),
        Rule::deny().kinds(["undeploy"]),
    ]);
    assert_eq!(
        judged(&allows, &deployer, &json!({}), &[deploy("x")]),
        Said::Allow
    );
    let undeploy = PermissionRequest::new("undeploy", "x", "");
    assert_eq!(
        judged(&allows, &deployer, &json!({}), &[deploy("x"), undeploy]),
        Said::Deny
    );
}

#[test]
fn kinds_are_named_whole_or_by_their_beginning() {
    let policy = policy([
        Rule::allow().tools(["db"]),
        Rule::ask().kinds(["db.*"]),
        Rule::allow().kinds(["db.read"]),
        Rule::ask().kinds(["db.read"]).targets(["users"]),
    ]);
    let of = |kind: &'static str, target: &str| {
        let request = PermissionRequest::new(kind, target, "");
        judged(&policy, &reader("db"), &json!({}), &[request])
    };
    assert_eq!(of("db.read", "orders"), Said::Allow);
    assert_eq!(of("db.read", "users"), Said::Ask);
    assert_eq!(of("db.drop", "orders"), Said::Ask);
    assert_eq!(of("db", "orders"), Said::Allow);
}

#[test]
fn a_changed_tool_asks_unless_a_rule_speaks_of_the_change() {
    let changed = || PermissionRequest::new(TOOL_CHANGED, "far.pay@1", "");
    for (rules, said) in [
        (vec![Rule::allow().tools(["pay"])], Said::Ask),
        (vec![], Said::Ask),
        (vec![Rule::deny().tools(["pay"])], Said::Deny),
        (
            vec![
                Rule::allow().tools(["pay"]),
                Rule::allow().kinds([TOOL_CHANGED]).targets(["far.pay@1"]),
            ],
            Said::Allow,
        ),
        (vec![Rule::deny().kinds([TOOL_CHANGED])], Said::Deny),
    ] {
        let is_of = format!("{rules:?}");
        let policy = policy(rules);
        let judged = judged(&policy, &reader("pay"), &json!({}), &[changed()]);
        assert_eq!(judged, said, "{is_of}");
    }
}

#[test]
fn outside_is_denied_whatever_rules_say() {
    let policy = policy([Rule::allow().tools(["*"]), Rule::allow().kinds(["*"])]);
    let outside = deploy("x").with_containment(toolwright::permission::PathScope::Outside);
    assert_eq!(
        judged(&policy, &reader("a"), &json!({}), &[outside]),
        Said::Deny
    );
}

#[test]
fn the_model_reads_what_was_denied() {
    let because = |policy: &PermissionPolicy, request: &PermissionRequest| {
        let spec = tool("t");
        let arguments = Arguments::from("");
        match policy.check_request(&CallView::new(&spec, &arguments), request) {
            Verdict::Deny(denial) => denial.reason().to_owned(),
            other => format!("{other:?}"),
        }
    };
    let reason = policy([Rule::deny().kinds(["deploy"]).because("it is Friday")]);
    assert_eq!(because(&reason, &deploy("x")), "it is Friday");
    let plain = policy([Rule::deny().kinds(["deploy"]).targets(["prod*"])]);
    assert_eq!(
        because(&plain, &deploy("prod-1")),
        "the policy denies `deploy` of `prod*`"
    );
    let tools = policy([Rule::deny().tools(["t*"])]);
    match tools.check_tool(&tool("t")) {
        Verdict::Deny(denial) => assert_eq!(denial.reason(), "the policy denies the tool `t`"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_for_a_file_is_judged_without_an_allocation() {
    let policy = policy([
        Rule::allow().tools(["mail.*"]),
        Rule::allow().commands(["git log"]),
        Rule::allow().tools(["fs.*"]).reads(["src", "docs/**/*.md"]),
    ]);
    let spec = tool("fs.read");
    let arguments = Arguments::from("{}");
    let call = CallView::new(&spec, &arguments);
    let request = PermissionRequest::new("file.read", "/srv/app/src/a/b.rs", "");
    let mut verdict = None;
    let info =
        allocation_counter::measure(|| verdict = Some(policy.check_request(&call, &request)));
    assert_eq!(verdict, Some(Verdict::Allow));
    assert_eq!(info.count_total, 0);
}

#[test]
fn an_app_s_own_kinds_and_targets_go_by_their_letters() {
    let policy = policy([
        Rule::allow().tools(["a"]),
        Rule::allow().kinds(["deploy"]).targets(["test*"]),
        Rule::deny().kinds(["deploy*"]).targets(["test-prod*"]),
        Rule::deny().kinds(["net*"]),
    ]);
    let at = |kind: &'static str, target: &'static str| {
        let request = PermissionRequest::new(kind, target, "Do it");
        judged(&policy, &reader("a"), &Value::Null, &[request])
    };
    assert_eq!(at("deploy", "test-a"), Said::Allow);
    assert_eq!(at("deploy", "test-prod-1"), Said::Deny);
    assert_eq!(at("deployment", "test-prod"), Said::Deny);
    // All hosts are of that kind.
    assert_eq!(at("network.connect", "0x7f.1"), Said::Deny);
    assert_eq!(at("network", "x"), Said::Deny);
    // For another kind, the verdict on the tool.
    assert_eq!(at("deplo", "test"), Said::Allow);
    assert_eq!(at("Deploy", "test"), Said::Allow);
}
