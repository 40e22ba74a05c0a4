//! The person at the terminal: asked about each ticket of the executor, one prompt at a time.
//!
//! A prompt that nobody needs any more closes: its ticket was closed or answered elsewhere, or
//! the session ended. The decision comes from the terminal; the broker checks, stores and reports it.

mod approval;
mod arguments;
mod batch;
mod question;
mod sheet;
mod value;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toolwright::id::TicketId;
use toolwright::ticket::{
    Answers, OpenTicket, Ticket, TicketBroker, TicketErrorKind, TicketEvent, TicketEvents, WaitKind,
};

use crate::interrupt::Interrupt;
use crate::terminal::{Left, Terminal, safe};
use crate::watch::Board;

/// Asks about tickets until it is ended.
pub(crate) struct Prompter {
    task: JoinHandle<()>,
    over: CancellationToken,
}

impl Prompter {
    /// The board leaves the terminal to each prompt.
    pub(crate) fn start(
        broker: &TicketBroker,
        interrupt: Interrupt,
        board: Option<Arc<Board>>,
    ) -> Self {
        let over = CancellationToken::new();
        let desk = Desk {
            broker: broker.clone(),
            events: broker.subscribe(),
            queue: VecDeque::new(),
            over: over.clone(),
            interrupt,
            board,
        };
        Self {
            task: tokio::spawn(desk.serve()),
            over,
        }
    }

    /// Takes an open prompt away, and waits until the terminal is what it was before.
    pub(crate) async fn end(self) {
        self.over.cancel();
        // A task that panicked has reported so.
        let _ = self.task.await;
    }
}

struct Desk {
    broker: TicketBroker,
    events: TicketEvents,
    /// The tickets that are to be asked about, batch by batch.
    queue: VecDeque<Vec<Arc<Ticket>>>,
    over: CancellationToken,
    interrupt: Interrupt,
    board: Option<Arc<Board>>,
}

/// The decisions of a person.
type Decided = Vec<(TicketId, Answers)>;

impl Desk {
    async fn serve(mut self) {
        loop {
            while let Some(event) = self.events.try_recv() {
                self.note(event);
            }
            if let Some(batch) = self.queue.pop_front() {
                if self.ask(batch).await.is_break() {
                    return;
                }
                continue;
            }
            tokio::select! {
                biased;
                () = self.over.cancelled() => return,
                event = self.events.recv() => match event {
                    Some(event) => self.note(event),
                    None => return,
                },
            }
        }
    }

    /// Notes what is to be asked.
    fn note(&mut self, event: TicketEvent) {
        if let TicketEvent::Opened(tickets) = event {
            self.queue.push_back(tickets);
        }
    }

    /// Asks about the tickets of a batch until each is settled.
    async fn ask(&mut self, batch: Vec<Arc<Ticket>>) -> std::ops::ControlFlow<()> {
        use std::ops::ControlFlow::{Break, Continue};
        let mut problem = None;
        loop {
            let open = self.open(&batch).await;
            if open.is_empty() {
                return Continue(());
            }
            match self.prompt(&open, problem.take()).await {
                Ok(decided) => problem = self.keep(decided).await,
                Err(Left::Withdrawn | Left::Back) => {}
                Err(Left::Interrupted) => {
                    // The open requests are cancelled with the session.
                    self.interrupt.press();
                    return Break(());
                }
                Err(Left::Broken(error)) => {
                    tell(&format_args!("the terminal cannot be used: {error}"));
                    for pending in open {
                        let _ = self.broker.cancel(pending.id()).await;
                    }
                    return Continue(());
                }
            }
            if self.over.is_cancelled() {
                return Break(());
            }
        }
    }

    /// Those of a batch that somebody has yet to decide about.
    async fn open(&self, batch: &[Arc<Ticket>]) -> Vec<OpenTicket> {
        let mut open = Vec::new();
        for ticket in batch {
            match self.broker.get(ticket.id()).await {
                Ok(pending) if !pending.left().is_empty() => open.push(pending),
                Err(error) if error.kind() == TicketErrorKind::Store => {
                    tell(&error);
                }
                // Settled, here or elsewhere.
                Ok(_) | Err(_) => {}
            }
        }
        open
    }

    /// Shows a prompt, until it is answered or somebody else was quicker.
    async fn prompt(
        &mut self,
        open: &[OpenTicket],
        problem: Option<String>,
    ) -> Result<Decided, Left> {
        let withdrawn = self.over.child_token();
        let asked = open.to_vec();
        let token = withdrawn.clone();
        let board = self.board.clone();
        let check = Check {
            broker: self.broker.clone(),
            runtime: Handle::current(),
        };
        let mut prompt = tokio::task::spawn_blocking(move || {
            let _left = board.as_ref().map(Board::leave);
            put(token, &asked, problem.as_deref(), &check)
        });
        let about = |ticket: &Ticket| open.iter().any(|pending| pending.id() == ticket.id());
        loop {
            tokio::select! {
                biased;
                decided = &mut prompt => {
                    return decided.unwrap_or_else(|error| Err(Left::Broken(io::Error::other(error))));
                }
                event = self.events.recv() => match event {
                    Some(TicketEvent::Closed { ticket, .. } | TicketEvent::Answered { ticket, .. })
                        if about(&ticket) =>
                    {
                        withdrawn.cancel();
                    }
                    Some(event) => self.note(event),
                    None => withdrawn.cancel(),
                },
            }
        }
    }

    /// Tells the broker what was decided. What it says against it is to be told to the person.
    async fn keep(&self, decided: Decided) -> Option<String> {
        let mut problem = None;
        for (id, answers) in decided {
            match self.broker.answer(id, answers).await {
                Ok(_) => {}
                Err(error) if error.kind() == TicketErrorKind::UnfitAnswer => {
                    problem = Some(error.to_string());
                }
                Err(error) => tell(&error),
            }
        }
        problem
    }
}

/// The broker's say in an answer before it is given, on a thread that may block.
struct Check {
    broker: TicketBroker,
    runtime: Handle,
}

impl Check {
    /// Returns what speaks against answers, so that whoever wrote them can go on writing.
    fn problem(&self, id: TicketId, answers: Answers) -> Option<String> {
        match self.runtime.block_on(self.broker.check(id, answers)) {
            Err(error) if error.kind() == TicketErrorKind::UnfitAnswer => Some(error.to_string()),
            // Any other error is reported when the answer is given.
            _ => None,
        }
    }
}

/// Puts one prompt about all that is open, on a thread that may block.
fn put(
    withdrawn: CancellationToken,
    open: &[OpenTicket],
    problem: Option<&str>,
    check: &Check,
) -> Result<Decided, Left> {
    let mut terminal = Terminal::open(withdrawn)?;
    if let Some(problem) = problem {
        terminal.tell(&sheet::problem(problem))?;
    }
    match open {
        [] => Ok(Vec::new()),
        [one] => Ok(vec![(one.id(), put_one(&mut terminal, one, check)?)]),
        several => {
            // A request that is no approval takes more than a yes.
            let approval = |pending: &&OpenTicket| pending.ticket().kind() == WaitKind::Approval;
            match several.iter().find(|pending| !approval(pending)) {
                None => batch::put(&mut terminal, several, check),
                Some(other) => Ok(vec![(other.id(), put_one(&mut terminal, other, check)?)]),
            }
        }
    }
}

fn put_one(terminal: &mut Terminal, pending: &OpenTicket, check: &Check) -> Result<Answers, Left> {
    match pending.ticket().kind() {
        WaitKind::Approval => approval::put(terminal, pending, check),
        WaitKind::Question => question::put(terminal, pending, check),
        _ => value::put(terminal, pending, check),
    }
}

/// Tells of what went wrong beside a prompt.
fn tell(problem: &dyn Display) {
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(
        io::stderr(),
        "workbench: {}",
        safe::text(&problem.to_string())
    );
}
