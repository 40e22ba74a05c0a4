//! Parts of expansions; whole expansions are under `golden`.

use super::{accepted, expand};
use crate::testing::{self, flat, mistakes};

#[track_caller]
fn holds(source: &str, part: &str) {
    testing::holds(&accepted(source), part);
}

#[track_caller]
fn lacks(source: &str, part: &str) {
    testing::lacks(&accepted(source), part);
}

#[test]
fn five_mistakes_are_five_errors() {
    let tokens = expand(
        "#[tool(nam = \"x\", read_only, destructive, timeout = \"1s\")]\n\
         fn many(/** q */ #[arg(range = 5..=1)] q: u8, a: &str) {}",
    );
    let found = mistakes(tokens.clone());
    let mut at: Vec<&str> = found.iter().map(|mistake| mistake.at.as_str()).collect();
    at.sort_unstable();
    assert_eq!(
        at,
        ["&str", "5..=1", "destructive", "many", "nam", "timeout"]
    );
    syn::parse2::<syn::File>(tokens).unwrap();
}

#[test]
fn beside_mistakes_the_function_and_the_tool_stay_usable() {
    let tokens = flat(&expand(
        "#[tool(crate = my::tw)] #[cfg(unix)] pub fn find_it(/** q */ #[arg(length = 1..)] q: String) -> u8 { 1 }",
    ));
    assert!(
        tokens.starts_with("#[cfg(unix)]pubfnfind_it(q:String)->u8{1}"),
        "{tokens}"
    );
    assert!(tokens.contains("pubstructFindIt;"), "{tokens}");
    assert!(
        tokens.contains("#[cfg(unix)]implmy::tw::Toolfor__tool_find_it::FindIt{"),
        "{tokens}"
    );
    // The right parts are emitted for rustc to check.
    assert!(
        tokens.contains(
            "#[cfg(unix)]#[allow(unreachable_code)]const_:fn()=||{usemy::tw::__privateas__tw;"
        ),
        "{tokens}"
    );
    assert!(tokens.contains("__v.length(&[1],&[])"), "{tokens}");
    assert!(!tokens.contains("__tw::register!"), "{tokens}");
}

#[test]
fn the_function_keeps_everything_but_what_is_ours() {
    holds(
        "#[inline]\n/// D\n#[tool] pub(in a::b) async fn f_(/** d */ #[allow(x)] #[arg(default)] a: u8) -> u8 { a }",
        "#[inline] #[doc = \" D\"] pub(in a::b) async fn f_(#[allow(x)] a: u8) -> u8 { a }",
    );
}

#[test]
fn names_of_the_struct() {
    for (function, name) in [
        ("read_file", "ReadFile"),
        ("r#type", "Type"),
        ("f", "F"),
        ("a_2_b", "A2B"),
        ("_x", "X"),
        ("readFile", "ReadFile"),
    ] {
        holds(
            &format!("/// D\n#[tool] fn {function}() {{}}"),
            &format!("struct {name};"),
        );
    }
    holds(
        "/// D\n#[tool] fn r#type() {}",
        "__tw::Definition::sync((\"type\",",
    );
    holds(
        "/// D\n#[tool] fn r#type() {}",
        "\"The tool `type`, made from the function `type`.\"",
    );
}

#[test]
fn zero_and_one_argument() {
    holds("/// D\n#[tool] fn f_() {}", "__tw::args0()");
    holds("/// D\n#[tool] fn f_() {}", "|(), _, __cx| {");
    holds("/// D\n#[tool] fn f_(a: u8) {}", "__tw::args1::<u8>()");
    holds("/// D\n#[tool] fn f_(a: u8) {}", "|(__0,), _, __cx|");
}

#[test]
fn parameters_keep_their_order() {
    holds(
        "/// D\n#[tool] async fn f_(x: &X, a: u8, y: Option<&Y>, f_: u8) {}",
        "f_(__r0, __0, __r1, __1)",
    );
}

#[test]
fn needs_name_each_type_once() {
    holds(
        "/// D\n#[tool] fn f_(a: &X, b: &dyn Y, c: &X, d: Option<&X>) {}",
        ".needs(const { &[__tw::ResourceKey::of::<X>(), __tw::ResourceKey::of::<dyn Y>(), __tw::ResourceKey::optional::<X>()] })",
    );
    lacks("/// D\n#[tool] fn f_(a: u8) {}", "needs");
}

#[test]
fn a_permission_binds_what_it_mentions() {
    let source = |permission: &str| {
        format!(
            "/// D\n#[tool(permission = {permission})] fn f_(path: A, size: A, r#type: A, x: &X, y: Option<&Y>) {{}}"
        )
    };
    let bound = |permission: &str| {
        let tokens = flat(&accepted(&source(permission)));
        ["path", "size", "r#type", "x", "y"]
            .map(|name| u8::from(tokens.contains(&format!("let{name}="))))
            .to_vec()
    };
    assert_eq!(bound("a(path)"), [1, 0, 0, 0, 0]);
    assert_eq!(bound("a(vec![(size, x)], y)"), [0, 1, 0, 1, 1]);
    assert_eq!(
        bound("format!(\"{path:>1$} {{x}} {type}\", 1)"),
        [1, 0, 1, 1, 0]
    );
    assert_eq!(bound("\"path size\""), [0, 0, 0, 0, 0]);
    holds(&source("a(x)"), "let x = __tw::peek::<X>(__cx)?;");
    holds(&source("a(y)"), "let y = __tw::peek_optional::<Y>(__cx);");
}

#[test]
fn descriptions() {
    holds(
        "/// One\n#[inline]\n/// two.\n#[tool] fn f_() {}",
        "(\"f_\", \"One\\ntwo.\", &[], \"toolwright-macros\")",
    );
    holds(
        "/// One\n#[doc = include_str!(\"a.md\")]\n#[tool] fn f_() {}",
        "::core::concat!(\"One\", \"\\n\", include_str!(\"a.md\"), \"\\n\"), &[__tw::Part::Raw]",
    );
    holds("/// D\n#[tool] fn f_(a: u8) {}", "(\"a\", \"\", &[])");
}

#[test]
fn output_schemas() {
    holds(
        "/// D\n#[tool] fn f_() -> Vec<u8> {}",
        "(&&__tw::SchemaOf::<Vec<u8>>(__tw::PhantomData)).__tool_schema()",
    );
    lacks(
        "/// D\n#[tool] fn f_() -> Result<impl Copy, E> {}",
        "SchemaOf",
    );
    lacks("/// D\n#[tool] fn f_() {}", "SchemaOf");
}

#[test]
fn literals_of_every_shape() {
    holds(
        "/// D\n#[tool(metadata(a = 1., b = -0x1Fu8, c = 2_0f32, d = 1_000.5e3f64, e = r#\"x\"#))] fn f_() {}",
        "(\"a\", __tw::Meta::Float(1.)), (\"b\", __tw::Meta::Integer(-31)), (\"c\", __tw::Meta::Float(20.0)), \
         (\"d\", __tw::Meta::Float(1000.5e3)), (\"e\", __tw::Meta::Text(r#\"x\"#))",
    );
    holds(
        "/// D\n#[tool] fn f_(#[arg(length = 0x1usize..0x10usize)] a: A) {}",
        ".length(&[0x1usize], &[15usize])",
    );
}

#[test]
fn registration() {
    holds(
        "/// D\n#[tool(register = true)] fn f_() {}",
        "__tw::register!(\"toolwright-macros\", __tool_f_::F);",
    );
    lacks("/// D\n#[tool(register = false)] fn f_() {}", "register!");
}

#[test]
fn an_authors_types_and_expressions_keep_their_spans() {
    let tokens = accepted("/// D\n#[tool(permission = Ask::for_it())] fn f_(a: Vec<Item>) {}");
    let mut places = Vec::new();
    spans(tokens, &mut places);
    assert!(
        places.iter().filter(|word| *word == "Item").count() >= 2,
        "{places:?}"
    );
    assert!(places.iter().any(|word| word == "for_it"), "{places:?}");
}

/// The source behind each identifier that has one.
fn spans(tokens: proc_macro2::TokenStream, places: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => spans(group.stream(), places),
            proc_macro2::TokenTree::Ident(word) => {
                places.extend(word.span().source_text().filter(|text| word == *text));
            }
            _ => {}
        }
    }
}
