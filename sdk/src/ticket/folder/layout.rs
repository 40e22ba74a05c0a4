//! The folders of tickets and sessions.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::{CloseReason, SealedGrant, StoredTicket, TicketRecord};
use super::changes::{self, TicketChange};
use super::file::{self, FolderError, sync_parent};
use super::refusal_of_closed;
use crate::id::{GrantId, SessionId, TicketId};
use crate::util::files::{if_there, make_file, make_folder};

/// The time that a ticket is kept after its deadline, so that a late answer is refused with the reason.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
crate::util::documented::documented_default!(
    "tickets in a folder, kept after their deadline",
    time(KEPT)
);

/// The time between two searches for old tickets, of all processes together: a search reads every name.
const SEARCH: Duration = Duration::from_secs(60 * 60);

/// The number of times that a write begins anew because its session is being forgotten.
const TRIES: usize = 100;

#[derive(Debug)]
pub(super) struct Folder {
    pub(super) tickets: PathBuf,
    pub(super) sessions: PathBuf,
    pub(super) unfinished: PathBuf,
    /// The file whose age tells when old tickets were last searched for.
    swept: PathBuf,
}

impl Folder {
    /// Opens the folder, or makes it.
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let unusable = FolderError::io(path, "used");
        make_folder(path).map_err(&unusable)?;
        let path = path.canonicalize().map_err(&unusable)?;
        must_be_private(&path)?;
        let folder = Self {
            tickets: path.join("tickets"),
            sessions: path.join("sessions"),
            unfinished: path.join("unfinished"),
            swept: path.join("swept"),
        };
        for part in [&folder.tickets, &folder.sessions, &folder.unfinished] {
            make_folder(part).map_err(FolderError::io(part, "made"))?;
        }
        file::sync(&path).map_err(&unusable)?;
        Ok(folder)
    }

    pub(super) fn ticket(&self, id: TicketId) -> PathBuf {
        self.tickets.join(id.to_string())
    }

    /// The folder of a session. Its name is a hash, because an id may hold what no name may.
    pub(super) fn session(&self, id: &SessionId) -> PathBuf {
        let hash = blake3::hash(id.as_str().as_bytes());
        self.sessions.join(hash.to_hex().as_str())
    }

    /// The folder that names the tickets of a session. It is apart from the grants, because those are read for each
    /// ticket that is put.
    fn tickets_of(&self, session: &SessionId) -> PathBuf {
        self.session(session).join("tickets")
    }

    /// Returns the tickets of a session, or all, and the reasons why others cannot be read.
    pub(super) fn all(
        &self,
        session: Option<&SessionId>,
    ) -> Result<(Vec<TicketRecord>, Vec<FolderError>), FolderError> {
        let named = session.map_or_else(|| self.tickets.clone(), |id| self.tickets_of(id));
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        for id in file::names(&named, ticket_id)? {
            match changes::read(&self.ticket(id)) {
                Ok(read) => all.extend(read.map(|(record, _)| record)),
                Err(error) => unreadable.push(error),
            }
        }
        // The folder of a session may name the ticket of another.
        all.retain(|record| session.is_none_or(|id| id == record.stored.ticket().session()));
        Ok((all, unreadable))
    }

    pub(super) fn put(&self, stored: &StoredTicket) -> Result<(), FolderError> {
        let ticket = stored.ticket();
        let folder = self.ticket(ticket.id());
        let named = self.tickets_of(ticket.session());
        let name = named.join(ticket.id().to_string());
        let put = TicketChange::Put(Box::new(stored.clone()));
        let written = while_forgotten(|| {
            make_folder(&named)?;
            make_folder(&folder)?;
            match make_file(&name) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => drop(made?),
            }
            file::create(&self.unfinished, &changes::path(&folder, 0), &put)?;
            for path in [&name, &named, &self.session(ticket.session()), &folder] {
                sync_parent(path)?;
            }
            Ok(name.exists() && folder.exists())
        });
        written.map_err(FolderError::io(&folder, "written to"))
    }

    /// Returns the grants of a session, the oldest first. One that cannot be read may deny something: then it is an
    /// error.
    pub(super) fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, FolderError> {
        let folder = self.session(session);
        let (mut grants, mut ids) = (Vec::new(), HashSet::new());
        for (number, id) in grant_names(&folder)? {
            // Two processes may have put the same grant at the same time.
            if ids.insert(id) {
                grants.extend(file::read(&folder.join(grant_name(number, id)))?);
            }
        }
        Ok(grants)
    }

    pub(super) fn put_grant(&self, sealed: &SealedGrant) -> Result<(), FolderError> {
        let folder = self.session(sealed.grant().session());
        let id = sealed.grant().id();
        let names = grant_names(&folder)?;
        if names.iter().any(|(_, other)| *other == id) {
            return Ok(());
        }
        let number = names.last().map_or(0, |(last, _)| last.saturating_add(1));
        let path = folder.join(grant_name(number, id));
        let written = while_forgotten(|| {
            make_folder(&folder)?;
            file::create(&self.unfinished, &path, sealed)?;
            sync_parent(&folder)?;
            Ok(path.exists())
        });
        written.map_err(FolderError::io(&folder, "written to"))
    }

    pub(super) fn remove_grant(
        &self,
        session: &SessionId,
        id: GrantId,
    ) -> Result<bool, FolderError> {
        let folder = self.session(session);
        let mut removed = false;
        for (number, _) in grant_names(&folder)?
            .into_iter()
            .filter(|(_, of)| *of == id)
        {
            let path = folder.join(grant_name(number, id));
            let gone = fs::remove_file(&path).and_then(|()| file::sync(&folder));
            removed |= if_there(gone)
                .map_err(FolderError::io(&path, "removed"))?
                .is_some();
        }
        Ok(removed)
    }

    /// Closes and removes the tickets of a session, and removes its grants.
    pub(super) fn forget(&self, session: &SessionId) -> Result<(), FolderError> {
        for record in self.all(Some(session))?.0 {
            let folder = self.ticket(record.stored.ticket().id());
            let closed = TicketChange::Closed(CloseReason::SessionEnded);
            changes::add(&self.unfinished, &folder, &closed, refusal_of_closed)?;
            self.remove(&folder)?;
        }
        self.remove(&self.session(session))
    }

    /// Removes a folder, so that others see all of it or nothing.
    fn remove(&self, folder: &Path) -> Result<(), FolderError> {
        let removed = || {
            let draft = file::draft(&self.unfinished)?;
            if if_there(fs::rename(folder, &draft))?.is_some() {
                if_there(fs::remove_dir_all(draft))?;
                sync_parent(folder)?;
            }
            Ok(())
        };
        removed().map_err(FolderError::io(folder, "removed"))
    }

    /// Returns true if old tickets were not searched for in the last hour, and notes that they are now.
    pub(super) fn sweep_is_due(&self) -> bool {
        let last = self.swept.metadata().and_then(|found| found.modified());
        // A time to come is that of a clock that was set back.
        let age = last
            .ok()
            .and_then(|last| SystemTime::now().duration_since(last).ok());
        let is_due = age.is_none_or(|age| age >= SEARCH);
        // If it cannot be noted, the next process searches too.
        let _ = is_due.then(|| fs::write(&self.swept, ""));
        is_due
    }

    /// Removes tickets whose deadline was long ago, the folders of their sessions if nothing else is there, and what
    /// processes that died left unfinished.
    pub(super) fn sweep(&self, now: SystemTime) -> Result<(), FolderError> {
        let long_ago = now.checked_sub(KEPT).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut sessions = HashSet::new();
        for id in file::names(&self.tickets, ticket_id)? {
            let folder = self.ticket(id);
            // Its deadline was not over when it was last changed.
            if !is_older(&folder, long_ago) {
                continue;
            }
            let Ok(Some((record, _))) = changes::read(&folder) else {
                continue;
            };
            if record.is_expired(long_ago) {
                self.remove(&folder)?;
                let session = record.stored.ticket().session();
                // Another process may search too.
                let _ = fs::remove_file(self.tickets_of(session).join(id.to_string()));
                sessions.insert(session.clone());
            }
        }
        for session in sessions {
            // A folder that is not empty stays: other tickets are there, or grants.
            let _ = fs::remove_dir(self.tickets_of(&session))
                .and_then(|()| fs::remove_dir(self.session(&session)));
        }
        let abandoned = now.checked_sub(SEARCH).unwrap_or(SystemTime::UNIX_EPOCH);
        for draft in file::names(&self.unfinished, |name| Some(self.unfinished.join(name)))? {
            if is_older(&draft, abandoned) {
                let _ = fs::remove_file(&draft).or_else(|_| fs::remove_dir_all(&draft));
            }
        }
        Ok(())
    }
}

/// Returns true if a file or folder was last changed before that time.
fn is_older(path: &Path, time: SystemTime) -> bool {
    let changed = path.symlink_metadata().and_then(|found| found.modified());
    changed.is_ok_and(|changed| changed <= time)
}

/// Refuses a folder that others may look into or write to.
fn must_be_private(path: &Path) -> Result<(), FolderError> {
    let found = path.metadata().map_err(FolderError::io(path, "used"))?;
    if !found.is_dir() {
        return Err(FolderError::unfit(path, "is not a directory"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0 {
        return Err(FolderError::unfit(
            path,
            "is open to other users, and calls that wait may hold secrets: `chmod 700` closes it, or name a folder \
             that is not there yet",
        ));
    }
    Ok(())
}

/// Repeats a write until it returns true: the session's folders may be removed while it goes on, and the session then
/// begins anew.
fn while_forgotten(mut write: impl FnMut() -> io::Result<bool>) -> io::Result<()> {
    for _ in 0..TRIES {
        if if_there(write())? == Some(true) {
            return Ok(());
        }
    }
    Err(io::Error::other("its folder is removed again and again"))
}

/// Reads the name of a ticket's folder. Capitals spell the same id, and another name.
fn ticket_id(name: &str) -> Option<TicketId> {
    let id = name.parse::<TicketId>().ok()?;
    (name == id.to_string()).then_some(id)
}

fn grant_name(number: u64, id: GrantId) -> String {
    format!("{number}-{id}.json")
}

/// The numbers and ids of a session's grants, the oldest first.
fn grant_names(session: &Path) -> Result<Vec<(u64, GrantId)>, FolderError> {
    let mut names = file::names(session, |name| {
        let (number, id) = name.strip_suffix(".json")?.split_once('-')?;
        let (number, id) = (number.parse().ok()?, id.parse().ok()?);
        (name == grant_name(number, id)).then_some((number, id))
    })?;
    names.sort_unstable();
    Ok(names)
}
