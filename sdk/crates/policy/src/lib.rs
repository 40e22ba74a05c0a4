//! Permission policies for [`toolwright`]: rules that say what tools may do, in code and in TOML.
//!
//! A [`PermissionPolicy`] is a [`PermissionChecker`]. It judges tools, calls with their arguments, files, hosts, requests
//! of the app's own, and shell lines, command by command. It explains each verdict, with an advice. It also reads what people [grant](toolwright::ticket::GrantScope)
//! while a session runs: with it, a grant of `git log` covers the lines that run nothing else.
//!
//! ```
//! use std::sync::Arc;
//! use toolwright::{Executor, FileAccess, ToolCall, ToolRegistry, tool};
//! use toolwright_policy::PermissionPolicy;
//!
//! /// Read a text file.
//! #[tool(permission = FileAccess::read(path))]
//! fn read(path: String) -> Result<String, std::io::Error> {
//!     std::fs::read_to_string(path)
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let policy = PermissionPolicy::from_toml(
//!     r#"
//!     default = "ask"
//!
//!     [[deny]]
//!     reason = "secrets stay where they are"
//!     paths = ["secrets"]
//!     "#,
//!     "/srv/app",
//! )?;
//! let policy = Arc::new(policy);
//! let executor = Executor::builder(ToolRegistry::new().with(Read))
//!     .permission_checker(Arc::clone(&policy))
//!     .build()?;
//! let outcome = executor.session("s-1").call(ToolCall::new("read", r#"{"path": "/srv/app/secrets/key"}"#)).await;
//! assert!(outcome.text().contains("secrets stay where they are"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to do | |
//! |---|---|
//! | read a policy | [`PermissionPolicy::load`], [`PermissionPolicy::from_toml`], which lists all keys, [`PermissionPolicy::from_toml_section`] |
//! | make one in code | [`PermissionPolicy::builder`], [`PolicyBuilder`], [`Rule`], [`ArgumentTest`], [`AnnotationTest`], [`DefaultDecision`] |
//! | know which rule decides | [`PermissionPolicy`] |
//! | find mistakes | [`PolicyError`], [`PolicyProblem`], [`RulePlace`] |
//! | ask why | [`PermissionPolicy::explain`]: [`Explanation`], [`Explained`], [`OverriddenRule`] |
//!
//! The commands of a shell line are those of `toolwright-shell`. `toolwright-config` reads a policy from one file with
//! roles and hooks. [toolwright](https://docs.rs/toolwright) has the executor that asks the policy.

// The files:
//
// | from a text to a policy | |
// | `toml_reader`, `load/` | TOML to rules; the reader is for `toolwright-config` too, and outside of semver |
// | `rule`, `builder` | rules as they are declared |
// | `compile`, `compiled` | their patterns, read once |
// | `check`, `fit` | rules that can never decide, by themselves and for an app's tools |
// | `problem` | what is wrong, all at once |
//
// | patterns and tests | |
// | `matching` | what all patterns have in common |
// | `tools`, `argument`, `path/`, `host/`, `command/` | the patterns of each kind of condition |
//
// | from a call to a verdict | |
// | `judge`, `line` | what is judged of a call: requests, and of a shell line each part |
// | `judged` | the judgement on a subject, and the strictest of several |
// | `finding` | the match of a rule with a subject, and its closeness |
// | `order` | which of the rules that do decides |
// | `words` | the verdict's reason |
//
// | grants | |
// | `grants/` | what is granted and refused in a session, as rules |
//
// | why | |
// | `trace`, `explain`, `explanation` | what was judged, and by which rule |
// | `advice` | what would change it |

mod advice;
mod argument;
mod below;
mod builder;
mod check;
mod command;
mod compile;
mod compiled;
mod explain;
mod explanation;
mod finding;
mod fit;
mod git_index;
mod grants;
mod host;
mod judge;
mod judged;
mod kinds;
mod line;
mod line_files;
mod load;
mod matching;
mod order;
mod path;
mod problem;
mod process;
mod repository;
mod rule;
#[doc(hidden)]
pub mod toml_reader;
mod tools;
mod trace;
mod words;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

pub use builder::PolicyBuilder;
pub use explanation::{Explained, Explanation, OverriddenRule};
pub use problem::{PolicyError, PolicyProblem, RulePlace};
pub use rule::{AnnotationName, AnnotationTest, ArgumentTest, DefaultDecision, Rule, RuleVerdict};

use compiled::CompiledRule;
use finding::CallFacts;
use trace::Trace;

use grants::GrantRules;
use toolwright::permission::{CallView, Coverage, GrantQuery, PermissionChecker, Verdict};
use toolwright::ticket::GrantScope;
use toolwright::{PermissionRequest, ToolSpec};

/// A permission checker made of [rules](Rule): what may run, what a person is asked about, and what
/// is denied.
///
/// ```
/// use serde_json::json;
/// use toolwright_policy::{ArgumentTest, DefaultDecision, PermissionPolicy, Rule};
///
/// // Relative paths start at the root.
/// let policy = PermissionPolicy::builder("/srv/app")
///     .default_verdict(DefaultDecision::ReadOnly)
///     .rule(Rule::deny().paths(["secrets", "**/.env"]).because("secrets stay where they are"))
///     .rule(Rule::allow().tools(["fs.*"]).reads(["."]))
///     .rule(Rule::allow().commands(["cargo test", "git log"]).environment(["RUST_LOG"]))
///     .rule(
///         Rule::ask()
///             .tools(["mail.send"])
///             .argument("/to", ArgumentTest::Equals(json!("all"))),
///     )
///     .build()?;
/// # Ok::<(), toolwright_policy::PolicyError>(())
/// ```
///
/// # Which rule decides
///
/// A call is judged as such, and so is each of its requests, and of a shell line each command and
/// each file that the shell opens for it. For each of them:
///
/// 1. A rule that denies it does, whatever other rules say. One of which nobody can tell before
///    the run whether it speaks of it, asks.
/// 2. Among the rules that ask and allow, the most specific decide. A rule is more specific than another if in no kind
///    of condition it names less closely what is judged, and in one more: a condition more than none, a name in full
///    more than its beginning, a longer beginning more than a shorter one, a test of more arguments more than one of
///    fewer, fewer effects, hints or capabilities more than these and others. If several are the most specific and do
///    not agree, or cannot be compared, a person is asked.
/// 3. If no rule is about a request, the verdict of a rule on the call applies to it, or else the
///    [default](PolicyBuilder::default_verdict), which lets no request run but one to read files in the request's own
///    root: see [`DefaultDecision::ReadOnly`]. The default verdict on the call does not count besides the verdicts of
///    rules on its requests: a call runs if each of its requests is allowed by rules.
///
/// Over all of them a denial goes before an ask, and an ask before an allowance. So the order of the
/// rules means nothing, and one more rule that denies never lets anything run that would not.
///
/// A request that leads [outside](toolwright::permission::PathScope::Outside) of what a tool is confined to is denied.
///
/// # Commands
///
/// A shell line is judged as bash reads it, command by command; one that cannot be read asks. Words
/// that name files which a rule forbids deny, whatever the command. The words of a command are
/// what the policy sees; what a program does with them it does not.
#[derive(Clone)]
pub struct PermissionPolicy {
    rules: std::sync::Arc<[CompiledRule]>,
    unmatched: DefaultDecision,
    shared: bool,
    root: PathBuf,
    /// True if a rule speaks of commands that only read.
    looks_at_lists: bool,
    /// True if a rule asks about files or denies them.
    restricts_files: bool,
    grants: std::sync::Arc<GrantRules>,
}

impl PermissionPolicy {
    /// Returns where its rules stand. A tree is a rule, and one that is read-only is two.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &RulePlace> {
        self.rules.iter().map(|rule| &rule.place)
    }

    fn verdict_on(&self, called: &CallFacts<'_>) -> Verdict {
        let judged = self.judge_call(called, &mut Trace::off());
        self.call_verdict(called, &judged)
    }
}

impl PermissionChecker for PermissionPolicy {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        self.verdict_on(&CallFacts::tool(tool))
    }

    fn check_call(&self, call: &CallView<'_>) -> Verdict {
        self.verdict_on(&CallFacts::call(call))
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        let sum = self.judge_request(&CallFacts::call(call), request, &mut Trace::off());
        sum.verdict()
    }

    fn looks_at_arguments(&self, tool: &ToolSpec) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| !rule.arguments.is_empty() && rule.may_speak_of(tool))
    }

    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        false
    }

    fn problems(&self, tools: &[&ToolSpec]) -> Vec<String> {
        fit::problems(&self.rules, self.shared, tools)
    }

    fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        self.granted(grants, query)
    }

    fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        self.refused(refusal, query)
    }
}

impl fmt::Debug for PermissionPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermissionPolicy")
            .field("root", &self.root)
            .field("unmatched", &self.unmatched)
            .field("rules", &self.rules.len())
            .finish_non_exhaustive()
    }
}

// The examples of the guide's page are compiled and run here.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/policies.md")]
struct GuidePage;
