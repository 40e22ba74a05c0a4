//! Arguments of a call as text: a typed tool and one made at run time take and refuse the same, and
//! a text is read as the tree that it is.

#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tokio::runtime::Runtime;
use toolwright::permission::AllowAll;
use toolwright::{
    Executor, Tool, ToolError, ToolName, ToolRegistry, ToolSpec, tool, tool_fn, tool_type,
};

/// The way a ticket is sent.
#[tool_type]
#[derive(Debug, Clone)]
enum Delivery {
    /// By mail.
    Mail { address: String, copies: Option<u8> },
    /// At the counter.
    Counter,
}

/// A passenger.
#[tool_type]
#[derive(Debug, Clone)]
struct Passenger {
    name: String,
    #[arg(range = 0..=120)]
    age: u8,
    #[arg(default)]
    notes: BTreeMap<String, Value>,
}

/// Book seats on a train.
#[tool(name = "typed", pure)]
fn typed(
    #[arg(length = 1..=40, pattern = "^[A-Z]")] from: String,
    #[arg(one_of("first", "second"))] class: Option<String>,
    #[arg(default = 1, range = 1..=9)] seats: i64,
    discount: Option<f64>,
    passengers: Vec<Passenger>,
    delivery: Option<Delivery>,
    #[arg(secret)] card: Option<String>,
) -> String {
    format!("{from:?} {class:?} {seats} {discount:?} {passengers:?} {delivery:?} {card:?}")
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
});

static EXECUTOR: LazyLock<Executor> = LazyLock::new(|| {
    let name = ToolName::new("by_schema").expect("it is a name");
    let spec = ToolSpec::new(name, "Book seats on a train.")
        .with_input_schema(Typed.spec().input_schema().clone());
    let by_schema = tool_fn(spec, |_: Value, _| async { Ok::<_, ToolError>("ran") });
    Executor::builder(ToolRegistry::new().with(Typed).with(by_schema))
        .permission_checker(AllowAll)
        .build()
        .expect("two tools make an executor")
});

fuzz_target!(|text: &str| {
    let call = |name: &'static str, arguments: toolwright::arguments::Arguments<'static>| {
        RUNTIME.block_on(EXECUTOR.call(name, arguments))
    };
    let outcome = call("typed", text.to_owned().into());
    let by_schema = call("by_schema", text.to_owned().into());
    assert_eq!(
        outcome.is_success(),
        by_schema.is_success(),
        "typed: {}\nby schema: {}",
        outcome.text(),
        by_schema.text()
    );
    if let Ok(tree) = serde_json::from_str::<Value>(text)
        && tree.to_string().len() == text.len()
    {
        let from_tree = call("typed", tree.into());
        assert_eq!(
            outcome.is_success(),
            from_tree.is_success(),
            "{} {}",
            outcome.text(),
            from_tree.text()
        );
        if outcome.is_success() {
            assert_eq!(outcome.text(), from_tree.text());
        }
    }
});
