//! The APIs of models.

use std::fmt;

/// An API of a model: the form in which it takes tools, and in which calls and results travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Api {
    /// `OpenAI`'s Chat Completions: `POST /v1/chat/completions`.
    OpenAiChat,
    /// `OpenAI`'s Responses: `POST /v1/responses`.
    OpenAiResponses,
    /// Anthropic's Messages: `POST /v1/messages`.
    Anthropic,
    /// Gemini's `generateContent`: `POST /v1beta/models/{model}:generateContent`.
    Gemini,
    /// Chat Completions as Ollama, vLLM and other compatible servers take them: never strict.
    Compatible,
}

impl Api {
    /// Every API, in the order of their declaration.
    pub const ALL: [Self; 5] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Compatible,
    ];

    /// The name for people: `OpenAI Chat Completions`, `OpenAI Responses`, `Anthropic`, `Gemini` or
    /// `OpenAI-compatible`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "OpenAI Chat Completions",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Compatible => "OpenAI-compatible",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
