//! The grammar of attribute arguments, `key`, `key = value` and `key(list)`, and its check against a table of keys.

use crate::errors::Errors;
use crate::names::{listed, meant, nearest};
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{Parse as _, ParseStream, Parser as _};
use syn::{Error, Expr, Token, token};

/// One entry as written, before anything is known of its key.
pub(crate) struct Entry {
    key: Ident,
    /// `None` where the value behind `=` is missing.
    given: Option<Given>,
}

pub(crate) enum Given {
    Nothing,
    Value(Expr),
    List(TokenStream),
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
}

/// Makes a struct with one field for each key from the table of an attribute's keys.
macro_rules! keys {
    (
        $(#[$meta:meta])*
        $name:ident of $attribute:literal {
            $($key:literal => $field:ident: $kind:ty, as $example:literal;)*
        }
        $(instead { $($word:literal => $write:literal;)* })?
    ) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: Option<$crate::keys::Keyed<$kind>>,)*
        }

        impl $crate::keys::Keys for $name {
            const ATTRIBUTE: &'static str = $attribute;
            const KNOWN: &'static [$crate::keys::Known] =
                &[$($crate::keys::Known { name: $key, example: $example },)*];
            const INSTEAD: &'static [(&'static str, &'static str)] = &[$($(($word, $write)),*)?];

            fn set(
                &mut self,
                key: proc_macro2::Ident,
                given: $crate::keys::Given,
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
        }
    };
}
pub(crate) use keys;

/// Reads all entries it can: a broken one is reported and skipped to the next comma.
pub(crate) fn entries(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut any_broken = false;
    let read = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match entry(input) {
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
    // What was left in a group of a broken entry is not one more mistake.
    let read = read.parse2(tokens);
    if !any_broken {
        errors.keep(read);
    }
    entries
}

fn entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        let found: TokenTree = input.parse()?;
        return Err(Error::new_spanned(
            &found,
            format!("`{found}` is not a key: an entry is `key`, `key = value` or `key(..)`"),
        ));
    }
    let key = input.call(Ident::parse_any)?;
    let given = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            None
        } else {
            Some(Given::Value(whole(&key, input, Expr::parse)?))
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
            errors.on(&key, unknown::<K>(&key));
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

fn unknown<K: Keys>(key: &Ident) -> String {
    let attribute = K::ATTRIBUTE;
    let names = || K::KNOWN.iter().map(|known| known.name);
    let written = key.to_string();
    let near = nearest(&written, names());
    let elsewhere = nearest(&written, K::INSTEAD.iter().map(|(word, _)| *word));
    if let Some((word, write)) = K::INSTEAD.iter().find(|(word, _)| elsewhere == Some(*word))
        && (written == *word || near.is_none())
    {
        return format!("`#[{attribute}(..)]` has no key `{key}`: {write}");
    }
    let hint = meant(near);
    format!(
        "`#[{attribute}(..)]` has no key `{key}`{hint}\nthe keys are {}",
        listed(names())
    )
}
