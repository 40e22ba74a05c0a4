//! The text that a developer reads of an error that nobody formats: by `?` in `main`, by `unwrap`.

use std::error::Error;
use std::io;

use toolwright::{BuildError, Executor, ToolError, ToolRegistry, tool};
use toolwright_policy::{PermissionPolicy, PolicyError};

struct Missing;

/// Needs what nobody has added.
#[tool(register = false)]
fn needy(missing: &Missing) {
    let _ = missing;
}

fn unbuilt() -> Result<(), BuildError> {
    Executor::new(ToolRegistry::new().with(Needy)).map(drop)
}

fn unread(toml: &str) -> Result<(), PolicyError> {
    PermissionPolicy::from_toml(toml, "/srv/app").map(drop)
}

#[test]
fn a_main_that_fails_prints_the_text_of_the_error() {
    let main = || -> Result<(), Box<dyn Error>> { Ok(unbuilt()?) };
    let printed = format!("{:?}", main().unwrap_err());
    assert!(
        printed.starts_with("the executor cannot be built:\n- ") && printed.contains("Missing"),
        "{printed}"
    );
    assert_eq!(printed, unbuilt().unwrap_err().to_string());

    let unread = unread("defualt = \"ask\"\nallow = 3\n").unwrap_err();
    assert_eq!(format!("{unread:?}"), unread.to_string());
    assert!(unread.to_string().lines().count() > 2, "{unread}");

    let twice = ToolRegistry::new()
        .with(Needy)
        .with(Needy)
        .check()
        .unwrap_err();
    assert_eq!(format!("{twice:?}"), twice.to_string());
}

#[test]
fn what_lies_behind_an_error_is_printed_with_it() {
    let error = ToolError::unavailable("the index cannot be read")
        .with_code("index_unreadable")
        .with_source(io::Error::other("disk on fire"));
    assert_eq!(
        format!("{error:?}"),
        "the index cannot be read [Unavailable: index_unreadable]\ncaused by: disk on fire"
    );
    // A file that is not there: the message says why already.
    let unread = PermissionPolicy::load("/nowhere/policy.toml", "/srv/app").unwrap_err();
    assert_eq!(format!("{unread:?}"), unread.to_string());
    let fails = || -> Result<(), ToolError> {
        Err(ToolError::unavailable("the index cannot be read").with_code("index_unreadable"))
    };
    let caught = std::panic::catch_unwind(|| fails().unwrap()).unwrap_err();
    let said = caught.downcast_ref::<String>().unwrap();
    assert!(
        said.contains("the index cannot be read [Unavailable: index_unreadable]"),
        "{said}"
    );
}
