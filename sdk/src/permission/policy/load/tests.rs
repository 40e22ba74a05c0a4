//! What is said of each slip in a policy file: the text, and what its author reads.

use serde_json::json;

use super::*;
use crate::permission::policy::PermissionPolicy;
use crate::permission::policy::rule::{ArgumentTest, Hint, HintName};
use crate::spec::Effect;

/// All flaws of a text, as `LINE PLACE: MESSAGE`.
fn flaws(text: &str) -> Vec<String> {
    let flaws = read(text).flaws.into_iter();
    flaws
        .map(
            |Flaw {
                 line,
                 place,
                 message,
             }| {
                let line = line.map_or(String::new(), |line| format!("{line} "));
                let place = match place {
                    Place::File => String::new(),
                    Place::Trees => "[trees]: ".to_owned(),
                    Place::Rule {
                        verdict, number, ..
                    } => format!("[[{}]] number {number}: ", verdict.as_str()),
                };
                format!("{line}{place}{message}")
            },
        )
        .collect()
}

#[test]
fn what_is_said_of_each_slip() {
    let table: &[(&str, &[&str])] = &[
        // The file.
        ("", &[]),
        ("default = \"ask\"", &[]),
        (
            "default = \"readonly\"",
            &["1 \"readonly\" is no default; did you mean \"read-only\"?"],
        ),
        (
            "default = \"yes\"",
            &["1 \"yes\" is no default; it is one of \"read-only\", \"ask\" and \"deny\""],
        ),
        (
            "default = true",
            &["1 `default` is a text in quotes, and this is a boolean"],
        ),
        (
            "shared = \"yes\"",
            &["1 `shared` is true or false, and this is a text"],
        ),
        (
            "\ndefalt = \"ask\"\nallowed = []",
            &[
                "2 there is no key `defalt`; did you mean `default`?",
                "3 `allowed` belongs below `[trees]`",
            ],
        ),
        (
            "paths = [\"src\"]\n[[deny]]\ndefault = \"ask\"\nwrites = [\"x\"]",
            &[
                "1 `paths` belongs in a rule, below `[[allow]]`, `[[ask]]` or `[[deny]]`",
                "3 [[deny]] number 1: `default` belongs at the top of the file, above the first `[`",
            ],
        ),
        (
            "version = 1",
            &[
                "1 there is no key `version`; the keys are `default`, `shared`, `trees`, `allow`, `ask` and `deny`",
            ],
        ),
        (
            "[allow]\ntools = [\"*\"]",
            &["1 `allow` is a list of rules; write `[[allow]]` above each, and this is a table"],
        ),
        (
            "deny = [\"fs.remove\"]",
            &["1 `deny` is a list of rules; write `[[deny]]` above each, and this is a text"],
        ),
        // What TOML itself does not take ends the reading.
        (
            "[[allow]]\ntools = [\"a\", \"b\"\nreason = \"x\"\nbogus = 1",
            &["2 this is no TOML: missing comma between array elements, expected `,`"],
        ),
        (
            "default = ask",
            &["1 this is no TOML: string values must be quoted, expected literal string"],
        ),
        (
            "[[allow]]\ntools = [\"a\"]\ntools = [\"b\"]",
            &["3 this is no TOML: duplicate key"],
        ),
        // Rules.
        (
            "[[allow]]\n[[allow]]\nreason = \"x\"\n[[deny]]\nread-only-commands = false",
            &[
                "1 [[allow]] number 1: the rule does not say what it is about; if it is about every tool, write `tools = [\"*\"]`",
                "2 [[allow]] number 2: the rule does not say what it is about; if it is about every tool, write `tools = [\"*\"]`",
                "4 [[deny]] number 1: the rule does not say what it is about; if it is about every tool, write `tools = [\"*\"]`",
            ],
        ),
        (
            "[[ask]]\ntool = [\"fs.read\"]\n[[ask]]\ncomands = [\"git\"]\nread_only_commands = true",
            &[
                "2 [[ask]] number 1: there is no key `tool`; did you mean `tools`?",
                "4 [[ask]] number 2: there is no key `comands`; did you mean `commands`?",
                "5 [[ask]] number 2: there is no key `read_only_commands`; did you mean `read-only-commands`?",
            ],
        ),
        (
            "[[ask]]\ntools = \"fs.read\"",
            &["2 [[ask]] number 1: `tools` is a list of texts; write `tools = [\"fs.read\"]`"],
        ),
        (
            "[[ask]]\ntools = 5\nhosts = [\"a\", 5, []]\npaths = []\nkinds = [\" \"]",
            &[
                "2 [[ask]] number 1: `tools` is a list of texts, and this is an integer",
                "3 [[ask]] number 1: `hosts` is a list of texts, and an integer is in it",
                "3 [[ask]] number 1: `hosts` is a list of texts, and a list is in it",
                "4 [[ask]] number 1: `paths` is an empty list, which speaks of nothing; fill it, or leave the key out",
                "5 [[ask]] number 1: `kinds` has an empty text in it",
            ],
        ),
        (
            "[[ask]]\nreason = \"\"\ntools = [\"*\"]",
            &["2 [[ask]] number 1: `reason` is empty; write something, or leave the key out"],
        ),
        (
            "[[ask]]\neffects = [\n  \"pure\",\n  \"at_most_once\",\n  \"write\",\n]",
            &[
                "4 [[ask]] number 1: \"at_most_once\" is no effect; did you mean \"at-most-once\"?",
                "5 [[ask]] number 1: \"write\" is no effect; it is one of \"pure\", \"read-only\", \"idempotent\" and \"at-most-once\"",
            ],
        ),
        (
            "[[ask]]\nhints = [\"!destructiv\", \"openWorld\", \"fast\"]",
            &[
                "2 [[ask]] number 1: \"destructiv\" is no hint; did you mean \"destructive\"?",
                "2 [[ask]] number 1: \"openWorld\" is no hint; did you mean \"open-world\"?",
                "2 [[ask]] number 1: \"fast\" is no hint; it is one of \"destructive\", \"open-world\", \"needs-approval\" and \"streaming\"",
            ],
        ),
        // Arguments.
        (
            "[[ask]]\narguments = [\"/a\"]",
            &[
                "2 [[ask]] number 1: `arguments` is a table of JSON pointers, such as `{ \"/force\" = true }`, and this is a list",
            ],
        ),
        (
            "[[ask]]\narguments = {}",
            &[
                "2 [[ask]] number 1: `arguments` is empty, which tests nothing; fill it, or leave the key out",
            ],
        ),
        (
            "[[ask]]\narguments = { force = true, \"\" = 1, \"/a~b\" = 1, \"/a~1b~0\" = 1 }",
            &[
                "2 [[ask]] number 1: an empty JSON pointer names no argument; write `/` and the argument's name",
                "2 [[ask]] number 1: `/a~b` is no JSON pointer: in these `~` is written `~0`, and `/` in a name `~1`",
                "2 [[ask]] number 1: `force` is no JSON pointer, for these begin with `/`; did you mean \"/force\"?",
            ],
        ),
        (
            "[[ask]]\n[ask.arguments]\n\"/a\" = { min = 3, max = 2 }\n\"/b\" = { min = \"3\", max = nan }\n\"/c\" = {}\n\"/d\" = { minimum = 1 }",
            &[
                "3 [[ask]] number 1: no number is at least 3 and at most 2, so `/a` never passes; `min` is the smaller one",
                "4 [[ask]] number 1: `min` is a number, and this is a text",
                "4 [[ask]] number 1: `nan` is no number that an argument can be",
                "5 [[ask]] number 1: the test of `/c` is one of a value, `{ one-of = [..] }`, `{ min = .., max = .. }` and `{ present = true }`",
                "6 [[ask]] number 1: there is no key `minimum`; the keys are `one-of`, `min`, `max` and `present`",
            ],
        ),
        (
            "[[ask]]\n[ask.arguments]\n\"/a\" = [\"x\", \"y\"]\n\"/b\" = { one-of = [] }\n\"/c\" = { one-of = \"x\" }\n\"/d\" = { present = 1 }\n\"/e\" = { present = true, min = 1 }",
            &[
                "3 [[ask]] number 1: `/a` is tested for a whole list; write `{ one-of = [..] }` for any of these, or `{ one-of = [[..]] }` for this list",
                "4 [[ask]] number 1: `one-of` is an empty list, and nothing is one of no values",
                "5 [[ask]] number 1: `one-of` is a list of values, and this is a text",
                "6 [[ask]] number 1: `present` is true or false, and this is an integer",
                "7 [[ask]] number 1: the test of `/e` is one of a value, `{ one-of = [..] }`, `{ min = .., max = .. }` and `{ present = true }`",
            ],
        ),
        (
            "[[ask]]\narguments = { \"/a\" = 1979-05-27, \"/b\" = 99999999999999999999 }",
            &[
                "2 [[ask]] number 1: a date is no value of JSON; write it as the text that the argument has: \"1979-05-27\"",
                "2 [[ask]] number 1: this integer does not fit in 64 bits",
            ],
        ),
        // Trees.
        (
            "trees = [\"src\"]",
            &["1 [trees]: `trees` is a table; write `[trees]` above its keys, and this is a list"],
        ),
        (
            "[trees]\nallow = [\"src\"]\nreadonly = [\"x\"]\nforbidden = []",
            &[
                "2 [trees]: there is no key `allow`; did you mean `allowed`?",
                "3 [trees]: there is no key `readonly`; did you mean `read-only`?",
                "4 [trees]: `forbidden` is an empty list, which speaks of nothing; fill it, or leave the key out",
            ],
        ),
        // All at once, from the top to the end.
        (
            "[[deny]]\ntols = []\n[[allow]]\npaths = 1\n[[deny]]\nhints = [\"x\"]\n[trees]\na = 1",
            &[
                "2 [[deny]] number 1: there is no key `tols`; did you mean `tools`?",
                "4 [[allow]] number 1: `paths` is a list of texts, and this is an integer",
                "6 [[deny]] number 2: \"x\" is no hint; it is one of \"destructive\", \"open-world\", \"needs-approval\" and \"streaming\"",
                "8 [trees]: there is no key `a`; the keys are `allowed`, `read-only` and `forbidden`",
            ],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(flaws(text), *expected, "{text}");
    }
}

#[test]
fn a_file_may_have_a_mebibyte() {
    let comment = |size: usize| format!("#{}", "x".repeat(size - 1));
    assert_eq!(flaws(&comment(MAX_SIZE)), [""; 0]);
    assert_eq!(
        flaws(&comment(MAX_SIZE + 1)),
        ["the file has more than 1 MiB, which no policy takes that people read"]
    );
    let deep = format!(
        "[[ask]]\narguments = {{ \"/a\" = {{ one-of = {} }} }}",
        "[".repeat(100_000)
    );
    assert_eq!(
        flaws(&deep),
        ["2 this is no TOML: cannot recurse further; max recursion depth met"]
    );
}

#[test]
fn what_is_shown_of_a_file_is_one_line() {
    let long = format!("\"a\\u001b[2K{}\" = 1", "x".repeat(1_000));
    let flaws = flaws(&long);
    assert!(
        flaws[0].starts_with("1 there is no key `a\\u{1b}[2Kxxx"),
        "{flaws:?}"
    );
    assert!(flaws[0].len() < 250, "{flaws:?}");
}

#[test]
fn every_key_is_read() {
    let loaded = read(
        r#"
        default = "deny"
        shared = true

        [trees]
        allowed = ["src"]
        read-only = ["vendor", "docs"]
        forbidden = [".env"]

        [[deny]]
        reason = "never"
        tools = ["fs.*", "!fs.read"]
        effects = ["pure", "read-only", "idempotent", "at-most-once"]
        hints = ["destructive", "!open-world", "needs-approval", "!streaming"]
        capabilities = ["fs:read:*"]

        [deny.arguments]
        "/a" = "x"
        "/b" = { one-of = [1, 2.5, 0xff, true, [1], { x = 1 }] }
        "/c" = { min = -1, max = 18446744073709551615 }
        "/d" = { min = 1_000.5 }
        "/e" = { present = false }

        [[allow]]
        paths = ["a"]
        reads = ["b"]
        writes = ["c"]

        [[allow]]
        commands = ["git log"]
        exact-commands = ["ls"]
        read-only-commands = true
        environment = ["RUST_LOG"]

        [[ask]]
        hosts = ["example.org"]

        [[ask]]
        kinds = ["deploy"]
        targets = ["prod*"]
        "#,
    );
    assert_eq!(loaded.flaws, []);
    assert_eq!(loaded.default, Some(Unmatched::Deny));
    assert!(loaded.shared);
    let number = |value: serde_json::Value| value.as_number().cloned();
    let list = |texts: &[&str]| -> Vec<String> { texts.iter().map(|t| (*t).to_owned()).collect() };
    let [
        allowed,
        reads,
        writes,
        forbidden,
        deny,
        paths,
        commands,
        hosts,
        kinds,
    ] = &loaded.rules[..]
    else {
        panic!("{:?}", loaded.rules)
    };
    assert_eq!(allowed.paths, list(&["src"]));
    assert_eq!(allowed.line, Some(6));
    assert_eq!(reads.reads, list(&["vendor", "docs"]));
    assert_eq!(writes.writes, list(&["vendor", "docs"]));
    assert_eq!(writes.verdict, RuleVerdict::Deny);
    assert_eq!(forbidden.paths, list(&[".env"]));
    assert_eq!(forbidden.verdict, RuleVerdict::Deny);
    assert_eq!(deny.line, Some(10));
    assert_eq!(deny.reason.as_deref(), Some("never"));
    assert_eq!(deny.tools, list(&["fs.*", "!fs.read"]));
    assert_eq!(
        deny.effects,
        [
            Effect::Pure,
            Effect::ReadOnly,
            Effect::Idempotent,
            Effect::AtMostOnce
        ]
    );
    let hint = |name, given| Hint { name, given };
    assert_eq!(
        deny.hints,
        [
            hint(HintName::Destructive, true),
            hint(HintName::OpenWorld, false),
            hint(HintName::NeedsApproval, true),
            hint(HintName::Streaming, false),
        ]
    );
    assert_eq!(deny.capabilities, list(&["fs:read:*"]));
    let test = |pointer: &str, test| (pointer.to_owned(), test);
    assert_eq!(
        deny.arguments,
        [
            test("/a", ArgumentTest::Equals(json!("x"))),
            test(
                "/b",
                ArgumentTest::OneOf(vec![
                    json!(1),
                    json!(2.5),
                    json!(255),
                    json!(true),
                    json!([1]),
                    json!({"x": 1}),
                ])
            ),
            test(
                "/c",
                ArgumentTest::Range {
                    min: number(json!(-1)),
                    max: number(json!(u64::MAX)),
                }
            ),
            test(
                "/d",
                ArgumentTest::Range {
                    min: number(json!(1000.5)),
                    max: None,
                }
            ),
            test("/e", ArgumentTest::Present(false)),
        ]
    );
    assert_eq!(paths.paths, list(&["a"]));
    assert_eq!(paths.reads, list(&["b"]));
    assert_eq!(paths.writes, list(&["c"]));
    assert_eq!(commands.commands, list(&["git log"]));
    assert_eq!(commands.exact_commands, list(&["ls"]));
    assert!(commands.read_only_commands);
    assert_eq!(commands.environment, list(&["RUST_LOG"]));
    assert_eq!(hosts.hosts, list(&["example.org"]));
    assert_eq!(kinds.kinds, list(&["deploy"]));
    assert_eq!(kinds.targets, list(&["prod*"]));
}

/// The documentation has a table of all keys, each with an example.
#[test]
fn every_example_of_the_documentation_is_read() {
    let mut keys = Vec::new();
    for row in include_str!("../../../../docs/policy.md").lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [key, _, example] = cells[..] else {
            continue;
        };
        let key = key.trim_start_matches("| ").trim_matches('`');
        let Some(example) = example
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix("` |"))
        else {
            continue;
        };
        keys.push(key.to_owned());
        let text = match key {
            "allow" | "ask" | "deny" => format!("{example}\ntools = [\"*\"]"),
            _ if KEYS.contains(&key) => example.to_owned(),
            "reason" => format!("[[allow]]\n{example}\ntools = [\"*\"]"),
            "environment" => format!("[[allow]]\n{example}\ncommands = [\"make\"]"),
            "targets" => format!("[[allow]]\n{example}\nkinds = [\"deploy\"]"),
            _ => format!("[[allow]]\n{example}"),
        };
        let policy = PermissionPolicy::from_toml(&text, env!("CARGO_MANIFEST_DIR"));
        assert!(policy.is_ok(), "{text}\n{policy:?}");
    }
    let all = KEYS.iter().chain(&rule::KEYS);
    for key in all.chain(&["one-of", "min", "max", "present"]) {
        assert!(
            keys.iter().any(|listed| listed == key),
            "`{key}` is not documented"
        );
    }
}

#[test]
fn the_policy_of_the_readme_is_read() {
    let readme = include_str!("../../../../../README.md");
    let (_, from) = readme.split_once("```toml\n").unwrap();
    let (text, _) = from.split_once("```").unwrap();
    let policy = PermissionPolicy::from_toml(text, "/srv/project").unwrap();
    assert_eq!(policy.rules().len(), 5);
}
