//! The choice of the form of each tool, so that a request stays within the limits of its API.

use std::sync::Arc;

use super::report::TooMany;
use super::{ListReport, NotStrict, ShownForm, ShownTool, ToolReport};
use crate::Api;
use crate::schema::{Converted, Loss, SchemaCost};

/// The tools of a list, the form of each, and the differences to the tools themselves.
pub(super) struct Choice {
    pub(super) tools: Vec<Arc<ShownTool>>,
    pub(super) forms: Vec<ShownForm>,
    pub(super) report: ListReport,
}

/// Counts in a schema what a request may have so much of.
type Countable = fn(&SchemaCost) -> u32;

/// The choice for one tool.
struct Chosen {
    tool: Arc<ShownTool>,
    form: ShownForm,
    not_strict: Option<NotStrict>,
}

impl Chosen {
    fn converted(&self) -> Option<&Converted> {
        self.tool.schema(self.form)?.as_ref().ok()
    }

    fn losses(&self) -> &[Loss] {
        self.converted().map_or(&[], |converted| &converted.losses)
    }
}

/// Chooses the narrow form for each tool that has it, as long as the strict tools of the request stay within the limits
/// together. Where they do not, the tools that have most of what is limited are shown in the general form.
pub(super) fn choose(api: Api, tools: Vec<Arc<ShownTool>>) -> Choice {
    let mut report = ListReport::default();
    let mut chosen = Vec::with_capacity(tools.len());
    for tool in tools {
        let (form, not_strict) = match tool.schema(ShownForm::Narrow) {
            Some(Ok(_)) => (ShownForm::Narrow, None),
            Some(Err(why)) => (
                ShownForm::General,
                Some(NotStrict::Unrepresentable(why.clone())),
            ),
            None => (ShownForm::General, None),
        };
        if form == ShownForm::General
            && let Some(Err(why)) = tool.schema(form)
        {
            report.left_out.push((tool.name.clone(), why.clone()));
        } else {
            chosen.push(Chosen {
                tool,
                form,
                not_strict,
            });
        }
    }
    let limits = api.limits();
    let limited: [(_, _, Countable); 3] = [
        ("tools", limits.strict_tools, |_| 1),
        ("optional properties", limits.optional_properties, |cost| {
            cost.optional
        }),
        (
            "properties with several types",
            limits.union_properties,
            |cost| cost.unions,
        ),
    ];
    for (what, limit, cost) in limited {
        if let Some(limit) = limit {
            keep_within(&mut chosen, what, limit.most, cost);
        }
    }
    report.too_many = limits.tools.and_then(|limit| {
        let limit = limit.most;
        let tools = chosen.len();
        let exceeded = u32::try_from(tools).is_ok_and(|tools| tools > limit);
        exceeded.then_some(TooMany { tools, limit })
    });
    let told = chosen.iter().filter_map(|chosen| {
        let told = chosen.not_strict.is_some() || !chosen.losses().is_empty();
        told.then(|| ToolReport {
            name: chosen.tool.name.clone(),
            not_strict: chosen.not_strict.clone(),
            losses: chosen.losses().to_vec(),
        })
    });
    report.tools = told.collect();
    Choice {
        forms: chosen.iter().map(|chosen| chosen.form).collect(),
        tools: chosen.into_iter().map(|chosen| chosen.tool).collect(),
        report,
    }
}

/// Takes the strict mode from the tools that have most of a countable, until the others keep the limit. Of two that have
/// as much, the one with the larger schema and then the last by name loses it.
fn keep_within(chosen: &mut [Chosen], what: &'static str, limit: u32, cost: Countable) {
    let cost_of = |one: &Chosen| {
        let narrow = one.converted().filter(|_| one.form == ShownForm::Narrow);
        narrow.map_or(0, |converted| cost(&converted.cost))
    };
    let mut total: u64 = chosen.iter().map(|one| u64::from(cost_of(one))).sum();
    let mut largest: Vec<usize> = (0..chosen.len()).collect();
    largest.sort_by_key(|at| {
        let one = chosen.get(*at);
        one.map(|one| (cost_of(one), one.tool.fragment(one.form).len(), *at))
    });
    while total > u64::from(limit) {
        let Some(one) = largest.pop().and_then(|at| chosen.get_mut(at)) else {
            return;
        };
        total -= u64::from(cost_of(one));
        // A tool that has no general form stays as it is.
        if matches!(one.tool.schema(ShownForm::General), Some(Ok(_))) && cost_of(one) > 0 {
            one.form = ShownForm::General;
            one.not_strict = Some(NotStrict::OverLimit { what, limit });
        }
    }
}
