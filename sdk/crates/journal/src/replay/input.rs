//! Arguments as a journal has them, compared and made again.

use serde_json::{Map, Value};
use toolwright::arguments::{Arguments, CanonicalArguments};

use crate::input::UNREAD;
use crate::{CanonicalJson, RecordedInput};

/// The likeness of a call to a recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The arguments are the same.
    Same,
    /// They are the same but for what is recorded as a hash, which cannot be told.
    ButForSecrets,
    /// The tool is the same; the arguments were changed before they were recorded, or cannot be read.
    Unknown,
}

/// Returns their likeness, if they may be the same at all. With the key of the journal, secrets can be told
/// apart as well.
pub(super) fn likeness(
    recorded: &RecordedInput,
    now: &RecordedInput,
    has_key: bool,
) -> Option<Likeness> {
    if recorded.request_hash == now.request_hash || recorded.arguments == now.arguments {
        return Some(Likeness::Same);
    }
    if recorded.changed {
        return Some(Likeness::Unknown);
    }
    if !recorded.sealed || has_key {
        return None;
    }
    match (tree(&recorded.arguments), tree(&now.arguments)) {
        (Value::Object(members), _) if is_unread(&members) => Some(Likeness::Unknown),
        (recorded, now) => is_like(&recorded, &now).then_some(Likeness::ButForSecrets),
    }
}

fn tree(json: &CanonicalJson) -> Value {
    // It was read from a tree a moment ago.
    serde_json::from_str(json.as_str()).unwrap_or_default()
}

fn is_unread(members: &Map<String, Value>) -> bool {
    members.len() == 1 && members.contains_key(UNREAD)
}

fn is_like(one: &Value, other: &Value) -> bool {
    match (one, other) {
        _ if CanonicalArguments::is_secret(one) => CanonicalArguments::is_secret(other),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| {
                    let other = other.get(name);
                    other.is_some_and(|other| is_like(value, other))
                })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_like(one, other))
        }
        (one, other) => one == other,
    }
}

/// Arguments with which a recorded call can be made again. What is sealed in them stays a hash.
pub(crate) fn arguments(recorded: &RecordedInput) -> Arguments<'static> {
    Arguments::from(plain(tree(&recorded.arguments)))
}

/// Undoes what keeps members that a model has named from being taken for masks.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, value)| (plain_name(name), plain(value)));
            Value::Object(members.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(plain).collect()),
        other => other,
    }
}

fn plain_name(name: String) -> String {
    match name.strip_suffix(CanonicalArguments::SECRET) {
        Some(before) if !before.is_empty() && before.bytes().all(|byte| byte == b'$') => {
            name[1..].to_owned()
        }
        _ => name,
    }
}
