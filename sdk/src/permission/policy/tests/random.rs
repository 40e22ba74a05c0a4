//! Random policies. `TOOLWRIGHT_CASES` sets how many.

use serde_json::json;

use super::*;
use crate::permission::policy::check;
use crate::spec::{Capability, ToolAnnotations};

/// Random numbers: the same on every run.
struct Source(u64);

impl Source {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn some<'a>(&mut self, of: &[&'a str]) -> Vec<&'a str> {
        (0..=self.below(2)).map(|_| self.one(of)).collect()
    }

    fn verdict(&mut self) -> RuleVerdict {
        [RuleVerdict::Allow, RuleVerdict::Ask, RuleVerdict::Deny][self.below(3)]
    }

    fn effect(&mut self) -> Effect {
        [
            Effect::Pure,
            Effect::ReadOnly,
            Effect::Idempotent,
            Effect::AtMostOnce,
        ][self.below(4)]
    }

    fn test(&mut self) -> ArgumentTest {
        match self.below(4) {
            0 => ArgumentTest::Equals(json!("a")),
            1 => ArgumentTest::OneOf(vec![json!("a"), json!("b")]),
            2 => ArgumentTest::Present(self.below(2) == 0),
            _ => ArgumentTest::Range {
                min: json!(2).as_number().cloned(),
                max: None,
            },
        }
    }

    fn rule(&mut self, verdict: RuleVerdict) -> Rule {
        let mut rule = Rule::new(verdict);
        if self.below(3) == 0 {
            rule =
                rule.tools(self.some(&["fs.read", "fs.*", "*", "rea*", "shell.run", "!fs.read"]));
        }
        if self.below(6) == 0 {
            rule = rule.effects([self.effect(), self.effect()]);
        }
        if self.below(8) == 0 {
            let name = [HintName::Destructive, HintName::OpenWorld][self.below(2)];
            let hint = [Hint::given(name), Hint::missing(name)][self.below(2)];
            rule = rule.hints([hint]);
        }
        if self.below(8) == 0 {
            rule =
                rule.capabilities(self.some(&["fs:read:*", "fs:*:*", "fs:read:/data", "net:*:*"]));
        }
        if self.below(4) == 0 {
            rule = rule.argument(self.one(&["/a", "/b", "/key"]), self.test());
        }
        if self.below(8) == 0 {
            rule = rule.argument(self.one(&["/a", "/a/x", "/b"]), self.test());
        }
        let paths = [
            "src", "src/a", ".", "**/*.rs", "secrets", "src/**", "/etc", "s*",
        ];
        match self.below(8) {
            0 => rule.paths(self.some(&paths)),
            1 => rule.reads(self.some(&paths)),
            2 => rule.writes(self.some(&paths)),
            3 => rule.commands(self.some(&[
                "git",
                "git log",
                "rm",
                "cat",
                "cargo test",
                "echo",
                "ls",
                "grep",
                "*",
            ])),
            4 => rule.read_only_commands(),
            5 => rule.hosts(self.some(&["example.org", "*.example.org", "a.example.org:443"])),
            6 => {
                rule.kinds(self.some(&["deploy", "file.*", "command.run", "*", "network.connect"]))
            }
            _ => rule,
        }
    }

    fn policy(&mut self) -> (Vec<Rule>, Unmatched) {
        let rules = (0..self.below(6)).map(|_| {
            let verdict = self.verdict();
            self.rule(verdict)
        });
        let rules = rules.collect();
        let defaults = [Unmatched::ReadOnly, Unmatched::Ask, Unmatched::Deny];
        (rules, defaults[self.below(3)])
    }

    fn tool(&mut self) -> ToolSpec {
        let mut hints = ToolAnnotations::new();
        if self.below(2) == 0 {
            hints = hints.with_destructive(true);
        }
        let tool = tool(self.one(&["fs.read", "fs.write", "read", "shell.run"]))
            .with_effect(self.effect())
            .with_annotations(hints)
            .with_secret("key")
            // Any member is taken.
            .with_input_schema(json!({"type": "object"}));
        if self.below(2) == 0 {
            return tool;
        }
        let tool = tool.with_capability(Capability::new("fs:read:/data").unwrap());
        if self.below(2) == 0 {
            return tool;
        }
        tool.with_capability(Capability::new("net:connect:example.org").unwrap())
    }

    fn arguments(&mut self) -> Value {
        let values = [json!("a"), json!("c"), json!(1), json!(3), Value::Null];
        let mut arguments = json!({});
        for name in ["a", "b", "key"] {
            if self.below(2) == 0 {
                arguments[name] = values[self.below(values.len())].clone();
            }
        }
        arguments
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        for index in 0..=self.below(3) {
            if index > 0 {
                line.push_str(self.one(&[" && ", " | ", "; ", " || "]));
            }
            line.push_str(self.one(&[
                "git log",
                "git push origin",
                "rm -rf src/a",
                "cat src/a.rs",
                "cat secrets/key",
                "cat /etc/passwd",
                "cat $FILE",
                "cargo test",
                "env A=1 cargo test",
                "sh -c 'rm x'",
                "$(echo rm) x",
                "xargs rm",
                "echo 'unclosed",
                "A=1 git log",
                "ls",
                "ls $DIR",
                "grep -r key",
                "grep -r key secrets",
            ]));
            if self.below(4) == 0 {
                line.push_str(self.one(&[
                    " > src/out",
                    " 2>/dev/null",
                    " < secrets/key",
                    " >> $X",
                ]));
            }
        }
        line
    }

    fn request(&mut self) -> PermissionRequest {
        let paths = [
            "/srv/app/src/a/b.rs",
            "/srv/app/secrets/key",
            "/srv/app",
            "/etc/passwd",
            "x/y",
        ];
        let path = self.one(&paths);
        match self.below(6) {
            0 => PermissionRequest::new("file.read", path, ""),
            1 => PermissionRequest::new("file.write", path, "")
                .with_detail("named", self.one(&paths[..4])),
            2 => PermissionRequest::new(
                "network.connect",
                self.one(&["example.org", "a.example.org:443", "b.org"]),
                "",
            ),
            3 => PermissionRequest::new("deploy", "production", ""),
            4 => PermissionRequest::new("command.run", "git log", "")
                .with_detail("directory", "/srv/app")
                .with_detail("argv", json!(["git", "log"])),
            _ => PermissionRequest::new("command.run", self.line(), "")
                .with_detail("directory", self.one(&["/srv/app", "/srv/app/src"])),
        }
    }

    fn shuffled(&mut self, rules: &[Rule]) -> Vec<Rule> {
        let mut rules = rules.to_vec();
        for last in (1..rules.len()).rev() {
            rules.swap(last, self.below(last + 1));
        }
        rules
    }
}

fn cases() -> usize {
    let cases = std::env::var("TOOLWRIGHT_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(1_500)
}

fn made(rules: Vec<Rule>, default: Unmatched) -> Option<PermissionPolicy> {
    // Rules that can never decide are errors, and random ones often cannot.
    let policy = PermissionPolicy::builder("/srv/app");
    policy.rules(rules).default_verdict(default).readable().ok()
}

/// Each rule that is proposed can be read from a file, and with it what it is proposed for runs.
fn check_proposals(
    explanation: &Explanation,
    rules: &[Rule],
    default: Unmatched,
    explain: &dyn Fn(&PermissionPolicy) -> Explanation,
) -> usize {
    let mut proposed = 0;
    let of = |rules: Vec<Rule>| {
        let policy = PermissionPolicy::builder("/srv/app").rules(rules);
        policy.default_verdict(default)
    };
    let flawless = of(rules.to_vec()).build().is_ok();
    for subject in explanation.subjects() {
        let Some(toml) = subject.change().rule() else {
            continue;
        };
        proposed += 1;
        let loaded = load::read(toml);
        assert!(loaded.flaws.is_empty(), "{toml}");
        let mut more = rules.to_vec();
        more.extend(loaded.rules);
        // A rule that is proposed is no mistake, if there was none before.
        if flawless {
            of(more.clone()).build().unwrap();
        }
        let after = explain(&of(more).readable().unwrap());
        let same = |other: &&Explained| {
            (other.request(), other.subject()) == (subject.request(), subject.subject())
        };
        for other in after.subjects().iter().filter(same) {
            assert_eq!(
                other.verdict(),
                RuleVerdict::Allow,
                "{toml}{explanation}\n{after}"
            );
        }
    }
    proposed
}

#[test]
fn one_more_denial_never_widens_and_order_means_nothing() {
    let mut source = Source(7);
    let (mut made_it, mut stricter, mut proposed) = (0, 0, 0);
    let mut seen = [0; 3];
    for case in 0..cases() {
        let (rules, default) = source.policy();
        let Some(policy) = made(rules.clone(), default) else {
            continue;
        };
        let tool = source.tool();
        let arguments = source.arguments();
        let requests: Vec<_> = (0..source.below(3)).map(|_| source.request()).collect();
        let context =
            || format!("case {case}: {rules:#?} {default:?}, {tool:?} {arguments} {requests:#?}");
        let before = judged(&policy, &tool, &arguments, &requests);
        seen[before as usize] += 1;

        let explanation = explained(&policy, &tool, &arguments, &requests);
        assert_eq!(
            said(explanation.verdict()),
            before,
            "{explanation}\n{}",
            context()
        );

        proposed += check_proposals(&explanation, &rules, default, &|policy| {
            explained(policy, &tool, &arguments, &requests)
        });

        let other = made(source.shuffled(&rules), default).unwrap();
        assert_eq!(
            judged(&other, &tool, &arguments, &requests),
            before,
            "{}",
            context()
        );

        let mut more = rules.clone();
        let denying = source.rule(RuleVerdict::Deny);
        more.insert(source.below(more.len() + 1), denying.clone());
        let Some(stricter_policy) = made(more, default) else {
            continue;
        };
        made_it += 1;
        let after = judged(&stricter_policy, &tool, &arguments, &requests);
        assert!(
            after >= before,
            "{after:?} < {before:?} by {denying:#?}\n{}",
            context()
        );
        stricter += usize::from(after > before);
    }
    // The cases are worth something.
    assert!(made_it > cases() / 3, "{made_it}");
    assert!(stricter > cases() / 50, "{stricter}");
    assert!(proposed > cases() / 10, "{proposed}");
    assert!(seen.iter().all(|seen| *seen > cases() / 50), "{seen:?}");
}

#[test]
fn a_rule_that_is_said_to_be_idle_changes_nothing() {
    let mut source = Source(11);
    let (mut idle, mut lively) = (0, 0);
    let kinds = [
        "leave out every tool",
        "nothing passes both",
        "nothing passes its tests",
        "is denied by",
        "says the same",
        "exactly the same",
    ];
    let mut seen = [0; 6];
    for case in 0..cases() {
        let (rules, default) = source.policy();
        let Some(policy) = made(rules.clone(), default) else {
            continue;
        };
        let problems = check::problems(&policy.rules);
        lively += usize::from(problems.is_empty());
        for problem in problems {
            idle += 1;
            let kind = |kind: &&str| problem.message().contains(kind);
            seen[kinds.iter().position(kind).unwrap()] += 1;
            let place = problem.rule().unwrap();
            let at = policy.rules().position(|rule| rule == place).unwrap();
            let mut fewer = rules.clone();
            drop(fewer.remove(at));
            let fewer = made(fewer, default).unwrap();
            for _ in 0..8 {
                let tool = source.tool();
                let arguments = source.arguments();
                let requests: Vec<_> = (0..source.below(3)).map(|_| source.request()).collect();
                assert_eq!(
                    judged(&policy, &tool, &arguments, &requests),
                    judged(&fewer, &tool, &arguments, &requests),
                    "case {case}: {problem}\n{rules:#?} {default:?}, {tool:?} {arguments} {requests:#?}"
                );
            }
        }
    }
    // The cases are worth something.
    assert!(idle > cases() / 20, "{idle}");
    assert!(lively > cases() / 3, "{lively}");
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
}
