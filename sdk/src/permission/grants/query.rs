//! The question that is put to a checker: do grants, or a refusal, cover a request?

use std::fmt;

use super::{coverage, refuses};
use crate::id::ToolName;
use crate::permission::command::COMMAND_RUN;
use crate::permission::{PathScope, PermissionRequest};
use crate::ticket::{GrantScope, KeyedDigest};

/// The certainty with which a grant or a refusal covers a request, in rising order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coverage {
    /// It does not cover the request.
    No,
    /// It may cover the request, which nobody can tell before the call runs. An allowance does not answer for a
    /// person then; for a refusal, a person decides.
    Maybe,
    /// It covers the request.
    Yes,
}

impl Coverage {
    pub(super) fn of(surely: bool) -> Self {
        if surely { Self::Yes } else { Self::No }
    }
}

/// A request of a call with what grants are compared with: see
/// [`PermissionChecker::grant_covers`](crate::permission::PermissionChecker::grant_covers).
///
/// ```
/// use toolwright::{PermissionRequest, ToolName};
/// use toolwright::permission::{Coverage, GrantQuery};
/// use toolwright::ticket::GrantScope;
///
/// let tool = ToolName::new("site.deploy")?;
/// let request = PermissionRequest::new("deploy", "staging", "Deploy to staging");
/// let query = GrantQuery::new(&tool, &request);
/// assert_eq!(query.covered_by(&[&GrantScope::kind("deploy")]), Coverage::Yes);
/// assert_eq!(query.refused_by(&GrantScope::target("deploy", "production")), Coverage::No);
/// # Ok::<(), toolwright::id::InvalidToolName>(())
/// ```
#[derive(Clone, Copy)]
pub struct GrantQuery<'a> {
    tool: &'a ToolName,
    request: &'a PermissionRequest,
    arguments: Option<&'a dyn Fn() -> Option<KeyedDigest>>,
}

impl<'a> GrantQuery<'a> {
    /// A request of a call of the tool, whose arguments are not known.
    pub fn new(tool: &'a ToolName, request: &'a PermissionRequest) -> Self {
        Self {
            tool,
            request,
            arguments: None,
        }
    }

    /// Adds the digest of the arguments, which is made when it is asked for.
    pub(crate) fn with_arguments(self, arguments: &'a dyn Fn() -> Option<KeyedDigest>) -> Self {
        Self {
            arguments: Some(arguments),
            ..self
        }
    }

    /// Returns the tool that is called.
    pub fn tool(&self) -> &'a ToolName {
        self.tool
    }

    /// Returns the request.
    pub fn request(&self) -> &'a PermissionRequest {
        self.request
    }

    /// Returns the digest of the call's arguments, to compare with that of
    /// [`GrantScope::Arguments`]. `None` if the arguments are not known, or have no canonical form. The
    /// digest is worked out at each call.
    pub fn arguments(&self) -> Option<KeyedDigest> {
        self.arguments.and_then(|arguments| arguments())
    }

    /// Returns the answer of the plain rule about allowances: `Yes` if one of them covers the request by the two
    /// alone, else `No`. The default of
    /// [`PermissionChecker::grant_covers`](crate::permission::PermissionChecker::grant_covers).
    ///
    /// The plain rule reads no commands, so [`GrantScope::Command`] covers nothing by it. It allows no request
    /// that leads [outside](PathScope::Outside) of what a tool is confined to.
    pub fn covered_by(&self, grants: &[&GrantScope]) -> Coverage {
        Coverage::of(grants.iter().any(|covers| coverage::allows(covers, self)))
    }

    /// Returns the answer of the plain rule about a refusal. The default of
    /// [`PermissionChecker::refusal_covers`](crate::permission::PermissionChecker::refusal_covers).
    ///
    /// A refusal goes by every name of a file or host. The plain rule reads no commands, so a refused command
    /// may be any, and so may a command use any refused file: both give `Maybe`, but for a program that
    /// runs by its words, without a shell, if it is the refused one or known to run no other.
    pub fn refused_by(&self, refusal: &GrantScope) -> Coverage {
        refuses::refuses(refusal, self)
    }

    /// Returns true if it leads to where no allowance reaches, whatever it says.
    pub(in crate::permission) fn is_outside(&self) -> bool {
        self.request.containment() == PathScope::Outside
    }

    pub(super) fn is_command(&self) -> bool {
        self.request.kind() == COMMAND_RUN
    }

    pub(super) fn is(&self, kind: &str, target: &str) -> bool {
        self.request.kind() == kind && self.request.target() == target
    }
}

impl fmt::Debug for GrantQuery<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrantQuery")
            .field("tool", &self.tool)
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}
