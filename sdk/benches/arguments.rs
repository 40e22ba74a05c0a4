//! Arguments to values, strictly, beside the same by serde: tool b, whose 12 fields are parsed by
//! `from_str`, or `deserialize` from a tree, into a struct with `deny_unknown_fields` throughout.
//!
//! `cargo bench -p toolwright --bench arguments`. Of ours there are two: the values alone, and
//! `Tool::parse`, which boxes them as an invocation.
//!
//! Then whole calls of tool b through an executor: one with three slips, which are repaired, and one
//! that is refused with its report, each beside the call without slips.
//!
//! `arguments --loop CASE N` makes N calls of one case and nothing else, for a tool that counts instructions. The cases
//! are `fits`, `fits-tree`, `slips`, `slips-tree`, `refused` and `refused-at-once`.

#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark stops at the first fault"
)]

mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use common::turns::{compare, rounds};
use common::{CASES, Destination, Urgency};
use serde::Deserialize;
use serde_json::Value;
use toolwright::arguments::Arguments;
use toolwright::tools::TypedTool;
use toolwright::{RunTool, Session, Tool, ToolCall, ToolContext, ToolOutcome};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct ByHand {
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: StrictDestination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct StrictDestination {
    street: String,
    city: String,
    postcode: String,
    country: Option<String>,
}

/// Send a parcel.
#[derive(Tool)]
#[tool(register = false, pure)]
#[allow(dead_code, reason = "only read")]
struct Values {
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: Destination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
}

impl RunTool for Values {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

fn main() {
    let (_, _, text) = CASES[1];
    if looped().is_some() {
        return slips(1, text);
    }
    let tree: Value = serde_json::from_str(text).unwrap();
    let rounds = rounds();
    println!("          by hand ns   ours ns   ratio (quartiles)        allocations by hand, ours");
    let from_text = || {
        let _ = black_box(serde_json::from_str::<ByHand>(black_box(text)).unwrap());
    };
    let from_tree = || {
        let _ = black_box(ByHand::deserialize(black_box(&tree)).unwrap());
    };
    compare(rounds, "values, text", from_text, || values(text));
    compare(rounds, "values, tree", from_tree, || values(&tree));
    compare(rounds, "parse, text", from_text, || parse(text));
    compare(rounds, "parse, tree", from_tree, || parse(&tree));
    slips(rounds, text);
}

/// The arguments of calls with slips: a number in a text, a name in another spelling and an enum value in other letters
/// are repaired, and text in place of a number is refused.
struct Slips {
    text: &'static str,
    tree: Value,
    slipped: String,
    slipped_tree: Value,
    /// Has a `null`, which is taken out before the rest is refused.
    refused: String,
    /// Has none, so that nothing can be repaired.
    refused_at_once: String,
}

impl Slips {
    fn of(text: &'static str) -> Self {
        let with = |changes: &[(&str, &str)]| {
            let change = |text: String, (from, to): &(&str, &str)| {
                assert!(text.contains(from));
                text.replace(from, to)
            };
            changes.iter().fold(text.to_owned(), change)
        };
        let slipped = with(&[
            (r#""pieces": 3"#, r#""pieces": "3""#),
            (r#""price_each""#, r#""priceEach""#),
            (r#""high""#, r#""HIGH""#),
        ]);
        let several = (r#""pieces": 3"#, r#""pieces": "several""#);
        Self {
            text,
            tree: serde_json::from_str(text).unwrap(),
            slipped_tree: serde_json::from_str(&slipped).unwrap(),
            slipped,
            refused: with(&[several]),
            refused_at_once: with(&[several, (r#""voucher": null, "#, "")]),
        }
    }

    /// Makes one call of a case.
    fn call(&self, session: &Session, case: &str) {
        match case {
            "fits" => drop(black_box(call(session, self.text))),
            "fits-tree" => drop(black_box(call(session, &self.tree))),
            "slips" => drop(black_box(call(session, &self.slipped))),
            "slips-tree" => drop(black_box(call(session, &self.slipped_tree))),
            "refused" => drop(black_box(call(session, &self.refused).text())),
            "refused-at-once" => drop(black_box(call(session, &self.refused_at_once).text())),
            other => panic!("there is no case `{other}`"),
        }
    }
}

/// Returns the case and the number of calls that the command line asks for, if it does.
fn looped() -> Option<(String, usize)> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--loop");
    arguments.next()?;
    let case = arguments.next().unwrap();
    Some((case, arguments.next().unwrap().parse().unwrap()))
}

/// The cost of slips.
fn slips(rounds: usize, text: &'static str) {
    let executor = common::executor();
    let session = executor.session("bench");
    let slips = Slips::of(text);
    if let Some((case, count)) = looped() {
        for _ in 0..count {
            slips.call(&session, &case);
        }
        return;
    }
    // And a `null`, which is taken out along with them: the schema shows none.
    assert_eq!(call(&session, &slips.slipped).result().repairs().len(), 4);
    for (arguments, repairs) in [(&slips.refused, 1), (&slips.refused_at_once, 0)] {
        let report = call(&session, arguments);
        assert!(report.error().unwrap().invalid_arguments().is_some());
        assert_eq!(report.result().repairs().len(), repairs);
    }
    println!(
        "\ncall            fits ns  other ns   ratio (quartiles)        allocations, fits and other"
    );
    for (name, fits, other) in [
        ("3 slips, text", "fits", "slips"),
        ("3 slips, tree", "fits-tree", "slips-tree"),
        ("refused, text", "fits", "refused"),
        ("refused at once", "fits", "refused-at-once"),
    ] {
        let fits = || slips.call(&session, fits);
        compare(rounds, name, fits, || slips.call(&session, other));
    }
}

/// Polled by hand: the host's own runtime is no part of the call.
fn call<'a>(session: &'a Session, arguments: impl Into<Arguments<'a>>) -> ToolOutcome {
    let call = ToolCall::new(black_box("send"), black_box(arguments));
    match pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => unreachable!("the tool never waits"),
    }
}

fn values<'a>(arguments: impl Into<Arguments<'a>>) {
    let arguments = black_box(arguments.into());
    let _ = black_box(Values::from_arguments(&arguments).unwrap());
}

fn parse<'a>(arguments: impl Into<Arguments<'a>>) {
    let arguments = black_box(arguments.into());
    let _ = black_box(common::Send.parse(&arguments).unwrap());
}
