//! Only a use of a deprecated tool warns, and a use stands in the author's code.

#![deny(warnings, deprecated)]

use toolwright::{Tool, tool};

/// Read a text file.
#[tool(permission = toolwright::FileAccess::read(path))]
#[deprecated(since = "1.0.0", note = "use `fs.read`")]
async fn read_file(#[arg(default = "a", length = 1..)] path: String) -> String {
    path
}

/// Read a text file.
#[deprecated]
#[tool]
fn read_line(from: u32) -> u32 {
    from
}

/// Read a text file.
#[tool(name = "fs.read")]
#[deprecated = "use nothing"]
pub fn read() {}

#[test]
fn program_runs() {
    assert_eq!(ReadFile.spec().deprecated(), Some("use `fs.read`"));
    assert_eq!(ReadLine.spec().deprecated(), Some(""));
    assert_eq!(Read.spec().deprecated(), Some("use nothing"));
}
