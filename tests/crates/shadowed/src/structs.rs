//! `#[derive(Tool)]` on structs, and `#[derive(ToolEnum)]` on an enum of them.

#[allow(unused_imports, reason = "they are there to be in the way")]
use crate::*;

use crate::functions::Shelf;

/// Lend a book.
#[derive(::core::fmt::Debug, ::toolwright::Tool)]
#[tool(
    name = "books.lend",
    destructive,
    needs(Shelf),
    validate = judge,
    permission = ::toolwright::PermissionRequest::new("lend", title.as_str(), ::std::format!("for {days} days"))
)]
pub struct Lend {
    /// The title.
    #[arg(length = 1.., pattern = "^[a-z]+$")]
    title: ::std::string::String,
    /// Number of days.
    #[arg(default = 7, range = 1..=30)]
    days: ::core::primitive::u32,
    #[arg(secret)]
    card: ::core::option::Option<::std::string::String>,
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "fields are judged by reference"
)]
fn judge(
    title: &::core::primitive::str,
    days: &::core::primitive::u32,
    card: &::core::option::Option<::std::string::String>,
) -> ::core::result::Result<(), ::toolwright::arguments::ArgumentProblem> {
    if card.is_none() && *days > 14 {
        let told = ::std::format!("only 14 days for {title} without a card");
        return ::core::result::Result::Err(::toolwright::arguments::ArgumentProblem::new(
            ::toolwright::arguments::ProblemKind::Constraint,
            "/days",
            told,
        ));
    }
    ::core::result::Result::Ok(())
}

impl ::toolwright::RunTool for Lend {
    type Output = ::core::result::Result<::std::string::String, ::toolwright::ToolError>;

    async fn run(self, ctx: &::toolwright::ToolContext) -> Self::Output {
        let Self { title, days, card } = self;
        let books = ctx.require::<Shelf>()?;
        let there = ::core::future::ready(books.0.contains(&title)).await;
        let known = card.is_some();
        ::core::result::Result::Ok(::std::format!("{title} {days} {known} {there}"))
    }
}

/// Tell whether the library is open.
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::toolwright::Tool)]
#[tool(pure)]
pub struct IsOpen;

impl ::toolwright::RunTool for IsOpen {
    type Output = ::core::primitive::bool;

    async fn run(self, _: &::toolwright::ToolContext) -> ::core::primitive::bool {
        true
    }
}

/// The services of the library.
#[derive(::core::fmt::Debug, ::toolwright::ToolEnum)]
pub enum Service {
    /// It lends books.
    Lend(Lend),
    /// It opens.
    Open(IsOpen),
}
