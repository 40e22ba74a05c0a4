//! The end of each item of a block is found, and each item is emitted unchanged.

use super::{accepted, block, expand};
use crate::testing::{flat, holds, mistakes};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// The items around a tool are in the expansion without a change, and the tool is seen.
#[track_caller]
fn kept(item: &str) {
    for items in [
        format!("{item} /// D\n#[tool] fn f_(&self) {{}}"),
        format!("/// D\n#[tool] fn f_(&self) {{}} {item}"),
    ] {
        let tokens = accepted(&block(&items));
        // Doc comments are attributes by now.
        let item: TokenStream = item.parse().unwrap();
        holds(&tokens, &item.to_string());
        holds(&tokens, "((\"f_\"");
    }
}

#[test]
fn items_that_are_no_tools() {
    for item in [
        "const A: u8 = 1;",
        "const A: [u8; 2] = { [1, 2] };",
        "pub(in a::b) const A: fn(u8) -> u8 = { |x| x };",
        "const A: bool = !{ true };",
        "const A: u8 = match 1 { 1 => { 2 } _ => { 3 } };",
        "const A: bool = 1 < 2;",
        "type A = [u8; { 1 }];",
        "list! { a }",
        "list!(a);",
        "list![a { b }];",
        "fn a(&self) where Self: Sized, { 1 }",
        "fn a<T>(&self) -> T where T: Copy, Vec<T>: Clone, { 1 }",
        "fn a(&self) -> Matrix<{ N }> { 1 }",
        "fn a(&self) -> Matrix<u8, { N }, { M }> { 1 }",
        "fn a<F>(&self) where F: Fn(u8) -> Option<Vec<u8>>, { 1 }",
        "fn a(&self) -> impl Fn() -> ! { 1 }",
        "async unsafe extern \"C\" fn a(&self) { 1 }",
        "#[inline] #[doc = include_str!(\"a.md\")] #[cfg_attr(tool, inline)] fn a(&self) {}",
        "#[cfg_attr(unix, doc(tool))] fn a(&self) {}",
        "fn a(&self) { #![allow(x)] /// D\n #[tool] fn b() {} }",
    ] {
        kept(item);
    }
}

/// Attributes inside of the block come first again.
#[test]
fn inner_attributes() {
    let tokens =
        accepted("#[toolset] impl Notes { #![allow(x)] //! D\n /// D\n#[tool] fn f_() {} }");
    holds(&tokens, "impl Notes { #![allow(x)] #![doc = \" D\"]");
}

fn none(tokens: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(Delimiter::None, tokens))
}

/// As `macro_rules` gives them: a name, a body, a type and a whole attribute in invisible delimiters.
#[test]
fn fragments_of_a_macro() {
    let (body, ty, meta, nested) = (
        none(quote!({ 1 })),
        none(quote!(Vec<u8>)),
        none(quote!(tool(read_only))),
        none(none(quote!({ 2 })).into()),
    );
    let visibility = none(quote!(pub));
    let nothing = none(TokenStream::new());
    let item = quote! {
        impl Notes {
            #[doc = "D"]
            #[#meta]
            #visibility fn a(&self, b: #ty) -> #ty #body
            #nothing fn b(&self) #nested
            #[doc = "D"]
            #[tool]
            fn c(&self) #nested
        }
    };
    let tokens = super::super::expand(TokenStream::new(), &item);
    assert_eq!(mistakes(tokens.clone()).len(), 0, "{tokens}");
    let text = flat(&tokens);
    for name in ["\"a\"", "\"c\""] {
        assert!(text.contains(&format!("(({name}")), "{text}");
    }
    assert!(!text.contains("#[tool"), "{text}");
}

#[test]
fn a_block_that_cannot_be_read_is_left_to_rustc() {
    let source = "#[toolset(nam = 1)] impl Notes { #[tool] fn a(&self) {} #[!] }";
    assert_eq!(flat(&expand(source)), "implNotes{fna(&self){}#[!]}");
}

/// Rustc has reported the method, and whoever calls it is not told that there is none.
#[test]
fn a_method_that_cannot_be_read_is_left_to_rustc() {
    for parameter in ["b", "b c: u8", "b: (u8 u8)"] {
        let tokens = expand(&block(&format!(
            "/// D\n#[tool(read_only)] fn a(&self, /** b */ #[arg(default)] {parameter}) {{ 1 }}"
        )));
        assert_eq!(mistakes(tokens.clone()).len(), 0, "{tokens}");
        holds(
            &tokens,
            &format!("impl Notes {{ #[doc = \" D\"] fn a(&self, {parameter}) {{ 1 }} }}"),
        );
    }
}

#[test]
fn a_method_without_a_body_is_left_to_rustc() {
    let tokens = expand(&block("/// D\n#[tool] fn a(&self);"));
    assert_eq!(mistakes(tokens.clone()).len(), 0, "{tokens}");
    holds(&tokens, "fn a(&self); }");
}
