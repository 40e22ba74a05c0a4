//! Reading on in what was cut.

use serde_json::{Value, json};
use toolwright::executor::{Limits, SessionOptions};
use toolwright::results::MemoryResults;
use toolwright::{Executor, Session, ToolCall, ToolError, ToolOutcome, ToolOutput, ToolRegistry};

use super::{Say, registry, say_it};

/// Characters of one to four bytes, 10 bytes in all: a few limits in a row cut at each place in them.
const MIXED: &str = "a\u{e9}\u{20ac}\u{1f980}";

fn keeping(limit: u64) -> Executor {
    Executor::builder(registry())
        .limits(Limits::new().max_output_bytes(limit))
        .result_store(MemoryResults::new())
        .build()
        .unwrap()
}

async fn read(session: &Session, id: &str, offset: usize, length: Option<usize>) -> ToolOutcome {
    let mut arguments = json!({ "id": id, "offset": offset });
    if let Some(length) = length {
        arguments["length"] = length.into();
    }
    session.call(ToolCall::new("result.read", arguments)).await
}

/// The place to read on from, as the last line gives it.
fn next(last: &str) -> Option<usize> {
    let (_, rest) = last
        .split_once("offset\": ")
        .or_else(|| last.split_once("offset "))?;
    rest.trim_end_matches(['}', ']']).parse().ok()
}

#[tokio::test]
async fn trap_truncated_multi_byte_text_is_whole_again_when_it_is_read_on() {
    let whole = MIXED.repeat(100);
    for limit in 256..270 {
        let session = keeping(limit).session("s");
        let cut = session.call(ToolCall::new("say", say_it(MIXED, 100))).await;
        let id = cut.result().invocation_id().to_string();
        for length in [None, Some(1), Some(7), Some(64), Some(1_000_000)] {
            let text = cut.text();
            let (shown, last) = text.rsplit_once('\n').unwrap();
            let mut all = shown.to_owned();
            let mut offset = next(last);
            while let Some(at) = offset {
                assert_eq!(at, all.len());
                let more = read(&session, &id, at, length).await;
                assert!(more.result().truncated().is_none(), "{}", more.text());
                assert!(more.text().len() as u64 <= limit, "{}", more.text());
                let text = more.text();
                let (shown, last) = text.rsplit_once('\n').unwrap();
                assert!(!shown.is_empty(), "{text}");
                all.push_str(shown);
                offset = next(last);
            }
            assert_eq!(all, whole, "{limit} {length:?}");
        }
    }
}

#[tokio::test]
async fn any_offset_gives_whole_characters() {
    let session = keeping(300).session("s");
    let cut = session.call(ToolCall::new("say", say_it(MIXED, 100))).await;
    let id = cut.result().invocation_id().to_string();
    for offset in 0..40 {
        for length in 1..12 {
            let text = read(&session, &id, offset, Some(length)).await.text();
            let (shown, _) = text.rsplit_once('\n').unwrap();
            assert!(!shown.contains('\u{fffd}') && !shown.is_empty(), "{text}");
            assert!(
                MIXED.repeat(10).contains(shown),
                "{offset} {length}: {text}"
            );
        }
    }
}

#[tokio::test]
async fn a_result_is_read_in_its_own_session_alone() {
    let executor = keeping(300);
    let (own, other) = (executor.session("own"), executor.session("other"));
    let cut = own.call(ToolCall::new("say", say_it("a", 1000))).await;
    let id = cut.result().invocation_id().to_string();
    assert!(!read(&own, &id, 0, None).await.result().is_error());
    let guessed = read(&other, &id, 0, None).await;
    let unknown = read(&other, "1-1", 0, None).await;
    for outcome in [&guessed, &unknown] {
        let error = outcome.result().error().unwrap();
        assert_eq!(error.code(), "result_not_kept");
    }
    // A session begins anew, by the same name too.
    own.end().await.unwrap();
    let ended = read(&executor.session("own"), &id, 0, None).await;
    assert_eq!(ended.result().error().unwrap().code(), "result_not_kept");
}

#[tokio::test]
async fn the_oldest_go_first_and_a_read_of_one_says_so() {
    let executor = Executor::builder(registry())
        .limits(Limits::new().max_output_bytes(300))
        .result_store(MemoryResults::new().max_bytes_of_session(1_500))
        .build()
        .unwrap();
    let session = executor.session("s");
    let mut ids = Vec::new();
    for _ in 0..2 {
        let cut = session.call(ToolCall::new("say", say_it("a", 1000))).await;
        ids.push(cut.result().invocation_id().to_string());
    }
    let gone = read(&session, &ids[0], 300, None).await;
    let text = gone.text();
    assert!(
        text.contains("results are let go of when there are newer ones"),
        "{text}"
    );
    assert!(!read(&session, &ids[1], 300, None).await.result().is_error());
    // A result that is larger than all the room is not kept, and the model is not told to read on.
    let large = session.call(ToolCall::new("say", say_it("a", 2000))).await;
    assert!(
        large
            .text()
            .ends_with("the rest could not be kept, so ask for less at once to see it]")
    );
    assert!(!large.result().truncated().unwrap().kept);
}

#[tokio::test]
async fn an_offset_beyond_the_end_is_an_error_that_says_where_the_end_is() {
    let session = keeping(300).session("s");
    let cut = session.call(ToolCall::new("say", say_it("a", 1000))).await;
    let id = cut.result().invocation_id().to_string();
    let beyond = read(&session, &id, 1000, None).await;
    assert_eq!(
        beyond.text(),
        "the result has 1000 bytes, so that nothing begins at offset 1000"
    );
}

#[test]
fn there_is_no_tool_to_read_on_unless_something_is_kept() {
    let executor = Executor::new(registry()).unwrap();
    assert!(executor.tools().get("result.read").is_none());
    assert!(keeping(300).tools().get("result.read").is_some());
}

#[test]
fn a_tool_of_the_same_name_is_an_error() {
    let spec =
        toolwright::ToolSpec::new(toolwright::ToolName::new("result.read").unwrap(), "Mine.");
    let mine = toolwright::tool_fn(spec, |_: Value, _| async {
        Err::<ToolOutput, _>(ToolError::failed("no"))
    });
    let error = Executor::builder(ToolRegistry::new().with(mine))
        .result_store(MemoryResults::new())
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("result.read"), "{error}");
}

#[tokio::test]
async fn it_stays_when_tools_change() {
    let executor = keeping(300);
    executor
        .update_tools(|tools| tools.register(super::Brief).or(Ok(())))
        .unwrap();
    assert!(executor.tools().get("result.read").is_some());
    executor
        .replace_tools(ToolRegistry::new().with(Say))
        .unwrap();
    assert!(executor.tools().get("result.read").is_some());
    let session = executor.session("s");
    let cut = session.call(ToolCall::new("say", say_it("a", 1000))).await;
    let id = cut.result().invocation_id().to_string();
    assert!(!read(&session, &id, 300, None).await.result().is_error());
}

#[tokio::test]
async fn a_session_that_denies_the_tool_is_not_sent_to_it() {
    let executor = keeping(300);
    for (tools, end) in [
        ("say", "\"offset\": 300}]"),
        ("say, !result.read", "ask for less at once to see the rest]"),
    ] {
        let options = SessionOptions::new().tools(tools.parse().unwrap());
        let session = executor.session_with(tools, options);
        let cut = session.call(ToolCall::new("say", say_it("a", 1000))).await;
        assert!(cut.text().ends_with(end), "{tools}: {}", cut.text());
    }
}
