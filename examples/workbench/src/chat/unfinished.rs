//! The end of a transcript whose process was killed.
//!
//! The model's message is written before its calls run, and their results once all have ended. In between the transcript
//! has calls that may have run and have no result, which no API takes.

use serde_json::Value;
use toolwright_providers::{Api, AssistantMessage, Message};

use super::transcript::Kept;

/// The result for the model of a call that has none.
const LOST: &str = "The app ended before the result of this call was recorded. The call may have run: look at what is there \
     before you make it again.";

/// The changes that made an end one that the API takes.
#[derive(Debug)]
pub(super) struct Repair {
    /// True if the last message of the person had no answer, and was taken back.
    pub(super) took_back: bool,
    /// The names of the calls without a result.
    pub(super) calls: Vec<String>,
    /// The results for them.
    pub(super) results: Vec<Message>,
}

/// Takes back a message of the person that has no answer, and makes results for calls that have none.
pub(super) fn repair(api: Api, kept: &mut Kept) -> Repair {
    let before = kept.history.len();
    while kept.history.last().is_some_and(begins_only) {
        kept.pop();
    }
    let took_back = kept.history.len() < before;
    let history = &kept.history;
    let is_of_app = |entry: &Message| is_result(&value(entry));
    let results = history.iter().rev().take_while(|entry| is_of_app(entry));
    let results = results.count();
    let (asked, _) = history.split_at(history.len() - results);
    let message = match api {
        // A message of the model is several entries.
        Api::OpenAiResponses => {
            let is_models = |entry: &&Message| !is_of_app(entry) && !is_of_user(&value(entry));
            let count = asked.iter().rev().take_while(is_models).count();
            let (_, items) = asked.split_at(asked.len() - count);
            let items: Vec<&str> = items.iter().map(Message::as_str).collect();
            format!("[{}]", items.join(","))
        }
        _ => asked.last().map_or("", Message::as_str).to_owned(),
    };
    let mut repair = Repair {
        took_back,
        calls: Vec::new(),
        results: Vec::new(),
    };
    if let Ok(message) = AssistantMessage::read(api, &message) {
        // Results are in the order of the calls, one by one or all in one entry.
        let lost = message.error_results(LOST).into_iter().skip(results);
        repair.results = lost.collect();
        if !repair.results.is_empty() {
            let calls = message.calls().iter().skip(results);
            repair.calls = calls.map(|call| call.name().to_owned()).collect();
        }
    }
    repair
}

fn value(entry: &Message) -> Value {
    serde_json::from_str(entry.as_str()).unwrap_or_default()
}

/// Returns true if more of the model's message has to follow an entry: a message of the person, or a thought, which Responses
/// takes back only together with the item after it.
fn begins_only(entry: &Message) -> bool {
    let entry = value(entry);
    entry["type"] == "reasoning" || (is_of_user(&entry) && !is_result(&entry))
}

fn is_of_user(entry: &Value) -> bool {
    entry["role"] == "user"
}

/// Returns true if an entry has results of calls, in any of the APIs.
fn is_result(entry: &Value) -> bool {
    let has = |list: &str, is_one: fn(&Value) -> bool| {
        entry[list].as_array().into_iter().flatten().any(is_one)
    };
    entry["role"] == "tool"
        || entry["role"] == "function"
        || entry["type"] == "function_call_output"
        || entry["type"] == "custom_tool_call_output"
        || has("content", |block| block["type"] == "tool_result")
        || has("parts", |part| !part["functionResponse"].is_null())
}
