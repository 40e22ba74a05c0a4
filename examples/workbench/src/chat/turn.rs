//! A message of the person, and everything up to the model's last word about it.

use std::io::{self, Write as _};

use toolwright_providers::{AssistantMessage, Message, ModelTools, StopReason, StreamEvent};

use super::Talk;
use super::failure::ChatError;
use crate::run::Status;
use crate::terminal::{self, safe};
use crate::watch::Watch;

/// The most columns that a call takes on the screen before it runs.
const SHOWN: usize = 160;

impl Talk<'_, '_> {
    /// Sends a message and runs the calls of the model, until it says its last word or Ctrl-C ends it. The history is then
    /// one that the API takes: a message without any answer is taken back.
    pub(super) async fn exchange(&mut self, text: &str) -> Result<(), ChatError> {
        let turn = self.session.turn();
        let tools = ModelTools::new(self.provider.api(), &turn);
        // The entries that the API takes as they are: no question without an answer, no call without a result.
        let mut whole = self.history.len();
        self.history.push(tools.user(text));
        for _ in 0..self.max_turns.get() {
            let asked = {
                let mut interrupt = self.interrupt.clone();
                tokio::select! {
                    biased;
                    () = interrupt.come() => Err(ChatError::Interrupted),
                    answer = self.ask(&tools) => answer,
                }
            };
            let kept = asked.and_then(|answer| Ok((self.keep(&answer)?, answer)));
            let (own, answer) = match kept {
                Ok(kept) => kept,
                Err(error) => {
                    self.history.truncate(whole);
                    return Err(error);
                }
            };
            // The calls that are cancelled end with a result each, so that the history stays whole.
            let mut interrupt = self.interrupt.clone();
            let reply = {
                let answering = tools.answer(&answer);
                tokio::pin!(answering);
                tokio::select! {
                    biased;
                    reply = &mut answering => reply,
                    () = interrupt.come() => {
                        turn.cancel();
                        answering.await
                    }
                }
            };
            // The same text has been read before, so that this is no error.
            let reply = reply?;
            for outcome in &reply.outcomes {
                self.tell(outcome);
                self.has_denied |= matches!(Status::of(outcome), Status::Denied);
            }
            let is_done = !reply.has_calls() && reply.stop_reason != StopReason::Paused;
            let stop = reply.stop_reason.clone();
            self.history.extend(reply.messages.into_iter().skip(own));
            whole = self.history.len();
            self.write()?;
            if is_done {
                if !matches!(stop, StopReason::Finished | StopReason::Unknown) {
                    let _ = writeln!(
                        io::stderr(),
                        "[the model stopped: {}]",
                        safe::line(&stop.to_string())
                    );
                }
                return Ok(());
            }
            if self.interrupt.code().is_some() {
                return Err(ChatError::Interrupted);
            }
        }
        Err(ChatError::MaxTurns(self.max_turns))
    }

    /// Adds the model's message to the history, and returns the number of its entries. The transcript gets it before the calls
    /// run: if the process is killed meanwhile, it still tells which calls may have run.
    fn keep(&mut self, answer: &str) -> Result<usize, ChatError> {
        let own = AssistantMessage::read(self.provider.api(), answer)?.into_messages();
        let count = own.len();
        self.history.extend(own);
        self.write()?;
        Ok(count)
    }

    fn write(&mut self) -> Result<(), ChatError> {
        match &mut self.transcript {
            Some(transcript) => transcript.write(&self.history),
            None => Ok(()),
        }
    }

    /// Sends the history, and shows the answer as it comes.
    async fn ask(&self, tools: &ModelTools<'_>) -> Result<String, ChatError> {
        let instructions = self.provider.instructions();
        let all: Vec<Message> = instructions
            .into_iter()
            .chain(self.history.iter().cloned())
            .collect();
        let body = tools.request(&self.provider.settings(), &all)?;
        let board = self.bench.watch.map(Watch::board);
        let raw = self.bench.cli.raw;
        let mut page = Page::default();
        let answer = self
            .client
            .ask(&self.provider, &body, |event| {
                let mut show = || page.show(&event, raw);
                match board {
                    Some(board) => board.around(show),
                    None => show(),
                }
            })
            .await;
        // The next text begins a line, however the answer ended.
        let ended = page.end().map_err(ChatError::Output);
        let answer = answer?;
        ended.map(|()| answer)
    }

    /// Tells the end of a call.
    fn tell(&self, outcome: &toolwright::ToolOutcome) {
        let result = outcome.result();
        let write = || {
            let tool = safe::line(result.tool());
            let line = match result.error() {
                None => format!("[{tool}: done]"),
                Some(error) => {
                    let text = toolwright::text::one_line(&error.to_string(), SHOWN);
                    format!(
                        "[{tool}: {}: {}]",
                        safe::line(error.code()),
                        safe::line(&text)
                    )
                }
            };
            // `eprintln!` panics where nobody reads it.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match self.bench.watch.map(Watch::board) {
            Some(board) => {
                board.ended(result.invocation_id());
                board.around(write);
            }
            None => write(),
        }
    }
}

/// The text of an answer on its way to standard output.
#[derive(Debug, Default)]
struct Page {
    /// True if the last line has not ended.
    is_open: bool,
}

impl Page {
    fn show(&mut self, event: &StreamEvent, raw: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match event {
            StreamEvent::Text(text) if !text.is_empty() => {
                let text = if raw { text.clone() } else { safe::text(text) };
                self.is_open = !text.ends_with('\n');
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            StreamEvent::CallStarted { name, .. } => {
                if std::mem::take(&mut self.is_open) {
                    writeln!(out)?;
                }
                drop(out);
                let line =
                    terminal::wrapped(&format!("[calls {}]", safe::line(name)), 0, &io::stderr());
                let _ = writeln!(io::stderr(), "{line}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_open) {
            writeln!(io::stdout())?;
        }
        io::stdout().flush()
    }
}
