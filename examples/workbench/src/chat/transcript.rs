//! Transcripts: the conversation as lines of JSON.
//!
//! The first line has the API and the model; each other line is an entry of the history in the API's own form, with the
//! ids and signatures as they came. `run` makes the calls of the model's entries again.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolwright_providers::Message;

use super::args::{Chat, ChatApi};
use super::failure::ChatError;
use super::provider::Provider;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// The version of the form, 1.
    workbench_chat: u32,
    api: String,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<String>,
}

/// Returns true if a line is the first one of a transcript.
pub(crate) fn is_header(line: &[u8]) -> bool {
    serde_json::from_slice::<Header>(line).is_ok()
}

/// A transcript that is written.
#[derive(Debug)]
pub(super) struct Transcript {
    file: File,
    path: PathBuf,
    /// The bytes of its lines.
    length: u64,
    /// The entries of the history that it has.
    entries: usize,
}

/// A transcript that was read.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) history: Vec<Message>,
    /// The bytes up to the end of the header and of each entry.
    ends: Vec<u64>,
    /// True if the last line was not written to its end.
    pub(super) is_torn: bool,
}

impl Kept {
    /// Leaves out the last entry.
    pub(super) fn pop(&mut self) {
        if self.history.pop().is_some() {
            self.ends.pop();
        }
    }
}

/// Reads a transcript, and fills in what the command line leaves out. A last line that was not written to its end is
/// no entry.
pub(super) fn read(path: &Path, chat: &mut Chat) -> Result<Kept, ChatError> {
    let failed = |error| ChatError::Transcript {
        path: path.to_owned(),
        error,
    };
    let bytes = std::fs::read(path).map_err(failed)?;
    // The line that was not written to its end may be cut within a character.
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let (whole, rest) = bytes.split_at(end.map_or(0, |end| end + 1));
    let whole = std::str::from_utf8(whole).map_err(|error| failed(io::Error::other(error)))?;
    let no = |line| ChatError::NotTranscript {
        path: path.to_owned(),
        line,
    };
    let mut length = 0;
    let mut lines = whole.split_inclusive('\n').zip(1..).map(|(line, number)| {
        length += line.len() as u64;
        (line, number, length)
    });
    let (first, _, end) = lines.next().ok_or_else(|| no(1))?;
    let header: Header = serde_json::from_str(first).map_err(|_| no(1))?;
    let api = ChatApi::from_str(&header.api, false).map_err(|_| no(1))?;
    if chat.api.is_some_and(|asked| asked != api) {
        return Err(ChatError::OtherApi {
            path: path.to_owned(),
            of: api.name(),
        });
    }
    chat.api = Some(api);
    chat.model.get_or_insert(header.model);
    chat.system = chat.system.take().or(header.system);
    chat.base_url = chat.base_url.take().or(header.base_url);
    let mut kept = Kept {
        history: Vec::new(),
        ends: vec![end],
        is_torn: !rest.is_empty(),
    };
    for (line, number, end) in lines {
        let entry: Box<RawValue> = serde_json::from_str(line).map_err(|_| no(number))?;
        if !entry.get().starts_with('{') {
            return Err(no(number));
        }
        kept.history.push(Message::from(entry));
        kept.ends.push(end);
    }
    Ok(kept)
}

impl Transcript {
    /// Begins a new file.
    pub(super) fn create(path: &Path, chat: &Chat, provider: &Provider) -> Result<Self, ChatError> {
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        let mut transcript = Self::open(path, &mut options)?;
        let header = Header {
            workbench_chat: 1,
            api: provider.kind.name().to_owned(),
            model: provider.model.clone(),
            base_url: chat.base_url.clone(),
            system: provider.system.clone(),
        };
        let text = serde_json::to_string(&header).map_err(io::Error::from);
        transcript.append(&text.map_err(|error| transcript.failed(error))?)?;
        Ok(transcript)
    }

    /// Goes on with a file that was read.
    pub(super) fn go_on(path: &Path, kept: &Kept) -> Result<Self, ChatError> {
        let mut transcript = Self::open(path, OpenOptions::new().append(true))?;
        transcript.entries = kept.history.len();
        transcript.length = kept.ends.last().copied().unwrap_or(0);
        let cut = transcript.file.set_len(transcript.length);
        cut.map_err(|error| transcript.failed(error))?;
        Ok(transcript)
    }

    fn open(path: &Path, options: &mut OpenOptions) -> Result<Self, ChatError> {
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
        let file = options.open(path).map_err(|error| ChatError::Transcript {
            path: path.to_owned(),
            error,
        })?;
        Ok(Self {
            file,
            path: path.to_owned(),
            length: 0,
            entries: 0,
        })
    }

    fn failed(&self, error: io::Error) -> ChatError {
        ChatError::Transcript {
            path: self.path.clone(),
            error,
        }
    }

    /// Writes the entries of the history that it does not have, all at once.
    pub(super) fn write(&mut self, history: &[Message]) -> Result<(), ChatError> {
        // No text of JSON holds a line break as it is: one stands between its parts alone.
        let lines = history
            .iter()
            .skip(self.entries)
            .map(|entry| entry.as_str().replace(['\n', '\r'], " "));
        let lines: Vec<String> = lines.collect();
        if !lines.is_empty() {
            self.append(&lines.join("\n"))?;
            self.entries = history.len();
        }
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), ChatError> {
        let line = format!("{text}\n");
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // The next line would be written behind a part of this one.
            let _ = self.file.set_len(self.length);
            return Err(self.failed(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}
