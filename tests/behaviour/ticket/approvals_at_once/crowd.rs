//! A thousand sessions with ten tickets each, answered in random order by several at once, while some
//! calls are cancelled and some sessions end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;
use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, Answers, Ticket, TicketBroker, TicketErrorKind, TicketFilter};
use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry, tool};

use crate::waiting_support::{Asks, deployment, interrupted, opened};

const SESSIONS: usize = 1_000;
const CALLS: usize = 10;
const TASKS: usize = 8;

/// The times that each step was taken.
#[derive(Clone, Default)]
struct Steps(Arc<Mutex<HashMap<String, u32>>>);

/// Take a step.
#[tool(register = false, permission = deployment(name))]
async fn take_step(name: String, steps: &Steps) -> String {
    *steps.0.lock().unwrap().entry(name.clone()).or_default() += 1;
    format!("took {name}")
}

/// The end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Yes,
    No,
    Cancelled,
    /// With its session.
    Ended,
}

fn fate(session: usize, call: usize) -> Fate {
    match (session % 50, call) {
        (7, _) => Fate::Ended,
        (_, 3) => Fate::No,
        (even, 8) if even % 2 == 0 => Fate::Cancelled,
        _ => Fate::Yes,
    }
}

fn name(session: usize, call: usize) -> String {
    format!("{session}/{call}")
}

/// Session and call of a ticket.
fn numbers(ticket: &Ticket) -> (usize, usize) {
    let summary = ticket.summary();
    let name = summary.strip_prefix("Deploy to ").unwrap();
    let (session, call) = name.split_once('/').unwrap();
    (session.parse().unwrap(), call.parse().unwrap())
}

fn executor(mode: WaitMode) -> (Executor, Steps) {
    let steps = Steps::default();
    let executor = Executor::builder(ToolRegistry::new().with(TakeStep))
        .resource(steps.clone())
        .permission_checker(Asks)
        .approvals(mode)
        .build()
        .unwrap();
    (executor, steps)
}

/// The calls of a session, all in one batch.
async fn calls(executor: Executor, session: usize) -> (usize, Vec<ToolOutcome>) {
    let calls = (0..CALLS).map(|call| {
        let arguments = serde_json::json!({ "name": name(session, call) });
        ToolCall::new("take_step", arguments).with_id("c")
    });
    let session_of_calls = executor.session(format!("s-{session}"));
    (session, session_of_calls.call_all(calls).await)
}

/// The same order each time, and none to speak of.
fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, usize::try_from(state % (at as u64 + 1)).unwrap());
    }
    items
}

/// Returns true if this decision about the ticket was the one that counted.
async fn decide(executor: &Executor, ticket: &Ticket) -> bool {
    let tickets: &TicketBroker = executor.tickets();
    let (session, call) = numbers(ticket);
    let decided = match fate(session, call) {
        Fate::Yes => tickets.answer(ticket.id(), Answer::yes()).await.map(drop),
        Fate::No => tickets.decline(ticket.id(), Some("not three")).await,
        Fate::Cancelled => tickets.cancel(ticket.id()).await,
        Fate::Ended if call == 0 => {
            let ended = executor.session(ticket.session().clone()).end().await;
            ended.unwrap();
            return true;
        }
        // It may be there still, and then it can be answered; an answer must do no harm.
        Fate::Ended => return false,
    };
    match decided {
        Ok(()) => true,
        Err(error) => {
            let late = matches!(
                error.kind(),
                TicketErrorKind::AlreadyAnswered
                    | TicketErrorKind::Used
                    | TicketErrorKind::Cancelled
            );
            assert!(late, "{error}");
            false
        }
    }
}

/// Returns true if two decide about a ticket.
fn is_contested(ticket: &Ticket) -> bool {
    let (session, call) = numbers(ticket);
    (session + call) % 4 == 0
}

/// The tickets that are decided about in that round, in an order of its own.
fn round(tickets: &[Arc<Ticket>], number: u64) -> Vec<Arc<Ticket>> {
    let comes = |ticket: &&Arc<Ticket>| number == 0 || is_contested(ticket);
    shuffled(tickets.iter().filter(comes).cloned().collect(), 17 + number)
}

/// Many tickets are decided about by two at once, and one of the two learns that its decision counted.
async fn decide_all(executor: &Executor, tickets: Vec<Arc<Ticket>>) {
    let mut deciding = JoinSet::new();
    for number in 0..2 {
        let mut shares: Vec<Vec<Arc<Ticket>>> = vec![Vec::new(); TASKS / 2];
        for (at, ticket) in round(&tickets, number).into_iter().enumerate() {
            shares[at % (TASKS / 2)].push(ticket);
        }
        for share in shares {
            let executor = executor.clone();
            deciding.spawn(async move {
                let mut decided = Vec::new();
                for ticket in share {
                    if decide(&executor, &ticket).await {
                        decided.push(ticket.id());
                    }
                }
                decided
            });
        }
    }
    let mut counts = HashMap::new();
    for id in deciding.join_all().await.into_iter().flatten() {
        *counts.entry(id).or_insert(0) += 1;
    }
    for ticket in &tickets {
        let (session, call) = numbers(ticket);
        let count = counts.get(&ticket.id()).copied().unwrap_or_default();
        match fate(session, call) {
            Fate::Ended => {}
            fate => assert_eq!(count, 1, "{session}/{call} {fate:?}"),
        }
    }
}

fn check_steps(steps: &Steps) {
    let taken = steps.0.lock().unwrap();
    for session in 0..SESSIONS {
        for call in 0..CALLS {
            let expected = (fate(session, call) == Fate::Yes).then_some(1);
            let name = name(session, call);
            assert_eq!(taken.get(&name).copied(), expected, "{name}");
        }
    }
}

fn check_ended(session: usize, call: usize, outcome: &ToolOutcome) {
    let kind = outcome.error().map(toolwright::ToolError::kind);
    let name = name(session, call);
    match fate(session, call) {
        Fate::Yes => assert_eq!(outcome.text(), format!("took {name}")),
        Fate::No => {
            assert_eq!(kind, Some(ErrorKind::Denied), "{name}");
            let expected = format!("the user denied `take_step` (Deploy to {name}): not three");
            assert_eq!(outcome.text(), expected);
        }
        Fate::Cancelled | Fate::Ended => assert_eq!(kind, Some(ErrorKind::Cancelled), "{name}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_sessions_that_wait_in_place() {
    let (executor, steps) = executor(WaitMode::Blocking);
    let mut events = executor.tickets().subscribe();
    let mut batches = JoinSet::new();
    for session in 0..SESSIONS {
        batches.spawn(calls(executor.clone(), session));
    }
    let mut tickets = Vec::new();
    while tickets.len() < SESSIONS * CALLS {
        let batch = opened(&mut events).await;
        assert_eq!(batch.len(), CALLS);
        tickets.extend(batch);
    }
    decide_all(&executor, tickets).await;
    for (session, outcomes) in batches.join_all().await {
        for (call, outcome) in outcomes.iter().enumerate() {
            check_ended(session, call, outcome);
        }
    }
    check_steps(&steps);
    let open = executor.tickets().list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_sessions_that_are_suspended() {
    let (executor, steps) = executor(WaitMode::Suspending);
    let mut batches = JoinSet::new();
    for session in 0..SESSIONS {
        batches.spawn(calls(executor.clone(), session));
    }
    let mut tickets = Vec::new();
    for (session, outcomes) in batches.join_all().await {
        for (call, outcome) in outcomes.into_iter().enumerate() {
            let ticket = Arc::clone(interrupted(outcome).ticket());
            assert_eq!(numbers(&ticket), (session, call));
            tickets.push(ticket);
        }
    }
    decide_all(&executor, tickets.clone()).await;

    let mut resuming = JoinSet::new();
    for number in 0..2 {
        for ticket in round(&tickets, number) {
            let session = executor.session(ticket.session().clone());
            resuming.spawn(async move {
                let outcome = session.resume(&ticket, Answers::none()).await;
                (numbers(&ticket), outcome)
            });
        }
    }
    let mut ended = HashMap::new();
    for ((session, call), outcome) in resuming.join_all().await {
        let fate = fate(session, call);
        match outcome {
            Ok(outcome) => {
                check_ended(session, call, &outcome);
                *ended.entry((session, call)).or_insert(0) += 1;
            }
            Err(error) => match fate {
                Fate::Yes | Fate::No => assert_eq!(error.kind(), TicketErrorKind::Used),
                Fate::Cancelled => assert_eq!(error.kind(), TicketErrorKind::Cancelled),
                Fate::Ended => assert!(matches!(
                    error.kind(),
                    TicketErrorKind::Cancelled | TicketErrorKind::Unknown
                )),
            },
        }
    }
    for session in 0..SESSIONS {
        for call in 0..CALLS {
            let resumes = matches!(fate(session, call), Fate::Yes | Fate::No);
            let count = ended.get(&(session, call)).copied().unwrap_or_default();
            assert_eq!(count, u32::from(resumes), "{session}/{call}");
        }
    }
    check_steps(&steps);
    let open = executor.tickets().list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty());
}
