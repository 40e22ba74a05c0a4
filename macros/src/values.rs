//! The kinds of values that can stand behind a key, a type for each.

use crate::given::{Given, whole};
use crate::json::{JsonMember, Object};
use crate::literal::{Literal, peel};
use crate::token_text::token_text;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{
    Error, Expr, ExprLit, ExprRange, Lit, LitBool, LitStr, Path, PathArguments, Token, Type,
};

pub(crate) trait Value: Sized {
    /// `example` is the whole entry as it should be written.
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self>;
}

fn wrong(at: impl ToTokens, key: &Ident, takes: &str, example: &str) -> Error {
    Error::new_spanned(at, format!("`{key}` takes {takes}: write `{example}`"))
}

/// The expression behind `=`, without the invisible delimiters that a `macro_rules` fragment brings.
fn expression(key: &Ident, given: Given, takes: &str, example: &str) -> syn::Result<Expr> {
    match given {
        Given::Value(value) => Ok(peel(value)),
        Given::Group(group, _) if syn::parse2::<Object>(group.to_token_stream()).is_ok() => {
            let message = format!(
                "`{key}` takes {takes}, and this is JSON: write a Rust value, such as `{key} = Lines {{ first: 1 }}`"
            );
            Err(Error::new_spanned(group, message))
        }
        Given::Group(_, error) => Err(error),
        Given::Nothing | Given::List(_) => Err(wrong(key, key, takes, example)),
    }
}

fn list(key: &Ident, given: Given, takes: &str, example: &str) -> syn::Result<TokenStream> {
    match given {
        Given::List(tokens) if tokens.is_empty() => Err(Error::new_spanned(
            key,
            format!("`{key}()` is empty: write `{example}`, or remove it"),
        )),
        Given::List(tokens) => Ok(tokens),
        Given::Value(value) => Err(wrong(value, key, takes, example)),
        Given::Group(group, _) => Err(wrong(group, key, takes, example)),
        Given::Nothing => Err(wrong(key, key, takes, example)),
    }
}

/// A list of what JSON writes as objects, which people write in brackets or behind `=` too: `meant` writes what stands
/// there as the list that it should be. A group of the kind `around` in the list is wrong too.
fn objects(
    key: &Ident,
    given: Given,
    takes: &str,
    example: &str,
    around: Delimiter,
    meant: impl Fn(&Group) -> Option<String>,
) -> syn::Result<TokenStream> {
    let refused = |group: &Group| {
        let list = meant(group).filter(|list| list.chars().count() <= LONGEST);
        let example = list.map_or_else(|| example.to_owned(), |list| format!("{key}({list})"));
        Err(wrong(group, key, takes, &example))
    };
    match given {
        Given::Group(group, _) => refused(&group),
        Given::Value(value) => match only_group(value.to_token_stream()) {
            Some(group) => refused(&group),
            None => Err(wrong(value, key, takes, example)),
        },
        other => {
            let tokens = list(key, other, takes, example)?;
            match only_group(tokens.clone()) {
                Some(group) if group.delimiter() == around => refused(&group),
                _ => Ok(tokens),
            }
        }
    }
}

/// The most of the author's own text that a message repeats, in characters.
const LONGEST: usize = 80;

fn only_group(tokens: TokenStream) -> Option<Group> {
    let mut tokens = tokens.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) => Some(group),
        _ => None,
    }
}

fn items<T: Parse>(key: &Ident, tokens: TokenStream) -> syn::Result<Punctuated<T, Token![,]>> {
    let read = |input: ParseStream<'_>| whole(key, input, Punctuated::parse_terminated);
    read.parse2(tokens)
}

/// Turns each item, and reports every one that cannot be turned.
fn each<A, B>(
    items: impl IntoIterator<Item = A>,
    mut turn: impl FnMut(A) -> syn::Result<B>,
) -> syn::Result<Vec<B>> {
    let mut good = Vec::new();
    let mut bad: Option<Error> = None;
    for item in items {
        match (turn(item), &mut bad) {
            (Ok(item), _) => good.push(item),
            (Err(error), Some(bad)) => bad.combine(error),
            (Err(error), bad) => *bad = Some(error),
        }
    }
    bad.map_or(Ok(good), Err)
}

impl Value for LitStr {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a string literal";
        match expression(key, given, takes, example)? {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Ok(text),
            other => Err(wrong(other, key, takes, example)),
        }
    }
}

/// `key("a", "b")`
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl Value for Texts {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a list of string literals";
        let tokens = list(key, given, takes, example)?;
        each(items::<Expr>(key, tokens)?, |item| match peel(item) {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Ok(text),
            other => Err(wrong(other, key, takes, example)),
        })
        .map(Self)
    }
}

/// `key`
pub(crate) struct Bare;

impl Value for Bare {
    fn read(key: &Ident, given: Given, _: &str) -> syn::Result<Self> {
        let message = format!("`{key}` stands alone: write `{key}`, or remove it");
        match given {
            Given::Nothing => Ok(Self),
            Given::Value(value) => Err(Error::new_spanned(value, message)),
            Given::Group(group, _) => Err(Error::new_spanned(group, message)),
            Given::List(_) => Err(Error::new_spanned(key, message)),
        }
    }
}

/// `key = true` or `key = false`
pub(crate) struct Truth(pub(crate) bool);

impl Value for Truth {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "`true` or `false`";
        match expression(key, given, takes, example)? {
            Expr::Lit(ExprLit {
                lit: Lit::Bool(LitBool { value, .. }),
                ..
            }) => Ok(Self(value)),
            other => Err(wrong(other, key, takes, example)),
        }
    }
}

/// `key`, `key = true` or `key = false`
pub(crate) struct Switch(pub(crate) bool);

impl Value for Switch {
    fn read(key: &Ident, given: Given, _: &str) -> syn::Result<Self> {
        match given {
            Given::Nothing => Ok(Self(true)),
            given => Truth::read(key, given, &format!("{key}` or `{key} = false"))
                .map(|Truth(on)| Self(on)),
        }
    }
}

impl Value for Expr {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        expression(key, given, "an expression", example)
    }
}

impl Value for Path {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a path";
        match expression(key, given, takes, example)? {
            Expr::Path(path) if path.qself.is_none() && plain(&path.path) => Ok(path.path),
            other => Err(wrong(other, key, takes, example)),
        }
    }
}

fn plain(path: &Path) -> bool {
    path.segments
        .iter()
        .all(|segment| matches!(segment.arguments, PathArguments::None))
}

impl Value for Ident {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a name";
        let value = expression(key, given, takes, example)?;
        match &value {
            Expr::Path(path) if path.qself.is_none() => path.path.get_ident().cloned(),
            _ => None,
        }
        .ok_or_else(|| wrong(value, key, takes, example))
    }
}

/// `default` or `default = EXPR`
pub(crate) enum DefaultValue {
    OfType,
    /// A string literal, which stands for every type that can be read from text.
    Text(LitStr),
    Expr(Box<Expr>),
}

impl Value for DefaultValue {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        if let Given::Nothing = given {
            return Ok(Self::OfType);
        }
        Ok(match Expr::read(key, given, example)? {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Self::Text(text),
            other => Self::Expr(Box::new(other)),
        })
    }
}

/// `key = 1..=5`, with at least one end.
pub(crate) struct Range(pub(crate) ExprRange);

impl Value for Range {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a range";
        match unparenthesized(expression(key, given, takes, example)?) {
            Expr::Range(range) if range.start.is_none() && range.end.is_none() => {
                Err(Error::new_spanned(
                    range,
                    format!(
                        "`{key} = ..` allows everything: give it an end, such as `{example}`, or remove it"
                    ),
                ))
            }
            Expr::Range(range) => Ok(Self(range)),
            other => Err(wrong(other, key, takes, example)),
        }
    }
}

/// `key = 5` or `key = 0.5`
pub(crate) struct Step(pub(crate) Literal);

impl Value for Step {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a number above zero, as a literal";
        let value = unparenthesized(expression(key, given, takes, example)?);
        match Literal::of(&value) {
            Some(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)) => {
                Ok(Self(literal))
            }
            _ => Err(wrong(value, key, takes, example)),
        }
    }
}

fn unparenthesized(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(inner) => unparenthesized(*inner.expr),
        other => peel(other),
    }
}

/// `key("a", "b")` or `key(1, -2)`
pub(crate) struct Literals(pub(crate) Vec<Literal>);

impl Value for Literals {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a list of literals";
        let tokens = list(key, given, takes, example)?;
        each(items::<Expr>(key, tokens)?, |item| {
            Literal::of(&item).ok_or_else(|| wrong(item, key, takes, example))
        })
        .map(Self)
    }
}

/// `key(name = literal, "other name" = literal)`
pub(crate) struct Pairs(pub(crate) Vec<Pair>);

pub(crate) struct Pair {
    /// The key, at the place where it was written as a word or as a string.
    pub(crate) key: LitStr,
    /// The colon that JSON has in place of `=`.
    colon: Option<Token![:]>,
    pub(crate) value: Expr,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = if input.peek(LitStr) {
            input.parse()?
        } else {
            let word: Ident = input.call(syn::ext::IdentExt::parse_any)?;
            LitStr::new(&word.to_string(), word.span())
        };
        let colon: Option<Token![:]> = input.parse()?;
        if colon.is_none() {
            input.parse::<Token![=]>()?;
        }
        // An object of JSON is no expression, and is refused as a literal.
        let value = if input.peek(syn::token::Brace) && input.fork().parse::<Expr>().is_err() {
            Expr::Verbatim(input.parse::<TokenTree>()?.into())
        } else {
            input.parse()?
        };
        Ok(Self { key, colon, value })
    }
}

impl Value for Pairs {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a list of `key = literal`";
        let tokens = objects(key, given, takes, example, Delimiter::Brace, |group| {
            let Object(members) = syn::parse2(group.to_token_stream()).ok()?;
            let pairs = members
                .into_iter()
                .map(|JsonMember { key, value }| value.literal.map(|literal| pair(&key, literal)));
            Some(pairs.collect::<Option<Vec<_>>>()?.join(", "))
        })?;
        each(items::<Pair>(key, tokens)?, |item| match item.colon {
            Some(colon) => {
                let write = pair(&item.key, &item.value);
                let message = format!("`{key}` takes pairs with `=`: write `{write}`");
                Err(Error::new_spanned(colon, message))
            }
            None => Ok(item),
        })
        .map(Self)
    }
}

/// `key = value`, where the value is of the argument's type.
pub(crate) struct Sample(pub(crate) DefaultValue);

impl Value for Sample {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        match given {
            Given::Value(_) => DefaultValue::read(key, given, example).map(Self),
            Given::Group(..) => Expr::read(key, given, example)
                .map(|value| Self(DefaultValue::Expr(Box::new(value)))),
            Given::Nothing | Given::List(_) => Err(wrong(key, key, "a value", example)),
        }
    }
}

/// `team = "files"`, as it is written in a list of pairs.
fn pair(key: &LitStr, value: impl ToTokens) -> String {
    let name = key.value();
    let word = syn::parse_str::<Ident>(&name).map_or_else(|_| token_text(key), |_| name);
    format!("{word} = {}", token_text(value))
}

/// `key({"path": "a.txt"}, {..})`
pub(crate) struct Objects(pub(crate) Vec<Object>);

impl Value for Objects {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a list of objects";
        let tokens = objects(key, given, takes, example, Delimiter::Bracket, |group| {
            let tokens = match group.delimiter() {
                Delimiter::Bracket => group.stream(),
                _ => group.to_token_stream(),
            };
            let objects = Punctuated::<Object, Token![,]>::parse_terminated
                .parse2(tokens)
                .ok()?;
            let texts: Vec<String> = objects.iter().map(Object::text).collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        })?;
        Ok(Self(items(key, tokens)?.into_iter().collect()))
    }
}

/// `key(Workspace, dyn Files)`
pub(crate) struct Types(pub(crate) Vec<Type>);

impl Value for Types {
    fn read(key: &Ident, given: Given, example: &str) -> syn::Result<Self> {
        let takes = "a list of types";
        let tokens = list(key, given, takes, example)?;
        let read = |input: ParseStream<'_>| {
            let mut types: Vec<Type> = Vec::new();
            while !input.is_empty() {
                let at: TokenTree = input.fork().parse()?;
                let ty = input.parse();
                types.push(ty.map_err(|_| wrong(at, key, takes, example))?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(types)
        };
        read.parse2(tokens).map(Self)
    }
}
