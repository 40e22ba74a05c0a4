//! Where `workbench run` has its lines from.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::thread;

use tokio::sync::mpsc;

use crate::cli::Problem;

/// An opened file of calls, or standard input.
pub(crate) struct Source {
    reader: Box<dyn BufRead + Send>,
    name: PathBuf,
    /// Whether reading on comes to an end by itself, whatever others do.
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

    /// The lines, read one ahead by a thread of its own: reading may wait for ever, and must not
    /// keep workbench from ending. The last line read is an error if reading failed.
    pub(crate) fn lines(self) -> mpsc::Receiver<Result<Vec<u8>, Problem>> {
        let Self {
            mut reader, name, ..
        } = self;
        let (sender, receiver) = mpsc::channel(1);
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                let read = match reader.read_until(b'\n', &mut line) {
                    Ok(0) => return,
                    Ok(_) => Ok(line),
                    Err(error) => Err(unreadable(&name, error)),
                };
                let failed = read.is_err();
                if sender.blocking_send(read).is_err() || failed {
                    return;
                }
            }
        });
        receiver
    }
}

fn unreadable(path: &Path, error: io::Error) -> Problem {
    Problem::Input {
        path: path.to_owned(),
        error,
    }
}
