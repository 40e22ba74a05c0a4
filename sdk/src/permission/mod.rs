//! Who may do what: requests, the checker that judges them, and files.

mod call;
mod checker;
mod file;
mod host;
#[cfg(feature = "policy")]
mod policy;
mod request;

pub use call::CallView;
pub use checker::{AllowAll, Ask, DefaultPolicy, Denial, DenyAll, PermissionChecker, Verdict};
pub use file::FileAccess;
pub use host::HostAccess;
pub use request::{Containment, IntoRequests, PermissionRequest};
