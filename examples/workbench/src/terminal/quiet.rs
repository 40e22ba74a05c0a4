//! The terminal while bars are on it.

use std::io;

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

/// Keeps what is typed from being shown, until it is dropped: it would stand in the bars and move the
/// cursor, so that they could not be taken away.
#[derive(Debug)]
pub(crate) struct Quiet(());

impl Quiet {
    /// Has the terminal of standard error be quiet, if it shows what is typed. In the background that is not
    /// for this process to say, and to try would stop it.
    pub(crate) fn enter() -> Option<Self> {
        let terminal = io::stderr();
        if tcgetpgrp(&terminal).ok()? != getpgrp() {
            return None;
        }
        let mut modes = tcgetattr(&terminal).ok()?;
        if !modes.local_modes.contains(LocalModes::ECHO) {
            return None;
        }
        modes.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Now, &modes).ok()?;
        Some(Self(()))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // A terminal that is gone needs none of it.
        if let Ok(mut modes) = tcgetattr(io::stderr()) {
            modes.local_modes.insert(LocalModes::ECHO);
            let _ = tcsetattr(io::stderr(), OptionalActions::Now, &modes);
        }
    }
}
