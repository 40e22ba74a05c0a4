//! The choices in showing tools to a model.

use toolwright::ToolName;

/// The use of an API's strict mode, in which the model can write only arguments that fit the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Strict {
    /// Strict where the schema has a strict form and the limits of a request allow it; the
    /// [report](crate::ToolList::report) names the tools that are not.
    #[default]
    Auto,
    /// Strict for each tool: a tool that cannot be is an error.
    Force,
    /// Never strict: each tool has its own schema.
    Never,
}

/// The field of a function declaration in which Gemini gets the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum GeminiSchema {
    /// `parametersJsonSchema`: the tool's own schema.
    #[default]
    JsonSchema,
    /// `parameters`: a subset of `OpenAPI`'s schemas, for servers that know no other. A tool that has no such form is
    /// shown by its own schema, and the [report](crate::ToolList::report) names it.
    OpenApi,
}

/// The options of a list of tools.
///
/// ```
/// use toolwright_providers::{ListOptions, Strict};
///
/// let options = ListOptions::new().strict(Strict::Never);
/// assert_ne!(options, ListOptions::new());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ListOptions {
    pub(crate) strict: Strict,
    pub(crate) gemini: GeminiSchema,
    pub(crate) examples: bool,
    pub(crate) cached: bool,
    pub(crate) deferred: Vec<ToolName>,
}

impl ListOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the use of the strict mode of `OpenAI` and Anthropic. Default: [`Strict::Auto`].
    pub fn strict(mut self, strict: Strict) -> Self {
        self.strict = strict;
        self
    }

    /// Sets the form of schemas for Gemini. Default: [`GeminiSchema::JsonSchema`].
    pub fn gemini_schema(mut self, schema: GeminiSchema) -> Self {
        self.gemini = schema;
        self
    }

    /// Shows the [examples](toolwright::ToolSpec::with_example) of tools to Anthropic's models, as `input_examples`; the
    /// others find them in the schema. Default: false.
    pub fn input_examples(mut self, shown: bool) -> Self {
        self.examples = shown;
        self
    }

    /// Lets Anthropic's server cache the list: its last tool has a `cache_control` of type `ephemeral`. Default: false.
    pub fn cache_control(mut self, cached: bool) -> Self {
        self.cached = cached;
        self
    }

    /// Sets the tools whose definitions Anthropic's server loads when its tool search finds them (`defer_loading`); the
    /// list then has that search as well. Default: none.
    pub fn defer_loading(mut self, tools: impl IntoIterator<Item = ToolName>) -> Self {
        self.deferred = tools.into_iter().collect();
        self.deferred.sort();
        self.deferred.dedup();
        self
    }
}
