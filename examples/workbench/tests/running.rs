//! `workbench run`: lines of calls in, a line of result for each out.

use std::fs;

use serde_json::{Value, json};

use crate::Bench;

/// The members of each line that programs decide by.
fn shown(lines: &[Value]) -> Vec<(Value, Value, &str)> {
    lines
        .iter()
        .map(|line| {
            let status = line["status"].as_str().unwrap();
            (line["id"].clone(), line["tool"].clone(), status)
        })
        .collect()
}

#[test]
fn all_forms_of_calls_get_a_result_each_in_their_order() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let calls = [
        r#"{"id":"c1","name":"fs.read","arguments":{"path":"a.txt"}}"#,
        r#"{"type":"tool_use","id":"toolu_2","name":"fs_read","input":{"path":"a.txt"}}"#,
        r#"{"id":"call_3","type":"function","function":{"name":"fs_read","arguments":"{\"path\":\"a.txt\"}"}}"#,
        r#"{"type":"function","id":"call_4","function":{"name":"fs.read","arguments":{"path":"a.txt"}}}"#,
        r#"{"id":5,"name":"fs.list"}"#,
        r#"{"name":"text.count","arguments":"{\"text\":\"\"}"}"#,
        r#"{"id":"c1","name":"fs.list","arguments":""}"#,
    ];
    let file = bench.path("calls.jsonl");
    fs::write(&file, calls.join("\n")).unwrap();
    let ended = bench.run(&["run", file.to_str().unwrap()]);
    ended.exits(0);
    let lines = ended.lines();
    let read = json!("fs.read");
    assert_eq!(
        shown(&lines),
        [
            (json!("c1"), read.clone(), "success"),
            (json!("toolu_2"), read.clone(), "success"),
            (json!("call_3"), read.clone(), "success"),
            (json!("call_4"), read, "success"),
            (json!("5"), json!("fs.list"), "success"),
            (Value::Null, json!("text.count"), "success"),
            (json!("c1"), json!("fs.list"), "success"),
        ]
    );
    for line in &lines[..4] {
        assert_eq!(
            line["content"],
            json!([{"type": "text", "text": "     1\tone"}])
        );
    }
    assert_eq!(lines[5]["content"][0]["json"]["words"], 0);
    assert_eq!(ended.stderr, "7 succeeded, 0 failed, 0 denied\n");
    // From standard input it is the same.
    let piped = bench.run_lines(&[], &calls.join("\r\n"));
    assert_eq!(piped.exits(0), ended.stdout);
}

#[test]
fn calls_are_answered_by_the_id_that_their_provider_looks_for() {
    let bench = Bench::new();
    bench.file("a.txt", "x\n");
    let lines = [
        // An item of the Responses API, which has an id of its own beside that of the call.
        json!({"type": "function_call", "id": "fc_67ca09c6bedc8190", "call_id": "call_WvdBg9W3",
            "name": "fs_read", "arguments": "{\"path\":\"a.txt\"}", "status": "completed"}),
        json!({"object": "response", "output": [
            {"type": "reasoning", "id": "rs_67ca09c5efe0", "summary": []},
            {"type": "message", "id": "msg_67ca09c5", "role": "assistant",
                "content": [{"type": "output_text", "text": "I read it."}]},
            {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "fs_read",
                "arguments": "{\"path\":\"a.txt\"}"},
            {"type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "fs_list",
                "arguments": "{}"},
        ]}),
        json!({"functionCall": {"name": "fs_read", "args": {"path": "a.txt"}}}),
        json!({"role": "model", "parts": [
            {"text": "I read it."},
            {"functionCall": {"id": "g-1", "name": "fs_read", "args": {"path": "a.txt"}}},
            {"functionCall": {"name": "fs_list"}, "thoughtSignature": "CtQC"},
        ]}),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let ended = bench.run_lines(&[], &lines.join("\n"));
    ended.exits(0);
    let told: Vec<(Value, Value)> = ended
        .lines()
        .into_iter()
        .map(|line| (line["id"].clone(), line["tool"].clone()))
        .collect();
    let expected = [
        (json!("call_WvdBg9W3"), "fs.read"),
        (json!("call_1"), "fs.read"),
        (json!("call_2"), "fs.list"),
        (Value::Null, "fs.read"),
        (json!("g-1"), "fs.read"),
        (Value::Null, "fs.list"),
    ];
    assert_eq!(told, expected.map(|(id, tool)| (id, json!(tool))));
}

#[test]
fn lines_that_are_no_calls_are_answered_and_the_rest_runs() {
    let bench = Bench::new();
    let fine = r#"{"id":"fine","name":"fs.list"}"#;
    let malformed = [
        "{",
        "nonsense",
        "[]",
        r#"["fs.list"]"#,
        "42",
        "null",
        "{}",
        r#"{"id":"x"}"#,
        r#"{"id":"x","name":7}"#,
        r#"{"id":true,"name":"fs.list"}"#,
        r#"{"id":"x","function":{}}"#,
        r#"{"name":"fs.list"} {"name":"fs.list"}"#,
        r#"{"name":"fs.list","name":"fs.list"}"#,
    ];
    // Blank lines count as lines and are answered with nothing.
    let text = format!("{fine}\n\n  \t\r\n{}\n{fine}\n\n", malformed.join("\n"));
    let ended = bench.run_lines(&[], &text);
    ended.exits(1);
    let lines = ended.lines();
    assert_eq!(lines.len(), malformed.len() + 2);
    for ((line, malformed), number) in lines[1..].iter().zip(malformed).zip(4..) {
        assert_eq!(line["status"], "error", "{malformed}");
        assert_eq!(line["code"], "not_a_call", "{malformed}");
        assert_eq!(line["tool"], Value::Null, "{malformed}");
        let text = line["content"][0]["text"].as_str().unwrap();
        let start = format!("line {number} is not a call: ");
        assert!(text.starts_with(&start), "{malformed}: {text}");
        // Names of private types say nothing to anybody.
        assert!(!text.contains("struct") && !text.contains("enum"), "{text}");
    }
    for line in [&lines[0], &lines[lines.len() - 1]] {
        assert_eq!(
            (&line["id"], &line["status"]),
            (&json!("fine"), &json!("success"))
        );
    }
    assert_eq!(ended.stderr, "2 succeeded, 13 failed, 0 denied\n");
}

#[test]
fn a_line_that_is_no_text_is_answered_too() {
    let bench = Bench::new();
    let file = bench.path("calls.jsonl");
    fs::write(&file, b"{\"name\":\"\xff\"}\n{\"name\":\"fs.list\"}\n").unwrap();
    let ended = bench.run(&["run", file.to_str().unwrap()]);
    ended.exits(1);
    let lines = ended.lines();
    assert_eq!(lines[0]["code"], "not_a_call");
    assert_eq!(lines[1]["status"], "success");
}

#[test]
fn calls_that_fail_say_why_and_name_a_code() {
    let bench = Bench::new();
    let calls = [
        r#"{"id":"1","name":"fs.raed","arguments":{"path":"a"}}"#,
        r#"{"id":"2","name":"fs.read","arguments":{"pth":"a"}}"#,
        r#"{"id":"3","name":"fs.read","arguments":"{\"path\":"}"#,
        r#"{"id":"4","name":"fs.read","arguments":{"path":"missing"}}"#,
        r#"{"id":"5","name":"fs.read","arguments":{"path":"../secret.txt"}}"#,
        r#"{"id":"6","name":"fs.write","arguments":{"path":"a","content":""}}"#,
    ];
    let ended = bench.run_lines(&[], &calls.join("\n"));
    ended.exits(3);
    let lines = ended.lines();
    let found: Vec<(&str, &str, &str)> = lines
        .iter()
        .map(|line| {
            let member = |name: &str| line[name].as_str().unwrap();
            (member("tool"), member("status"), member("code"))
        })
        .collect();
    assert_eq!(
        found,
        [
            ("fs.raed", "error", "unknown_tool"),
            ("fs.read", "error", "invalid_arguments"),
            ("fs.read", "error", "invalid_arguments"),
            ("fs.read", "error", "failed"),
            ("fs.read", "denied", "denied"),
            ("fs.write", "denied", "approval_unavailable"),
        ]
    );
    let text = |at: usize| lines[at]["content"][0]["text"].as_str().unwrap();
    assert!(text(0).contains("did you mean `fs.read`?"), "{}", text(0));
    assert!(text(1).contains("did you mean `path`?"), "{}", text(1));
    assert_eq!(ended.stderr, "0 succeeded, 4 failed, 2 denied\n");
    assert!(!bench.path("a").exists());
}

#[test]
fn the_exit_code_is_of_the_worst_call() {
    let bench = Bench::new();
    let good = r#"{"name":"text.count","arguments":{"text":"x"}}"#;
    let failed = r#"{"name":"fs.read","arguments":{"path":"missing"}}"#;
    let denied = r#"{"name":"fs.read","arguments":{"path":"/"}}"#;
    for (calls, code) in [
        (&[][..], 0),
        (&[good], 0),
        (&[good, failed], 1),
        (&[failed, good], 1),
        (&[denied, good], 3),
        (&[failed, denied], 3),
        (&[denied, failed, good], 3),
    ] {
        let ended = bench.run_lines(&[], &calls.join("\n"));
        assert_eq!(ended.code, Some(code), "{calls:?}");
        assert_eq!(ended.lines().len(), calls.len());
    }
}

#[test]
fn a_later_call_sees_what_an_earlier_one_did() {
    let bench = Bench::new();
    let content: String = "0123456789abcde\n".repeat(1 << 17);
    assert_eq!(content.len(), 2 << 20);
    let calls = [
        json!({"id": "w", "name": "fs.write", "arguments": {"path": "big", "content": content}}),
        json!({"id": "r", "name": "fs.read", "arguments": {"path": "big", "from": 131_072}}),
        json!({"id": "l", "name": "fs.list", "input": {}}),
    ];
    let calls: Vec<String> = calls.iter().map(Value::to_string).collect();
    let ended = bench.run_lines(&["--yes"], &calls.join("\n"));
    ended.exits(0);
    let lines = ended.lines();
    let text = lines[0]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("2097152 bytes"), "{text}");
    assert_eq!(lines[1]["content"][0]["text"], "131072\t0123456789abcde");
    let entry = &lines[2]["content"][0]["json"]["entries"][0];
    assert_eq!(
        *entry,
        json!({"name": "big", "kind": "file", "size": 2_097_152})
    );
    assert!(fs::read_to_string(bench.path("big")).unwrap() == content);
}
