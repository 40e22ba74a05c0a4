//! The body of a request.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use thiserror::Error;

use super::entries::{Entries, list, quoted};
use super::message::Message;
use crate::Api;

/// The reason why the settings of a request cannot be used.
#[derive(Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The settings cannot be written as JSON.
    #[error("the settings of a request for {api} cannot be written as JSON")]
    #[non_exhaustive]
    Unwritable {
        /// The API that the request is for.
        api: Api,
        /// The place and the reason.
        source: serde_json::Error,
    },
    /// The settings are no object.
    #[error(
        "the settings of a request for {api} are no object; give its members, such as `{{\"model\": \"..\"}}`"
    )]
    #[non_exhaustive]
    NotObject {
        /// The API that the request is for.
        api: Api,
    },
    /// The settings have a member that the request gets from the messages.
    #[error(
        "the settings of a request for {api} have `{member}`, which the messages give; remove it"
    )]
    #[non_exhaustive]
    Reserved {
        /// The API that the request is for.
        api: Api,
        /// The member.
        member: &'static str,
    },
    /// The `tools` of the settings are no list.
    #[error(
        "the `tools` in the settings of a request for {api} are no list; give a list of the API's own tools, which \
         then stand before those of the app, or remove it"
    )]
    #[non_exhaustive]
    Tools {
        /// The API that the request is for.
        api: Api,
    },
}

toolwright::text::debug_as_text!(RequestError);

/// Returns the body of a request: the settings, the tools and the messages, these two byte for byte.
///
/// `tools` is the text of a list. A list without items is left out, since some APIs refuse it. The API's own tools may
/// stand in the `tools` of the settings; they come first.
pub(crate) fn request<S: Serialize + ?Sized>(
    api: Api,
    settings: &S,
    tools: &str,
    messages: &[Message],
) -> Result<String, RequestError> {
    let member = match api {
        Api::OpenAiChat | Api::Compatible | Api::Anthropic => "messages",
        Api::OpenAiResponses => "input",
        Api::Gemini => "contents",
    };
    let settings =
        to_raw_value(settings).map_err(|source| RequestError::Unwritable { api, source })?;
    let mut settings =
        Entries::read(settings.get()).map_err(|_| RequestError::NotObject { api })?;
    if settings.get(member).is_some() {
        return Err(RequestError::Reserved { api, member });
    }
    let tools = tools.trim_ascii();
    let own = settings.get("tools").unwrap_or("[]");
    if serde_json::from_str::<Vec<&RawValue>>(own).is_err() {
        return Err(RequestError::Tools { api });
    }
    let (own, ours) = (inside(own), inside(tools));
    let all = match (own.is_empty(), ours.is_empty()) {
        (true, true) => None,
        (true, false) => Some(tools.to_owned()),
        (false, true) => Some(format!("[{own}]")),
        (false, false) => Some(format!("[{own},{ours}]")),
    };
    settings.remove("tools");
    let mut body = settings.write();
    // Reserved at once: a list of tools and a long conversation are large.
    let size: usize = messages.iter().map(|m| m.as_str().len() + 1).sum();
    body.reserve(size + all.as_ref().map_or(0, String::len) + 64);
    body.pop();
    for (name, value) in [
        ("tools", all),
        (member, Some(list(messages.iter().map(Message::as_str)))),
    ] {
        if let Some(value) = value {
            if body.len() > 1 {
                body.push(',');
            }
            body.push_str(&quoted(name));
            body.push(':');
            body.push_str(&value);
        }
    }
    body.push('}');
    Ok(body)
}

/// Returns the text between the brackets of a list.
fn inside(list: &str) -> &str {
    let list = list.trim_ascii();
    let inside = list.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
    inside.unwrap_or("").trim_ascii()
}

#[cfg(test)]
mod tests;
