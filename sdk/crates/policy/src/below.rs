//! The entries below a directory that a command goes through.
//!
//! A rule may restrict a file that lies anywhere below the directory. The entries are looked up, within a
//! bound, to find such a file. The answer holds for the moment, as for any path, so a line asks if
//! another of its commands may make or move files.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::PermissionPolicy;
use super::compiled::{CompiledRule, RequestCondition};
use super::finding::{CallFacts, Subject, hit};
use super::judged::{Judged, Why, conclude};
use super::matching::Side;
use super::path::Names;
use super::rule::RuleVerdict;
use super::trace::Trace;
use toolwright::permission::{FilePlace, real_path};
use toolwright_shell::{Access, Descent};

/// The most entries that are looked at for one line.
pub(super) const ENTRIES: usize = 10_000;

/// A directory that a command goes through.
pub(super) struct Top<'t> {
    pub(super) place: &'t FilePlace<'t>,
    /// The directory as it is written.
    pub(super) shown: &'t str,
    pub(super) descent: Descent,
    /// `None` if the access is not known.
    pub(super) access: Option<Access>,
    /// The directory that a link below must not lead out of; `None` if a link may lead anywhere.
    pub(super) within: Option<&'t Path>,
    /// Returns true if another command of the line may make or move files.
    pub(super) changes: &'t dyn Fn() -> bool,
    /// The number of entries that may still be looked at.
    pub(super) left: &'t Cell<usize>,
}

impl PermissionPolicy {
    /// Returns why a command that goes through a directory has to ask, and the path that a person reads
    /// about. `None` if nothing below the directory makes it ask.
    pub(super) fn below<'p>(
        &'p self,
        called: &CallFacts<'_>,
        top: &Top<'_>,
    ) -> Option<(String, Judged<'p>)> {
        let asks = |why| Judged::new(RuleVerdict::Ask, why);
        let mut whole = *top.place;
        whole.tree = true;
        let rules = self.speaking_of(called, top, &Names::of(&whole));
        let looks_at_links = top.within.is_some() && top.descent.follows;
        if rules.is_empty() && !looks_at_links {
            return None;
        }
        if (top.changes)() {
            return Some((top.shown.to_owned(), asks(Why::MayChange)));
        }
        let mut seen = BTreeSet::new();
        let mut left = vec![(top.place.real.to_owned(), PathBuf::from(top.shown))];
        while let Some((directory, shown)) = left.pop() {
            let entries = match std::fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) if is_closed(&error) => continue,
                Err(_) => return Some((lossy(&shown), asks(Why::UnreadBelow))),
            };
            if !seen.insert(directory.clone()) {
                continue;
            }
            for entry in entries {
                let Some(remaining) = top.left.get().checked_sub(1) else {
                    return Some((top.shown.to_owned(), asks(Why::TooManyBelow)));
                };
                top.left.set(remaining);
                let Ok(entry) = entry else {
                    return Some((lossy(&shown), asks(Why::UnreadBelow)));
                };
                let path = directory.join(entry.file_name());
                let shown = shown.join(entry.file_name());
                let Ok(kind) = entry.file_type() else {
                    return Some((lossy(&shown), asks(Why::UnreadBelow)));
                };
                let target = if kind.is_symlink() && top.descent.follows {
                    match real_path(&path) {
                        Ok(target) => Some(target),
                        Err(error) if is_closed(&error) => None,
                        Err(_) => return Some((lossy(&shown), asks(Why::UnreadBelow))),
                    }
                } else {
                    None
                };
                let named = top.place.named.and_then(|named| {
                    let rest = path.strip_prefix(top.place.real).ok()?;
                    Some(named.join(rest))
                });
                let mut place = FilePlace::new(target.as_deref().unwrap_or(&path));
                place.named = named.as_deref();
                place.entry = target.is_some().then_some(path.as_path());
                if let Some(judged) = self.restricted(called, &rules, top.access, &place) {
                    return Some((lossy(&shown), judged));
                }
                let leads_out = target.as_ref().zip(top.within);
                if leads_out.is_some_and(|(target, within)| !target.starts_with(within)) {
                    return Some((lossy(&shown), asks(Why::ReadsElsewhere)));
                }
                let leads_on = match &target {
                    Some(target) => target.is_dir(),
                    None => kind.is_dir(),
                };
                if top.descent.deep && leads_on {
                    left.push((place.real.to_owned(), shown));
                }
            }
        }
        None
    }

    /// The rules that ask about something in a tree or deny it.
    fn speaking_of<'p>(
        &'p self,
        called: &CallFacts<'_>,
        top: &Top<'_>,
        names: &Names<'_>,
    ) -> Vec<&'p CompiledRule> {
        let thing = Subject::File {
            access: top.access,
            place: Some(names),
            shown: top.shown,
            is_written: true,
        };
        let restricts = self.rules.iter().filter(|rule| {
            rule.side() == Side::Restrict && matches!(rule.request, RequestCondition::Files(_))
        });
        restricts
            .filter(|rule| hit(rule, called, &thing).is_some())
            .collect()
    }

    /// Returns an ask with the rule that denies one entry or asks about it; `None` if no rule does.
    fn restricted<'p>(
        &'p self,
        called: &CallFacts<'_>,
        rules: &[&'p CompiledRule],
        access: Option<Access>,
        place: &FilePlace<'_>,
    ) -> Option<Judged<'p>> {
        let names = Names::of(place);
        let thing = Subject::File {
            access,
            place: Some(&names),
            shown: "",
            is_written: true,
        };
        if !rules.iter().any(|rule| hit(rule, called, &thing).is_some()) {
            return None;
        }
        let judged = conclude(self.said_of(called, &thing, &mut Trace::off()), || {
            Judged::new(RuleVerdict::Allow, Why::Default)
        });
        match judged.why {
            Why::Rule(hit) | Why::MayDeny(hit) if judged.class > RuleVerdict::Allow => {
                Some(Judged::new(RuleVerdict::Ask, Why::Below(hit)))
            }
            _ => None,
        }
    }
}

/// Returns true if the command cannot go there either.
fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::NotFound | ErrorKind::NotADirectory
    )
}

fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
