//! The value of an entry as written.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::parse::{Parse as _, ParseStream};
use syn::{Error, Expr, Token};

pub(crate) enum Given {
    Nothing,
    Value(Expr),
    List(TokenStream),
    /// A `{..}` or `[..]` that is no expression, such as JSON, with the error of the expression parser.
    Group(Group, Error),
}

/// Reads the value behind `=`.
pub(crate) fn value(key: &Ident, input: ParseStream<'_>) -> syn::Result<Given> {
    let ahead = input.fork();
    let group: TokenTree = ahead.parse()?;
    let read = whole(key, &input.fork(), Expr::parse);
    match (read, group) {
        (Err(error), TokenTree::Group(group))
            if matches!(group.delimiter(), Delimiter::Brace | Delimiter::Bracket)
                && (ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![;])) =>
        {
            input.parse::<TokenTree>()?;
            Ok(Given::Group(group, error))
        }
        _ => whole(key, input, Expr::parse).map(Given::Value),
    }
}

/// A value that ends too early has no token of its own to be shown on, so the key takes its place.
pub(crate) fn whole<T>(
    key: &Ident,
    input: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let before = input.fork();
    read(input).map_err(|error| {
        let tokens: TokenStream = before.parse().unwrap_or_default();
        // Behind a group nothing is left either when the mistake is in the group.
        let in_group = matches!(tokens.into_iter().last(), Some(TokenTree::Group(_)));
        if input.is_empty() && !in_group {
            Error::new_spanned(key, format!("the value of `{key}` ends too early"))
        } else {
            error
        }
    })
}
