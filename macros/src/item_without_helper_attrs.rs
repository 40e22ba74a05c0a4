//! The tokens to emit for an item that our macro cannot be put on.

use crate::token_search::{is_function, leads_to};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::Meta;

/// Returns what was parsed, or else the tokens to emit: the item, with the error where there is one.
pub(crate) fn parsed_or_item<T>(
    parsed: syn::Result<Option<T>>,
    item: &TokenStream,
) -> Result<T, TokenStream> {
    let error = match parsed {
        Ok(Some(parsed)) => return Ok(parsed),
        Ok(None) => None,
        Err(error) => Some(error.to_compile_error()),
    };
    let item = item_without_helper_attrs(item);
    Err(quote!(#item #error))
}

/// The item of a macro that it was put on by mistake, without what would only add errors: our attributes inside, which
/// then nobody takes off, and the want of a body.
pub(crate) fn item_without_helper_attrs(item: &TokenStream) -> TokenStream {
    let has_word = |word: &str| {
        let mut tokens = item.clone().into_iter();
        tokens.any(|token| matches!(token, TokenTree::Ident(found) if found == word))
    };
    if has_word("mod") || has_word("macro_rules") || derives_tool(item) {
        return item.clone();
    }
    let is_function = is_function(item);
    let mut without_body = false;
    let mut cleaned = TokenStream::new();
    for token in item.clone() {
        let changed = match &token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis => Some(["arg", "doc"]),
                Delimiter::Brace if !is_function => Some(["arg", "tool"]),
                _ => None,
            }
            .and_then(|names| without(group, &names)),
            TokenTree::Punct(end) if end.as_char() == ';' && is_function => {
                without_body = true;
                cleaned.extend(quote!({ ::core::unreachable!() }));
                continue;
            }
            _ => None,
        };
        cleaned.extend([changed.map_or(token, TokenTree::Group)]);
    }
    let allowed = without_body.then(|| quote!(#[allow(unused_variables)]));
    quote!(#allowed #cleaned)
}

fn derives_tool(item: &TokenStream) -> bool {
    let is_tool = |token| matches!(token, TokenTree::Ident(word) if word == "Tool");
    let mut tokens = item.clone().into_iter();
    tokens.any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            match syn::parse2(group.stream()) {
                Ok(Meta::List(list)) if list.path.is_ident("derive") => {
                    list.tokens.into_iter().any(is_tool)
                }
                _ => false,
            }
        }
        _ => false,
    })
}

/// The list without the attributes of these names, and without ours on the parameters in it. Nothing where there are
/// none: rustc tells of a mistake in the same tokens once.
fn without(list: &Group, names: &[&str]) -> Option<Group> {
    let (mut kept, mut any_off) = (TokenStream::new(), false);
    let mut tokens = list.stream().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)))
                if hash.as_char() == '#' && is_named(attribute, names) =>
            {
                tokens.next();
                any_off = true;
            }
            (TokenTree::Group(group), _) if group.delimiter() == Delimiter::Parenthesis => {
                let inside = without(group, &["arg", "doc"]);
                any_off |= inside.is_some();
                kept.extend([inside.map_or(token, TokenTree::Group)]);
            }
            _ => kept.extend([token]),
        }
    }
    any_off.then(|| {
        let mut group = Group::new(list.delimiter(), kept);
        group.set_span(list.span());
        group
    })
}

fn is_named(attribute: &Group, names: &[&str]) -> bool {
    let content = attribute.stream();
    syn::parse2::<Meta>(content)
        .is_ok_and(|meta| names.iter().any(|name| leads_to(meta.path(), name)))
}
