//! What was decided once for more than one call: whether it speaks of a request, and what all of it
//! comes to in a session.
//!
//! | | |
//! |---|---|
//! | `coverage`, `refuses` | whether an allowance or a refusal covers a request, by the two alone |
//! | `path`, `target` | paths and hosts by their text |
//! | `rules` | grants as rules of a policy, which reads shell lines |
//! | `reach` | words by which a command goes beyond how it begins |
//! | `includes` | whether one covers whatever another covers |
//! | `digest` | how the same arguments are known again |
//! | `valid` | what is wrong with one that somebody made |
//! | `session` | all that holds in a session |

mod coverage;
mod digest;
mod includes;
mod path;
mod reach;
mod refuses;
#[cfg(feature = "policy")]
mod rules;
mod session;
mod target;
#[cfg(test)]
mod tests;
mod valid;

pub(crate) use coverage::{Coverage, Subject, is_in_tree};
pub(crate) use digest::arguments_digest;
pub(super) use includes::includes;
pub(crate) use refuses::may_touch;
pub(crate) use session::{GrantRuling, SessionGrants};
pub(super) use target::host_and_port;
pub(crate) use valid::{check_choice, check_matcher};

use crate::spec::ToolSpec;
use crate::ticket::{Grant, GrantLevel, GrantScope};

/// How surely something that was decided speaks of a request: an allowance of what it surely covers,
/// a refusal also of what it may.
pub(crate) fn coverage(
    covers: &GrantScope,
    level: GrantLevel,
    spec: &ToolSpec,
    subject: &Subject<'_>,
) -> Coverage {
    match level {
        GrantLevel::Deny => Refusal::new(covers).coverage(spec, subject),
        GrantLevel::Allow if Allowances::new([covers]).cover(spec, subject) => Coverage::Yes,
        GrantLevel::Allow => Coverage::No,
    }
}

/// Which of some grants that hold decides about a request, if one does: a refusal before an
/// allowance, and no allowance where a refusal may speak of it.
pub(crate) fn deciding<'g>(
    grants: impl IntoIterator<Item = &'g Grant>,
    spec: &ToolSpec,
    subject: &Subject<'_>,
) -> Option<&'g Grant> {
    let (refusals, allowances): (Vec<&Grant>, Vec<&Grant>) = grants
        .into_iter()
        .partition(|grant| grant.level() == GrantLevel::Deny);
    let mut unsure = false;
    for grant in refusals {
        match Refusal::new(grant.covers()).coverage(spec, subject) {
            Coverage::Yes => return Some(grant),
            Coverage::Maybe => unsure = true,
            Coverage::No => {}
        }
    }
    if unsure {
        return None;
    }
    let one = allowances
        .iter()
        .find(|grant| coverage(grant.covers(), GrantLevel::Allow, spec, subject) == Coverage::Yes);
    if let Some(grant) = one {
        return Some(grant);
    }
    // The commands of a line may be covered by several; the last that was given made it whole.
    let all = Allowances::new(allowances.iter().map(|grant| grant.covers()));
    if all.cover(spec, subject) {
        allowances.last().copied()
    } else {
        None
    }
}

/// One grant that refuses.
#[derive(Debug)]
struct Refusal {
    covers: GrantScope,
    #[cfg(feature = "policy")]
    rules: rules::Rules,
}

impl Refusal {
    fn new(covers: &GrantScope) -> Self {
        Self {
            covers: covers.clone(),
            #[cfg(feature = "policy")]
            rules: rules::Rules::refusing([covers]),
        }
    }

    #[cfg_attr(
        not(feature = "policy"),
        expect(unused_variables, reason = "rules are judged for a tool")
    )]
    fn coverage(&self, spec: &ToolSpec, subject: &Subject<'_>) -> Coverage {
        let found = refuses::refuses(&self.covers, subject);
        #[cfg(feature = "policy")]
        let found = match found {
            Coverage::Yes => found,
            _ => found.max(self.rules.coverage(spec, subject)),
        };
        found
    }
}

/// Grants that allow: each for itself, and for the commands of a line together.
#[derive(Debug)]
struct Allowances {
    each: Vec<GrantScope>,
    #[cfg(feature = "policy")]
    rules: rules::Rules,
}

impl Allowances {
    fn new<'g>(grants: impl IntoIterator<Item = &'g GrantScope>) -> Self {
        let each: Vec<GrantScope> = grants.into_iter().cloned().collect();
        Self {
            #[cfg(feature = "policy")]
            rules: rules::Rules::allowing(&each),
            each,
        }
    }

    #[cfg_attr(
        not(feature = "policy"),
        expect(unused_variables, reason = "rules are judged for a tool")
    )]
    fn cover(&self, spec: &ToolSpec, subject: &Subject<'_>) -> bool {
        if self
            .each
            .iter()
            .any(|covers| coverage::allows(covers, subject))
        {
            return true;
        }
        #[cfg(feature = "policy")]
        let together =
            subject.is_command() && !subject.is_outside() && self.cover_line(spec, subject);
        #[cfg(not(feature = "policy"))]
        let together = false;
        together
    }

    /// Whether together they cover each command of a line, and each file that the shell opens.
    #[cfg(feature = "policy")]
    fn cover_line(&self, spec: &ToolSpec, subject: &Subject<'_>) -> bool {
        let request = subject.request;
        let here = || {
            let each = self.each.iter();
            each.filter(|covers| coverage::starts_there(covers, request))
        };
        let covered = if here().count() == self.each.len() {
            self.rules.coverage(spec, subject)
        } else {
            rules::Rules::allowing(here()).coverage(spec, subject)
        };
        covered == Coverage::Yes && !reach::line_reaches_further(request, here())
    }
}
