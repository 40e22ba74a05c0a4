//! The names that an expression mentions, so that nothing else is bound for it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::LitStr;
use syn::ext::IdentExt as _;

pub(super) struct Mentions(HashSet<String>);

impl Mentions {
    pub(super) fn of(tokens: TokenStream) -> Self {
        let mut mentions = Self(HashSet::new());
        mentions.collect(tokens);
        mentions
    }

    pub(super) fn contain(&self, name: &Ident) -> bool {
        self.0.contains(&name.unraw().to_string())
    }

    fn collect(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    self.0.insert(word.unraw().to_string());
                }
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse2::<LitStr>(TokenTree::from(literal).into()) {
                        self.collect_captured(&text.value());
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// `"{path}"` and `"{size:>width$}"` in a format string take variables from the scope.
    fn collect_captured(&mut self, text: &str) {
        for part in text.split('{').skip(1) {
            let inside = part.split('}').next().unwrap_or_default();
            let words = inside.split(|c: char| !c.is_alphanumeric() && c != '_');
            self.0
                .extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
}
