//! The run of a body, and its output or error.

use crate::executor::call::body::{BodyFault, GuardedBody, never_began};
use crate::executor::call::permit::placed;
use crate::executor::catalog::tools::Catalog;
use crate::executor::guard::catch_tool_panic;
use crate::message::{Content, ResultSource, ToolOutput};
use crate::tool::{Invocation, ToolContext};

/// Runs the body of a call that is on a [`CallState`].
pub(crate) async fn perform(
    catalog: &Catalog,
    number: usize,
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
) -> (ResultSource, ToolOutput) {
    let plan = catalog.plan(number);
    let ran = if invocation.runs_now() {
        run_now(invocation, context)
    } else {
        GuardedBody::new(|| placed(invocation.invoke(context), context), context).await
    };
    match ran {
        Ok(ran) => {
            note_size(catalog, number, &ran);
            (ResultSource::Tool, ran)
        }
        Err(fault) => failed(plan.repeatable, fault),
    }
}

/// Runs a body that never waits: there is no future to make, and nothing to stop.
#[inline]
pub(crate) fn run_now(
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
) -> Result<ToolOutput, BodyFault> {
    if context.was_told_to_cancel() {
        return Err(match catch_tool_panic("the tool", || drop(invocation)) {
            Ok(()) => never_began(context),
            Err(panicked) => BodyFault::Executor(panicked),
        });
    }
    catch_tool_panic("the tool", || invocation.run_now(context))
        .map_err(|panicked| {
            context.session.desk.stop(context.invocation_id());
            BodyFault::Executor(panicked)
        })?
        .map_err(BodyFault::Own)
}

/// Returns the output of a body's fault, and its source.
#[cold]
pub(crate) fn failed(repeatable: bool, fault: BodyFault) -> (ResultSource, ToolOutput) {
    match fault {
        BodyFault::Own(error) => (ResultSource::Tool, error.into()),
        BodyFault::Executor(error) => (ResultSource::Executor, error.into()),
        BodyFault::Stopped(error) if repeatable => (ResultSource::Executor, error.into()),
        BodyFault::Stopped(error) => {
            let error = error
                .with_note("; whether it had an effect is unknown, so check before you repeat it")
                .with_retryable(false);
            (ResultSource::Executor, error.into())
        }
    }
}

/// The most that is reserved for an output, in bytes: one large output must not make each later
/// one as large.
const RESERVED: usize = 64 * 1024;

/// Remembers how much the tool wrote, for the next call to reserve.
#[inline]
pub(crate) fn note_size(catalog: &Catalog, number: usize, output: &ToolOutput) {
    if let [Content::Json { json }] = output.content() {
        let size = json.as_str().len().min(RESERVED);
        catalog.note_size(number, size);
    }
}
