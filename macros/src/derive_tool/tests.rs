//! Expansions of whole structs. What fails to compile by type is tested where the runtime is.

use crate::testing::{self, holds, lacks, messages};
use proc_macro2::TokenStream;

fn expand(source: &str) -> TokenStream {
    super::expand(source.parse().unwrap())
}

#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    testing::refused(&expand(source), source, at, says);
    // Code that uses the tool gets no further errors.
    holds(&expand(source), "__tw::TypedTool for");
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    testing::accepted(expand(source), source)
}

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    refused(
        &format!("/// D\n#[tool({keys})] struct FooBar {{ a: u8 }}"),
        at,
        says,
    );
}

#[track_caller]
fn field(field: &str, at: &str, says: &str) {
    refused(&format!("/// D\nstruct FooBar {{ {field} }}"), at, says);
}

#[test]
fn golden() {
    testing::golden("derive_tool/golden/read_file", expand);
}

#[test]
fn names() {
    for (structure, name) in [
        ("FooBar", "foo_bar"),
        ("HTTPGet", "http_get"),
        ("r#Type", "type"),
        ("X", "x"),
    ] {
        holds(
            &accepted(&format!("/// D\nstruct {structure};")),
            &format!("((\"{name}\""),
        );
    }
    holds(
        &accepted("/// D\n#[tool(name = \"a.b\", aliases(\"c\"))] struct FooBar;"),
        "const NAMES: &'static [&'static ::core::primitive::str] = &[\"a.b\", \"c\"];",
    );
    refused(
        "/// D\nstruct Größe;",
        "Größe",
        "`Größe` cannot name the tool, so add `name = \"..\"`: `ö` (character 3)",
    );
    accepted("/// D\n#[tool(name = \"size\")] struct Größe;");
    key("name = \"a b\"", "\"a b\"", "write `a_b`");
}

#[test]
fn shapes() {
    accepted("/// D\nstruct FooBar;");
    accepted("/// D\nstruct FooBar {}");
    accepted("/// D\npub struct FooBar { pub a: u8, pub(crate) r#type: u8 }");
    refused(
        "/// D\nstruct FooBar(u8);",
        "FooBar",
        "the fields of `FooBar` have no names, by which the model could fill them in: write `struct FooBar { name: Type }`",
    );
    // The other rules for tools are not reported here.
    refused(
        "#[tool(examples({a: 1}))] enum FooBar { A }",
        "FooBar",
        "for a set of tools there is `#[derive(ToolEnum)]`",
    );
    refused("union FooBar { a: u8 }", "FooBar", "is a union");
    // Rustc gives no such thing to a derive, or has reported it.
    for source in [
        "",
        "fn a() {}",
        "struct A { a: u8 b: u8 }",
        "struct A { a: (u8 u8) }",
    ] {
        assert!(expand(source).is_empty(), "{source}");
    }
}

#[test]
fn generics() {
    for (source, at) in [
        ("struct FooBar<T> { a: T }", "<T>"),
        (
            "struct FooBar<const N: usize> { a: [u8; N] }",
            "<const N: usize>",
        ),
        (
            "struct FooBar<T: A = u8> where T: B { a: T }",
            "<T: A = u8>",
        ),
    ] {
        refused(
            &format!("/// D\n{source}"),
            at,
            "`FooBar` is generic, and a tool is one type with one schema",
        );
    }
    refused(
        "/// D\nstruct FooBar<'a> { a: Cow<'a, str> }",
        "<'a>",
        "`FooBar` borrows, and what the model fills in is owned",
    );
    // Whoever owns it needs no lifetime.
    field_of("<'a>", "a: &'a str", "&'a str", "`a` is a reference");
    field_of("<'a>", "a: Vec<&'a str>", "&'a str", "take `Vec<String>`");
    // The stand-in is of the type as it is.
    holds(
        &expand("/// D\nstruct FooBar<'a, T: A, const N: usize> where T: B { a: T }"),
        "impl<T: A, const N: usize> __tw::TypedTool for FooBar<'static, T, N> where T: B, for<'__tw> Self: ::core::marker::Send + 'static,",
    );
}

#[track_caller]
fn field_of(generics: &str, field: &str, at: &str, says: &str) {
    refused(
        &format!("/// D\nstruct FooBar{generics} {{ {field} }}"),
        at,
        says,
    );
}

#[test]
fn description() {
    refused("struct FooBar;", "FooBar", "`FooBar` has no description");
    refused(
        "/// # Only a title\nstruct FooBar;",
        "FooBar",
        "the description of `FooBar` is empty",
    );
    holds(
        &accepted(
            "#[doc = include_str!(\"a.md\")] struct FooBar { #[doc = include_str!(\"b.md\")] a: u8 }",
        ),
        "(\"a\", ::core::concat!(include_str!(\"b.md\"), \"\\n\"), &[__tw::ArgFlag::Raw])",
    );
}

#[test]
fn keys() {
    key(
        "nam = \"a\"",
        "nam",
        "`#[tool(..)]` has no key `nam`: did you mean `name`?",
    );
    key(
        "struct_name = A",
        "struct_name",
        "names a new struct, and this is one: remove `struct_name`",
    );
    key(
        "blocking",
        "blocking",
        "call `tokio::task::spawn_blocking` in `run`",
    );
    key("pure, destructive", "destructive", "contradicts `pure`");
    key("register", "register", "write `register = false`");
    key("timeout = \"1\"", "\"1\"", "has no unit");
    key("examples({b: 1})", "b", "`FooBar` has no argument `b`");
    accepted("/// D\n#[tool(timeout = \"1s\")] struct FooBar;");
    refused(
        "/// D\n#[tool] struct FooBar;",
        "tool",
        "says nothing without keys here: write `#[tool(read_only)]`",
    );
    refused(
        "/// D\n#[tool = 1] struct FooBar;",
        "tool",
        "write `#[tool(read_only)]`",
    );
    accepted("/// D\n#[tool(pure)] #[tool(title = \"A\")] struct FooBar;");
    refused(
        "/// D\n#[tool(pure)] #[tool(pure)] struct FooBar;",
        "pure",
        "`pure` is given twice",
    );
}

/// Attributes of ours in places where rustc allows them and where they would have no effect.
#[test]
fn attributes_in_the_wrong_place() {
    refused(
        "/// D\n#[arg(default)] struct FooBar { a: u8 }",
        "arg",
        "`#[arg(..)]` is about one argument: put it on a field of `FooBar`, or write `#[tool(..)]`",
    );
    field(
        "#[tool(name = \"b\")] a: u8",
        "tool",
        "`#[tool(..)]` is about the tool: put it on `FooBar`, or write `#[arg(..)]` for `a`",
    );
}

#[test]
fn fields() {
    field("#[arg] a: u8", "arg", "`#[arg]` says nothing without keys");
    field("#[arg(rang = 1..)] a: u8", "rang", "did you mean `range`?");
    field("#[arg(range = 5..1)] a: u8", "5..1", "allows nothing");
    field(
        "#[arg(default)] a: Option<u8>",
        "default",
        "remove `default`, or the `Option`",
    );
    field(
        "#[arg(default)] #[arg(default)] a: u8",
        "default",
        "`default` is given twice",
    );
    accepted("/// D\nstruct FooBar { #[arg(default = 1)] #[arg(range = 1..)] a: u8 }");
    field("größe: u8", "größe", "so add `#[arg(name = \"..\")]`");
    field(
        "#[arg(name = \"b\")] a: u8, b: u8",
        "b",
        "`a` and `b` both answer to `b`",
    );
    field(
        "#[cfg(unix)] a: u8",
        "#[cfg(unix)]",
        "put it on two whole structs, one with `a` and one without",
    );
    let fields = (0..17).fold(String::new(), |list, place| format!("{list}a{place}: u8, "));
    field(
        &fields,
        "a16",
        "`FooBar` takes 17 arguments, and a tool takes 16 at most",
    );
    field(
        "#[arg(flatten)] a: A, b: u8",
        "flatten",
        "`a` cannot be all the arguments of `FooBar`, which takes 2",
    );
    accepted("/// D\nstruct FooBar { #[arg(flatten)] a: A }");
}

#[test]
fn references() {
    for (ty, at) in [
        ("&'static str", "&'static str"),
        ("&Files", "&Files"),
        ("(&Files)", "&Files"),
        ("Option<&'static Files>", "&'static Files"),
        ("&'static mut dyn Files", "&'static mut dyn Files"),
    ] {
        field(
            &format!("a: {ty}"),
            at,
            "`a` is a reference, and the fields of `FooBar` come from the model",
        );
    }
    field("a: Vec<&'static str>", "&'static str", "take `Vec<String>`");
    // The other mistakes in the field are reported too, and no more than those.
    let found = messages(expand(
        "/// D\n#[tool(examples({a: 1}))] struct FooBar { #[arg(rang = 1, pattern = \"[\")] a: &'static str }",
    ));
    assert_eq!(found.len(), 3, "{found:#?}");
}

#[test]
fn permissions() {
    let source = |permission: &str, fields: &str| {
        format!("/// D\n#[tool(permission = {permission})] struct FooBar {{ {fields} }}")
    };
    let tokens = accepted(&source("ask(ctx, a)", "a: u8, b: u8"));
    holds(&tokens, "let a = &__a.0;");
    holds(&tokens, "let ctx = __cx;");
    lacks(&tokens, "let b =");
    // A field of this name hides the context.
    let tokens = accepted(&source("ask(ctx)", "ctx: u8"));
    holds(&tokens, "let ctx = &__a.0;");
    lacks(&tokens, "let ctx = __cx;");
    let tokens = accepted(&source("self::ask(format!(\"{type}\"))", "r#type: u8"));
    holds(&tokens, "let r#type = &__a.0;");
    refused(
        &source("ask((1, self.a))", "a: u8"),
        "self",
        "there is no value yet when `permission` is asked: each field is there by its own name",
    );
}

/// The definition stands outside of any `impl` block.
#[test]
fn self_is_written_out() {
    let tokens = accepted(
        "/// D\n#[tool(permission = Self::ask(a), validate = Self::judge, needs(Box<Self>))] \
         struct FooBar { #[arg(default = vec![Self::A], range = ..Self::B, example = Self::C)] a: Vec<Box<Self>> }",
    );
    for part in [
        "Definition<(Vec<Box<FooBar> >,)>",
        "__tw::args1::<Vec<Box<FooBar> > >()",
        "vec![FooBar::A]",
        "&[FooBar::B]",
        "|| FooBar::C",
        "into_requests(FooBar::ask(a))",
        "(FooBar::judge, __tw::PhantomData)).__tool_validator())(&__a.0)",
        "__tw::needed::<Box<FooBar> >()",
    ] {
        holds(&tokens, part);
    }
}

#[test]
fn registration() {
    holds(&accepted("/// D\nstruct FooBar;"), "__tw::Typed<FooBar>);");
    lacks(
        &accepted("/// D\n#[tool(register = false)] struct FooBar;"),
        "register!",
    );
}

#[test]
fn the_runtime_is_where_the_struct_says() {
    for source in [
        "/// D\n#[tool(crate = my::tw)] struct FooBar;",
        "#[tool(crate = my::tw)] struct FooBar;",
        "#[tool(crate = my::tw)] struct FooBar(u8);",
    ] {
        holds(&expand(source), "use my::tw::__private as __tw;");
        lacks(&expand(source), "::toolwright");
    }
}

#[test]
fn conditions_and_allowances_are_carried() {
    let tokens =
        accepted("/// D\n#[cfg(unix)] #[deprecated(note = \"x\")] #[allow(a, b)] struct FooBar;");
    holds(
        &tokens,
        "#[cfg(unix)] #[allow(deprecated)] #[allow(a, b)] const _: () = {",
    );
    holds(
        &expand("#[cfg(unix)] struct FooBar;"),
        "#[cfg(unix)] const _: () = {",
    );
}

#[test]
fn all_mistakes_are_told() {
    let found = messages(expand(
        "#[tool(nam = 1, pure, destructive)] #[arg(x)] struct FooBar<T> { #[arg(range = 5..1)] a: u8, b: &'static T, #[tool(y)] c: u8 }",
    ));
    assert_eq!(found.len(), 8, "{found:#?}");
}
