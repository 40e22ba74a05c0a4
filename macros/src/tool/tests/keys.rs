//! Mistakes in `#[tool(..)]`.

use super::{accepted, expand, refused};
use crate::testing::mistakes;

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    refused(
        &format!("/// D\n#[tool({keys})]\nasync fn f_() {{}}"),
        at,
        says,
    );
}

#[test]
fn unknown() {
    key(
        "nam = \"a\"",
        "nam",
        "has no key `nam`: did you mean `name`?\nthe keys are `name`, `title`, `version`",
    );
    key("readonly", "readonly", "did you mean `read_only`?");
    key(
        "xyz(1, 2), pure",
        "xyz",
        "`#[tool(..)]` has no key `xyz`\nthe keys are `name`",
    );
    key("nam = ", "nam", "did you mean `name`?");
}

#[test]
fn words_of_other_crates() {
    for written in ["description", "descripton"] {
        key(
            &format!("{written} = \"a\""),
            written,
            &format!("has no key `{written}`: the doc comment is the description"),
        );
    }
    key(
        "annotations(read_only_hint = true)",
        "annotations",
        "write `read_only`, `idempotent`",
    );
    // A key of ours that is as near is what is meant.
    key(
        "desctructive",
        "desctructive",
        "did you mean `destructive`?",
    );
}

#[test]
fn repeated() {
    key("pure, pure", "pure", "`pure` is given twice");
    let found = mistakes(expand("/// D\n#[tool(name = 1, name = \"a\")] fn f_() {}"));
    assert_eq!(
        found.len(),
        2,
        "a first one that is wrong is still the first"
    );
}

#[test]
fn grammar() {
    key(
        "name =",
        "name",
        "`name` has no value: write `name = \"fs.read\"`",
    );
    key("name = , pure", "name", "`name` has no value");
    key(
        "name: \"a\"",
        ":",
        "`name` is followed by `=`, `(..)` or a comma, not by `:`",
    );
    key(
        "pure read_only",
        "read_only",
        "a comma is missing between `pure` and `read_only`",
    );
    key(
        "name = \"a\" title = \"b\"",
        "title",
        "a comma is missing between `name` and `title`",
    );
    key(
        "name = \"a\"; pure",
        ";",
        "after `name` a comma comes next, not `;`",
    );
    key("\"name\"", "\"name\"", "write `name = \"name\"`");
    key("1", "1", "is not a key");
    key("read-only", "read-only", "write `read_only`");
    key(
        "foo-bar = 1",
        "foo-bar",
        "has no key `foo-bar`\nthe keys are `name`",
    );
    key(
        "needs-aproval = true",
        "needs-aproval",
        "write `needs_approval`",
    );
    key("pure,, open_world", ",", "`,` is not a key");
    key(
        "permission = a +",
        "permission",
        "the value of `permission` ends too early",
    );
    key("aliases(\"a\" \"b\")", "\"b\"", "expected `,`");
    key("permission = a(1 2)", "2", "expected `,`");
    key("permission = a + (b c)", "c", "expected `,`");
    key("metadata(a = b(1 2))", "2", "expected `,`");
    key("name = =, pure", "=", "expected an expression");
}

#[test]
fn values() {
    key(
        "name = 5",
        "5",
        "`name` takes a string literal: write `name = \"fs.read\"`",
    );
    key(
        "name = concat!(\"a\")",
        "concat!(\"a\")",
        "`name` takes a string literal",
    );
    key("name", "name", "`name` takes a string literal");
    key("name(\"a\")", "name", "`name` takes a string literal");
    key("aliases", "aliases", "`aliases` takes a list");
    key(
        "aliases = \"a\"",
        "\"a\"",
        "write `aliases(\"read\", \"cat\")`",
    );
    key("aliases()", "aliases", "`aliases()` is empty");
    key(
        "aliases(1, \"b\")",
        "1",
        "`aliases` takes a list of string literals",
    );
    key("pure = true", "true", "`pure` stands alone");
    key("pure(1)", "pure", "`pure` stands alone");
    key(
        "streaming = 1",
        "1",
        "write `streaming` or `streaming = false`",
    );
    key("register", "register", "write `register = false`");
    key("register = no", "no", "`register` takes `true` or `false`");
    key("struct_name = a::B", "a::B", "`struct_name` takes a name");
    key(
        "struct_name = \"B\"",
        "\"B\"",
        "write `struct_name = ReadFile`",
    );
    key("crate = \"a\"", "\"a\"", "`crate` takes a path");
    key("crate = a::<b>", "a::<b>", "`crate` takes a path");
    key(
        "permission",
        "permission",
        "`permission` takes an expression",
    );
}

#[test]
fn names() {
    key("name = \"\"", "\"\"", "a tool's name is not empty");
    key(
        "name = \"bad name!\"",
        "\"bad name!\"",
        "` ` (character 4) cannot be in the name of a tool: write `bad_name`\na name is made of",
    );
    key("name = \"a..b\"", "\"a..b\"", "write `a.b`");
    key(
        "name = \".a\"",
        "\".a\"",
        "`.a` has an empty segment: write `a`",
    );
    key("name = \"a.\"", "\"a.\"", "write `a`");
    key("name = \"über\"", "\"über\"", "write `ber`");
    let long = "a".repeat(129);
    key(
        &format!("name = \"{long}\""),
        &format!("\"{long}\""),
        "at most 128 characters, and this one has 129",
    );
    accepted("/// D\n#[tool(name = \"a-1.B_2.c\", aliases(\"x.y\", \"z\"))] fn f_() {}");
}

#[test]
fn aliases() {
    key("aliases(\"a b\")", "\"a b\"", "write `a_b`");
    key(
        "aliases(\"a\", \"a\")",
        "\"a\"",
        "the alias `a` is given twice",
    );
    key(
        "aliases(\"f_\")",
        "\"f_\"",
        "`f_` is the tool's name already",
    );
    key(
        "name = \"x\", aliases(\"x\")",
        "\"x\"",
        "`x` is the tool's name already",
    );
}

#[test]
fn effects() {
    key(
        "pure, read_only",
        "read_only",
        "`pure` and `read_only` exclude each other",
    );
    key(
        "read_only, idempotent",
        "idempotent",
        "`read_only` and `idempotent` exclude each other",
    );
    key(
        "read_only, destructive",
        "destructive",
        "`destructive` contradicts `read_only`",
    );
    key(
        "destructive = true, pure",
        "destructive",
        "`destructive` contradicts `pure`",
    );
    key(
        "open_world, pure",
        "open_world",
        "`open_world` contradicts `pure`",
    );
    for version in ["", "1 2", "1\\n"] {
        let (keys, at) = (format!("version = \"{version}\""), format!("\"{version}\""));
        key(&keys, &at, "a version is some text without spaces");
    }
    accepted("/// D\n#[tool(pure, open_world = false, version = \"2025-11-22\")] fn f_() {}");
    accepted("/// D\n#[tool(read_only, open_world)] fn f_() {}");
    accepted("/// D\n#[tool(idempotent, destructive)] fn f_() {}");
    accepted("/// D\n#[tool(read_only, destructive = false)] fn f_() {}");
}

#[test]
fn timeout() {
    key("timeout = \"soon\"", "\"soon\"", "`soon` is not a unit");
    key("timeout = \"0s\"", "\"0s\"", "no time at all");
    key("timeout = 10", "10", "write `timeout = \"10s\"`");
    refused(
        "/// D\n#[tool(timeout = \"1s\")] fn f_() {}",
        "timeout",
        "make it `async fn f_`",
    );
}

#[test]
fn metadata() {
    key(
        "metadata(a = 1, a = 2)",
        "a",
        "`a` is given twice in `metadata`",
    );
    key(
        "metadata(\"\" = 1)",
        "\"\"",
        "a key of `metadata` is not empty",
    );
    key("metadata(a = b)", "b", "`b` cannot be the value of `a`");
    key(
        "metadata(a = {\"b\": 1}, c = 2)",
        "{\"b\": 1}",
        "cannot be the value of `a`",
    );
    key("metadata(a = 'c')", "'c'", "written as literals");
    key("metadata(a = -\"b\")", "-\"b\"", "written as literals");
    key(
        "metadata(a = 9223372036854775808)",
        "9223372036854775808",
        "too large for `a`",
    );
    key("metadata(a = 1e999)", "1e999", "too large for `a`");
    key(
        "metadata",
        "metadata",
        "write `metadata(team = \"files\", tier = 2)`",
    );
    accepted(
        "/// D\n#[tool(metadata(a = -9223372036854775808, \"b c\" = 1e9, type = true))] fn f_() {}",
    );
}
