//! Gemini's `generateContent`.

use toolwright::executor::ToolCaller;

use crate::{Api, ModelTools};

/// Returns the tools of a session for `generateContent` and `streamGenerateContent`.
pub fn generate_content(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::Gemini, caller)
}
