//! The name by which the author's crate knows the runtime.

use crate::errors::Errors;
use crate::keys::Keyed;
use proc_macro2::{Ident, Span};
use std::iter;
use std::path::Path as File;
use syn::{Error, Path, PathSegment, token};

const NAME: &str = "toolwright";

/// The path of the runtime crate. `attribute` is the attribute that takes `crate = ..`. If the dependency was renamed
/// and `crate` is missing, the mistake is reported once here: otherwise each path of the expansion would be an error.
pub(crate) fn runtime_of(given: Option<Keyed<Path>>, attribute: &str, errors: &mut Errors) -> Path {
    if let Some(runtime) = given {
        return runtime.value;
    }
    let other = other_name(std::env::args());
    let Some(name) = other.and_then(|name| syn::parse_str::<Ident>(&name).ok()) else {
        return at_root(Ident::new(NAME, Span::call_site()));
    };
    let message = format!(
        "the crate `{NAME}` is called `{name}` here: write `#[{attribute}(crate = {name})]`"
    );
    errors.add(Error::new(Span::call_site(), message));
    at_root(name)
}

/// `::name`, made of its parts: it is made for each tool, and parsed it would cost more than most checks.
fn at_root(name: Ident) -> Path {
    Path {
        leading_colon: Some(token::PathSep::default()),
        segments: iter::once(PathSegment::from(name)).collect(),
    }
}

/// The other name, as Cargo gives it to the compiler (`--extern tw=target/debug/deps/libtoolwright-0123.rmeta`). `None`
/// where the crate is there by its own name, or not at all.
fn other_name(args: impl Iterator<Item = String>) -> Option<String> {
    let mut found = None;
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix("--extern") {
            Some("") => args.next()?,
            Some(value) => value.strip_prefix('=')?.to_owned(),
            None => continue,
        };
        let (name, file) = value.split_once('=').unwrap_or((&value, ""));
        // Options such as `priv` stand in front of a colon.
        let name = name.rsplit(':').next()?;
        if name == NAME {
            return None;
        }
        if is_runtime(file) {
            found = Some(name.to_owned());
        }
    }
    found
}

fn is_runtime(file: &str) -> bool {
    let stem = File::new(file).file_stem().and_then(|stem| stem.to_str());
    let stem = stem.unwrap_or_default();
    let name = stem.strip_prefix("lib").unwrap_or(stem);
    name == NAME || name.rsplit_once('-').is_some_and(|(name, _)| name == NAME)
}

#[cfg(test)]
mod tests {
    use super::other_name;

    #[track_caller]
    fn is(args: &str, name: Option<&str>) {
        let found = other_name(args.split(' ').map(str::to_owned));
        assert_eq!(found.as_deref(), name, "{args}");
    }

    #[test]
    fn as_cargo_gives_it() {
        is(
            "rustc a.rs --extern toolwright=a/libtoolwright-01.rmeta",
            None,
        );
        is(
            "rustc a.rs --extern tw=a/libtoolwright-01.rmeta --cfg x",
            Some("tw"),
        );
        is("rustc --extern=tw=a/libtoolwright-01.rlib a.rs", Some("tw"));
        is(
            "rustc --extern priv,noprelude:tw=libtoolwright.rlib",
            Some("tw"),
        );
        is("rustc --extern tw=toolwright-01.dll", Some("tw"));
    }

    #[test]
    fn another_crate_and_both_names() {
        is("rustc a.rs", None);
        is(
            "rustc --extern facade=a/libfacade-01.rmeta --extern proc_macro",
            None,
        );
        is(
            "rustc --extern t=a/libtoolwright_shell-01.rmeta --extern u=a/libtoolwright-shell-01.rmeta",
            None,
        );
        is(
            "rustc --extern tw=a/libtoolwright-01.rmeta --extern toolwright",
            None,
        );
        is(
            "rustc --extern tw=a/libtoolwright-01.rmeta --extern toolwright=b/libfacade-02.rmeta",
            None,
        );
        is("rustc --extern", None);
    }
}
