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
    parameters("(a, b): (u8, u8)", "(a, b)", "take it apart in the body");
    parameters("Foo { a, .. }: Foo", "Foo { a, .. }", "name the parameter");
    parameters("ref a: u8", "ref a", "name the parameter");
    accepted("/// D\n#[tool] fn f_(mut a: u8, r#type: u8) {}");
    // A resource is found by its type, so it needs no name.
    accepted("/// D\n#[tool] fn f_(_: &Ctx, _: Option<&Files>) {}");
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
fn borrowed_values_that_a_model_fills_in() {
    for (written, at, owned) in [
        ("&String", "&String", "String"),
        (
            "&std::string::String",
            "&std::string::String",
            "std::string::String",
        ),
        ("&'static String", "&'static String", "String"),
        ("&mut Vec<String>", "&mut Vec<String>", "Vec<String>"),
        ("&Vec<String>", "&Vec<String>", "Vec<String>"),
        ("&Vec<Vec<(u8)>>", "&Vec<Vec<(u8)>>", "Vec<Vec<(u8)>>"),
        ("&Vec<&str>", "&Vec<&str>", "Vec<String>"),
        ("&&str", "&&str", "String"),
        ("&u32", "&u32", "u32"),
        ("&bool", "&bool", "bool"),
        ("&char", "&char", "char"),
        (
            "&core::primitive::f64",
            "&core::primitive::f64",
            "core::primitive::f64",
        ),
        ("&PathBuf", "&PathBuf", "PathBuf"),
        ("&OsString", "&OsString", "String"),
        ("&std::ffi::OsStr", "&std::ffi::OsStr", "String"),
        ("&Box<str>", "&Box<str>", "String"),
        ("&Box<[u8]>", "&Box<[u8]>", "Vec<u8>"),
        ("&Cow<'_, str>", "&Cow<'_, str>", "String"),
        ("&Cow<'static, Path>", "&Cow<'static, Path>", "PathBuf"),
        ("&Option<u32>", "&Option<u32>", "Option<u32>"),
        ("&Option<&str>", "&Option<&str>", "Option<String>"),
        ("Option<&String>", "&String", "Option<String>"),
        ("Option<&Vec<u32>>", "&Vec<u32>", "Option<Vec<u32>>"),
        ("Option<&mut String>", "&mut String", "Option<String>"),
    ] {
        let says = format!("take `{owned}`");
        parameters(&format!("a: {written}"), at, &says);
    }
    // All else is lent by the app.
    accepted(
        "/// D\n#[tool] fn f_(a: &Vec<Item>, b: &Box<dyn Files>, c: &Option<Files>, d: &my::String, e: &my::Vec<u8>, \
         f: &HashMap<String, String>, g: &Vec<u8, Arena>, h: &[u8; 4], i: &<A as B>::String, j: &Arc<str>) {}",
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
        "#[cfg_attr(unix, arg(default))] a: u8",
        "#[cfg_attr(unix, arg(default))]",
        "`#[cfg_attr(..)]` on `a`",
    );
    parameters(
        "#[cfg_attr(unix, allow(x), cfg_attr(test, doc = \"d\"))] a: u8",
        "#[cfg_attr(unix, allow(x), cfg_attr(test, doc = \"d\"))]",
        "`#[cfg_attr(..)]` on `a`",
    );
    accepted("/// D\n#[tool] fn f_(#[cfg_attr(unix, allow(x))] a: u8) {}");
    for (said, instead) in [
        ("serde(default)", "write `#[arg(default)]`"),
        (
            "serde(default = \"a::b\")",
            "write `#[arg(default = a::b())]`",
        ),
        ("serde(rename = \"b\")", "write `#[arg(name = \"b\")]`"),
        (
            "schemars(length(min = 1))",
            "write `#[arg(length = 1..=64)]`",
        ),
        ("serde(with = \"a\")", "the rest in a type of its own"),
    ] {
        let at = said.split('(').next().unwrap();
        parameters(&format!("#[{said}] a: u8"), at, instead);
    }
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

#[test]
fn only_an_object_can_be_all_the_arguments() {
    for (ty, says) in [
        (
            "String",
            "no `String` can be read from: remove `flatten`, and `a` is one argument of it",
        ),
        ("Vec<Item>", "no `Vec<Item>` can be read from"),
        ("(u8, u8)", "no `(u8, u8)` can be read from"),
        ("[Item; 2]", "no `[Item; 2]` can be read from"),
        ("Box<u8>", "no `Box<u8>` can be read from"),
        ("Option<Lines>", "`a` is an `Option`: take what is in it"),
    ] {
        parameters(&format!("#[arg(flatten)] a: {ty}"), ty, says);
    }
    accepted("/// D\n#[tool] fn f_(#[arg(flatten)] a: Box<Lines>) {}");
    accepted("/// D\n#[tool] fn f_(#[arg(flatten)] a: HashMap<String, u8>) {}");
}

#[test]
fn arguments_that_have_to_be_documented() {
    let source = "/// D\n#[tool(deny_undocumented)] fn f_(/// A.\n a: u8, b: u8, c: &Files, d: Option<&Files>) {}";
    refused(
        source,
        "b",
        "`b` has no doc comment, and `deny_undocumented` demands one",
    );
    accepted("/// D\n#[tool(deny_undocumented)] fn f_(#[arg(flatten)] a: Lines, c: &Files) {}");
    accepted("/// D\n#[tool] fn f_(a: u8) {}");
}
