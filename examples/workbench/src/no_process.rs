//! In place of `process` where there are no process groups, and so no `shell.run`.

use crate::cli::{Cli, Problem};

#[derive(Debug, Clone)]
pub(crate) struct Processes;

impl Processes {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "where there are processes it can fail"
    )]
    pub(crate) fn of(_: &Cli) -> Result<Self, Problem> {
        Ok(Self)
    }

    #[expect(clippy::unused_async, reason = "where there are processes it waits")]
    pub(crate) async fn idle(&self) {}

    pub(crate) fn kill_all(&self) {}
}
