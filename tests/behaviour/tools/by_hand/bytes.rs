//! From bytes to bytes: `from_bytes`.

use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::tools::from_bytes;
use toolwright::{Content, ToolError};

use super::{executor, kind, pure};
use crate::support::{Trace, ready_now};

#[test]
fn s1_14_s1_27_bytes_come_as_they_were_sent_and_go_as_they_were_given() {
    let seen = Trace::default();
    let seen_by_tool = seen.clone();
    let executor = executor(from_bytes(pure("echo"), move |input, _ctx| {
        seen_by_tool.note(std::str::from_utf8(input).unwrap());
        Ok::<_, ToolError>(input.to_vec())
    }));
    for sent in [
        "{}",
        " { \"b\" : 1.50, \"a\":\t\"\\u00e9\\/\" }\r\n",
        "{\n  \"größe\": [1e2, -0.0, 12345678901234567890123]\n}",
    ] {
        // No runtime is needed: the body never waits.
        let outcome = ready_now(executor.call("echo", sent));
        assert_eq!(seen.take(), [sent]);
        assert_eq!(outcome.text().as_bytes(), sent.as_bytes());
        assert!(matches!(outcome.result().content(), [Content::Json { .. }]));
        // The stored form takes one line, whatever the tool wrote.
        let stored = serde_json::to_string(outcome.result()).unwrap();
        assert!(!stored.contains(['\n', '\r']), "{stored}");
    }
    for nothing in ["", " null "] {
        assert_eq!(ready_now(executor.call("echo", nothing)).text(), "{}");
    }
    let tree = json!({"b": [1, null], "a": "é"});
    let echoed = ready_now(executor.call("echo", &tree)).text();
    assert_eq!(serde_json::from_str::<Value>(&echoed).unwrap(), tree);
}

#[tokio::test]
async fn s1_14_bytes_that_are_no_text_end_in_an_error_that_names_it() {
    let raw = from_bytes(pure("raw"), |input, _ctx| match input {
        b"{}" => Ok(vec![0x89, b'P', b'N', b'G']),
        b"{\"empty\":true}" => Ok(Vec::new()),
        _ => Err("no such picture"),
    });
    let executor = executor(raw);
    let refused = executor.call("raw", "").await;
    assert_eq!(kind(&refused), ErrorKind::Failed);
    assert_eq!(refused.error().unwrap().code(), "output_not_text");
    assert_eq!(refused.result().source(), ResultSource::Tool);
    assert!(refused.text().contains("only the first 0 are UTF-8"));
    let empty = executor.call("raw", r#"{"empty":true}"#).await;
    assert!(empty.is_success() && empty.text().is_empty());
    let failed = executor.call("raw", r#"{"n":1}"#).await;
    assert_eq!(kind(&failed), ErrorKind::Failed);
    assert_eq!(failed.text(), "no such picture");
}
