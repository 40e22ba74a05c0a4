//! Mistakes in the methods of a block.

use super::{accepted, block, expand, refused};
use crate::testing::{holds, lacks, mistakes};

#[track_caller]
fn items(items: &str, at: &str, says: &str) {
    refused(&block(items), at, says);
}

#[track_caller]
fn key(keys: &str, at: &str, says: &str) {
    items(
        &format!("/// D\n#[tool({keys})] fn f_(&self) {{}}"),
        at,
        says,
    );
}

#[test]
fn receivers() {
    for (written, at, says) in [
        (
            "self",
            "self",
            "`f_` takes `self` whole, and later calls need it too: take `&self`",
        ),
        ("mut self", "self", "takes `self` whole"),
        ("self: Box<Self>", "self", "takes `self` whole"),
        ("self: &Arc<Self>", "self", "takes `self` whole"),
        (
            "&mut self",
            "mut",
            "`f_` changes `self`, and calls that run at once share it: take `&self`",
        ),
        (
            "self: &mut Self",
            "mut",
            "keep what changes behind a `Mutex`",
        ),
    ] {
        items(&format!("/// D\n#[tool] fn f_({written}) {{}}"), at, says);
    }
    for written in ["&self", "self: &Self", "&'_ self", ""] {
        accepted(&block(&format!("/// D\n#[tool] fn f_({written}) {{}}")));
    }
}

#[test]
fn what_a_method_must_be() {
    items("#[tool] fn f_(&self) {}", "f_", "`f_` has no description");
    items(
        "/// D\n#[tool] fn f_<T>(&self, a: T) {}",
        "<T>",
        "is generic",
    );
    items(
        "/// D\n#[tool] fn f_<'a>(&'a self) {}",
        "<'a>",
        "names a lifetime",
    );
    items(
        "/// D\n#[tool] fn f_<'a>(&self, a: &'a str) {}",
        "&'a str",
        "take `String`",
    );
    items(
        "/// D\n#[tool] unsafe fn f_(&self) {}",
        "unsafe",
        "is `unsafe`",
    );
    items(
        "/// D\n#[tool] const fn f_(&self) {}",
        "const",
        "is `const`",
    );
    items(
        "/// D\n#[tool] extern fn f_(&self) {}",
        "extern",
        "is `extern`",
    );
    items("/// D\n#[tool] fn f_(&self) -> ! {}", "!", "never returns");
    items(
        "/// D\n#[tool] fn f_(&self) where Self: A, {}",
        "where Self: A,",
        "nothing is generic",
    );
    items(
        "/// D\n#[tool] fn f_(&self, #[cfg(unix)] a: u8) {}",
        "#[cfg(unix)]",
        "put it on two whole methods, one with `a` and one without",
    );
    let found = mistakes(expand(&block(
        "/// D\n#[tool] async unsafe extern \"C\" fn f_(&self) {}",
    )));
    let at: Vec<&str> = found.iter().map(|mistake| mistake.at.as_str()).collect();
    assert_eq!(at, ["unsafe", "extern \"C\""]);
}

#[test]
fn what_is_no_method() {
    for (item, at) in [
        ("const A: u8 = 1;", "const"),
        ("pub const A: fn() = b;", "const"),
        ("type A = fn();", "type"),
        ("list! { fn a() {} }", "list"),
        ("list!();", "list"),
    ] {
        let source = block(&format!("#[tool] {item} /// D\n#[tool] fn f_(&self) {{}}"));
        refused(
            &source,
            at,
            "`#[tool]` goes on a method, and this is none: write `fn name(&self, ..)`",
        );
        holds(&expand(&source), item);
    }
}

/// Keys that a method does not have.
#[test]
fn keys_of_other_forms() {
    key(
        "register = false",
        "register",
        "`.with_set(value)` registers the block",
    );
    key(
        "register = true",
        "register",
        "is for what `discover!()` finds",
    );
    key(
        "struct_name = A",
        "struct_name",
        "names the struct of a free function, and a method has none: remove it",
    );
    key(
        "crate = a",
        "crate",
        "holds for the whole block: write it in `#[toolset(..)]`",
    );
    key("nam = \"a\"", "nam", "did you mean `name`?");
    items(
        "/// D\n#[tool = 1] fn f_(&self) {}",
        "tool",
        "stand in parentheses: write `#[tool(read_only)]`",
    );
    items(
        "/// D\n#[tool] #[tool(pure)] fn f_(&self) {}",
        "tool",
        "`#[tool]` stands here twice",
    );
    items(
        "/// D\n#[toolwright::tool] #[a::tool] fn f_(&self) {}",
        "a::tool",
        "`#[tool]` stands here twice",
    );
}

#[test]
fn blocking_and_timeout() {
    accepted(&block(
        "/// D\n#[tool(blocking, timeout = \"1s\")] fn f_(&self) {}",
    ));
    items(
        "/// D\n#[tool(blocking)] async fn f_(&self) {}",
        "blocking",
        "make it `fn f_`, or remove `blocking`",
    );
    key(
        "timeout = \"1s\"",
        "timeout",
        "make it `async fn f_`, add `blocking`, or remove `timeout`",
    );
}

#[test]
fn names() {
    let source = |keys: &str| {
        format!(
            "#[toolset(prefix = \"notes\")] impl Notes {{ /// D\n#[tool({keys})] fn r#type(&self) {{}} }}"
        )
    };
    holds(&accepted(&source("")), "((\"notes.type\"");
    holds(
        &accepted(&source("name = \"a\", aliases(\"b\")")),
        "((\"notes.a\",",
    );
    holds(
        &accepted(&source("aliases(\"b\")")),
        "__tw::Part::Aliases(&[\"notes.b\"])",
    );
    refused(&source("name = \"a b\""), "\"a b\"", "write `notes.a_b`");
    refused(
        &source("name = \"\""),
        "\"\"",
        "`notes.` has an empty segment: write `notes`",
    );
    refused(
        &source("aliases(\"type\")"),
        "\"type\"",
        "`notes.type` is the tool's name already",
    );
    items(
        "/// D\n#[tool] fn größe(&self) {}",
        "größe",
        "`größe` cannot name the tool, so add `name = \"..\"`",
    );
}

#[test]
fn one_name_for_two_methods() {
    items(
        "/// D\n#[tool] fn a(&self) {} /// D\n#[tool(name = \"a\")] fn b(&self) {}",
        "b",
        "`a` and `b` both answer to `a`, which leads to one tool: give one of them another name",
    );
    items(
        "/// D\n#[tool(aliases(\"x\"))] fn a(&self) {} /// D\n#[tool(aliases(\"x\", \"a\"))] fn b(&self) {}",
        "b",
        "both answer to `x`",
    );
    // Rustc says of these that there are two, or that there are not.
    for methods in [
        "/// D\n#[tool] fn a(&self) {} /// D\n#[tool] fn a(&self) {}",
        "/// D\n#[cfg(unix)] #[tool] fn a(&self) {} /// D\n#[cfg(not(unix))] #[tool] fn a(&self) {}",
        "/// D\n#[cfg(unix)] #[tool(name = \"c\")] fn a(&self) {} /// D\n#[cfg(windows)] #[tool(name = \"c\")] fn b() {}",
    ] {
        accepted(&block(methods));
    }
}

#[test]
fn conditions() {
    items(
        "#[cfg_attr(unix, tool(pure))] fn a(&self) {} /// D\n#[tool] fn b(&self) {}",
        "tool",
        "a block cannot see a tool behind `cfg_attr`: write `#[cfg(..)]` and `#[tool]` on the method",
    );
    let source = block("#[cfg_attr(unix, inline, toolwright::tool)] #[cold] fn a(&self) {}");
    refused(&source, "toolwright::tool", "behind `cfg_attr`");
    // If the condition holds, the attribute would give one more error.
    lacks(&expand(&source), "#[cfg_attr");
    holds(&expand(&source), "#[cold] fn a(&self) {}");
    let tokens = accepted(&block("/// D\n#[cfg(unix)] #[tool] fn a(&self) {}"));
    holds(
        &tokens,
        "#[cfg(unix)] ::std::vec::Vec::push(&mut __tools, __tw::method(&self,",
    );
}

#[test]
fn permissions() {
    let source = |receiver: &str, permission: &str| {
        block(&format!(
            "/// D\n#[tool(permission = {permission})] fn f_({receiver}, a: u8) {{}}"
        ))
    };
    let tokens = accepted(&source("&self", "ask(self.b, a, vec![self])"));
    holds(&tokens, "let __this = __tw::peek_receiver::<Self>(__h)?;");
    holds(&tokens, "into_requests(ask(__this.b, a, vec![__this]))");
    // A module is no value.
    let tokens = accepted(&source("&self", "self::ask(a, (self::A))"));
    lacks(&tokens, "peek_receiver");
    holds(&tokens, "into_requests(self::ask(a, (self::A)))");
    let tokens = accepted(&source("&self", "self::ask(self.x::<u8>())"));
    holds(&tokens, "into_requests(self::ask(__this.x::<u8>()))");
    let source = |permission: &str| {
        block(&format!(
            "/// D\n#[tool(permission = {permission})] fn f_(a: u8) {{}}"
        ))
    };
    refused(
        &source("ask((self.b, self), a)"),
        "self",
        "`f_` takes no `self` that `permission` could use: take `&self`, or leave `self` out",
    );
    accepted(&source("self::ask(a)"));
}

#[test]
fn the_method_keeps_everything_but_what_is_ours() {
    let tokens = accepted(&block(
        "#[inline] /// D\n#[tool(pure)] #[expect(x)] pub(super) async fn f_(&self, /** d */ #[allow(y)] #[arg(default)] a: u8) -> u8 { a }",
    ));
    holds(
        &tokens,
        "#[inline] #[doc = \" D\"] #[expect(x)] pub(super) async fn f_(&self, #[allow(y)] a: u8) -> u8 { a }",
    );
    holds(&tokens, "#[allow(x)] ::std::vec::Vec::push");
}

/// The tool is made in a function, where `Self` is the type.
#[test]
fn types_may_say_self() {
    let tokens = accepted(&block(
        "/// D\n#[tool(validate = Self::judge)] fn f_(a: Option<Box<Self>>, #[arg(default = Self::B, range = ..=Self::C)] b: u8) -> Self {}",
    ));
    holds(&tokens, "__tw::args2::<Option<Box<Self>>, u8>()");
    holds(
        &tokens,
        "(Self::judge, __tw::PhantomData)).__tool_validator())(&__a.0, &__a.1)",
    );
}

#[test]
fn mistakes_of_all_methods_are_told() {
    let source = block("#[tool] fn a(&self) {} #[tool(x)] fn b(&mut self) {}");
    assert_eq!(mistakes(expand(&source)).len(), 4);
}
