//! The rows of `docs/defaults.md` about an executor that is built without a setting, and about what
//! its calls are made of.

use crate::arguments::Arguments;
use crate::event::EventChannel;
use crate::executor::builder::ExecutorBuilder;
use crate::executor::call::nested::MAX_DEPTH;
use crate::executor::catalog::builder::Placement;
use crate::id::ToolName;
use crate::permission::{
    AllowAll, AnyChecker, CallView, DefaultPolicy, PathScope, PermissionEvaluator,
    PermissionRequest, RequestPreview, Verdict,
};
use crate::question::Question;
use crate::registry::ToolRegistry;
use crate::spec::{Effect, ToolAnnotations, ToolSpec};
use crate::ticket::GrantLifetime;
use crate::util::documented::documented_default;

fn unset() -> ExecutorBuilder {
    ExecutorBuilder::new(ToolRegistry::new())
}

/// Returns the first word if it holds, else the second.
fn word(holds: bool, one: &'static str, other: &'static str) -> &'static str {
    if holds { one } else { other }
}

/// Returns a checker's verdicts on tools of each effect and on their possible requests.
fn verdicts(judge: &PermissionEvaluator) -> Vec<Verdict> {
    let name = ToolName::new("tool").unwrap();
    let mut verdicts = Vec::new();
    for effect in [
        Effect::Pure,
        Effect::ReadOnly,
        Effect::Idempotent,
        Effect::AtMostOnce,
    ] {
        for approval in [false, true] {
            let hints = ToolAnnotations::new().with_needs_approval(approval);
            let spec = ToolSpec::new(name.clone(), "A tool.").with_effect(effect);
            let spec = spec.with_annotations(hints);
            verdicts.push(judge.tool(&spec));
            let arguments = Arguments::empty();
            let call = CallView::new(&spec, &arguments);
            for kind in [
                "file.read",
                "file.write",
                "command.run",
                "network.connect",
                "pay",
            ] {
                for place in [PathScope::Inside, PathScope::Outside, PathScope::Unconfined] {
                    let request = PermissionRequest::new(kind, "/a", "A request");
                    let request = request.with_containment(place);
                    verdicts.push(judge.request(&call, &request));
                }
            }
        }
    }
    verdicts
}

fn checker() -> &'static str {
    let of = |checker: AnyChecker| verdicts(&PermissionEvaluator::new(checker, ""));
    let unset = verdicts(&unset().planner.judge);
    assert_ne!(unset, of(AnyChecker::new(AllowAll)));
    word(
        unset == of(AnyChecker::new(DefaultPolicy)),
        "DefaultPolicy",
        "another",
    )
}

/// Returns the features that `Cargo.toml` turns on.
fn features() -> String {
    let mut lines = include_str!("../../../Cargo.toml").lines();
    let line = lines.find_map(|line| line.strip_prefix("default = ["));
    line.unwrap_or_default().replace(['"', ']'], "")
}

// Decisions.
documented_default!("permission checker", checker());

documented_default!("way to ask people", format!("WaitMode::{:?}", unset().mode));

documented_default!(
    "capabilities granted",
    word(unset().planner.grants.is_empty(), "none", "some")
);

documented_default!(
    "scope of a grant",
    format!("GrantLifetime::{:?}", GrantLifetime::default())
);

documented_default!("features", features());

documented_default!(
    "effect of a tool",
    format!("Effect::{:?}", Effect::default())
);

// Time.
documented_default!("timeout of a call", time(unset().planner.timeout));

documented_default!("timeout of a hook", time(unset().hooks.timeout));

documented_default!("grace after a cancellation", time(unset().cancel_grace));

documented_default!("lifetime of a ticket", time(unset().lifetime));

documented_default!(
    "measuring of time",
    word(unset().measures_time, "on", "off")
);

documented_default!(
    "clock, random numbers and ids",
    word(
        unset().environment.clock.is_none() && unset().environment.seed.is_none(),
        "of the system",
        "set"
    )
);

// Sizes.
documented_default!("arguments of a call", bytes(unset().reading.max_bytes));

documented_default!("levels of arguments", unset().reading.max_depth);

documented_default!(
    "result that the model sees",
    bytes(unset().planner.excess.limit)
);

documented_default!("nested calls", with(unset().max_call_depth, "levels"));

documented_default!("most nested calls", with(MAX_DEPTH, "levels"));

documented_default!(
    "answer to a question, free text",
    with(Question::DEFAULT_MAX_LENGTH, "characters")
);

documented_default!("preview of a request", bytes(RequestPreview::LONGEST));

documented_default!("name of a tool", with(ToolName::MAX_LENGTH, "characters"));

documented_default!("events of a channel, at most", EventChannel::MAX_CAPACITY);

// Modes.
documented_default!(
    "repair of arguments",
    word(unset().reading.strict, "off", "on")
);

documented_default!(
    "calls of a tool at a time",
    word(unset().planner.slots.is_empty(), "any number", "some")
);

documented_default!("events", word(unset().sinks.is_empty(), "none", "some"));

#[cfg(feature = "tracing")]
documented_default!("spans", word(unset().trace.is_none(), "none", "some"));

#[cfg(feature = "json-schema")]
documented_default!(
    "output check",
    format!("OutputCheck::{:?}", unset().planner.output_check)
);

// Stores.
documented_default!(
    "tickets and grants",
    word(unset().store.is_none(), "in memory", "set")
);

documented_default!(
    "key of tickets",
    word(unset().key.is_none(), "random", "set")
);

documented_default!(
    "recorder of calls",
    word(unset().recorder.is_none(), "none", "set")
);
documented_default!(
    "dispatcher",
    word(
        matches!(unset().planner.placement, Placement::Nowhere),
        "none",
        "there is one"
    )
);
