//! The port of permission checkers, and the checkers that come with the crate.

use std::borrow::Cow;
use std::sync::Arc;

use super::default;
use super::{CallView, Coverage, GrantQuery, PathScope, PermissionRequest};
use crate::spec::ToolSpec;
use crate::ticket::GrantScope;

/// The answer of a checker about a tool or a request.
///
/// Over all verdicts of one call, a denial goes before an ask, and an ask before an allowance.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask(Ask),
    /// It may not run.
    Deny(Denial),
    /// It may or may not run: the checker is [asynchronous](super::AsyncPermissionChecker), and was asked
    /// where nobody waits for its answer. Nothing runs by this verdict, and a checker that answers with
    /// it denies.
    Unknown,
}

impl Verdict {
    /// Returns true if no verdict on requests can change this one.
    #[inline]
    pub(crate) fn is_final_denial(&self) -> bool {
        matches!(self, Self::Deny(_)) && !self.is_fallback()
    }

    /// A person decides.
    pub fn ask(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Ask(Ask {
            why: why.into(),
            fallback: false,
        })
    }

    /// It may not run, for a reason that the model reads.
    pub fn deny(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Deny(Denial {
            reason: reason.into(),
            fallback: false,
        })
    }

    /// Says that a verdict on a tool or a call holds only where nothing else was said: of a call
    /// that makes requests, the verdicts on these decide. An allowance is the same either way.
    ///
    /// So a checker can ask about a tool in general, and allow a call whose requests it knows.
    pub fn as_fallback(mut self) -> Self {
        match &mut self {
            Self::Allow | Self::Unknown => {}
            Self::Ask(ask) => ask.fallback = true,
            Self::Deny(denial) => denial.fallback = true,
        }
        self
    }

    /// Returns true if the verdict [holds only where nothing else was said](Self::as_fallback).
    pub fn is_fallback(&self) -> bool {
        match self {
            Self::Allow => true,
            Self::Ask(ask) => ask.fallback,
            Self::Deny(denial) => denial.fallback,
            Self::Unknown => false,
        }
    }
}

/// An answer that a person decides, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    why: Cow<'static, str>,
    fallback: bool,
}

impl Ask {
    /// The reason why a person is asked.
    pub fn why(&self) -> &str {
        &self.why
    }
}

/// An answer that something may not run, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    reason: Cow<'static, str>,
    fallback: bool,
}

impl Denial {
    /// The reason, which the model reads.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// Judges tools and requests. One checker serves an executor, so that no tool needs permission
/// code of its own.
///
/// It is asked for its verdict on each tool once, when the executor is built, and on the requests
/// of each call as they come. A checker that panics denies. A session may have a
/// [checker of its own](crate::executor::SessionOptions::permission_checker), and one that has to ask a service is an
/// [`AsyncPermissionChecker`](super::AsyncPermissionChecker).
///
/// ```
/// use toolwright::{PermissionRequest, ToolSpec};
/// use toolwright::permission::{CallView, PermissionChecker, Verdict};
///
/// struct NoDeploys;
///
/// impl PermissionChecker for NoDeploys {
///     fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
///         Verdict::Allow
///     }
///
///     fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
///         // Names for aliases, defaults filled in, secrets masked.
///         let trial = call.arguments().ok().and_then(|arguments| arguments.pointer("/trial"));
///         match request.kind() {
///             "deploy" if trial != Some(&true.into()) => {
///                 Verdict::deny("nothing is deployed on Fridays")
///             }
///             _ => Verdict::Allow,
///         }
///     }
/// }
/// ```
pub trait PermissionChecker: Send + Sync + 'static {
    /// Returns the verdict on the tool as such: whether it may run at all.
    fn check_tool(&self, tool: &ToolSpec) -> Verdict;

    /// Returns the verdict on a request of a call. The call's arguments are valid: what does not fit never gets here.
    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict;

    /// Returns the verdict on a call with its arguments and its caller, whatever it requests. Takes the place of
    /// the verdict on the tool, unless that is a denial, for tools whose
    /// [arguments](Self::looks_at_arguments) or [caller](Self::looks_at_caller) the checker looks at.
    /// Default: the verdict on the tool.
    fn check_call(&self, call: &CallView<'_>) -> Verdict {
        self.check_tool(call.spec())
    }

    /// Returns true if a verdict on calls or requests of the tool may depend on the arguments. It is asked
    /// once for each tool, when the executor is built. Default: yes.
    ///
    /// For any other tool, the arguments of a call are not kept for checks while it runs, which saves a copy of them.
    fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
        true
    }

    /// Returns true if a verdict on calls of the tool may depend on whose call it is: its session, turn,
    /// run or metadata. It is asked once for each tool, like
    /// [`looks_at_arguments`](Self::looks_at_arguments). If neither matters for a tool, its calls are not
    /// shown to [`check_call`](Self::check_call). Default: yes.
    ///
    /// ```
    /// use toolwright::{PermissionRequest, ToolSpec};
    /// use toolwright::permission::{CallView, PermissionChecker, Verdict};
    ///
    /// /// Users deploy, guests do not.
    /// struct UsersOnly;
    ///
    /// impl PermissionChecker for UsersOnly {
    ///     fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
    ///         Verdict::Allow
    ///     }
    ///
    ///     fn check_call(&self, call: &CallView<'_>) -> Verdict {
    ///         let session = call.session_id().map_or("", |id| id.as_str());
    ///         if session.starts_with("user-") {
    ///             Verdict::Allow
    ///         } else {
    ///             Verdict::deny("guests may not do this")
    ///         }
    ///     }
    ///
    ///     fn check_request(&self, call: &CallView<'_>, _: &PermissionRequest) -> Verdict {
    ///         self.check_call(call)
    ///     }
    ///
    ///     fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
    ///         false
    ///     }
    ///
    ///     fn looks_at_caller(&self, tool: &ToolSpec) -> bool {
    ///         !tool.effect().is_read_only()
    ///     }
    /// }
    /// ```
    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        true
    }

    /// Returns the problems of the checker in an app with these tools, such as a rule about a tool that does
    /// not exist; each keeps the executor from being built. Default: none.
    ///
    /// [`Session::availability`](crate::Session::availability) reports the problems of a session's own
    /// checker.
    fn problems(&self, _tools: &[&ToolSpec]) -> Vec<String> {
        Vec::new()
    }

    /// Returns how surely these allowances cover a request together. They are those that hold in the session,
    /// all of them allow, and what they cover answers an ask. Default: the
    /// [plain rule](GrantQuery::covered_by), which reads no commands.
    ///
    /// A checker that understands more of a request, such as the commands of a shell line, says so here. A
    /// checker around another one forwards both methods; without that, the plain rule decides, which never
    /// allows more than the other and never lets run without a person what the other refuses. Only
    /// [`Coverage::Yes`] allows. A checker that panics covers nothing.
    ///
    /// ```
    /// use toolwright::{PermissionRequest, ToolSpec};
    /// use toolwright::permission::{CallView, Coverage, GrantQuery, PermissionChecker, Verdict};
    /// use toolwright::ticket::GrantScope;
    ///
    /// /// Counts nothing itself, and says what the other says.
    /// struct Around<C>(C);
    ///
    /// impl<C: PermissionChecker> PermissionChecker for Around<C> {
    ///     fn check_tool(&self, tool: &ToolSpec) -> Verdict {
    ///         self.0.check_tool(tool)
    ///     }
    ///
    ///     fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
    ///         self.0.check_request(call, request)
    ///     }
    ///
    ///     fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
    ///         self.0.grant_covers(grants, query)
    ///     }
    ///
    ///     fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
    ///         self.0.refusal_covers(refusal, query)
    ///     }
    /// }
    /// ```
    fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        query.covered_by(grants)
    }

    /// Returns how surely a refusal covers a request. `Yes` denies the call, whatever the checker says of it;
    /// by `Maybe` a person decides. Default: the [plain rule](GrantQuery::refused_by), which reads no
    /// commands, so that a refused command may be any.
    fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        query.refused_by(refusal)
    }

    /// The address of a checker that is in an `Arc`, and how many have it: by that, sessions share what
    /// is worked out once.
    #[doc(hidden)]
    fn shared(&self) -> Option<(usize, usize)> {
        None
    }
}

/// The methods of an `Arc` that both forms of a checker have, and that wait for nothing.
macro_rules! forwards_what_is_sync {
    () => {
        fn check_tool(&self, tool: &ToolSpec) -> Verdict {
            (**self).check_tool(tool)
        }

        fn looks_at_arguments(&self, tool: &ToolSpec) -> bool {
            (**self).looks_at_arguments(tool)
        }

        fn looks_at_caller(&self, tool: &ToolSpec) -> bool {
            (**self).looks_at_caller(tool)
        }

        fn problems(&self, tools: &[&ToolSpec]) -> Vec<String> {
            (**self).problems(tools)
        }

        fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
            (**self).grant_covers(grants, query)
        }

        fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
            (**self).refusal_covers(refusal, query)
        }

        fn shared(&self) -> Option<(usize, usize)> {
            let own = || (Arc::as_ptr(self).addr(), Arc::strong_count(self));
            Some((**self).shared().unwrap_or_else(own))
        }
    };
}
pub(super) use forwards_what_is_sync;

impl<C: PermissionChecker + ?Sized> PermissionChecker for Arc<C> {
    forwards_what_is_sync!();

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        (**self).check_request(call, request)
    }

    fn check_call(&self, call: &CallView<'_>) -> Verdict {
        (**self).check_call(call)
    }
}

/// The checker of an executor for which the host sets none. A tool that is declared pure or read-only
/// runs if it requests nothing, or nothing but to read files inside of a root that the request names.
/// All else asks: other requests, other tools, and each tool that is marked `needs_approval` or
/// `destructive`. A request that leads out of its root is denied.
///
/// Hints restrict what a declared effect allows and never widen it, so the hint `read_only` of an
/// imported tool lets nothing run. If nobody can be asked ([`WaitMode`](crate::executor::WaitMode)), a call
/// that asks is denied. [`AllowAll`], a `PermissionPolicy` or a checker of the app takes the place of
/// this one.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultPolicy;

impl DefaultPolicy {
    /// Returns the reason why calls of the tool ask by default, as a clause that may follow "because". `None` if the
    /// tool runs as long as its calls request nothing but to read files in their own root.
    pub fn objection(tool: &ToolSpec) -> Option<&'static str> {
        default::objection(tool)
    }
}

impl PermissionChecker for DefaultPolicy {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        match default::objection(tool) {
            None => Verdict::Allow,
            // The call's own requests say more, and a person is not asked about both.
            Some(objection) => Verdict::ask(objection).as_fallback(),
        }
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        outside(request).unwrap_or_else(|| match default::objection(call.spec()) {
            Some(objection) => Verdict::ask(objection),
            None if default::covers(request) => Verdict::Allow,
            None => Verdict::ask(default::NOT_COVERED),
        })
    }

    fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
        false
    }

    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        false
    }
}

/// Everything runs, but for what lies outside of a tool's root.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAll;

impl PermissionChecker for AllowAll {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        outside(request).unwrap_or(Verdict::Allow)
    }

    fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
        false
    }

    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        false
    }
}

/// Nothing runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct DenyAll;

impl PermissionChecker for DenyAll {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::deny("no tool may run here")
    }

    fn check_request(&self, call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        self.check_tool(call.spec())
    }

    fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
        false
    }

    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        false
    }
}

/// A tool that names its root has said that it never leaves it.
fn outside(request: &PermissionRequest) -> Option<Verdict> {
    // The model knows the path that it sent; where that leads is none of its business.
    (request.containment() == PathScope::Outside)
        .then(|| Verdict::deny("that leads outside of what the tool is confined to"))
}
