//! The arguments of the calls of a batch, in whatever form they came: each call has its own.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};
use tokio::runtime::Builder;
use toolwright::content::ErrorKind;
use toolwright::{Executor, Session, ToolCall, ToolError, ToolOutcome, ToolRegistry, tool};

/// Return the number and the text, once others could run.
#[tool(register = false, read_only)]
async fn repeat_later(n: usize, #[arg(default = "none")] text: String) -> String {
    tokio::task::yield_now().await;
    format!("{n} {text}")
}

/// Return the number and the text.
#[tool(register = false, read_only)]
async fn repeat(n: usize, #[arg(default = "none")] text: String) -> String {
    format!("{n} {text}")
}

const CALLS: usize = 120;

/// The text of a call: none, short ones and such as are longer than any that share an allocation.
fn text(n: usize) -> Option<String> {
    (!n.is_multiple_of(7)).then(|| "é\"\n".repeat(n * 3))
}

fn tree(n: usize) -> Value {
    match text(n) {
        None => json!({"n": n}),
        Some(text) => json!({"n": n, "text": text}),
    }
}

/// The message of a model, whose arguments calls borrow.
struct Message {
    trees: Vec<Value>,
    texts: Vec<String>,
}

impl Message {
    fn new() -> Self {
        let trees: Vec<_> = (0..CALLS).map(tree).collect();
        let mut texts: Vec<_> = trees.iter().map(Value::to_string).collect();
        // The first is repaired, and the others cannot be.
        texts[11] = json!({"n": "11", "text": text(11)}).to_string();
        texts[22] = String::from(r#"{"n": "no number"}"#);
        texts[33] = String::new();
        Self { trees, texts }
    }

    fn calls<'m>(&'m self, tool: &'static str) -> impl Iterator<Item = ToolCall<'m>> {
        let call = move |n: usize| match n % 5 {
            3 => ToolCall::new(tool, &self.trees[n]),
            4 => ToolCall::new(tool, self.trees[n].clone()),
            2 if n != 22 => ToolCall::new(tool, self.texts[n].clone()),
            _ => ToolCall::new(tool, &self.texts[n]),
        };
        (0..CALLS).map(move |n| {
            if n == 33 {
                ToolCall::new(tool, &self.texts[n])
            } else {
                call(n)
            }
        })
    }
}

fn assert_each_has_its_own(outcomes: &[ToolOutcome]) {
    assert_eq!(outcomes.len(), CALLS);
    for (n, outcome) in outcomes.iter().enumerate() {
        if n == 22 || n == 33 {
            let kind = outcome.error().map(ToolError::kind);
            assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{n}");
        } else {
            let text = text(n).unwrap_or_else(|| "none".to_owned());
            assert_eq!(outcome.text(), format!("{n} {text}"));
        }
    }
}

fn session() -> Session {
    let tools = ToolRegistry::new().with(RepeatLater).with(Repeat);
    Executor::new(tools).unwrap().session("s")
}

#[test]
fn each_call_of_a_batch_has_its_own_arguments_in_whatever_form_they_came() {
    let message = Message::new();
    let mut two = Builder::new_multi_thread();
    for builder in [two.worker_threads(2), &mut Builder::new_current_thread()] {
        let runtime = builder.enable_all().build().unwrap();
        for tool in ["repeat", "repeat_later"] {
            let outcomes = runtime.block_on(session().call_all(message.calls(tool)));
            assert_each_has_its_own(&outcomes);
        }
    }
}

#[test]
fn each_call_of_a_batch_has_its_own_arguments_without_a_runtime() {
    let message = Message::new();
    let session = session();
    let mut all = pin!(session.call_all(message.calls("repeat")));
    let mut cx = Context::from_waker(Waker::noop());
    let outcomes = loop {
        if let Poll::Ready(outcomes) = all.as_mut().poll(&mut cx) {
            break outcomes;
        }
    };
    assert_each_has_its_own(&outcomes);
}
