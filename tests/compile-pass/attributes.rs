//! Attributes above and below `#[tool]`.

#![deny(warnings)]
#![allow(clippy::non_minimal_cfg)]

use toolwright::{Tool, tool};

#[cfg(any())]
/// Read a text file.
#[tool]
async fn off_above(path: NoSuchType) {}

/// Read a text file.
#[tool]
#[cfg(any())]
async fn off_below(path: NoSuchType) {}

/// Read a text file.
#[tool(permission = toolwright::FileAccess::read(path))]
#[cfg(all())]
async fn read_file(path: String) -> String {
    path
}

/// Read a text file.
#[cfg_attr(all(), tool(read_only))]
#[cfg_attr(all(), inline)]
async fn on_condition(path: String) -> String {
    path
}

#[doc = include_str!("attributes.rs")]
#[tool]
#[must_use]
#[allow(non_snake_case, clippy::too_many_arguments)]
fn included(pathOfFile: String) -> String {
    pathOfFile
}

/// Read
#[inline]
/// a text
#[tool]
/// file.
#[expect(non_snake_case)]
fn scattered(#[allow(unused_variables)] pathOfFile: String) {}

#[tool]
/** Read a text file. */
#[track_caller]
fn block() {}

mod inner {
    #![allow(non_upper_case_globals)]

    /// Read a text file.
    #[::toolwright::tool]
    #[warn(unused)]
    pub fn read() {}
}

#[test]
fn program_runs() {
    for (tool, description) in [
        (&ReadFile as &dyn Tool, "Read a text file."),
        (&OnCondition, "Read a text file."),
        (&Scattered, "Read\na text\nfile."),
        (&Block, "Read a text file."),
        (&inner::Read, "Read a text file."),
    ] {
        assert_eq!(tool.spec().description(), description);
    }
    assert!(Included.spec().description().contains("Attributes above"));
}
