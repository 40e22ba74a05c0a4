//! States in a folder of files.

use std::fs::{File, hard_link, read, read_dir, remove_dir_all, remove_file, rename};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{SaveOutcome, StateStore, StoredState};
use crate::id::SessionId;
use crate::util::files::{if_there, make_file, make_folder, on_pool};
use crate::util::store_error::StoreError;

/// Stores states in a folder of files, which the owner alone may read. Any number of processes of one user may use the
/// folder at the same time.
///
/// ```text
/// <hash of the session's id>/<version>.json   the state, and eight versions before it
/// unfinished/                                 files that are being written, folders that are being removed
/// ```
///
/// The folder must lie on a file system with hard links: a version is made by whoever links its file first. Files are
/// read and written on Tokio's blocking pool; outside of a runtime, in place. Cloning is cheap.
///
/// ```
/// use serde_json::json;
/// use toolwright::id::SessionId;
/// use toolwright::state::{FolderStates, SaveOutcome, StateStore};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let folder = std::env::temp_dir().join(format!("states-{}", std::process::id()));
/// let (store, session) = (FolderStates::new(&folder), SessionId::new("s-1"));
/// let values = json!({"city": "Bern"}).as_object().cloned().unwrap_or_default();
/// assert_eq!(store.save(&session, 0, &values).await?, SaveOutcome::Saved { version: 1 });
/// assert_eq!(store.save(&session, 0, &values).await?, SaveOutcome::Conflict { version: 1 });
/// assert_eq!(store.load(&session).await?.map(|state| state.values), Some(values));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FolderStates {
    folder: Arc<Path>,
}

impl FolderStates {
    /// In a folder, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into().into(),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        session: &SessionId,
        work: impl FnOnce(&Files) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        // An id may hold what no name may.
        let hash = blake3::hash(session.as_str().as_bytes());
        let files = Files {
            states: self.folder.join(hash.to_hex().as_str()),
            unfinished: self.folder.join("unfinished"),
        };
        let done = on_pool(move || work(&files)).await;
        done.map_err(StoreError::new)?.map_err(StoreError::new)
    }
}

#[async_trait]
impl StateStore for FolderStates {
    async fn load(
        &self,
        session: &SessionId,
    ) -> std::result::Result<Option<StoredState>, StoreError> {
        self.run(session, Files::load).await
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> std::result::Result<SaveOutcome, StoreError> {
        let values = values.clone();
        self.run(session, move |files| files.save(expected, values))
            .await
    }

    async fn forget_session(&self, session: &SessionId) -> std::result::Result<(), StoreError> {
        self.run(session, Files::forget).await
    }
}

/// The number of older versions that are kept. Whoever saves late must still find the name of its version taken: once
/// that is removed, it could be linked again, and the save in between would be lost.
const KEPT: u64 = 8;

/// The files of one session.
struct Files {
    states: PathBuf,
    unfinished: PathBuf,
}

impl Files {
    fn path(&self, version: u64) -> PathBuf {
        self.states.join(format!("{version}.json"))
    }

    /// The versions that are there: the newest is the state.
    fn versions(&self) -> Result<Vec<u64>> {
        let mut versions = Vec::new();
        for entry in if_there(read_dir(&self.states))?.into_iter().flatten() {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json"));
            versions.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        versions.sort_unstable();
        Ok(versions)
    }

    fn load(&self) -> Result<Option<StoredState>> {
        loop {
            let Some(&version) = self.versions()?.last() else {
                return Ok(None);
            };
            // A file that is gone has a newer one beside it, unless the session was forgotten.
            if let Some(text) = if_there(read(self.path(version)))? {
                return Ok(Some(serde_json::from_slice(&text)?));
            }
        }
    }

    fn save(&self, expected: u64, values: Map<String, Value>) -> Result<SaveOutcome> {
        let versions = self.versions()?;
        let newest = versions.last().copied().unwrap_or(0);
        if newest != expected {
            return Ok(SaveOutcome::Conflict { version: newest });
        }
        let version = expected + 1;
        let draft = self.draft()?;
        let stored = StoredState { version, values };
        let linked = write(&draft, &stored).and_then(|()| {
            if expected == 0 {
                make_folder(&self.states)?;
            }
            hard_link(&draft, self.path(version))
        });
        // A draft that cannot be removed does no harm.
        let _ = remove_file(&draft);
        match linked {
            Ok(()) => {
                let newest = self.versions()?.last().copied().unwrap_or(0);
                // The name was free because it had been removed.
                if newest > version.saturating_add(KEPT) {
                    remove_file(self.path(version))?;
                    return Ok(SaveOutcome::Conflict { version: newest });
                }
                sync(&self.states)?;
            }
            // Somebody else made this version, or the session was forgotten.
            Err(error)
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) =>
            {
                let version = self.versions()?.last().copied().unwrap_or(0);
                return Ok(SaveOutcome::Conflict { version });
            }
            Err(error) => return Err(error),
        }
        for older in versions
            .into_iter()
            .filter(|older| older.saturating_add(KEPT) < version)
        {
            let _ = remove_file(self.path(older));
        }
        Ok(SaveOutcome::Saved { version })
    }

    /// The folder is moved away first, so that nobody reads half of it.
    fn forget(&self) -> Result<()> {
        let draft = self.draft()?;
        match if_there(rename(&self.states, &draft))? {
            Some(()) => remove_dir_all(draft),
            None => Ok(()),
        }
    }

    fn draft(&self) -> Result<PathBuf> {
        make_folder(&self.unfinished)?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| Error::other(error.to_string()))?;
        let name = format!("{:032x}", u128::from_ne_bytes(random));
        Ok(self.unfinished.join(name))
    }
}

fn write(draft: &Path, state: &StoredState) -> Result<()> {
    let mut file = make_file(draft)?;
    file.write_all(&serde_json::to_vec(state)?)?;
    // Otherwise a crash could leave the name without the content.
    file.sync_all()
}

/// Brings the names in a folder to the disk.
fn sync(folder: &Path) -> Result<()> {
    // Other systems cannot open a folder.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
