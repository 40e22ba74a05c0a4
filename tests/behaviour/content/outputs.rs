//! The result of a call.

use serde_json::json;
use toolwright::content::{ErrorKind, ToolStatus};
use toolwright::executor::Limits;
use toolwright::{Content, Executor, ToolError, ToolOutput, ToolRegistry, tool};

/// The first bytes of every PNG file.
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// Draw a chart.
#[tool(pure, register = false)]
fn chart() -> Result<ToolOutput, serde_json::Error> {
    Ok(ToolOutput::text("three bars")
        .with(Content::json(&json!({"bars": [3, 1, 2]}))?)
        .with(Content::image(PNG, "image/png")))
}

/// Fail after some of the work is done.
#[tool(pure, register = false)]
fn fail_halfway(lines: u32) -> Result<ToolOutput, ToolError> {
    let _half_done = ToolOutput::text(format!("the first {lines} lines"));
    Err(ToolError::unavailable("the disk went away"))
}

#[tokio::test]
async fn s3_38_text_json_and_an_image_in_one_result() {
    let executor = Executor::new(ToolRegistry::new().with(Chart)).unwrap();
    let result = executor.call("chart", "{}").await.into_result();
    assert!(result.is_success());
    let [
        Content::Text { text, .. },
        Content::Json { json, .. },
        image,
    ] = result.content()
    else {
        panic!("{:?}", result.content());
    };
    assert_eq!(text, "three bars");
    assert_eq!(json.to_value().unwrap(), json!({"bars": [3, 1, 2]}));
    let Content::Image(image) = image else {
        panic!("{image:?}");
    };
    assert_eq!(
        (image.media_type.as_str(), image.data.as_str()),
        ("image/png", "iVBORw0KGgo=")
    );
    // Content that can be shown as text is shown, in its order.
    assert_eq!(result.text(), "three bars\n{\"bars\":[3,1,2]}");
}

/// Give a sound and two resources.
#[tool(pure, register = false)]
fn embed() -> ToolOutput {
    ToolOutput::empty()
        .with(Content::audio(b"RIFF", "audio/wav"))
        .with(Content::embedded_text(
            "test://note",
            "text/plain",
            "a note",
        ))
        .with(Content::embedded_data(
            "test://file",
            "application/pdf",
            b"%PDF",
        ))
}

#[tokio::test]
async fn a_sound_and_resources_are_kept_and_travel_as_json() {
    let executor = Executor::new(ToolRegistry::new().with(Embed)).unwrap();
    let result = executor.call("embed", "{}").await.into_result();
    assert_eq!(result.text(), "a note", "text is shown");
    let written = serde_json::to_value(result.content()).unwrap();
    let expected = json!([
        {"type": "audio", "data": "UklGRg==", "media_type": "audio/wav"},
        {"type": "embedded", "uri": "test://note", "media_type": "text/plain", "text": "a note"},
        {"type": "embedded", "uri": "test://file", "media_type": "application/pdf", "data": "JVBERg=="},
    ]);
    assert_eq!(written, expected);
    let read: Vec<Content> = serde_json::from_value(written).unwrap();
    assert_eq!(read, result.content());
    assert!(
        serde_json::from_value::<Content>(json!({"type": "embedded", "uri": "test://x"})).is_err()
    );
}

/// Give a large sound and a large resource.
#[tool(pure, register = false)]
fn embed_much() -> ToolOutput {
    ToolOutput::empty()
        .with(Content::audio([0; 300], "audio/wav"))
        .with(Content::embedded_data(
            "test://file",
            "application/pdf",
            [0; 300],
        ))
}

#[tokio::test]
async fn a_sound_or_resource_that_is_too_large_is_named_in_its_place() {
    let executor = Executor::builder(ToolRegistry::new().with(EmbedMuch))
        .limits(Limits::new().max_output_bytes(120))
        .build()
        .unwrap();
    let result = executor.call("embed_much", "{}").await.into_result();
    let text = result.text();
    assert!(result.truncated().is_some(), "{text}");
    let text = result.text();
    assert!(
        text.contains("[audio (audio/wav) of 409 bytes left out]"),
        "{text}"
    );
    assert!(
        text.contains("[resource (application/pdf) of 426 bytes left out]"),
        "{text}"
    );
}

#[tokio::test]
async fn s3_39_an_error_is_apart_from_the_output() {
    let registry = ToolRegistry::new().with(FailHalfway).with(Chart);
    let executor = Executor::new(registry).unwrap();

    let failed = executor
        .call("fail_halfway", r#"{"lines": 3}"#)
        .await
        .into_result();
    assert_eq!(failed.status(), ToolStatus::Error);
    let error = failed.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    // There is no output; what the model reads in its place is the error, and nothing else.
    assert_eq!(failed.content(), [Content::text(error.message())]);
    assert_eq!(error.message(), "the disk went away");

    let drawn = executor.call("chart", "{}").await.into_result();
    assert_eq!(drawn.status(), ToolStatus::Success);
    assert_eq!(drawn.error(), None);
}
