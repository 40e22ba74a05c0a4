//! A method that is not there is no tool either.

#![deny(warnings)]
#![allow(clippy::non_minimal_cfg)]

use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool(read_only)]
    fn read(&self, name: String) -> String {
        name
    }

    /// Search the notes.
    #[cfg(any())]
    #[tool(read_only)]
    fn search(&self, index: Index) -> String {
        index.word()
    }

    /// List the notes.
    #[cfg(all())]
    #[tool(read_only)]
    fn list(&self) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn program_runs() {
    let tools = ToolRegistry::new().with_set(Notes);
    let names: Vec<String> = tools.names().map(ToString::to_string).collect();
    assert_eq!(names, ["list", "read"]);
}
