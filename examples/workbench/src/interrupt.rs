//! Ctrl-C, and other ways to be asked to end.
//!
//! The first signal cancels the session: the running call ends, and the calls after it are reported as
//! never begun. A second one exits at once, after the processes that still run are killed. While a question is
//! open the terminal sends no signal for Ctrl-C, and the prompt passes the key on.

use std::io;
use std::process;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use toolwright::Session;

/// The request to end workbench, from the moment it listens.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    tell: Arc<watch::Sender<Option<u8>>>,
    told: watch::Receiver<Option<u8>>,
    keys: mpsc::UnboundedSender<()>,
}

impl Interrupt {
    /// Listens from now on; until then a signal ends workbench as it ends any program. `kill` is
    /// called before an exit at once.
    pub(crate) fn listen(
        session: Session,
        kill: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        Self::listen_with(move || session.cancel(), kill)
    }

    /// Likewise, and has whoever waits for [`come`](Self::come) end what is going on: a turn, and not the
    /// session.
    pub(crate) fn listen_for_turns(kill: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        Self::listen_with(|| {}, kill)
    }

    fn listen_with(
        end: impl Fn() + Send + 'static,
        kill: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let mut signals = Signals::new()?;
        let (tell, told) = watch::channel(None);
        let tell = Arc::new(tell);
        let teller = Arc::clone(&tell);
        let (keys, mut pressed) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let code = next(&mut signals, &mut pressed).await;
                if teller.send_replace(Some(code)).is_some() {
                    kill();
                    process::exit(code.into());
                }
                end();
            }
        });
        Ok(Self { tell, told, keys })
    }

    /// The exit code that tells of the signal, if there was one: 128 and its number.
    pub(crate) fn code(&self) -> Option<u8> {
        *self.told.borrow()
    }

    /// Forgets the signal: what it was to end has ended, and the next one is the first again.
    pub(crate) fn clear(&self) {
        self.tell.send_replace(None);
    }

    /// Ctrl-C was pressed where it is a key: it counts as the signal.
    pub(crate) fn press(&self) {
        // Without a listener, workbench is about to end.
        let _ = self.keys.send(());
    }

    /// Waits for the first signal.
    pub(crate) async fn come(&mut self) {
        if self.told.wait_for(Option::is_some).await.is_err() {
            // Nobody listens any more, so none will come.
            std::future::pending::<()>().await;
        }
    }
}

async fn next(signals: &mut Signals, keys: &mut mpsc::UnboundedReceiver<()>) -> u8 {
    tokio::select! {
        code = signals.next() => code,
        Some(()) = keys.recv() => 130,
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
