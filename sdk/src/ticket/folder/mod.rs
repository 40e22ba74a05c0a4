//! The store in a folder of files.

mod changes;
mod file;
mod layout;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::sync::Notify;

use self::changes::TicketChange;
use self::file::FolderError;
use self::layout::Folder;
use super::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};
use crate::id::{GrantId, SessionId, TicketId};
use crate::util::files::on_pool;
use crate::util::lock::Lock;

/// The time between two looks for what other processes changed.
const LOOK: Duration = Duration::from_millis(250);
crate::util::documented::documented_default!(
    "tickets in a folder, time between two looks",
    time(LOOK)
);

/// Keeps tickets, answers and grants in a folder of files, for calls that wait longer than their process lives. Any
/// number of processes of one user may use the folder at the same time.
///
/// ```text
/// tickets/<ticket>/0.json, 1.json ..           a ticket, then each answer, then its end: one change a file
/// sessions/<hash of its id>/<n>-<grant>.json   a grant of a session
/// sessions/<hash of its id>/tickets/<ticket>   empty: a ticket of the session
/// unfinished/                                  files that are being written, folders that are being removed
/// swept                                        empty: its age tells when old tickets were last searched for
/// ```
///
/// On Unix the folder and all in it belong to its owner alone, because tickets hold the arguments of calls, secrets
/// too. The folder must lie on a file system with hard links. A file of more than 256 MiB is not read.
///
/// **Several processes.** A file is there with all of its content or not at all. A change is the file with the next
/// number: if two processes answer or close one ticket, the file system lets one of them make it, and the other reads
/// it and decides anew. No lock is held, so none is left behind. A wait sees the changes of its own process at once,
/// those of others after at most 250 ms.
///
/// **Crashes.** A write returns when its data are on the disk. If the process or the machine ends before that, the
/// ticket is as it was before the write, or as it is after it; what was half written stays in `unfinished`.
///
/// **Old tickets.** A ticket stays for 7 days after its deadline, so that a late answer is refused with the reason.
/// Once an hour, one [`put`](TicketStore::put) removes those whose time is over, and what is unfinished for an hour.
/// Grants stay until they are revoked or their session is forgotten.
///
/// Files are read and written on Tokio's blocking pool; outside of a runtime, in place. A wait needs a runtime with
/// timers. Cloning is cheap; all clones are one store.
///
/// ```
/// use toolwright::executor::{Approvals, WaitMode};
/// use toolwright::ticket::{FolderTickets, TicketFilter, TicketKey};
/// use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
///
/// /// Deploy a version.
/// #[tool(permission = PermissionRequest::new("deploy", version.as_str(), format!("Deploy {version}")))]
/// fn deploy(version: String) -> String {
///     format!("{version} is live")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
/// # let place = std::env::temp_dir().join(format!("tickets-{}", std::process::id()));
/// let store = FolderTickets::open(&place)?;
/// // The key lies elsewhere: who may write to the folder must not be able to sign.
/// let approvals = Approvals::new()
///     .waiting(WaitMode::Suspending)
///     .ticket_store(store)
///     .ticket_key(TicketKey::from_bytes([7; 32]));
/// let executor = Executor::builder(ToolRegistry::new().with(Deploy)).approvals(approvals).build()?;
/// let outcome = executor.session("s-1").call(ToolCall::new("deploy", r#"{"version": "1.4"}"#)).await;
/// assert!(outcome.suspension().is_some());
/// assert_eq!(executor.tickets().list(&TicketFilter::all()).await?.len(), 1);
/// # std::fs::remove_dir_all(place)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FolderTickets {
    folder: Arc<Folder>,
    changed: Arc<Notify>,
    unreadable: Arc<Lock<Vec<StoreError>>>,
}

impl FolderTickets {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be made or used, is a file, or is open to other users (on Unix; the text says how to
    /// close it).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Ok(Self {
            folder: Arc::new(Folder::open(path.as_ref()).map_err(StoreError::new)?),
            changed: Arc::new(Notify::new()),
            unreadable: Arc::default(),
        })
    }

    /// Opens a folder that such a store has made.
    ///
    /// # Errors
    ///
    /// Fails if no store of tickets was opened there before; otherwise as [`open`](Self::open).
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if ["tickets", "sessions"]
            .iter()
            .any(|part| !path.join(part).is_dir())
        {
            let fault = "is no folder of tickets";
            return Err(StoreError::new(FolderError::unfit(path, fault)));
        }
        Self::open(path)
    }

    /// Takes the errors of the last [`list`](TicketStore::list): one for each ticket that cannot be read, which the list
    /// leaves out and nobody can answer. Empty if there are none, and after they were taken.
    pub fn take_unreadable(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.unreadable.lock())
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, FolderError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let folder = Arc::clone(&self.folder);
        let done = on_pool(move || work(&folder)).await;
        done.map_err(StoreError::new)?.map_err(StoreError::new)
    }

    async fn change(
        &self,
        id: TicketId,
        change: TicketChange,
        refusal: impl Fn(&TicketRecord) -> Option<WriteOutcome> + Send + 'static,
    ) -> Result<WriteOutcome, StoreError> {
        let added = self.run(move |folder| {
            changes::add(&folder.unfinished, &folder.ticket(id), &change, refusal)
        });
        let written = added.await?;
        self.changed.notify_waiters();
        Ok(written)
    }
}

/// The refusal of a change to a closed ticket.
fn refusal_of_closed(record: &TicketRecord) -> Option<WriteOutcome> {
    record.closed.map(WriteOutcome::Closed)
}

#[async_trait]
impl TicketStore for FolderTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        let ticket = ticket.clone();
        let put = self.run(move |folder| {
            folder.put(&ticket)?;
            if folder.sweep_is_due() {
                // The ticket is there; old ones that cannot be removed do no harm.
                let _ = folder.sweep(SystemTime::now());
            }
            Ok(())
        });
        put.await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        let read = self.run(move |folder| changes::read(&folder.ticket(id)));
        Ok(read.await?.map(|(record, _)| record))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let answered = TicketChange::Answered {
            request,
            answer: answer.clone(),
        };
        let refusal = move |record: &TicketRecord| match record.answers.get(request) {
            _ if record.closed.is_some() => refusal_of_closed(record),
            _ if request >= record.stored.ticket().requests().len() => Some(WriteOutcome::Unknown),
            Some(Some(_)) => Some(WriteOutcome::Before),
            _ => None,
        };
        self.change(id, answered, refusal).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.change(id, TicketChange::Closed(how), refusal_of_closed)
            .await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let session = filter.of_session().cloned();
        let listed = self.run(move |folder| folder.all(session.as_ref()));
        let (mut all, unreadable) = listed.await?;
        *self.unreadable.lock() = unreadable.into_iter().map(StoreError::new).collect();
        all.retain(|record| record.closed.is_none() && filter.lets_through_record(record));
        all.sort_by_key(|record| {
            (
                record.stored.ticket().created_at(),
                record.stored.ticket().id(),
            )
        });
        all.truncate(filter.max_tickets().unwrap_or(usize::MAX));
        Ok(all)
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        // Made before the look, so that a change after it wakes.
        let changed = self.changed.notified();
        let record = self.get(id).await?;
        if record.is_some_and(|record| record.closed.is_none() && record.answered() <= answers) {
            let _ = tokio::time::timeout(LOOK, changed).await;
        }
        Ok(())
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let grant = grant.clone();
        self.run(move |folder| folder.put_grant(&grant)).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let session = session.clone();
        self.run(move |folder| folder.grants(&session)).await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let session = session.clone();
        self.run(move |folder| folder.remove_grant(&session, id))
            .await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let session = session.clone();
        self.run(move |folder| folder.forget(&session)).await?;
        self.changed.notify_waiters();
        Ok(())
    }
}
