//! `#[tool]` on functions.

#[allow(unused_imports, reason = "they are there to be in the way")]
use crate::*;

/// A resource of the app.
#[derive(::core::fmt::Debug)]
pub struct Shelf(pub ::std::vec::Vec<::std::string::String>);

/// Find the books whose title begins so.
///
/// # Errors
///
/// Fails if the call is cancelled.
#[::toolwright::tool(
    name = "books.find",
    title = "Find",
    read_only,
    aliases("books.search"),
    category = "books",
    timeout = "10s",
    metadata(team = "books", tier = 2),
    permission = ::core::option::Option::None::<::toolwright::PermissionRequest>
)]
pub async fn find(
    /// The start of the title.
    #[arg(length = 1..=20, pattern = "^[a-z]+$")]
    start: ::std::string::String,
    #[arg(default = "title", one_of("title", "length"))] order: ::std::string::String,
    #[arg(default = 2, range = 1..=9)] limit: ::core::primitive::usize,
    skip: ::core::option::Option<::core::primitive::usize>,
    shelf: &Shelf,
    context: ::core::option::Option<&::toolwright::ToolContext>,
) -> ::core::result::Result<::std::vec::Vec<::std::string::String>, ::toolwright::ToolError> {
    use ::std::iter::{IntoIterator as _, Iterator as _};

    if ::core::matches!(context, ::core::option::Option::Some(context) if context.is_cancelled()) {
        return ::core::result::Result::Err(::toolwright::ToolError::failed("cancelled"));
    }
    let mut found: ::std::vec::Vec<_> = shelf
        .0
        .iter()
        .filter(|title| title.starts_with(&start))
        .collect();
    if order == "length" {
        found.sort_by_key(|title| title.len());
    } else {
        found.sort();
    }
    let found = ::core::future::ready(found)
        .await
        .into_iter()
        .skip(skip.unwrap_or(0))
        .take(limit)
        .cloned();
    ::core::result::Result::Ok(found.collect())
}

/// Add two numbers.
#[::toolwright::tool(pure)]
#[must_use]
pub fn add(
    a: ::core::primitive::i64,
    #[arg(default)] b: ::core::primitive::i64,
) -> ::core::primitive::i64 {
    a + b
}

/// Do nothing.
#[::toolwright::tool]
async fn rest() {
    ::core::future::ready(()).await;
}

/// The tools of the crate, found at link time.
///
/// # Errors
///
/// Fails if there are none, and if two have one name.
pub fn discovered()
-> ::core::result::Result<::toolwright::ToolRegistry, ::toolwright::registry::RegistryError> {
    ::toolwright::discover!(crate)
}
