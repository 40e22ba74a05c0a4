//! Mistakes in what `#[toolset]` stands on and in its keys.

use super::{accepted, block, expand, refused};
use crate::testing::{flat, holds, lacks, mistakes};
use proc_macro2::TokenStream;

const METHOD: &str = "/// D\n#[tool] fn f_(&self) {}";

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    refused(
        &format!("#[toolset({keys})] impl Notes {{ {METHOD} }}"),
        at,
        says,
    );
}

#[test]
fn other_items() {
    for (item, at, says) in [
        ("fn a() {}", "fn", "on a function write `#[tool]` alone"),
        ("pub async fn a() {}", "async", "write `#[tool]` alone"),
        ("struct A;", "struct", "put it on one of this type"),
        (
            "pub(in a::b) enum A {}",
            "enum",
            "put it on one of this type",
        ),
        ("trait A {}", "trait", "a tool needs a value to run on"),
        (
            "pub mod a {}",
            "mod",
            "write `#[toolset] impl Notes { .. }`",
        ),
        ("unsafe impl A {}", "unsafe", "which is never `unsafe`"),
        ("union A { a: u8 }", "union", "write `#[toolset] impl"),
        ("type A = u8;", "type", "write `#[toolset] impl"),
        ("use a::b;", "use", "write `#[toolset] impl"),
        ("a! {}", "a", "write `#[toolset] impl"),
    ] {
        let source = format!("#[toolset] {item}");
        refused(&source, at, says);
        let tokens = flat(&expand(&source));
        let item: String = item.split_whitespace().collect();
        assert!(tokens.starts_with(&item), "{item} is not in {tokens}");
    }
}

/// Rustc gives no such thing to a macro, or has reported it.
#[test]
fn nothing_at_all() {
    for source in [
        "",
        "pub",
        "pub(crate)",
        "impl",
        "impl<",
        "impl Notes",
        "#[a]",
        "impl Notes<(u8 u8)> {}",
        "impl<T T> Notes {}",
    ] {
        let tokens = super::super::expand(TokenStream::new(), &source.parse().unwrap_or_default());
        assert!(mistakes(tokens).is_empty(), "{source}");
    }
}

/// Our attributes in it would each be one more error.
#[test]
fn a_block_of_a_trait() {
    let source = "#[toolset] impl<T: A> Store for Notes<T> where T: B { \
                  /// D\n#[tool(x)] #[inline] fn f_(&self, /** a */ #[arg(default)] #[b] a: u8) {} }";
    refused(
        source,
        "for",
        "implements the trait `Store`, whose methods are not ours to call: put the tools into a block of the type",
    );
    holds(
        &expand(source),
        "impl<T: A> Store for Notes<T> where T: B { #[doc = \" D\"] #[inline] fn f_(&self, #[b] a: u8) {} }",
    );
    lacks_ours(
        "#[toolset] trait Store { #[toolwright::tool] fn a(&self, #[arg(default)] a: u8); }",
    );
    // Functions of a module are tools without it.
    holds(&expand("#[toolset] mod a { #[tool] fn b() {} }"), "#[tool]");
}

fn lacks_ours(source: &str) {
    let tokens = flat(&expand(source));
    assert!(
        !tokens.contains("tool]") && !tokens.contains("#[arg"),
        "{tokens}"
    );
}

#[test]
fn keys() {
    key(
        "prefx = \"a\"",
        "prefx",
        "`#[toolset(..)]` has no key `prefx`: did you mean `prefix`?\nthe keys are `prefix`, `part`, `deny_undocumented`, `cleanup`, `crate`",
    );
    key("prefix = 1", "1", "write `prefix = \"notes\"`");
    key("prefix", "prefix", "`prefix` takes a string literal");
    key("prefix = \"a\", prefix = \"b\"", "prefix", "given twice");
    key("part = \"Search\"", "\"Search\"", "write `part = Search`");
    key("part = a::Search", "a::Search", "`part` takes a name");
    key("part", "part", "`part` takes a name: write `part = Search`");
    key("crate = \"a\"", "\"a\"", "`crate` takes a path");
    key("\"notes\"", "\"notes\"", "is not a key");
}

#[test]
fn prefixes() {
    key(
        "prefix = \"\"",
        "\"\"",
        "`prefix` is empty: write one such as `prefix = \"notes\"`, or remove it",
    );
    key(
        "prefix = \"notes.\"",
        "\"notes.\"",
        "a dot comes between the prefix and each name by itself: write `prefix = \"notes\"`",
    );
    key(
        "prefix = \"notes_\"",
        "\"notes_\"",
        "write `prefix = \"notes\"`",
    );
    key(
        "prefix = \"a b\"",
        "\"a b\"",
        "this prefix begins each name: ` ` (character 2)",
    );
    key("prefix = \".\"", "\".\"", "`.` has an empty segment");
    key("prefix = \"..\"", "\"..\"", "`..` has an empty segment");
    key("prefix = \"ü\"", "\"ü\"", "this prefix begins each name");
    let long = "a".repeat(129);
    key(
        &format!("prefix = \"{long}\""),
        &format!("\"{long}\""),
        "at most 128 characters",
    );
    for (prefix, name) in [("a.b", "a.b.f_"), ("_", "_.f_"), ("-", "-.f_")] {
        let source = format!("#[toolset(prefix = \"{prefix}\")] impl Notes {{ {METHOD} }}");
        holds(&accepted(&source), &format!("((\"{name}\""));
    }
}

#[test]
fn parts() {
    key(
        "part = Notes",
        "Notes",
        "would be called `Notes`, like the type: name it for its tools, as in `part = Search`",
    );
    let tokens = accepted(&format!(
        "#[toolset(part = r#type)] #[cfg(unix)] impl Notes {{ {METHOD} }}"
    ));
    holds(
        &tokens,
        "#[cfg(unix)] #[allow(unreachable_pub)] mod __part_type_f_ { #[doc = \"The tools of a block of methods, for `.with_part(type, ..)`.\"]",
    );
    holds(&tokens, "pub struct r#type;");
    holds(&tokens, "__tw::Toolset<__part_type_f_::r#type> for Notes");
    // The type may stand in another module.
    accepted(&format!(
        "#[toolset(part = Notes)] impl a::Notes {{ {METHOD} }}"
    ));
}

#[test]
fn lifetimes() {
    refused(
        &format!("#[toolset] impl<'a, T> Notes<'a, T> {{ {METHOD} }}"),
        "'a",
        "`Notes<'a, T>` borrows for `'a`, and tools live as long as the app",
    );
    accepted(&format!("#[toolset] impl Notes<'static> {{ {METHOD} }}"));
    accepted(&format!(
        "#[toolset] impl<const N: usize> Notes<{{ N + 1 }}> {{ {METHOD} }}"
    ));
}

#[test]
fn no_tool() {
    refused(
        "#[toolset] impl a::Notes<u8> { fn a(&self) {} many! {} }",
        "a::Notes<u8>",
        "`a::Notes<u8>` has no tool in this block: put `#[tool]` on a method, or remove `#[toolset]`",
    );
    refused(
        "#[toolset] impl Notes {}",
        "Notes",
        "has no tool in this block",
    );
    // An item that was meant as a tool counts as one.
    refused(
        &block("#[tool] const A: u8 = 1;"),
        "const",
        "goes on a method",
    );
}

#[test]
fn twice() {
    refused(
        &format!("#[toolset] #[toolwright::toolset(part = A)] impl Notes {{ {METHOD} }}"),
        "toolwright::toolset",
        "`#[toolset]` stands here twice",
    );
    lacks_ours(&format!("#[toolset] #[toolset] impl Notes {{ {METHOD} }}"));
}

#[test]
fn the_runtime_is_where_the_block_says() {
    let tokens = accepted(&format!(
        "#[toolset(crate = my::tw)] impl Notes {{ {METHOD} }}"
    ));
    holds(&tokens, "use my::tw::__private as __tw;");
    lacks(&tokens, "::toolwright");
}

/// Whoever registers the value still compiles, and all methods are there.
#[test]
fn beside_mistakes_the_block_stays_usable() {
    let source = "#[toolset(part = Search)] impl<T> Notes<T> { #[tool] pub fn a(&self) {} /// D\n#[tool] fn b() {} }";
    refused(source, "a", "`a` has no description");
    let tokens = expand(source);
    holds(&tokens, "pub fn a(&self) {}");
    holds(
        &tokens,
        "impl<T> __tw::Toolset<__part_Search_a::Search> for Notes<T>",
    );
    holds(&tokens, "pub struct Search;");
    // The right parts are emitted for rustc to check.
    holds(&tokens, "(\"b\", \"D\", &[], \"toolwright-macros\")");
}
