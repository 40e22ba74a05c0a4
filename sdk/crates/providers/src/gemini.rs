//! Gemini's `generateContent`.

use toolwright::executor::ToolCaller;

use crate::{Api, ModelTools};

/// Returns the tools of a session for `generateContent` and `streamGenerateContent`.
///
/// Images in results are a part of the function's response, which Gemini 3 and later take.
pub fn generate_content(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::Gemini, caller)
}
