//! The digest by which the same arguments are known again.

use crate::arguments::Arguments;
use crate::spec::ToolSpec;
use crate::ticket::{KeyPurpose, KeyedDigest, TicketKey};

/// The digest of a call's arguments: keyed, because they may hold secrets that can be guessed. `None` if they have no
/// canonical form, so that no other arguments are the same.
///
/// Both forms go in: the canonical one, which says what the tool sees but for secrets, and what was
/// sent, in which the secrets are.
pub(crate) fn arguments_digest(
    key: &TicketKey,
    spec: &ToolSpec,
    arguments: &Arguments<'_>,
) -> Option<KeyedDigest> {
    let canonical = arguments.canonical(spec).ok()?.to_string();
    // Sorting recurses, and the canonical form above has bounded the depth.
    let mut sent = arguments.to_value().ok()?.into_owned();
    sent.sort_all_objects();
    let mut bytes = Vec::new();
    for part in [spec.name().as_str(), &canonical, &sent.to_string()] {
        // The length in front of each part keeps two different lists from giving the same bytes.
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    Some(key.sign(KeyPurpose::GrantedArguments, &bytes))
}
