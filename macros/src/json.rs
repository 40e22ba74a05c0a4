//! JSON as it is written among Rust tokens: `{"path": "a.txt", "from": 3}`.

use crate::literal::{KnownLiteral, Literal};
use crate::token_text::token_text;
use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Lit, LitStr, Token};

/// An object, whose keys may be words or strings.
pub(crate) struct Object(pub(crate) Vec<JsonMember>);

pub(crate) struct JsonMember {
    /// At the place where it was written.
    pub(crate) key: LitStr,
    pub(crate) value: Json,
}

/// A value as JSON text, and as a literal where it is one.
pub(crate) struct Json {
    pub(crate) text: String,
    pub(crate) literal: Option<Literal>,
}

impl Object {
    pub(crate) fn text(&self) -> String {
        let members = self
            .0
            .iter()
            .map(|JsonMember { key, value }| format!("{}:{}", quoted(&key.value()), value.text));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

impl Parse for Object {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let place: TokenTree = input.fork().parse()?;
        if !matches!(&place, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) {
            let message = "an example is an object of arguments: write `{\"path\": \"notes.txt\"}`";
            return Err(Error::new_spanned(place, message));
        }
        let inside;
        syn::braced!(inside in input);
        let mut members: Vec<JsonMember> = Vec::new();
        while !inside.is_empty() {
            let member: JsonMember = inside.parse()?;
            let key = member.key.value();
            if members.iter().any(|other| other.key.value() == key) {
                let message = format!("`{key}` is given twice: keep one of them");
                return Err(Error::new_spanned(&member.key, message));
            }
            members.push(member);
            if !inside.is_empty() {
                inside.parse::<Token![,]>()?;
            }
        }
        Ok(Self(members))
    }
}

impl Parse for JsonMember {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = if input.peek(LitStr) {
            input.parse()?
        } else {
            let word: Ident = input.call(Ident::parse_any)?;
            LitStr::new(&word.unraw().to_string(), word.span())
        };
        if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            let value = input
                .parse::<Json>()
                .map_or_else(|_| "..".to_owned(), |json| json.text);
            let message = format!(
                "an example is JSON, with a colon: write `{}: {value}`",
                token_text(&key)
            );
            return Err(Error::new_spanned(equals, message));
        }
        input.parse::<Token![:]>()?;
        Ok(Self {
            key,
            value: input.parse()?,
        })
    }
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let composed = |text| Self {
            text,
            literal: None,
        };
        match input.cursor().token_tree() {
            Some((TokenTree::Group(group), _)) if group.delimiter() == Delimiter::Brace => {
                Ok(composed(input.parse::<Object>()?.text()))
            }
            Some((TokenTree::Group(group), _)) if group.delimiter() == Delimiter::Bracket => {
                let inside;
                syn::bracketed!(inside in input);
                let items = inside.parse_terminated(Self::parse, Token![,])?;
                let items: Vec<String> = items.into_iter().map(|item| item.text).collect();
                Ok(composed(format!("[{}]", items.join(","))))
            }
            Some((TokenTree::Ident(word), _)) if word == "null" => {
                input.call(Ident::parse_any)?;
                Ok(composed("null".to_owned()))
            }
            _ => scalar(input),
        }
    }
}

fn scalar(input: ParseStream<'_>) -> syn::Result<Json> {
    let place = input.fork();
    let wrong = |at: &dyn quote::ToTokens| {
        Error::new_spanned(
            at,
            "an example is JSON: texts, numbers, `true`, `false`, `null`, `[..]` and `{..}`",
        )
    };
    let expr: Expr = input.parse().map_err(|error| {
        place
            .parse::<TokenTree>()
            .map_or(error, |token| wrong(&token))
    })?;
    let literal = Literal::of(&expr).ok_or_else(|| wrong(&expr))?;
    let text = match (literal.known(), &literal.lit) {
        (Some(KnownLiteral::Text(text)), _) => quoted(&text),
        (Some(KnownLiteral::Bool(truth)), _) => truth.to_string(),
        (Some(KnownLiteral::Integer(number)), _) => number.to_string(),
        // As written: a number keeps the digits that the author chose.
        (Some(KnownLiteral::Float(_)), Lit::Float(number)) => {
            let sign = if literal.minus.is_some() { "-" } else { "" };
            let digits = number.base10_digits();
            let end = if digits.ends_with('.') { "0" } else { "" };
            format!("{sign}{digits}{end}")
        }
        (Some(KnownLiteral::Float(_)), Lit::Int(number)) => {
            let sign = if literal.minus.is_some() { "-" } else { "" };
            format!("{sign}{}", number.base10_digits())
        }
        _ => return Err(wrong(&expr)),
    };
    Ok(Json {
        text,
        literal: Some(literal),
    })
}

/// A text as JSON (RFC 8259 §7).
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() && c.is_ascii() => {
                let digits = format!("{:04x}", u32::from(c));
                quoted.push_str("\\u");
                quoted.push_str(&digits);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::Object;

    fn text(source: &str) -> String {
        match syn::parse_str::<Object>(source) {
            Ok(object) => object.text(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_of_all_kinds() {
        assert_eq!(text("{}"), "{}");
        assert_eq!(
            text(r#"{"a": 1, b: -2.50, r#type: "x\"\\\n", d: [true, null, {e: 1_000}],}"#),
            r#"{"a":1,"b":-2.50,"type":"x\"\\\u000a","d":[true,null,{"e":1000}]}"#
        );
        assert_eq!(text("{a: 0xff, b: 1e3}"), r#"{"a":255,"b":1e3}"#);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        assert!(text("{a: 1, a: 2}").contains("given twice"));
        assert!(text("{a: b}").contains("an example is JSON"));
        assert!(text("{a: 1 + 1}").contains("an example is JSON"));
        assert!(text("{a: 'c'}").contains("an example is JSON"));
        assert!(text("{a = 1}").contains("with a colon: write `\"a\": 1`"));
    }
}
