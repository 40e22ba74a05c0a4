//! Expansions of whole functions. What fails to compile by type is tested where the runtime is.

mod arguments;
mod expansion;
mod functions;
mod golden;
mod keys;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Meta};

/// Expands an item with `#[tool]` among its attributes, as the compiler would.
fn expand(source: &str) -> TokenStream {
    let read = |input: ParseStream<'_>| {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let place = attributes
            .iter()
            .position(|attribute| attribute.path().is_ident("tool"));
        let args = match attributes.remove(place.unwrap()).meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let rest: TokenStream = input.parse()?;
        Ok((args, quote!(#(#attributes)* #rest)))
    };
    let (args, item) = read.parse_str(source).unwrap();
    super::expand(args, &item)
}

/// The expansion without blanks, so that a test can look for a part of it.
fn flat(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

struct Mistake {
    message: String,
    /// The source that is underlined.
    at: String,
}

fn mistakes(tokens: TokenStream) -> Vec<Mistake> {
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

/// One mistake gives one error, on `at`, and what is emitted beside it can be parsed.
#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    let tokens = expand(source);
    if let Err(error) = syn::parse2::<syn::File>(tokens.clone()) {
        panic!("{source}\nemits what cannot be parsed: {error}\n{tokens}");
    }
    let found = mistakes(tokens);
    let messages: Vec<&str> = found
        .iter()
        .map(|mistake| mistake.message.as_str())
        .collect();
    let [
        Mistake {
            message,
            at: underlined,
        },
    ] = found.as_slice()
    else {
        panic!("{source}\ngives {} errors: {messages:#?}", found.len());
    };
    assert!(message.contains(says), "{source}\nsays: {message}");
    assert_eq!(underlined, at, "{source}\nsays: {message}");
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    let tokens = expand(source);
    let messages: Vec<String> = mistakes(tokens.clone())
        .into_iter()
        .map(|mistake| mistake.message)
        .collect();
    assert!(messages.is_empty(), "{source}\ngives {messages:#?}");
    if let Err(error) = syn::parse2::<syn::File>(tokens.clone()) {
        panic!("{source}\nemits what cannot be parsed: {error}\n{tokens}");
    }
    tokens
}
