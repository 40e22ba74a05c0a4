//! Rules that never decide are mistakes, and those that do are none.

use crate::PermissionPolicy;

/// All problems of a policy file.
fn problems(text: &str) -> Vec<String> {
    match PermissionPolicy::from_toml(text, "/srv/app") {
        Ok(_) => Vec::new(),
        Err(error) => error.problems().iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn what_is_said_of_rules_that_never_decide() {
    let table: &[(&str, &[&str])] = &[
        (
            "[[deny]]\ntools = [\"fs.read\", \"!fs.*\"]",
            &[
                "line 1, deny rule 1: it can never match: its `tools` leave out every tool that they name",
            ],
        ),
        (
            "[[ask]]\ntools = [\"!*\"]",
            &[
                "line 1, ask rule 1: it can never match: its `tools` leave out every tool that they name",
            ],
        ),
        (
            "[[ask]]\narguments = { \"/a\" = { present = false }, \"/a/b\" = 1 }",
            &[
                "line 1, ask rule 1: it can never match: nothing passes its tests of `/a` and of `/a/b`",
            ],
        ),
        (
            "[[ask]]\narguments = { \"/a/b/c\" = { present = true }, \"/a/b\" = \"x\" }",
            &[
                "line 1, ask rule 1: it can never match: nothing passes its tests of `/a/b` and of `/a/b/c`",
            ],
        ),
        // A denial leaves nothing of what it covers.
        (
            "[[allow]]\ntools = [\"fs.read\"]\nreads = [\"src\"]\n\n[[deny]]\ntools = [\"fs.*\"]",
            &[
                "line 1, allow rule 1: it can never decide anything: all that it speaks of is denied by deny rule 1 (line 5); take one of them back, or let the denial speak of less",
            ],
        ),
        (
            "[trees]\nforbidden = [\"secrets\"]\n\n[[ask]]\nreads = [\"secrets/public\"]",
            &[
                "line 4, ask rule 1: it can never decide anything: all that it speaks of is denied by the forbidden trees (line 2); take one of them back, or let the denial speak of less",
            ],
        ),
        (
            "[[deny]]\nreads = [\"src\"]\nwrites = [\"src\"]\n[[allow]]\npaths = [\"src/a\"]",
            &[
                "line 4, allow rule 1: it can never decide anything: all that it speaks of is denied by deny rule 1 (line 1); take one of them back, or let the denial speak of less",
            ],
        ),
        (
            "[[deny]]\narguments = { \"/to\" = { one-of = [\"all\", \"staff\"] } }\n[[allow]]\narguments = { \"/to\" = \"all\", \"/draft\" = true }",
            &[
                "line 3, allow rule 1: it can never decide anything: all that it speaks of is denied by deny rule 1 (line 1); take one of them back, or let the denial speak of less",
            ],
        ),
        (
            "[[deny]]\nkinds = [\"*\"]\n[[ask]]\nhosts = [\"example.org\"]",
            &[
                "line 3, ask rule 1: it can never decide anything: all that it speaks of is denied by deny rule 1 (line 1); take one of them back, or let the denial speak of less",
            ],
        ),
        // Twins.
        (
            "[[deny]]\nkinds = [\"deploy\", \"ship\"]\n[[deny]]\nkinds = [\"ship\", \"deploy\"]\nreason = \"x\"",
            &[
                "line 3, deny rule 2: it says the same as deny rule 1 (line 1): leave one of them out",
            ],
        ),
        (
            "[[allow]]\neffects = [\"pure\"]\n[[ask]]\neffects = [\"pure\", \"pure\"]",
            &[
                "line 1, allow rule 1: it can never decide anything: ask rule 1 (line 3) speaks of exactly the same, and of two such rules the one that asks counts; leave one of them out",
            ],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(problems(text), *expected, "{text}");
    }
}

#[test]
fn nothing_is_said_of_rules_that_may_decide() {
    let lively = [
        "",
        // A tool is left, and a single hint is enough.
        "[[ask]]\ntools = [\"fs.*\", \"!fs.read\"]",
        "[[ask]]\nhints = [\"destructive\", \"!destructive\"]",
        "[[ask]]\neffects = [\"read-only\"]\nhints = [\"destructive\"]",
        "[[ask]]\narguments = { \"/a\" = { one-of = [1, { b = 2 }] }, \"/a/b\" = 2 }",
        "[[ask]]\narguments = { \"/a\" = 1, \"/a/b\" = { present = false } }",
        "[[ask]]\narguments = { \"/a\" = 1, \"/ab\" = 2 }",
        // The denial speaks of less, in one kind of condition or another.
        "[[deny]]\ntools = [\"fs.*\", \"!fs.read\"]\n[[allow]]\ntools = [\"fs.*\"]",
        "[[deny]]\ntools = [\"fs.*\"]\n[[allow]]\nreads = [\".\"]",
        "[[deny]]\nreads = [\"src\"]\n[[allow]]\npaths = [\"src\"]",
        "[[deny]]\npaths = [\"src/a\"]\n[[allow]]\npaths = [\"src\"]",
        "[[deny]]\nreads = [\"src\"]\n[[allow]]\ntools = [\"fs.read\"]",
        "[[deny]]\narguments = { \"/force\" = true }\n[[allow]]\ntools = [\"deploy\"]",
        "[[deny]]\narguments = { \"/n\" = { max = 5 } }\n[[allow]]\narguments = { \"/n\" = { max = 6 } }",
        "[[deny]]\neffects = [\"pure\"]\n[[allow]]\neffects = [\"pure\", \"read-only\"]",
        "[[deny]]\nhints = [\"destructive\"]\n[[allow]]\neffects = [\"pure\"]",
        "[[deny]]\nkinds = [\"deploy\"]\ntargets = [\"production*\"]\n[[allow]]\nkinds = [\"deploy\"]",
        "[[deny]]\nkinds = [\"file.read\"]\n[[allow]]\npaths = [\"src\"]",
        "[[deny]]\nhosts = [\"example.org:443\"]\n[[allow]]\nhosts = [\"example.org\"]",
        // A denial within another does no harm.
        "[[deny]]\npaths = [\"secrets\"]\n[[deny]]\nreads = [\"secrets/key\"]\nreason = \"x\"",
        // The second is closer than the first.
        "[[ask]]\ntools = [\"fs.*\"]\n[[allow]]\ntools = [\"fs.read\"]",
        "[[ask]]\npaths = [\"src\"]\n[[allow]]\npaths = [\"src\", \"src/a\"]",
        "[[allow]]\npaths = [\"src\"]\n[[allow]]\npaths = [\"src\"]\ntools = [\"fs.read\"]",
    ];
    for text in lively {
        assert_eq!(problems(text), [""; 0], "{text}");
    }
}
