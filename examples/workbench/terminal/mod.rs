//! The terminal of the person who is asked: menus, lists to mark, lines to fill in.
//!
//! # Why not a crate of prompts
//!
//! `inquire` (0.9, maintained, on `crossterm`) and `dialoguer` (0.12, maintained, on `console`) have all
//! these forms, and block in a read until a key comes. Neither can be told to give up, and a question
//! must go when its call was cancelled, has ended or was answered elsewhere: else the next key would
//! answer what nobody asks any more, and a signal would find the terminal in its raw mode.
//! `promkit` can be left, and is young and brings a runtime's worth of crates. So the forms are drawn here,
//! on [`crossterm`], which nearly all terminal programs in Rust stand on, and the line that is filled
//! in is [`tui_input`]'s. Both are MIT.
//!
//! # While a question is open
//!
//! The terminal is in raw mode, in which Ctrl-C is a key: it is [`Left::Interrupted`], and whoever asked
//! treats it as the signal. The guard restores the modes however the question ends. Standard error is
//! held for so long, so that nothing is written into the question.

mod line;
mod menu;
mod pages;
pub(crate) mod safe;

use std::io::{self, IsTerminal as _, StderrLock, Write as _};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveToColumn, MoveUp, Show};
use crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind,
    KeyModifiers,
};
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{execute, queue};
use tokio_util::sync::CancellationToken;

pub(crate) use self::menu::Row;
pub(crate) use self::pages::{Pages, Read};

/// How soon it is noticed that a question was withdrawn.
const LOOK: Duration = Duration::from_millis(50);

/// How long no key has to come before something is asked: what is typed on, or held down, was meant
/// for what was there before.
const REST: Duration = Duration::from_millis(300);

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) enum Left {
    /// Nobody asks any more.
    Withdrawn,
    /// By Ctrl-C.
    Interrupted,
    /// By Esc: to what was asked before.
    Back,
    /// The terminal cannot be used.
    Broken(io::Error),
}

impl From<io::Error> for Left {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Whether there is a person to ask: somebody who types and who reads.
pub(crate) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The terminal while something is asked.
pub(crate) struct Terminal {
    out: StderrLock<'static>,
    withdrawn: CancellationToken,
    /// How many lines the question takes that is drawn, and on which of them the cursor is.
    drawn: Option<(usize, usize)>,
    /// Nothing while another program has the terminal.
    raw: Option<Raw>,
}

/// Raw mode, until it is dropped.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let raw = Self;
        execute!(io::stderr(), EnableBracketedPaste)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Sets the terminal back to what it was before a question, if one is open.
fn restore() {
    if matches!(terminal::is_raw_mode_enabled(), Ok(true)) {
        // A terminal that is gone needs none of it.
        let _ = execute!(io::stderr(), DisableBracketedPaste, Show);
        let _ = terminal::disable_raw_mode();
    }
}

/// Sets the modes of the terminal back, without waiting for whoever asks: for an exit at once.
pub(crate) fn leave() {
    if matches!(terminal::is_raw_mode_enabled(), Ok(true)) {
        let _ = terminal::disable_raw_mode();
    }
}

/// What is told above a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// The words of workbench.
    Ours(String),
    /// The words of others, at a bar that tells them apart.
    Theirs(String),
    /// Likewise, what is added or taken away.
    Added(String),
    Removed(String),
}

impl Terminal {
    /// Takes the terminal, to ask until the question is withdrawn. What was typed before is dropped:
    /// it was no answer.
    pub(crate) fn open(withdrawn: CancellationToken) -> Result<Self, Left> {
        let raw = Raw::enter()?;
        let mut terminal = Self {
            out: io::stderr().lock(),
            withdrawn,
            drawn: None,
            raw: Some(raw),
        };
        terminal.rest()?;
        Ok(terminal)
    }

    /// Waits until the keys rest, and drops what is typed until then.
    pub(crate) fn rest(&mut self) -> Result<(), Left> {
        let mut last = Instant::now();
        while last.elapsed() < REST {
            if let Some(Event::Key(_) | Event::Paste(_)) = self.look()? {
                last = Instant::now();
            }
        }
        Ok(())
    }

    /// Writes lines that stay.
    pub(crate) fn tell(&mut self, told: &[Told]) -> Result<(), Left> {
        self.clear()?;
        let mut pages = Pages::new(told.to_vec());
        pages.write(&mut self.out, columns(), usize::MAX)?;
        Ok(self.out.flush()?)
    }

    /// Cancelled once nobody asks any more.
    pub(crate) fn withdrawn(&self) -> &CancellationToken {
        &self.withdrawn
    }

    /// Lets another program have the terminal for a while.
    pub(crate) fn lend<T>(&mut self, program: impl FnOnce() -> T) -> Result<T, Left> {
        self.clear()?;
        drop(self.raw.take());
        let done = program();
        self.raw = Some(Raw::enter()?);
        Ok(done)
    }

    /// The next key or other event, unless the question is left.
    fn event(&mut self) -> Result<Event, Left> {
        loop {
            match self.look()? {
                None => {}
                Some(Event::Key(key)) if key.kind == KeyEventKind::Release => {}
                Some(event) => return Ok(event),
            }
        }
    }

    /// The next event, if one comes within a moment.
    fn look(&mut self) -> Result<Option<Event>, Left> {
        if self.withdrawn.is_cancelled() {
            return Err(Left::Withdrawn);
        }
        if !event::poll(wait(LOOK)?)? {
            return Ok(None);
        }
        let event = event::read()?;
        if is_interrupt(&event) {
            return Err(Left::Interrupted);
        }
        Ok(Some(event))
    }

    /// Draws the question anew, with the cursor where it belongs, if it is seen: line and column.
    fn draw(&mut self, lines: &[String], cursor: Option<(usize, usize)>) -> Result<(), Left> {
        self.clear()?;
        let last = lines.len().saturating_sub(1);
        for (number, line) in lines.iter().enumerate() {
            write!(self.out, "{line}")?;
            if number < last {
                write!(self.out, "\r\n")?;
            }
        }
        let mut at = last;
        match cursor {
            Some((line, column)) => {
                up(&mut self.out, last.saturating_sub(line))?;
                at = line.min(last);
                let column = u16::try_from(column).unwrap_or(u16::MAX);
                queue!(self.out, MoveToColumn(column), Show)?;
            }
            None => queue!(self.out, Hide)?,
        }
        self.drawn = Some((lines.len(), at));
        Ok(self.out.flush()?)
    }

    /// Takes the question away.
    fn clear(&mut self) -> Result<(), Left> {
        if let Some((_, at)) = self.drawn.take() {
            up(&mut self.out, at)?;
            queue!(
                self.out,
                MoveToColumn(0),
                Clear(ClearType::FromCursorDown),
                Show
            )?;
            self.out.flush()?;
        }
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A terminal that is gone needs none of it.
        let _ = self.clear();
    }
}

/// Waits for keys, and tells how long is still to be waited for other events. `crossterm` would read
/// from a terminal that is gone for ever, in a loop that nothing ends.
#[cfg(unix)]
fn wait(time: Duration) -> io::Result<Duration> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    let stdin = io::stdin();
    let mut keys = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut keys, Some(&time)) {
        // The terminal has another size, perhaps.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    let [keys] = &keys;
    if keys.revents().intersects(gone) {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "nobody is there any more",
        ));
    }
    Ok(Duration::ZERO)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on other systems it can fail")]
fn wait(time: Duration) -> io::Result<Duration> {
    Ok(time)
}

fn columns() -> usize {
    let (columns, _) = size();
    columns
}

/// Columns and rows. The last column is left free: what is written there moves some cursors on.
fn size() -> (usize, usize) {
    // A terminal that says 0 does not know.
    let known = terminal::size()
        .ok()
        .filter(|size| size.0 > 0 && size.1 > 0);
    let (columns, rows) = known.unwrap_or((80, 24));
    (usize::from(columns.max(8)) - 1, usize::from(rows.max(5)))
}

/// Up by no line would be up by one.
fn up(out: &mut impl io::Write, lines: usize) -> io::Result<()> {
    match u16::try_from(lines) {
        Ok(0) => Ok(()),
        Ok(lines) => queue!(out, MoveUp(lines)),
        Err(_) => queue!(out, MoveUp(u16::MAX)),
    }
}

fn is_interrupt(event: &Event) -> bool {
    matches!(
        event,
        Event::Key(KeyEvent { code: KeyCode::Char('c'), modifiers, kind: KeyEventKind::Press, .. })
            if modifiers.contains(KeyModifiers::CONTROL)
    )
}
