//! Random programs of calls and answers, run beside a small model of the expected outcomes.
//! `TOOLWRIGHT_CASES` sets how many.

mod model;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use model::{Fate, Model, Said};
use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::outcome::Suspension;
use toolwright::ticket::{Answer, Answers, GrantScope};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

use crate::waiting_support::{Asks, door};

const SESSIONS: [&str; 2] = ["s-0", "s-1"];
const STEPS: usize = 60;

fn cases() -> u64 {
    let set = std::env::var("TOOLWRIGHT_CASES").ok();
    set.map_or(60, |cases| cases.parse().expect("a number of cases"))
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        // Xorshift, after a step that keeps seeds that differ little apart.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap() % end
    }

    /// Some of the doors, each once.
    fn doors(&mut self) -> Vec<String> {
        let mut doors: Vec<String> = Vec::new();
        for _ in 0..self.below(3) {
            // The vault is denied, and the hall allowed.
            let all = [
                "a",
                "b",
                "c",
                "a",
                "b",
                "c",
                "a",
                "b",
                "c",
                "the hall",
                "the vault",
            ];
            let door = all[self.below(all.len())].to_owned();
            if !doors.contains(&door) {
                doors.push(door);
            }
        }
        doors
    }
}

/// The times that each call began, and the times that it came to its end.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<HashMap<usize, (u32, u32)>>>);

/// Go through some doors.
#[tool(register = false, permission = before.iter().map(|name| door(name)).collect::<Vec<PermissionRequest>>())]
async fn walk(
    number: usize,
    before: Vec<String>,
    within: Vec<String>,
    ctx: &ToolContext,
    log: &Log,
) -> Result<String, ToolError> {
    drop(before);
    log.0.lock().unwrap().entry(number).or_default().0 += 1;
    for name in &within {
        ctx.check(door(name)).await?;
    }
    log.0.lock().unwrap().entry(number).or_default().1 += 1;
    Ok(format!("walk {number}"))
}

/// The executor under test, and the model.
struct Run {
    executor: Executor,
    log: Log,
    model: Model,
    /// The tickets of each call, the last last.
    tickets: Vec<(usize, Suspension)>,
}

impl Run {
    fn new() -> Self {
        let log = Log::default();
        let executor = Executor::builder(ToolRegistry::new().with(Walk))
            .resource(log.clone())
            .permission_checker(Asks)
            .approvals(WaitMode::Suspending)
            .build()
            .unwrap();
        Self {
            executor,
            log,
            model: Model::default(),
            tickets: Vec::new(),
        }
    }

    fn came_to(&mut self, call: usize, fate: Fate, outcome: ToolOutcome) {
        let kind = outcome.error().map(ToolError::kind);
        match fate {
            Fate::Done => assert_eq!(outcome.text(), format!("walk {call}")),
            Fate::Denied => assert_eq!(kind, Some(ErrorKind::Denied), "{outcome:?}"),
            Fate::Waits(names) => {
                let ToolOutcome::Suspended(suspension) = outcome else {
                    panic!("it waits for {names:?}: {outcome:?}");
                };
                let asked = suspension.requests().iter();
                let asked: Vec<String> = asked
                    .map(|asked| PermissionRequest::from_pending(asked).unwrap())
                    .map(|request| request.target().to_owned())
                    .collect();
                assert_eq!(asked, names);
                self.tickets.push((call, suspension));
            }
        }
        let counts = self.log.0.lock().unwrap().get(&call).copied();
        assert_eq!(counts.unwrap_or_default(), self.model.counts(call));
    }

    async fn call(&mut self, dice: &mut Dice) {
        let session = dice.below(SESSIONS.len());
        let (before, within) = (dice.doors(), dice.doors());
        let (number, fate) = self.model.call(session, before.clone(), within.clone());
        let arguments = serde_json::json!({
            "number": number, "before": before, "within": within,
        });
        // Ids repeat, and nothing may depend on them.
        let call = ToolCall::new("walk", arguments).with_id("c");
        let session = self.executor.session(SESSIONS[session]);
        let outcome = session.call(call).await;
        self.came_to(number, fate, outcome);
    }

    async fn answer(&mut self, dice: &mut Dice) {
        let Some((at, call)) = self.any_ticket(dice) else {
            return;
        };
        let suspension = self.tickets[at].1.clone();
        let request = dice.below(suspension.requests().len());
        let asked = PermissionRequest::from_pending(&suspension.requests()[request]).unwrap();
        let covers = GrantScope::target(asked.kind().to_owned(), asked.target());
        let (said, answer) = match dice.below(8) {
            0 => (Said::No, Answer::no()),
            1 => (Said::Always, Answer::always(covers)),
            2 => (Said::Never, Answer::never(covers)),
            _ => (Said::Yes, Answer::yes()),
        };
        let is_last = self.is_last(at, call);
        let taken = is_last && self.model.answer(call, request, said);
        let answers = Answers::none().with(request, answer);
        let told = self
            .executor
            .tickets()
            .answer(suspension.id(), answers)
            .await;
        assert_eq!(told.is_ok(), taken, "{told:?}");
    }

    async fn resume(&mut self, at: usize) {
        let (call, suspension) = self.tickets[at].clone();
        let session = self.executor.session(SESSIONS[self.model.session(call)]);
        let resumed = session.resume(suspension.ticket(), Answers::none()).await;
        if !self.is_last(at, call) || !self.model.is_open(call) {
            resumed.expect_err("the ticket is over");
            return;
        }
        match self.model.resume(call) {
            None => {
                let waits = resumed.unwrap();
                assert_eq!(waits.suspension().unwrap().id(), suspension.id());
            }
            Some(fate) => self.came_to(call, fate, resumed.unwrap()),
        }
    }

    async fn cancel(&mut self, at: usize) {
        let (call, suspension) = self.tickets[at].clone();
        let is_open = self.is_last(at, call) && self.model.is_open(call);
        let told = self.executor.tickets().cancel(suspension.id()).await;
        assert_eq!(told.is_ok(), is_open, "{told:?}");
        if is_open {
            self.model.cancel(call);
        }
    }

    fn is_last(&self, at: usize, call: usize) -> bool {
        !self.tickets[at + 1..]
            .iter()
            .any(|(other, _)| *other == call)
    }

    fn any_ticket(&self, dice: &mut Dice) -> Option<(usize, usize)> {
        if self.tickets.is_empty() {
            return None;
        }
        // Mostly a ticket among the last ones.
        let count = self.tickets.len();
        let from = if dice.below(4) == 0 {
            0
        } else {
            count.saturating_sub(6)
        };
        let at = from + dice.below(count - from);
        Some((at, self.tickets[at].0))
    }

    async fn step(&mut self, dice: &mut Dice) {
        match dice.below(24) {
            0..8 => self.call(dice).await,
            8..15 => self.answer(dice).await,
            15..21 => {
                if let Some((at, _)) = self.any_ticket(dice) {
                    self.resume(at).await;
                }
            }
            21 => {
                if let Some((at, _)) = self.any_ticket(dice) {
                    self.cancel(at).await;
                }
            }
            22 => {
                let session = dice.below(SESSIONS.len());
                let permissions = self.executor.permissions();
                permissions.reset(SESSIONS[session]).await.unwrap();
                self.model.reset(session);
            }
            _ if dice.below(4) == 0 => {
                let session = dice.below(SESSIONS.len());
                let ended = self.executor.session(SESSIONS[session]);
                ended.end().await.unwrap();
                self.model.end(session);
            }
            _ => {}
        }
    }

    /// Allows everything that is left.
    async fn finish(&mut self) {
        while let Some(call) = self.model.first_open() {
            let of_call = |(number, _): &(usize, Suspension)| *number == call;
            let at = self.tickets.iter().rposition(of_call).unwrap();
            let id = self.tickets[at].1.id();
            self.model.answer_all(call);
            // It may be settled already.
            let _ = self.executor.tickets().answer(id, Answer::yes()).await;
            self.resume(at).await;
        }
        self.model.check();
        for (call, (_, done)) in &*self.log.0.lock().unwrap() {
            assert!(*done <= 1, "call {call} came to its end {done} times");
        }
        let all = toolwright::ticket::TicketFilter::all();
        assert!(self.executor.tickets().list(&all).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn calls_and_answers_in_any_order_come_to_what_the_model_says() {
    for case in 0..cases() {
        let mut dice = Dice((case + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut run = Run::new();
        println!("case {case}");
        for _ in 0..STEPS {
            run.step(&mut dice).await;
        }
        run.finish().await;
    }
}
