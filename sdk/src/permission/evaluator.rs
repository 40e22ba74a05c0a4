//! The verdicts of one checker on a whole call, and their combination.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::any_checker::either;
use super::async_checker::{answered_unknown, wait_for};
use super::{AnyChecker, CallView, Coverage, GrantQuery, PermissionRequest, Verdict};
use crate::content::ToolError;
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::ticket::GrantScope;
use crate::util::panic::catch_panic;

/// The time that an asynchronous checker may take for one answer, unless the host sets another.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);
crate::util::documented::documented_default!(
    "timeout of an asynchronous checker",
    time(CHECK_TIMEOUT)
);

/// The checker of an executor or of a session. A checker that panics denies.
#[derive(Clone)]
pub(crate) struct PermissionEvaluator {
    checker: AnyChecker,
    /// The end of the message for a call that a person would have to allow: what can be done now.
    no_approver_hint: Arc<str>,
    /// The time that an asynchronous checker may take for one answer.
    patience: Duration,
    /// True if the settings were named in the log already. All checkers of an executor share it.
    settings_told: Arc<AtomicBool>,
}

/// The code of a call that a person would have to allow, while there is nobody to ask.
const APPROVAL_UNAVAILABLE: &str = "approval_unavailable";

/// The hint for the model, unless the app sets another. The model cannot change a setting.
pub(crate) const UNATTENDED_HINT: &str =
    "Continue without it, or tell the user what has to be approved.";

/// The hint for the developer, who can change settings.
const UNATTENDED_SETTINGS: &str = "calls that need approval are denied, because nobody is asked: \
    `ExecutorBuilder::approvals` sets how people are asked (`WaitMode::Blocking`, \
    `WaitMode::Suspending`), and `ExecutorBuilder::permission_checker` what decides without them (a \
    `PermissionPolicy`, a `PermissionChecker` of the app, or `AllowAll`)";

impl PermissionEvaluator {
    pub(crate) fn new(checker: AnyChecker, no_approver_hint: impl Into<Arc<str>>) -> Self {
        Self {
            checker,
            no_approver_hint: no_approver_hint.into(),
            patience: CHECK_TIMEOUT,
            settings_told: Arc::default(),
        }
    }

    /// Sets how long an asynchronous checker may take for one answer.
    pub(crate) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Sets the last sentence of the message for a call that a person would have to allow.
    pub(crate) fn set_hint(&mut self, no_approver_hint: impl Into<Arc<str>>) {
        self.no_approver_hint = no_approver_hint.into();
    }

    pub(crate) fn set_checker(&mut self, checker: AnyChecker) {
        self.checker = checker;
    }

    /// The same for another checker.
    pub(crate) fn with_checker(&self, checker: AnyChecker) -> Self {
        Self {
            checker,
            ..self.clone()
        }
    }

    /// Returns true if verdicts on calls and requests have to be waited for.
    #[inline]
    pub(crate) fn is_async(&self) -> bool {
        matches!(self.checker, AnyChecker::Async(_))
    }

    /// On the tool itself.
    pub(crate) fn tool(&self, spec: &ToolSpec) -> Verdict {
        catch_panic(|| either!(&self.checker, it => it.check_tool(spec)))
            .unwrap_or_else(|_| panicked("the tool"))
    }

    /// Returns true if arguments may matter.
    pub(crate) fn looks_at_arguments(&self, spec: &ToolSpec) -> bool {
        catch_panic(|| either!(&self.checker, it => it.looks_at_arguments(spec))).unwrap_or(true)
    }

    /// Returns true if it may matter whose call it is.
    pub(crate) fn looks_at_caller(&self, spec: &ToolSpec) -> bool {
        catch_panic(|| either!(&self.checker, it => it.looks_at_caller(spec))).unwrap_or(true)
    }

    /// Returns how surely allowances cover a request together. No allowance covers a request that leads outside,
    /// whatever the checker says.
    pub(crate) fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        if grants.is_empty() || query.is_outside() {
            return Coverage::No;
        }
        catch_panic(|| either!(&self.checker, it => it.grant_covers(grants, query)))
            .unwrap_or(Coverage::No)
    }

    /// Returns how surely a refusal covers a request. A checker that panics may have meant it.
    pub(crate) fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        catch_panic(|| either!(&self.checker, it => it.refusal_covers(refusal, query)))
            .unwrap_or_else(|_| {
                let plain = catch_panic(|| query.refused_by(refusal));
                plain.unwrap_or(Coverage::Maybe).max(Coverage::Maybe)
            })
    }

    /// Returns the problems of the checker with these tools.
    pub(crate) fn problems(&self, tools: &[&ToolSpec]) -> Vec<String> {
        catch_panic(|| either!(&self.checker, it => it.problems(tools))).unwrap_or_else(|_| {
            vec!["it panicked when it was asked what is wrong with it for these tools".to_owned()]
        })
    }

    /// On the call as such, of a tool whose arguments or caller are looked at.
    pub(crate) fn call(&self, call: &CallView<'_>) -> Verdict {
        let AnyChecker::Sync(checker) = &self.checker else {
            return Verdict::Unknown;
        };
        catch_panic(|| checker.check_call(call)).unwrap_or_else(|_| panicked("the call"))
    }

    /// The same, waited for where the checker is asynchronous.
    ///
    /// # Errors
    ///
    /// Fails if the checker cannot decide, or if the call was cancelled.
    pub(crate) async fn call_awaited(
        &self,
        call: &CallView<'_>,
        cancellation: &CancellationToken,
    ) -> Result<Verdict, ToolError> {
        match &self.checker {
            AnyChecker::Sync(_) => Ok(self.call(call)),
            AnyChecker::Async(checker) => {
                let check = || checker.check_call(call);
                wait_for(self.patience, cancellation, call, check).await
            }
        }
    }

    /// On one request.
    #[inline]
    pub(crate) fn request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        let AnyChecker::Sync(checker) = &self.checker else {
            return Verdict::Unknown;
        };
        catch_panic(|| checker.check_request(call, request))
            .unwrap_or_else(|_| panicked("the request"))
    }

    /// Over all of a call: a denial goes before an ask, and an ask before an allowance. The verdict on
    /// the call as such counts too, as a fallback only where there are no requests.
    pub(crate) fn evaluate(
        &self,
        call: &CallView<'_>,
        own: &Verdict,
        requests: &[PermissionRequest],
    ) -> Judgement {
        let mut ruling = Judgement::of_call(own, requests);
        for request in requests {
            ruling.add_request(request, &self.request(call, request));
        }
        ruling
    }

    /// The same, waited for where the checker is asynchronous: one request after another.
    ///
    /// # Errors
    ///
    /// Fails if the checker cannot decide, or if the call was cancelled.
    pub(crate) async fn evaluate_awaited(
        &self,
        call: &CallView<'_>,
        own: &Verdict,
        requests: &[PermissionRequest],
        cancellation: &CancellationToken,
    ) -> Result<Judgement, ToolError> {
        let AnyChecker::Async(checker) = &self.checker else {
            return Ok(self.evaluate(call, own, requests));
        };
        let mut ruling = Judgement::of_call(own, requests);
        for request in requests {
            let check = || checker.check_request(call, request);
            let verdict = wait_for(self.patience, cancellation, call, check).await?;
            ruling.add_request(request, &verdict);
        }
        Ok(ruling)
    }

    /// Returns the error of a call that may not go on while there is nobody to ask.
    #[inline]
    pub(crate) fn refusal(&self, tool: &ToolName, ruling: Judgement) -> Result<(), ToolError> {
        if ruling.0.is_none() {
            return Ok(());
        }
        let asks = ruling.asks(tool)?;
        Err(self.nobody_here(tool, &asks))
    }

    /// Returns the error of a call that a person would have to allow, while there is nobody to ask.
    #[cold]
    pub(crate) fn nobody_here(&self, tool: &ToolName, asks: &[Asking]) -> ToolError {
        let about: Vec<&str> = asks
            .iter()
            .map(|asking| &asking.request)
            .filter(|request| request.kind() != TOOL_CALL)
            .map(PermissionRequest::summary)
            .collect();
        let about = match few(&about, ", ") {
            none if none.is_empty() => none,
            some => format!(" ({some})"),
        };
        ToolError::denied(format!(
            "`{tool}` was denied{about}: it needs approval because {}, and nobody is here to give \
             it. {}",
            why(asks.iter().map(|asking| asking.why.as_str())),
            self.no_approver_hint,
        ))
        .with_code(APPROVAL_UNAVAILABLE)
        .with_source(UNATTENDED_SETTINGS)
    }

    /// Returns the settings for the log, the first time that a call ends because nobody can be asked.
    #[cold]
    pub(crate) fn unattended_settings(&self, error: &ToolError) -> Option<&'static str> {
        let first = error.code() == APPROVAL_UNAVAILABLE
            && !self.settings_told.swap(true, Ordering::Relaxed);
        first.then_some(UNATTENDED_SETTINGS)
    }
}

impl fmt::Debug for PermissionEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PermissionEvaluator")
    }
}

#[cold]
fn panicked(about: &str) -> Verdict {
    Verdict::deny(format!(
        "the permission checker panicked when asked about {about}"
    ))
}

/// The combined verdicts on a call. A call that may go on costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Judgement(Option<Box<Objections>>);

/// All that keeps a call from going on as it is.
#[derive(Debug, Default)]
struct Objections {
    denial: Option<Denied>,
    /// Something has to be waited for, and was not.
    unknown: bool,
    /// The requests that a person is asked about, each with the reason; `None` stands for the call as such.
    asks: Vec<(Option<PermissionRequest>, String)>,
}

/// The kind of the request for a call as such.
pub(crate) const TOOL_CALL: &str = "tool.call";

/// A request that a person would have to allow, and the reason.
#[derive(Debug, Clone)]
pub(crate) struct Asking {
    pub(crate) request: PermissionRequest,
    pub(crate) why: String,
}

/// The first denial of a call.
#[derive(Debug)]
struct Denied {
    request: Option<String>,
    reason: String,
    /// The number of further denials.
    more: usize,
}

impl Judgement {
    /// By the verdict on the call as such alone, fallback or not.
    #[inline]
    pub(crate) fn of(own: &Verdict) -> Self {
        let mut ruling = Self::default();
        // Nearly every call ends here.
        if !matches!(own, Verdict::Allow) {
            ruling.add(None, own);
        }
        ruling
    }

    /// By the verdict on the call as such, as far as it counts besides those on its requests.
    fn of_call(own: &Verdict, requests: &[PermissionRequest]) -> Self {
        if requests.is_empty() || !own.is_fallback() {
            Self::of(own)
        } else {
            Self::default()
        }
    }

    #[inline]
    fn add_request(&mut self, request: &PermissionRequest, verdict: &Verdict) {
        if !matches!(verdict, Verdict::Allow) {
            self.add(Some(request), verdict);
        }
    }

    fn add(&mut self, request: Option<&PermissionRequest>, verdict: &Verdict) {
        match verdict {
            Verdict::Allow => {}
            Verdict::Unknown => self.0.get_or_insert_default().unknown = true,
            Verdict::Ask(ask) => {
                let asks = &mut self.0.get_or_insert_default().asks;
                asks.push((request.cloned(), ask.why().to_owned()));
            }
            Verdict::Deny(denial) => match &mut self.0.get_or_insert_default().denial {
                Some(first) => first.more += 1,
                none => {
                    *none = Some(Denied {
                        request: request.map(|request| request.summary().to_owned()),
                        reason: denial.reason().to_owned(),
                        more: 0,
                    });
                }
            },
        }
    }

    /// Returns true if there is no objection.
    #[inline]
    pub(crate) fn is_clear(&self) -> bool {
        self.0.is_none()
    }

    /// The one verdict over all.
    pub(crate) fn verdict(&self) -> Verdict {
        match self.0.as_deref() {
            None => Verdict::Allow,
            Some(Objections {
                denial: Some(denied),
                ..
            }) => Verdict::deny(denied.reason.clone()),
            Some(objections) if objections.unknown => Verdict::Unknown,
            Some(objections) => {
                Verdict::ask(why(objections.asks.iter().map(|(_, why)| why.as_str())))
            }
        }
    }

    /// Returns the requests that a person would have to allow, in their order; none if the call may go on. An ask
    /// about the call as such is a request of the kind `tool.call` for the tool.
    ///
    /// # Errors
    ///
    /// Fails if something of it is denied.
    pub(crate) fn asks(self, tool: &ToolName) -> Result<Vec<Asking>, ToolError> {
        let Some(objections) = self.0 else {
            return Ok(Vec::new());
        };
        if let Some(denied) = &objections.denial {
            return Err(denied.tell(tool));
        }
        if objections.unknown {
            return Err(answered_unknown(tool));
        }
        let asking = |(request, why): (Option<PermissionRequest>, String)| Asking {
            request: request.unwrap_or_else(|| call_of(tool)),
            why,
        };
        Ok(objections.asks.into_iter().map(asking).collect())
    }
}

/// The request for a call as such.
pub(crate) fn call_of(tool: &ToolName) -> PermissionRequest {
    PermissionRequest::new(TOOL_CALL, tool.as_str(), format!("Call `{tool}`"))
}

/// The reasons why a person is asked, each once.
fn why<'w>(reasons: impl Iterator<Item = &'w str>) -> String {
    let reasons: BTreeSet<&str> = reasons.collect();
    few(&Vec::from_iter(reasons), " and ")
}

impl Denied {
    #[cold]
    fn tell(&self, tool: &ToolName) -> ToolError {
        let reason = &self.reason;
        let more = match self.more {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        ToolError::denied(match &self.request {
            None => format!("`{tool}` was denied: {reason}"),
            Some(request) => format!("`{tool}` was denied ({request}{more}): {reason}"),
        })
    }
}

/// The most that the model reads of one kind of thing.
const FEW: usize = 3;

/// The first few of some texts, and how many more there are.
fn few(texts: &[impl AsRef<str>], separator: &str) -> String {
    let first: Vec<&str> = texts.iter().take(FEW).map(AsRef::as_ref).collect();
    let more = texts.len() - first.len();
    let joined = first.join(separator);
    match more {
        0 => joined,
        more => format!("{joined}{separator}{more} more"),
    }
}
