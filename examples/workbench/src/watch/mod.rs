//! The display of running calls, on standard error: a bar for each that takes a while, and the output of `shell.run`.
//!
//! Events come by a channel that loses some before a tool has to wait for a slow terminal. What counts
//! is the result, which is printed at the end.

mod board;

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::{JoinHandle, block_in_place};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use toolwright::event::{EventChannel, EventReceiver};

pub(crate) use self::board::{Board, Printed};
use crate::cli::{Cli, Command};

/// The most events that wait for a slow terminal. A piece of output is an event of at most 64 KiB.
const WAITING: usize = 256;

/// Shows what calls do, until it is ended. All clones are one.
#[derive(Clone)]
pub(crate) struct Watch {
    channel: EventChannel,
    board: Arc<Board>,
    over: CancellationToken,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Watch {
    /// Starts if there is something to show, and somebody to see it.
    pub(crate) fn start(cli: &Cli) -> Option<Self> {
        let is_one = matches!(cli.command, Command::Call { .. });
        if !is_one
            && !matches!(
                cli.command,
                Command::Run { .. } | Command::Resume(_) | Command::Chat(_)
            )
        {
            return None;
        }
        let at_terminal = io::stderr().is_terminal();
        // By itself only for the person who makes one call and waits for it.
        let live = is_live(cli) || (is_one && at_terminal);
        if !live && !at_terminal {
            return None;
        }
        let channel = EventChannel::new(WAITING);
        // The result of one call comes after what it has printed, and is not to say it again.
        let keeps = is_one && at_terminal && io::stdout().is_terminal();
        let board = Arc::new(Board::new(at_terminal, live, keeps));
        let over = CancellationToken::new();
        let task = show(Arc::clone(&board), channel.subscribe(), over.clone());
        Some(Self {
            channel,
            board,
            over,
            task: Arc::new(Mutex::new(Some(tokio::spawn(task)))),
        })
    }

    /// The channel for the executor's events.
    pub(crate) fn channel(&self) -> EventChannel {
        self.channel.clone()
    }

    pub(crate) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Shows what is left to show, and takes the bars away.
    pub(crate) async fn end(&self) {
        self.over.cancel();
        let task = self
            .task
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(task) = task {
            // A task that panicked has reported so.
            let _ = task.await;
        }
    }
}

#[cfg(unix)]
fn is_live(cli: &Cli) -> bool {
    cli.live
}

#[cfg(not(unix))]
fn is_live(_: &Cli) -> bool {
    false
}

async fn show(board: Arc<Board>, mut events: EventReceiver, over: CancellationToken) {
    let mut tick = interval(board::TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // While something is asked nothing is written, and the channel keeps what it can.
        let next = async {
            board.is_free().await;
            events.recv().await
        };
        tokio::select! {
            biased;
            () = over.cancelled() => break,
            received = next => match received {
                // A terminal that is held holds this task, and not the others of its thread: one of
                // them listens to Ctrl-C.
                Some(received) => block_in_place(|| board.take(&received)),
                None => break,
            },
            _ = tick.tick() => block_in_place(|| board.tick()),
        }
    }
    block_in_place(|| {
        while let Some(received) = events.try_recv() {
            board.take(&received);
        }
        board.clear();
    });
}
