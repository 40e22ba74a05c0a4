//! The name and description of a tool.

use super::{Findings, LintKind};
use crate::id::ToolName;
use crate::registry::{ToolRegistry, wire};

/// A description of fewer bytes says nothing. In bytes, because the scripts that need more of them
/// for a character say more with it.
const SHORTEST: usize = 10;

/// The most characters that every provider allows in a description.
const LONGEST: usize = 1024;

/// Looks at what a model sees in place of the name.
pub(super) fn check_name(registry: &ToolRegistry, wire: &str, findings: &mut Findings<'_>) {
    let name = findings.tool;
    let length = name.as_str().len();
    if length > wire::LENGTH {
        let message = format!(
            "has a name of {length} characters, and providers allow {}: a model sees `{wire}`, so \
             shorten it",
            wire::LENGTH
        );
        findings.add("", LintKind::ToolName, message);
        return;
    }
    let wanted = name.as_str().replace('.', "_");
    if wanted == wire {
        return;
    }
    let same = |other: &&ToolName| *other != name && other.as_str().replace('.', "_") == wanted;
    let by_name = registry.tools.keys().find(same);
    let by_alias = || {
        let mut aliases = registry.aliases.iter();
        aliases.find(|(alias, _)| alias.as_str() == wanted)
    };
    let Some(other) = by_name.or_else(|| by_alias().map(|(_, tool)| tool)) else {
        return;
    };
    let message = format!(
        "providers allow no dots, and `{wanted}` may be the tool `{other}` as well: a model sees \
         `{wire}`, so rename one of the two"
    );
    findings.add_between(other, LintKind::ToolName, message);
}

pub(super) fn check_description(description: &str, findings: &mut Findings<'_>) {
    let text = description.trim();
    let length = text.chars().count();
    let message = if text.is_empty() {
        "has no description, by which a model decides whether to call it: write one".to_owned()
    } else if text.len() < SHORTEST {
        format!(
            "has the description {text:?}, which is too short to choose by: say what the tool does"
        )
    } else if length > LONGEST {
        format!(
            "has a description of {length} characters, and providers allow {LONGEST}: shorten it, \
             or move parts of it to the arguments"
        )
    } else {
        return;
    };
    findings.add("", LintKind::Description, message);
}
