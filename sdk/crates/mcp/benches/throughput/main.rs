//! Calls of three tools over MCP, beside a server that is written with `rmcp` alone: over the pipes of a child process, and over
//! HTTP in both eras of the protocol. Each server is a process of its own; the client writes prepared bytes and reads answers.
//!
//! `latency`: one call after another. `calls/s`: many at a time. Both servers take turns, and each ratio is one of times that
//! lie side by side; more than 1 is better than `rmcp` alone.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "times and counts are small"
)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark stops at the first fault"
)]

mod http;
mod ours;
mod pipes;
mod plain;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The calls at a time where many are.
const AT_A_TIME: usize = 32;

/// Calls of the three tools, in turns: a text, a structure, and a list of some kilobytes.
fn params(number: usize) -> Value {
    match number % 3 {
        0 => json!({"name": "echo", "arguments": {"text": "a text of no great length"}}),
        1 => json!({"name": "add", "arguments": {"a": 20, "b": 22}}),
        _ => json!({"name": "lines", "arguments": {"count": 60, "word": "benchmark"}}),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "serve") {
        let (which, how) = (&*arguments[at + 1], &*arguments[at + 2]);
        return serve(which, how);
    }
    let rounds = if arguments.iter().any(|argument| argument == "--bench") {
        41
    } else {
        1
    };
    println!(
        "{:22} {:>12} {:>12}   ratio (quartiles)",
        "", "rmcp alone", "toolwright"
    );
    pipes::compare(rounds);
    http::compare(rounds);
}

#[tokio::main]
async fn serve(which: &str, how: &str) {
    match (which, how) {
        ("plain", "pipes") => plain::on_pipes().await,
        ("plain", _) => plain::on_http().await,
        (_, "pipes") => ours::on_pipes().await,
        _ => ours::on_http().await,
    }
}

/// Starts a server in a process of its own.
fn start(which: &str, how: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["serve", which, how])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Measures two servers in turns, and prints the times of a call as a rate or as a latency.
fn turns(
    rounds: usize,
    label: &str,
    is_rate: bool,
    mut plain: impl FnMut(usize),
    mut ours: impl FnMut(usize),
) {
    let mut measure = |which: bool, calls: usize| {
        let begun = Instant::now();
        if which {
            ours(calls);
        } else {
            plain(calls);
        }
        begun.elapsed().as_secs_f64() / calls as f64
    };
    let calls = sample(rounds, |calls| measure(false, calls));
    measure(true, calls);
    let (mut bases, mut news, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let first = round % 2 == 0;
        let (a, b) = (measure(first, calls), measure(!first, calls));
        let (new, base) = if first { (a, b) } else { (b, a) };
        bases.push(base);
        news.push(new);
        ratios.push(base / new);
    }
    let [base, new] = [&mut bases, &mut news].map(|times| {
        let time = quantile(times, 0.5);
        if is_rate {
            format!("{:.0}/s", 1.0 / time)
        } else {
            format!("{:.1} us", time * 1e6)
        }
    });
    let [low, middle, high] = [0.25, 0.5, 0.75].map(|at| quantile(&mut ratios, at));
    println!("{label:22} {base:>12} {new:>12}   {middle:.3} ({low:.3} to {high:.3})");
}

/// The number of calls that take a while.
fn sample(rounds: usize, mut measure: impl FnMut(usize) -> f64) -> usize {
    if rounds == 1 {
        return 2 * AT_A_TIME;
    }
    let begun = Instant::now();
    let mut time = 0.0;
    // The first ones warm up the server and its runtime.
    while begun.elapsed() < Duration::from_millis(300) {
        time = measure(4 * AT_A_TIME);
    }
    ((0.03 / time) as usize / AT_A_TIME + 1) * AT_A_TIME
}

/// The value at a place between 0 and 1, in order of size.
fn quantile(values: &mut [f64], at: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * at).round() as usize]
}
