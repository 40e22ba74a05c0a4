//! A [`TicketStore`](toolwright::ticket::TicketStore) in a folder of files, for one user and any number of processes.
//!
//! ```text
//! tickets/<id of a ticket>/0.json, 1.json ..    what was put, answered, closed: one change a file
//! sessions/<digest of a session>/0.json ..      its grants
//! sessions/<digest of a session>/tickets/<id of a ticket>   empty: which tickets are its own
//! swept                                         empty: when old tickets were last looked for
//! ```
//!
//! The folder belongs to its user alone, and so does each file: what waits holds the arguments of
//! calls, secrets too. A file comes to be whole or not at all. What is answered, used, closed or
//! granted is on the disk before anybody is told of it. A new ticket is there when the command ends:
//! one that a power failure takes away is a call that never ran, and whoever answers it is told so.
//!
//! To put a ticket takes the same time however many there are; to list them, that of reading each
//! once.

mod file;
mod log;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::Notify;
use toolwright::id::{GrantId, SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, SealedGrant, StoreError, StoredTicket, TicketRecord, WriteOutcome,
};

use self::file::{Durable, make_directory, sync_directory, work};
pub use self::file::{FolderError, is_due};
use self::log::Change;

/// How long a ticket is kept whose time is over: until then whoever is late is told why it is refused.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Tickets, answers and grants in a folder. Clones share it.
#[derive(Debug, Clone)]
pub struct FolderTickets {
    folder: Arc<Folder>,
    changed: Arc<Notify>,
    /// What the last listing could not read.
    broken: Arc<Mutex<Vec<FolderError>>>,
}

#[derive(Debug)]
struct Folder {
    tickets: PathBuf,
    sessions: PathBuf,
    /// Something was written that is perhaps not on the disk.
    unflushed: AtomicBool,
}

impl FolderTickets {
    /// Opens a folder that is there.
    ///
    /// # Errors
    ///
    /// When it is no folder of tickets, or cannot be used.
    pub fn find(path: &Path) -> Result<Self, FolderError> {
        if !["tickets", "sessions"]
            .iter()
            .all(|name| path.join(name).is_dir())
        {
            return Err(FolderError::Odd {
                path: path.to_owned(),
                what: "is no folder of `run --suspend`",
            });
        }
        Self::open(path)
    }

    /// Opens a folder, which is made where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be made or used, or is open to other users.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let unusable = FolderError::io(path, "used");
        make_directory(path).map_err(&unusable)?;
        let path = path.canonicalize().map_err(&unusable)?;
        must_be_private(&path)?;
        let folder = Folder {
            tickets: path.join("tickets"),
            sessions: path.join("sessions"),
            unflushed: AtomicBool::new(false),
        };
        for directory in [&folder.tickets, &folder.sessions] {
            make_directory(directory).map_err(FolderError::io(directory, "made"))?;
        }
        sync_directory(&path).map_err(&unusable)?;
        if is_due(&path.join("swept")) {
            folder.sweep(SystemTime::now())?;
        }
        Ok(Self {
            folder: Arc::new(folder),
            changed: Arc::new(Notify::new()),
            broken: Arc::default(),
        })
    }

    /// Brings to the disk what was put.
    ///
    /// # Errors
    ///
    /// When the disk cannot be written to.
    pub fn flush(&self) -> Result<(), FolderError> {
        let tickets = &self.folder.tickets;
        if self.folder.unflushed.swap(false, Ordering::AcqRel) {
            file::flush(tickets).map_err(FolderError::io(tickets, "written to"))?;
        }
        Ok(())
    }

    /// Takes what the last listing could not read: tickets that nobody can answer.
    pub fn broken(&self) -> Vec<FolderError> {
        std::mem::take(&mut self.broken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Does something with the folder where it may block.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, FolderError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let folder = Arc::clone(&self.folder);
        tokio::task::spawn_blocking(move || work(&folder))
            .await
            .map_err(StoreError::new)?
            .map_err(StoreError::new)
    }

    async fn change(
        &self,
        id: TicketId,
        change: Change,
        lets: impl Fn(&TicketRecord) -> Result<(), WriteOutcome> + Send + 'static,
    ) -> Result<WriteOutcome, StoreError> {
        let recorded = self
            .with(move |folder| log::change(&folder.ticket(id), &change, lets))
            .await?;
        self.changed.notify_waiters();
        Ok(recorded)
    }
}

/// Refuses a folder that others may look into or write to.
fn must_be_private(path: &Path) -> Result<(), FolderError> {
    let found = path
        .metadata()
        .map_err(FolderError::io(path, "looked at"))?;
    if !found.is_dir() {
        return Err(FolderError::Odd {
            path: path.to_owned(),
            what: "is not a directory",
        });
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if found.permissions().mode() & 0o077 != 0 {
            return Err(FolderError::Odd {
                path: path.to_owned(),
                what: "is open to other users, and calls that wait may hold secrets: `chmod 700` \
                       closes it, or name a folder that is not there yet",
            });
        }
    }
    Ok(())
}

impl Folder {
    fn ticket(&self, id: TicketId) -> PathBuf {
        self.tickets.join(id.to_string())
    }

    /// A session's id may be any text, and a directory's name may not.
    fn session(&self, session: &SessionId) -> PathBuf {
        let digest = blake3::hash(session.as_str().as_bytes());
        self.sessions.join(digest.to_hex().as_str())
    }

    /// Returns the directory that names the tickets of a session. It is apart from the grants, because
    /// those are looked at for each ticket that is put.
    fn named(&self, session: &SessionId) -> PathBuf {
        self.session(session).join("tickets")
    }

    /// What can be read of the tickets of a session, or of all, and why the others cannot be.
    fn all(
        &self,
        of: Option<&SessionId>,
    ) -> Result<(Vec<TicketRecord>, Vec<FolderError>), FolderError> {
        let ids = match of {
            Some(session) => ids(&self.named(session))?,
            None => ids(&self.tickets)?,
        };
        let (mut all, mut broken) = (Vec::new(), Vec::new());
        for id in ids {
            match log::read(&self.ticket(id)) {
                Ok(read) => all.extend(read.map(|(kept, _)| kept)),
                Err(error) => broken.push(error),
            }
        }
        // Who put a name into the directory of a session may have put any.
        all.retain(|kept| of.is_none_or(|session| session == kept.stored.ticket().session()));
        Ok((all, broken))
    }

    fn put(&self, stored: &StoredTicket) -> Result<(), FolderError> {
        let durable = Durable::AT_THE_END;
        let ticket = stored.ticket();
        let session = self.session(ticket.session());
        let named = self.named(ticket.session());
        let directory = self.ticket(ticket.id());
        let id = ticket.id().to_string();
        let failed = FolderError::io(&directory, "written to");
        let put = Change::Put(Box::new(stored.clone()));
        let write = || {
            // Before the ticket: one that nobody finds would never be closed.
            file::mark(&named, &id, durable)?;
            file::create(&directory, &file::name(0), &put, durable)
        };
        loop {
            for directory in [&session, &named, &directory] {
                make_directory(directory).or_else(|error| match error.kind() {
                    // Looked at below: the session was forgotten at this moment.
                    io::ErrorKind::NotFound => Ok(()),
                    _ => Err(failed(error)),
                })?;
            }
            // In between the session may have been forgotten, and begins anew.
            match write() {
                Ok(_) if named.join(&id).exists() && directory.exists() => break,
                Err(error) if named.exists() && directory.exists() => return Err(failed(error)),
                _ => {}
            }
        }
        self.unflushed.store(true, Ordering::Release);
        if durable == Durable::Now {
            for directory in [&session, &self.sessions, &self.tickets] {
                sync_directory(directory).map_err(&failed)?;
            }
        }
        Ok(())
    }

    /// The grants of a session, each with its file. One that cannot be read may be one that denies:
    /// then none is told.
    fn grants(&self, session: &SessionId) -> Result<Vec<(PathBuf, SealedGrant)>, FolderError> {
        let directory = self.session(session);
        let mut grants = Vec::new();
        for number in file::numbers(&directory)?.unwrap_or_default() {
            let path = directory.join(file::name(number));
            if let Some(grant) = file::read::<SealedGrant>(&path)? {
                grants.push((path, grant));
            }
        }
        Ok(grants)
    }

    fn put_grant(&self, sealed: &SealedGrant) -> Result<(), FolderError> {
        let directory = self.session(sealed.grant().session());
        let failed = FolderError::io(&directory, "written to");
        loop {
            make_directory(&directory).map_err(&failed)?;
            sync_directory(&self.sessions).map_err(&failed)?;
            let there = self.grants(sealed.grant().session())?;
            let id = sealed.grant().id();
            if there.iter().any(|(_, other)| other.grant().id() == id) {
                return Ok(());
            }
            let numbers = file::numbers(&directory)?.unwrap_or_default();
            let next = numbers.last().map_or(0, |last| last.saturating_add(1));
            match file::create(&directory, &file::name(next), sealed, Durable::Now) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // The session was forgotten at this moment, and began anew.
                Err(_) if !directory.exists() => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, FolderError> {
        let grants = self.grants(session)?;
        let Some((path, _)) = grants
            .into_iter()
            .find(|(_, there)| there.grant().id() == id)
        else {
            return Ok(false);
        };
        let removed = fs::remove_file(&path).and_then(|()| sync_directory(&self.session(session)));
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed
                .map(|()| true)
                .map_err(FolderError::io(&path, "removed")),
        }
    }

    fn forget(&self, session: &SessionId) -> Result<(), FolderError> {
        let (all, _) = self.all(Some(session))?;
        let tickets = all.iter().map(|kept| kept.stored.ticket());
        for ticket in tickets.filter(|ticket| ticket.session() == session) {
            let directory = self.ticket(ticket.id());
            let closed = Change::Closed(CloseReason::SessionEnded);
            log::change(&directory, &closed, open)?;
            remove_at_once(&directory)?;
        }
        remove_at_once(&self.session(session))
    }

    /// Removes tickets whose time was over long ago, and what was being removed when a process died.
    fn sweep(&self, now: SystemTime) -> Result<(), FolderError> {
        let long_ago = now.checked_sub(KEPT).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut sessions = BTreeSet::new();
        for id in ids(&self.tickets)? {
            let directory = self.ticket(id);
            // A ticket that was changed since then cannot be over for so long.
            let changed = directory.metadata().and_then(|found| found.modified());
            if changed.map_or(true, |changed| changed > long_ago) {
                continue;
            }
            let Ok(Some((kept, _))) = log::read(&directory) else {
                continue;
            };
            if kept.is_expired(long_ago) {
                remove_at_once(&directory)?;
                let session = kept.stored.ticket().session();
                // Another process may be at it.
                let _ = fs::remove_file(self.named(session).join(id.to_string()));
                sessions.insert(session.clone());
            }
        }
        for session in sessions {
            if ids(&self.named(&session))?.is_empty() {
                remove_at_once(&self.session(&session))?;
            }
        }
        for directory in [&self.tickets, &self.sessions] {
            let unreadable = FolderError::io(directory, "read");
            for entry in fs::read_dir(directory).map_err(&unreadable)? {
                let entry = entry.map_err(&unreadable)?;
                let name = entry.file_name();
                if name.as_encoded_bytes().starts_with(GOING.as_bytes()) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
        Ok(())
    }
}

/// The tickets that a directory names; none where there is no such directory. Other names are not ours.
fn ids(directory: &Path) -> Result<Vec<TicketId>, FolderError> {
    let unreadable = FolderError::io(directory, "read");
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(&unreadable)?,
    };
    let mut ids = Vec::new();
    for entry in entries {
        work::entry();
        let name = entry.map_err(&unreadable)?.file_name();
        let id = name.to_str().and_then(|name| name.parse::<TicketId>().ok());
        // Capitals spell the same id, and another name.
        ids.extend(id.filter(|id| name.to_str() == Some(&id.to_string())));
    }
    Ok(ids)
}

/// How the names begin of what is being removed.
const GOING: &str = ".going-";

/// Removes a directory, of which nobody sees a part.
fn remove_at_once(directory: &Path) -> Result<(), FolderError> {
    let (Some(parent), Some(name)) = (directory.parent(), directory.file_name()) else {
        return Ok(());
    };
    let failed = FolderError::io(directory, "removed");
    let going = tempfile::Builder::new().prefix(GOING).tempdir_in(parent);
    let going = going.map_err(&failed)?;
    match fs::rename(directory, going.path().join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(&failed)?,
    }
    going.close().map_err(&failed)?;
    sync_directory(parent).map_err(&failed)
}

/// Whether a ticket is open, or what whoever would change it is told.
fn open(kept: &TicketRecord) -> Result<(), WriteOutcome> {
    kept.closed
        .map_or(Ok(()), |how| Err(WriteOutcome::Closed(how)))
}
