//! The calls of a message.

use std::borrow::Cow;

use blake3::Hasher;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::error::MAX_CALLS;
use super::raw::Loose;
use super::stop::StopReason;
use crate::Api;

/// The name that stands in the history for a call without one, since the APIs take no message back in which a call has
/// no name.
pub(crate) const UNNAMED: &str = "unnamed";

/// A call of a tool, as a model's message has it.
#[derive(Debug, Clone)]
pub struct ProviderCall<'m> {
    pub(super) id: Cow<'m, str>,
    /// True if the result has to name the id: Gemini takes none for a call that has none.
    pub(super) sends_id: bool,
    /// True if the API would not take the call back as it came: without an id, without a name.
    pub(super) must_write: bool,
    pub(super) name: Cow<'m, str>,
    pub(super) arguments: Cow<'m, str>,
    pub(super) refusal: Option<String>,
    pub(super) kind: CallKind,
    /// The place of the call among the parts of the message.
    pub(super) place: usize,
    /// A member that the result has to repeat: `caller` in Responses, `toolset_name` in Anthropic.
    pub(super) echo: Option<&'m RawValue>,
}

/// The form of a call, which its result follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CallKind {
    #[default]
    Function,
    /// `function_call` of Chat Completions, from before calls had ids.
    Legacy,
    /// A call of `OpenAI`'s custom tools, whose input is free text.
    Custom,
}

impl ProviderCall<'_> {
    /// The id of the call: the provider's, or a made-up one where the provider gave none or gave it twice.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns true if the result names the id. Gemini's does not where the model gave none.
    pub fn sends_id(&self) -> bool {
        self.sends_id
    }

    /// The name of the tool as the model wrote it; empty if it gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as the model wrote them: JSON text that nobody has checked, or empty text for none.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The reason why the call cannot run, for the model: the call has no name or no id, is cut off, or is of another kind.
    /// A call without an id is refused for the APIs of `OpenAI` and Anthropic, which give each call an id.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    pub(super) fn refuse(&mut self, why: impl FnOnce() -> String) {
        if self.refusal.is_none() {
            self.refusal = Some(why());
        }
    }

    pub(super) fn refuse_custom(&mut self) {
        let name = one_line(&self.name, 80);
        self.refuse(|| {
            format!(
                "The call did not run: it calls `{name}` as a custom tool, with free text. Call a tool as a function, \
                 with an object of arguments."
            )
        });
    }

    /// The name for the history, which has to have one.
    pub(crate) fn name_in_history(&self) -> &str {
        if self.name.is_empty() {
            UNNAMED
        } else {
            &self.name
        }
    }

    /// Refuses a call that the end of the answer may have cut off.
    pub(super) fn cut_off(&mut self, stop: &StopReason) {
        let why = match stop {
            StopReason::MaxTokens => "the answer reached its limit of tokens within this call",
            _ => "the API ended the answer within this call",
        };
        let again = match &*self.name {
            "" => "Make the call again".to_owned(),
            name => format!("Call `{name}` again"),
        };
        self.refuse(|| {
            format!(
                "The call did not run: {why}, so its arguments may not be complete. {again}, with shorter arguments \
                 or in several calls."
            )
        });
    }
}

/// Makes calls of one message, with ids that are not given twice.
pub(super) struct CallReader<'m> {
    api: Api,
    /// The whole text, which made-up ids are derived from: another response has others.
    text: &'m str,
    seed: Option<blake3::Hash>,
    made: u64,
    calls: Vec<ProviderCall<'m>>,
}

/// The parts of a call as they were found.
#[derive(Debug, Default)]
pub(super) struct Found<'m> {
    pub(super) id: Loose<'m>,
    pub(super) name: Loose<'m>,
    pub(super) arguments: Cow<'m, str>,
    pub(super) kind: CallKind,
    pub(super) echo: Option<&'m RawValue>,
}

impl Found<'_> {
    /// Returns the reason why the id cannot be used, if the API gives each call an id. Gemini and compatible servers often
    /// give none.
    fn lacks_id(&self, api: Api) -> Option<String> {
        let gives_ids = matches!(api, Api::OpenAiChat | Api::OpenAiResponses | Api::Anthropic);
        if !gives_ids || self.kind == CallKind::Legacy {
            return None;
        }
        match &self.id {
            Loose::Text(id) if !id.is_empty() => None,
            Loose::Other(kind) => Some(format!("its id is {kind}, not a text")),
            _ => Some("it has no id".to_owned()),
        }
    }
}

impl<'m> CallReader<'m> {
    pub(super) fn new(api: Api, text: &'m str) -> Self {
        Self {
            api,
            text,
            seed: None,
            made: 0,
            calls: Vec::new(),
        }
    }

    /// Adds a call. Without a name it is refused, and without an id where the API gives one to each call.
    pub(super) fn add(&mut self, found: Found<'m>) -> &mut ProviderCall<'m> {
        let no_id = found.lacks_id(self.api);
        let given = found.id.filled();
        let is_missing = given.is_none();
        let own = given.filter(|id| self.calls.iter().all(|call| call.id != *id));
        let is_repeated = own.is_none() && !is_missing;
        let has_ids = self.api != Api::Gemini && found.kind != CallKind::Legacy;
        let id = own.unwrap_or_else(|| Cow::Owned(self.make_id()));
        let no_name = match &found.name {
            Loose::Text(name) if !name.is_empty() => None,
            Loose::Other(kind) => Some(format!("its name is {kind}, not a text")),
            _ => Some("it has no name".to_owned()),
        };
        let refusal = match (no_name, no_id) {
            (Some(why), _) => Some(format!(
                "The call did not run: {why}. A call needs the name of one of the tools and an object of arguments."
            )),
            (None, Some(why)) => Some(format!(
                "The call did not run: {why}. {} gives each call an id. Make the call again.",
                self.api
            )),
            (None, None) => None,
        };
        self.push(ProviderCall {
            id,
            sends_id: has_ids || !is_missing,
            must_write: is_repeated || (has_ids && is_missing) || refusal.is_some(),
            name: found.name.into_text().unwrap_or_default(),
            arguments: found.arguments,
            refusal,
            kind: found.kind,
            place: 0,
            echo: found.echo,
        })
    }

    /// Adds what stands in place of a call, and is none: `what` with its article.
    pub(super) fn add_broken(&mut self, what: &str) -> &mut ProviderCall<'m> {
        let call = self.add(Found::default());
        call.refusal = Some(format!(
            "The call did not run: there is {what} in its place. A call needs the name of one of the tools and an \
             object of arguments."
        ));
        call
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    pub(super) fn calls_mut(&mut self) -> &mut [ProviderCall<'m>] {
        &mut self.calls
    }

    pub(super) fn take_calls(&mut self) -> Vec<ProviderCall<'m>> {
        std::mem::take(&mut self.calls)
    }

    fn push(&mut self, call: ProviderCall<'m>) -> &mut ProviderCall<'m> {
        // A call too many is an error of the message, and each further one would be compared with all.
        self.calls.truncate(MAX_CALLS);
        let index = self.calls.len();
        self.calls.push(call);
        &mut self.calls[index]
    }

    /// Returns an id that the same message has each time it is read, and no other call of it has. Its characters and
    /// length are those that the API's own ids have; nine letters and digits are what every compatible server takes:
    /// Mistral takes nothing else, as its Python package `mistral-common` 1.13.1 (`protocol/instruct/validator.py`) says.
    fn make_id(&mut self) -> String {
        let seed = *self
            .seed
            .get_or_insert_with(|| blake3::hash(self.text.as_bytes()));
        loop {
            let mut hasher = Hasher::new();
            hasher.update(seed.as_bytes());
            hasher.update(&self.made.to_le_bytes());
            self.made += 1;
            let hex = hasher.finalize().to_hex();
            let id = match self.api {
                Api::OpenAiChat | Api::OpenAiResponses => format!("call_{}", &hex[..24]),
                Api::Anthropic => format!("toolu_{}", &hex[..24]),
                Api::Gemini | Api::Compatible => hex[..9].to_owned(),
            };
            if self.calls.iter().all(|call| call.id != id) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests;
