//! What a call was made with, as a journal has it: secrets as keyed hashes.

use serde::Serialize;
use serde_json::{Value, json};

use super::{CanonicalJson, JournalKey, NotCanonical, RecordedInput};
use crate::hash::ContentHash;
use crate::message::{Arguments, CanonicalArguments, InvalidArguments, View};
use crate::spec::ToolSpec;

/// In place of arguments that were not accepted.
pub(super) const UNREAD: &str = "$unread";

/// The most digits that any number has whose tree is not rounded.
const EXACT_DIGITS: usize = 15;

/// What a request hash is over. In the order of the members.
#[derive(Serialize)]
struct Request<'r> {
    arguments: &'r CanonicalJson,
    /// The keyed hash of the arguments as they were sent, where a tree of them rounds a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<ContentHash>,
    tool: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'r str>,
}

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
        Self::new(arguments, exact, tool, spec.version(), sealed)
    }

    /// Of arguments that were not accepted, or of which nobody knows what they mean: nothing of them can
    /// be read.
    pub(crate) fn unread(
        arguments: &Arguments<'_>,
        tool: &str,
        version: Option<&str>,
        key: &JournalKey,
    ) -> Result<Self, Unsealed> {
        let hash = match arguments.view() {
            View::Empty => key.hash(""),
            View::Text(text) => key.hash(text),
            View::Tree(tree) => key.hash(&tree.to_string()),
        };
        let arguments = CanonicalJson::of(&json!({ UNREAD: hash }))?;
        Self::new(arguments, None, tool, version, true)
    }

    fn new(
        arguments: CanonicalJson,
        exact: Option<ContentHash>,
        tool: &str,
        version: Option<&str>,
        sealed: bool,
    ) -> Result<Self, Unsealed> {
        let request = Request {
            arguments: &arguments,
            exact,
            tool,
            version,
        };
        let request_hash = CanonicalJson::of(&request)?.hash();
        Ok(Self {
            arguments,
            request_hash,
            sealed,
            changed: false,
            seed: None,
        })
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
