//! Permissions: requests of a call, and the checkers that judge them.
//!
//! A tool says what it reaches for as a [`PermissionRequest`]: [`FileAccess`], [`CommandAccess`], [`HostAccess`], or one of
//! the app's own. A [`PermissionChecker`] gives the [`Verdict`]; [`PermissionRegistry`] is the face of what waits for
//! somebody's approval.

mod additions;
mod any_checker;
mod async_checker;
mod call;
mod checker;
mod command;
mod default;
mod evaluator;
mod file;
mod grants;
mod host;
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
pub(crate) use evaluator::{
    Asking, Judgement, PermissionEvaluator, TOOL_CALL, UNATTENDED_HINT, call_of,
};
pub use file::{BaseDirectory, FileAccess, FilePlace, LocatedFile, real_path};
pub use grants::{Coverage, GrantQuery};
pub(crate) use grants::{
    GrantCheckers, GrantRuling, SessionGrants, arguments_digest, check_choice, deciding,
    is_in_tree, may_touch,
};
pub use host::{Host, HostAccess};
pub use preview::{RequestPreview, RequestPreviewKind};
pub(crate) use registry::SubSessionEntry;
pub use registry::{
    GrantBuilder, PendingApproval, PendingAsk, PermissionReceiver, PermissionRegistry,
};
pub use request::{IntoRequests, PathScope, PermissionRequest, TOOL_CHANGED};
pub(crate) use trust::trust_options;
