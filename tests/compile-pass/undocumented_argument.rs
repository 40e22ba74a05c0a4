//! An argument without a doc comment compiles, and is a finding of the lints.

#![deny(warnings)]

use toolwright::registry::LintKind;
use toolwright::{ToolRegistry, tool};

/// Find notes that have a word in them.
#[tool(name = "notes.find", read_only)]
fn find(word: String) -> String {
    word
}

#[test]
fn program_runs() {
    let lints = ToolRegistry::new().with(Find).lint();
    assert_eq!(lints.len(), 1);
    assert_eq!(lints[0].kind(), LintKind::UndocumentedArgument);
    assert_eq!(lints[0].pointer(), "/word");
}
