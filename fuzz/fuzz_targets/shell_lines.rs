//! A shell line under a policy: the judge ends within bounds, and says the same in its explanation.

#![no_main]

#[path = "../project.rs"]
mod project;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use project::{Project, shell_call};
use toolwright::permission::Verdict;

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let shipped = include_str!("../../examples/workbench/policies/workbench.toml");
    // It names tools of the workbench that are not here.
    Project::new(&format!("shared = true\n{shipped}")).expect("the shipped policy loads")
});

/// The most that the judge of one line may hold at a time, in bytes.
const MOST: u64 = 64 * 1024 * 1024;

fuzz_target!(|line: &str| {
    let allocations = allocation_counter::measure(|| judge(line));
    assert!(
        allocations.bytes_max <= MOST,
        "{} bytes for {line:?}",
        allocations.bytes_max
    );
});

fn judge(line: &str) {
    let session = PROJECT.executor.session("fuzz");
    let Ok(preview) = session.preview(&shell_call(line)) else {
        return;
    };
    let explanation = PROJECT.policy.explain(&preview.call(), preview.requests());
    let kind = |verdict: &Verdict| std::mem::discriminant(verdict);
    assert_eq!(
        kind(preview.verdict()),
        kind(&explanation.verdict),
        "the explanation of {line:?} is not its verdict"
    );
    let _ = explanation.to_string();
}
