//! Who may do what: requests, the checker that judges them, files and commands.

mod additions;
mod any_checker;
mod async_checker;
mod call;
mod checker;
mod command;
mod default;
mod file;
mod grants;
mod host;
mod judge;
#[cfg(feature = "policy")]
mod policy;
mod preview;
mod registry;
mod request;
mod trust;

pub(crate) use any_checker::AnyChecker;
pub use async_checker::AsyncPermissionChecker;
pub use call::CallView;
pub(crate) use call::Caller;
pub use checker::{AllowAll, Ask, DefaultPolicy, Denial, DenyAll, PermissionChecker, Verdict};
pub use command::CommandAccess;
pub use file::FileAccess;
pub(crate) use grants::{
    GrantRuling, SessionGrants, Subject, arguments_digest, check_choice, deciding, is_in_tree,
    may_touch,
};
pub use host::HostAccess;
pub(crate) use judge::{Asking, Judge, Ruling, TOOL_CALL, UNATTENDED_HINT, call_of};
#[cfg(feature = "policy")]
pub use policy::{
    ArgumentTest, Change, Explained, Explanation, Hint, HintName, Outweighed, PermissionPolicy,
    PolicyBuilder, PolicyError, Problem, Rule, RulePlace, RuleVerdict, Unmatched,
};
pub use preview::{RequestPreview, RequestPreviewKind};
pub use registry::{Granting, PendingApproval, PendingAsk, PermissionReceiver, PermissionRegistry};
pub use request::{Containment, IntoRequests, PermissionRequest};
pub(crate) use trust::trust_options;
