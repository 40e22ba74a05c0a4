//! Words among tokens, whatever the tokens mean.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Path;

/// The tokens with another word in place of `Self`.
pub(crate) fn with_type(tokens: TokenStream, ty: &Ident) -> TokenStream {
    replaced(tokens, "Self", ty)
}

/// The tokens with another word in place of the value `self`.
pub(crate) fn with_value(tokens: TokenStream, value: &Ident) -> TokenStream {
    replaced(tokens, "self", value)
}

fn replaced(tokens: TokenStream, word: &str, by: &Ident) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut all = TokenStream::new();
    while let Some(token) = tokens.next() {
        let token = match token {
            TokenTree::Ident(found) if found == word && !is_module(&found, &tokens) => {
                let mut by = by.clone();
                by.set_span(by.span().located_at(found.span()));
                TokenTree::Ident(by)
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), replaced(group.stream(), word, by));
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            other => other,
        };
        all.extend([token]);
    }
    all
}

/// The first `self` that is a value.
pub(crate) fn value(tokens: TokenStream) -> Option<Ident> {
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Ident(word) if word == "self" && !is_module(&word, &tokens) => Some(word),
            TokenTree::Group(group) => value(group.stream()),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `self::` is the module, which no value hides.
fn is_module(word: &Ident, after: &proc_macro2::token_stream::IntoIter) -> bool {
    let mut colons = after.clone();
    let mut colon =
        || matches!(colons.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    word == "self" && colon() && colon()
}

/// Whether a path leads to what is called `name`.
pub(crate) fn leads_to(path: &Path, name: &str) -> bool {
    path.segments
        .last()
        .is_some_and(|segment| segment.ident == name)
}

/// The item of a macro that it was put on by mistake, without what would only add errors: our attributes inside, which
/// then nobody takes off, and the want of a body.
pub(crate) fn mended(item: &TokenStream) -> TokenStream {
    let words = |word: &str| {
        let mut tokens = item.clone().into_iter();
        tokens.any(|token| matches!(token, TokenTree::Ident(found) if found == word))
    };
    if words("mod") || words("macro_rules") || derives_tool(item) {
        return item.clone();
    }
    let is_function = is_function(item);
    let mut mended = TokenStream::new();
    for token in item.clone() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                mended.extend([without(&group, &["arg", "doc"])]);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !is_function => {
                mended.extend([without(&group, &["arg", "tool"])]);
            }
            TokenTree::Punct(end) if end.as_char() == ';' && is_function => {
                mended.extend(quote::quote!({ ::core::unreachable!() }));
            }
            other => mended.extend([other]),
        }
    }
    mended
}

/// Whether there is a name behind `fn`, as in no type.
pub(crate) fn is_function(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))
        && matches!(tokens.next(), Some(TokenTree::Ident(_)))
}

fn derives_tool(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter();
    tokens.any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            let text = group.stream().to_string();
            text.starts_with("derive") && text.contains("Tool")
        }
        _ => false,
    })
}

/// The list without the attributes of these names, and without ours on the parameters in it.
fn without(list: &Group, names: &[&str]) -> TokenTree {
    let mut kept = TokenStream::new();
    let mut tokens = list.stream().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)))
                if hash.as_char() == '#' && is_named(attribute, names) =>
            {
                tokens.next();
            }
            (TokenTree::Group(group), _) if group.delimiter() == Delimiter::Parenthesis => {
                kept.extend([without(group, &["arg", "doc"])]);
            }
            _ => kept.extend([token]),
        }
    }
    let mut group = Group::new(list.delimiter(), kept);
    group.set_span(list.span());
    TokenTree::Group(group)
}

fn is_named(attribute: &Group, names: &[&str]) -> bool {
    let content = attribute.stream();
    syn::parse2::<syn::Meta>(content)
        .is_ok_and(|meta| names.iter().any(|name| leads_to(meta.path(), name)))
}
