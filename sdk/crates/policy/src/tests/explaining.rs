//! The words of explanations.

use serde_json::json;

use super::*;

#[test]
fn an_explanation_names_what_decided_and_what_did_not() {
    let policy = policy([
        Rule::allow().tools(["mail.*"]),
        Rule::ask()
            .tools(["mail.send"])
            .because("mails cannot be called back"),
        Rule::deny().kinds(["spam"]),
    ]);
    let mail = tool("mail.send");
    let requests = [
        PermissionRequest::new("mail", "ada", ""),
        PermissionRequest::new("spam", "all", ""),
    ];
    let explanation = explained(&policy, &mail, &json!({}), &requests);
    assert_eq!(said(&explanation.verdict), Said::Deny);
    let [call, mail, spam] = explanation.subjects.as_slice() else {
        panic!("{explanation:#?}");
    };
    assert_eq!(
        (call.verdict, call.rule.as_ref().unwrap().to_string()),
        (RuleVerdict::Ask, "ask rule 1".into())
    );
    assert_eq!(call.others[0].rule.to_string(), "allow rule 1");
    assert_eq!(call.others[0].why, "less specific");
    assert!(mail.inherited && mail.request == Some(0));
    assert_eq!(spam.reason, "the policy denies `spam`");
    assert_eq!(spam.rule.as_ref().unwrap().number(), Some(1));
    assert!(spam.advice.starts_with("deny rule 1 would have to go"));
    assert_eq!(
        explanation.to_string(),
        "`mail.send` is denied: the policy denies `spam`\n\
         - the tool `mail.send`: ask, by ask rule 1\n    \
             because mails cannot be called back\n    \
             not by allow rule 1: less specific\n    \
             a rule that allows `tools = [\"mail.send\"]` and is more specific than ask rule 1 would let it run\n\
         - `mail` of `ada`: ask, as the call, by ask rule 1\n    \
             because mails cannot be called back\n    \
             a rule that allows `kinds = [\"mail\"]` with `targets = [\"ada\"]` and is more specific than \
             ask rule 1 would let it run\n\
         - `spam` of `all`: deny, by deny rule 1\n    \
             because the policy denies `spam`\n    \
             deny rule 1 would have to go or to say less: no rule outweighs a denial"
    );
    let data = serde_json::to_value(&explanation).unwrap();
    assert_eq!(data["verdict"], "deny");
    assert_eq!(data["subjects"][2]["rule"], "deny rule 1");
}

#[test]
fn what_is_said_by_default_does_not_count_besides_requests() {
    let policy = policy([Rule::allow().kinds(["deploy"])]);
    let request = PermissionRequest::new("deploy", "x", "");
    let explanation = explained(&policy, &tool("t"), &json!({}), &[request]);
    assert_eq!(said(&explanation.verdict), Said::Allow);
    assert!(!explanation.subjects[0].counts);
    assert!(explanation.subjects[1].counts);
}

#[test]
fn the_advice_names_the_condition_and_the_rule_to_outweigh() {
    let asking = policy([Rule::ask().tools(["mail.*"])]);
    let silent = policy([Rule::allow().tools(["fs.*"])]);
    let advice = |policy: &PermissionPolicy, requests: &[PermissionRequest]| {
        let explanation = explained(policy, &tool("mail.send"), &json!({}), requests);
        explanation.subjects.last().unwrap().advice.clone()
    };
    assert_eq!(
        advice(&asking, &[]),
        "a rule that allows `tools = [\"mail.send\"]` and is more specific than ask rule 1 would let it run"
    );
    for (kind, target, condition) in [
        (
            "deploy",
            "a\"b",
            "`kinds = [\"deploy\"]` with `targets = [\"a\\\"b\"]`",
        ),
        (
            "network.connect",
            "example.org:443",
            "`hosts = [\"example.org:443\"]`",
        ),
        ("file.write", "/srv/app/a[1]", r#"`writes = ["a\\[1\\]"]`"#),
        ("file.read", "/etc/x", "`reads = [\"/etc/x\"]`"),
    ] {
        let request = PermissionRequest::new(kind, target, "");
        let expected = format!("a rule that allows {condition} would let it run");
        assert_eq!(advice(&silent, &[request]), expected);
    }
    let request = PermissionRequest::new("deploy", "a*", "");
    assert!(advice(&silent, &[request]).starts_with("no rule can name it as it is"));
}

#[test]
fn what_only_may_be_meant_is_not_told_as_what_is() {
    let policy = policy([
        Rule::ask().commands(["git push"]).because("others see it"),
        Rule::ask()
            .commands(["rm"])
            .because("nothing brings it back"),
        Rule::deny().commands(["sudo"]).because("never"),
    ]);
    let shell = tool("shell");
    for (line, why) in [
        // Nobody knows which of the rules applies, so the reason of none of them is shown.
        ("$X a", "it is not known which command `$X a` runs"),
        ("echo $((1", "the shell line is not understood"),
        (
            "git $X",
            "the policy asks before the command `git push` (others see it), and it is not known \
             whether this is that",
        ),
    ] {
        let request =
            PermissionRequest::new("command.run", line, "").with_detail("directory", "/srv/app");
        let explanation = explained(&policy, &shell, &json!({}), &[request]);
        let Verdict::Ask(ask) = &explanation.verdict else {
            panic!("{explanation}");
        };
        assert!(ask.why().starts_with(why), "{line}: {}", ask.why());
        let told = explanation.subjects.last().unwrap();
        let expected = match line {
            "$X a" => "no rule lets run what another may deny: deny rule 1 would have to go",
            "echo $((1" => "no rule: the line would have to be written",
            _ => "no rule can name it as it is",
        };
        assert!(told.advice.starts_with(expected), "{}", told.advice);
    }
}

#[test]
fn rules_that_lost_for_one_reason_are_told_together() {
    let policy = policy([
        Rule::deny().kinds(["mail"]).targets(["ada"]),
        Rule::allow().kinds(["mail"]),
        Rule::allow().kinds(["*"]),
    ]);
    let request = PermissionRequest::new("mail", "ada", "");
    let told = explained(&policy, &tool("t"), &json!({}), &[request]).to_string();
    let expected = "\n    not by allow rule 1, allow rule 2: a denial outweighs that\n";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn no_value_of_an_argument_is_told() {
    let policy = policy([
        Rule::allow().tools(["login"]),
        Rule::deny().argument("/password", ArgumentTest::Equals(json!("guess"))),
        Rule::ask().argument("/user", ArgumentTest::Equals(json!("ada"))),
        Rule::deny().argument(
            "/token",
            ArgumentTest::OneOf(vec![json!("t1"), json!("t2")]),
        ),
    ]);
    let login = tool("login").with_secret("password");
    let sent = json!({"user": "ada", "password": "hunter2", "token": "tok-4711"});
    let request = PermissionRequest::new("network.connect", "example.org", "Log in");
    let explanation = explained(&policy, &login, &sent, std::slice::from_ref(&request));
    assert_eq!(said(&explanation.verdict), Said::Ask);
    let arguments = Arguments::from(&sent);
    let call = CallView::new(&login, &arguments);
    let all = [
        explanation.to_string(),
        serde_json::to_string(&explanation).unwrap(),
        format!("{explanation:?} {policy:?}"),
        format!("{:?}", policy.check_call(&call)),
        format!("{:?}", policy.check_request(&call, &request)),
    ];
    for text in all {
        for value in ["hunter2", "tok-4711"] {
            assert!(!text.contains(value), "{text}");
        }
    }
}

#[test]
fn what_is_said_of_a_policy_can_go_to_other_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    fn error<E: std::error::Error + Send + Sync + 'static>() {}
    shared::<PermissionPolicy>();
    shared::<PolicyBuilder>();
    shared::<Explanation>();
    error::<PolicyError>();
    // However many rules there are.
    let many = (0..1_000).map(|number| Rule::deny().tools([format!("t{number}")]));
    assert!(format!("{:#?}", policy(many)).lines().count() < 10);
}
