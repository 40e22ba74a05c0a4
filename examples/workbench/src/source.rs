//! The sources of calls: the lines of a file or of standard input, or all of standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::thread;

use tokio::sync::mpsc;

use crate::calls::{MAX_CALL, Text, next_line};
use crate::cli::Problem;

/// The longest line that is read, in bytes: the largest arguments with room for escapes. A pipe may
/// never end its line.
const MAX_LINE: usize = 2 * MAX_CALL;

/// An opened file of calls, or standard input.
pub(crate) struct Source {
    reader: Box<dyn BufRead + Send>,
    name: PathBuf,
    /// True if reading on ends without anybody's help.
    pub(crate) ends: bool,
}

impl Source {
    /// `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        if path == Path::new("-") {
            return Ok(Self {
                reader: Box::new(BufReader::new(io::stdin())),
                name: "standard input".into(),
                ends: false,
            });
        }
        let unreadable = |error| unreadable(path, error);
        let file = File::open(path).map_err(unreadable)?;
        Ok(Self {
            ends: file.metadata().map_err(unreadable)?.is_file(),
            reader: Box::new(BufReader::new(file)),
            name: path.to_owned(),
        })
    }

    /// The lines, read by a thread of its own: reading may wait for ever, and must not keep workbench
    /// from ending.
    pub(crate) fn lines(self) -> Lines {
        let Self {
            mut reader, name, ..
        } = self;
        let (sender, receiver) = mpsc::channel(1);
        let (ask, mut asked) = mpsc::channel(1);
        thread::spawn(move || {
            while asked.blocking_recv().is_some() {
                let Some(line) = next_line(&mut reader, MAX_LINE).transpose() else {
                    return;
                };
                let line = line.map_err(|error| unreadable(&name, error));
                let failed = line.is_err();
                if sender.blocking_send(line).is_err() || failed {
                    return;
                }
            }
        });
        Lines {
            receiver,
            ask,
            awaited: false,
        }
    }
}

/// Lines; each is read when it is asked for and no sooner: between two lines the terminal
/// that they come from belongs to prompts.
pub(crate) struct Lines {
    receiver: mpsc::Receiver<Result<Text, Problem>>,
    ask: mpsc::Sender<()>,
    /// True if a line was asked for and has not come.
    awaited: bool,
}

impl Lines {
    /// The next line; the last one is an error if reading failed. May be dropped and asked again.
    pub(crate) async fn next(&mut self) -> Option<Result<Text, Problem>> {
        if !self.awaited {
            // Without a listener there is no further line.
            let _ = self.ask.send(()).await;
            self.awaited = true;
        }
        let line = self.receiver.recv().await;
        self.awaited = false;
        line
    }
}

/// All of standard input: one call, or the arguments of one.
pub(crate) fn standard_input() -> Result<String, Problem> {
    let read = || {
        let mut text = Vec::new();
        io::stdin()
            .lock()
            .take(MAX_LINE as u64 + 1)
            .read_to_end(&mut text)?;
        if text.len() > MAX_LINE {
            let mebibytes = MAX_LINE / (1024 * 1024);
            let told = format!("it is longer than {mebibytes} MiB");
            return Err(io::Error::other(told));
        }
        String::from_utf8(text).map_err(|_| io::Error::other("it is not UTF-8 text"))
    };
    read().map_err(|error| unreadable("standard input".as_ref(), error))
}

fn unreadable(path: &Path, error: io::Error) -> Problem {
    Problem::Input {
        path: path.to_owned(),
        error,
    }
}
