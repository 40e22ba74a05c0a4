//! The variables by which no program is told to run or load something.

use super::lists::lists;
use super::part::Assignment;
use super::variables::{is_locale, is_plain_locale};

/// Variables by which no program is told to run or load something: they say how output looks, and how much of
/// it there is. With plain values only: in some of them a path would name a
/// file to load.
const HARMLESS: &str = "CARGO_TERM_COLOR CI CLICOLOR CLICOLOR_FORCE COLUMNS FORCE_COLOR GIT_TERMINAL_PROMPT LINES \
                        NO_COLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED RUST_BACKTRACE RUST_TEST_THREADS TERM TZ";

impl Assignment {
    /// Returns true if the variable is known to tell no program to run or load something, with this value: it says
    /// how output looks, or how much of it there is.
    pub fn is_harmless(&self) -> bool {
        let value = self.value.as_deref();
        (lists(HARMLESS, &self.name) && value.is_some_and(is_plain))
            || (is_locale(&self.name) && value.is_some_and(is_plain_locale))
    }
}

fn is_plain(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_.,:=+-@".contains(&byte))
}
