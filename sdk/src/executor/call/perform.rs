//! One run of a body, and the output or error that comes of it.

use crate::executor::call::body::{Fault, Guarded, never_began};
use crate::executor::call::permit::placed;
use crate::executor::catalog::tools::Catalog;
use crate::executor::guard::guarded;
use crate::message::{Content, ResultSource, ToolOutput};
use crate::tool::{Invocation, ToolContext};

/// Runs the body of a call that is on a [`Course`].
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
        Guarded::new(|| placed(invocation.invoke(context), context), context).await
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
) -> Result<ToolOutput, Fault> {
    if context.was_told_to_cancel() {
        return Err(match guarded("the tool", || drop(invocation)) {
            Ok(()) => never_began(context),
            Err(panicked) => Fault::Executor(panicked),
        });
    }
    guarded("the tool", || invocation.run_now(context))
        .map_err(|panicked| {
            context.session.desk.stop(context.invocation_id());
            Fault::Executor(panicked)
        })?
        .map_err(Fault::Own)
}

/// What a body's fault becomes, and who speaks.
#[cold]
pub(crate) fn failed(repeatable: bool, fault: Fault) -> (ResultSource, ToolOutput) {
    match fault {
        Fault::Own(error) => (ResultSource::Tool, error.into()),
        Fault::Executor(error) => (ResultSource::Executor, error.into()),
        Fault::Stopped(error) if repeatable => (ResultSource::Executor, error.into()),
        Fault::Stopped(error) => {
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
