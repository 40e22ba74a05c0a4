//! Calls that wait for an answer in files, and go on in another process.
//!
//! `run --suspend DIR` keeps them, `tickets DIR` lists them, `resume TICKET yes` goes on with one. What
//! is in the folder is signed with a key that lies elsewhere: who may write to the folder may take a
//! ticket away, and can neither make one nor answer it.
//!
//! A ticket belongs to a session, and the id of the session of such a run ends with a digest of the
//! root and of the policy's file. So a call goes on where it was asked about, or not at all: under
//! another root the same words would mean other files. What the policy's file says may change, and is
//! obeyed as it is when the call goes on.

mod key;
mod memory;
mod resume;
mod tickets;

use std::path::{Path, PathBuf};

use toolwright::ExecutorBuilder;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::id::SessionId;
use toolwright::ticket::{FolderTickets, TicketKey};

use crate::cli::{Cli, Command, Key, Problem};
use crate::outside::must_be_outside;

pub(crate) use self::key::KeyError;
pub(crate) use self::memory::{recall, remember};
pub(crate) use self::resume::resume;
pub(crate) use self::tickets::list;

/// A folder of tickets in use.
#[derive(Debug)]
pub(crate) struct Suspension {
    pub(crate) store: FolderTickets,
    key: TicketKey,
    place: Place,
}

/// The place that calls run in, as a ticket is bound to it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) policy: Option<PathBuf>,
    /// As it was named.
    pub(crate) key: Option<PathBuf>,
}

impl Suspension {
    /// Opens the folder of a command that has one.
    pub(crate) fn of(cli: &Cli) -> Result<Option<Self>, Problem> {
        let (folder, key) = match &cli.command {
            Command::Run {
                suspend: Some(folder),
                key,
                ..
            }
            | Command::Tickets { folder, key } => (folder, key),
            Command::Resume(resume) => match &resume.suspend {
                Some(folder) => (folder, &resume.key),
                None => return Err(Problem::Forgotten(resume.ticket)),
            },
            _ => return Ok(None),
        };
        Self::open(cli, folder, key).map(Some)
    }

    fn open(cli: &Cli, folder: &Path, key: &Key) -> Result<Self, Problem> {
        let canonical = |path: &Path| {
            path.canonicalize().map_err(|error| Problem::Input {
                path: path.to_owned(),
                error,
            })
        };
        let root = cli.canonical_root()?;
        // A wrong one is not to be made.
        must_be_outside(cli, folder)?;
        let store = match cli.command {
            Command::Run { .. } => FolderTickets::open(folder)?,
            _ => FolderTickets::open_existing(folder)?,
        };
        let folder = canonical(folder)?;
        let apart_from = [
            (folder.as_path(), "beside the tickets that it signs"),
            (root.as_path(), "where the tools could read it"),
        ];
        Ok(Self {
            store,
            key: key::load(key.file.as_deref(), &apart_from)?,
            place: Place {
                policy: cli.policy.as_deref().map(canonical).transpose()?,
                key: key.file.as_deref().map(canonical).transpose()?,
                folder,
                root,
            },
        })
    }

    /// Has calls wait here.
    pub(crate) fn set_up(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        builder.approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(self.store.clone())
                .ticket_key(self.key.clone()),
        )
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// A new session, which nobody can guess.
    pub(crate) fn session(&self) -> Result<SessionId, Problem> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(KeyError::Random)?;
        let random = u128::from_ne_bytes(random);
        let place = self.place.digest();
        Ok(SessionId::from(format!("workbench-{random:032x}-{place}")))
    }

    /// Returns true if calls of a session run here.
    pub(crate) fn is_of(&self, session: &SessionId) -> bool {
        let place = session.as_str().rsplit('-').next();
        place == Some(self.place.digest().as_str())
    }
}

impl Place {
    fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let policy = self.policy.as_deref();
        for path in [Some(self.root.as_path()), policy] {
            let bytes = path.map(|path| path.as_os_str().as_encoded_bytes());
            // No path has a NUL, and none is empty.
            hasher.update(bytes.unwrap_or_default());
            hasher.update(&[0]);
        }
        hasher.finalize().to_hex().to_string()
    }
}
