//! Transcripts: the conversation as lines of JSON.
//!
//! The first line tells the API and the model; each other line is an entry of the history in the API's own form, with the
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
}

/// A transcript that was read.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) history: Vec<Message>,
    /// The bytes of its whole lines.
    length: u64,
}

/// Reads a transcript, and fills in what the command line leaves out. A last line that was not written to its end is
/// left out.
pub(super) fn read(path: &Path, chat: &mut Chat) -> Result<Kept, ChatError> {
    let failed = |error| ChatError::Transcript {
        path: path.to_owned(),
        error,
    };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let no = |line| ChatError::NotTranscript {
        path: path.to_owned(),
        line,
    };
    let mut lines = whole.lines().zip(1..);
    let (first, _) = lines.next().ok_or_else(|| no(1))?;
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
    let entries = lines.map(|(line, number)| {
        let entry: Box<RawValue> = serde_json::from_str(line).map_err(|_| no(number))?;
        if !entry.get().starts_with('{') {
            return Err(no(number));
        }
        Ok(Message::from(entry))
    });
    Ok(Kept {
        history: entries.collect::<Result<_, _>>()?,
        length: u64::try_from(whole.len()).unwrap_or(u64::MAX),
    })
}

impl Transcript {
    /// Begins a new file.
    pub(super) fn create(path: &Path, chat: &Chat, provider: &Provider) -> Result<Self, ChatError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
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
        let transcript = Self::open(path, OpenOptions::new().append(true))?;
        let cut = transcript.file.set_len(kept.length);
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
        })
    }

    fn failed(&self, error: io::Error) -> ChatError {
        ChatError::Transcript {
            path: self.path.clone(),
            error,
        }
    }

    /// Writes entries of the history, all at once.
    pub(super) fn write(&mut self, entries: &[Message]) -> Result<(), ChatError> {
        // No text of JSON holds a line break as it is: one stands between its parts alone.
        let lines = entries
            .iter()
            .map(|entry| entry.as_str().replace(['\n', '\r'], " "));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            Ok(())
        } else {
            self.append(&lines.join("\n"))
        }
    }

    fn append(&mut self, text: &str) -> Result<(), ChatError> {
        let written = self.file.write_all(format!("{text}\n").as_bytes());
        written
            .and_then(|()| self.file.flush())
            .map_err(|error| self.failed(error))
    }
}
