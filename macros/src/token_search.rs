//! Words among tokens, whatever the tokens mean.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::{Lifetime, Path};

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

/// The lifetimes in a type. None where `for<..>` may declare them.
pub(crate) fn lifetimes(tokens: TokenStream) -> Vec<Lifetime> {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (token, tokens.peek()) {
            (TokenTree::Punct(tick), Some(TokenTree::Ident(name))) if tick.as_char() == '\'' => {
                found.push(Lifetime {
                    apostrophe: tick.span(),
                    ident: name.clone(),
                });
            }
            (TokenTree::Ident(word), _) if word == "for" => return Vec::new(),
            (TokenTree::Group(group), _) => found.extend(lifetimes(group.stream())),
            _ => {}
        }
    }
    found
}

/// The tokens with `'static` in place of each lifetime that is not `known`.
pub(crate) fn with_static(tokens: TokenStream, known: &[String]) -> TokenStream {
    if lifetimes(tokens.clone()).is_empty() {
        return tokens;
    }
    let is_known = |name: &Ident| name == "_" || known.iter().any(|known| name == known);
    let mut after_tick = false;
    let changed = tokens.into_iter().map(|token| {
        let token = match token {
            TokenTree::Ident(name) if after_tick && !is_known(&name) => {
                TokenTree::Ident(Ident::new("static", name.span()))
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), with_static(group.stream(), known));
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            other => other,
        };
        after_tick = matches!(&token, TokenTree::Punct(tick) if tick.as_char() == '\'');
        token
    });
    changed.collect()
}

/// `self::` is the module, which no value hides.
fn is_module(word: &Ident, after: &proc_macro2::token_stream::IntoIter) -> bool {
    let mut colons = after.clone();
    let mut colon =
        || matches!(colons.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    word == "self" && colon() && colon()
}

/// Returns true if the last segment of a path is `name`.
pub(crate) fn leads_to(path: &Path, name: &str) -> bool {
    path.segments
        .last()
        .is_some_and(|segment| segment.ident == name)
}

/// Returns true if a name follows `fn`. In the type of a function none follows.
pub(crate) fn is_function(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))
        && matches!(tokens.next(), Some(TokenTree::Ident(_)))
}
