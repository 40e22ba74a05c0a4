//! Expansions of whole types. What fails to compile by type is tested where the runtime is.

use crate::testing::{self, flat, holds, lacks, messages};
use proc_macro2::TokenStream;

fn expand(source: &str) -> TokenStream {
    testing::attribute("tool_type", super::expand, source)
}

#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    testing::refused(&expand(source), source, at, says);
    // Rustc would tell of each that nobody takes off.
    lacks(&expand(source), "#[arg");
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    let tokens = testing::accepted(expand(source), source);
    lacks(&tokens, "#[arg");
    tokens
}

#[track_caller]
fn field(field: &str, at: &str, says: &str) {
    let source = format!("#[tool_type] struct Point {{ {field} }}");
    refused(&source, at, says);
    derives(&source, "Deserialize", "Serialize");
}

/// With mistakes too, so that what uses the type is not told of them.
#[track_caller]
fn derives(source: &str, argument: &str, result: &str) {
    let private = "::toolwright::__private";
    let named = |word: &str| match word {
        "" => String::new(),
        word => format!("{private}::serde::{word}, "),
    };
    let (argument, result) = (named(argument), named(result));
    holds(
        &expand(source),
        &format!("#[derive({argument}{result}{private}::schemars::JsonSchema)]"),
    );
}

#[test]
fn golden() {
    testing::golden("tool_type/golden/point", expand);
    testing::golden("tool_type/golden/route", expand);
}

#[test]
fn what_is_derived() {
    derives("#[tool_type] struct A;", "Deserialize", "Serialize");
    derives("#[tool_type(argument)] enum A {}", "Deserialize", "");
    derives(
        "#[tool_type(result)] struct A<'a, T>(&'a T);",
        "",
        "Serialize",
    );
    let tokens = accepted("#[tool_type(crate = a::b)] struct A;");
    holds(&tokens, "#[serde(crate = \"a::b::__private::serde\")]");
    holds(
        &tokens,
        "#[schemars(crate = \"a::b::__private::schemars\")]",
    );
    lacks(&tokens, "::toolwright");
    accepted(
        "#[tool_type(argument)] pub struct A<T: B = u8, const N: usize = { 1 }> where T: C { a: [T; N] }",
    );
}

#[test]
fn keys() {
    let key = |keys: &str, at: &str, says: &str| {
        refused(
            &format!("#[tool_type({keys})] struct A {{ #[arg(range = 1..)] a: u8 }}"),
            at,
            says,
        );
    };
    key(
        "arguments",
        "arguments",
        "`#[tool_type(..)]` has no key `arguments`: did you mean `argument`?\nthe keys are `argument`, `result`, `deny_undocumented`, `crate`",
    );
    key("argument = true", "true", "`argument` stands alone");
    key("result()", "result", "`result` stands alone");
    key("argument, argument", "argument", "given twice");
    key(
        "argument, result",
        "result",
        "together are what the type is without either: remove both",
    );
    key("crate", "crate", "`crate` takes a path");
    key(
        "result",
        "arg",
        "`#[arg(..)]` is for what the model fills in, and `A` is a result: remove one of the two",
    );
}

#[test]
fn other_items() {
    for (item, at, says) in [
        (
            "type A = u8;",
            "type",
            "put it on the type that this is another name for",
        ),
        ("type A = fn();", "type", "another name"),
        ("fn a() {}", "fn", "on a function there is `#[tool]`"),
        (
            "pub async fn a() {}",
            "async",
            "on a function there is `#[tool]`",
        ),
        ("impl A {}", "impl", "put it on the type itself"),
        (
            "trait A {}",
            "trait",
            "put it on the types that arguments and results are made of",
        ),
        ("pub(crate) mod a {}", "mod", "put it on the types"),
        ("const A: u8 = 1;", "const", "put it on the types"),
        ("a! {}", "a", "put it on the types"),
    ] {
        let source = format!("#[tool_type] {item}");
        refused(&source, at, says);
        let item: String = item.split_whitespace().collect();
        assert!(flat(&expand(&source)).starts_with(&item), "{item}");
    }
    refused(
        "#[tool_type] union A { #[arg(default)] a: u8 }",
        "union",
        "JSON has nothing like a union",
    );
    // Rustc gives no such thing to a macro, or has reported it.
    for (item, left) in [
        ("", ""),
        ("pub", "pub"),
        (
            "struct A { #[arg(default)] a: u8 b: u8 }",
            "struct A { a: u8 b: u8 }",
        ),
        ("struct A(#[arg(default)] (u8 u8));", "struct A((u8 u8));"),
    ] {
        let tokens = super::expand(TokenStream::new(), &item.parse().unwrap());
        let left: String = left.split_whitespace().collect();
        assert_eq!(flat(&tokens), left);
    }
}

#[test]
fn twice() {
    let source = "#[tool_type] #[toolwright::tool_type(result)] struct A;";
    refused(
        source,
        "toolwright::tool_type",
        "`#[tool_type]` stands here twice",
    );
    lacks(&expand(source), "#[toolwright");
}

#[test]
fn what_the_author_derives() {
    for (derive, at, word) in [
        ("Debug, Serialize", "Serialize", "Serialize"),
        ("serde::Deserialize", "Deserialize", "Deserialize"),
        (
            "Clone, schemars::JsonSchema, Debug",
            "JsonSchema",
            "JsonSchema",
        ),
    ] {
        let source = format!("#[tool_type] #[derive({derive})] struct A {{ a: u8 }}");
        refused(
            &source,
            at,
            &format!("`#[tool_type]` derives `{word}` too: remove it here"),
        );
        // Twice it would be in conflict with itself.
        assert_eq!(
            flat(&expand(&source)).matches(&format!("::{word}")).count(),
            1
        );
    }
    holds(
        &expand("#[tool_type] #[derive(Clone, Serialize, Debug)] struct A;"),
        "#[derive(Clone, Debug)]",
    );
    let found = messages(expand(
        "#[tool_type] #[derive(Serialize)] #[derive(JsonSchema)] struct A;",
    ));
    assert_eq!(found.len(), 2);
    accepted("#[tool_type(argument)] #[derive(Serialize, Default)] struct A;");
    accepted("#[tool_type(result)] #[derive(serde::Deserialize)] struct A;");
    refused(
        "#[tool_type(result)] #[derive(Serialize)] struct A;",
        "Serialize",
        "derives `Serialize` too",
    );
    refused(
        "#[tool_type] #[derive(Tool)] struct A { #[arg(default)] a: u8 }",
        "Tool",
        "`#[tool_type]` takes it off: put the derive in front of `#[tool_type]`",
    );
    accepted("#[tool_type] #[derive(Tool)] struct A { a: u8 }");
}

#[test]
fn attributes_in_the_wrong_place() {
    refused(
        "#[tool_type] #[arg(name = \"b\")] struct A;",
        "arg",
        "`#[arg(..)]` is about one field: put it on a field of `A`",
    );
    refused(
        "#[tool_type] enum A { #[arg(name = \"b\")] B }",
        "arg",
        "`B` is a variant: what serde can say of it is written `#[serde(..)]`, as in `#[serde(rename = \"other\")]`",
    );
    field("#[arg] a: u8", "arg", "`#[arg]` says nothing without keys");
    field("#[arg = 1] a: u8", "arg", "stand in parentheses");
    refused(
        "#[tool_type] struct A<T> { #[arg(default)] a: T }",
        "arg",
        "`#[arg(..)]` needs a type that is known here, and `A` is generic: write the type out",
    );
    // Once a field, whatever the number of its attributes.
    refused(
        "#[tool_type] struct A<T> { #[arg(default)] #[arg(range = 1..)] a: T }",
        "arg",
        "is generic",
    );
}

#[test]
fn keys_of_fields() {
    field("#[arg(rang = 1..)] a: u8", "rang", "did you mean `range`?");
    field(
        "#[arg(secret)] a: String",
        "secret",
        "write it on the argument that this type is a part of",
    );
    field(
        "#[arg(flatten)] a: Value",
        "flatten",
        "a field is flattened by serde: write `#[serde(flatten)]`",
    );
    field("#[arg(name = \"a b\")] a: u8", "\"a b\"", "write `a_b`");
    field(
        "#[arg(aliases(\"\"))] a: u8",
        "\"\"",
        "an argument's name is not empty",
    );
    field("#[arg(range = 5..1)] a: u8", "5..1", "allows nothing");
    field("#[arg(length = 1..N)] a: String", "N", "write `1..=N`");
    field(
        "#[arg(pattern = \"[\")] a: String",
        "\"[\"",
        "is not a regular expression",
    );
    field(
        "#[arg(format = \"dat\")] a: String",
        "\"dat\"",
        "did you mean `date`?",
    );
    field("#[arg(one_of(1, 1))] a: u8", "1", "is in `one_of` twice");
    field(
        "#[arg(default)] a: Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    field(
        "#[arg(default = 0, range = 1..)] a: u8",
        "0",
        "the default `0` is not allowed: `range` begins at `1`",
    );
    field(
        "#[arg(example = 0, range = 1..)] a: u8",
        "0",
        "the example `0` is not allowed",
    );
    field(
        "#[arg(example)] a: u8",
        "example",
        "`example` takes a value",
    );
    field(
        "#[arg(default)] #[arg(default)] a: u8",
        "default",
        "`default` is given twice",
    );
    refused(
        "#[tool_type] struct A(#[arg(name = \"b\")] u8);",
        "name",
        "a field without a name has no `name`: remove it",
    );
    refused(
        "#[tool_type] enum A { B(#[arg(name = \"b\")] u8) }",
        "name",
        "remove it",
    );
    refused(
        "#[tool_type] enum A { B { #[arg(range = 2..1)] b: u8 } }",
        "2..1",
        "allows nothing",
    );
}

#[test]
fn what_serde_is_told_too() {
    for (serde, arg, at) in [
        ("rename = \"b\"", "name = \"b\"", "rename"),
        ("default", "default = 1", "default"),
        ("default = \"b\"", "default", "default"),
        ("with = \"b\"", "range = 1..", "with"),
        (
            "skip, deserialize_with = \"b\"",
            "one_of(1, 2)",
            "deserialize_with",
        ),
    ] {
        field(
            &format!("#[serde({serde})] #[arg({arg})] a: u8"),
            at,
            "are both about how the field is read: keep one of them",
        );
    }
    accepted(
        "#[tool_type] struct A { #[serde(default, alias = \"b\")] #[arg(range = 1..)] a: u8 }",
    );
    accepted("#[tool_type] struct A { #[serde(rename = \"b\")] #[arg(aliases(\"c\"))] a: u8 }");
    // An `Option` with a reader of its own is absent by `default`, which serde takes once.
    let tokens =
        accepted("#[tool_type] struct A { #[serde(default)] #[arg(range = 1..)] a: Option<u8> }");
    assert_eq!(
        flat(&tokens).matches("#[serde(default)]").count(),
        1,
        "{tokens}"
    );
    let tokens = accepted("#[tool_type] struct A { #[arg(range = 1..)] a: Option<u8> }");
    assert_eq!(
        flat(&tokens).matches("#[serde(default)]").count(),
        1,
        "{tokens}"
    );
}

#[test]
fn conditions_are_carried() {
    let tokens = accepted(
        "#[tool_type] enum A { #[cfg(unix)] B { #[cfg(test)] #[arg(default = 1, example = 2, range = 1..)] b: C } }",
    );
    let helpers = flat(&tokens);
    let under = |conditions: &str| {
        helpers
            .matches(&format!("{conditions}#[doc(hidden)]"))
            .count()
    };
    assert_eq!(under("#[cfg(unix)]#[cfg(test)]"), 4, "{helpers}");
    let tokens = accepted("#[tool_type] struct A { a: u8, #[cfg(unix)] #[arg(default)] b: B }");
    holds(&tokens, "#[cfg(unix)] #[doc(hidden)]");
}

#[test]
fn self_is_written_out_in_the_helpers() {
    let tokens = accepted(
        "#[tool_type] struct r#Type { #[arg(default = Self::A, range = ..=Self::B)] a: Vec<Self>, b: Option<Box<Self>> }",
    );
    holds(&tokens, "fn __Type_default_0() -> Vec<r#Type>");
    holds(&tokens, "r#Type::A");
    holds(&tokens, "&[r#Type::B]");
    holds(&tokens, "b: Option<Box<Self>>");
}

#[test]
fn the_type_keeps_everything_but_what_is_ours() {
    let tokens = accepted(
        "/// D\n#[tool_type] #[serde(untagged)] #[schemars(title = \"x\")] #[repr(u8)] pub(crate) enum A { \
         /// B\n #[default] B = { 1 }, C(#[serde(skip)] /** d */ #[arg(length = 1..)] pub String) }",
    );
    for part in [
        "#[doc = \" D\"] #[serde(untagged)] #[schemars(title = \"x\")] #[repr(u8)] pub(crate) enum A",
        "#[doc = \" B\"] #[default] B = { 1 }",
        "C(#[serde(skip)] #[doc = \" d \"] #[serde(deserialize_with",
    ] {
        holds(&tokens, part);
    }
}

/// The derives stay, with nothing of ours on the fields.
#[test]
fn all_mistakes_are_told() {
    let source = "#[tool_type(nam)] #[derive(Serialize)] struct A { #[arg(x, range = 2..1)] a: u8, #[arg(secret)] b: u8 }";
    let found = messages(expand(source));
    assert_eq!(found.len(), 5, "{found:#?}");
    derives(source, "Deserialize", "Serialize");
    lacks(&expand(source), "fn ");
}

/// Serde or schemars asks less than all of the derives for these, or they exist only under a condition.
#[test]
fn parts_that_may_lack_something_are_left_to_the_derives() {
    for field in [
        "#[serde(skip)] a: Line",
        "#[serde(with = \"b\")] a: Line",
        "#[serde(deserialize_with = \"b\")] a: Line",
        "#[serde(skip_serializing)] a: Line",
        "#[schemars(with = \"String\")] a: Line",
        "#[schemars(skip)] a: Line",
        "#[cfg(unix)] a: Line",
        "#[cfg_attr(unix, serde(skip))] a: Line",
        "a: Vec<Option<(String, u8)>>",
        "a: Option<Box<Self>>, b: Vec<A>",
        "a: &'static str",
        "a: Cow<'static, str>",
        "a: <B as C>::D",
        "a: fn(Line)",
    ] {
        let tokens = flat(&expand(&format!("#[tool_type] struct A {{ {field} }}")));
        assert!(!tokens.contains("part_of"), "{field}: {tokens}");
    }
    for item in [
        "struct A<T> { a: T, b: Line }",
        "#[serde(remote = \"B\")] struct A { a: Line }",
        "#[serde(from = \"B\")] struct A { a: Line }",
        "#[serde(bound = \"\")] struct A { a: Line }",
        "#[schemars(with = \"B\")] struct A { a: Line }",
        "enum A { #[serde(skip)] B(Line), #[cfg(unix)] C(Line), D }",
    ] {
        let tokens = flat(&expand(&format!("#[tool_type] {item}")));
        assert!(!tokens.contains("part_of"), "{item}: {tokens}");
    }
}

#[test]
fn each_part_is_asked_for_once() {
    let tokens = flat(&expand(
        "#[tool_type(argument)] #[serde(rename = \"B\")] enum A { A(Line, Vec<Line>), B { a: (Line, map::Line, [Page<u8>; 2]) } }",
    ));
    assert_eq!(
        tokens.matches("__tw::part_of_argument::<").count(),
        3,
        "{tokens}"
    );
    assert!(tokens.contains("type__A_part_2=Page<u8>;"), "{tokens}");
    // The author's own name for serde.
    assert!(!tokens.contains("rename=\"A\""), "{tokens}");
    assert!(!tokens.contains("DerivedWrite"), "{tokens}");
}

#[test]
fn keys_behind_a_condition() {
    let attribute = "#[cfg_attr(unix, arg(range = 1..))]";
    let source = format!("#[tool_type] struct P {{ {attribute} a: u8 }}");
    refused(&source, attribute, "would give the type two schemas");
    accepted("#[tool_type] struct P { #[cfg_attr(unix, doc = \"D\", serde(default))] a: u8 }");
}

#[test]
fn two_fields_of_one_name() {
    for (fields, at) in [
        ("#[arg(name = \"b\")] a: u8, b: u8", "b"),
        ("a: u8, #[arg(name = \"a\")] b: u8", "\"a\""),
        ("a: u8, #[arg(aliases(\"a\"))] b: u8", "\"a\""),
        ("a: u8, #[serde(rename = \"a\")] b: u8", "\"a\""),
        (
            "a: u8, #[serde(rename(deserialize = \"a\"))] b: u8",
            "\"a\"",
        ),
        ("a: u8, #[serde(alias = \"a\")] b: u8", "\"a\""),
    ] {
        let says = "`a` and `b` both answer to `";
        refused(&format!("#[tool_type] struct P {{ {fields} }}"), at, says);
        refused(
            &format!("#[tool_type] enum P {{ A {{ a: u8 }}, B {{ {fields} }} }}"),
            at,
            says,
        );
    }
    for item in [
        "enum P { A { a: u8 }, B { a: u8 } }",
        "struct P { a: u8, #[serde(skip, alias = \"a\")] b: u8 }",
        "struct P { a: u8, #[serde(flatten, alias = \"a\")] b: B }",
        "struct P { #[cfg(unix)] a: u8, #[cfg(not(unix))] #[serde(rename = \"a\")] b: u8 }",
        "struct P(#[serde(rename = \"a\")] u8, u8);",
        "#[serde(rename_all = \"UPPERCASE\")] struct P { a: u8, #[serde(rename = \"a\")] b: u8 }",
    ] {
        accepted(&format!("#[tool_type] {item}"));
    }
}

/// Constraints and `flatten` require the derives of the field's type too, and the check of its parts covers that.
#[test]
fn fields_with_parts_are_not_asked_once_more() {
    let tokens = flat(&expand(
        "#[tool_type] struct A { #[arg(length = 1..)] a: Vec<Line>, #[arg(length = 1..)] b: Vec<u8>, #[serde(flatten)] c: Line }",
    ));
    assert_eq!(tokens.matches("__tw::part_of::<").count(), 1, "{tokens}");
    assert_eq!(tokens.matches("FieldSchema::<").count(), 2, "{tokens}");
    assert!(tokens.contains("describe_field::<Vec<u8>>"), "{tokens}");
    let assumed = "where__A_part_0:::toolwright::__private::serde::Deserialize<'de>{";
    assert_eq!(tokens.matches(assumed).count(), 1, "{tokens}");
}

/// The copy for serde is called like no type parameter of what serde writes.
#[test]
fn types_called_like_a_parameter() {
    for name in ["D", "S", "tw", "Visitor"] {
        let tokens = flat(&expand(&format!(
            "#[tool_type] struct {name} {{ a: Line }}"
        )));
        assert!(
            tokens.contains(&format!("struct__{name}_copy{{")),
            "{tokens}"
        );
    }
}

/// Each field has functions of its own, so that a mistake in one does not hide type errors in another.
#[test]
fn beside_mistakes_the_other_fields_keep_what_is_said_of_them() {
    let tokens = flat(&expand(
        "#[tool_type] struct A { #[arg(rang = 1)] a: u8, #[arg(range = 1..)] b: u8, #[arg(range = 5..1)] c: u8 }",
    ));
    assert!(tokens.contains("fn__A_read_1"), "{tokens}");
    assert!(
        !tokens.contains("fn__A_read_0") && !tokens.contains("fn__A_read_2"),
        "{tokens}"
    );
}
