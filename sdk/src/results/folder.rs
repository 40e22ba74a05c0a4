//! Large results in a folder of files.

use std::fs::{File, read_dir, remove_dir_all, remove_file, rename};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use async_trait::async_trait;

use super::{ResultPart, ResultStore};
use crate::id::{InvocationId, SessionId};
use crate::util::files::{if_there, make_file, make_folder, on_pool};
use crate::util::store_error::StoreError;

/// The most that is kept of one session, in bytes, unless the host sets another limit.
const OF_SESSION: u64 = 64 << 20;
crate::util::documented::documented_default!(
    "large results in a folder, of a session",
    bytes(OF_SESSION)
);
/// The name of a file that is not whole yet.
const UNFINISHED: &str = "unfinished";

/// Large results in a folder of files, for what is more than memory should hold, or is to outlive the
/// process: a folder for each session, and in it a file for each result, which the owner alone may
/// read. The oldest of a session go first.
///
/// Default: 64 MiB of a session. Files are read and written on Tokio's blocking pool; outside of a
/// runtime, in place.
///
/// ```
/// use toolwright::id::{InvocationId, SessionId};
/// use toolwright::results::{FolderResults, ResultStore};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let folder = std::env::temp_dir().join(format!("results-{}", std::process::id()));
/// let store = FolderResults::new(&folder);
/// let (session, call) = (SessionId::new("s-1"), "0123456789abcdef0123456789abcdef".parse()?);
/// store.put(&session, call, "a long text").await?;
/// let part = store.read(&session, call, 2, 4).await?.expect("it was put");
/// assert_eq!((part.bytes.as_slice(), part.total), (&b"long"[..], 11));
/// store.end_session(&session).await?;
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FolderResults {
    inner: Arc<FolderData>,
}

#[derive(Debug)]
struct FolderData {
    folder: PathBuf,
    of_session: u64,
    /// Tells files apart that are written at a time.
    count: AtomicU64,
}

impl FolderResults {
    /// In a folder, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self::with_max_bytes_of_session(folder, OF_SESSION)
    }

    /// The same, with how much is kept of one session, in bytes.
    pub fn with_max_bytes_of_session(folder: impl Into<PathBuf>, bytes: u64) -> Self {
        let inner = FolderData {
            folder: folder.into(),
            of_session: bytes,
            count: AtomicU64::new(0),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&FolderData) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        let done = on_pool(move || work(&inner)).await;
        done.map_err(StoreError::new)?.map_err(StoreError::new)
    }
}

impl FolderData {
    /// An id may hold what no file name may, and a name must not lead out of the folder.
    fn of(&self, session: &SessionId) -> PathBuf {
        let name = blake3::hash(session.as_str().as_bytes()).to_hex();
        self.folder.join(name.as_str())
    }

    fn put(&self, session: &SessionId, call: InvocationId, text: &str) -> Result<()> {
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        if bytes > self.of_session {
            return Err(std::io::Error::other(format!(
                "the result has {bytes} bytes, and at most {} are kept",
                self.of_session
            )));
        }
        let folder = self.of(session);
        make_folder(&folder)?;
        let name = call.to_string();
        self.make_room(&folder, &name, bytes)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let unfinished = folder.join(format!("{name}.{process}-{number}.{UNFINISHED}"));
        // A file that is renamed when whole is never read in part.
        let written = make_file(&unfinished)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| rename(&unfinished, folder.join(name)));
        if written.is_err() {
            let _ = remove_file(&unfinished);
        }
        written
    }

    /// Lets go of the oldest until there is room.
    fn make_room(&self, folder: &Path, but: &str, bytes: u64) -> Result<()> {
        let mut kept = Vec::new();
        for entry in read_dir(folder)? {
            let entry = entry?;
            let about = entry.metadata()?;
            if entry.file_name() != but {
                let age = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                kept.push((age, entry.path(), about.len()));
            }
        }
        kept.sort();
        let mut all: u64 = kept.iter().map(|(.., bytes)| bytes).sum();
        for (_, path, of_file) in kept {
            if all.saturating_add(bytes) <= self.of_session {
                break;
            }
            if_there(remove_file(path))?;
            all -= of_file;
        }
        Ok(())
    }

    fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>> {
        let path = self.of(session).join(call.to_string());
        let Some(mut file) = if_there(File::open(path))? else {
            return Ok(None);
        };
        let total = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset.min(total)))?;
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Some(ResultPart { bytes, total }))
    }
}

#[async_trait]
impl ResultStore for FolderResults {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> std::result::Result<(), StoreError> {
        let (session, text) = (session.clone(), text.to_owned());
        self.run(move |inner| inner.put(&session, call, &text))
            .await
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> std::result::Result<Option<ResultPart>, StoreError> {
        let session = session.clone();
        self.run(move |inner| inner.read(&session, call, offset, length))
            .await
    }

    async fn end_session(&self, session: &SessionId) -> std::result::Result<(), StoreError> {
        let session = session.clone();
        self.run(move |inner| if_there(remove_dir_all(inner.of(&session))).map(drop))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u64) -> InvocationId {
        InvocationId::from_parts(1, number)
    }

    /// All that is in a folder, however deep.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path));
            } else {
                found.push(path);
            }
        }
        found
    }

    #[tokio::test]
    async fn the_oldest_of_a_session_go_first_and_what_is_too_large_takes_none_away() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderResults::with_max_bytes_of_session(folder.path(), 10);
        let (one, other) = (SessionId::new("one"), SessionId::new("other"));
        store.put(&other, call(1), "12345").await.unwrap();
        for number in 2..5 {
            store.put(&one, call(number), "12345").await.unwrap();
        }
        let is_there = async |session: &SessionId, number| {
            let read = store.read(session, call(number), 0, 1).await;
            read.unwrap().is_some()
        };
        assert!(!is_there(&one, 2).await);
        assert!(is_there(&one, 3).await && is_there(&one, 4).await && is_there(&other, 1).await);
        let refused = store.put(&one, call(5), "12345678901").await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the result has 11 bytes, and at most 10 are kept"
        );
        assert!(is_there(&one, 3).await);
        assert_eq!(files(folder.path()).len(), 3);
    }

    #[tokio::test]
    async fn no_id_leads_out_of_the_folder_and_files_are_the_owners() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("results");
        let store = FolderResults::new(&inside);
        for id in ["../../out", "/", "..", "", "a\0b"] {
            let session = SessionId::new(id);
            store.put(&session, call(1), id).await.unwrap();
            let part = store.read(&session, call(1), 0, 100).await.unwrap();
            assert_eq!(part.unwrap().bytes, id.as_bytes());
        }
        assert_eq!(files(folder.path()).len(), files(&inside).len());
        #[cfg(unix)]
        for file in files(&inside) {
            use std::os::unix::fs::PermissionsExt;
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        store.end_session(&SessionId::new("..")).await.unwrap();
        assert_eq!(files(&inside).len(), 4);
    }
}
