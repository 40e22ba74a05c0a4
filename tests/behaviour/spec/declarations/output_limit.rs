//! The output of a tool that is larger than the tool declares.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::{Content, ToolContext, ToolError, ToolOutcome, ToolOutput};

use super::{capability, kind};
use crate::support::{HandMade, outcome};

/// The outcome of a call of a tool that declares an output limit.
fn limited(
    limit: u64,
    run: impl Fn(&ToolContext, &Value) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
) -> ToolOutcome {
    let tool = HandMade::new("wordy")
        .spec(|spec| spec.with_output_limit(limit))
        .run(run);
    outcome(tool)
}

fn marker(shown: usize, had: usize) -> String {
    format!("[cut: {shown} of {had} bytes are shown; ask for less at once to see the rest]")
}

#[test]
fn an_output_over_its_limit_is_cut_at_a_character() {
    let text = "\u{20ac}".repeat(40);
    for (limit, kept) in [
        (119, 39),
        (118, 39),
        (117, 39),
        (116, 38),
        (3, 1),
        (2, 0),
        (0, 0),
    ] {
        let whole = text.clone();
        let outcome = limited(limit, move |_, _| Ok(whole.clone().into()));
        let mut expected = "\u{20ac}".repeat(kept);
        if kept > 0 {
            expected.push('\n');
        }
        write!(expected, "{}", marker(3 * kept, 120)).unwrap();
        assert_eq!(outcome.text(), expected, "{limit}");
        assert!(outcome.is_success());
        assert_eq!(outcome.result().source(), ResultSource::Tool);
    }
    for limit in [120, 121, u64::MAX] {
        let whole = text.clone();
        let outcome = limited(limit, move |_, _| Ok(whole.clone().into()));
        assert_eq!(outcome.text(), text, "{limit}");
        assert_eq!(outcome.result().content().len(), 1);
    }
    let empty = limited(0, |_, _| Ok(ToolOutput::empty()));
    assert!(empty.result().content().is_empty());
    assert_eq!(limited(0, |_, _| Ok("".into())).text(), "");
}

#[test]
fn the_limit_is_for_all_parts_together() {
    let outcome = limited(20, |_, _| {
        Ok(ToolOutput::text("twelve bytes")
            .with(Content::json(&json!({"a": [1, 2]})).unwrap())
            .with(Content::text("never"))
            .with(Content::image([0; 3000], "image/png"))
            .with_metadata("host", "x".repeat(1000)))
    });
    let parts: Vec<_> = outcome
        .result()
        .content()
        .iter()
        .map(Content::as_text)
        .collect();
    let had = 12 + 11 + 5 + 4009;
    let marker = marker(20, had);
    assert_eq!(
        parts,
        [Some("twelve bytes"), Some("{\"a\":[1,"), Some(&*marker)]
    );
    let json = |part: &Content| matches!(part, Content::Json { .. });
    assert!(!outcome.result().content().iter().any(json));
    assert!(outcome.result().to_json().is_ok());
    let metadata = outcome.result().metadata().unwrap();
    assert_eq!(metadata["host"].as_str().unwrap().len(), 1000);
}

#[test]
fn an_image_or_a_link_that_does_not_fit_is_named_in_its_place() {
    let outcome = limited(64, |_, _| {
        Ok(ToolOutput::from(Content::image([0; 90], "image/png")).with(Content::text("a plot")))
    });
    assert_eq!(
        outcome.text(),
        format!(
            "[image (image/png) of 129 bytes left out]\na plot\n{}",
            marker(47, 135)
        )
    );
    let link = || Content::resource_link("u".repeat(50), "n".repeat(10));
    let outcome = limited(59, move |_, _| Ok(link().into()));
    assert_eq!(
        outcome.text(),
        format!("[link of 60 bytes left out]\n{}", marker(27, 60))
    );
    let outcome = limited(60, move |_, _| Ok(link().into()));
    assert_eq!(outcome.result().content(), [link()]);
    // A note that has no room either is left to the last part.
    let outcome = limited(5, move |_, _| Ok(link().into()));
    assert_eq!(outcome.text(), marker(0, 60));
}

#[test]
fn an_error_over_the_limit_is_cut_and_stays_an_error() {
    let by_err = limited(10, |_, _| {
        Err(ToolError::unavailable("x".repeat(100))
            .with_code("down")
            .with_retryable(true))
    });
    let by_output = limited(10, |_, _| Ok(ToolOutput::error("x".repeat(100))));
    let expected = format!("xxxxxxxxxx\n{}", marker(10, 100));
    for outcome in [&by_err, &by_output] {
        assert!(outcome.result().is_error());
        assert_eq!(outcome.text(), expected);
        assert_eq!(outcome.error().unwrap().message(), expected);
        assert_eq!(outcome.result().source(), ResultSource::Tool);
        let sent = outcome.result().to_json().unwrap().to_string();
        assert!(!sent.contains("xxxxxxxxxxx"), "{sent}");
    }
    let error = by_err.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Unavailable, "down")
    );
    assert!(error.is_retryable());

    let fatal = limited(1, |_, _| {
        Err(ToolError::failed("the disk is full").into_fatal())
    });
    let ToolOutcome::Failed(fatal) = fatal else {
        panic!("{fatal:?}");
    };
    assert_eq!(fatal.error().message(), format!("t\n{}", marker(1, 16)));
}

#[test]
fn what_the_executor_says_is_not_cut() {
    let panicked = limited(0, |_, _| panic!("{}", "x".repeat(100)));
    assert_eq!(kind(&panicked), Some(ErrorKind::Panicked));
    assert!(
        panicked.text().starts_with("the tool panicked: "),
        "{}",
        panicked.text()
    );

    let tool = HandMade::new("wordy").spec(|spec| {
        spec.with_output_limit(0)
            .with_capability(capability("a:b:c"))
    });
    let denied = outcome(tool);
    assert_eq!(kind(&denied), Some(ErrorKind::CapabilityDenied));
    assert!(denied.text().contains("`a:b:c`"), "{}", denied.text());
}
