//! Schemas in the forms that the APIs take, and the way back from the arguments that a model writes for such a form.
//!
//! [`convert`] makes the form. There are three narrow ones, whose rules stand as data in `rules`:
//! `OpenAI`'s strict mode, Anthropic's strict mode and the `Schema` of Gemini. They keep what their API enforces, say
//! the rest in descriptions and refuse what has no form ([`Unrepresentable`]). The general form is the
//! tool's own schema with what its API wants at the root. All of them list what they lost ([`Loss`]).

mod cost;
mod general;
mod inline;
mod loss;
mod merge;
mod narrow;
mod read_back;
mod rules;
mod source;
#[cfg(test)]
mod tests;

use crate::api::Api;
use crate::json::Json;
pub(crate) use cost::SchemaCost;
pub use loss::{Loss, Unrepresentable};
pub(crate) use read_back::ReadBack;
use rules::{ANTHROPIC, GEMINI, OPENAI};

/// A form of schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    /// `strict: true` of `OpenAI`'s two APIs.
    OpenAiStrict,
    /// `strict: true` of Anthropic's tools.
    AnthropicStrict,
    /// The `Schema` of Gemini, a subset of `OpenAPI` 3.0: `parameters` of a function declaration.
    GeminiSubset,
    /// (Nearly) any JSON Schema, with the rules of an API for its root. For Gemini it is
    /// `parametersJsonSchema`.
    General(Api),
}

/// A schema in the form of an API.
#[derive(Debug, Clone)]
pub(crate) struct Converted {
    /// The schema that the model sees.
    pub(crate) schema: Json,
    /// The keywords of the tool's own schema that it does not have, each once, in the order of the own schema. Those that
    /// say nothing to a model are not among them: the names of dialects and documents, comments, a title that only repeats the
    /// name.
    pub(crate) losses: Vec<Loss>,
    /// The way from arguments for this schema to arguments for the tool's own.
    pub(crate) read_back: ReadBack,
    /// The counts that an API limits.
    pub(crate) cost: SchemaCost,
}

/// Brings a tool's own schema into the form of an API. The same schema gives the same bytes in every program.
///
/// # Errors
///
/// If some part of the schema has no such form, or the form would be larger than the API takes.
pub(crate) fn convert(schema: &Json, dialect: Dialect) -> Result<Converted, Unrepresentable> {
    match dialect {
        Dialect::OpenAiStrict => narrow::convert(schema, &OPENAI),
        Dialect::AnthropicStrict => narrow::convert(schema, &ANTHROPIC),
        Dialect::GeminiSubset => narrow::convert(schema, &GEMINI),
        Dialect::General(api) => general::convert(schema, api),
    }
}
