//! Mistakes in parameters and in `#[arg(..)]`.

use super::{accepted, expand, refused};
use crate::testing::mistakes;

#[track_caller]
fn parameters(list: &str, at: &str, says: &str) {
    refused(
        &format!("/// D\n#[tool]\nasync fn f_({list}) {{}}"),
        at,
        says,
    );
}

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    parameters(&format!("#[arg({keys})] a: u8"), at, says);
}

#[test]
fn patterns() {
    parameters("_: u8", "_", "the model fills an argument in by its name");
    parameters("_: &Ctx", "_", "write one such as `_ctx`");
    parameters("(a, b): (u8, u8)", "(a, b)", "take it apart in the body");
    parameters("Foo { a, .. }: Foo", "Foo { a, .. }", "name the parameter");
    parameters("ref a: u8", "ref a", "name the parameter");
    accepted("/// D\n#[tool] fn f_(mut a: u8, r#type: u8) {}");
}

#[test]
fn borrowed_data() {
    parameters(
        "a: &str",
        "&str",
        "`a` borrows, and what the model fills in is owned: take `String`",
    );
    parameters("a: &'static str", "&'static str", "take `String`");
    parameters("a: &mut str", "&mut str", "take `String`");
    parameters("a: &[u8]", "&[u8]", "take `Vec<u8>`");
    parameters("a: &[&str]", "&[&str]", "take `Vec<String>`");
    parameters("a: &Path", "&Path", "take `PathBuf`");
    parameters("a: &std::path::Path", "&std::path::Path", "take `PathBuf`");
    parameters("a: Option<&str>", "&str", "take `Option<String>`");
    parameters("a: Vec<&str>", "&str", "take `Vec<String>`");
    parameters("a: Vec<&[Item]>", "&[Item]", "take `Vec<Vec<Item>>`");
    parameters(
        "a: Map<String, (u8, &Item)>",
        "&Item",
        "take `Map<String, (u8, Item)>`",
    );
    parameters("a: [&str; 2]", "&str", "take `[String; 2]`");
    parameters(
        "a: Cow<'_, str>",
        "Cow<'_, str>",
        "write `Cow<'static, str>`",
    );
}

#[test]
fn references() {
    parameters(
        "a: &mut Files",
        "&mut",
        "take `&Files`, and let it keep what changes behind a lock",
    );
    parameters("a: Option<&mut Files>", "&mut", "take `Option<&Files>`");
    parameters(
        "a: &'static Files",
        "'static",
        "remove `'static`, and take `&Files`",
    );
    parameters(
        "a: &&Files",
        "&&Files",
        "a reference to a reference: take `&Files`",
    );
    accepted(
        "/// D\n#[tool] fn f_(a: &dyn Fn(&str) -> u8, b: Option<&(dyn Files + Send)>, c: &graph::Path, d: &'_ X) {}",
    );
    accepted("/// D\n#[tool] fn f_(a: Cow<'static, str>, b: std::option::Option<&Files>) {}");
}

#[test]
fn impl_trait() {
    parameters(
        "a: impl Into<String>",
        "impl Into<String>",
        "the type that the model's argument is read into",
    );
    parameters("a: Vec<impl Copy>", "impl Copy", "`a` has no single type");
    parameters(
        "a: &impl Files",
        "impl Files",
        "write the type, or `&dyn Files`",
    );
    parameters(
        "a: Option<&impl Files>",
        "impl Files",
        "write the type, or `&dyn Files`",
    );
}

#[test]
fn attributes() {
    parameters(
        "#[cfg(unix)] a: u8",
        "#[cfg(unix)]",
        "`#[cfg(..)]` on `a` would give the tool two schemas",
    );
    parameters(
        "#[cfg_attr(unix, allow(x))] a: u8",
        "#[cfg_attr(unix, allow(x))]",
        "`#[cfg_attr(..)]` on `a`",
    );
    parameters(
        "#[arg(default)] a: &Files",
        "arg",
        "`a` comes from the app by reference",
    );
    parameters("#[arg] a: u8", "arg", "`#[arg]` says nothing without keys");
    parameters(
        "#[arg()] a: u8",
        "arg",
        "`#[arg]` says nothing without keys",
    );
    parameters("#[arg = 1] a: u8", "arg", "stand in parentheses");
}

#[test]
fn too_many() {
    let list = |count: usize| {
        (1..=count).fold(String::new(), |list, place| format!("{list}a{place}: u8, "))
    };
    parameters(
        &list(17),
        "a17",
        "`f_` takes 17 arguments, and a tool takes 16 at most",
    );
    parameters(&list(20), "a17", "put some of them into a struct");
    accepted(&format!("/// D\n#[tool] fn f_({}ctx: &Ctx) {{}}", list(16)));
}

#[test]
fn keys() {
    key(
        "rang = 1..",
        "rang",
        "`#[arg(..)]` has no key `rang`: did you mean `range`?\nthe keys are `name`, `aliases`",
    );
    key(
        "default, default = 2",
        "default",
        "`default` is given twice",
    );
    parameters(
        "#[arg(default)] #[arg(default = 2)] a: u8",
        "default",
        "`default` is given twice",
    );
    key("default(1)", "default", "write `default = 1`");
}

#[test]
fn names() {
    key("name = \"\"", "\"\"", "an argument's name is not empty");
    key(
        "name = \"a b\"",
        "\"a b\"",
        "` ` (character 2) cannot be in the name of an argument: write `a_b`",
    );
    key(
        "name = \"1st\"",
        "\"1st\"",
        "begins with a letter or `_`: write `_1st`",
    );
    key("name = \"a.b\"", "\"a.b\"", "write `a_b`");
    key(
        "aliases(\"a\")",
        "\"a\"",
        "`a` is the argument's name already",
    );
    key(
        "aliases(\"b\", \"b\")",
        "\"b\"",
        "the alias `b` is given twice",
    );
    key("aliases(\"b!\")", "\"b!\"", "write `b`");
    parameters(
        "größe: u8",
        "größe",
        "`größe` cannot name the argument, so add `#[arg(name = \"..\")]`",
    );
    accepted("/// D\n#[tool] fn f_(#[arg(name = \"from-line\", aliases(\"_x\"))] größe: u8) {}");
}

#[test]
fn clashes() {
    parameters(
        "a: u8, #[arg(name = \"a\")] b: u8",
        "\"a\"",
        "`a` and `b` both answer to `a`",
    );
    parameters(
        "#[arg(aliases(\"b\"))] a: u8, b: u8",
        "b",
        "`a` and `b` both answer to `b`",
    );
    parameters(
        "#[arg(aliases(\"x\"))] a: u8, #[arg(aliases(\"x\"))] b: u8",
        "\"x\"",
        "both answer to `x`",
    );
}

#[test]
fn ranges() {
    key("range = ..", "..", "`range = ..` allows everything");
    key(
        "range = 5",
        "5",
        "`range` takes a range: write `range = 1..=100`",
    );
    key("range = 5..=1", "5..=1", "write `range = 1..=5`");
    key("range = 5..5", "5..5", "write `range = 5..=5`");
    key("range = -1..=-2", "-1..=-2", "write `range = -2..=-1`");
    key("range = (1.5..0.5)", "1.5..0.5", "write `range = 0.5..1.5`");
    key("length = 1..LIMIT", "LIMIT", "write `1..=LIMIT`");
    key("length = ..0", "..0", "write `length = ..=0`");
    key("length = 3..=2", "3..=2", "write `length = 2..=3`");
    accepted(
        "/// D\n#[tool] fn f_(#[arg(range = LOW..=HIGH)] a: u8, #[arg(range = ..=5)] b: u8) {}",
    );
    accepted(
        "/// D\n#[tool] fn f_(#[arg(range = 1..=1)] a: u8, #[arg(length = ..=LIMIT)] b: String) {}",
    );
}

#[test]
fn patterns_and_formats() {
    key(
        "pattern = \"[\"",
        "\"[\"",
        "`[` is not a regular expression: found unclosed character class",
    );
    key(
        "pattern = \"(?=a)\"",
        "\"(?=a)\"",
        "look-around is not supported",
    );
    key(
        "format = \"dat\"",
        "\"dat\"",
        "no format `dat`: did you mean `date`?\nthe formats are `date`, `date-time`",
    );
    key(
        "format = \"xyz\"",
        "\"xyz\"",
        "there is no format `xyz`\nthe formats are",
    );
}

#[test]
fn one_of() {
    key("one_of()", "one_of", "`one_of()` is empty");
    key(
        "one_of(\"a\", \"a\")",
        "\"a\"",
        "`\"a\"` is in `one_of` twice",
    );
    key("one_of(1, 0x1)", "0x1", "is in `one_of` twice");
    key(
        "one_of(1, \"a\")",
        "\"a\"",
        "is a string, and `one_of` began with an integer",
    );
    key("one_of(1, 2.5)", "2.5", "is a number with a point");
    key("one_of(true)", "true", "lists strings or numbers");
    key("one_of(A)", "A", "`one_of` takes a list of literals");
    accepted(
        "/// D\n#[tool] fn f_(#[arg(one_of(1, -1))] a: i8, #[arg(one_of(0.5, -0.5))] b: f32) {}",
    );
}

#[test]
fn defaults() {
    parameters(
        "#[arg(default)] a: Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    parameters(
        "#[arg(default = 1)] a: std::option::Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    key(
        "default = 0, range = 1..",
        "0",
        "the default `0` is not allowed: `range` begins at `1`",
    );
    key("default = 5, range = 1..5", "5", "`range` ends before `5`");
    key("default = 6, range = 1..=5", "6", "`range` ends at `5`");
    key(
        "default = \"c\", one_of(\"a\", \"b\")",
        "\"c\"",
        "`one_of` does not list it",
    );
    accepted(
        "/// D\n#[tool] fn f_(#[arg(default = X, range = 1..)] a: u8, #[arg(default = 5, range = ..=5)] b: u8) {}",
    );
}

#[test]
fn a_wrong_parameter_does_not_hide_the_mistakes_in_its_keys() {
    let found = mistakes(expand(
        "/// D\n#[tool] fn f_(#[arg(pattern = \"[\", rang = 1)] _: &str) {}",
    ));
    let messages: Vec<&str> = found
        .iter()
        .map(|mistake| mistake.message.as_str())
        .collect();
    assert_eq!(messages.len(), 4, "{messages:#?}");
}
