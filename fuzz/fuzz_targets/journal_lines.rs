//! A journal that was changed: every change but a cut at the end of a line shows, and nothing panics.

#![no_main]

#[path = "../patch.rs"]
mod patch;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use toolwright::content::ContentHash;
use toolwright::{Executor, ToolCall, ToolRegistry, tool};
use toolwright_journal::{
    Journal, JournalLog, JournalRecords, LogError, LogLine, LogLines, MemoryLog, Replay, verify,
};

/// Add two whole numbers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Roll a die.
#[tool(read_only)]
async fn roll(sides: u32) -> Result<u32, std::io::Error> {
    sides
        .checked_sub(1)
        .ok_or_else(|| std::io::Error::other("a die has a side"))
}

/// The journal of a few calls, as text.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let log = MemoryLog::new();
    let (journal, _) = Journal::open(log.clone()).expect("an empty log opens");
    let tools = ToolRegistry::new().with(Add).with(Roll);
    let executor = Executor::builder(tools)
        .call_recorder(journal)
        .build()
        .expect("two tools make an executor");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let calls = [
        ToolCall::new("add", r#"{"a": 2, "b": 3}"#).with_id("call-1"),
        ToolCall::new("roll", r#"{"sides": 6}"#),
        ToolCall::new("roll", r#"{"sides": 0}"#),
        ToolCall::new("add", r#"{"a": "4"}"#),
        ToolCall::new("nothing", "{}"),
    ];
    runtime.block_on(async {
        for call in calls {
            executor.session("fuzz").call(call).await;
        }
    });
    log.to_text()
});

/// Lines that somebody else wrote.
struct Foreign(Vec<u8>);

impl JournalLog for Foreign {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        Ok(None)
    }

    fn append(&self, _: Option<ContentHash>, _: &[LogLine]) -> Result<(), LogError> {
        Err(LogError::Conflict)
    }

    fn sync(&self) -> Result<(), LogError> {
        Ok(())
    }

    fn read(&self) -> Result<LogLines, LogError> {
        let text = self.0.strip_suffix(b"\n").unwrap_or(&self.0);
        let lines: Vec<Vec<u8>> = match text {
            [] => Vec::new(),
            text => text
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect(),
        };
        Ok(Box::new(lines.into_iter().map(Ok)))
    }
}

fuzz_target!(|data: &[u8]| {
    let text = match data {
        [b'{', ..] => data.to_vec(),
        _ => patch::patched(TEXT.as_bytes(), data),
    };
    let whole_lines = TEXT.as_bytes().starts_with(&text)
        && (text.is_empty()
            || text.ends_with(b"\n")
            || TEXT.as_bytes().get(text.len()) == Some(&b'\n'));
    let log = Foreign(text);
    let verified = verify(&log);
    if !whole_lines {
        assert!(
            verified.is_err(),
            "a change does not show: {}",
            String::from_utf8_lossy(&log.0)
        );
    }
    if let Ok(records) = JournalRecords::of(&log) {
        for record in records {
            let _ = record.map_err(|error| error.to_string());
        }
    }
    if let Ok(replay) = Replay::of(&log) {
        let _ = replay.report().to_string();
    }
});
