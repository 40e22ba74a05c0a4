//! Arguments that a person wrote over those of a call.

use serde_json::{Map, Value};

use crate::arguments::{Arguments, CanonicalArguments};
use crate::spec::ToolSpec;
use crate::util::nesting;
use crate::util::nesting::DEPTH;
use crate::util::pointer::push_key;

/// Edited arguments, which are in canonical form, as the tool takes them: what stands for a secret is
/// the secret that the call had there.
///
/// The error is for whoever edited.
pub(crate) fn restored(
    edited: &Value,
    before: &Arguments<'_>,
    spec: &ToolSpec,
) -> Result<Value, String> {
    if nesting::of_tree(edited, DEPTH) > DEPTH {
        return Err(format!("the arguments nest deeper than {DEPTH} levels"));
    }
    let sent = before
        .to_value()
        .map_err(|_| "the arguments of the call have no form that could be edited".to_owned())?;
    let aliases = spec.argument_aliases();
    let own_name = |name: &String| {
        let alias = aliases.iter().find(|(alias, _)| alias == name);
        alias.map_or_else(|| name.clone(), |(_, own)| (*own).to_owned())
    };
    let own = match &*sent {
        Value::Object(members) => {
            let members = members.iter();
            Value::Object(
                members
                    .map(|(name, value)| (own_name(name), value.clone()))
                    .collect(),
            )
        }
        other => other.clone(),
    };
    value(edited, Some(&own), &mut String::new())
}

fn value(edited: &Value, before: Option<&Value>, at: &mut String) -> Result<Value, String> {
    let length = at.len();
    match edited {
        Value::Object(members) if CanonicalArguments::is_secret(edited) => {
            if members.len() > 1 || members.values().any(|value| *value != Value::Bool(true)) {
                return Err(format!(
                    "`{at}`: `$secret` is no name of an argument; `{{\"$secret\": true}}` stands for \
                     a secret of the call"
                ));
            }
            before
                .cloned()
                .ok_or_else(|| format!("`{at}`: the call has no secret there to stand for"))
        }
        Value::Object(members) => {
            let mut kept = Map::new();
            for (shown, edited) in members {
                let name = sent_name(shown);
                push_key(at, shown);
                let before = before.and_then(|before| before.get(name));
                kept.insert(name.to_owned(), value(edited, before, at)?);
                at.truncate(length);
            }
            Ok(Value::Object(kept))
        }
        Value::Array(items) => {
            let mut kept = Vec::with_capacity(items.len());
            for (index, edited) in items.iter().enumerate() {
                push_key(at, &index.to_string());
                let before = before.and_then(|before| before.get(index));
                kept.push(value(edited, before, at)?);
                at.truncate(length);
            }
            Ok(Value::Array(kept))
        }
        plain => Ok(plain.clone()),
    }
}

/// The name that a member has in the arguments; a canonical form shows some with a `$` more.
fn sent_name(shown: &str) -> &str {
    match shown.strip_suffix(CanonicalArguments::SECRET) {
        Some(before) if !before.is_empty() && before.bytes().all(|byte| byte == b'$') => {
            &shown[1..]
        }
        _ => shown,
    }
}
