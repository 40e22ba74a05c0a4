//! Anthropic's Messages.

use toolwright::executor::ToolCaller;

use crate::{Api, ModelTools};

/// Returns the tools of a session for `POST /v1/messages`.
pub fn messages(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::Anthropic, caller)
}
