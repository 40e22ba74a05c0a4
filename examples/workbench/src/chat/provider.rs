//! The model at the other end: its API, its address, its key.

use std::env;
use std::fmt;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use toolwright_providers::{Api, Message};

use super::args::{Chat, ChatApi};
use super::failure::ChatError;

/// A key of an API. Nothing shows it.
#[derive(Clone)]
pub(super) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// Returns a text without the key: servers repeat what they were sent.
    fn taken_out_of(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

/// The model at the other end.
#[derive(Debug, Clone)]
pub(crate) struct Provider {
    pub(super) kind: ChatApi,
    pub(super) model: String,
    pub(super) system: Option<String>,
    base: String,
    key: Option<Key>,
    max_tokens: u32,
}

fn key_of(kind: ChatApi) -> Option<Key> {
    let values = kind
        .variables()
        .iter()
        .filter_map(|name| env::var(name).ok());
    let mut filled = values.filter(|value| !value.trim().is_empty());
    filled.next().map(|value| Key(value.trim().to_owned()))
}

/// The API that a model's name tells.
fn kind_of(model: &str) -> Option<ChatApi> {
    let name = model.strip_prefix("models/").unwrap_or(model);
    match name {
        _ if name.starts_with("claude") => Some(ChatApi::Anthropic),
        _ if name.starts_with("gemini") => Some(ChatApi::Gemini),
        _ if ["gpt-", "chatgpt", "o1", "o3", "o4"]
            .iter()
            .any(|start| name.starts_with(start)) =>
        {
            Some(ChatApi::Openai)
        }
        _ => None,
    }
}

/// The API whose key is there, in this order.
fn kind_with_key() -> Option<ChatApi> {
    let kinds = [ChatApi::Anthropic, ChatApi::Openai, ChatApi::Gemini];
    kinds.into_iter().find(|kind| key_of(*kind).is_some())
}

/// Refuses an address that is none, or has a secret in it: the command line of a process can be read by every other one,
/// shell lines of the model among them, and the transcript has it too.
fn check_url(url: &str) -> Result<(), ChatError> {
    let parsed = reqwest::Url::parse(url).map_err(|_| ChatError::BadUrl("is no URL"))?;
    let why = match parsed.scheme() {
        _ if !parsed.username().is_empty() || parsed.password().is_some() => {
            "has the name of a user or a password, which shell lines of the model could read"
        }
        "http" | "https" if parsed.query().is_some() || parsed.fragment().is_some() => {
            "has something behind its path (`?` or `#`)"
        }
        "http" | "https" => return Ok(()),
        _ => "begins neither with `http://` nor with `https://`",
    };
    Err(ChatError::BadUrl(why))
}

impl Provider {
    /// Chooses the API by the command line, the model's name, and the keys that are there.
    pub(super) fn of(chat: &Chat) -> Result<Self, ChatError> {
        let named = chat.api.or_else(|| chat.model.as_deref().and_then(kind_of));
        let kind = match named {
            Some(kind) => kind,
            // An unknown name is of a server of one's own.
            None if chat.base_url.is_some() || chat.model.is_some() => ChatApi::Compatible,
            None => kind_with_key().ok_or(ChatError::NoModel)?,
        };
        let usual = match kind {
            ChatApi::Openai | ChatApi::Responses => Some("gpt-5"),
            ChatApi::Anthropic => Some("claude-sonnet-5"),
            ChatApi::Gemini => Some("gemini-2.5-flash"),
            ChatApi::Compatible => None,
        };
        let model = chat
            .model
            .clone()
            .or(usual.map(str::to_owned))
            .ok_or(ChatError::NoModel)?;
        let usual = match kind {
            ChatApi::Openai | ChatApi::Responses => "https://api.openai.com/v1",
            ChatApi::Anthropic => "https://api.anthropic.com",
            ChatApi::Gemini => "https://generativelanguage.googleapis.com",
            ChatApi::Compatible => "http://localhost:11434/v1",
        };
        if let Some(url) = &chat.base_url {
            check_url(url)?;
        }
        let base = chat
            .base_url
            .as_deref()
            .unwrap_or(usual)
            .trim_end_matches('/')
            .to_owned();
        let key = key_of(kind);
        if key.is_none() && !kind.variables().is_empty() {
            return Err(ChatError::NoKey(kind));
        }
        Ok(Self {
            kind,
            model,
            system: chat.system.clone(),
            base,
            key,
            max_tokens: chat.max_tokens.get(),
        })
    }

    pub(super) fn api(&self) -> Api {
        self.kind.api()
    }

    pub(super) fn url(&self) -> String {
        let Self { base, model, .. } = self;
        match self.kind {
            ChatApi::Openai | ChatApi::Compatible => format!("{base}/chat/completions"),
            ChatApi::Responses => format!("{base}/responses"),
            ChatApi::Anthropic => format!("{base}/v1/messages"),
            ChatApi::Gemini => {
                let model = model.strip_prefix("models/").unwrap_or(model);
                format!("{base}/v1beta/models/{model}:streamGenerateContent?alt=sse")
            }
        }
    }

    /// Returns the server as people know it, without a path or a name of a user.
    pub(super) fn host(&self) -> String {
        let url = reqwest::Url::parse(&self.base).ok();
        let host = url.as_ref().and_then(|url| {
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            Some(format!("{}{port}", url.host_str()?))
        });
        host.unwrap_or_else(|| "the server of --base-url".to_owned())
    }

    pub(super) fn headers(&self) -> Result<HeaderMap, ChatError> {
        let mut headers = HeaderMap::new();
        let json = HeaderValue::from_static("application/json");
        headers.insert(reqwest::header::CONTENT_TYPE, json);
        if self.kind == ChatApi::Anthropic {
            let version = HeaderValue::from_static("2023-06-01");
            headers.insert(HeaderName::from_static("anthropic-version"), version);
        }
        if let Some(Key(key)) = &self.key {
            let (name, value) = match self.kind {
                ChatApi::Anthropic => (HeaderName::from_static("x-api-key"), key.clone()),
                ChatApi::Gemini => (HeaderName::from_static("x-goog-api-key"), key.clone()),
                _ => (reqwest::header::AUTHORIZATION, format!("Bearer {key}")),
            };
            let mut value =
                HeaderValue::from_str(&value).map_err(|_| ChatError::BadKey(self.kind))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// Returns the members of a request beside the tools and the messages.
    pub(super) fn settings(&self) -> Value {
        let model = &self.model;
        let mut settings = match self.kind {
            ChatApi::Openai | ChatApi::Compatible => json!({"model": model, "stream": true}),
            ChatApi::Responses => json!({"model": model, "stream": true, "store": false,
                "include": ["reasoning.encrypted_content"]}),
            ChatApi::Anthropic => {
                json!({"model": model, "stream": true, "max_tokens": self.max_tokens})
            }
            ChatApi::Gemini => json!({}),
        };
        if let Some(system) = &self.system {
            match self.kind {
                ChatApi::Openai | ChatApi::Compatible => {}
                ChatApi::Responses => settings["instructions"] = system.as_str().into(),
                ChatApi::Anthropic => settings["system"] = system.as_str().into(),
                ChatApi::Gemini => {
                    settings["systemInstruction"] = json!({"parts": [{"text": system}]});
                }
            }
        }
        settings
    }

    /// Returns the entry before the history that has the instructions, where the API has them there.
    pub(super) fn instructions(&self) -> Option<Message> {
        let is_message = matches!(self.kind, ChatApi::Openai | ChatApi::Compatible);
        let system = self.system.as_ref().filter(|_| is_message)?;
        Some(json!({"role": "system", "content": system}).into())
    }

    /// Returns a text of the server without the key.
    pub(super) fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.taken_out_of(text),
            None => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown() {
        let key = Key("sk-secret".to_owned());
        assert_eq!(format!("{key:?}"), "Key(..)");
        assert_eq!(key.taken_out_of("no key sk-secret"), "no key [key]");
    }

    #[test]
    fn a_name_tells_the_api() {
        assert_eq!(kind_of("claude-sonnet-5"), Some(ChatApi::Anthropic));
        assert_eq!(kind_of("models/gemini-2.5-flash"), Some(ChatApi::Gemini));
        assert_eq!(kind_of("gpt-5"), Some(ChatApi::Openai));
        assert_eq!(kind_of("llama3.3"), None);
    }
}
