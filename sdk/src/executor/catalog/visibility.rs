//! The choice of the executor's tools that a session has.

use std::sync::Arc;

use crate::content::ToolError;
use crate::executor::catalog::capabilities::Unequipped;
use crate::executor::catalog::capabilities::unequipped_here;
use crate::executor::catalog::tools::{Absence, CatalogScope};
use crate::executor::catalog::tools::{Catalog, ToolPlan};
use crate::registry::{
    Candidate, FeatureGate, RoleRules, Selector, SelectorChoice, ToolEntry, UnavailableReason,
};
use crate::spec::CapabilityGrant;

/// The most names of removed tools that are kept to be told of.
const REMOVED: usize = 1_000;

/// The selection of a session's tools.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrowing {
    pub(crate) tools: Option<Selector>,
    pub(crate) rules: Vec<RoleRules>,
    pub(crate) gates: Vec<FeatureGate>,
    /// The capabilities that are granted at most.
    pub(crate) capabilities: Option<Arc<[CapabilityGrant]>>,
}

/// The decision on one tool.
enum Visibility {
    Kept,
    Withheld(UnavailableReason),
    /// With the message for a model that calls it.
    Barred(UnavailableReason, Option<Absence>),
}

impl Narrowing {
    pub(crate) fn is_none(&self) -> bool {
        self.tools.is_none()
            && self.rules.is_empty()
            && self.gates.is_empty()
            && self.capabilities.is_none()
    }

    /// The catalog below one, of all the tools that there are.
    pub(crate) fn apply(&self, whole: &Catalog, parent: &Catalog) -> Catalog {
        let mut kept = Vec::new();
        let of_parent = parent.scope.capabilities.iter();
        let mut scope = CatalogScope {
            capabilities: of_parent.chain(&self.capabilities).cloned().collect(),
            verdicts: parent.scope.verdicts.clone(),
            ..CatalogScope::default()
        };
        scope
            .availability
            .problems
            .clone_from(&parent.scope.availability.problems);
        let entries = whole.snapshot.entries().iter();
        let candidates: Vec<Candidate<'_>> = entries
            .clone()
            .zip(whole.plans())
            .map(|(entry, plan)| Candidate::new(entry, plan.explicit_only))
            .collect();
        for (number, (entry, tool)) in entries.zip(&candidates).enumerate() {
            let why = match self.fate(entry, *tool, parent) {
                Visibility::Kept => {
                    kept.push(number);
                    continue;
                }
                Visibility::Withheld(why) => why,
                Visibility::Barred(why, off) => {
                    scope.barred.insert(entry.name.clone(), why.clone());
                    if let Some(off) = off {
                        let names = entry.names();
                        scope
                            .absent
                            .extend(names.map(|name| (name.into(), off.clone())));
                    }
                    why
                }
            };
            // A tool in several versions is listed once.
            if !entry.older {
                scope.availability.withheld.push((entry.name.clone(), why));
            }
        }
        let of_rules = self.rules.iter().flat_map(RoleRules::selectors);
        let of_gates = self.gates.iter().map(FeatureGate::tools);
        let selectors = self.tools.iter().chain(of_rules).chain(of_gates);
        scope.availability.unmatched = selectors
            .flat_map(|selector| selector.unmatched(&candidates))
            .collect();
        whole.subset(&kept, scope)
    }

    fn fate(&self, entry: &ToolEntry, tool: Candidate<'_>, parent: &Catalog) -> Visibility {
        let parent_has = parent.snapshot.has(entry);
        let is_never = self.rules.iter().any(|rules| rules.never.covers(&tool));
        let closed = self.gates.iter().filter(|gate| gate.closes(&tool));
        let mut closed = closed.peekable();
        let why = match (parent.scope.barred.get(&entry.name), closed.peek()) {
            (Some(why), _) => why.clone(),
            (None, Some(gate)) => UnavailableReason::FeatureOff {
                feature: gate.name().to_owned(),
                reason: gate.reason().unwrap_or_default().to_owned(),
            },
            (None, None) if is_never => UnavailableReason::ByRole,
            (None, None) => {
                return match self.chosen(entry, tool, parent_has) {
                    Ok(()) => Visibility::Kept,
                    Err(why) => Visibility::Withheld(why),
                };
            }
        };
        // A message is about a tool that would be there if its feature were on.
        let told_by_parent = parent.scope.absent.get(entry.name.as_str());
        let told_by_parent = told_by_parent.filter(|absence| matches!(absence, Absence::Off(_)));
        let parent_has = parent_has || told_by_parent.is_some();
        let would_have =
            !is_never && entry.is_advertised() && self.chosen(entry, tool, parent_has).is_ok();
        let own = closed.find_map(FeatureGate::message);
        let own = own.map(|message| Absence::Off(message.to_owned()));
        let message = own.or_else(|| told_by_parent.cloned());
        Visibility::Barred(why, message.filter(|_| would_have))
    }

    /// Decides on a tool that nothing bars.
    fn chosen(
        &self,
        entry: &ToolEntry,
        mut tool: Candidate<'_>,
        parent_has: bool,
    ) -> Result<(), UnavailableReason> {
        if self
            .rules
            .iter()
            .any(|rules| rules.always.choose(&tool) == SelectorChoice::Selected)
        {
            return Ok(());
        }
        if !parent_has {
            return Err(UnavailableReason::NotSelected);
        }
        let wants_name = self
            .rules
            .iter()
            .any(|rules| rules.explicit_only.covers(&tool));
        tool.explicit_only |= wants_name;
        let Some(selector) = &self.tools else {
            // The session around this one has made the choice.
            return if wants_name {
                Err(UnavailableReason::ExplicitOnly)
            } else {
                Ok(())
            };
        };
        match selector.choose(&tool) {
            SelectorChoice::Selected => Ok(()),
            SelectorChoice::Denied => Err(UnavailableReason::Denied),
            // Selectors are of the app's tools that models see; what is for the app alone is for what
            // they see too, and so is what reads on where a result was cut.
            SelectorChoice::Left | SelectorChoice::NotNamed if entry.own || !entry.advertised => {
                Ok(())
            }
            SelectorChoice::Left => Err(UnavailableReason::NotSelected),
            SelectorChoice::NotNamed => Err(UnavailableReason::ExplicitOnly),
        }
    }
}

impl Catalog {
    /// Notes what was there before.
    pub(crate) fn note_removed(&mut self, before: &Self) {
        let is_gone = |name: &str| self.snapshot.find(name).is_none();
        let entries = before.snapshot.entries().iter();
        let advertised = entries.filter(|entry| entry.is_advertised());
        let removed: Vec<&str> = advertised
            .flat_map(ToolEntry::names)
            .filter(|name| is_gone(name))
            .collect();
        let before = before.scope.absent.iter();
        let earlier: Vec<&str> = before
            .filter(|(name, absence)| matches!(absence, Absence::Removed) && is_gone(name))
            .map(|(name, _)| &**name)
            .collect();
        // If there are too many, the last ones matter most.
        let room = REMOVED.saturating_sub(removed.len());
        let earlier = if earlier.len() <= room {
            earlier
        } else {
            Vec::new()
        };
        for name in removed.into_iter().chain(earlier) {
            let absent = self.scope.absent.entry(name.into());
            absent.or_insert(Absence::Removed);
        }
    }

    fn subset(&self, numbers: &[usize], scope: CatalogScope) -> Self {
        let plans = numbers.iter().map(|number| {
            let mut plan = self.plan(*number).clone();
            let entry = self.entry(*number);
            if !scope.capabilities.is_empty() {
                let equipment = plan.unequipped.map(Unequipped::into_parts);
                let (of_executor, resources) = equipment.unwrap_or_default();
                let capabilities = unequipped_here(entry, of_executor, &scope.capabilities);
                plan.unequipped = Unequipped::new(capabilities, resources);
            }
            if let Some(verdicts) = &scope.verdicts {
                plan.foreknown = verdicts.of(entry);
            }
            plan
        });
        let plans: Vec<ToolPlan> = plans.collect();
        Self::with_scope(self.snapshot.subset(numbers).into(), plans, scope)
    }

    /// Returns the error of a call whose tool is not there.
    #[cold]
    pub(crate) fn not_there(&self, called: &str, shown: &str) -> ToolError {
        match self.scope.absent.get(called) {
            None => ToolError::unknown_tool(shown, self.snapshot.nearest(called)),
            Some(Absence::Removed) => ToolError::not_found(format!(
                "there is no tool `{shown}` any more: it was removed while this went on; go by the \
                 tools that are there now"
            ))
            .with_code("tool_removed"),
            Some(Absence::Off(message)) => {
                ToolError::not_found(format!("the tool `{shown}` is not available: {message}"))
                    .with_code("feature_off")
            }
        }
    }
}
