//! The kind of a parameter by its type: by value from the model, by reference from the app.

use crate::holders::types_in;
use crate::token_search::{leads_to, lifetimes, with_static};
use crate::token_text::token_text;
use quote::{ToTokens, format_ident, quote};
use syn::{Error, GenericArgument, Lifetime, Path, PathArguments, Type, TypePath, TypeReference};

pub(super) enum Kind {
    Argument,
    Resource { ty: Box<Type>, optional: bool },
}

/// `Err` on the part of the type that no parameter of a tool can have.
///
/// Lifetimes in `declared` are not reported here, because they are reported where they are declared.
pub(super) fn kind_of(parameter: &str, ty: &Type, declared: &[String]) -> syn::Result<Kind> {
    let reference = lent(ty);
    if let Some(found) = find(ty, &|part| matches!(part, Type::ImplTrait(_))) {
        return Err(no_impl(parameter, found, reference.is_some()));
    }
    match reference {
        Some(reference) => {
            let optional = !matches!(bare(ty), Type::Reference(_));
            resource(parameter, ty, reference, optional, declared)
        }
        None => argument(parameter, ty, declared).map(|()| Kind::Argument),
    }
}

/// The reference that a parameter of the type would be lent by.
pub(crate) fn lent(ty: &Type) -> Option<&TypeReference> {
    match bare(ty) {
        Type::Reference(reference) => Some(reference),
        other => optional_reference(other),
    }
}

/// The first reference in the type.
pub(crate) fn borrowed(ty: &Type) -> Option<&Type> {
    find(ty, &|part| matches!(part, Type::Reference(_)))
}

fn no_impl(parameter: &str, found: &Type, by_reference: bool) -> Error {
    let text = token_text(found);
    let fix = if by_reference {
        format!("write the type, or `&{}`", text.replacen("impl", "dyn", 1))
    } else {
        "write the type that the model's argument is read into".to_owned()
    };
    Error::new_spanned(
        found,
        format!("`{parameter}` has no single type: in place of `{text}`, {fix}"),
    )
}

fn resource(
    parameter: &str,
    ty: &Type,
    reference: &TypeReference,
    optional: bool,
    declared: &[String],
) -> syn::Result<Kind> {
    let TypeReference {
        and_token,
        lifetime,
        mutability,
        elem,
        ..
    } = reference;
    let target = bare(elem);
    if is_data(target) {
        return Err(borrows(parameter, ty, reference));
    }
    let fixed = if optional {
        format!("Option<&{}>", token_text(target))
    } else {
        format!("&{}", token_text(target))
    };
    if let Some(mutability) = mutability {
        let message = format!(
            "`{parameter}` comes from the app, and all calls share it: take `{fixed}`, \
             and let it keep what changes behind a lock"
        );
        return Err(Error::new_spanned(
            quote!(#and_token #lifetime #mutability),
            message,
        ));
    }
    if let Some(lifetime) = lifetime
        .as_ref()
        .filter(|lifetime| lifetime.ident != "_" && !is_in(declared, lifetime))
    {
        let message =
            format!("`{parameter}` is lent for one call: remove `{lifetime}`, and take `{fixed}`");
        return Err(Error::new_spanned(lifetime, message));
    }
    if let Type::Reference(inner) = target {
        let message = format!(
            "`{parameter}` is a reference to a reference: take `{}`",
            token_text(inner)
        );
        return Err(Error::new_spanned(ty, message));
    }
    Ok(Kind::Resource {
        ty: Box::new(target.clone()),
        optional,
    })
}

fn argument(parameter: &str, ty: &Type, declared: &[String]) -> syn::Result<()> {
    if let Some(found) = borrowed(ty) {
        return Err(borrows(parameter, ty, found));
    }
    if let Some(found) = find(ty, &has_anonymous_lifetime) {
        let message = format!(
            "`{parameter}` borrows, and what the model fills in is owned: write `{}`",
            token_text(found).replace("'_", "'static")
        );
        return Err(Error::new_spanned(found, message));
    }
    if let Some(found) = lifetimes(ty.to_token_stream())
        .into_iter()
        .find(|lifetime| lifetime.ident != "static" && !is_in(declared, lifetime))
    {
        let message = format!(
            "`{parameter}` borrows for `{found}`, and what the model fills in is owned: write `'static`, \
             or take a type that owns what it has"
        );
        return Err(Error::new_spanned(found, message));
    }
    if let Some(found) = unsized_part(ty) {
        let mut owned = bare(ty).clone();
        give_size(&mut owned);
        let mut owned = token_text(owned);
        for module in ["string", "path", "vec"] {
            owned = owned.replace(&format!("::std::{module}::"), "");
        }
        let message = format!(
            "`{}` is only there behind a reference, and `{parameter}` is taken by value: take `{owned}`",
            token_text(found)
        );
        return Err(Error::new_spanned(found, message));
    }
    Ok(())
}

fn is_in(declared: &[String], lifetime: &Lifetime) -> bool {
    declared.iter().any(|name| lifetime.ident == name)
}

/// The type as it is emitted beside the mistakes, so that rustc does not tell of the same ones: without lifetimes that
/// nothing declares, and without what has no size.
pub(super) fn without_mistakes(ty: &Type, declared: &[String]) -> Type {
    let mut ty = lasting(ty, declared);
    if lent(&ty).is_none() && unsized_part(&ty).is_some() {
        give_size(&mut ty);
    }
    ty
}

/// The type with `'static` in place of each lifetime that nothing declares.
pub(super) fn lasting(ty: &Type, declared: &[String]) -> Type {
    let tokens = ty.to_token_stream();
    if lifetimes(tokens.clone()).is_empty() {
        return ty.clone();
    }
    syn::parse2(with_static(tokens, declared)).unwrap_or_else(|_| ty.clone())
}

/// The type that is taken by value in place of what stands behind a reference.
pub(crate) fn owned(ty: &Type) -> Type {
    let mut ty = bare(ty).clone();
    if unsized_part(&ty).is_some() {
        give_size(&mut ty);
    }
    ty
}

/// The part of a type that cannot be taken by value: a slice, a `str` or a path of the standard library, also in a
/// list or an `Option`.
fn unsized_part(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::Slice(_) => Some(ty),
        Type::Path(path) if unsized_name(&path.path).is_some() => Some(ty),
        Type::Path(path) => {
            let holders = ["Option", "Vec", "VecDeque"];
            let holds = holders.iter().any(|holder| leads_to(&path.path, holder));
            unsized_part(types_in(&path.path).next().filter(|_| holds)?)
        }
        _ => None,
    }
}

/// Only what is written so that it can be nothing of the author's.
fn unsized_name(path: &Path) -> Option<&'static str> {
    let is_unsized = ["str", "Path", "OsStr"]
        .iter()
        .any(|name| leads_to(path, name));
    let is_certain = leads_to(path, "str") || path.segments.len() > 1;
    owned_name(path).filter(|_| is_unsized && is_certain)
}

/// Replaces what [`unsized_part`] finds.
fn give_size(ty: &mut Type) {
    if let Type::Group(group) = ty {
        *ty = (*group.elem).clone();
    }
    let owned = match &*ty {
        Type::Slice(slice) => {
            let elem = &slice.elem;
            Some(syn::parse_quote!(::std::vec::Vec<#elem>))
        }
        Type::Path(path) => unsized_name(&path.path).map(|name| {
            let name = format_ident!("{name}");
            let module = if name == "String" {
                quote!(string)
            } else {
                quote!(path)
            };
            syn::parse_quote!(::std::#module::#name)
        }),
        _ => None,
    };
    if let Some(owned) = owned {
        *ty = owned;
    } else if let Type::Path(path) = ty
        && let Some(segment) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(list) = &mut segment.arguments
        && let Some(GenericArgument::Type(part)) = list.args.first_mut()
        && unsized_part(part).is_some()
    {
        give_size(part);
    }
}

fn borrows(parameter: &str, whole: &Type, at: impl ToTokens) -> Error {
    let mut owned = bare(whole).clone();
    own(&mut owned);
    let owned = token_text(owned);
    Error::new_spanned(
        at,
        format!("`{parameter}` borrows, and what the model fills in is owned: take `{owned}`"),
    )
}

/// Without parentheses and the invisible delimiters of a `macro_rules` fragment.
pub(super) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

pub(crate) fn is_option(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if leads_to(&path.path, "Option"))
}

/// A list, which `From` would make of the bytes of a text.
pub(super) fn is_list(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if leads_to(&path.path, "Vec"))
}

fn optional_reference(ty: &Type) -> Option<&TypeReference> {
    let Type::Path(TypePath { path, .. }) = ty else {
        return None;
    };
    match types_in(path).map(bare).collect::<Vec<_>>()[..] {
        [Type::Reference(reference)] if leads_to(path, "Option") => Some(reference),
        _ => None,
    }
}

/// Types that the model fills in and that people borrow out of habit. Types by other names are reported by the runtime's
/// `Probe`.
fn is_data(ty: &Type) -> bool {
    match bare(ty) {
        Type::Slice(_) => true,
        Type::Reference(reference) => is_data(&reference.elem),
        Type::Path(path) if path.qself.is_none() => {
            owned_name(&path.path).is_some()
                || is_scalar(&path.path)
                || inner_of_holder(&path.path).is_some_and(is_data)
        }
        _ => false,
    }
}

/// Returns true if no object can be read into the type.
pub(crate) fn is_no_object(ty: &Type) -> bool {
    match bare(ty) {
        Type::Tuple(_) | Type::Array(_) => true,
        Type::Path(path) if inner_of_holder(&path.path).is_some() && !is_list(ty) => {
            inner_of_holder(&path.path).is_some_and(is_no_object)
        }
        other => is_list(other) || is_data(other),
    }
}

const SCALARS: [&str; 16] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32",
    "u64", "u8", "usize",
];

fn is_scalar(path: &Path) -> bool {
    if before_last(path).is_none_or(|before| before == "primitive") {
        return SCALARS.iter().any(|name| leads_to(path, name));
    }
    false
}

/// The type in an `Option`, a `Vec`, a `Box` or a `Cow`.
fn inner_of_holder(path: &Path) -> Option<&Type> {
    const HOLDERS: [(&str, &str); 4] = [
        ("Option", "option"),
        ("Vec", "vec"),
        ("Box", "boxed"),
        ("Cow", "borrow"),
    ];
    let is_of_std = |module: &str| before_last(path).is_none_or(|before| before == module);
    let mut holders = HOLDERS.iter();
    holders.find(|(name, module)| leads_to(path, name) && is_of_std(module))?;
    let mut types = types_in(path);
    // A `Vec` with an allocator of its own is another type.
    types.next().filter(|_| types.next().is_none())
}

/// The word before the last one of a path.
fn before_last(path: &Path) -> Option<String> {
    let mut segments = path.segments.iter().rev();
    segments.nth(1).map(|segment| segment.ident.to_string())
}

/// The type that is owned in place of one of texts and paths.
fn owned_name(path: &Path) -> Option<&'static str> {
    // Another module's `Path` is a type of its own, which the app may well lend.
    const TEXTS: [(&str, &str, &str); 6] = [
        ("str", "primitive", "String"),
        ("String", "string", "String"),
        ("Path", "path", "PathBuf"),
        ("PathBuf", "path", "PathBuf"),
        // A model has no bytes of the system to send.
        ("OsStr", "ffi", "String"),
        ("OsString", "ffi", "String"),
    ];
    let before = before_last(path);
    let mut texts = TEXTS.iter();
    let (_, _, owned) = texts.find(|(name, module, _)| {
        leads_to(path, name) && before.as_ref().is_none_or(|before| before == module)
    })?;
    Some(owned)
}

fn has_anonymous_lifetime(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .any(|argument| matches!(argument, GenericArgument::Lifetime(lifetime) if lifetime.ident == "_")),
        _ => false,
    })
}

/// The first part of the type, itself included, that `wanted` accepts. Signatures (`fn(&str)`, `dyn Fn(&str)`) are not
/// looked into: what they borrow is not held.
fn find<'a>(ty: &'a Type, wanted: &dyn Fn(&Type) -> bool) -> Option<&'a Type> {
    if wanted(ty) {
        return Some(ty);
    }
    match ty {
        Type::Array(array) => find(&array.elem, wanted),
        Type::Group(group) => find(&group.elem, wanted),
        Type::Paren(paren) => find(&paren.elem, wanted),
        Type::Ptr(pointer) => find(&pointer.elem, wanted),
        Type::Reference(reference) => find(&reference.elem, wanted),
        Type::Slice(slice) => find(&slice.elem, wanted),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|part| find(part, wanted)),
        Type::Path(path) => {
            path.path
                .segments
                .iter()
                .find_map(|segment| match &segment.arguments {
                    PathArguments::AngleBracketed(list) => {
                        list.args.iter().find_map(|argument| match argument {
                            GenericArgument::Type(part) => find(part, wanted),
                            _ => None,
                        })
                    }
                    _ => None,
                })
        }
        _ => None,
    }
}

/// Replaces every reference by the owned type that is meant.
fn own(ty: &mut Type) {
    if let Type::Reference(reference) = ty {
        *ty = bare(&reference.elem).clone();
        own(ty);
        return;
    }
    match ty {
        Type::Array(array) => own(&mut array.elem),
        Type::Group(group) => own(&mut group.elem),
        Type::Paren(paren) => own(&mut paren.elem),
        Type::Ptr(pointer) => own(&mut pointer.elem),
        Type::Slice(slice) => {
            own(&mut slice.elem);
            let elem = &slice.elem;
            *ty = syn::parse_quote!(Vec<#elem>);
        }
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(own),
        Type::Path(path) => own_path(path),
        _ => {}
    }
    // A `Box` or a `Cow` saves copies that a tool does not need to save.
    if let Type::Path(path) = ty
        && (leads_to(&path.path, "Box") || leads_to(&path.path, "Cow"))
        && let Some(inner) = inner_of_holder(&path.path)
        && is_data(inner)
    {
        *ty = inner.clone();
    }
}

fn own_path(path: &mut TypePath) {
    if let Some(name) = owned_name(&path.path)
        && path.qself.is_none()
    {
        // A path that is owned already stays as it is written.
        if !leads_to(&path.path, name) {
            let name = format_ident!("{name}");
            path.path = syn::parse_quote!(#name);
        }
        return;
    }
    for segment in &mut path.path.segments {
        if let PathArguments::AngleBracketed(list) = &mut segment.arguments {
            for argument in &mut list.args {
                if let GenericArgument::Type(part) = argument {
                    own(part);
                }
            }
        }
    }
}
