//! Tools for texts.

use serde_json::json;

use crate::Bench;

#[test]
fn s1_27_bytes_out_equal_bytes_in() {
    let bench = Bench::new();
    for text in [
        "x",
        "",
        "  two\nlines  ",
        "tab\tand \u{0}",
        "{\"a\": 1.0}",
        "S\u{fc}\u{df}e \u{1f600} \u{202e}",
    ] {
        let lines = bench.run_lines(
            &["--raw"],
            &json!({"name": "echo", "arguments": {"text": text}}).to_string(),
        );
        assert_eq!(lines.lines()[0]["content"][0]["text"], text, "{text:?}");
        let printed = bench.call_with(&["--raw"], "echo", &json!({"text": text}));
        assert_eq!(printed.exits(0), format!("{text}\n"));
    }
}

/// The first two are known answers: of nothing, and of `abc`, by the reference implementation.
#[test]
fn s1_28_a_hash_is_known_and_has_64_digits() {
    let bench = Bench::new();
    let hash = |text: &str| {
        let ended = bench.call("text.hash", &json!({"text": text}));
        ended.exits(0).trim_end().to_owned()
    };
    let nothing = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    assert_eq!(hash(""), nothing);
    let abc = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
    assert_eq!(hash("abc"), abc);
    let long = hash(&"ab".repeat(50_000));
    assert_eq!(long.len(), 64);
    assert!(long.chars().all(|digit| digit.is_ascii_hexdigit()));
    // A bit more or less gives another hash.
    assert_ne!(hash("abb"), abc);
}

#[test]
fn what_could_command_a_terminal_is_written_out() {
    let bench = Bench::new();
    let text = "a\u{1b}[2J\u{9b}1A\u{202e}b\u{2028}c\r\u{7}\u{cc0}\td\ne";
    let printed = bench.call("echo", &json!({"text": text}));
    assert_eq!(
        printed.exits(0),
        "a\\u{1b}[2J\\u{9b}1A\\u{202e}b\\u{2028}c\\u{d}\\u{7}\u{cc0}\td\ne\n"
    );
    // A line of JSON says the same in its own escapes, and reads back.
    let call = json!({"name": "echo", "arguments": {"text": text}}).to_string();
    for options in [&[][..], &["--raw"]] {
        let lines = bench.run_lines(options, &call);
        assert_eq!(lines.lines()[0]["content"][0]["text"], text);
        let shown = lines.stdout.contains(['\u{9b}', '\u{202e}', '\u{2028}']);
        assert_eq!(shown, !options.is_empty(), "{}", lines.stdout);
    }
    // Nor do words of others in an error.
    let ended = bench.run(&["policy", "check", "--policy", "no\u{1b}[2J\u{202e}"]);
    ended.exits(2);
    assert!(!ended.stderr.contains(['\u{1b}', '\u{202e}']), "{ended:?}");
}
