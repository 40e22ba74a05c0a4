//! Questions of tools to people, and the replies.
//!
//! A body asks with [`ToolContext::ask`](crate::ToolContext::ask); the app answers through a
//! [`UserInteractionRegistry`].

// The files:
//
// - `asked`, `form`: a question, as data, and what kind of answer it takes
// - `fault`: what is wrong with a question
// - `check`, `reply`: what is wrong with an answer, and one that is right
// - `wait_for`: sign-ins and external results
// - `registry`, `receiver`: the face of the broker for questions
// - `told`: the rules for an answer, and the errors of a tool that gets none

mod asked;
mod check;
mod fault;
mod form;
mod receiver;
mod registry;
mod reply;
#[cfg(test)]
mod tests;
mod told;
mod wait_for;

pub use asked::Question;
pub use fault::InvalidQuestion;
pub use form::{QuestionForm, QuestionOption, TextPattern};
pub use receiver::QuestionReceiver;
pub(crate) use receiver::reply;
pub use registry::{PendingQuestion, QuestionId, UserInteractionRegistry};
pub use reply::{InvalidReply, Reply, Selection};
pub(crate) use told::{cancelled, check_answer, declined, expired, unavailable, unfit, value_of};
pub(crate) use wait_for::unwritable;
pub use wait_for::{ExternalWait, SignIn};
