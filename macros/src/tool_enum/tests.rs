//! Expansions of whole enums. What fails to compile by type is tested where the runtime is.

use crate::testing::{self, holds, lacks, messages};
use proc_macro2::TokenStream;

fn expand(source: &str) -> TokenStream {
    super::expand(source.parse().unwrap())
}

#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    testing::refused(&expand(source), source, at, says);
    // Code that uses the set gets no further errors.
    holds(&expand(source), "__tw::ToolEnum for");
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    testing::accepted(expand(source), source)
}

#[test]
fn golden() {
    testing::golden("tool_enum/golden/tools", expand);
}

#[test]
fn shapes() {
    refused(
        "struct Tools { a: A }",
        "Tools",
        "`Tools` is no enum: a set of tools is `enum Tools { Read(ReadFile), .. }`",
    );
    refused(
        "union Tools { a: A }",
        "Tools",
        "for one tool there is `#[derive(Tool)]`",
    );
    refused(
        "enum Tools {}",
        "Tools",
        "has no variant, and so no tool: write one such as `Read(ReadFile)`",
    );
    // Rustc gives no such thing to a derive, or has reported it.
    for source in ["", "fn a() {}", "enum A { A(u8 u8) }"] {
        assert!(expand(source).is_empty(), "{source}");
    }
}

#[test]
fn generics() {
    refused(
        "enum Tools<'a, T: A, const N: usize> where T: B { Read(ReadFile) }",
        "<'a, T: A, const N: usize>",
        "`Tools` is generic, and a closed set has the tools that it names",
    );
    holds(
        &expand("enum Tools<T: A> where T: B { Read(ReadFile) }"),
        "impl<T: A> __tw::ToolEnum for Tools<T> where T: B, for<'__tw> Self: ::core::marker::Send + 'static {",
    );
}

#[test]
fn variants() {
    for (variant, says) in [
        (
            "Read",
            "`Read` holds nothing, and each variant holds one tool: write `Read(Arguments)`",
        ),
        ("Read()", "`Read` has 0 fields"),
        ("Read(A, B)", "`Read` has 2 fields"),
        ("Read { a: A }", "`Read` has fields of its own"),
    ] {
        refused(
            &format!("enum Tools {{ Write(W), {variant} }}"),
            "Read",
            says,
        );
    }
    let found = messages(expand("enum Tools { A, B(), C(X) }"));
    assert_eq!(found.len(), 2, "{found:#?}");
    let tokens = accepted("enum Tools { r#type(a::B<u8>), Größe(C) }");
    holds(&tokens, "Self::r#type(_) =>");
    holds(&tokens, "Self::Größe(__tool) =>");
}

#[test]
fn keys() {
    let key = |keys: &str, at: &str, says: &str| {
        refused(
            &format!("#[tool({keys})] enum Tools {{ Read(ReadFile) }}"),
            at,
            says,
        );
    };
    key(
        "name = \"a\"",
        "name",
        "`#[tool(..)]` has no key `name`\nthe keys are `crate`",
    );
    key("crate = \"a\"", "\"a\"", "`crate` takes a path");
    key("crate = a, crate = b", "crate", "given twice");
    refused(
        "#[tool] enum Tools { Read(ReadFile) }",
        "tool",
        "says nothing without keys here: write `#[tool(crate = my_app::toolwright)]`, or remove it",
    );
    refused(
        "#[tool = 1] enum Tools { Read(ReadFile) }",
        "tool",
        "write `#[tool(crate = my_app::toolwright)]`",
    );
    for variant in [
        "#[tool(name = \"a\")] Read(ReadFile)",
        "Read(#[tool(pure)] ReadFile)",
    ] {
        refused(
            &format!("enum Tools {{ {variant} }}"),
            "tool",
            "`#[tool(..)]` stands on the struct that `Read` holds, beside its `#[derive(Tool)]`: move it there",
        );
    }
}

#[test]
fn the_runtime_is_where_the_enum_says() {
    for source in [
        "#[tool(crate = my::tw)] enum Tools { Read(ReadFile) }",
        "#[tool(crate = my::tw)] enum Tools { Read }",
        "#[tool(crate = my::tw)] struct Tools;",
    ] {
        holds(&expand(source), "use my::tw::__private as __tw;");
        lacks(&expand(source), "::toolwright");
    }
}

#[test]
fn conditions_and_allowances_are_carried() {
    let tokens = accepted(
        "#[cfg(unix)] #[allow(a)] #[deprecated] enum Tools { #[cfg(windows)] #[deprecated] Read(ReadFile) }",
    );
    holds(
        &tokens,
        "#[cfg(unix)] #[allow(deprecated)] #[allow(a)] const _: () = {",
    );
    for part in [
        "#[cfg(windows)] Self::Read(_) =>",
        "#[cfg(windows)] Self::Read(__tool) =>",
        "#[cfg(windows)] type __Tool0 = ReadFile;",
        "#[cfg(windows)] __tw::Member::new(<__Tool0 as __tw::TypedTool>::definition,",
    ] {
        holds(&tokens, part);
    }
}

#[test]
fn one_tool_twice() {
    refused(
        "enum Tools { Read(ReadFile), Show(ReadFile) }",
        "ReadFile",
        "`Read` and `Show` both hold the tool `ReadFile`: remove one of them",
    );
    accepted("enum Tools { #[cfg(unix)] Read(ReadFile), #[cfg(not(unix))] Show(ReadFile) }");
}

#[test]
fn names_are_compared_with_those_before() {
    let tokens = accepted("enum Tools { A(X), #[cfg(unix)] r#Match(Y), C(Z) }");
    holds(
        &tokens,
        "__tw::names_of_its_own(<__Tool2 as __tw::TypedTool>::NAMES, \
         &[<__Tool0 as __tw::TypedTool>::NAMES, #[cfg(unix)] <__Tool1 as __tw::TypedTool>::NAMES,], \
         \"the tool of `C` answers",
    );
    holds(&tokens, "\"the tool of `Match` answers");
    lacks(&tokens, "names_of_its_own(<__Tool0");
}
