//! Ctrl-C, and other ways to be asked to end.
//!
//! The first signal cancels the session: the running call ends, and those after it are told that
//! they never began. A second one exits at once, after what still runs is killed.

use std::io;
use std::process;

use tokio::sync::watch;
use toolwright::Session;

/// Whether workbench was asked to end, from when it listens.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(watch::Receiver<Option<u8>>);

impl Interrupt {
    /// Listens from now on; until then a signal ends workbench as it ends any program. `kill` is
    /// called before an exit at once.
    pub(crate) fn listen(
        session: Session,
        kill: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let mut signals = Signals::new()?;
        let (tell, told) = watch::channel(None);
        tokio::spawn(async move {
            let code = signals.next().await;
            tell.send_replace(Some(code));
            session.cancel();
            let code = signals.next().await;
            kill();
            process::exit(code.into());
        });
        Ok(Self(told))
    }

    /// The exit code that tells of the signal, if there was one: 128 and its number.
    pub(crate) fn code(&self) -> Option<u8> {
        *self.0.borrow()
    }

    /// Waits for the first signal.
    pub(crate) async fn come(&mut self) {
        if self.0.wait_for(Option::is_some).await.is_err() {
            // Nobody listens any more, so none will come.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            // The terminal is gone, which the lines, in sessions of their own, do not notice.
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => 130,
            _ = self.terminate.recv() => 143,
            _ = self.hangup.recv() => 129,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "on other systems it can fail")]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> u8 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        130
    }
}
