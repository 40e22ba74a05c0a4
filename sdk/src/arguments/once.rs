//! Names that stand twice in one object of a text: a reader would take one of the two, and another
//! reader the other.

use super::invalid::InvalidArguments;
use super::strict::repeated;
use super::{ArgumentProblem, ProblemKind};
use crate::schema::Hidden;

/// Refuses text in which an object, at any depth, has a name twice, and what is no JSON.
pub(crate) fn given_once<'s>(
    text: &str,
    hidden: impl FnOnce() -> Hidden<'s>,
) -> Result<(), InvalidArguments> {
    let repeated = repeated(text).map_err(|error| InvalidArguments::syntax(text, &error))?;
    if repeated.is_empty() {
        return Ok(());
    }
    let mut problems: Vec<ArgumentProblem> = Vec::with_capacity(repeated.len());
    let mut hidden = hidden();
    for pointer in repeated {
        let problem = match hidden.on_the_way(&pointer) {
            Some(secret) if secret != pointer => {
                let words = "has a name more than once, and is secret and not shown";
                ArgumentProblem::new(ProblemKind::Repeated, secret, words)
            }
            _ => ArgumentProblem::given_twice(pointer),
        };
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    Err(InvalidArguments::new(problems))
}
