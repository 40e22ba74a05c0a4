//! Writing: one at a time, and together what came meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::SystemTime;

use hashbrown::HashMap;
use tokio::sync::oneshot;
use toolwright::content::ContentHash;
use toolwright::id::InvocationId;
use toolwright::ticket::StoreError;

use super::line::{LogLine, write_body};
use super::{Durability, JournalError};
use crate::entry::Entry;
use crate::log::{JournalLog, LogError};

/// The reason why a record was not written; shared by all records that were to be written together.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the journal could not be written: {0}")]
pub(crate) struct Failed(#[source] Arc<LogError>);

impl Failed {
    fn new(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Arc::new(LogError::Unwritten(StoreError::new(why))))
    }

    /// Returns true if the records may have been written, or may be written later.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(*self.0, LogError::Unknown(_))
    }
}

/// Tells whether records were written.
pub(crate) enum Receipt {
    Known(Result<(), Failed>),
    ToBeTold(oneshot::Receiver<Result<(), Failed>>),
}

impl Receipt {
    /// Waits until the records are written as the journal promises.
    pub(crate) async fn wait(self) -> Result<(), Failed> {
        let gone = |_| Err(Failed::new("its thread has ended"));
        match self {
            Self::Known(known) => known,
            Self::ToBeTold(told) => told.await.unwrap_or_else(gone),
        }
    }

    /// Returns true if it is known already that they were not.
    pub(crate) fn has_failed(&mut self) -> bool {
        if let Self::ToBeTold(told) = self
            && let Ok(known) = told.try_recv()
        {
            *self = Self::Known(known);
        }
        matches!(self, Self::Known(Err(_)))
    }
}

/// The end of the log.
pub(super) struct Chain {
    seq: u64,
    head: Option<ContentHash>,
    /// Lines of before, for their room: a log that keeps lines copies them.
    lines: Vec<LogLine>,
}

impl Chain {
    pub(super) fn new(seq: u64, head: Option<ContentHash>) -> Self {
        Self {
            seq,
            head,
            lines: Vec::new(),
        }
    }

    /// Writes the next lines, which have their place once the log has them.
    fn write(
        &mut self,
        count: usize,
        mut body: impl FnMut(usize, &mut String) -> Result<(), serde_json::Error>,
    ) -> Result<(), serde_json::Error> {
        if self.lines.len() < count {
            self.lines.resize(count, LogLine::empty());
        }
        let (mut seq, mut head) = (self.seq, self.head);
        for (number, line) in self.lines[..count].iter_mut().enumerate() {
            seq += 1;
            line.write(seq, head, |out| body(number, out))?;
            head = Some(line.hash());
        }
        Ok(())
    }
}

/// The most lines whose room is kept.
const LINES: usize = 8;

struct Item {
    bodies: Vec<String>,
    told: oneshot::Sender<Result<(), Failed>>,
}

struct Queue {
    items: Vec<Item>,
    /// The calls that have not ended, and what they were made with.
    open: HashMap<InvocationId, ContentHash>,
    /// Nothing can be written any more.
    closed: Option<Failed>,
    is_over: bool,
}

struct Shared {
    log: Arc<dyn JournalLog>,
    durability: Durability,
    /// Locked while something is written, and always before the queue.
    chain: Mutex<Chain>,
    queue: Mutex<Queue>,
    filled: Condvar,
}

/// Writes the records of a journal.
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(
        log: Arc<dyn JournalLog>,
        durability: Durability,
        chain: Chain,
        open: HashMap<InvocationId, ContentHash>,
    ) -> Result<Self, JournalError> {
        let shared = Arc::new(Shared {
            log,
            durability,
            chain: Mutex::new(chain),
            queue: Mutex::new(Queue {
                items: Vec::new(),
                open,
                closed: None,
                is_over: false,
            }),
            filled: Condvar::new(),
        });
        let thread = match durability {
            Durability::Flushed => None,
            Durability::Synced => {
                let shared = Arc::clone(&shared);
                let named = Builder::new().name("toolwright-journal".to_owned());
                let thread = named.spawn(move || shared.write_on());
                Some(thread.map_err(JournalError::Thread)?)
            }
        };
        Ok(Self { shared, thread })
    }

    pub(super) fn log(&self) -> &dyn JournalLog {
        &*self.shared.log
    }

    pub(super) fn head(&self) -> Option<ContentHash> {
        lock(&self.shared.chain).head
    }

    pub(super) fn open_request(&self, invocation: InvocationId) -> Option<ContentHash> {
        lock(&self.shared.queue).open.get(&invocation).copied()
    }

    /// Writes the first record, in place.
    pub(super) fn begin(&self, entry: Entry<'_>) -> Result<(), JournalError> {
        let mut chain = lock(&self.shared.chain);
        let now = SystemTime::now();
        chain
            .write(1, |_, out| write_body(entry, now, out))
            .map_err(JournalError::Unreadable)?;
        self.shared.append(&mut chain, 1)?;
        Ok(())
    }

    /// Returns true if records are written in the thread of their call, unless others are written there.
    pub(super) fn is_prompt(&self) -> bool {
        self.thread.is_none()
    }

    /// Writes records at once, together, all or none. `None` if they have to be queued.
    pub(super) fn put_now(&self, entries: &[Entry<'_>]) -> Option<Result<(), Failed>> {
        if !self.is_prompt() {
            return None;
        }
        self.shared.write_now(entries, SystemTime::now())
    }

    /// Queues records, which are written together, all or none. In this thread, where that is quick.
    pub(super) fn put(&self, entries: &[Entry<'_>]) -> Receipt {
        let now = SystemTime::now();
        if self.is_prompt()
            && let Some(written) = self.shared.write_now(entries, now)
        {
            return Receipt::Known(written);
        }
        let bodies = entries.iter().map(|entry| {
            let mut body = String::new();
            write_body(*entry, now, &mut body).map(|()| body)
        });
        let bodies = match bodies.collect::<Result<_, _>>() {
            Ok(bodies) => bodies,
            Err(error) => return Receipt::Known(Err(Failed::new(error))),
        };
        let (told, receiver) = oneshot::channel();
        let mut queue = lock(&self.shared.queue);
        if let Some(closed) = &queue.closed {
            return Receipt::Known(Err(closed.clone()));
        }
        queue.note(entries);
        queue.items.push(Item { bodies, told });
        drop(queue);
        match self.thread {
            None => self.shared.write_queued(),
            Some(_) => self.shared.filled.notify_one(),
        }
        Receipt::ToBeTold(receiver)
    }
}

/// Queued records are written before the journal is gone, so that the log can be opened anew at once.
impl Drop for Writer {
    fn drop(&mut self) {
        lock(&self.shared.queue).is_over = true;
        self.shared.filled.notify_one();
        if let Some(thread) = self.thread.take() {
            // It catches what panics.
            let _ = thread.join();
        }
    }
}

impl Queue {
    fn note(&mut self, entries: &[Entry<'_>]) {
        for entry in entries {
            match entry {
                Entry::Requested(request) => {
                    let hash = request.input.request_hash;
                    self.open.insert(request.invocation, hash);
                }
                Entry::Resumed(invocation, input) => {
                    self.open.insert(*invocation, input.request_hash);
                }
                Entry::Responded(response) => {
                    self.open.remove(&response.invocation);
                }
                Entry::Opened { .. } | Entry::Suspended(_) => {}
            }
        }
    }
}

impl Shared {
    /// Writes whatever comes, until the journal is gone.
    fn write_on(&self) {
        loop {
            let queue = lock(&self.queue);
            let wait = self
                .filled
                .wait_while(queue, |queue| queue.items.is_empty() && !queue.is_over);
            let queue = wait.unwrap_or_else(PoisonError::into_inner);
            if queue.items.is_empty() {
                return;
            }
            drop(queue);
            self.write_queued();
        }
    }

    /// Writes records at once if nobody else writes; `None` if they have to be queued.
    fn write_now(&self, entries: &[Entry<'_>], now: SystemTime) -> Option<Result<(), Failed>> {
        let mut chain = self.chain.try_lock().ok()?;
        let written = chain.write(entries.len(), |number, out| {
            write_body(entries[number], now, out)
        });
        if let Err(error) = written {
            return Some(Err(Failed::new(error)));
        }
        let mut queue = lock(&self.queue);
        if let Some(closed) = &queue.closed {
            return Some(Err(closed.clone()));
        }
        if !queue.items.is_empty() {
            return None;
        }
        queue.note(entries);
        drop(queue);
        Some(self.append_or_close(&mut chain, entries.len()))
    }

    /// Writes what is queued. When this returns, whatever was queued before is written or has failed: what
    /// another thread has taken, it has written before it lets go of the chain.
    fn write_queued(&self) {
        let mut chain = lock(&self.chain);
        let mut queue = lock(&self.queue);
        let mut items = std::mem::take(&mut queue.items);
        let closed = queue.closed.clone();
        drop(queue);
        if items.is_empty() {
            return;
        }
        let bodies = items.iter_mut().flat_map(|item| item.bodies.drain(..));
        let bodies: Vec<String> = bodies.collect();
        let written = match closed {
            Some(closed) => Err(closed),
            None => chain
                .write(bodies.len(), |number, out| {
                    out.push_str(&bodies[number]);
                    Ok(())
                })
                .map_err(Failed::new)
                .and_then(|()| self.append_or_close(&mut chain, bodies.len())),
        };
        drop(chain);
        for item in items {
            // Whoever does not wait need not know.
            let _ = item.told.send(written.clone());
        }
    }

    fn append_or_close(&self, chain: &mut Chain, count: usize) -> Result<(), Failed> {
        self.append(chain, count).map_err(|error| {
            let is_final = !matches!(error, LogError::Unwritten(_));
            let failed = Failed(Arc::new(error));
            if is_final {
                lock(&self.queue).closed = Some(failed.clone());
            }
            failed
        })
    }

    /// Gives the log the lines that were written last.
    fn append(&self, chain: &mut Chain, count: usize) -> Result<(), LogError> {
        let head = chain.lines[..count].last().map(LogLine::hash);
        let appended = guarded(|| self.log.append(chain.head, &chain.lines[..count]));
        chain.lines.truncate(LINES);
        chain.lines.iter_mut().for_each(LogLine::shrink);
        appended?;
        chain.seq += u64::try_from(count).unwrap_or(u64::MAX);
        chain.head = head.or(chain.head);
        if self.durability == Durability::Synced {
            guarded(|| self.log.sync())?;
        }
        Ok(())
    }
}

/// Runs code of the log. After a panic, it is not known what was written.
fn guarded(code: impl FnOnce() -> Result<(), LogError>) -> Result<(), LogError> {
    catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|payload| {
        // Its drop may panic once more.
        std::mem::forget(payload);
        Err(LogError::Unknown(StoreError::new("the log panicked")))
    })
}

/// Nothing that is locked here is left half done by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
