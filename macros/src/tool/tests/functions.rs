//! Mistakes in what `#[tool]` stands on.

use super::{accepted, expand, refused};
use crate::testing::{self, flat, mistakes};
use proc_macro2::TokenStream;

#[test]
fn qualifiers() {
    refused(
        "/// D\n#[tool] unsafe fn f_() {}",
        "unsafe",
        "a model cannot keep what an unsafe function asks",
    );
    refused("/// D\n#[tool] const fn f_() {}", "const", "remove `const`");
    refused(
        "/// D\n#[tool] extern \"C\" fn f_() {}",
        "extern \"C\"",
        "`f_` is `extern \"C\"`",
    );
    refused("/// D\n#[tool] fn f_(a: u8, ...) {}", "...", "take a `Vec`");
}

#[test]
fn generics() {
    refused(
        "/// D\n#[tool] fn f_<T>(a: T) {}",
        "<T>",
        "write concrete types",
    );
    refused(
        "/// D\n#[tool] fn f_<const N: usize>() {}",
        "<const N: usize>",
        "is generic",
    );
    refused(
        "/// D\n#[tool] fn f_<'a>(a: &'a Files) {}",
        "<'a>",
        "`f_` names a lifetime",
    );
    // Whoever owns it needs no lifetime.
    refused(
        "/// D\n#[tool] fn f_<'a>(a: &'a str, b: &'a Files) {}",
        "&'a str",
        "take `String`",
    );
    refused(
        "/// D\n#[tool] fn f_<T>(a: T) where T: Copy {}",
        "<T>",
        "is generic",
    );
    refused(
        "/// D\n#[tool] fn f_() where u8: Copy {}",
        "where u8: Copy",
        "nothing is generic in a tool",
    );
}

#[test]
fn receiver() {
    for (written, at) in [
        ("self", "self"),
        ("&self", "self"),
        ("&mut self", "self"),
        ("self: Box<Self>", "self"),
    ] {
        refused(
            &format!("/// D\n#[tool] fn f_({written}, a: u8) {{}}"),
            at,
            "`f_` takes `self`, and `#[tool]` by itself is for free functions: put `#[toolset]` on the `impl` block",
        );
    }
}

#[test]
fn in_an_impl_block_a_struct_would_be_a_second_error() {
    let tokens = flat(&expand("/// D\n#[tool] fn f_(&self) {}"));
    assert!(tokens.contains("fnf_(&self){}"), "{tokens}");
    assert!(
        !tokens.contains("struct") && !tokens.contains("unreachable"),
        "{tokens}"
    );
}

#[test]
fn never() {
    refused(
        "/// D\n#[tool] fn f_() -> ! { loop {} }",
        "!",
        "`f_` never returns",
    );
}

#[test]
fn description() {
    refused("#[tool] fn f_() {}", "f_", "`f_` has no description");
    refused(
        "#[doc(hidden)]\n#[tool] fn f_() {}",
        "f_",
        "`f_` has no description",
    );
    refused("///  \n#[tool] fn f_() {}", "f_", "`f_` has no description");
    refused(
        "/// # Errors\n/// none\n#[tool] fn f_() {}",
        "f_",
        "the description of `f_` is empty",
    );
}

#[test]
fn names_that_come_from_the_function() {
    refused(
        "/// D\n#[tool] fn größe() {}",
        "größe",
        "add `name = \"..\"`: `ö` (character 3)",
    );
    refused(
        "/// D\n#[tool] fn __() {}",
        "__",
        "no struct can be named after `__`",
    );
    refused(
        "/// D\n#[tool] fn self_() {}",
        "self_",
        "no struct can be named after `self_`",
    );
    refused("/// D\n#[tool] fn F() {}", "F", "add `struct_name = FTool`");
    refused(
        "/// D\n#[tool(struct_name = f_)] fn f_() {}",
        "f_",
        "like the function",
    );
}

#[test]
fn other_items() {
    for (item, at, says) in [
        ("pub struct Foo;", "struct", "this is a struct"),
        ("enum Foo {}", "enum", "this is a type"),
        ("union Foo { a: u8 }", "union", "this is a type"),
        (
            "impl Foo { fn f(&self) {} }",
            "impl",
            "this is an `impl` block",
        ),
        (
            "unsafe impl Foo for Bar {}",
            "impl",
            "this is an `impl` block",
        ),
        ("pub unsafe trait Foo {}", "trait", "this is a trait"),
        (
            "mod foo { fn f() {} }",
            "mod",
            "put it on each function inside",
        ),
        ("const A: u8 = 1;", "const", "this is a constant"),
        ("static A: u8 = 1;", "static", "this is a constant"),
        ("use a::b;", "use", "this is an import"),
        ("extern crate alloc;", "extern", "this is foreign code"),
        ("extern \"C\" { fn f(); }", "extern", "this is foreign code"),
        (
            "unsafe extern \"C\" { fn f(); }",
            "extern",
            "this is foreign code",
        ),
        ("type A = u8;", "type", "this is no function"),
        (
            "macro_rules! a { () => {} }",
            "macro_rules",
            "this is no function",
        ),
    ] {
        refused(&format!("#[tool] {item}"), at, says);
        let tokens = flat(&expand(&format!("#[tool] {item}")));
        let item: String = item.split_whitespace().collect();
        assert!(
            tokens.starts_with(&item),
            "{item} is emitted as it came: {tokens}"
        );
    }
}

/// Our attributes in what is no tool would each be one more error.
#[test]
fn other_items_lose_what_is_ours() {
    for (item, left) in [
        (
            "impl A { /// D\n#[tool(pure)] #[cold] fn a(&self, /** b */ #[arg(default)] b: u8) {} }",
            "impl A { #[doc = \" D\"] #[cold] fn a(&self, b: u8) {} }",
        ),
        (
            "trait A { #[toolwright::tool] fn a(&self); }",
            "trait A { fn a(&self); }",
        ),
        (
            "struct A { #[arg(default)] /** b */ b: u8 }",
            "struct A { #[doc = \" b \"] b: u8 }",
        ),
        ("struct A(#[arg(default)] u8);", "struct A(u8);"),
        // These are not lost on anybody.
        ("mod a { #[tool] fn b() {} }", "mod a { #[tool] fn b() {} }"),
        (
            "#[derive(Debug, Tool)] struct A { #[arg(default)] b: u8 }",
            "#[derive(Debug, Tool)] struct A { #[arg(default)] b: u8 }",
        ),
    ] {
        let tokens = expand(&format!("#[tool] {item}"));
        assert_eq!(mistakes(tokens.clone()).len(), 1, "{item}");
        let left: String = left.split_whitespace().collect();
        assert!(flat(&tokens).starts_with(&left), "{tokens}");
    }
}

#[test]
fn twice() {
    let source = "/// D\n#[tool(pure)] #[inline] #[toolwright::tool(read_only)] fn f_() {}";
    refused(
        source,
        "toolwright::tool",
        "`#[tool]` stands here twice: write all keys into one of them",
    );
    testing::lacks(&expand(source), "toolwright::tool(");
}

/// Rustc gives no such thing to a macro, or has reported it.
#[test]
fn nothing_at_all() {
    for item in ["", "pub", "#[a]", "unsafe", "pub(crate)", "1", "fn", "fn a"] {
        let tokens = crate::tool::expand(TokenStream::new(), &item.parse().unwrap());
        assert!(mistakes(tokens).is_empty(), "{item}");
    }
}

/// With one, so that rustc does not ask for it too.
#[test]
fn a_function_without_a_body() {
    for (source, left) in [
        (
            "/// D\n#[tool] fn f_(/** a */ #[arg(default)] a: u8) -> [u8; 2];",
            "#[doc = \" D\"] fn f_(a: u8) -> [u8; 2] { ::core::unreachable!() }",
        ),
        (
            "#[tool] async fn f_(&self);",
            "async fn f_(&self) { ::core::unreachable!() }",
        ),
    ] {
        refused(source, "f_", "`f_` has no body");
        testing::holds(&expand(source), left);
    }
}

#[test]
fn a_signature_that_cannot_be_read_is_left_to_rustc() {
    for signature in ["f_(a)", "f_(a b: u8)", "f_(a: Vec<u8 3>)", "f_(a: (u8 u8))"] {
        let tokens = flat(&expand(&format!(
            "/// D\n#[tool(nam = 1)] fn {signature} {{}}"
        )));
        let signature = signature.replace(' ', "");
        assert_eq!(
            tokens.replace(' ', ""),
            format!("#[doc=\"D\"]fn{signature}{{}}")
        );
    }
}

#[test]
fn a_body_is_not_read() {
    let tokens = flat(&expand("/// D\n#[tool] fn f_() { let = = ; }"));
    assert!(tokens.contains("fnf_(){let==;}"), "{tokens}");
    assert!(!tokens.contains("compile_error"), "{tokens}");
}

#[test]
fn a_struct_named_like_a_type_of_the_signature() {
    for signature in [
        "weather() -> Weather",
        "weather(a: Vec<Option<Weather>>)",
        "weather(a: &dyn Weather)",
        "weather() -> Result<(), Weather::Error>",
    ] {
        refused(
            &format!("/// D\n#[tool] fn {signature} {{}}"),
            "weather",
            "like a type in the signature of `weather`: add `struct_name = WeatherTool`",
        );
    }
    refused(
        "/// D\n#[tool(struct_name = City)] fn weather(a: City) {}",
        "City",
        "would be called `City`, like a type in the signature of `weather`: name it otherwise",
    );
    for signature in [
        "weather() -> models::Weather",
        "weather() -> ::Weather",
        "weather(Weather: u8)",
        "string() -> std::string::String",
    ] {
        accepted(&format!("/// D\n#[tool] fn {signature} {{}}"));
    }
    accepted("/// D\n#[tool(struct_name = GetWeather)] fn weather() -> Weather {}");
}

#[test]
fn what_only_a_block_knows() {
    refused(
        "/// D\n#[tool] fn open() -> Option<Self> {}",
        "Self",
        "`open` mentions `Self`, and `#[tool]` by itself is for free functions: put `#[toolset]`",
    );
    refused(
        "/// D\n#[tool] fn open() { Self::new(); }",
        "Self",
        "put `#[toolset]`",
    );
    // `Self` in the body may belong to an item in it.
    accepted("/// D\n#[tool] fn open() { struct A; impl A { fn b() -> Self { Self } } }");
}

#[test]
fn futures_and_iterators() {
    for (ty, says) in [
        (
            "impl Future<Output = u8>",
            "make it `async fn f_(..) -> u8`",
        ),
        (
            "impl Send + std::future::Future<Output = Vec<u8>>",
            "`async fn f_(..) -> Vec<u8>`",
        ),
        (
            "Box<dyn Future<Output = u8> + Send>",
            "make it `async fn f_",
        ),
        ("Pin<Box<dyn Future<Output = u8>>>", "make it `async fn f_"),
        (
            "impl Iterator<Item = (u8, u8)>",
            "return `Vec<(u8, u8)>`, with `.collect()`",
        ),
        ("Box<dyn Iterator<Item = u8>>", "return `Vec<u8>`"),
    ] {
        refused(&format!("/// D\n#[tool] fn f_() -> {ty} {{}}"), ty, says);
    }
    refused(
        "/// D\n#[tool] async fn f_() -> impl Future<Output = u8> {}",
        "impl Future<Output = u8>",
        "wait for it with `.await`, and return `u8`",
    );
    accepted("/// D\n#[tool] fn f_() -> impl Iterator<Item = u8> + Serialize {}");
    accepted("/// D\n#[tool] fn f_() -> Box<dyn Serialize> {}");
}

#[test]
fn lifetimes_that_nothing_declares() {
    for (signature, says) in [
        (
            "f_(a: Text<'a>)",
            "`a` borrows for `'a`, and what the model fills in is owned",
        ),
        (
            "f_(a: &'a Files)",
            "`a` is lent for one call: remove `'a`, and take `&Files`",
        ),
        (
            "f_() -> Text<'a>",
            "`f_` returns what borrows for `'a`, which nothing declares",
        ),
    ] {
        let source = format!("/// D\n#[tool] fn {signature} {{}}");
        refused(&source, "'a", says);
        // Else rustc tells of it too.
        let tokens = flat(&expand(&source));
        assert!(
            !tokens.contains("'a>") && !tokens.contains("&'aFiles"),
            "{tokens}"
        );
    }
    accepted(
        "/// D\n#[tool] fn f_(a: &dyn for<'a> Fn(&'a str), b: Text<'static>) -> &'static str {}",
    );
}

#[test]
fn what_has_no_size() {
    for (ty, at, owned) in [
        ("str", "str", "String"),
        ("[u8]", "[u8]", "Vec<u8>"),
        ("Option<str>", "str", "Option<String>"),
        ("Vec<[u8]>", "[u8]", "Vec<Vec<u8>>"),
        ("std::path::Path", "std::path::Path", "PathBuf"),
    ] {
        refused(
            &format!("/// D\n#[tool] fn f_(a: {ty}) {{}}"),
            at,
            &format!("and `a` is taken by value: take `{owned}`"),
        );
    }
    // The author's own, and what is held by a pointer.
    accepted("/// D\n#[tool] fn f_(a: Path, b: Box<str>, c: Arc<[u8]>) {}");
}
