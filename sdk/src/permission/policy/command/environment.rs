//! The variables that may be set before a command that is allowed.

use super::super::shell::{Assignment, is_locale, is_plain_locale};

/// Variables by which no program is told to run or load something: they say how output looks, and how much of
/// it there is. With plain values only: in some of them a path would name a
/// file to load.
const HARMLESS: [&str; 15] = [
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GIT_TERMINAL_PROMPT",
    "LINES",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_TEST_THREADS",
    "TERM",
    "TZ",
];

/// Whether all variables set before a command may be.
pub(super) fn allows(assignments: &[Assignment], environment: &[String]) -> bool {
    assignments.iter().all(|assignment| {
        environment.contains(&assignment.name)
            || (HARMLESS.contains(&assignment.name.as_str())
                && assignment.value.as_deref().is_some_and(is_plain))
            || (is_locale(&assignment.name)
                && assignment.value.as_deref().is_some_and(is_plain_locale))
    })
}

fn is_plain(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_.,:=+-@".contains(&byte))
}
