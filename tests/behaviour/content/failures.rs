//! The errors that a tool may return: everything that can be displayed. The model reads the top message, the log the
//! whole chain, and a `ToolError` keeps its text.

use std::error::Error;
use std::fmt;
use std::io;

use toolwright::content::ErrorKind;
use toolwright::{ToolError, ToolOutcome, tool};

use crate::support::outcome;

/// Has no source and is no `Error`: it can only be displayed.
struct Shrug;

impl fmt::Display for Shrug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("who knows")
    }
}

/// An error with a chain.
#[derive(Debug)]
struct Above(io::Error);

impl fmt::Display for Above {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the report cannot be made")
    }
}

impl Error for Above {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fail with an I/O error.
#[tool(pure)]
fn fail_io() -> Result<u8, io::Error> {
    Err(io::Error::other("disk on fire"))
}

/// Fail with text.
#[tool(pure)]
fn fail_string() -> Result<u8, String> {
    Err("plain text".to_owned())
}

/// Fail with text of the program.
#[tool(pure)]
fn fail_str() -> Result<u8, &'static str> {
    Err("constant text")
}

/// Fail with any error that threads can share.
#[tool(pure)]
async fn fail_boxed() -> Result<u8, Box<dyn Error + Send + Sync>> {
    Err(Above(io::Error::other("disk on fire")))?
}

/// Fail with any error.
#[tool(pure)]
fn fail_boxed_locally() -> Result<u8, Box<dyn Error>> {
    Err(Above(io::Error::other("disk on fire")))?
}

/// Fail with something that can only be displayed.
#[tool(pure)]
fn fail_displayed() -> Result<(), Shrug> {
    Err(Shrug)
}

/// Fail with an error of a type of one's own.
#[tool(pure)]
fn fail_chained() -> Result<(), Above> {
    Err(Above(io::Error::other("disk on fire")))
}

#[test]
fn whatever_can_be_displayed_can_be_the_error() {
    let message = |tool: ToolOutcome| {
        let error = tool.error().unwrap().clone();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert_eq!(tool.text(), error.message());
        error.message().to_owned()
    };
    assert_eq!(message(outcome(FailIo)), "disk on fire");
    assert_eq!(message(outcome(FailString)), "plain text");
    assert_eq!(message(outcome(FailStr)), "constant text");
    assert_eq!(message(outcome(FailBoxed)), "the report cannot be made");
    assert_eq!(
        message(outcome(FailBoxedLocally)),
        "the report cannot be made"
    );
    assert_eq!(message(outcome(FailDisplayed)), "who knows");
    assert_eq!(message(outcome(FailChained)), "the report cannot be made");
}

/// All that the log can read of an error, from its source down.
fn chain(outcome: &ToolOutcome) -> Vec<String> {
    let mut chain = Vec::new();
    let mut next = outcome.error().and_then(Error::source);
    while let Some(error) = next {
        chain.push(error.to_string());
        next = error.source();
    }
    chain
}

#[test]
fn the_log_has_the_whole_chain_of_an_error() {
    let expected = ["the report cannot be made", "disk on fire"];
    assert_eq!(chain(&outcome(FailChained)), expected);
    assert_eq!(chain(&outcome(FailBoxed)), expected);
}

#[test]
fn the_log_has_the_whole_chain_of_a_local_box_too() {
    let chain = chain(&outcome(FailBoxedLocally)).join(": ");
    assert!(chain.contains("disk on fire"), "{chain:?}");
}

fn unavailable() -> ToolError {
    ToolError::unavailable("try again at noon")
        .with_code("closed")
        .with_retryable(true)
}

/// Fail with an error that says what it is.
#[tool(pure)]
fn fail_own() -> Result<(), ToolError> {
    Err(unavailable())
}

/// Fail with such an error in a box.
#[tool(pure)]
fn fail_own_boxed() -> Result<(), Box<dyn Error + Send + Sync>> {
    Err(unavailable().into())
}

/// Fail with such an error in a box of one thread.
#[tool(pure)]
fn fail_own_boxed_locally() -> Result<(), Box<dyn Error>> {
    Err(unavailable().into())
}

#[test]
fn a_tool_error_keeps_what_it_says() {
    assert_eq!(outcome(FailOwn).error(), Some(&unavailable()));
    assert_eq!(outcome(FailOwnBoxed).error(), Some(&unavailable()));
}

#[test]
fn a_tool_error_in_a_local_box_keeps_what_it_says_too() {
    assert_eq!(outcome(FailOwnBoxedLocally).error(), Some(&unavailable()));
}
