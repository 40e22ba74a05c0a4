//! The plain rule beside that of the policy, for random grants and requests. `TOOLWRIGHT_CASES` sets how many.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::tests::source::Source;
use toolwright::ToolSpec;
use toolwright::permission::{
    CallView, CommandAccess, FileAccess, HostAccess, IntoRequests, PermissionChecker, Verdict,
};

fn cases() -> usize {
    let cases = std::env::var("TOOLWRIGHT_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(6_000)
}

/// A scope as it is stored.
fn written(scope: Value) -> GrantScope {
    serde_json::from_value(scope).unwrap()
}

const WORDS: [&str; 46] = [
    "git",
    "log",
    "push",
    "rm",
    "ls",
    "du",
    "stat",
    "df",
    "basename",
    "cat",
    "env",
    "sudo",
    "sh",
    "-c",
    "bash",
    "xargs",
    "nice",
    "timeout",
    "5",
    "find",
    "-exec",
    "cargo",
    "test",
    "npm",
    "run",
    "LS",
    "/bin/rm",
    "/bin/ls",
    "./ls",
    "--output=x",
    "-rf",
    "x",
    "../x",
    "/etc/passwd",
    "a b",
    "rm x",
    "'",
    "$(rm x)",
    "",
    "--",
    "*",
    "source",
    ".",
    "test",
    "[",
    "é",
];

const LINES: [&str; 18] = [
    "git log",
    "git log -3",
    "git log; rm x",
    "rm x",
    "ls",
    "ls -la",
    "cat secrets/key",
    "$X y",
    "sh -c 'rm x'",
    "git log > out",
    "git log > secrets/out",
    "cat < secrets/key",
    "rm '",
    "",
    "echo rm",
    "git log && git log",
    "xargs rm < f",
    "cd secrets && ls",
];

const NAMES: [&str; 16] = [
    "secrets",
    "SECRETS",
    "secret",
    "ſecrets",
    "se\u{200c}crets",
    "k\u{e9}y",
    "ke\u{301}y",
    "key",
    "\u{212a}ey",
    "stra\u{df}e",
    "STRASSE",
    "link",
    "src",
    ".",
    "..",
    "[ab]*",
];

const HOSTS: [&str; 22] = [
    "example.com",
    "EXAMPLE.com",
    "example.com.",
    "www.example.com",
    "localhost",
    "a.localhost",
    "127.0.0.1",
    "127.1.2.3",
    "0.0.0.0",
    "[::1]",
    "::1",
    "[::]",
    "10.0.0.1",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::a00:1]",
    "[::ffff:127.0.0.1]",
    "xn--bcher-kva.example",
    "b\u{fc}cher.example",
    "*",
    "*.example.com",
    "10.0.0.0/8",
    "",
];

struct Cases<'r> {
    source: Source,
    root: &'r Path,
}

impl Cases<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.source.below(of.len())]
    }

    fn words(&mut self) -> Vec<&'static str> {
        (0..=self.source.below(4))
            .map(|_| self.one(&WORDS))
            .collect()
    }

    fn path(&mut self) -> String {
        let mut path = self
            .one(&[self.root, self.root, self.root, Path::new("")])
            .to_owned();
        for _ in 0..self.source.below(4) {
            path.push(self.one(&NAMES));
        }
        path.to_str().unwrap().to_owned()
    }

    fn host(&mut self) -> (String, Option<u16>) {
        let port = self.one(&[None, Some(80), Some(443), Some(0)]);
        (self.one(&HOSTS).to_owned(), port)
    }

    fn kind(&mut self) -> &'static str {
        self.one(&[
            "file.read",
            "file.write",
            "command.run",
            "network.connect",
            "deploy",
        ])
    }

    fn scope(&mut self) -> GrantScope {
        match self.source.below(12) {
            0 => GrantScope::tool(tool()),
            1 => GrantScope::kind(self.kind()),
            2 => written(json!({"type": "arguments", "tool": "t", "digest": "7".repeat(64)})),
            3 => {
                let of = self.request();
                GrantScope::target(of.kind(), of.target())
            }
            4 => {
                let of = self.request();
                written(json!({
                    "type": "request",
                    "kind": of.kind(),
                    "target": of.target(),
                    "details": of.details(),
                }))
            }
            5 | 6 => GrantScope::reads(self.path()),
            7 => GrantScope::writes(self.path()),
            8 => {
                let (host, port) = self.host();
                GrantScope::host(host, port)
            }
            9 => GrantScope::command(self.words()).started_in(self.root.to_str().unwrap()),
            _ => GrantScope::command(self.words()),
        }
    }

    fn request(&mut self) -> PermissionRequest {
        let made = match self.source.below(8) {
            0 | 1 => CommandAccess::shell(self.one(&LINES))
                .in_directory(self.root)
                .into_requests(),
            2 | 3 => {
                let words = self.words();
                let access = CommandAccess::program(words[0], words[1..].iter().copied());
                access.in_directory(self.root).into_requests()
            }
            4 => {
                let path = self.path();
                let access = match self.source.below(3) {
                    0 => FileAccess::read(path),
                    1 => FileAccess::write(path),
                    _ => FileAccess::read_tree(path),
                };
                access.into_requests()
            }
            5 => {
                let (host, port) = self.host();
                let access = HostAccess::connect(host);
                match port {
                    Some(port) => access.port(port).into_requests(),
                    None => access.into_requests(),
                }
            }
            // By hand it may say anything.
            6 => {
                let target = match self.source.below(3) {
                    0 => self.path(),
                    1 => self.one(&LINES).to_owned(),
                    _ => {
                        let (host, port) = self.host();
                        port.map_or(host.clone(), |port| format!("{host}:{port}"))
                    }
                };
                let mut made = PermissionRequest::new(self.kind(), target, "By hand");
                for key in ["named", "entry", "directory"] {
                    if self.source.below(6) == 0 {
                        made = made.with_detail(key, self.path());
                    }
                }
                if self.source.below(6) == 0 {
                    made = made.with_detail("tree", true);
                }
                if self.source.below(6) == 0 {
                    made = made.with_detail("argv", json!(["rm", 3]));
                }
                Ok(vec![made])
            }
            _ => Ok(vec![PermissionRequest::new("deploy", "test", "Deploy")]),
        };
        match made {
            Ok(mut made) => made.remove(0),
            Err(_) => self.request(),
        }
    }
}

/// A checker around another one that forwards what it has to, and no more.
struct Around(PermissionPolicy);

impl PermissionChecker for Around {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        self.0.check_tool(tool)
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        self.0.check_request(call, request)
    }
}

#[test]
fn the_plain_rule_never_allows_more_and_never_refuses_less() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for name in ["secrets", "src", "kéy", "[ab]*"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("secrets"), root.join("link")).unwrap();
    let mut cases_of = Cases {
        source: Source(3),
        root: &root,
    };
    let policy = policy();
    let around = Around(policy.clone());
    let shared = std::sync::Arc::new(policy.clone());
    let mut seen = [[0; 3]; 2];
    for case in 0..cases() {
        let request = cases_of.request();
        let scopes: Vec<_> = (0..=cases_of.source.below(3))
            .map(|_| cases_of.scope())
            .collect();
        let scopes: Vec<&GrantScope> = scopes.iter().collect();
        let tool = tool();
        let query = GrantQuery::new(&tool, &request);
        let context = || format!("case {case}: {request:#?} {scopes:#?}");

        let full = policy.grant_covers(&scopes, &query);
        let plain = around.grant_covers(&scopes, &query);
        assert!(plain <= full, "{}", context());
        assert_eq!(shared.grant_covers(&scopes, &query), full);
        seen[0][full as usize] += 1;
        for scope in &scopes {
            let full = policy.refusal_covers(scope, &query);
            let plain = around.refusal_covers(scope, &query);
            // A person decides at least where the policy refuses, or may.
            assert!(
                full == Coverage::No || plain != Coverage::No,
                "{}",
                context()
            );
            assert_eq!(shared.refusal_covers(scope, &query), full);
            seen[1][full as usize] += 1;
        }
    }
    let least = cases() / 300;
    for (side, [no, maybe, yes]) in ["grants", "refusals"].into_iter().zip(seen) {
        let enough = no > least && yes > least && (maybe > least || side == "grants");
        assert!(enough, "{side} {no} {maybe} {yes}");
    }
}
