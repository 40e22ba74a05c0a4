//! The way of a session's state into a store and back.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::content::ToolError;
use crate::executor::core::handles::Session;
use crate::state::{SaveOutcome, StateCommand, StateSnapshot, StateStore};
use crate::util::error_text::debug_as_text;
use crate::util::store_error::StoreError;

/// Stores values of sessions' states, so that a session goes on in another process, or in this one after a restart.
///
/// The state of a session holds values of the app's own types; those that are to be stored are named here. Nothing is
/// stored unless [`LoadedState::save`] is called: after a turn, for instance.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use toolwright::executor::StatePersistence;
/// use toolwright::state::MemoryStates;
/// use toolwright::{Executor, ToolRegistry};
///
/// #[derive(Serialize, Deserialize)]
/// struct WorkingDirectory(String);
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let persistence = StatePersistence::new(MemoryStates::new())
///     .with::<WorkingDirectory>("working_directory");
/// let session = Executor::new(ToolRegistry::new())?.session("s-1");
/// let mut stored = persistence.load(&session).await?;
/// session.set_state(WorkingDirectory("/data".into()));
/// stored.save().await?;
///
/// // In another process:
/// let session = Executor::new(ToolRegistry::new())?.session("s-1");
/// persistence.load(&session).await?;
/// assert_eq!(session.state().get::<WorkingDirectory>().unwrap().0, "/data");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StatePersistence {
    store: Arc<dyn StateStore>,
    values: Vec<PersistedValue>,
}

/// A type of value that is stored, under a name.
#[derive(Clone)]
struct PersistedValue {
    name: &'static str,
    write: fn(&StateSnapshot) -> Option<Result<Value, serde_json::Error>>,
    read: fn(Value) -> Result<StateCommand, serde_json::Error>,
}

impl StatePersistence {
    /// Stores no values yet: [`with`](Self::with) names them.
    pub fn new(store: impl StateStore) -> Self {
        Self {
            store: Arc::new(store),
            values: Vec::new(),
        }
    }

    /// Stores the value of a type under a name, which stays the same when the type is renamed. A second type of the
    /// same name takes the place of the first.
    pub fn with<T>(mut self, name: &'static str) -> Self
    where
        T: Serialize + DeserializeOwned + Send + Sync + 'static,
    {
        self.values.retain(|value| value.name != name);
        self.values.push(PersistedValue {
            name,
            write: |state| state.get::<T>().map(serde_json::to_value),
            read: |value| serde_json::from_value::<T>(value).map(StateCommand::set),
        });
        self
    }

    /// Reads what is stored of a session, and sets it in the session's state, all or nothing. Values that are not
    /// stored stay as they are.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read, or a value is not of its type. The session is then as before.
    pub async fn load(&self, session: &Session) -> Result<LoadedState, StateError> {
        let stored = self.store.load(session.id()).await;
        let stored = stored.map_err(StateError::Store)?;
        let (version, mut others) = stored
            .map(|stored| (stored.version, stored.values))
            .unwrap_or_default();
        let mut commands = Vec::new();
        for value in &self.values {
            if let Some(stored) = others.remove(value.name) {
                let command = (value.read)(stored);
                commands.push(command.map_err(|_| StateError::Value { name: value.name })?);
            }
        }
        session.apply(commands).map_err(StateError::Refused)?;
        Ok(LoadedState {
            persistence: self.clone(),
            session: session.clone(),
            version,
            others,
        })
    }
}

/// A session whose state was [loaded](StatePersistence::load), and can be saved.
pub struct LoadedState {
    persistence: StatePersistence,
    session: Session,
    version: u64,
    /// Values of other names: another version of the app stored them, and they are kept.
    others: Map<String, Value>,
}

impl LoadedState {
    /// The version that is stored, as far as is known here; 0 if nothing is.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Saves the state of the session as it is now, and returns its version. Values whose types are not named stay as
    /// they are stored.
    ///
    /// # Errors
    ///
    /// [`StateError::Conflict`] if another process has saved the session since it was loaded here: nothing was stored,
    /// and [`StatePersistence::load`] reads what is stored now. Otherwise fails if a value has no JSON, or the store
    /// fails.
    pub async fn save(&mut self) -> Result<u64, StateError> {
        let state = self.session.state();
        let mut values = self.others.clone();
        for value in &self.persistence.values {
            if let Some(written) = (value.write)(&state) {
                let written = written.map_err(|_| StateError::Value { name: value.name })?;
                values.insert(value.name.to_owned(), written);
            }
        }
        let store = &self.persistence.store;
        let saved = store.save(self.session.id(), self.version, &values).await;
        match saved.map_err(StateError::Store)? {
            SaveOutcome::Saved { version } => {
                self.version = version;
                Ok(version)
            }
            SaveOutcome::Conflict { version } => Err(StateError::Conflict {
                expected: self.version,
                stored: version,
            }),
        }
    }
}

impl fmt::Debug for StatePersistence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.values.iter().map(|value| value.name);
        f.debug_list().entries(names).finish()
    }
}

impl fmt::Debug for LoadedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedState")
            .field("session", &self.session)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// The reason why the state of a session was not loaded or saved.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The store failed.
    #[error("the state of the session cannot be loaded or saved")]
    Store(#[source] StoreError),
    /// Another process has saved the session since it was loaded.
    #[error(
        "another process has saved the session: version {stored} is stored, and version {expected} was loaded here; load it again"
    )]
    #[non_exhaustive]
    Conflict {
        /// The version that was loaded here.
        expected: u64,
        /// The stored version.
        stored: u64,
    },
    /// A value is not of the type that has its name, or has no JSON. The fault itself is not told, because it could
    /// quote the value.
    #[error(
        "the value `{name}` of the session's state is not JSON of its type: it was stored by another version of the app, or cannot be serialized"
    )]
    #[non_exhaustive]
    Value {
        /// The name that the value is stored under.
        name: &'static str,
    },
    /// The session did not take the values.
    #[error("the session does not take its stored state")]
    Refused(#[source] ToolError),
}

debug_as_text!(StateError);
