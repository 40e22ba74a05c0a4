//! The digest by which the same arguments are known again.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::message::Arguments;
use crate::pending::{Digest, Purpose, TicketKey};
use crate::spec::ToolSpec;

/// Of the arguments of a call: keyed, since they may hold secrets that can be guessed. Nothing where
/// they have no canonical form, so that nothing is the same.
///
/// Both forms go in: the canonical one, which says what the tool sees but for secrets, and what was
/// sent, in which the secrets are.
pub(crate) fn arguments_digest(
    key: &TicketKey,
    spec: &ToolSpec,
    arguments: &Arguments<'_>,
) -> Option<Digest> {
    let canonical = arguments.canonical(spec).ok()?.to_string();
    let sent = arguments.to_value().ok()?;
    let mut bytes = Vec::new();
    for part in [spec.name().as_str(), &canonical] {
        // With its length in front, so that no two lists of parts run together alike.
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    write_sorted(&sent, &mut bytes);
    Some(key.sign(Purpose::GrantedArguments, &bytes))
}

/// JSON with the members of each object by name. The canonical form has bounded how deep it nests.
fn write_sorted(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<&String, &Value> = members.iter().collect();
            bytes.push(b'{');
            for (name, value) in members {
                bytes.extend(Value::from(name.as_str()).to_string().bytes());
                bytes.push(b':');
                write_sorted(value, bytes);
                bytes.push(b',');
            }
            bytes.push(b'}');
        }
        Value::Array(items) => {
            bytes.push(b'[');
            for item in items {
                write_sorted(item, bytes);
                bytes.push(b',');
            }
            bytes.push(b']');
        }
        plain => bytes.extend(plain.to_string().bytes()),
    }
}
