//! The grammar of attribute arguments, `key`, `key = value` and `key(list)`, and its check against a table of keys.

use crate::errors::Errors;
use crate::given::{Given, value};
use crate::names::{listed, meant, nearest};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, Expr, ExprLit, Lit, Token, token};

/// An entry as written, before its key is known.
pub(crate) struct Entry {
    key: Ident,
    /// `None` where the value behind `=` is missing.
    given: Option<Given>,
}

/// A value that remembers its key, because a mistake is often shown there.
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) example: &'static str,
}

/// The keys of one attribute; implemented by [`keys!`] only.
pub(crate) trait Keys: Default {
    const ATTRIBUTE: &'static str;
    const KNOWN: &'static [Known];
    /// Words that other crates have for a key, or that people expect, and what is written here.
    const INSTEAD: &'static [(&'static str, &'static str)];

    fn set(&mut self, key: Ident, given: Given, example: &'static str) -> syn::Result<()>;

    /// The keys that are given, in the order of the table.
    fn given(&self) -> Vec<&Ident>;
    /// Notes that an unknown key was meant as the description.
    fn describe(&mut self) {}
}

/// The start of the hint for a key that other crates use for the description.
const DESCRIPTION: &str = "the doc comment";

/// Makes a struct with one field for each key from the table of an attribute's keys.
macro_rules! keys {
    (
        $(#[$meta:meta])*
        $name:ident of $attribute:literal $(noting $described:ident)? {
            $($key:literal => $field:ident: $kind:ty, as $example:literal;)*
        }
        $(instead { $($word:literal => $write:literal;)* })?
    ) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: Option<$crate::keys::Keyed<$kind>>,)*
            $(
                /// An unknown key was meant as the description, and was reported.
                pub(crate) $described: bool,
            )?
        }

        impl $crate::keys::Keys for $name {
            const ATTRIBUTE: &'static str = $attribute;
            const KNOWN: &'static [$crate::keys::Known] =
                &[$($crate::keys::Known { name: $key, example: $example },)*];
            const INSTEAD: &'static [(&'static str, &'static str)] = &[$($(($word, $write)),*)?];

            fn set(
                &mut self,
                key: proc_macro2::Ident,
                given: $crate::given::Given,
                example: &'static str,
            ) -> syn::Result<()> {
                match key.to_string().as_str() {
                    $($key => {
                        let value = <$kind as $crate::values::Value>::read(&key, given, example)?;
                        self.$field = Some($crate::keys::Keyed { key, value });
                    })*
                    _ => {}
                }
                Ok(())
            }

            fn given(&self) -> Vec<&proc_macro2::Ident> {
                [$(self.$field.as_ref().map(|given| &given.key)),*]
                    .into_iter()
                    .flatten()
                    .collect()
            }

            $(
                fn describe(&mut self) {
                    self.$described = true;
                }
            )?
        }
    };
}
pub(crate) use keys;

/// Reads all entries it can: a broken one is reported and skipped to the next comma.
pub(crate) fn entries<K: Keys>(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut any_broken = false;
    let read = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match entry::<K>(input) {
                Ok(entry) => entries.extend(ended(entry, input, errors)?),
                Err(error) => {
                    any_broken = true;
                    errors.add(error);
                    skip_to_comma(input)?;
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    // Tokens that are left over in the group of a broken entry are not reported as a second mistake.
    let read = read.parse2(tokens);
    if !any_broken {
        errors.keep(read);
    }
    entries
}

fn entry<K: Keys>(input: ParseStream<'_>) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        let found: TokenTree = input.parse()?;
        if let TokenTree::Literal(text) = &found
            && K::KNOWN.iter().any(|known| known.name == "name")
            && text.to_string().starts_with('"')
        {
            let message =
                format!("`{text}` stands alone: a name has its key, so write `name = {text}`");
            return Err(Error::new_spanned(&found, message));
        }
        return Err(Error::new_spanned(
            &found,
            format!("`{found}` is not a key: an entry is `key`, `key = value` or `key(..)`"),
        ));
    }
    let key = input.call(Ident::parse_any)?;
    if input.peek(Token![-]) && input.peek2(Ident::peek_any) {
        return Err(hyphened::<K>(&key, input)?);
    }
    let given = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            None
        } else {
            Some(value(&key, input)?)
        }
    } else if input.peek(token::Paren) {
        let list;
        syn::parenthesized!(list in input);
        Some(Given::List(list.parse()?))
    } else {
        Some(Given::Nothing)
    };
    Ok(Entry { key, given })
}

/// A key such as `read-only`, as some crates and all of JSON have them.
fn hyphened<K: Keys>(key: &Ident, input: ParseStream<'_>) -> syn::Result<Error> {
    let attribute = K::ATTRIBUTE;
    let mut tokens = key.to_token_stream();
    let (mut written, mut meant) = (key.to_string(), key.to_string());
    while input.peek(Token![-]) && input.peek2(Ident::peek_any) {
        let hyphen: Token![-] = input.parse()?;
        let word = input.call(Ident::parse_any)?;
        let word_text = word.to_string();
        written.extend(["-", &word_text]);
        meant.extend(["_", &word_text]);
        tokens.extend(quote!(#hyphen #word));
    }
    let message = match nearest(&meant, K::KNOWN.iter().map(|known| known.name)) {
        Some(near) => format!(
            "`#[{attribute}(..)]` has no key `{written}`: a key is one word of Rust, so write `{near}`"
        ),
        None => unknown::<K>(&written, instead::<K>(&meant), None),
    };
    Ok(Error::new_spanned(tokens, message))
}

/// The entry, unless what follows makes it a word that only looks like one.
fn ended(entry: Entry, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Entry>> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Some(entry));
    }
    let key = &entry.key;
    let found: TokenTree = input.parse()?;
    let (message, kept) = match (&entry.given, &found) {
        (_, TokenTree::Ident(_)) => (
            format!("a comma is missing between `{key}` and `{found}`"),
            true,
        ),
        (Some(Given::Nothing), _) => (
            format!("`{key}` is followed by `=`, `(..)` or a comma, not by `{found}`"),
            false,
        ),
        _ => (
            format!("after `{key}` a comma comes next, not `{found}`"),
            true,
        ),
    };
    errors.on(found, message);
    skip_to_comma(input)?;
    Ok(kept.then_some(entry))
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Sorts entries into the fields of `K`. A key that is unknown, repeated or wrongly used is reported.
pub(crate) fn fill<K: Keys>(entries: Vec<Entry>, errors: &mut Errors) -> K {
    let mut keys = K::default();
    let mut seen = Vec::new();
    for Entry { key, given } in entries {
        let Some(Known { name, example }) = K::KNOWN.iter().find(|known| key == known.name) else {
            let written = key.to_string();
            let instead = instead::<K>(&written);
            if instead.is_some_and(|write| write.starts_with(DESCRIPTION)) {
                keys.describe();
            }
            errors.on(&key, unknown::<K>(&written, instead, given.as_ref()));
            continue;
        };
        if seen.contains(name) {
            errors.on(&key, format!("`{name}` is given twice: keep one of them"));
            continue;
        }
        seen.push(*name);
        match given {
            Some(given) => {
                errors.keep(keys.set(key, given, example));
            }
            None => errors.on(&key, format!("`{name}` has no value: write `{example}`")),
        }
    }
    keys
}

/// The key to write here in place of a word that other crates use.
fn instead<K: Keys>(written: &str) -> Option<&'static str> {
    let elsewhere = nearest(written, K::INSTEAD.iter().map(|(word, _)| *word))?;
    let (word, write) = K::INSTEAD.iter().find(|(word, _)| elsewhere == *word)?;
    let near = nearest(written, K::KNOWN.iter().map(|known| known.name));
    (written == *word || near.is_none()).then_some(*write)
}

fn unknown<K: Keys>(key: &str, instead: Option<&str>, given: Option<&Given>) -> String {
    let attribute = K::ATTRIBUTE;
    if let Some(write) = instead {
        let text = given
            .filter(|_| write.starts_with(DESCRIPTION))
            .and_then(text);
        let write = text.map_or_else(
            || write.to_owned(),
            |text| format!("{DESCRIPTION} is the description, so write `/// {text}`"),
        );
        return format!("`#[{attribute}(..)]` has no key `{key}`: {write}");
    }
    let names = || K::KNOWN.iter().map(|known| known.name);
    let hint = meant(nearest(key, names()));
    format!(
        "`#[{attribute}(..)]` has no key `{key}`{hint}\nthe keys are {}",
        listed(names())
    )
}

/// A text of one line that fits next to code.
fn text(given: &Given) -> Option<String> {
    match given {
        Given::Value(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        })) => {
            let text = text.value().trim().to_owned();
            let fits = (1..=80).contains(&text.chars().count()) && !text.contains(['\n', '`']);
            fits.then_some(text)
        }
        _ => None,
    }
}
