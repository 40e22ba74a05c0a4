//! Opening a journal that is there already.

use std::fs::{self, OpenOptions};
use std::future::Future;
use std::io::Write;
use std::sync::Arc;
use std::task::{Context, Waker};

use tokio::sync::Notify;
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{FileLog, Journal, JournalError, MemoryLog, RecordKind, verify};

use super::support::{kinds, words};

/// Do something.
#[tool(register = false, version = "2.0.0")]
async fn act(begun: &Arc<Notify>) {
    begun.notify_one();
    std::future::pending::<()>().await;
}

/// Look at something.
#[tool(register = false, read_only)]
async fn look() {
    std::future::pending::<()>().await;
}

/// Say a word back.
#[tool(register = false, pure)]
fn say(word: String) -> String {
    word
}

fn executor(journal: Journal) -> Executor {
    Executor::builder(ToolRegistry::new().with(Act).with(Look).with(Say))
        .permission_checker(AllowAll)
        .resource(Arc::new(Notify::new()))
        .call_recorder(journal)
        .build()
        .unwrap()
}

#[tokio::test]
async fn calls_that_have_not_ended_are_known_and_those_of_unknown_effect_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let (journal, recovery) = Journal::open(FileLog::open(&path).unwrap()).unwrap();
    assert_eq!((recovery.records, recovery.cut), (0, None));
    let executor = executor(journal);
    executor.call("say", r#"{"word": "a"}"#).await;
    let mut cx = Context::from_waker(Waker::noop());
    let (mut act, mut look) = (
        Box::pin(executor.call("act", "{}")),
        Box::pin(executor.call("look", "{}")),
    );
    assert!(act.as_mut().poll(&mut cx).is_pending());
    assert!(look.as_mut().poll(&mut cx).is_pending());
    // As the file would be if the process ended here, in the middle of a line.
    let copy = folder.path().join("copy.jsonl");
    fs::copy(&path, &copy).unwrap();
    let mut file = OpenOptions::new().append(true).open(&copy).unwrap();
    file.write_all(br#"{"seq":6,"time":17"#).unwrap();
    drop((act, look));

    let (journal, recovery) = Journal::open(FileLog::open(&copy).unwrap()).unwrap();
    let cut = recovery.cut.unwrap();
    assert_eq!((cut.line, cut.bytes), (6, 18));
    assert_eq!(recovery.records, 5);
    let [act, look] = &recovery.unfinished[..] else {
        panic!("{recovery:?}");
    };
    assert_eq!(
        (act.tool.as_str(), act.version.as_deref()),
        ("act", Some("2.0.0"))
    );
    assert_eq!(
        (act.effect, act.is_indeterminate()),
        (Effect::AtMostOnce, true)
    );
    assert_eq!(
        (look.tool.as_str(), look.is_indeterminate()),
        ("look", false)
    );

    // It goes on where it was.
    let executor = self::executor(journal);
    assert!(executor.call("say", r#"{"word": "b"}"#).await.is_success());
    drop(executor);
    let log = FileLog::open(&copy).unwrap();
    assert_eq!(
        words(&log),
        [
            "opened",
            "requested",
            "responded",
            "requested",
            "requested",
            "requested",
            "responded"
        ]
    );
    let (_, recovery) = Journal::open(log).unwrap();
    assert_eq!((recovery.cut, recovery.unfinished.len()), (None, 2));
}

#[tokio::test]
async fn a_file_cut_at_any_byte_opens_with_what_was_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let (journal, _) = Journal::open(FileLog::open(&path).unwrap()).unwrap();
    let executor = executor(journal);
    executor.call("say", r#"{"word": "a"}"#).await;
    drop(executor);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let log = FileLog::open(&path).unwrap();
        let (_, recovery) = Journal::open(log.clone()).unwrap();
        let lines = whole[..length].split(|byte| *byte == b'\n').skip(1).count();
        assert_eq!(recovery.records, lines as u64);
        let is_torn = !matches!(whole[..length].last(), None | Some(b'\n'));
        assert_eq!(recovery.cut.is_some(), is_torn, "{length}");
        // An empty one begins anew.
        assert_eq!(verify(&log).unwrap().records, (lines as u64).max(1));
    }
}

#[test]
fn a_journal_of_another_form_is_not_read_as_if_it_were_ours() {
    let log = MemoryLog::new();
    let (journal, _) = Journal::open(log.clone()).unwrap();
    assert!(matches!(
        kinds(&log)[..],
        [RecordKind::Opened { format: 1, .. }]
    ));
    let head = journal.head();
    drop(journal);
    let (journal, recovery) = Journal::open(log.clone()).unwrap();
    assert_eq!((journal.head(), recovery.records), (head, 1));
    assert_eq!(words(&log), ["opened"]);
    let error = JournalError::from(toolwright_journal::LogError::Conflict);
    assert!(error.to_string().contains("somebody else"));
}
