//! `#[tool_type]` on what arguments and results are made of.

use std::collections::BTreeMap;

use facade::toolwright::{tool, tool_type};

/// Lines of a text.
#[tool_type(crate = facade::toolwright)]
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The first of them, counted from 1.
    #[arg(default = 1, range = 1..)]
    pub first: u32,
    /// The last of them.
    #[arg(range = 1..=9_999)]
    pub last: u32,
}

/// The order of things.
#[tool_type(crate = facade::toolwright)]
#[derive(Debug, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// As they came.
    #[default]
    AsTheyCame,
    /// By their letters.
    ByName,
}

/// A query.
#[facade::toolwright::tool_type(argument, crate = ::facade::toolwright)]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Query {
    /// A word.
    Word {
        /// The word.
        #[arg(length = 1..=20, pattern = "^[a-z]+$", example = "milk")]
        word: String,
        /// The lines to look in.
        #[arg(name = "in", aliases("within"))]
        within: Option<Span>,
    },
    /// Several queries.
    All {
        /// The queries.
        queries: Vec<Query>,
    },
    /// Everything.
    Everything,
}

/// A wish of a reader.
#[tool_type(argument, crate = facade::toolwright)]
#[derive(Debug)]
pub struct Wish {
    /// The query.
    pub query: Query,
    /// In which order.
    #[serde(default)]
    pub order: Order,
    /// For whom.
    #[arg(one_of("ada", "bob"))]
    pub reader: Option<String>,
    /// Other weights that count.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
}

/// The result of a search.
#[tool_type(result, crate = facade::toolwright)]
#[derive(Debug, PartialEq)]
pub struct Found<T> {
    /// The query.
    pub sought: T,
    /// Number of finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

/// A text that is not empty.
#[tool_type(crate = facade::toolwright)]
#[derive(Debug)]
#[serde(transparent)]
pub struct Title(#[arg(length = 1..)] pub String);

/// Search the notes.
#[tool(crate = facade::toolwright, read_only)]
pub fn search(wish: Wish, title: Option<Title>) -> Found<String> {
    let Wish {
        query,
        order,
        reader,
        weights,
    } = wish;
    let title = title.map(|title| title.0);
    Found {
        sought: format!("{query:?} {order:?} {reader:?} {title:?}"),
        times: u32::try_from(weights.len()).ok().filter(|times| *times > 0),
    }
}
