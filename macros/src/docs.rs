//! Descriptions, taken from doc comments.

use crate::literal::peel;
use crate::token_text::token_text;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments, wherever they stand among its attributes.
pub(crate) enum Docs {
    /// The text, a line for each line of the source.
    Text(String),
    /// At least one piece is a macro such as `include_str!`, so only the compiler can put the text together.
    Raw(Vec<TokenStream>),
}

impl Docs {
    /// `None` without any text.
    pub(crate) fn of(attributes: &[Attribute]) -> Option<Self> {
        let pieces: Vec<&Expr> = attributes.iter().filter_map(text_of).collect();
        let lines: Option<Vec<String>> = pieces
            .iter()
            .map(|piece| literal(piece).map(|text| lines(&text)))
            .collect();
        match lines {
            Some(lines) => {
                let text = lines.join("\n");
                (!text.trim().is_empty()).then_some(Self::Text(text))
            }
            None => Some(Self::Raw(pieces.into_iter().map(raw).collect())),
        }
    }

    /// The text as a whole, without blank space around it.
    pub(crate) fn whole(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(text.trim().to_owned()),
            raw @ Self::Raw(_) => raw,
        }
    }

    /// The text before the first heading; `None` if that is empty. What follows is for people: examples, panics, errors.
    pub(crate) fn before_heading(self) -> Option<Self> {
        match self {
            Self::Text(text) => {
                let text = before_heading(&text);
                (!text.is_empty()).then_some(Self::Text(text))
            }
            raw @ Self::Raw(_) => Some(raw),
        }
    }
}

pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The text of `#[doc = ..]`. `#[doc(hidden)]` and the like have none.
fn text_of(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        _ => None,
    }
}

fn raw(piece: &Expr) -> TokenStream {
    if let Some(text) = literal(piece) {
        return lines(&text).to_token_stream();
    }
    match peel(piece.clone()) {
        piece @ (Expr::Lit(_) | Expr::Macro(_)) => piece.to_token_stream(),
        // Rustc refuses it in the attribute, and would once more where the text is put together.
        other => token_text(other).to_token_stream(),
    }
}

fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Group(group) => literal(&group.expr),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

/// Takes the blank after `///` off each line, and the column of `*` off a block comment.
fn lines(text: &str) -> String {
    let starred = text
        .lines()
        .skip(1)
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    text.lines()
        .enumerate()
        .map(|(place, line)| {
            let line = if starred && place > 0 {
                let line = line.trim_start();
                line.strip_prefix('*').unwrap_or(line)
            } else {
                line
            };
            line.strip_prefix(' ').unwrap_or(line).trim_end()
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn before_heading(text: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut kept = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        match fence {
            Some(open) if start.starts_with(open) => fence = None,
            None if start.starts_with("```") => fence = Some("```"),
            None if start.starts_with("~~~") => fence = Some("~~~"),
            None if is_heading(line) => break,
            _ => {}
        }
        kept.push(line);
    }
    kept.join("\n").trim().to_owned()
}

fn is_heading(line: &str) -> bool {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::Docs;
    use quote::quote;
    use syn::parse::Parser as _;
    use syn::{Attribute, parse_quote};

    fn text(attributes: &[Attribute]) -> Option<String> {
        match Docs::of(attributes)?.before_heading()? {
            Docs::Text(text) => Some(text),
            Docs::Raw(pieces) => Some(format!("raw {}", quote!(#(#pieces)*))),
        }
    }

    fn written(source: &str) -> Option<String> {
        text(&Attribute::parse_outer.parse_str(source).unwrap())
    }

    #[test]
    fn lines_are_joined() {
        assert_eq!(
            written("/// One.\n///\n///   indented\n/// two").unwrap(),
            "One.\n\n  indented\ntwo"
        );
        assert_eq!(written("///Tight.").unwrap(), "Tight.");
    }

    #[test]
    fn an_attribute_in_between_loses_nothing() {
        assert_eq!(
            written("/// a\n#[inline]\n/// b\n#[doc(hidden)]\n/// c").unwrap(),
            "a\nb\nc"
        );
        assert_eq!(written("#[doc(hidden)]"), None);
    }

    #[test]
    fn block_comments() {
        assert_eq!(written("/** one */").unwrap(), "one");
        assert_eq!(
            written("/**\n * one\n *\n *   two\n */").unwrap(),
            "one\n\n  two"
        );
        assert_eq!(written("/**\n one\n two\n */").unwrap(), "one\ntwo");
    }

    #[test]
    fn a_heading_ends_the_description() {
        assert_eq!(
            written("/// Text.\n///\n/// # Errors\n/// never").unwrap(),
            "Text."
        );
        assert_eq!(
            written("/// a #hashtag\n/// #[attr]\n/// ###").unwrap(),
            "a #hashtag\n#[attr]"
        );
        assert_eq!(
            written("/// ```\n/// # hidden\n/// ```\n/// end").unwrap(),
            "```\n# hidden\n```\nend"
        );
        assert_eq!(written("/// # Only a title"), None);
    }

    #[test]
    fn what_only_the_compiler_can_read_stays_raw() {
        let attributes: [Attribute; 2] = [
            parse_quote!(#[doc = " a"]),
            parse_quote!(#[doc = include_str!("b.md")]),
        ];
        assert_eq!(
            text(&attributes).unwrap(),
            "raw \"a\" include_str ! (\"b.md\")"
        );
    }

    #[test]
    fn blank_text_is_no_text() {
        assert_eq!(written("///\n///   "), None);
        assert_eq!(written("#[inline]"), None);
    }
}
