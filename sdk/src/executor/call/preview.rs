//! The preview of a call: its requests, without running it.

use crate::arguments::{Arguments, CanonicalArguments, InvalidArguments, Repair};
use crate::content::{Repairs, ToolCall, ToolError};
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::{Assessment, assess};
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::guard::catch_tool_panic;
use crate::permission::{CallView, PermissionRequest, Verdict};
use crate::spec::ToolSpec;

/// The requests that a call would make, and the verdict on them: see [`Session::preview`](crate::Session::preview).
///
/// A preview is a snapshot: the real call is evaluated again, and the things it asks about may have changed by then,
/// such as the target of a link.
#[derive(Debug, Clone)]
pub struct Preview {
    spec: ToolSpec,
    arguments: Arguments<'static>,
    canonical: Result<CanonicalArguments, InvalidArguments>,
    purpose: Option<Box<str>>,
    repairs: Option<Repairs>,
    requests: Vec<PermissionRequest>,
    verdict: Verdict,
    /// Knows whose call it is.
    context: ToolContext,
}

impl Preview {
    /// The stages of a call up to its permissions.
    pub(crate) fn new(
        shared: &ExecutorCore,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
    ) -> Result<Self, ToolError> {
        let mut notes = ReadNotes::default();
        let told = (&mut None, &mut notes);
        let found = place.catalog.snapshot.find(call.name());
        let (admitted, seen) = admit(
            shared,
            place,
            (call, found, false),
            told,
            None,
            |asked, body, context| {
                let assessment = assess(asked, body, context)?;
                let (spec, canonical) = catch_tool_panic("the tool", || {
                    let spec = asked.entry.tool.spec();
                    (spec.clone(), asked.arguments.canonical(spec))
                })?;
                Ok((
                    assessment,
                    spec,
                    canonical,
                    asked.arguments.clone().into_owned(),
                ))
            },
        )
        .map_err(|(_, error)| error)?;
        // Dropping the call runs code of the tool, which may panic; a preview has no outcome to report that in.
        let Admitted {
            invocation,
            context,
        } = admitted;
        let _ = catch_tool_panic("the tool", || drop(invocation));
        let (Assessment { requests, ruling }, spec, canonical, arguments) = seen;
        Ok(Self {
            spec,
            arguments,
            canonical,
            purpose: notes.purpose,
            repairs: notes.repairs,
            requests,
            verdict: ruling.verdict(),
            context,
        })
    }

    /// The tool's spec.
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The arguments that would run, repairs included, in the form that may be shown.
    ///
    /// # Errors
    ///
    /// Fails if they have no such form; see [`CallView::arguments`].
    pub fn arguments(&self) -> Result<&CanonicalArguments, &InvalidArguments> {
        self.canonical.as_ref()
    }

    /// The model's reason for the call, if it gave one.
    pub fn purpose(&self) -> Option<&str> {
        self.purpose.as_deref()
    }

    /// The repairs that would be made in the arguments.
    pub fn repairs(&self) -> &[Repair] {
        self.repairs.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The permissions that the call would ask for. Empty if the call as such is denied: then its requests are not
    /// made.
    pub fn requests(&self) -> &[PermissionRequest] {
        &self.requests
    }

    /// The verdict of the session's checker on the call as such and on all its requests.
    /// [`Verdict::Unknown`] if the checker is [asynchronous](crate::permission::AsyncPermissionChecker), because a
    /// preview waits for nobody.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The call as its judges see it, for instance to ask another checker.
    pub fn call(&self) -> CallView<'_> {
        let view = CallView::new(&self.spec, &self.arguments).with_purpose(self.purpose());
        view.with_caller(self.context.caller())
    }
}
