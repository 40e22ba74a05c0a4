//! Tools of every kind, and a run of calls that leaves nothing out.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use serde_json::json;
use toolwright::executor::{Limits, WaitMode};
use toolwright::permission::Verdict;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolOutput,
    ToolRegistry, tool,
};

use crate::support::{HandMade, judge};

/// The number of runs of tools that a replay must not run.
#[derive(Default)]
pub(crate) struct Acts(AtomicU64);

impl Acts {
    fn act(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Add two numbers.
#[tool(pure, register = false)]
fn add(a: i64, #[arg(default = 1)] b: i64) -> i64 {
    a + b
}

/// Count the words of a text, each for itself.
#[tool(pure, register = false)]
fn words(text: String) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

/// Throw dice.
#[tool(read_only, determinism = bounded, register = false)]
fn throw(dice: u32, ctx: &ToolContext) -> Vec<u64> {
    let mut rng = ctx.rng();
    (0..dice).map(|_| rng.below(6) + 1).collect()
}

/// Stamp a letter with id and time.
#[tool(read_only, determinism = bounded, register = false)]
async fn stamp(times: u32, ctx: &ToolContext) -> String {
    let mut stamps = Vec::new();
    for _ in 0..times {
        tokio::task::yield_now().await;
        let since = ctx.clock().now().duration_since(SystemTime::UNIX_EPOCH);
        stamps.push(format!(
            "{} {}",
            ctx.new_id(),
            since.unwrap_or_default().as_nanos()
        ));
    }
    stamps.join("\n")
}

/// Look something up that changes.
#[tool(read_only, register = false)]
fn look_up(acts: &Arc<Acts>) -> u64 {
    acts.act()
}

/// Send a letter.
#[tool(register = false)]
async fn send(to: String, acts: &Arc<Acts>) -> String {
    format!("letter {} to {to}", acts.act())
}

/// Put a value somewhere.
#[tool(idempotent, determinism = deterministic, register = false)]
fn put(value: i64, acts: &Arc<Acts>) -> i64 {
    acts.act();
    value
}

/// Halve a number.
#[tool(pure, register = false)]
fn halve(number: i64) -> Result<i64, ToolError> {
    if number % 2 == 0 {
        Ok(number / 2)
    } else {
        Err(ToolError::failed(format!("{number} is odd")).with_code("odd"))
    }
}

/// Break.
#[tool(pure, register = false)]
fn break_down() {
    panic!("broken");
}

/// Take for ever.
#[tool(pure, timeout = "5ms", register = false)]
async fn dawdle() {
    std::future::pending::<()>().await;
}

/// Sign in.
#[tool(read_only, register = false)]
fn sign_in(user: String, #[arg(secret)] password: String, acts: &Arc<Acts>) -> String {
    format!(
        "{user} is visitor {}, with {} letters",
        acts.act(),
        password.len()
    )
}

/// Fill a page.
#[tool(pure, register = false)]
fn fill(with: String, count: usize) -> String {
    with.repeat(count)
}

/// Fill a page with what changes.
#[tool(read_only, register = false)]
fn fill_up(count: usize, acts: &Arc<Acts>) -> String {
    format!("{:09}", acts.act()).repeat(count)
}

/// Add three times, each one twice.
#[tool(pure, register = false)]
async fn add_much(a: i64, ctx: &ToolContext) -> Result<i64, ToolError> {
    let mut sum = 0;
    for _ in 0..3 {
        let arguments = json!({"a": a, "b": a});
        let (one, other) = (
            ToolCall::new("add", &arguments),
            ToolCall::new("add", &arguments),
        );
        let outcome = (ctx.call(one).await, ctx.call(other).await);
        let number = |outcome: ToolOutcome| outcome.text().parse::<i64>();
        sum += number(outcome.0).map_err(ToolError::from_source)?;
        sum += number(outcome.1).map_err(ToolError::from_source)?;
    }
    Ok(sum)
}

/// Throw a die and send what it shows.
#[tool(read_only, determinism = bounded, register = false)]
async fn throw_and_send(ctx: &ToolContext) -> String {
    let thrown = ctx
        .call(ToolCall::new("throw", r#"{"dice": 1}"#))
        .await
        .text();
    let to = json!({ "to": thrown });
    let sent = ctx.call(ToolCall::new("send", to)).await.text();
    let missing = ctx.call(ToolCall::new("gone", "{}")).await;
    format!(
        "{} {sent} {}",
        ctx.rng().below(100),
        missing.result().is_error()
    )
}

/// Deploy.
#[tool(register = false)]
fn deploy(place: String, acts: &Arc<Acts>) -> String {
    acts.act();
    format!("deployed to {place}")
}

/// Rob a bank.
#[tool(pure, register = false)]
fn rob() {}

/// Read a secret file.
#[tool(
    pure,
    capabilities("fs:read:/secret", "net:get:example.org"),
    register = false
)]
fn read_secret() {}

/// Show its arguments.
fn echo() -> HandMade {
    HandMade::new("echo").run(|_, arguments| Ok(ToolOutput::text(arguments.to_string())))
}

pub(crate) fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Add)
        .with(Words)
        .with(Throw)
        .with(Stamp)
        .with(LookUp)
        .with(Send)
        .with(Put)
        .with(Halve)
        .with(BreakDown)
        .with(Dawdle)
        .with(SignIn)
        .with(Fill)
        .with(FillUp)
        .with(AddMuch)
        .with(ThrowAndSend)
        .with(Deploy)
        .with(Rob)
        .with(ReadSecret)
        .with(echo())
}

/// An executor of all these tools, which lets anything run but what it asks about.
pub(crate) fn executor(acts: &Arc<Acts>) -> ExecutorBuilder {
    let checker = judge(
        |spec| match spec.name().as_str() {
            "rob" => Verdict::deny("robbing is not allowed"),
            "deploy" => Verdict::ask("it is a deployment"),
            _ => Verdict::Allow,
        },
        |_, _| Verdict::Allow,
    );
    Executor::builder(registry())
        .resource(Arc::clone(acts))
        .permission_checker(checker)
        .approvals(WaitMode::Suspending)
        .limits(Limits::new().max_output_bytes(2_000))
}

/// An executor for a replay: it may run nothing, and asks nobody.
pub(crate) fn bare(acts: &Arc<Acts>) -> Executor {
    Executor::builder(registry())
        .resource(Arc::clone(acts))
        .permission_checker(toolwright::permission::DenyAll)
        .limits(Limits::new().max_output_bytes(2_000))
        .build()
        .unwrap()
}

/// A call of each kind: what is called, and with what.
const CALLS: [(&str, &str); 24] = [
    ("add", r#"{"a": 2, "b": 3}"#),
    ("add", r#"{"a": "7"}"#),
    ("words", r#"{"text": "the cat and the hat and the bat"}"#),
    ("throw", r#"{"dice": 4}"#),
    ("stamp", r#"{"times": 3}"#),
    ("look_up", ""),
    ("send", r#"{"to": "Ada"}"#),
    ("put", r#"{"value": 5}"#),
    ("halve", r#"{"number": 8}"#),
    ("halve", r#"{"number": 7}"#),
    ("break_down", "{}"),
    ("dawdle", "{}"),
    ("sign_in", r#"{"user": "ada", "password": "hunter2"}"#),
    ("sign_in", r#"{"user": "ada", "password": "hunter22"}"#),
    ("fill", r#"{"with": "ab", "count": 30000}"#),
    ("fill_up", r#"{"count": 30000}"#),
    ("add_much", r#"{"a": 4}"#),
    ("throw_and_send", "{}"),
    ("rob", "{}"),
    ("read_secret", "{}"),
    ("nobody", r#"{"a": 1}"#),
    ("add", r#"{"a": "many", "c": 4}"#),
    ("add", "no json"),
    (
        "echo",
        r#"{"$$secret": [{"$secret": {"a": null}}], "$secret": 1, "b": 2.5}"#,
    ),
];

/// Makes calls in three sessions, one below another, some of them in batches. How each ended, in order.
pub(crate) async fn run(executor: &Executor, calls: usize) -> Vec<ToolOutcome> {
    let first = executor.session("first");
    let below = first.sub_session("below");
    let second = executor.session("second");
    run_in([first, below, second], calls).await
}

pub(crate) async fn run_in(sessions: [Session; 3], calls: usize) -> Vec<ToolOutcome> {
    let mut outcomes = Vec::new();
    let mut next = CALLS.iter().cycle().enumerate();
    while outcomes.len() < calls {
        let session = &sessions[outcomes.len() % 3];
        if outcomes.len() % 50 < 10 {
            let batch = next
                .by_ref()
                .take(7)
                .map(|(number, call)| made(number, *call));
            outcomes.extend(session.turn().call_all(batch).await);
        } else if let Some((number, call)) = next.next() {
            outcomes.push(session.call(made(number, *call)).await);
        }
    }
    outcomes
}

fn made(number: usize, (name, arguments): (&'static str, &'static str)) -> ToolCall<'static> {
    ToolCall::new(name, arguments).with_id(format!("call-{number}"))
}

/// Makes calls that wait, and goes on with some.
pub(crate) async fn suspended(session: &Session) -> Vec<ToolOutcome> {
    let mut outcomes = Vec::new();
    let answers = [
        Some(Answer::yes()),
        Some(Answer::yes().because("it is Monday")),
        Some(Answer::no().because("it is Friday")),
        None,
    ];
    for (number, answer) in answers.into_iter().enumerate() {
        let arguments = json!({ "place": format!("place {number}") });
        let call = ToolCall::new("deploy", arguments);
        let outcome = session.call(call).await;
        let ToolOutcome::Suspended(suspension) = &outcome else {
            panic!("it was not asked: {}", outcome.text());
        };
        outcomes.push(match answer {
            Some(answer) => session.resume(suspension.ticket(), answer).await.unwrap(),
            None => outcome,
        });
    }
    outcomes
}
