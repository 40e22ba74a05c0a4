//! Types that hold others, and the type inside that a mistake is about.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Path, PathArguments, Type, TypePath};

/// Types that have the derives if the types they hold have them.
const HOLDERS: [&str; 11] = [
    "Option", "Vec", "VecDeque", "Box", "Rc", "Arc", "HashMap", "BTreeMap", "HashSet", "BTreeSet",
    "Cow",
];

/// Types that have the derives.
const PLAIN: [&str; 20] = [
    "String", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
    "i64", "i128", "isize", "f32", "f64", "str", "PathBuf", "Value",
];

pub(crate) enum Held<'t> {
    /// These, by a type that adds nothing of its own.
    Types(Vec<&'t Type>),
    /// A type that needs no check.
    Plain,
    Other,
}

/// The types that a path holds, as far as its last segment shows.
pub(crate) fn held(path: &TypePath) -> Held<'_> {
    let Some(segment) = path.path.segments.last().filter(|_| path.qself.is_none()) else {
        return Held::Other;
    };
    let is = |names: &[&str]| names.iter().any(|name| segment.ident == name);
    match &segment.arguments {
        PathArguments::None if is(&PLAIN) => Held::Plain,
        PathArguments::AngleBracketed(list) if is(&HOLDERS) => {
            let types = list.args.iter().map(|argument| match argument {
                GenericArgument::Type(part) => Some(part),
                _ => None,
            });
            types
                .collect::<Option<_>>()
                .map_or(Held::Other, Held::Types)
        }
        _ => Held::Other,
    }
}

/// The types among the generic arguments of a path's last segment.
pub(crate) fn types_in(path: &Path) -> impl Iterator<Item = &Type> {
    let list = path
        .segments
        .last()
        .and_then(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(list) => Some(&list.args),
            _ => None,
        });
    list.into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

/// The type inside of others that may lack what is asked of all, and the type itself where there is no such one.
pub(crate) fn innermost(ty: &Type) -> &Type {
    inner(ty).unwrap_or(ty)
}

fn inner(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Group(group) => inner(&group.elem),
        Type::Paren(paren) => inner(&paren.elem),
        Type::Array(array) => inner(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(inner),
        Type::Path(path) => match held(path) {
            Held::Types(types) => types.into_iter().find_map(inner),
            Held::Plain => None,
            Held::Other => Some(ty),
        },
        _ => None,
    }
}

/// The type, shown where [`innermost`] stands when it breaks a bound.
pub(crate) fn focused(ty: &Type) -> TokenStream {
    let (Some(Type::Path(inner)), Type::Path(path)) = (inner(ty), ty) else {
        return ty.to_token_stream();
    };
    if let (Some(segment), Held::Types(_)) = (inner.path.segments.last(), held(path)) {
        let kept = inner.to_token_stream().to_string();
        located(ty.to_token_stream(), segment.ident.span(), &kept)
    } else {
        quote!(#ty)
    }
}

/// The tokens around the type at its place.
fn located(tokens: TokenStream, place: Span, kept: &str) -> TokenStream {
    let kept: Vec<String> = kept.split_whitespace().map(str::to_owned).collect();
    let is_kept = |token: &TokenTree| kept.contains(&token.to_string());
    let moved = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inside = located(group.stream(), place, &kept.join(" "));
            let mut moved = Group::new(group.delimiter(), inside);
            moved.set_span(group.span());
            TokenTree::Group(moved)
        }
        mut token => {
            let is_name = matches!(token, TokenTree::Ident(_)) && is_kept(&token);
            if !is_name {
                token.set_span(token.span().located_at(place));
            }
            token
        }
    });
    moved.collect()
}
