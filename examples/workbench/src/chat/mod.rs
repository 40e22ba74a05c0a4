//! `workbench chat`: a person talks to a model that uses the tools.

mod args;
mod failure;
mod http;
mod provider;
mod transcript;
mod turn;
mod unfinished;

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use toolwright::Session;
use toolwright_providers::Message;

pub(crate) use self::args::{Chat, ChatApi};
pub(crate) use self::failure::ChatError;
use self::http::Client;
use self::provider::Provider;
pub(crate) use self::transcript::is_header;
use self::transcript::{Kept, Transcript};
use crate::cli::{Cli, Problem};
use crate::interrupt::Interrupt;
use crate::outside::must_be_outside;
use crate::prompt::Prompter;
use crate::run::Bench;
use crate::source::{Source, standard_input};
use crate::terminal;
use crate::watch::Watch;

/// A conversation.
struct Talk<'b, 'c> {
    bench: &'b Bench<'c>,
    session: Session,
    interrupt: Interrupt,
    client: Client,
    provider: Provider,
    history: Vec<Message>,
    transcript: Option<Transcript>,
    max_turns: NonZeroU32,
    /// True if a call was denied.
    has_denied: bool,
}

/// Refuses to show a key of an API to shell lines.
fn check_environment(cli: &Cli) -> Result<(), ChatError> {
    #[cfg(unix)]
    for variable in &cli.env {
        let kinds = [ChatApi::Openai, ChatApi::Anthropic, ChatApi::Gemini];
        let mut keys = kinds.iter().flat_map(|kind| kind.variables());
        if keys.any(|name| *name == variable.name()) {
            return Err(ChatError::KeyForShell(variable.name().to_owned()));
        }
    }
    let _ = cli;
    Ok(())
}

/// Talks until the person ends it, or about one message.
pub(crate) async fn chat(bench: &Bench<'_>, chat: &Chat) -> Result<ExitCode, Problem> {
    check_environment(bench.cli)?;
    let mut chat = chat.clone();
    let mut kept = None;
    if let Some(path) = chat.resume.clone() {
        must_be_outside(bench.cli, &path)?;
        kept = Some((transcript::read(&path, &mut chat)?, path));
    }
    let provider = Provider::of(&chat)?;
    let client = Client::new()?;
    let is_dialogue = chat.message.is_none() && terminal::is_attended();
    let message = match &chat.message {
        Some(message) => Some(message.clone()),
        None if is_dialogue => None,
        None => Some(standard_input()?),
    };
    if message
        .as_deref()
        .is_some_and(|text| text.trim().is_empty())
    {
        return Err(ChatError::NoMessage.into());
    }
    let (history, transcript) = match (kept, &chat.transcript) {
        (Some((kept, path)), _) => {
            let (history, transcript) = go_on(&provider, kept, &path)?;
            (history, Some(transcript))
        }
        (None, Some(path)) => {
            must_be_outside(bench.cli, path)?;
            let transcript = Transcript::create(path, &chat, &provider)?;
            (Vec::new(), Some(transcript))
        }
        (None, None) => (Vec::new(), None),
    };
    let interrupt = bench.listen_for_turns()?;
    let _announcer = bench.announce(terminal::is_attended());
    let mut talk = Talk {
        session: bench.executor.session(bench.session_id()),
        bench,
        interrupt,
        client,
        provider,
        history,
        transcript,
        max_turns: chat.max_turns,
        has_denied: false,
    };
    let code = match message {
        Some(message) => talk.answer(&message).await,
        None => talk.dialogue().await?,
    };
    if let Some(watch) = bench.watch {
        watch.end().await;
    }
    Ok(ExitCode::from(code))
}

/// Goes on with a transcript. Of one whose process was killed it tells what is missing.
fn go_on(
    provider: &Provider,
    mut kept: Kept,
    path: &Path,
) -> Result<(Vec<Message>, Transcript), ChatError> {
    let repair = unfinished::repair(provider.api(), &mut kept);
    let mut out = io::stderr();
    // `eprintln!` panics where nobody reads it.
    if kept.is_torn {
        let _ = writeln!(
            out,
            "[the last line of the transcript was not written to its end, and is cut off]"
        );
    }
    if repair.took_back {
        let _ = writeln!(out, "[the last message had no answer, and is taken back]");
    }
    if !repair.calls.is_empty() {
        let _ = writeln!(
            out,
            "[the transcript has no result of {}: the model reads that the call may have run]",
            terminal::safe::line(&repair.calls.join(", "))
        );
    }
    let mut transcript = Transcript::go_on(path, &kept)?;
    let mut history = kept.history;
    history.extend(repair.results);
    transcript.write(&history)?;
    Ok((history, transcript))
}

impl Talk<'_, '_> {
    /// Answers one message, and tells what went wrong; returns the exit code.
    async fn answer(&mut self, message: &str) -> u8 {
        let prompter = terminal::is_attended().then(|| {
            let board = self.bench.watch.map(|watch| Arc::clone(watch.board()));
            Prompter::start(self.bench.executor.tickets(), self.interrupt.clone(), board)
        });
        let answered = self.exchange(message).await;
        if let Some(prompter) = prompter {
            prompter.end().await;
        }
        match answered {
            Ok(()) if self.has_denied => 3,
            Ok(()) => 0,
            Err(ChatError::Interrupted) => {
                let _ = writeln!(io::stderr(), "[interrupted]");
                self.interrupt.code().unwrap_or(130)
            }
            Err(error) => {
                let tell = || crate::tell(&error.into());
                match self.bench.watch.map(Watch::board) {
                    Some(board) => board.around(tell),
                    None => tell(),
                }
                if self.has_denied { 3 } else { 1 }
            }
        }
    }

    /// Answers line by line, until the person ends it.
    async fn dialogue(&mut self) -> Result<u8, Problem> {
        let mut lines = Source::open("-".as_ref())?.lines();
        let _ = writeln!(
            io::stderr(),
            "{} of the API `{}`. Ctrl-C ends an answer, Ctrl-D the conversation.",
            terminal::safe::line(&self.provider.model),
            self.provider.kind.name()
        );
        loop {
            let _ = write!(io::stderr(), "> ");
            let mut interrupt = self.interrupt.clone();
            let line = tokio::select! {
                biased;
                () = interrupt.come() => None,
                line = lines.next() => line,
            };
            let Some(line) = line.transpose()? else {
                let _ = writeln!(io::stderr());
                return Ok(self.interrupt.code().unwrap_or(0));
            };
            let line = line.unwrap_or_default();
            let line = String::from_utf8_lossy(line.trim_ascii());
            if line.is_empty() {
                continue;
            }
            self.answer(&line).await;
            match self.interrupt.code() {
                // The program itself is asked to end.
                Some(code) if code != 130 => return Ok(code),
                _ => self.interrupt.clear(),
            }
        }
    }
}
