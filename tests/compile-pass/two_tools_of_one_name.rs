//! Two functions whose tools have one name compile, because an app may register one of them. It cannot run with both.

#![deny(warnings)]

use toolwright::{Executor, ToolRegistry, tool};

/// Read a text file.
#[tool(name = "fs.read", read_only)]
fn read_file(path: String) -> String {
    path
}

/// Read a text file from memory.
#[tool(name = "fs.read", read_only)]
fn read_memory(path: String) -> String {
    path
}

#[test]
fn program_runs() {
    let both = ToolRegistry::new().with(ReadFile).with(ReadMemory);
    let text = both.check().unwrap_err().to_string();
    assert!(text.contains("`fs.read`"), "{text}");
    assert_eq!(
        text.matches("two_tools_of_one_name.rs:").count(),
        2,
        "{text}"
    );
    assert!(Executor::new(both).is_err());

    let text = toolwright::discover!().unwrap_err().to_string();
    assert_eq!(
        text.matches("two_tools_of_one_name.rs:").count(),
        2,
        "{text}"
    );

    assert!(ToolRegistry::new().with(ReadMemory).check().is_ok());
}
