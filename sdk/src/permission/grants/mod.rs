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

/// The grant that decides about a request, if one does: a refusal comes before an allowance, and an allowance does not
/// decide if a refusal may cover the request.
pub(crate) fn deciding<'g>(
    judge: &PermissionEvaluator,
    grants: impl IntoIterator<Item = &'g Grant>,
    query: &GrantQuery<'_>,
) -> Option<&'g Grant> {
    let (refusals, allowances): (Vec<&Grant>, Vec<&Grant>) = grants
        .into_iter()
        .partition(|grant| grant.level() == GrantLevel::Deny);
    let mut unsure = false;
    for grant in refusals {
        match judge.refusal_covers(grant.covers(), query) {
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
        .find(|grant| judge.grant_covers(&[grant.covers()], query) == Coverage::Yes);
    if let Some(grant) = one {
        return Some(grant);
    }
    // Several grants together may cover the commands of a line; the latest one is named as the one that decided.
    let all: Vec<_> = allowances.iter().map(|grant| grant.covers()).collect();
    if judge.grant_covers(&all, query) == Coverage::Yes {
        allowances.last().copied()
    } else {
        None
    }
}
