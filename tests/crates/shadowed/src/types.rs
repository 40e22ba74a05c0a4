//! `#[tool_type]` on what arguments and results are made of.

// A plain `#[derive(schemars::JsonSchema)]` does not compile without these methods and this name, nor with other
// primitive types; serde's derives need those too. What `#[tool_type]` adds needs none of it.
use ::core::convert::{From as _, Into as _};
use ::core::default::Default as _;
use ::core::iter::{IntoIterator as _, Iterator as _};
use ::core::option::Option::Some;

#[allow(unused_imports, reason = "they are there to be in the way")]
use crate::names::*;

/// A page of a book.
#[::toolwright::tool_type]
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
pub struct Page {
    /// The page number.
    #[arg(default = 1, range = 1..=999)]
    pub number: ::core::primitive::u32,
    /// The text.
    #[arg(length = 1.., pattern = "^[a-z ]+$", example = "it was")]
    pub text: ::std::string::String,
    /// The side of the page.
    #[arg(one_of("left", "right"))]
    pub side: ::core::option::Option<::std::string::String>,
    /// The notes on the page.
    #[serde(default)]
    pub notes: ::std::vec::Vec<Note>,
}

/// A note on a page.
#[::toolwright::tool_type]
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// In words.
    Words {
        /// The text.
        #[arg(length = 1..)]
        text: ::std::string::String,
    },
    /// A mark.
    Mark,
}

/// Read a page aloud.
#[::toolwright::tool(pure)]
#[must_use]
pub fn recite(page: Page) -> Page {
    page
}
