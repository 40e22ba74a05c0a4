//! The command line of `chat`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolwright_providers::Api;

use crate::cli::{Reading, Recording};

/// Talk to a model that uses the tools.
#[derive(Debug, Clone, Args)]
pub(crate) struct Chat {
    /// The message; without it, all of standard input, or at a terminal line by line.
    pub(crate) message: Option<String>,

    /// The model; else the one of `--resume`, or the usual one of the API whose key is there.
    #[arg(long)]
    pub(crate) model: Option<String>,

    /// The server, up to the path of the API: `http://localhost:11434/v1`; for Anthropic and Gemini without the version.
    /// It has no name of a user and no password.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// The API; else the one of the model's name, `compatible` for another name at a `--base-url`.
    #[arg(long)]
    pub(crate) api: Option<ChatApi>,

    /// The instructions that the model gets before the conversation.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    /// Stop a model that goes on calling: the most requests for one message.
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) max_turns: NonZeroU32,

    /// The most tokens of an answer, which Anthropic wants to know.
    #[arg(long, value_name = "N", default_value = "8192")]
    pub(crate) max_tokens: NonZeroU32,

    /// Write the conversation to a new file, for `run` and `--resume`.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) transcript: Option<PathBuf>,

    /// Go on with the conversation of a transcript, and write it on there.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) recording: Recording,
}

/// An API by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChatApi {
    /// Chat Completions of `OpenAI`.
    Openai,
    /// Responses of `OpenAI`.
    Responses,
    /// Messages of Anthropic.
    Anthropic,
    /// `generateContent` of Gemini.
    Gemini,
    /// Chat Completions of Ollama, vLLM and their like.
    #[value(alias = "ollama")]
    Compatible,
}

impl ChatApi {
    pub(crate) fn api(self) -> Api {
        match self {
            Self::Openai => Api::OpenAiChat,
            Self::Responses => Api::OpenAiResponses,
            Self::Anthropic => Api::Anthropic,
            Self::Gemini => Api::Gemini,
            Self::Compatible => Api::Compatible,
        }
    }

    /// Returns the name on the command line and in transcripts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Responses => "responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Compatible => "compatible",
        }
    }

    /// Returns the names of the variables that may hold the key; none where no key is needed.
    pub(crate) fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Openai | Self::Responses => &["OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Self::Compatible => &[],
        }
    }
}
