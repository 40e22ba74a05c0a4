//! Large outputs in a folder of files.

use std::fs::{DirBuilder, File, OpenOptions, read, remove_file, rename};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::runtime::Handle;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

use super::ContentStore;
use crate::disk::{owner_only, sync_folder};

/// Large outputs in a folder of files, each named by its hash, which the owner alone may read.
///
/// A file is whole and on the disk before it has its name. Files are read and written on Tokio's blocking
/// pool; outside of a runtime, in place.
#[derive(Debug, Clone)]
pub struct FolderContents {
    inner: Arc<Folder>,
}

#[derive(Debug)]
struct Folder {
    folder: PathBuf,
    /// Tells files apart that are written at a time.
    count: AtomicU64,
}

impl FolderContents {
    /// In a folder, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let inner = Folder {
            folder: folder.into(),
            count: AtomicU64::new(0),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    async fn on_pool<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> io::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        let done = match Handle::try_current() {
            Ok(runtime) => runtime.spawn_blocking(move || work(&inner)).await,
            Err(_) => Ok(work(&inner)),
        };
        done.map_err(StoreError::new)?.map_err(StoreError::new)
    }
}

impl Folder {
    fn put(&self, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        make_folder(&self.folder)?;
        let path = self.folder.join(hash.to_string());
        if path.exists() {
            return Ok(());
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let name = format!("{hash}.{process}-{number}.unfinished");
        let unfinished = self.folder.join(name);
        let written = make_file(&unfinished)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| rename(&unfinished, path))
            .and_then(|()| sync_folder(&self.folder));
        if written.is_err() {
            let _ = remove_file(&unfinished);
        }
        written
    }

    fn get(&self, hash: ContentHash) -> io::Result<Option<Vec<u8>>> {
        match read(self.folder.join(hash.to_string())) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn make_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    owner_only(options.write(true).create_new(true)).open(path)
}

#[async_trait]
impl ContentStore for FolderContents {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        let bytes = bytes.to_vec();
        self.on_pool(move |inner| inner.put(hash, &bytes)).await
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.on_pool(move |inner| inner.get(hash)).await
    }
}
