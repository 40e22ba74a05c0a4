//! Mistakes in rules as they are declared.

use serde_json::json;

use super::*;

fn problems(rules: impl IntoIterator<Item = Rule>) -> Vec<String> {
    let error = PermissionPolicy::builder("/srv/app")
        .rules(rules)
        .build()
        .unwrap_err();
    error.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn all_problems_are_told_each_with_its_rule() {
    let told = problems([
        Rule::allow().tools(["fs read"]),
        Rule::deny().tools(["fs.remove"]),
        Rule::deny().tools(["*.remove"]).capabilities(["net"]),
        Rule::allow().paths(["src"]).hosts(["example.org"]),
        Rule {
            line: Some(14),
            ..Rule::ask().argument("to", ArgumentTest::Present(true))
        },
    ]);
    assert_eq!(told.len(), 5, "{told:#?}");
    assert!(told[0].starts_with("allow rule 1: `fs read`"), "{told:#?}");
    assert!(told[1].starts_with("deny rule 2: ") && told[2].starts_with("deny rule 2: "));
    assert!(
        told[3].starts_with("allow rule 2: it speaks of paths and of hosts"),
        "{told:#?}"
    );
    assert!(
        told[4].starts_with("line 14, ask rule 1: `to` is no JSON pointer"),
        "{told:#?}"
    );
}

#[test]
fn a_list_of_nothing_is_no_condition_that_holds_of_everything() {
    let none: [&str; 0] = [];
    assert_eq!(problems([Rule::allow().tools(none)]).len(), 1);
    assert_eq!(problems([Rule::allow().effects([])]).len(), 1);
    assert_eq!(problems([Rule::allow().paths(none)]).len(), 1);
    assert_eq!(
        problems([Rule::allow().kinds(["a"]).targets(none)]).len(),
        1
    );
    assert!(
        PermissionPolicy::builder("/")
            .rule(Rule::allow().tools(none).tools(["a"]))
            .build()
            .is_ok()
    );
}

#[test]
fn texts_are_not_compared_where_they_say_too_little() {
    for kind in [
        "command.run",
        "file.write",
        "file.*",
        "*",
        "network.connect",
    ] {
        let told = problems([Rule::allow().kinds([kind]).targets(["git *"])]);
        assert!(told[0].contains("`targets` compares texts"), "{told:?}");
    }
    assert_eq!(problems([Rule::deny().targets(["x"])]).len(), 1);
}

#[test]
fn a_slip_in_a_known_kind_is_told() {
    for (slip, meant) in [
        ("file.raed", "file.read"),
        ("File.Write", "file.write"),
        ("fileread", "file.read"),
        ("command_run", "command.run"),
        ("commands.run", "command.run"),
        ("network.conect", "network.connect"),
    ] {
        let told = problems([Rule::deny().kinds([slip])]);
        assert_eq!(told.len(), 1, "{told:?}");
        let said = format!("there is no kind `{slip}`; did you mean `{meant}`?");
        assert!(told[0].ends_with(&said), "{told:?}");
    }
    for blank in [" file.read", "command.run ", "file. read"] {
        assert!(!problems([Rule::deny().kinds([blank])]).is_empty());
    }
}

#[test]
fn a_kind_of_the_app_may_resemble_a_known_one() {
    let long = "file.read".repeat(1_000);
    for kind in [
        "file.rename",
        "file.remove",
        "command.rank",
        "network.connected",
        "file",
        "deploy",
        &long,
    ] {
        let policy = PermissionPolicy::builder("/srv/app").rule(Rule::deny().kinds([kind]));
        assert!(policy.build().is_ok(), "{kind}");
    }
}

#[test]
fn variables_are_for_commands_that_are_allowed() {
    assert_eq!(
        problems([Rule::deny().hosts(["a.org"]).environment(["A"])]).len(),
        1
    );
    assert_eq!(
        problems([Rule::allow().tools(["a"]).environment(["A"])]).len(),
        1
    );
    let named = problems([Rule::allow()
        .read_only_commands()
        .environment(["A=1", "1A", ""])]);
    assert_eq!(named.len(), 3, "{named:?}");
}

#[test]
fn tests_that_nothing_passes_are_told() {
    let none = ArgumentTest::OneOf(Vec::new());
    assert_eq!(problems([Rule::deny().argument("/a", none)]).len(), 1);
    let range = ArgumentTest::Range {
        min: json!(2).as_number().cloned(),
        max: json!(1).as_number().cloned(),
    };
    assert_eq!(problems([Rule::deny().argument("/a~2", range)]).len(), 2);
}

#[test]
fn rules_of_trees_are_named_by_the_tree() {
    let mut rules = rule::Tree::Forbidden.rules(vec!["a".into()]);
    rules = rules
        .into_iter()
        .map(|rule| rule.hosts(["a.org"]))
        .collect();
    rules.push(Rule::deny().tools(["%"]));
    let told = problems(rules);
    assert!(told[0].starts_with("the forbidden trees: "), "{told:?}");
    assert!(told[1].starts_with("deny rule 1: "), "{told:?}");
}

#[test]
fn a_problem_is_one_line_whatever_a_pattern_is() {
    let told = problems([
        Rule::deny().tools(["a\n- deny rule 2: fine\u{1b}[2K"]),
        Rule::deny().paths(["[".repeat(100_000)]),
    ]);
    assert_eq!(told.len(), 2);
    for problem in told {
        assert!(
            problem.len() < 1_100 && !problem.contains(['\n', '\u{1b}']),
            "{problem}"
        );
    }
}
