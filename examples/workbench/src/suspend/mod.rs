//! Calls that wait for an answer in files, and go on in another process.
//!
//! `run --suspend DIR` keeps them, `tickets DIR` lists them, `resume TICKET yes` goes on with one. What
//! is in the folder is signed with a key that lies elsewhere: who may write to the folder may take a
//! ticket away, and can neither make one nor answer it.
//!
//! With `--state FILE` they wait in a database instead, and the process that made the call waits too, until somebody answers
//! at its terminal or by `resume`. If that process is gone, `resume` goes on with the call itself.
//!
//! A ticket belongs to a session, and the id of the session of such a run ends with a digest of the
//! root and of the policy's file. So a call goes on where it was asked about, or not at all: under
//! another root the same words would mean other files. What the policy's file says may change, and is
//! obeyed as it is when the call goes on.

mod announce;
mod key;
mod memory;
mod resume;
mod store;
mod tickets;

use std::path::{Path, PathBuf};

use toolwright::ExecutorBuilder;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::id::SessionId;
use toolwright::ticket::TicketKey;

use crate::cli::{Cli, Command, Key, Problem};
use crate::outside::must_be_outside;

pub(crate) use self::announce::Announcer;
pub(crate) use self::key::KeyError;
pub(crate) use self::memory::{Remembered, recall};
pub(crate) use self::resume::resume;
use self::store::Store;
pub(crate) use self::tickets::list;

/// A place of tickets in use.
#[derive(Debug)]
pub(crate) struct Suspension {
    pub(crate) store: Store,
    key: TicketKey,
    place: Place,
    /// The session that this process runs.
    run: String,
}

/// The place that calls run in, as a ticket is bound to it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The folder, or the file of a state.
    pub(crate) folder: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) policy: Option<PathBuf>,
    /// As it was named.
    pub(crate) key: Option<PathBuf>,
}

impl Suspension {
    /// Opens the place of a command that has one.
    pub(crate) fn of(cli: &Cli) -> Result<Option<Self>, Problem> {
        let default_key = Key::default();
        let (folder, key) = match &cli.command {
            Command::Run { suspend, key, .. } => (suspend, key),
            Command::Tickets { folder, key } => (folder, key),
            Command::Resume(resume) => (&resume.suspend, &resume.key),
            Command::Call { .. } | Command::Chat(_) => (&None, &default_key),
            Command::Serve(_) if cli.state.is_some() => return Err(Problem::NoState),
            _ => return Ok(None),
        };
        match (folder, &cli.state, &cli.command) {
            (Some(_), Some(_), _) => Err(Problem::TwoPlaces),
            (Some(folder), None, _) => Self::open(cli, folder, key, Store::open_folder).map(Some),
            (None, Some(file), _) => Self::open(cli, file, key, Store::open_state).map(Some),
            (None, None, Command::Tickets { .. }) => Err(Problem::NoPlace),
            (None, None, Command::Resume(resume)) => Err(Problem::Forgotten(resume.ticket)),
            (None, None, _) => Ok(None),
        }
    }

    fn open(
        cli: &Cli,
        folder: &Path,
        key: &Key,
        open: impl FnOnce(&Path, bool, &str) -> Result<Store, Problem>,
    ) -> Result<Self, Problem> {
        let canonical = |path: &Path| {
            path.canonicalize().map_err(|error| Problem::Input {
                path: path.to_owned(),
                error,
            })
        };
        let root = cli.canonical_root()?;
        // A wrong one is not to be made.
        must_be_outside(cli, folder)?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(KeyError::Random)?;
        let run = format!("workbench-{:032x}", u128::from_ne_bytes(random));
        let runs = !matches!(cli.command, Command::Tickets { .. } | Command::Resume(_));
        let store = open(folder, runs, &run)?;
        let folder = canonical(folder)?;
        let apart_from = [
            (folder.as_path(), "beside the tickets that it signs"),
            (root.as_path(), "where the tools could read it"),
        ];
        Ok(Self {
            store,
            run,
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
        let approvals = Approvals::new().ticket_key(self.key.clone());
        match &self.store {
            Store::Folder(folder) => builder.approvals(
                approvals
                    .waiting(WaitMode::Suspending)
                    .ticket_store(folder.clone()),
            ),
            Store::State(state) => builder
                .approvals(
                    approvals
                        .waiting(WaitMode::Blocking)
                        .ticket_store(state.tickets.clone()),
                )
                .result_store(state.store.results()),
        }
    }

    /// Returns true if a person at the terminal is asked about what waits here.
    pub(crate) fn may_prompt(&self) -> bool {
        matches!(self.store, Store::State(_))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The session of this process, which nobody can guess.
    pub(crate) fn session(&self) -> SessionId {
        SessionId::from(format!("{}-{}", self.run, self.place.digest()))
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
