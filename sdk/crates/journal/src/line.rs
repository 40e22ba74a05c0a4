//! The form of a line: `{"seq":N,"time":T,"record":{..},"hash":"<64 digits>"}`.
//!
//! The hash is that of the hash before, 32 bytes, zeros for the first line, and the line's own bytes up to
//! `,"hash"`.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use toolwright::content::ContentHash;

use super::{JournalRecord, RecordKind};
use crate::digits::push_number;
use crate::entry::Entry;

/// Between what is hashed and the hash.
const HASH: &str = ",\"hash\":\"";
/// The most bytes of room that are kept for the next line.
const ROOM: usize = 16 << 10;
/// The text after the hash that ends a line.
const END: &str = "\"}";

/// A line of a log, and the hash that it ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    text: String,
    hash: ContentHash,
}

impl LogLine {
    pub(crate) fn new(text: String, hash: ContentHash) -> Self {
        Self { text, hash }
    }

    /// A line that is yet to be written.
    pub(crate) const fn empty() -> Self {
        Self {
            text: String::new(),
            hash: ContentHash::from_bytes([0; 32]),
        }
    }

    /// Writes the line of a place anew, in the room that the text has.
    pub(crate) fn write(
        &mut self,
        seq: u64,
        before: Option<ContentHash>,
        body: impl FnOnce(&mut String) -> Result<(), serde_json::Error>,
    ) -> Result<(), serde_json::Error> {
        let text = &mut self.text;
        text.clear();
        text.push_str("{\"seq\":");
        push_number(seq, text);
        body(text)?;
        self.hash = chained(before, text.as_bytes());
        text.push_str(HASH);
        self.hash.push_to(text);
        text.push_str(END);
        Ok(())
    }

    /// Gives up the room of a long text.
    pub(crate) fn shrink(&mut self) {
        if self.text.capacity() > ROOM {
            self.text = String::new();
        }
    }

    /// The line without its end: one line of JSON.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The hash in the line, over it and all lines before.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }
}

/// Writes all of a line that does not depend on its place.
pub(super) fn write_body(
    entry: Entry<'_>,
    time: SystemTime,
    out: &mut String,
) -> Result<(), serde_json::Error> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let micros = u64::try_from(since.unwrap_or_default().as_micros()).unwrap_or(u64::MAX);
    out.push_str(",\"time\":");
    push_number(micros, out);
    out.push_str(",\"record\":");
    entry.write(out)
}

fn chained(before: Option<ContentHash>, bytes: &[u8]) -> ContentHash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(
        before
            .as_ref()
            .map_or(&[0; 32], ContentHash::as_bytes)
            .as_slice(),
    );
    hasher.update(bytes);
    ContentHash::from_bytes(hasher.finalize().into())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    seq: u64,
    time: u64,
    record: RecordKind,
    #[serde(rename = "hash")]
    _hash: ContentHash,
}

/// Returns the bytes of a line that are hashed, and the hash that it ends with.
pub(super) fn parts(line: &[u8]) -> Option<(&[u8], ContentHash)> {
    let end = line.strip_suffix(END.as_bytes())?;
    let (rest, digits) = end.split_at_checked(end.len().checked_sub(64)?)?;
    let hashed = rest.strip_suffix(HASH.as_bytes())?;
    Some((hashed, std::str::from_utf8(digits).ok()?.parse().ok()?))
}

/// Reads the line of a number, which has to follow on a hash.
pub(super) fn read(
    bytes: &[u8],
    seq: u64,
    before: Option<ContentHash>,
) -> Result<(JournalRecord, ContentHash), String> {
    let (hashed, hash) = parts(bytes).ok_or("it does not end with a hash")?;
    if chained(before, hashed) != hash {
        return Err("its hash is not that of it and the lines before".to_owned());
    }
    let line: Line = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if line.seq != seq {
        return Err(format!("it says that it is record {}", line.seq));
    }
    let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_micros(line.time));
    let record = JournalRecord {
        seq,
        time: time.ok_or_else(|| "its time is beyond the clock of the system".to_owned())?,
        kind: line.record,
    };
    Ok((record, hash))
}
