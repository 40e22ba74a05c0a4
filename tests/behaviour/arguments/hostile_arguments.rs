//! Arguments that are made to harm: calls of a megabyte that would never end if anything grew with
//! the square of their size, trees too deep for a stack, and calls that are meant to look harmless
//! to whoever judges them. All run on the stack of one of Tokio's workers.

mod deep;
mod judged;
mod schemas;

use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::thread;

use serde_json::Value;
use toolwright::permission::AllowAll;
use toolwright::spec::PURPOSE_ARGUMENT;
use toolwright::{
    Executor, ToolContext, ToolError, ToolOutcome, ToolRegistry, ToolSpec, tool, tool_fn, tool_type,
};

const MEGABYTE: usize = 1 << 20;
/// The most that a model reads, in bytes: the problems, and the list of arguments.
const TOLD: usize = 4_600;

/// The stack of a worker of Tokio's, in bytes.
const STACK: usize = 2 << 20;

/// Runs on a stack as small as a host's may be.
fn on_small_stack<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(test());
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    thread.unwrap().join().unwrap();
}

/// Something with other names.
#[tool_type]
struct Look {
    #[arg(aliases("colour"))]
    color: Option<String>,
}

/// A thing, which serde reads from a copy.
#[tool_type]
struct Thing {
    n: Option<u8>,
    #[serde(flatten)]
    look: Look,
}

/// A value of several shapes, which serde tries in turn.
#[tool_type]
#[serde(untagged)]
enum Either {
    Left { a: Vec<u8>, x: u8 },
    Right { a: Vec<String>, y: u8 },
    Many(Vec<Either>),
    One(u64),
}

/// A tree.
#[tool_type]
struct Node {
    #[arg(default)]
    children: Vec<Node>,
    v: Option<u8>,
}

/// Take all kinds of arguments.
#[tool(name = "take", register = false, pure)]
#[expect(clippy::too_many_arguments)]
fn take_all(
    things: Option<Vec<Thing>>,
    numbers: Option<Vec<u64>>,
    #[arg(unique_items)] unique: Option<Vec<String>>,
    set: Option<HashSet<String>>,
    map: Option<BTreeMap<String, u8>>,
    any: Option<Value>,
    either: Option<Vec<Either>>,
    node: Option<Node>,
    n: Option<u64>,
    f: Option<f64>,
    #[arg(pattern = "^(a+)+$")] pattern: Option<String>,
    #[arg(secret)] pin: Option<String>,
    lists: Option<Vec<Vec<Vec<u8>>>>,
) -> String {
    let look = |thing: &Thing| (thing.n, thing.look.color.clone());
    let things: Vec<_> = things.iter().flatten().map(look).collect();
    let sum = |either: &Either| match either {
        Either::Left { a, x } => a.len() + usize::from(*x),
        Either::Right { a, y } => a.len() + usize::from(*y),
        Either::Many(all) => all.len(),
        Either::One(n) => usize::try_from(*n).unwrap_or(0),
    };
    let either: usize = either.iter().flatten().map(sum).sum();
    let node = node.map_or((0, None), |node| (node.children.len(), node.v));
    let _ = (things, numbers, unique, set, map, any, either, node);
    let _ = (n, f, pattern, pin, lists);
    "taken".to_owned()
}

/// The tool, and the same tool by its schema alone.
fn executors() -> [Executor; 2] {
    let build = |registry: ToolRegistry| {
        let builder = Executor::builder(registry.ask_purpose()).permission_checker(AllowAll);
        builder.build().unwrap()
    };
    let typed = ToolRegistry::new().with(TakeAll);
    let spec = typed.specs().next().unwrap();
    let by_schema = ToolSpec::new(spec.name().clone(), "Take all kinds of arguments.")
        .with_input_schema(spec.input_schema().clone())
        .with_secret("pin");
    let run = async |_: Value, _: ToolContext| Ok::<_, ToolError>("taken");
    let run_time = ToolRegistry::new().with(tool_fn(by_schema, run));
    [build(typed), build(run_time)]
}

/// Makes a call of both forms, as text and, where that can be read, as a tree.
async fn call_all(executors: &[Executor], arguments: &str) -> Vec<ToolOutcome> {
    let mut outcomes = Vec::new();
    for executor in executors {
        let tool = executor.tools().specs().next().unwrap().name().clone();
        outcomes.push(executor.call(tool.as_str(), arguments).await);
        if let Ok(tree) = serde_json::from_str::<Value>(arguments) {
            outcomes.push(executor.call(tool.as_str(), &tree).await);
        }
    }
    for outcome in &outcomes {
        let start: String = arguments.chars().take(100).collect();
        let text = outcome.text();
        assert!(text.len() <= TOLD, "{start}: {} {text}", text.len());
    }
    outcomes
}

/// `{"key": [item, item, ..]}`, a quarter of a megabyte.
fn list(key: &str, item: &str) -> String {
    let count = MEGABYTE / 4 / (item.len() + 1);
    format!("{{\"{key}\":[{}]}}", vec![item; count].join(","))
}

/// `{"k0": value, "k1": value, ..}`, of a name.
fn members(name: impl Fn(usize) -> String, value: &str, count: usize) -> String {
    let member = |n: usize| format!("\"{}\":{value}", name(n));
    let members: Vec<String> = (0..count).map(member).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn much_that_does_not_fit_is_told_in_a_few_lines() {
    on_small_stack(|| async {
        let executors = executors();
        for arguments in [
            list("numbers", "0.5"),
            list("numbers", "\"1\""),
            list("unique", "\"a\""),
            list("set", "\"a\""),
            list("things", "{\"n\":\"1\"}"),
            list("things", "{\"q\":1}"),
            list("things", "{\"Colour\":\"red\"}"),
            list("either", "{\"a\":[]}"),
            list("either", "\"1\""),
            list("lists", "[[\"1\"]]"),
            list("lists", "[[{}]]"),
            format!("{{\"node\":{}}}", list("children", "{\"w\":1}")),
            format!(
                "{{\"map\":{}}}",
                members(|n| format!("k{n}"), "\"1\"", 20_000)
            ),
            format!(
                "{{\"any\":{},\"n\":-1}}",
                members(|n| format!("k{n}"), "1", 20_000)
            ),
            format!("{{\"any\":{}}}", members(|_| "a".to_owned(), "1", 40_000)),
            format!("{{\"either\":{}\"1\"{}}}", "[".repeat(60), "]".repeat(60)),
        ] {
            call_all(&executors, &arguments).await;
        }
    });
}

#[test]
fn many_names_are_told_in_a_few_lines() {
    on_small_stack(|| async {
        let executors = executors();
        let spelled = |n: usize| format!("{}{n}", "n_".repeat(1 + n % 5));
        for arguments in [
            members(|n| format!("k{n}"), "1", 30_000),
            members(|_| "nn".to_owned(), "1", 40_000),
            members(spelled, "1", 20_000),
            members(|n| format!("things{}", "_".repeat(n)), "[]", 1_000),
            members(|_| PURPOSE_ARGUMENT.to_owned(), "\"why\"", 40_000),
            members(|_| "\\u0074ool_use_purpose".to_owned(), "1", 30_000),
            format!("{{\"{}\":1}}", "k".repeat(MEGABYTE - 10)),
            format!("{{\"{}\":1}}", "\\\"".repeat(MEGABYTE / 2 - 10)),
            format!("{{\"{}\":1}}", "~/".repeat(MEGABYTE / 2 - 10)),
            format!("{{\"{}\":1}}", "\\u0000".repeat(MEGABYTE / 6 - 10)),
        ] {
            // A tree has each name once.
            let outcomes = call_all(&executors, &arguments).await;
            assert!(!outcomes[0].is_success(), "{}", outcomes[0].text());
        }
    });
}

#[test]
fn a_megabyte_of_one_value_is_told_in_a_few_lines() {
    on_small_stack(|| async {
        let executors = executors();
        let long = |of: &str| of.repeat((MEGABYTE - 100) / of.len());
        for arguments in [
            long("["),
            long("{\"any\":"),
            format!("{{\"any\":{}", long("[")),
            format!("{{\"n\":{}}}", long("1")),
            format!("{{\"n\":\"{}\"}}", long("1")),
            format!("{{\"n\":\"{}\"}}", long("x")),
            format!("{{\"f\":\"1e{}\"}}", long("9")),
            format!("{{\"n\":1e{}}}", long("9")),
            format!("{{\"numbers\":\"{}\"}}", long("[")),
            format!("{{\"numbers\":\"{}\"}}", long("1,")),
            format!("{{\"pattern\":\"{}!\"}}", long("a")),
            format!("{{\"pin\":[\"{}\"]}}", long("x")),
            "{\"n\":1e999999999,\"f\":\"1e-999999999\"}".to_owned(),
        ] {
            for outcome in call_all(&executors, &arguments).await {
                assert!(!outcome.is_success(), "{}", outcome.text());
            }
        }
    });
}

#[test]
fn json_in_texts_in_texts_ends() {
    on_small_stack(|| async {
        let executors = executors();
        let mut whole = "{\"n\":1}".to_owned();
        let (mut lists, mut node) = ("[1]".to_owned(), "{\"v\":\"1\"}".to_owned());
        for _ in 0..12 {
            whole = Value::from(whole).to_string();
            lists = format!("[{}]", Value::from(lists));
            node = format!("{{\"children\":{}}}", Value::from(node));
        }
        let deep = format!("[{}]", Value::from("[".repeat(100_000)));
        for arguments in [
            whole,
            format!("{{\"lists\":{}}}", Value::from(lists)),
            format!("{{\"node\":{}}}", Value::from(node)),
            format!("{{\"lists\":{}}}", Value::from(deep)),
        ] {
            call_all(&executors, &arguments).await;
        }
    });
}
