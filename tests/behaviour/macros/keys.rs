//! The effect of each key of `#[tool(..)]` and `#[arg(..)]`, seen from a call or from the spec.

mod blocking;
mod declared;
mod flatten;
mod secret;
mod shown;
mod validate;

use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolError, ToolOutcome, ToolRegistry};

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

/// An executor that allows everything.
fn allowing(registry: ToolRegistry) -> Executor {
    let builder = Executor::builder(registry).permission_checker(AllowAll);
    builder.build().unwrap()
}
