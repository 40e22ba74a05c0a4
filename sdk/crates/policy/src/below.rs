//! The entries below a directory that a command goes through.
//!
//! A rule may restrict a file that lies anywhere below the directory. The entries are looked up, within a
//! bound, to find such a file. The answer holds for the moment, as for any path, so a line asks if
//! another of its commands may make or move files.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::PermissionPolicy;
use super::compiled::{CompiledRule, RequestCondition};
use super::finding::{CallFacts, Subject, hit};
use super::judged::{Judged, Why, conclude};
use super::matching::Side;
use super::order::RuleMatch;
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
        let (shown, why) = self.look_below(called, top).err()?;
        Some((shown, Judged::new(RuleVerdict::Ask, why)))
    }

    fn look_below<'p>(
        &'p self,
        called: &CallFacts<'_>,
        top: &Top<'_>,
    ) -> Result<(), (String, Why<'p>)> {
        let asks = |shown: &Path, why| (shown.to_string_lossy().into_owned(), why);
        let start = Path::new(top.shown);
        let mut whole = *top.place;
        whole.tree = true;
        let rules = self.speaking_of(called, top, &Names::of(&whole));
        let looks_at_links = top.within.is_some() && top.descent.follows;
        if rules.is_empty() && !looks_at_links {
            return Ok(());
        }
        if (top.changes)() {
            return Err(asks(start, Why::MayChange));
        }
        let mut seen = BTreeSet::new();
        let mut left = vec![(top.place.real.to_owned(), start.to_owned())];
        while let Some((directory, shown)) = left.pop() {
            let entries = match std::fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) if is_closed(&error) => continue,
                Err(_) => return Err(asks(&shown, Why::UnreadBelow)),
            };
            if !seen.insert(directory.clone()) {
                continue;
            }
            for entry in entries {
                let remaining = top.left.get().checked_sub(1);
                let remaining = remaining.ok_or_else(|| asks(start, Why::TooManyBelow))?;
                top.left.set(remaining);
                let entry = entry.map_err(|_| asks(&shown, Why::UnreadBelow))?;
                let path = directory.join(entry.file_name());
                let shown = shown.join(entry.file_name());
                let kind = entry.file_type();
                let kind = kind.map_err(|_| asks(&shown, Why::UnreadBelow))?;
                let target = if kind.is_symlink() && top.descent.follows {
                    match real_path(&path) {
                        Ok(target) => Some(target),
                        Err(error) if is_closed(&error) => None,
                        Err(_) => return Err(asks(&shown, Why::UnreadBelow)),
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
                if let Some(hit) = self.restricted(called, &rules, top.access, &place) {
                    return Err(asks(&shown, Why::Below(hit)));
                }
                let leads_out = target.as_ref().zip(top.within);
                if leads_out.is_some_and(|(target, within)| !target.starts_with(within)) {
                    return Err(asks(&shown, Why::ReadsElsewhere));
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
        Ok(())
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

    /// Returns the rule that denies one entry or asks about it, if one does.
    fn restricted<'p>(
        &'p self,
        called: &CallFacts<'_>,
        rules: &[&'p CompiledRule],
        access: Option<Access>,
        place: &FilePlace<'_>,
    ) -> Option<RuleMatch<'p>> {
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
            Why::Rule(hit) | Why::MayDeny(hit) if judged.class > RuleVerdict::Allow => Some(hit),
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
