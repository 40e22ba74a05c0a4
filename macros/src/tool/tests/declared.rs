//! Mistakes in the keys that say what a tool may do, what it may use up and what it needs.

use super::{accepted, expand, refused};
use crate::testing::{holds, messages};

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    refused(&source(keys), at, says);
}

fn source(keys: &str) -> String {
    format!("/// D\n#[tool({keys})]\nasync fn f_(a: u8, w: &Workspace, o: Option<&Files>) {{}}")
}

#[track_caller]
fn gives(keys: &str, part: &str) {
    holds(&accepted(&source(keys)), part);
}

#[test]
fn determinism() {
    for (word, variant) in [
        ("deterministic", "Deterministic"),
        ("bounded", "Bounded"),
        ("non_deterministic", "NonDeterministic"),
    ] {
        gives(
            &format!("determinism = {word}"),
            &format!("__tw::Part::Determinism(__tw::Determinism::{variant})"),
        );
    }
    key(
        "determinism = bound",
        "bound",
        "`bound` is no `determinism`: did you mean `bounded`?\nthere are `deterministic`, `bounded`, `non_deterministic`",
    );
    key(
        "determinism = r#match",
        "r#match",
        "`r#match` is no `determinism`\nthere are",
    );
    key(
        "determinism = a::b",
        "a::b",
        "`determinism` takes a name: write `determinism = bounded`",
    );
    key(
        "determinism = \"bounded\"",
        "\"bounded\"",
        "`determinism` takes a name",
    );
    key("determinism", "determinism", "`determinism` takes a name");
    key(
        "determinism(bounded)",
        "determinism",
        "`determinism` takes a name",
    );
    key(
        "pure, determinism = non_deterministic",
        "non_deterministic",
        "`non_deterministic` contradicts `pure`",
    );
    accepted(&source("pure, determinism = bounded"));
    refused(
        "/// D\n#[tool(determinism = bounded)]\nasync fn f_(a: u8) {}",
        "bounded",
        "`bounded` cannot be kept: the clock and the random numbers of such a tool come from a \
         `&ToolContext`, and `f_` takes none",
    );
    accepted("/// D\n#[tool(determinism = deterministic)]\nasync fn f_(a: u8) {}");
    accepted(&source("read_only, determinism = non_deterministic"));
}

#[test]
fn capabilities() {
    gives(
        "capabilities(\"fs:read:/data\", \"net:connect:a.b:443\")",
        "__tw::Part::Capabilities(&[\"fs:read:/data\", \"net:connect:a.b:443\"])",
    );
    for (capability, says) in [
        (
            "fs",
            "`fs` has too few parts\na capability is `domain:action:scope`, as in `fs:read:/data`",
        ),
        ("fs:read", "has too few parts"),
        ("", "has too few parts"),
        ("fs::/data", "has an empty part"),
        (":read:/data", "has an empty part"),
        ("fs:read:", "has an empty part"),
        (
            "*:read:a",
            "is a pattern, and a tool says exactly what it needs",
        ),
        ("fs:*:a", "is a pattern"),
        ("fs:read:*", "is a pattern"),
        ("fs:read:/data/*", "is a pattern"),
        ("f s:read:a", "has a character that no domain or action has"),
        ("fs:réad:a", "has a character that no domain or action has"),
        ("fs:read: a", "in its scope that people do not see"),
        (
            "fs:read:a\u{202e}b",
            "`fs:read:a\\u{202e}b` has a character in its scope",
        ),
        ("fs:read:a\u{a0}b", "in its scope that people do not see"),
    ] {
        key(
            &format!("capabilities(\"{capability}\")"),
            &format!("\"{capability}\""),
            says,
        );
    }
    key(
        "capabilities(\"a:b:c\", \"a:b:c\")",
        "\"a:b:c\"",
        "the capability `a:b:c` is given twice",
    );
    key(
        "capabilities()",
        "capabilities",
        "`capabilities()` is empty",
    );
    key(
        "capabilities(a)",
        "a",
        "`capabilities` takes a list of string literals",
    );
    key(
        "capabilities = \"a:b:c\"",
        "\"a:b:c\"",
        "write `capabilities(\"fs:read:/data\")`",
    );
    accepted(&source("capabilities(\"fs:read:/a b/ü*x\")"));
}

#[test]
fn limits() {
    gives(
        "limits(memory = \"64MiB\", fuel = 1_000, output = \"1B\")",
        "__tw::Part::Memory(67108864u64), __tw::Part::Fuel(1000u64), __tw::Part::Output(1u64)",
    );
    gives("limits(\"fuel\" = 0xff)", "__tw::Part::Fuel(255u64)");
    for (limits, at, says) in [
        (
            "memry = \"1B\"",
            "memry",
            "there is no limit `memry`: did you mean `memory`?\nthe limits are `memory`, `fuel`, `output`",
        ),
        ("time = 1", "time", "there is no limit `time`"),
        (
            "memory = 64",
            "64",
            "`memory` takes a size: write `memory = \"64KiB\"`",
        ),
        ("output = -\"1B\"", "-\"1B\"", "`output` takes a size"),
        ("output = SIZE", "SIZE", "`output` takes a size"),
        ("output = \"64\"", "\"64\"", "`64` has no unit"),
        ("memory = \"0B\"", "\"0B\"", "no room at all"),
        (
            "fuel = \"1\"",
            "\"1\"",
            "`fuel` takes a whole number above zero",
        ),
        ("fuel = 0", "0", "above zero"),
        ("fuel = -1", "-1", "above zero"),
        ("fuel = 1.5", "1.5", "above zero"),
        (
            "fuel = 18446744073709551616",
            "18446744073709551616",
            "more fuel than can be counted",
        ),
        ("fuel = 1, fuel = 2", "fuel", "`fuel` is given twice"),
        ("fuel", "limits", "the value of `limits` ends too early"),
        ("fuel =", "limits", "the value of `limits` ends too early"),
        ("fuel: 1", ":", "write `fuel = 1`"),
    ] {
        key(&format!("limits({limits})"), at, says);
    }
    key(
        "limits()",
        "limits",
        "`limits()` is empty: write `limits(output = \"64KiB\")`",
    );
    key("limits", "limits", "`limits` takes a list");
    key("limits = 1", "1", "`limits` takes a list");
    assert_eq!(
        messages(expand(&source("limits(memory = 1, fuel = 0, x = 2)"))).len(),
        3
    );
}

#[test]
fn needs() {
    gives(
        "needs(Other, dyn a::B + Send, Option<C>)",
        ".needs(const { &[__tw::ResourceKey::of::<Workspace>(), __tw::ResourceKey::optional::<Files>(), \
         __tw::needed::<Other>(), __tw::needed::<dyn a::B + Send>(), __tw::needed::<Option<C>>()]})",
    );
    // An optional resource of the signature may still be needed.
    accepted(&source("needs(Files)"));
    key(
        "needs()",
        "needs",
        "`needs()` is empty: write `needs(Workspace)`",
    );
    key("needs", "needs", "`needs` takes a list of types");
    key(
        "needs = Other",
        "Other",
        "`needs` takes a list of types: write `needs(Workspace)`",
    );
    key("needs(1)", "1", "`needs` takes a list of types");
    key(
        "needs(\"Other\")",
        "\"Other\"",
        "`needs` takes a list of types",
    );
    key("needs(Other;)", ";", "expected `,`");
    key("needs(Vec<)", "Vec", "`needs` takes a list of types");
    key(
        "needs(&Other)",
        "&Other",
        "`needs` names types, and no references to them: write `Other`",
    );
    key(
        "needs(&'static dyn Files)",
        "&'static dyn Files",
        "write `dyn Files`",
    );
    key(
        "needs(Other, Other)",
        "Other",
        "`Other` is given twice: keep one of them",
    );
    key(
        "needs(Workspace)",
        "Workspace",
        "`w` is a `Workspace` already: remove it from `needs`",
    );
}

#[test]
fn validate() {
    gives(
        "validate = a::judge",
        ".validate(|__a| __tw::validated(__tw::validator::<fn(&u8) -> ::core::result::Result<(), ::std::string::String>, _>((&__tw::Judge::<(u8,), _>(a::judge, __tw::PhantomData)).__tool_validator())(&__a.0)))",
    );
    key(
        "validate = |a| Ok(())",
        "|a| Ok(())",
        "`validate` takes a path: write `validate = check_dates`",
    );
    key("validate = judge()", "judge()", "`validate` takes a path");
    key(
        "validate = judge::<u8>",
        "judge::<u8>",
        "`validate` takes a path",
    );
    key(
        "validate = \"judge\"",
        "\"judge\"",
        "`validate` takes a path",
    );
    key("validate(judge)", "validate", "`validate` takes a path");
    key("validate", "validate", "`validate` takes a path");
}

#[test]
fn blocking() {
    let tokens = accepted("/// D\n#[tool(blocking, timeout = \"1s\")] fn f_() {}");
    holds(&tokens, ".blocking()");
    key(
        "blocking",
        "blocking",
        "make it `fn f_`, or remove `blocking`",
    );
    key("blocking = true", "true", "`blocking` stands alone");
}

#[test]
fn concurrent_and_explicit_only() {
    gives(
        "concurrent, explicit_only, idempotent",
        "__tw::Part::Concurrent, __tw::Part::ExplicitOnly",
    );
    accepted(&source("concurrent, destructive"));
    for effect in ["pure", "read_only"] {
        key(
            &format!("{effect}, concurrent"),
            "concurrent",
            &format!(
                "`{effect}` says that already: what changes nothing runs beside other calls, so remove `concurrent`"
            ),
        );
    }
    key("concurrent = true", "true", "`concurrent` stands alone");
    key(
        "explicit_only()",
        "explicit_only",
        "`explicit_only` stands alone",
    );
}

#[test]
fn durable_and_pool() {
    gives(
        "concurrent, durable, pool = \"gpu-1.a_B\", explicit_only, idempotent",
        "__tw::Part::Concurrent, __tw::Part::Durable, __tw::Part::Pool(\"gpu-1.a_B\"), __tw::Part::ExplicitOnly",
    );
    let longest = "p".repeat(64);
    gives(
        &format!("pool = \"{longest}\""),
        &format!("__tw::Part::Pool(\"{longest}\")"),
    );
    for keys in [
        "pure, durable",
        "read_only, pool = \"gpu\"",
        "destructive, durable, timeout = \"1s\"",
    ] {
        accepted(&source(keys));
    }
    accepted("/// D\n#[tool(durable, pool = \"gpu\")] fn f_(a: u8) {}");
    accepted("/// D\n#[tool(blocking, durable)] fn f_(a: u8) {}");
    let too_long = "p".repeat(65);
    for pool in [
        "", " ", "a b", "gpu ", "a/b", "a:b", "*", "\u{e9}", "\u{202e}", "a\\n", &too_long,
    ] {
        let (keys, at) = (format!("pool = \"{pool}\""), format!("\"{pool}\""));
        key(
            &keys,
            &at,
            "a pool is 1 to 64 ASCII letters, digits, `-`, `_` and `.`, such as `gpu`",
        );
    }
    key(
        "pool = 3",
        "3",
        "`pool` takes a string literal: write `pool = \"gpu\"`",
    );
    key("pool = GPU", "GPU", "`pool` takes a string literal");
    key("pool", "pool", "`pool` takes a string literal");
    key("pool(\"gpu\")", "pool", "`pool` takes a string literal");
    key("durable = true", "true", "`durable` stands alone");
    key("durable()", "durable", "`durable` stands alone");
    key("durable, durable", "durable", "`durable` is given twice");
}

#[test]
fn examples() {
    let source = |examples: &str| {
        format!(
            "/// D\n#[tool(examples({examples}))] fn f_(path: P, #[arg(name = \"from\", range = 1..)] r#type: u8, \
             #[arg(one_of(\"a\", \"b\"), aliases(\"other\"))] kind: String, w: &Workspace) {{}}"
        )
    };
    let tokens = accepted(&source(
        "{}, {\"path\": \"a\", from: 1, kind: \"b\"}, {path: [null, {x: -1.5}]},",
    ));
    holds(
        &tokens,
        "__tw::Part::Examples(&[\"{}\", \"{\\\"path\\\":\\\"a\\\",\\\"from\\\":1,\\\"kind\\\":\\\"b\\\"}\", \"{\\\"path\\\":[null,{\\\"x\\\":-1.5}]}\"])",
    );
    for (examples, at, says) in [
        (
            "{pat: 1}",
            "pat",
            "`f_` has no argument `pat`: did you mean `path`?\nthe arguments are `path`, `from`, `kind`",
        ),
        ("{\"w\": 1}", "\"w\"", "`f_` has no argument `w`"),
        ("{type: 1}", "type", "`f_` has no argument `type`"),
        ("{other: \"a\"}", "other", "`f_` has no argument `other`"),
        (
            "{from: 0}",
            "0",
            "the example `0` is not allowed: `range` begins at `1`",
        ),
        (
            "{kind: \"c\"}",
            "\"c\"",
            "the example `\"c\"` is not allowed: `one_of` does not list it",
        ),
        ("{path: 1, path: 2}", "path", "`path` is given twice"),
        ("{path: {a: 1, a: 2}}", "a", "`a` is given twice"),
        ("{path: x}", "x", "an example is JSON"),
        ("{path: 'x'}", "'x'", "an example is JSON"),
        ("{path: [1 + 1]}", "1 + 1", "an example is JSON"),
        ("{path: 1e999}", "1e999", "an example is JSON"),
        ("{path = 1}", "=", "write `\"path\": 1`"),
        ("{path: 1 from: 2}", "from", "expected `,`"),
        ("{} {}", "{", "expected `,`"),
        (
            "1",
            "1",
            "an example is an object of arguments: write `{\"path\": \"notes.txt\"}`",
        ),
        ("path = 1", "path", "an example is an object of arguments"),
        (",", ",", "an example is an object of arguments"),
        (
            "[1]",
            "[1]",
            "`examples` takes a list of objects: write `examples({",
        ),
    ] {
        refused(&source(examples), at, says);
    }
    for (written, at, meant) in [
        ("= [{path: 1}, {}]", "[{path: 1}, {}]", "({\"path\":1}, {})"),
        ("= {path: 1}", "{path: 1}", "({\"path\":1})"),
        ("([{path: 1}])", "[{path: 1}]", "({\"path\":1})"),
        ("= [1]", "[1]", "({\"path\": \"notes.txt\"})"),
    ] {
        let says = format!("`examples` takes a list of objects: write `examples{meant}`");
        key(&format!("examples {written}"), at, &says);
    }
    key("examples", "examples", "`examples` takes a list of objects");
    key(
        "examples = 1",
        "1",
        "write `examples({\"path\": \"notes.txt\"})`",
    );
    key("examples()", "examples", "`examples()` is empty");
    refused(
        "/// D\n#[tool(examples({a: 1}))] fn f_() {}",
        "a",
        "`f_` has no argument `a`\nit takes none",
    );
    // The fields are for the type to know.
    accepted("/// D\n#[tool(examples({a: 1}))] fn f_(#[arg(flatten)] all: All) {}");
    // A parameter that is refused is not said to be missing as well.
    refused(
        "/// D\n#[tool(examples({a: 1}))] fn f_((a, b): (u8, u8)) {}",
        "(a, b)",
        "name the parameter",
    );
    refused(
        "/// D\n#[tool(examples({a: 1}))] fn f_(a: &str) {}",
        "&str",
        "take `String`",
    );
}

/// A `macro_rules` fragment is the value in invisible delimiters.
#[test]
fn examples_from_a_macro() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    use quote::quote;
    let none = |tokens: TokenStream| TokenTree::Group(Group::new(Delimiter::None, tokens));
    let (key, text, number) = (none(quote!("a")), none(quote!("b")), none(quote!(-1)));
    let item = quote!(
        #[doc = "D"]
        fn f_(a: A) {}
    );
    let args = quote!(title = #text, aliases(#text), metadata(#key = #number), examples({#key: [#text, #number]}));
    let tokens = super::super::expand(args, &item);
    assert!(messages(tokens.clone()).is_empty(), "{tokens}");
    holds(&tokens, "{\\\"a\\\":[\\\"b\\\",-1]}");
}
