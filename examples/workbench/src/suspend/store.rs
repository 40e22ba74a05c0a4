//! The places of tickets: a folder, or the file of a state.

use std::path::Path;

use toolwright::id::SessionId;
use toolwright::ticket::{FolderTickets, StoreError};
use toolwright_sqlite::{SqliteError, SqliteStore, SqliteTickets};

use crate::cli::Problem;

/// The store of tickets.
#[derive(Debug)]
pub(crate) enum Store {
    Folder(FolderTickets),
    State(Box<State>),
}

/// A database that several processes use at once.
#[derive(Debug)]
pub(crate) struct State {
    /// Holds the name of the run while the process lives, so that others know whether somebody waits.
    pub(super) store: SqliteStore,
    pub(super) tickets: SqliteTickets,
}

impl Store {
    /// Opens a folder; makes it for calls that run.
    pub(super) fn open_folder(path: &Path, runs: bool, _: &str) -> Result<Self, Problem> {
        let store = if runs {
            FolderTickets::open(path)?
        } else {
            FolderTickets::open_existing(path)?
        };
        Ok(Self::Folder(store))
    }

    /// Opens a file; makes it for calls that run, under the name of their run.
    pub(super) fn open_state(path: &Path, runs: bool, run: &str) -> Result<Self, Problem> {
        let store = if runs {
            SqliteStore::open(path)?.replica(run)?
        } else {
            SqliteStore::open_existing(path)?
        };
        let tickets = store.tickets();
        Ok(Self::State(Box::new(State { store, tickets })))
    }

    /// Takes over a session. `None` if its process lives: that one goes on with its calls.
    pub(super) fn take_over(&self, session: &SessionId) -> Result<Option<Heir>, Problem> {
        let (Self::State(state), Some((run, _))) = (self, session.as_str().rsplit_once('-')) else {
            return Ok(Some(Heir(None)));
        };
        match state.store.replica(run) {
            Ok(name) => Ok(Some(Heir(Some(name)))),
            Err(SqliteError::InUse { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes the errors of the last list.
    pub(super) fn take_unreadable(&self) -> Vec<StoreError> {
        match self {
            Self::Folder(folder) => folder.take_unreadable(),
            Self::State(state) => state.tickets.take_unreadable(),
        }
    }
}

/// The right to go on with the calls of a session, for as long as it is held.
#[derive(Debug)]
pub(super) struct Heir(#[expect(dead_code, reason = "it holds a name")] Option<SqliteStore>);
