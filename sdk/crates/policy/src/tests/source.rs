//! Random rules, tools, calls and requests.

use serde_json::json;

use super::*;
use toolwright::spec::{Capability, ToolAnnotations};

/// Random numbers: the same on every run.
pub(in super::super) struct Source(pub(in super::super) u64);

impl Source {
    pub(in super::super) fn below(&mut self, n: usize) -> usize {
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

    pub(super) fn verdict(&mut self) -> RuleVerdict {
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

    pub(super) fn rule(&mut self, verdict: RuleVerdict) -> Rule {
        let mut rule = Rule::of(verdict);
        if self.below(3) == 0 {
            rule =
                rule.tools(self.some(&["fs.read", "fs.*", "*", "rea*", "shell.run", "!fs.read"]));
        }
        if self.below(6) == 0 {
            rule = rule.effects([self.effect(), self.effect()]);
        }
        if self.below(8) == 0 {
            let name = [AnnotationName::Destructive, AnnotationName::OpenWorld][self.below(2)];
            let hint = [AnnotationTest::given(name), AnnotationTest::missing(name)][self.below(2)];
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

    pub(super) fn policy(&mut self) -> (Vec<Rule>, DefaultDecision) {
        let rules = (0..self.below(6)).map(|_| {
            let verdict = self.verdict();
            self.rule(verdict)
        });
        let rules = rules.collect();
        let defaults = [
            DefaultDecision::ReadOnly,
            DefaultDecision::Ask,
            DefaultDecision::Deny,
        ];
        (rules, defaults[self.below(3)])
    }

    pub(super) fn tool(&mut self) -> ToolSpec {
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

    pub(super) fn arguments(&mut self) -> Value {
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

    pub(super) fn request(&mut self) -> PermissionRequest {
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

    pub(super) fn shuffled(&mut self, rules: &[Rule]) -> Vec<Rule> {
        let mut rules = rules.to_vec();
        for last in (1..rules.len()).rev() {
            rules.swap(last, self.below(last + 1));
        }
        rules
    }
}
