//! What a call was made with, as a journal has it: secrets as keyed hashes.

use serde_json::{Value, json};

use super::{CanonicalJson, JournalKey, NotCanonical, RecordedInput};
use crate::hash::ContentHash;
use crate::message::{Arguments, CanonicalArguments, InvalidArguments, View};
use crate::spec::ToolSpec;

/// In place of arguments that were not accepted.
pub(super) const UNREAD: &str = "$unread";

/// The most digits that any number has whose tree is not rounded.
const EXACT_DIGITS: usize = 15;

impl RecordedInput {
    /// Of arguments that the tool has accepted.
    pub(crate) fn accepted(
        arguments: &Arguments<'_>,
        tool: &str,
        spec: &ToolSpec,
        key: &JournalKey,
    ) -> Result<Self, Unsealed> {
        let mut sealed = false;
        let mut seal = |secret: &Value| {
            sealed = true;
            // The tree of a secret has a text.
            let text = CanonicalJson::of(secret).map(|json| key.hash(json.as_str()));
            let hash = text.map_or(Value::Bool(true), |hash| json!(hash));
            json!({ CanonicalArguments::SECRET: hash })
        };
        let canonical = arguments.canonical_with(spec, &mut seal)?;
        let exact = exact(arguments, key);
        sealed |= exact.is_some();
        let arguments = CanonicalJson::of(&canonical)?;
        Ok(Self::new(arguments, exact, tool, spec.version(), sealed))
    }

    /// Of arguments that were not accepted, or of which nobody knows what they mean: nothing of them can
    /// be read.
    pub(crate) fn unread(
        arguments: &Arguments<'_>,
        tool: &str,
        version: Option<&str>,
        key: &JournalKey,
    ) -> Self {
        let hash = match arguments.view() {
            View::Empty => key.hash(""),
            View::Text(text) => key.hash(text),
            View::Tree(tree) => key.hash(&tree.to_string()),
        };
        let arguments = CanonicalJson::written(format!(r#"{{"{UNREAD}":"{hash}"}}"#));
        Self::new(arguments, None, tool, version, true)
    }

    /// The hash is over canonical JSON, with the members in their order: the arguments, the keyed hash of
    /// them as they were sent where a tree of them rounds a number, the tool and its version.
    fn new(
        arguments: CanonicalJson,
        exact: Option<ContentHash>,
        tool: &str,
        version: Option<&str>,
        sealed: bool,
    ) -> Self {
        let exact = exact.map_or_else(String::new, |hash| format!(r#","exact":"{hash}""#));
        let version = version.map_or_else(String::new, |version| {
            format!(r#","version":{}"#, Value::from(version))
        });
        let tool = Value::from(tool);
        let request = format!(r#"{{"arguments":{arguments}{exact},"tool":{tool}{version}}}"#);
        Self {
            arguments,
            request_hash: ContentHash::of(request),
            sealed,
            changed: false,
            seed: None,
        }
    }
}

/// What tells apart arguments whose tree is the same because a number of them is rounded in it.
fn exact(arguments: &Arguments<'_>, key: &JournalKey) -> Option<ContentHash> {
    let View::Text(text) = arguments.view() else {
        return None;
    };
    let mut run = 0;
    let has_many_digits = text.bytes().any(|byte| {
        run = match byte {
            b'0'..=b'9' => run + 1,
            b'.' => run,
            _ => 0,
        };
        run > EXACT_DIGITS
    });
    if !has_many_digits {
        return None;
    }
    let exact = CanonicalJson::from_text(text).ok()?;
    let rounded = CanonicalJson::of(&*arguments.to_value().ok()?).ok()?;
    (exact != rounded).then(|| key.hash(exact.as_str()))
}

/// Why the arguments of a call cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unsealed {
    #[error(transparent)]
    Arguments(#[from] InvalidArguments),
    #[error(transparent)]
    Json(#[from] NotCanonical),
}
