//! A journal of the calls of tools, for [`toolwright`]: every call on record, in lines that are chained by hashes, to
//! prove a run and to repeat it.
//!
//! A [`Journal`] records the calls of an executor in a [`JournalLog`], such as a [`FileLog`]. [`verify`] checks a log,
//! and finds the first line that was changed. A [`Replay`] makes a recorded run once more: tools without effects run
//! again and have to give the same, everything else is answered from the record.
//!
//! ```
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_journal::{FileLog, Journal, Replay, verify};
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let (journal, recovery) = Journal::open(FileLog::open(folder.join("run.jsonl"))?)?;
//! for call in &recovery.unfinished {
//!     if call.is_indeterminate() {
//!         eprintln!("nobody knows whether {} of {} had an effect", call.invocation, call.tool);
//!     }
//! }
//! let tools = || ToolRegistry::new().with(Add);
//! let executor = Executor::builder(tools()).call_recorder(journal).build()?;
//! assert_eq!(executor.call("add", r#"{"a": 2, "b": 3}"#).await.text(), "5");
//! drop(executor);
//!
//! let log = FileLog::read_only(folder.join("run.jsonl"))?;
//! // The opening, the request and the response.
//! assert_eq!(verify(&log)?.records, 3);
//! let report = Replay::of(&log)?.run(&Executor::new(tools())?).await;
//! assert!(report.is_faithful(), "{report}");
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! | to do | |
//! |---|---|
//! | record calls | [`Journal::open`], [`Journal::builder`], [`Durability`], [`JournalKey`] |
//! | keep the lines | [`FileLog`], [`MemoryLog`], or a [`JournalLog`] of your own |
//! | keep large outputs elsewhere | [`FolderContents`], [`MemoryContents`], or a [`ContentStore`] of your own |
//! | know what a crash left | [`Recovery`], [`UnfinishedCall`], [`Journal::settle`] |
//! | read and check a journal | [`JournalRecords`], [`record`], [`verify`] |
//! | repeat a run | [`Replay`], [`ReplayReport`], [`Divergence`] |
//! | hash equal data alike | [`CanonicalJson`] |
//! | check a store of your own | [`testing`] |
//!
//! The port that a journal implements is [`toolwright::record`].

// The files:
//
// | writing | |
// | `builder`, `journal`, `recovery`, `settle` | a journal and its opening, and the calls that were left |
// | `recording`, `writer` | the records of one call, and when they are written |
// | `entry`, `line`, `log/`, `contents/`, `disk` | lines, and where they and large outputs are kept |
//
// | what is recorded | |
// | `record`, `input`, `key` | records; inputs, with secrets hashed |
// | `normal`, `canonical/` | outputs in their normal form |
//
// | reading | |
// | `read`, `verify` | records, checked |
// | `replay/` | a recorded run once more |

mod builder;
mod canonical;
mod contents;
mod digits;
mod disk;
mod durability;
mod entry;
mod error;
mod input;
mod journal;
mod key;
mod line;
mod log;
mod normal;
mod read;
pub mod record;
mod recorder;
mod recording;
mod recovery;
mod replay;
mod settle;
pub mod testing;
mod verify;
mod writer;

pub use builder::JournalBuilder;
pub use canonical::{CanonicalJson, NotCanonical};
pub use contents::{ContentStore, FolderContents, MemoryContents};
pub use durability::Durability;
pub use error::{Broken, JournalError};
pub use journal::Journal;
pub use key::JournalKey;
pub use log::{FileLog, JournalLog, LogError, LogLine, LogLines, MemoryLog, TornRecord};
pub use read::JournalRecords;
pub use record::{
    JournalRecord, RecordKind, RecordedInput, RecordedOutput, ResumedCall, SuspendedCall,
};
pub use recovery::{Recovery, UnfinishedCall};
pub use replay::{Divergence, DivergenceKind, Replay, ReplayOutcome, ReplayReport, ReplayedCall};
pub use settle::Settlement;
pub use verify::{Verified, verify};

// The examples of the guide's page are compiled and run here.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/journal_and_replay.md")]
struct GuidePage;
