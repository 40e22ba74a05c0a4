//! The lines of journals.

mod lines;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, sync_channel};
use std::thread::Builder;

use lines::Lines;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::{JournalLog, LogError, LogLine, LogLines};

use crate::error::PostgresError;
use crate::shared::Shared;

type Job = Box<dyn FnOnce(&Runtime, &mut Lines) + Send>;

/// The lines of a journal on a server: [`PostgresStore::log`](crate::PostgresStore::log).
///
/// The name of a log is a session lock of the server: one journal at a time writes to it. Lines are written on the
/// connection that has the lock, so that a journal that has lost it writes nothing. When that connection breaks in the
/// middle of a write, the log takes the name again and reads whether the lines are there: until it knows, at most for
/// the [patience](crate::PostgresBuilder::patience) of the store, the write waits.
///
/// A write is a commit on the server: use [`Durability::Synced`](toolwright_journal::Durability::Synced), which
/// waits for it in the journal's own thread and commits together what calls record side by side. The log has
/// a thread and a connection of its own.
///
/// Cloning is cheap; all clones are one log. The name is free when the last one is dropped.
#[derive(Clone)]
pub struct PostgresLog {
    name: Arc<str>,
    jobs: Sender<Job>,
}

impl fmt::Debug for PostgresLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLog")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl PostgresLog {
    pub(crate) async fn open(
        store: &Shared,
        name: &str,
        writes: bool,
    ) -> Result<Self, PostgresError> {
        let mut lines = Lines::new(store, name, writes)?;
        let failed = |source| PostgresError::Thread {
            name: name.to_owned(),
            source,
        };
        let (jobs, queue) = mpsc::channel::<Job>();
        let (told, opened) = oneshot::channel();
        // A runtime of its own: a call of the log may block the only thread of the caller's.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| failed(Some(error)))?;
        let work = move || {
            let open = runtime.block_on(lines.open());
            let is_open = open.is_ok();
            if told.send(open).is_ok() && is_open {
                work(&queue, &runtime, &mut lines);
            }
        };
        let thread = Builder::new()
            .name("toolwright-postgres".to_owned())
            .spawn(work);
        thread.map_err(|error| failed(Some(error)))?;
        opened.await.map_err(|_| failed(None))??;
        Ok(Self {
            name: name.into(),
            jobs,
        })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs something in the log's thread. `None` if the thread has ended before or meanwhile.
    fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Runtime, &mut Lines) -> T + Send + 'static,
    ) -> Option<T> {
        let (told, done) = sync_channel(1);
        let job: Job = Box::new(move |runtime, lines| {
            // Whoever asked may be gone.
            let _ = told.send(job(runtime, lines));
        });
        self.jobs.send(job).ok()?;
        // Each job ends within the limits of the store.
        done.recv().ok()
    }

    fn ended(&self) -> StoreError {
        let name = self.name.to_string();
        PostgresError::Thread { name, source: None }.store()
    }
}

fn work(queue: &Receiver<Job>, runtime: &Runtime, lines: &mut Lines) {
    for job in queue {
        job(runtime, lines);
    }
}

impl JournalLog for PostgresLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        let head = self.run(|runtime, lines| runtime.block_on(lines.read_head()));
        let head = head.ok_or_else(|| LogError::Unread(self.ended()))?;
        head.map_err(|error| LogError::Unread(error.store()))
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        let added = lines.to_vec();
        let appended = self.run(move |runtime, lines| runtime.block_on(lines.append(head, &added)));
        appended.unwrap_or_else(|| Err(LogError::Unknown(self.ended())))
    }

    /// Does nothing: an append is a commit.
    fn sync(&self) -> Result<(), LogError> {
        Ok(())
    }

    fn read(&self) -> Result<LogLines, LogError> {
        let end = self.run(|runtime, lines| runtime.block_on(lines.read_end()));
        let end = end.ok_or_else(|| LogError::Unread(self.ended()))?;
        let pages = Pages {
            log: self.clone(),
            after: 0,
            end: end.map_err(|error| LogError::Unread(error.store()))?,
            page: Vec::new().into_iter(),
        };
        Ok(Box::new(pages))
    }
}

/// The lines up to the one that was the last when they began to be read, a page at a time.
struct Pages {
    log: PostgresLog,
    after: i64,
    end: i64,
    page: std::vec::IntoIter<Vec<u8>>,
}

impl Iterator for Pages {
    type Item = Result<Vec<u8>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.page.next() {
            self.after += 1;
            return Some(Ok(line));
        }
        if self.after >= self.end {
            return None;
        }
        let (after, end) = (self.after, self.end);
        let read = self
            .log
            .run(move |runtime, lines| runtime.block_on(lines.page(after, end)));
        match read {
            Some(Ok(page)) => self.page = page.into_iter(),
            Some(Err(error)) => {
                self.end = 0;
                return Some(Err(error.store()));
            }
            None => {
                self.end = 0;
                return Some(Err(self.log.ended()));
            }
        }
        let line = self.page.next();
        self.after += 1;
        line.map(Ok)
    }
}
