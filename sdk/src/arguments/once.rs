//! Names that stand twice in one object of a text: a reader would take one of the two, and another
//! reader the other.

use super::invalid::InvalidArguments;
use super::strict::repeated;
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::Hidden;

/// Refuses text in which an object, at any depth, has a name twice, and what is no JSON.
pub(crate) fn given_once<'s>(
    text: &str,
    hidden: impl FnOnce() -> Hidden<'s>,
) -> Result<(), InvalidArguments> {
    let problems =
        names_given_twice(text, hidden).map_err(|error| InvalidArguments::syntax(text, &error))?;
    if problems.is_empty() {
        return Ok(());
    }
    Err(InvalidArguments::new(problems))
}

/// The names that an object in `text` has twice; of those in a secret, that there are some.
///
/// # Errors
///
/// When the text is not JSON.
pub(crate) fn names_given_twice<'s>(
    text: &str,
    hidden: impl FnOnce() -> Hidden<'s>,
) -> serde_json::Result<Vec<ArgumentProblem>> {
    let repeated = repeated(text)?;
    let mut problems: Vec<ArgumentProblem> = Vec::with_capacity(repeated.len());
    if repeated.is_empty() {
        return Ok(problems);
    }
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
    Ok(problems)
}
