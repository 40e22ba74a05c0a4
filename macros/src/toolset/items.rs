//! The items of an `impl` block, one by one, with nothing parsed that is not a tool: mistakes there stay rustc's.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Attribute;
use syn::parse::{ParseStream, Parser as _};

/// An item and its attributes.
pub(super) struct Item {
    pub(super) attributes: Vec<Attribute>,
    /// From the visibility on.
    pub(super) rest: TokenStream,
}

pub(super) fn items(block: &Group) -> syn::Result<Vec<Item>> {
    let read = |input: ParseStream<'_>| {
        input.call(Attribute::parse_inner)?;
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(Item {
                attributes: input.call(Attribute::parse_outer)?,
                rest: rest(input)?,
            });
        }
        Ok(items)
    };
    read.parse2(block.stream())
}

/// The attributes of the block that stand inside of it.
pub(super) fn inner_attributes(block: &Group) -> syn::Result<Vec<Attribute>> {
    let read = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_inner)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    read.parse2(block.stream())
}

/// An item ends with its body or with a semicolon. A constant goes on behind a block (`const A: [u8; 2] = { .. };`).
fn rest(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut item = TokenStream::new();
    let mut has_body = false;
    let mut angles = 0usize;
    let mut before = None;
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Punct(punct) => {
                has_body |= punct.as_char() == '!';
                match (before, punct.as_char()) {
                    (_, '<') => angles += 1,
                    (Some('-'), '>') => {}
                    (_, '>') => angles = angles.saturating_sub(1),
                    _ => {}
                }
                punct.as_char() == ';'
            }
            TokenTree::Ident(word) => {
                has_body |= word == "fn";
                false
            }
            // `Matrix<{ N }>` in a signature is no body.
            TokenTree::Group(group) => has_body && angles == 0 && is_block(group),
            TokenTree::Literal(_) => false,
        };
        before = match &token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        item.extend([token]);
        if ends {
            break;
        }
    }
    Ok(item)
}

/// A block may come from a `macro_rules` fragment, in invisible delimiters.
fn is_block(group: &Group) -> bool {
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::None => {
            let mut tokens = group.stream().into_iter();
            matches!((tokens.next(), tokens.next()), (Some(TokenTree::Group(inside)), None) if is_block(&inside))
        }
        Delimiter::Parenthesis | Delimiter::Bracket => false,
    }
}
