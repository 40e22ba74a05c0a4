//! The rules of grants that were asked about last: making them takes longer than asking them.

use std::sync::{Arc, Mutex, PoisonError};

use super::rules::Rules;
use crate::RuleVerdict;
use toolwright::ticket::GrantScope;

/// The most sets of grants whose rules are kept, of allowances and of refusals each: a session has one set of
/// allowances, and several sessions go by one policy.
const KEPT: usize = 32;

/// The rules of some grants.
#[derive(Debug, Default)]
pub(in super::super) struct GrantRules {
    allowing: Recent,
    refusing: Recent,
}

impl GrantRules {
    /// The rules of allowances that hold together, or of one refusal.
    pub(super) fn of(&self, verdict: RuleVerdict, grants: &[&GrantScope]) -> Arc<Rules> {
        let Recent(recent) = match verdict {
            RuleVerdict::Allow => &self.allowing,
            _ => &self.refusing,
        };
        let same = |(of, _): &(Vec<GrantScope>, _)| {
            of.len() == grants.len() && of.iter().zip(grants).all(|(one, other)| one == *other)
        };
        let mut kept = recent.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = if let Some(at) = kept.iter().position(same) {
            kept.remove(at)
        } else {
            // Rules look at directories, which takes a while.
            drop(kept);
            let rules = Arc::new(Rules::new(verdict, grants));
            kept = recent.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            (grants.iter().map(|grant| (*grant).clone()).collect(), rules)
        };
        let rules = Arc::clone(&entry.1);
        kept.push(entry);
        rules
    }
}

/// The last ones, the latest at the end.
#[derive(Debug, Default)]
struct Recent(Mutex<Vec<(Vec<GrantScope>, Arc<Rules>)>>);
