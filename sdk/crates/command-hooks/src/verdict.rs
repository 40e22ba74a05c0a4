//! The verdict that the end of a program is.

use toolwright::text::is_deceptive;

use crate::failure::{HookFailure, StandardError};
use crate::run::Ended;

/// The exit code with which a program says no.
const NO: i32 = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Go,
    /// The call does not go on. The model reads the reason.
    No(String),
}

impl Verdict {
    pub(crate) fn of(ended: Ended) -> Result<Self, HookFailure> {
        let Ended { status, errors } = ended;
        match status.code() {
            Some(0) => Ok(Self::Go),
            Some(NO) => {
                let cut = errors.left_out;
                let text = errors.text().map_err(|_| HookFailure::NotText)?;
                match (cleaned(text), cut) {
                    (reason, _) if reason.is_empty() => Err(HookFailure::NoReason),
                    (reason, 0) => Ok(Self::No(reason)),
                    (reason, cut) => Ok(Self::No(format!("{reason} [{cut} bytes more]"))),
                }
            }
            _ => Err(HookFailure::Ended(
                status,
                StandardError(cleaned(&String::from_utf8_lossy(&errors.bytes))),
            )),
        }
    }
}

/// A text that moves no cursor but by line breaks and tabs.
fn cleaned(text: &str) -> String {
    let text = text.trim().replace("\r\n", "\n");
    let mut cleaned = String::with_capacity(text.len());
    for c in text.chars() {
        if is_deceptive(c) && !matches!(c, '\n' | '\t') {
            cleaned.extend(c.escape_unicode());
        } else {
            cleaned.push(c);
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_moves_no_cursor_and_turns_no_line() {
        let cleaned = cleaned(" a\r\nb\tc\u{1b}[2J\u{202e}d \n");
        assert_eq!(cleaned, "a\nb\tc\\u{1b}[2J\\u{202e}d");
    }
}
