//! Tools whose results have each kind of content.

use toolwright::content::Content;
use toolwright::{ToolError, ToolOutput, tool};

const RED_PIXEL: &[u8] = include_bytes!("red.png");
const SILENCE: &[u8] = include_bytes!("silence.wav");

/// Returns a plain text.
#[tool(pure)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns an image of one red pixel.
#[tool(pure)]
fn test_image_content() -> ToolOutput {
    Content::image(RED_PIXEL, "image/png").into()
}

/// Returns a sound, one sample long.
#[tool(pure)]
fn test_audio_content() -> ToolOutput {
    Content::audio(SILENCE, "audio/wav").into()
}

/// Returns a text file within the result.
#[tool(pure)]
fn test_embedded_resource() -> ToolOutput {
    Content::embedded_text(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )
    .into()
}

/// Returns a text, an image and a file.
#[tool(pure)]
fn test_multiple_content_types() -> ToolOutput {
    let data = r#"{"test":"data","value":123}"#;
    [
        Content::text("Multiple content types test:"),
        Content::image(RED_PIXEL, "image/png"),
        Content::embedded_text("test://mixed-content-resource", "application/json", data),
    ]
    .into_iter()
    .collect()
}

/// Fails each time.
#[tool(pure)]
fn test_error_handling() -> Result<(), ToolError> {
    Err(ToolError::failed(
        "This tool intentionally returns an error for testing",
    ))
}
