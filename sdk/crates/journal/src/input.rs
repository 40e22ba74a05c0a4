//! The input of a call as a journal has it: secrets as keyed hashes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use toolwright::ToolSpec;
use toolwright::arguments::{Arguments, CanonicalArguments, InvalidArguments};
use toolwright::content::ContentHash;
use toolwright::record::RequestInput;

use crate::canonical::{CanonicalJson, NotCanonical, push_text};
use crate::key::JournalKey;
use crate::record::RecordedInput;

/// In place of arguments that were not accepted.
pub(super) const UNREAD: &str = "$unread";

/// The text before the arguments in what a request's hash is over.
const BEFORE: &str = r#"{"arguments":"#;

/// The most digits that any number has whose tree is not rounded.
const EXACT_DIGITS: usize = 15;

impl RecordedInput {
    /// The input of a call, as far as it can be read: arguments without a canonical form are not shown.
    pub(crate) fn of(input: &RequestInput<'_>, tool: &str, key: &JournalKey) -> Self {
        let spec = input.spec.filter(|_| input.is_accepted);
        let read = spec.and_then(|spec| Self::accepted(input.arguments, tool, spec, key).ok());
        let unread = || {
            let version = input.spec.and_then(|spec| spec.version());
            Self::unread(input.arguments, tool, version, key)
        };
        Self {
            changed: input.changed,
            seed: input.seed.map(ContentHash::from_bytes),
            ..read.unwrap_or_else(unread)
        }
    }

    /// Arguments that the tool has accepted.
    pub(crate) fn accepted(
        arguments: &Arguments<'_>,
        tool: &str,
        spec: &ToolSpec,
        key: &JournalKey,
    ) -> Result<Self, Unsealed> {
        // The schema is the tool's, and may panic where it is made.
        let plain = || Self::of_scalars(arguments, tool, spec);
        let plain = catch_unwind(AssertUnwindSafe(plain)).map_err(|_| Unsealed::Panicked)?;
        match plain {
            Some(plain) => Ok(plain),
            None => Self::of_tree(arguments, tool, spec, key),
        }
    }

    /// Arguments of any shape.
    fn of_tree(
        arguments: &Arguments<'_>,
        tool: &str,
        spec: &ToolSpec,
        key: &JournalKey,
    ) -> Result<Self, Unsealed> {
        let mut sealed = false;
        let seal = |secret: &Value| {
            sealed = true;
            // The tree of a secret has a text.
            let text = CanonicalJson::of(secret).map(|json| key.hash(json.as_str()));
            let hash = text.map_or(Value::Bool(true), |hash| json!(hash));
            json!({ CanonicalArguments::SECRET: hash })
        };
        let canonical = catch_unwind(AssertUnwindSafe(|| arguments.canonical_with(spec, seal)));
        let canonical = canonical.map_err(|_| Unsealed::Panicked)??;
        let exact = exact(arguments, key);
        sealed |= exact.is_some();
        let arguments = CanonicalJson::of(&canonical)?;
        Ok(Self::new(
            arguments.as_str(),
            exact,
            tool,
            spec.version(),
            sealed,
        ))
    }

    /// Arguments whose text needs no tree. Nothing of them is secret, and a tree of them rounds no number.
    fn of_scalars(arguments: &Arguments<'_>, tool: &str, spec: &ToolSpec) -> Option<Self> {
        let sent = arguments.as_text().map_or(0, str::len);
        let mut request = String::with_capacity(BEFORE.len() + sent + tool.len() + 64);
        request.push_str(BEFORE);
        let is_written = arguments.write_canonical(spec, &mut request);
        is_written.then(|| Self::of_request(request, None, tool, spec.version(), false))
    }

    /// Arguments that were not accepted, or whose meaning nobody knows: nothing of them can be read.
    pub(crate) fn unread(
        arguments: &Arguments<'_>,
        tool: &str,
        version: Option<&str>,
        key: &JournalKey,
    ) -> Self {
        let hash = match (arguments.as_text(), arguments.as_tree()) {
            _ if arguments.is_empty() => key.hash(""),
            (Some(text), _) => key.hash(text),
            (None, tree) => key.hash(&tree.unwrap_or_default().to_string()),
        };
        let arguments = format!(r#"{{"{UNREAD}":"{hash}"}}"#);
        Self::new(&arguments, None, tool, version, true)
    }

    /// The input of arguments in their canonical form.
    fn new(
        arguments: &str,
        exact: Option<ContentHash>,
        tool: &str,
        version: Option<&str>,
        sealed: bool,
    ) -> Self {
        let mut request = String::with_capacity(BEFORE.len() + arguments.len() + tool.len() + 128);
        request.push_str(BEFORE);
        request.push_str(arguments);
        Self::of_request(request, exact, tool, version, sealed)
    }

    /// The hash is over canonical JSON, with the members in their order: the arguments, with which the text ends
    /// so far; the keyed hash of them as they were sent where a tree of them rounds a number; the tool and its version.
    fn of_request(
        mut request: String,
        exact: Option<ContentHash>,
        tool: &str,
        version: Option<&str>,
        sealed: bool,
    ) -> Self {
        let end = request.len();
        if let Some(hash) = exact {
            request.push_str(r#","exact":""#);
            hash.push_to(&mut request);
            request.push('"');
        }
        request.push_str(r#","tool":"#);
        push_text(tool, &mut request);
        if let Some(version) = version {
            request.push_str(r#","version":"#);
            push_text(version, &mut request);
        }
        request.push('}');
        let request_hash = ContentHash::of(&request);
        // The arguments stay in the room that they were hashed in.
        request.truncate(end);
        request.replace_range(..BEFORE.len(), "");
        Self {
            arguments: CanonicalJson::written(request),
            request_hash,
            sealed,
            changed: false,
            seed: None,
        }
    }
}

/// Returns the keyed hash of the exact arguments, if their tree rounds a number: other arguments may have the
/// same tree.
fn exact(arguments: &Arguments<'_>, key: &JournalKey) -> Option<ContentHash> {
    let text = arguments.as_text()?;
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

/// The reason why the arguments of a call cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unsealed {
    #[error(transparent)]
    Arguments(#[from] InvalidArguments),
    #[error(transparent)]
    Json(#[from] NotCanonical),
    #[error("the schema of the tool panicked")]
    Panicked,
}

#[cfg(test)]
mod tests;
