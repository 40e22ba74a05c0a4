//! The limits of the APIs, as data: each with its source and the day on which it was read.

use std::fmt;

use crate::api::Api;
use crate::schema::SchemaCost;

/// A number that an API sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limit {
    /// The largest number that the API takes.
    pub most: u32,
    /// The page or the package that says so.
    pub source: &'static str,
    /// The day on which the source was read, as `2026-11-24`.
    pub read: &'static str,
}

/// The limits of an API. `None`: none is documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The tools of a request.
    pub tools: Option<Limit>,
    /// The characters of a tool's name.
    pub name_length: Option<Limit>,
    /// The strict tools of a request.
    pub strict_tools: Option<Limit>,
    /// The optional properties of all strict tools of a request.
    pub optional_properties: Option<Limit>,
    /// The properties with a union of types of all strict tools of a request.
    pub union_properties: Option<Limit>,
    /// The properties of one strict schema.
    pub properties: Option<Limit>,
    /// The objects within each other in one strict schema.
    pub depth: Option<Limit>,
    /// The values of all `enum`s of one strict schema.
    pub enum_values: Option<Limit>,
    /// The length of all names and `enum` values of one strict schema together, in characters.
    pub schema_text: Option<Limit>,
    /// The length of the values of one `enum` with more than 250 texts, in characters.
    pub long_enum_text: Option<Limit>,
}

const DAY: &str = "2026-11-24";
const OPENAI_SCHEMAS: &str =
    "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas";
const OPENAI_TOOLS: &str = "openai 1.90.0 (Python package), types/chat/completion_create_params.py";
const OPENAI_NAMES: &str =
    "openai 3.54.0 (Python package), types/shared_params/function_definition.py";
const ANTHROPIC_SCHEMAS: &str = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits";
const ANTHROPIC_TOOLS: &str =
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools";
const GEMINI_TOOLS: &str =
    "google-genai 3.4.0 (Python package), types.py, Tool.function_declarations";
const GEMINI_NAMES: &str =
    "google-genai 3.4.0 (Python package), types.py, FunctionDeclaration.name";

const fn limit(most: u32, source: &'static str) -> Limit {
    Limit {
        most,
        source,
        read: DAY,
    }
}

const NONE: Limits = Limits {
    tools: None,
    name_length: None,
    strict_tools: None,
    optional_properties: None,
    union_properties: None,
    properties: None,
    depth: None,
    enum_values: None,
    schema_text: None,
    long_enum_text: None,
};

const OPENAI: Limits = Limits {
    // Later packages leave it out; the API still answers with `array_above_max_length`.
    tools: Some(limit(128, OPENAI_TOOLS)),
    name_length: Some(limit(64, OPENAI_NAMES)),
    properties: Some(limit(5_000, OPENAI_SCHEMAS)),
    depth: Some(limit(10, OPENAI_SCHEMAS)),
    enum_values: Some(limit(1_000, OPENAI_SCHEMAS)),
    schema_text: Some(limit(120_000, OPENAI_SCHEMAS)),
    long_enum_text: Some(limit(15_000, OPENAI_SCHEMAS)),
    ..NONE
};

const ANTHROPIC: Limits = Limits {
    name_length: Some(limit(128, ANTHROPIC_TOOLS)),
    strict_tools: Some(limit(20, ANTHROPIC_SCHEMAS)),
    optional_properties: Some(limit(24, ANTHROPIC_SCHEMAS)),
    union_properties: Some(limit(16, ANTHROPIC_SCHEMAS)),
    ..NONE
};

const GEMINI: Limits = Limits {
    tools: Some(limit(512, GEMINI_TOOLS)),
    name_length: Some(limit(128, GEMINI_NAMES)),
    ..NONE
};

const COMPATIBLE: Limits = Limits {
    name_length: Some(limit(64, OPENAI_NAMES)),
    ..NONE
};

impl Api {
    /// The limits of the API.
    pub const fn limits(self) -> Limits {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => OPENAI,
            Self::Anthropic => ANTHROPIC,
            Self::Gemini => GEMINI,
            Self::Compatible => COMPATIBLE,
        }
    }
}

impl Limits {
    /// Holds one schema against its limits. The error says which one it exceeds.
    pub(crate) fn check(&self, cost: &SchemaCost) -> Result<(), String> {
        let counts = [
            (cost.properties, self.properties, "properties"),
            (cost.depth, self.depth, "objects within each other"),
            (cost.enum_values, self.enum_values, "values of `enum`s"),
            (
                cost.enum_text,
                self.schema_text,
                "bytes of names and of values of `enum`s",
            ),
            (
                cost.long_enum,
                self.long_enum_text,
                "bytes of values of one long `enum`",
            ),
        ];
        for (count, limit, noun) in counts {
            if let Some(limit) = limit.filter(|limit| count > limit.most) {
                return Err(format!("the strict form has {count} {noun}, {limit}"));
            }
        }
        Ok(())
    }
}

/// `over the limit of 20 (https://.., read 2026-11-24)`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "over the limit of {} ({}, read {})",
            self.most, self.source, self.read
        )
    }
}
