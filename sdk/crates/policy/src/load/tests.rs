//! Each slip in a policy file: the text, and the message that its author reads.

mod keys;

use super::*;

/// All mistakes of a text, as `LINE PLACE: MESSAGE`.
fn flaws(text: &str) -> Vec<String> {
    let loaded = read(text, &Section::default(), None).unwrap();
    let shown = |problem: &PolicyProblem| {
        let line = problem.line().map(|line| format!("{line} "));
        let line = line.unwrap_or_default();
        if let Some(message) = problem.message().strip_prefix("in `[trees]`, ") {
            return format!("{line}[trees]: {message}");
        }
        let place = problem.rule().map_or(String::new(), |rule| {
            let number = rule.number().unwrap();
            format!("[[{}]] number {number}: ", rule.verdict().as_str())
        });
        format!("{line}{place}{}", problem.message())
    };
    loaded.problems.iter().map(shown).collect()
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table")]
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
        // A text that is no TOML ends the reading.
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
fn a_section_of_a_larger_text_is_read_as_a_file_is() {
    let load = |text: &str, section: &str| {
        crate::PermissionPolicy::from_toml_section(text, section, Some("app.toml"), "/srv/app")
    };
    let text = "
timeout = 3
[app.policy]
default = \"ask\"
[app.policy.trees]
allowed = [\".\"]
[[app.policy.deny]]
tools = [\"x\"]
[other]
policy = 1
";
    let policy = load(text, "app.policy").unwrap().unwrap();
    let places: Vec<String> = policy.rules().map(ToString::to_string).collect();
    assert_eq!(
        places,
        [
            "the allowed trees (app.toml line 6)",
            "deny rule 1 (app.toml line 7)"
        ]
    );
    for missing in ["policy", "app.rules", "app.policy.rules", ""] {
        assert!(load(text, missing).unwrap().is_none(), "{missing}");
    }
    let told = |text: &str, section: &str| load(text, section).unwrap_err().to_string();
    let says = |text: &str, section: &str, what: &str| {
        let told = told(text, section);
        assert!(told.contains(what), "{told}");
    };
    says(text, "other.policy", "app.toml line 10: `policy` is");
    says(
        text,
        "other.policy",
        "write `[other.policy]` above its keys",
    );
    says("[p]\nx = 1", "p", "app.toml line 2: there is no key `x`");
    says(
        "[p]\ntools = []",
        "p",
        "below `[[p.allow]]`, `[[p.ask]]` or `[[p.deny]]`",
    );
    says(
        "[p]\nallowed = []",
        "p",
        "`allowed` belongs below `[p.trees]`",
    );
    says("[p]\nallow = 1", "p", "write `[[p.allow]]` above each");
    says("[p]\ntrees = 1", "p", "write `[p.trees]` above its keys");
    says(
        "[p.trees]\nx = 1",
        "p",
        "in `[p.trees]`, there is no key `x`",
    );
    says("[p", "p", "app.toml line 1: this is no TOML");
    // The policy does not look outside of its section.
    assert!(load("x = 1\n[p]\n[q]\nallow = 1", "p").unwrap().is_some());
}
