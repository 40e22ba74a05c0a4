//! Decisions for more than one call: the requests that they cover, and all decisions of a session together.
//!
//! A checker says what a grant or a refusal covers; its default is the plain rule.
//!
//! | | |
//! |---|---|
//! | `query` | what a checker is asked, and what it answers |
//! | `coverage`, `refuses` | the plain rule for allowances and refusals |
//! | `path`, `target` | paths and hosts by their text |
//! | `checkers` | the checker of each session |
//! | `includes` | whether one covers whatever another covers |
//! | `digest` | how the same arguments are known again |
//! | `valid` | what is wrong with one that somebody made |
//! | `session` | all that holds in a session |

mod checkers;
mod coverage;
mod digest;
mod includes;
mod path;
mod query;
mod refuses;
mod session;
mod target;
#[cfg(test)]
mod tests;
mod valid;

pub(crate) use checkers::GrantCheckers;
pub(crate) use coverage::is_in_tree;
pub(crate) use digest::arguments_digest;
pub(super) use includes::includes;
pub use query::{Coverage, GrantQuery};
pub(crate) use refuses::may_touch;
pub(crate) use session::{GrantRuling, SessionGrants};
pub(super) use target::host_and_port;
pub(crate) use valid::{check_choice, check_matcher};

use super::PermissionEvaluator;
use crate::ticket::{Grant, GrantLevel};

/// The decision of grants about a request.
enum Ruling<'g> {
    Denied(&'g Grant),
    /// A refusal may cover it.
    Unsure,
    /// These allowances cover it together.
    Allowed(Vec<&'g Grant>),
    Open,
}

/// Refusals count before allowances, and allowances together: several may cover the commands of a line.
fn ruling<'g>(
    judge: &PermissionEvaluator,
    grants: impl IntoIterator<Item = &'g Grant>,
    query: &GrantQuery<'_>,
) -> Ruling<'g> {
    let (refusals, allowances): (Vec<&Grant>, Vec<&Grant>) = grants
        .into_iter()
        .partition(|grant| grant.level() == GrantLevel::Deny);
    let mut unsure = false;
    for grant in refusals {
        match judge.refusal_covers(grant.covers(), query) {
            Coverage::Yes => return Ruling::Denied(grant),
            Coverage::Maybe => unsure = true,
            Coverage::No => {}
        }
    }
    let all: Vec<_> = allowances.iter().map(|grant| grant.covers()).collect();
    if unsure {
        Ruling::Unsure
    } else if judge.grant_covers(&all, query) == Coverage::Yes {
        Ruling::Allowed(allowances)
    } else {
        Ruling::Open
    }
}

/// The grant that decides about a request, if one does: a refusal comes before an allowance, and an allowance does not
/// decide if a refusal may cover the request.
pub(crate) fn deciding<'g>(
    judge: &PermissionEvaluator,
    grants: impl IntoIterator<Item = &'g Grant>,
    query: &GrantQuery<'_>,
) -> Option<&'g Grant> {
    match ruling(judge, grants, query) {
        Ruling::Denied(grant) => Some(grant),
        Ruling::Unsure | Ruling::Open => None,
        Ruling::Allowed(all) => {
            let covers = |grant: &&&Grant| judge.grant_covers(&[grant.covers()], query);
            let alone = all.iter().find(|grant| covers(grant) == Coverage::Yes);
            // If it takes several, the latest one is named as the one that decided.
            alone.or(all.last()).copied()
        }
    }
}
