//! The tokens of a request.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The tokens of a request, as its API counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens that were read, those from a cache included.
    pub input_tokens: u64,
    /// Tokens that were written, those of reasoning included.
    pub output_tokens: u64,
    /// Tokens of the input that came from a cache.
    pub cached_tokens: u64,
}

/// The counts by the names of each API. Anthropic counts tokens of the cache beside the others, Gemini those of
/// reasoning; the others count them in.
#[derive(Deserialize)]
struct Counts {
    input_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
    #[serde(rename = "promptTokenCount")]
    prompt: Option<u64>,
    #[serde(rename = "toolUsePromptTokenCount")]
    tool_use_prompt: Option<u64>,
    output_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    #[serde(rename = "candidatesTokenCount")]
    candidates: Option<u64>,
    #[serde(rename = "thoughtsTokenCount")]
    thoughts: Option<u64>,
    input_tokens_details: Option<Details>,
    prompt_tokens_details: Option<Details>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    #[serde(rename = "cachedContentTokenCount")]
    cached_content: Option<u64>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(rename = "cached_tokens")]
    cached: Option<u64>,
}

impl Usage {
    /// Reads the counts of a response; `None` if there are none, or none that can be read.
    pub(super) fn read(raw: Option<&RawValue>) -> Option<Self> {
        let counts: Counts = serde_json::from_str(raw?.get()).ok()?;
        let sum = |counts: [Option<u64>; 3]| {
            let counts = counts.into_iter().flatten();
            counts.fold(0, u64::saturating_add)
        };
        let input = counts.input_tokens.or(counts.prompt_tokens);
        let output = counts.output_tokens.or(counts.completion_tokens);
        let read = counts.cache_read_input_tokens;
        let beside = [
            counts.cache_creation_input_tokens,
            read,
            counts.tool_use_prompt,
        ];
        let input = sum([input.or(counts.prompt), Some(sum(beside)), None]);
        let output = sum([output.or(counts.candidates), counts.thoughts, None]);
        let details = counts.input_tokens_details.or(counts.prompt_tokens_details);
        let cached = details.and_then(|details| details.cached);
        let cached = cached.or(read).or(counts.cached_content);
        Some(Self {
            input_tokens: input,
            output_tokens: output,
            cached_tokens: cached.unwrap_or_default(),
        })
    }
}
