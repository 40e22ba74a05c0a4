//! Helpers that the tests of all macros share: a source, its expansion, and the places where its mistakes are shown.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use std::path::Path;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Meta};

/// Expands an item with the attribute `name` among its own, as the compiler would.
pub(crate) fn attribute(
    name: &str,
    expand: impl Fn(TokenStream, &TokenStream) -> TokenStream,
    source: &str,
) -> TokenStream {
    let read = |input: ParseStream<'_>| {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let place = attributes
            .iter()
            .position(|attribute| attribute.path().is_ident(name));
        let args = match attributes.remove(place.unwrap()).meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let rest: TokenStream = input.parse()?;
        Ok((args, quote!(#(#attributes)* #rest)))
    };
    let (args, item) = read.parse_str(source).unwrap();
    expand(args, &item)
}

/// The expansion without blanks, so that a test can look for a part of it, and without empty lists of parameters.
pub(crate) fn flat(tokens: &TokenStream) -> String {
    let flat: String = tokens.to_string().split_whitespace().collect();
    flat.replace("<>", "")
}

pub(crate) struct Mistake {
    pub(crate) message: String,
    /// The source that is underlined.
    pub(crate) at: String,
}

pub(crate) fn mistakes(tokens: TokenStream) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut before: Option<Span> = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "compile_error" => before = Some(word.span()),
            TokenTree::Punct(bang) if bang.as_char() == '!' => {}
            TokenTree::Group(group) => {
                found.extend(before.take().map(|start| mistake(start, &group)));
            }
            _ => before = None,
        }
    }
    found
}

fn mistake(start: Span, group: &Group) -> Mistake {
    let message: LitStr = syn::parse2(group.stream()).unwrap();
    let whole = start.join(group.span()).unwrap();
    Mistake {
        message: message.value(),
        at: whole.source_text().unwrap_or_default(),
    }
}

pub(crate) fn messages(tokens: TokenStream) -> Vec<String> {
    mistakes(tokens)
        .into_iter()
        .map(|mistake| mistake.message)
        .collect()
}

/// Asserts that the one mistake gives a single error, on `at`, and that the tokens emitted beside it can be parsed.
#[track_caller]
pub(crate) fn refused(tokens: &TokenStream, source: &str, at: &str, says: &str) {
    parsed(tokens, source);
    let found = mistakes(tokens.clone());
    let [
        Mistake {
            message,
            at: underlined,
        },
    ] = found.as_slice()
    else {
        panic!(
            "{source}\ngives {} errors: {:#?}",
            found.len(),
            messages(tokens.clone())
        );
    };
    assert!(message.contains(says), "{source}\nsays: {message}");
    assert_eq!(underlined, at, "{source}\nsays: {message}");
}

#[track_caller]
pub(crate) fn accepted(tokens: TokenStream, source: &str) -> TokenStream {
    let messages = messages(tokens.clone());
    assert!(messages.is_empty(), "{source}\ngives {messages:#?}");
    parsed(&tokens, source);
    tokens
}

#[track_caller]
fn parsed(tokens: &TokenStream, source: &str) {
    if let Err(error) = syn::parse2::<syn::File>(tokens.clone()) {
        panic!("{source}\nemits what cannot be parsed: {error}\n{tokens}");
    }
}

#[track_caller]
pub(crate) fn holds(tokens: &TokenStream, part: &str) {
    let tokens = flat(tokens);
    let part: String = part.split_whitespace().collect();
    assert!(tokens.contains(&part), "{part}\nis not in\n{tokens}");
}

/// Asserts that the expansion does not contain `part`. The messages, which come last, are not searched.
#[track_caller]
pub(crate) fn lacks(tokens: &TokenStream, part: &str) {
    let tokens = flat(tokens);
    let tokens = tokens.split("::core::compile_error!").next().unwrap();
    let part: String = part.split_whitespace().collect();
    assert!(!tokens.contains(&part), "{part}\nis in\n{tokens}");
}

/// A whole expansion, to be read: `path/NAME.rs` becomes `path/NAME.expanded.rs`.
///
/// `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-macros` writes them anew.
#[track_caller]
pub(crate) fn golden(path: &str, expand: impl Fn(&str) -> TokenStream) {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |file: &Path| std::fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    let source = read(&base.join(format!("{path}.rs")));
    let file = syn::parse2(accepted(expand(&source), &source)).unwrap();
    let expanded = prettyplease::unparse(&file);
    let golden = base.join(format!("{path}.expanded.rs"));
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        std::fs::write(&golden, &expanded).unwrap();
    }
    assert_eq!(
        expanded,
        read(&golden),
        "the expansion of {path} has changed: see `golden` in testing.rs"
    );
}
