//! The facts that a permission checker gives about a tool before any call of it.

use std::collections::HashMap;

use crate::executor::guard::catch_tool_panic;
use crate::permission::{PermissionEvaluator, Verdict};
use crate::registry::{ToolEntry, ToolSnapshot, address};
use crate::spec::{Effect, ToolSpec};

/// The checker's verdict on a tool before any call of it.
#[derive(Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the tool"
)]
pub(crate) struct ToolVerdict {
    /// On the tool itself.
    pub(crate) verdict: Verdict,
    /// True if the verdict may depend on arguments.
    pub(crate) looks_at_arguments: bool,
    /// The verdict on the call takes the place of that on the tool.
    pub(crate) looks_at_call: bool,
    /// True if only the requests of a call are judged.
    pub(crate) lets_run: bool,
    pub(crate) is_pure: bool,
}

impl ToolVerdict {
    pub(crate) fn new(judge: &PermissionEvaluator, spec: &ToolSpec) -> Self {
        let verdict = judge.tool(spec);
        // A tool that never runs has no calls to look at.
        let may_run = !verdict.is_final_denial();
        let looks_at_arguments = may_run && judge.looks_at_arguments(spec);
        let looks_at_call = looks_at_arguments || (may_run && judge.looks_at_caller(spec));
        Self {
            lets_run: matches!(verdict, Verdict::Allow) && !looks_at_call,
            looks_at_arguments,
            looks_at_call,
            verdict,
            is_pure: spec.effect() == Effect::Pure,
        }
    }

    /// The knowledge about a tool that cannot say what it is: no call of it runs.
    pub(crate) fn denied() -> Self {
        Self {
            verdict: Verdict::deny("the tool cannot say what it is"),
            looks_at_arguments: false,
            looks_at_call: false,
            lets_run: false,
            is_pure: false,
        }
    }
}

/// A checker's verdicts on all tools of an executor, before any call of them.
pub(crate) struct Verdicts {
    by_tool: HashMap<usize, ToolVerdict>,
    problems: Vec<String>,
}

impl Verdicts {
    pub(crate) fn new(judge: &PermissionEvaluator, tools: &ToolSnapshot) -> Self {
        let entries = tools.entries();
        let specs = entries.iter().filter_map(|entry| {
            let spec = catch_tool_panic("the tool", || entry.tool.spec()).ok()?;
            Some((address(&entry.tool).addr(), spec))
        });
        let specs: Vec<_> = specs.collect();
        let judged = specs
            .iter()
            .map(|(tool, spec)| (*tool, ToolVerdict::new(judge, spec)));
        let by_tool = judged.collect();
        let specs: Vec<_> = specs.into_iter().map(|(_, spec)| spec).collect();
        Self {
            by_tool,
            problems: judge.problems(&specs),
        }
    }

    pub(crate) fn of(&self, entry: &ToolEntry) -> ToolVerdict {
        let known = self.by_tool.get(&address(&entry.tool).addr());
        known.cloned().unwrap_or_else(ToolVerdict::denied)
    }

    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }
}
