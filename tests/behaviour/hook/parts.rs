//! Gates and hooks made of closures.

use toolwright::hook::{
    AfterCall, AfterDecision, AfterTool, BatchDecision, BeforeDecision, BeforeTool, GateCall,
    GateDecision, HookCall, ToolGate,
};
use toolwright::{ToolError, async_trait};

/// A gate of a name.
pub(super) fn gate(
    name: &'static str,
    decide: impl Fn(&GateCall<'_>) -> Option<GateDecision> + Send + Sync + 'static,
) -> impl ToolGate {
    Gate { name, decide }
}

struct Gate<F> {
    name: &'static str,
    decide: F,
}

impl<F> ToolGate for Gate<F>
where
    F: Fn(&GateCall<'_>) -> Option<GateDecision> + Send + Sync + 'static,
{
    fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
        (self.decide)(call)
    }

    fn name(&self) -> &str {
        self.name
    }
}

/// A hook that sees each call separately.
pub(super) fn before(
    say: impl Fn(&HookCall<'_>) -> Result<BeforeDecision, ToolError> + Send + Sync + 'static,
) -> impl BeforeTool {
    Before(say)
}

struct Before<F>(F);

#[async_trait]
impl<F> BeforeTool for Before<F>
where
    F: Fn(&HookCall<'_>) -> Result<BeforeDecision, ToolError> + Send + Sync + 'static,
{
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        (self.0)(call)
    }
}

/// A hook that sees the calls of a batch together.
pub(super) fn before_batch(
    say: impl Fn(&[HookCall<'_>]) -> Result<BatchDecision, ToolError> + Send + Sync + 'static,
) -> impl BeforeTool {
    BeforeBatch(say)
}

struct BeforeBatch<F>(F);

#[async_trait]
impl<F> BeforeTool for BeforeBatch<F>
where
    F: Fn(&[HookCall<'_>]) -> Result<BatchDecision, ToolError> + Send + Sync + 'static,
{
    async fn before_batch(&self, calls: &[HookCall<'_>]) -> Result<BatchDecision, ToolError> {
        (self.0)(calls)
    }
}

/// A hook that sees how each call ended.
pub(super) fn after(
    say: impl Fn(&AfterCall<'_>) -> Result<AfterDecision, ToolError> + Send + Sync + 'static,
) -> impl AfterTool {
    After(say)
}

struct After<F>(F);

#[async_trait]
impl<F> AfterTool for After<F>
where
    F: Fn(&AfterCall<'_>) -> Result<AfterDecision, ToolError> + Send + Sync + 'static,
{
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        (self.0)(call)
    }
}
