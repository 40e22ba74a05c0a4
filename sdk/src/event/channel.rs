//! Events for whoever awaits them: bounded, and what is lost is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::broadcast::{self, Receiver, Sender};

use super::{Event, EventSink};

/// A way from an executor to any number of receivers; each receiver gets every event.
///
/// It holds a bounded number of events and never makes a tool wait: a receiver that is slower than the
/// tools loses the oldest, and learns [how many](ReceivedEvent::lost). Lost events do not change a call: its outcome
/// is what counts.
///
/// Cloning is cheap; all clones are one channel.
///
/// ```
/// use toolwright::{Executor, tool, ToolContext, ToolRegistry};
/// use toolwright::event::{EventChannel, EventKind};
///
/// /// Copy some files.
/// #[tool]
/// fn copy(files: u32, ctx: &ToolContext) {
///     for file in 1..=files {
///         ctx.progress(f64::from(file) / f64::from(files), format_args!("file {file}"));
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let channel = EventChannel::new(64);
/// let mut events = channel.subscribe();
/// let executor = Executor::builder(ToolRegistry::new().with(Copy))
///     .permission_checker(toolwright::permission::AllowAll)
///     .events(channel)
///     .build()?;
/// executor.call("copy", r#"{"files": 2}"#).await;
///
/// let mut told = Vec::new();
/// while let Some(received) = events.try_recv() {
///     if let EventKind::Progress { message, .. } = received.event().kind() {
///         told.push(message.clone());
///     }
/// }
/// assert_eq!(told, ["file 1", "file 2"]);
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct EventChannel {
    sender: Sender<Arc<Event>>,
    receivers: Arc<AtomicUsize>,
}

impl EventChannel {
    /// The most events that a channel holds: 1,048,576.
    pub const MAX_CAPACITY: usize = 1 << 20;

    /// A channel that holds so many events for a receiver that is slow: at least 1, at most
    /// [`EventChannel::MAX_CAPACITY`], and rounded up to a power of two. Its memory is taken at once.
    pub fn new(capacity: usize) -> Self {
        let (sender, _) = broadcast::channel(capacity.clamp(1, Self::MAX_CAPACITY));
        Self {
            sender,
            receivers: Arc::default(),
        }
    }

    /// A receiver of what happens from now on.
    pub fn subscribe(&self) -> EventReceiver {
        EventReceiver {
            receiver: self.sender.subscribe(),
            _counted: Counted::new(&self.receivers),
        }
    }
}

impl EventSink for EventChannel {
    fn accept(&self, event: &Arc<Event>) {
        // Sending takes a lock before it finds nobody there.
        if self.receivers.load(Ordering::Relaxed) == 0 {
            return;
        }
        // Sending fails only if the last receiver has just gone, which is not an error.
        let _ = self.sender.send(Arc::clone(event));
    }
}

/// The receiving end of an [`EventChannel`].
#[derive(Debug)]
pub struct EventReceiver {
    receiver: Receiver<Arc<Event>>,
    _counted: Counted,
}

/// A receiver of a channel, counted for as long as it lives.
#[derive(Debug)]
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl EventReceiver {
    /// Waits for the next event; `None` once the channel and its executor are gone and all was received.
    /// Dropping the future loses nothing.
    pub async fn recv(&mut self) -> Option<ReceivedEvent> {
        let mut lost = 0;
        loop {
            match self.receiver.recv().await {
                Ok(event) => return Some(ReceivedEvent { event, lost }),
                // The next `recv` returns the oldest event that is left.
                Err(RecvError::Lagged(count)) => lost += count,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// The next event, if one is there.
    pub fn try_recv(&mut self) -> Option<ReceivedEvent> {
        let mut lost = 0;
        loop {
            match self.receiver.try_recv() {
                Ok(event) => return Some(ReceivedEvent { event, lost }),
                Err(TryRecvError::Lagged(count)) => lost += count,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }
}

/// An event, and how many were lost before it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedEvent {
    event: Arc<Event>,
    lost: u64,
}

impl ReceivedEvent {
    /// The event.
    pub fn event(&self) -> &Arc<Event> {
        &self.event
    }

    /// The event.
    pub fn into_event(self) -> Arc<Event> {
        self.event
    }

    /// The number of events that this receiver lost between the one before and this one, because it was too slow.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}
