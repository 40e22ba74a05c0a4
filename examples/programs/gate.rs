//! A gate decides about each call before permissions are asked for. This one denies a call, answers one itself, and ends
//! a turn.

use std::error::Error;

use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolCall, ToolRegistry, tool};

/// Pay out money from the till.
#[tool(name = "till.pay")]
fn pay(
    /// In euros.
    amount: u32,
) -> String {
    format!("paid {amount} euros")
}

/// Decides by the amount.
struct Ceiling {
    most: u64,
}

impl ToolGate for Ceiling {
    fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
        match call.arguments().ok()?.get("amount")?.as_u64()? {
            0 => Some(GateDecision::set_result("there is nothing to pay")),
            amount if amount > 100 * self.most => {
                Some(GateDecision::block("somebody empties the till"))
            }
            amount if amount > self.most => {
                Some(GateDecision::deny("that is more than may be paid at once"))
            }
            // No objection: the other gates, the permissions and then the tool have their turn.
            _ => None,
        }
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::builder(ToolRegistry::new().with(Pay))
        .permission_checker(AllowAll)
        .gate(Ceiling { most: 50 })
        .build()?;
    let turn = executor.session("evening").turn();
    for amount in [20, 0, 60, 9_000, 20] {
        let call = ToolCall::new("till.pay", serde_json::json!({ "amount": amount }));
        let outcome = turn.call(call).await;
        let source = outcome.result().source();
        println!("{amount} ({source:?}): {}", outcome.text());
    }
    if let Some(reason) = turn.block_reason() {
        println!("the turn was ended: {reason}");
    }
    Ok(())
}
