//! What an author's `validate` says of arguments that are valid one by one.

use std::any::Any;
use std::fmt::Display;

use crate::message::{ArgumentProblem, InvalidArguments, ProblemKind};

/// Why `validate` refuses arguments: whatever can be displayed. An [`ArgumentProblem`] or
/// [`InvalidArguments`] keeps the places that it names.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not tell the model what is wrong",
    label = "`validate` gives `Result<(), E>`, and the error must implement `std::fmt::Display`",
    note = "a `String` will do; an `ArgumentProblem` points to one argument"
)]
pub trait Refusal: Display + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> Refusal for E {}

/// Turns the author's words into a report.
#[doc(hidden)]
pub fn validated<E: Refusal>(judged: Result<(), E>) -> Result<(), InvalidArguments> {
    judged.map_err(|refusal| {
        let any: &dyn Any = &refusal;
        if let Some(invalid) = any.downcast_ref::<InvalidArguments>() {
            return invalid.clone();
        }
        let problem = any.downcast_ref::<ArgumentProblem>().cloned();
        InvalidArguments::new(vec![problem.unwrap_or_else(|| {
            ArgumentProblem::new(ProblemKind::Constraint, "", refusal.to_string())
        })])
    })
}
