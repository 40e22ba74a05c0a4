//! Lines in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fs4::{FileExt, TryLockError};
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

use super::{JournalLog, LogError, LogLine, LogLines, TornRecord};
use crate::disk::{owner_only, sync_folder};
use crate::line;

/// The bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// A log in a file of JSON lines, which the owner alone may read.
///
/// Only one journal at a time has it open for writing: the file is locked for as long as the log is there,
/// against other processes too, where they respect locks. A last line without an end, left by a process
/// that was ended while it wrote, is cut off when the log is opened, and [reported](JournalLog::cut). Where
/// writing fails, the file is cut to what it was.
///
/// Cloning is cheap; all clones are one log.
#[derive(Debug, Clone)]
pub struct FileLog {
    inner: Arc<LogFile>,
}

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    writes: bool,
    cut: Option<TornRecord>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// The length of the whole lines that were written, in bytes.
    length: u64,
    head: Option<ContentHash>,
    /// It is not known what was written.
    is_broken: bool,
}

/// A process that was begun by this one at this moment may have the file too, and with it the lock.
impl Drop for LogFile {
    fn drop(&mut self) {
        if self.writes {
            let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
            let _ = FileExt::unlock(&state.file);
        }
    }
}

impl FileLog {
    /// Opens a file for writing; makes it where it is not there.
    ///
    /// # Errors
    ///
    /// [`LogError::Locked`] when somebody else has it open for writing; [`LogError::Unread`] when it
    /// cannot be opened, read or cut, or is no plain file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        owner_only(&mut options);
        let file = options.open(path).map_err(unread)?;
        // By its full name: later versions of the standard library have a method of this one.
        match FileExt::try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LogError::Locked {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(unread(error)),
        }
        if is_new {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            sync_folder(folder.unwrap_or(Path::new("."))).map_err(unread)?;
        }
        Self::of(path, file, true)
    }

    /// Opens a file to be read, even while a journal writes to it. Nothing is cut and nothing can be
    /// added.
    ///
    /// # Errors
    ///
    /// [`LogError::Unread`] when it cannot be opened or read, or is no plain file.
    pub fn read_only(path: impl AsRef<Path>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(unread)?;
        Self::of(path, file, false)
    }

    fn of(path: &Path, file: File, writes: bool) -> Result<Self, LogError> {
        if !file.metadata().map_err(unread)?.is_file() {
            return Err(unread("it is no plain file"));
        }
        let found = survey(&file).map_err(unread)?;
        let mut cut = None;
        if writes && found.rest > 0 {
            file.set_len(found.whole).map_err(unread)?;
            file.sync_data().map_err(unread)?;
            cut = Some(TornRecord {
                line: found.lines + 1,
                bytes: found.rest,
            });
        }
        let state = State {
            file,
            length: if writes {
                found.whole
            } else {
                found.whole + found.rest
            },
            head: line::parts(&found.last).map(|(_, hash)| hash),
            is_broken: false,
        };
        Ok(Self {
            inner: Arc::new(LogFile {
                path: path.to_owned(),
                writes,
                cut,
                state: Mutex::new(state),
            }),
        })
    }

    /// Returns the path of the file, as it was opened.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let state = &self.inner.state;
        state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalLog for FileLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        Ok(self.lock().head)
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        let mut state = self.lock();
        if !self.inner.writes {
            return Err(LogError::Unwritten(StoreError::new(
                "the file is open for reading only",
            )));
        }
        if state.is_broken {
            return Err(LogError::Unknown(StoreError::new(
                "writing failed before: the file has to be opened anew",
            )));
        }
        if state.head != head {
            return Err(LogError::Conflict);
        }
        let Some(last) = lines.last() else {
            return Ok(());
        };
        let mut bytes = Vec::with_capacity(lines.iter().map(|line| line.text().len() + 1).sum());
        for line in lines {
            bytes.extend_from_slice(line.text().as_bytes());
            bytes.push(b'\n');
        }
        state.write(&bytes)?;
        state.head = Some(last.hash());
        Ok(())
    }

    fn sync(&self) -> Result<(), LogError> {
        let mut state = self.lock();
        let synced = state.file.sync_data();
        // The system may have dropped the pages that it could not write, and reports that only once.
        state.is_broken |= synced.is_err();
        synced.map_err(|error| LogError::Unknown(StoreError::new(error)))
    }

    fn read(&self) -> Result<LogLines, LogError> {
        let left = self.lock().length;
        let chunks = Chunks {
            log: self.clone(),
            at: 0,
            left,
        };
        let lines = BufReader::with_capacity(CHUNK, chunks).split(b'\n');
        Ok(Box::new(lines.map(|line| line.map_err(StoreError::new))))
    }

    fn cut(&self) -> Option<TornRecord> {
        self.inner.cut
    }
}

impl State {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(bytes));
        match written {
            Ok(()) => {
                self.length += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                Ok(())
            }
            // Half a line must not stand before the next one.
            Err(error) => {
                self.is_broken = self.file.set_len(self.length).is_err();
                let error = StoreError::new(error);
                Err(if self.is_broken {
                    LogError::Unknown(error)
                } else {
                    LogError::Unwritten(error)
                })
            }
        }
    }
}

/// The lines of a file.
struct Survey {
    lines: u64,
    /// In bytes: the whole lines, and what comes after them.
    whole: u64,
    rest: u64,
    last: Vec<u8>,
}

fn survey(mut file: &File) -> io::Result<Survey> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let (mut line, mut last) = (Vec::new(), Vec::new());
    let (mut lines, mut whole) = (0, 0);
    loop {
        line.clear();
        let read = u64::try_from(reader.read_until(b'\n', &mut line)?).unwrap_or(u64::MAX);
        if line.pop_if(|byte| *byte == b'\n').is_none() {
            return Ok(Survey {
                lines,
                whole,
                rest: read,
                last,
            });
        }
        lines += 1;
        whole += read;
        std::mem::swap(&mut line, &mut last);
    }
}

/// The bytes of the file up to what it was when they began to be read.
struct Chunks {
    log: FileLog,
    at: u64,
    left: u64,
}

impl Read for Chunks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(into.len(), |left| left.min(into.len()));
        // Through the one handle: where locks bind, no other may read.
        let mut state = self.log.lock();
        state.file.seek(SeekFrom::Start(self.at))?;
        let read = state.file.read(&mut into[..most])?;
        drop(state);
        let count = u64::try_from(read).unwrap_or(u64::MAX);
        self.at += count;
        self.left -= count;
        Ok(read)
    }
}

fn unread(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LogError {
    LogError::Unread(StoreError::new(error))
}
