//! Shell lines: each command by itself, the files that they read and write, and those that they name.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::*;

pub(super) struct Place {
    _dir: tempfile::TempDir,
    pub(super) root: PathBuf,
}

impl Place {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("app");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join("secrets")).unwrap();
        fs::write(root.join("src/a"), "").unwrap();
        fs::write(root.join("secrets/key"), "").unwrap();
        Self { _dir: dir, root }
    }

    pub(super) fn policy(&self, rules: impl IntoIterator<Item = Rule>) -> PermissionPolicy {
        PermissionPolicy::builder(&self.root)
            .rules(rules)
            .build()
            .unwrap()
    }

    fn request(&self, line: &str) -> PermissionRequest {
        PermissionRequest::new("command.run", line, "").with_detail("directory", json!(self.root))
    }

    fn says(&self, policy: &PermissionPolicy, line: &str) -> Said {
        judged(
            policy,
            &tool("shell.run"),
            &json!({}),
            &[self.request(line)],
        )
    }

    /// `None` of the lines runs unseen: which of them ask depends on how much is known of the files.
    #[track_caller]
    pub(super) fn none_runs(&self, policy: &PermissionPolicy, lines: &[&str]) {
        for line in lines {
            assert_ne!(self.says(policy, line), Said::Allow, "{line}");
        }
    }

    #[track_caller]
    pub(super) fn all(&self, policy: &PermissionPolicy, expected: Said, lines: &[&str]) {
        for line in lines {
            let explanation = explained(
                policy,
                &tool("shell.run"),
                &json!({}),
                &[self.request(line)],
            );
            assert_eq!(self.says(policy, line), expected, "{line}\n{explanation}");
        }
    }
}

#[test]
fn commands_that_only_read_read_where_they_may() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().read_only_commands(),
        Rule::deny().paths(["secrets"]),
    ]);
    place.all(
        &policy,
        Said::Allow,
        &[
            "ls src",
            "cat src/a | head -3",
            "wc -l src/a",
            "echo hello",
            "ls src && cat src/a",
            "ls src 2>/dev/null",
        ],
    );
    place.all(
        &policy,
        Said::Ask,
        &[
            "cat ../elsewhere",
            "cat /etc/passwd",
            "cat $FILE",
            "cat src/a | sh",
            "ls > src/b",
            // A file below may be forbidden.
            "grep -r x .",
            "grep -$X x .",
            "",
            "cat 'unclosed",
        ],
    );
    place.all(
        &policy,
        Said::Deny,
        &[
            "cat secrets/key",
            "cat src/../secrets/key",
            "head secrets",
            "ls; cat < secrets/key",
            "echo x > secrets/key",
        ],
    );
}

#[test]
fn a_rule_of_paths_lets_commands_read_elsewhere() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().read_only_commands(),
        Rule::allow().reads(["/etc"]),
        Rule::ask().reads(["src"]),
    ]);
    assert_eq!(place.says(&policy, "cat /etc/passwd"), Said::Allow);
    assert_eq!(place.says(&policy, "cat src/a"), Said::Ask);
    assert_eq!(place.says(&policy, "cat /usr/x"), Said::Ask);
}

#[test]
fn words_that_name_what_is_forbidden_deny_whatever_the_command() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().commands(["cp", "git log"]),
        Rule::deny().paths(["secrets"]),
        Rule::deny().writes(["src"]),
    ]);
    assert_eq!(place.says(&policy, "cp a b"), Said::Allow);
    assert_eq!(place.says(&policy, "git log -- secrets/key"), Said::Deny);
    assert_eq!(place.says(&policy, "cp --to=secrets/key a"), Said::Deny);
    // Nobody knows if it is written.
    assert_eq!(place.says(&policy, "cp src/a b"), Said::Ask);
    assert_eq!(place.says(&policy, "rm secrets/key"), Said::Deny);
}

#[test]
fn what_is_known_of_a_command_does_not_depend_on_the_rules() {
    let place = Place::new();
    let rules = [
        Rule::allow().commands(["cat"]),
        Rule::deny().writes(["src"]),
    ];
    let policy = place.policy(rules.clone());
    assert_eq!(place.says(&policy, "cat src/a"), Said::Allow);
    let elsewhere = Rule::deny().tools(["other"]).read_only_commands();
    let policy = place.policy(rules.into_iter().chain([elsewhere]));
    assert_eq!(place.says(&policy, "cat src/a"), Said::Allow);
}

#[test]
fn a_line_that_cannot_be_read_asks_unless_all_lines_are_denied() {
    let place = Place::new();
    let unread = "git log 'unclosed";
    let rules = || {
        [
            Rule::allow().commands(["git log"]),
            Rule::deny().commands(["git push"]),
        ]
    };
    assert_eq!(place.says(&place.policy(rules()), unread), Said::Ask);
    let trusts = place.policy([Rule::allow().tools(["shell.run"])]);
    assert_eq!(place.says(&trusts, unread), Said::Ask);
    assert_eq!(place.says(&trusts, "anything at all"), Said::Allow);
    let denies = place.policy([Rule::deny().kinds(["command.run"])]);
    assert_eq!(place.says(&denies, unread), Said::Deny);
    let strict = PermissionPolicy::builder(&place.root)
        .default_verdict(DefaultDecision::Deny)
        .rules(rules());
    assert_eq!(
        place.says(&strict.clone().build().unwrap(), unread),
        Said::Deny
    );
    // A rule that may ask says no more of it than one that may deny; one about all commands does.
    let may_ask = strict.clone().rule(Rule::ask().commands(["git"]));
    assert_eq!(place.says(&may_ask.build().unwrap(), unread), Said::Deny);
    let asks = strict.rule(Rule::ask().commands(["*"]));
    assert_eq!(place.says(&asks.build().unwrap(), unread), Said::Ask);
    let denies = place.policy([Rule::deny().commands(["*"])]);
    assert_eq!(place.says(&denies, unread), Said::Deny);
}

#[test]
fn words_without_a_shell_are_one_command() {
    let place = Place::new();
    let policy = place.policy([Rule::allow().commands(["echo"])]);
    let of = |argv: Value| {
        let request = place.request("echo a; rm x").with_detail("argv", argv);
        judged(&policy, &tool("shell.run"), &json!({}), &[request])
    };
    assert_eq!(of(json!(["echo", "a; rm x"])), Said::Allow);
    assert_eq!(of(json!(["rm", "x"])), Said::Ask);
    for broken in [json!("echo"), json!([1]), json!({}), json!(null)] {
        assert_eq!(of(broken.clone()), Said::Ask, "{broken}");
    }
}

#[test]
fn an_explanation_of_a_line_has_each_part() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().commands(["cargo test"]),
        Rule::deny()
            .commands(["git push"])
            .because("a person pushes"),
    ]);
    let line = place.request("A=1 cargo test && git push > log");
    let explanation = explained(&policy, &tool("shell.run"), &json!({}), &[line]);
    let subjects: Vec<_> = explanation
        .subjects
        .iter()
        .map(|subject| (subject.subject.as_str(), subject.verdict.as_str()))
        .collect();
    assert_eq!(
        subjects,
        [
            ("the tool `shell.run`", "ask"),
            ("the command `cargo test` with `A` set", "ask"),
            ("the command `git push`", "deny"),
            ("writing `log`", "ask"),
        ]
    );
    assert_eq!(
        explanation.subjects[1].advice,
        "a rule that allows `exact-commands = [\"cargo test\"]` with `environment = [\"A\"]` would let it run"
    );
    assert_eq!(
        explanation.subjects[3].advice,
        "a rule that allows `writes = [\"log\"]` would let it run"
    );
}

#[test]
fn the_files_that_a_pattern_finds_are_judged() {
    let place = Place::new();
    for name in ["a.md", "b.md", "src/x.rs", ".env"] {
        fs::write(place.root.join(name), "").unwrap();
    }
    fs::create_dir(place.root.join("out")).unwrap();
    fs::write(place.root.join("out/x.key"), "").unwrap();
    let outside = place.root.parent().unwrap().join("outside");
    fs::write(&outside, "").unwrap();
    let policy = place.policy([
        Rule::allow().read_only_commands(),
        Rule::allow().commands(["tidy"]),
        Rule::deny().paths(["secrets", ".env", "**/*.key"]),
    ]);
    place.all(
        &policy,
        Said::Allow,
        &[
            "cat *.md",
            "wc -l src/*.rs",
            "ls *.toml",
            "grep -n x src/*.rs",
            "head -n 1 [ab].md src/?.rs",
            "cd src && cat *.rs",
            "cat ?.md *.toml",
            "tidy *.md",
            "cat {a,b}*",
        ],
    );
    place.all(
        &policy,
        Said::Deny,
        &[
            "cat secr*/key",
            "cat *",
            "cat */*",
            "cat .e*",
            "cat out/*",
            "echo secr*/*",
            "tidy secr*/*",
            "cd out && cat *.k*",
        ],
    );
    place.all(
        &policy,
        Said::Ask,
        &[
            "cat ../*",
            "cat /etc/*",
            "echo /etc/*",
            "cat **",
            "cat *$X",
            "shopt -s dotglob; cat *",
            "cd $X; cat *",
            "GLOBIGNORE=x cat *.md",
        ],
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, place.root.join("c.md")).unwrap();
        place.all(&policy, Said::Ask, &["cat *.md"]);
        fs::remove_file(place.root.join("c.md")).unwrap();
    }
    fs::write(place.root.join("-x.md"), "").unwrap();
    place.all(&policy, Said::Ask, &["cat *.md", "sort *.md"]);
    place.all(&policy, Said::Allow, &["cat ./*.md", "cat ?.md"]);
}

#[test]
fn options_of_commands_that_only_read_are_no_files() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().read_only_commands(),
        Rule::deny().reads(["a", "n", "key", "secrets"]),
    ]);
    place.all(
        &policy,
        Said::Allow,
        &[
            "ls -la",
            "grep -rn key src",
            "cut -d a -f 1 x",
            "echo secrets",
        ],
    );
    place.all(
        &policy,
        Said::Deny,
        &[
            "ls -l a",
            "grep x key",
            "grep -f key x",
            "cat -- n",
            "cd secrets && rm x",
        ],
    );
}

#[test]
fn the_condition_of_an_advice_is_no_wider_than_the_line() {
    let place = Place::new();
    let policy = place.policy([Rule::ask().commands(["xargs", "rm", "git"])]);
    let advice = |line: &str| -> Vec<String> {
        let request = place.request(line);
        let explanation = explained(&policy, &tool("shell.run"), &json!({}), &[request]);
        let subjects = explanation.subjects.into_iter().skip(1);
        subjects.map(|subject| subject.advice).collect()
    };
    let allows = |condition: &str| {
        format!(
            "a rule that allows `{condition}` and is more specific than ask rule 1 would let it run"
        )
    };
    let exact = |words: &str| allows(&format!("exact-commands = [\"{words}\"]"));
    assert_eq!(advice("rm a"), [exact("rm a")]);
    assert_eq!(advice("xargs rm"), [exact("xargs rm")]);
    assert_eq!(advice("nice xargs rm -v"), [exact("nice xargs rm -v")]);
    for line in ["rm $X", "git $X"] {
        let [advice] = &advice(line)[..] else {
            panic!("{line}");
        };
        assert!(
            advice.starts_with("no rule can name it as it is"),
            "{advice}"
        );
    }
    assert_eq!(
        advice("git commit -m \"$X\""),
        [allows("commands = [\"git commit -m\"]")]
    );
}

#[test]
fn what_a_listed_command_reads_is_denied_though_the_command_may_be_too() {
    let place = Place::new();
    let spec = tool("shell.run").with_secret("key");
    let of = |rules: Vec<Rule>| {
        let request = place.request("ls");
        judged(
            &place.policy(rules),
            &spec,
            &json!({"key": "x"}),
            &[request],
        )
    };
    let rules = vec![
        Rule::allow().read_only_commands(),
        Rule::deny().paths(["."]),
    ];
    assert_eq!(of(rules.clone()), Said::Deny);
    let equals = ArgumentTest::Equals(json!("k"));
    let may_deny = Rule::deny().commands(["ls"]).argument("/key", equals);
    assert_eq!(
        of(rules.into_iter().chain([may_deny]).collect()),
        Said::Deny
    );
}
