//! Tokens as a person writes them, for messages: `Option<&str>`, not `Option < & str >`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

pub(crate) fn token_text(tokens: impl ToTokens) -> String {
    let mut text = String::new();
    write(tokens.into_token_stream(), &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut word_before: Option<String> = None;
    let mut operator = String::new();
    for token in tokens {
        if let TokenTree::Punct(punct) = &token {
            operator.push(punct.as_char());
            if punct.spacing() == Spacing::Alone {
                text.push_str(&spaced(&operator));
                operator.clear();
            }
            word_before = None;
            continue;
        }
        text.push_str(&spaced(&operator));
        operator.clear();
        match token {
            TokenTree::Group(group) => {
                if matches!(word_before.as_deref(), Some("mut" | "dyn" | "const")) {
                    text.push(' ');
                }
                let (open, close) = delimiters(group.delimiter());
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
                word_before = None;
            }
            word => {
                if word_before.is_some() {
                    text.push(' ');
                }
                let word = word.to_string();
                text.push_str(&word);
                word_before = Some(word);
            }
        }
    }
    text.push_str(operator.as_str());
}

fn spaced(operator: &str) -> String {
    match operator {
        "+" | "=" | "->" => format!(" {operator} "),
        _ if operator.ends_with([',', ';']) => format!("{operator} "),
        _ => operator.to_owned(),
    }
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::token_text;
    use proc_macro2::TokenStream;

    #[test]
    fn reads_like_source() {
        for text in [
            "Option<&str>",
            "&mut [u8]",
            "&'static dyn Files",
            "HashMap<String, Vec<(u8, &str)>>",
            "&(dyn Files + Send)",
            "impl Fn(&str) -> bool",
            "[&str; 2]",
            "1..=5",
            "-0.5..MAX",
        ] {
            let tokens: TokenStream = text.parse().unwrap();
            assert_eq!(token_text(tokens), text);
        }
    }
}
