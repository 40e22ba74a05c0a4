//! The input of a call as a journal has it: secrets as keyed hashes.

use std::fmt::Write;
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
        let mut sealed = false;
        let seal = |secret: &Value| {
            sealed = true;
            // The tree of a secret has a text.
            let text = CanonicalJson::of(secret).map(|json| key.hash(json.as_str()));
            let hash = text.map_or(Value::Bool(true), |hash| json!(hash));
            json!({ CanonicalArguments::SECRET: hash })
        };
        // The schema is the tool's, and may panic where it is made.
        let canonical = catch_unwind(AssertUnwindSafe(|| arguments.canonical_with(spec, seal)));
        let canonical = canonical.map_err(|_| Unsealed::Panicked)??;
        let exact = exact(arguments, key);
        sealed |= exact.is_some();
        let arguments = CanonicalJson::of(&canonical)?;
        Ok(Self::new(arguments, exact, tool, spec.version(), sealed))
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
        let text = arguments.as_str();
        let mut request = String::with_capacity(text.len() + tool.len() + 128);
        request.push_str(r#"{"arguments":"#);
        request.push_str(text);
        if let Some(hash) = exact {
            // A `String` takes all that is written to it.
            let _ = write!(request, r#","exact":"{hash}""#);
        }
        request.push_str(r#","tool":"#);
        push_text(tool, &mut request);
        if let Some(version) = version {
            request.push_str(r#","version":"#);
            push_text(version, &mut request);
        }
        request.push('}');
        Self {
            arguments,
            request_hash: ContentHash::of(request),
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
