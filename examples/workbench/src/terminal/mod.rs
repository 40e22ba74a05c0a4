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
#[cfg_attr(not(unix), path = "no_quiet.rs")]
mod quiet;
pub(crate) mod safe;

use std::io::{self, IsTerminal, StderrLock, Write as _};
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
pub(crate) use self::quiet::Quiet;

/// The time between checks that the question is still asked.
const LOOK: Duration = Duration::from_millis(50);

/// The time without keys before a question: keys that are typed on, or held down, were meant for the screen before.
const REST: Duration = Duration::from_millis(300);

/// The reasons why a question has no answer.
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

/// Returns true if there is a person who types and reads.
pub(crate) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The terminal while something is asked.
pub(crate) struct Terminal {
    out: StderrLock<'static>,
    withdrawn: CancellationToken,
    /// The question that is on the screen.
    drawn: Option<Drawn>,
    /// A key came since the keys rested.
    typed: bool,
    /// Nothing while another program has the terminal.
    raw: Option<Raw>,
}

/// A question as it was drawn.
#[derive(Debug)]
struct Drawn {
    /// The columns of each line down to that of the cursor.
    lines: Vec<usize>,
    /// The columns before the cursor.
    cursor: usize,
}

impl Drawn {
    /// Returns the number of rows above that of the cursor. A terminal that was made narrower since breaks
    /// lines, as most do.
    fn above(&self, columns: usize) -> usize {
        let Some((_, above)) = self.lines.split_last() else {
            return 0;
        };
        let rows = |line: &usize| line.saturating_sub(1) / columns + 1;
        above.iter().map(rows).sum::<usize>() + self.cursor / columns
    }
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

/// The lines above a question.
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
            typed: true,
            raw: Some(raw),
        };
        terminal.rest()?;
        Ok(terminal)
    }

    /// Waits until the keys rest, and drops what is typed until then: it was typed before what comes
    /// next was on the screen. Returns at once if no key came since the keys rested last.
    fn rest(&mut self) -> Result<(), Left> {
        if !self.typed {
            return Ok(());
        }
        self.clear()?;
        let mut last = Instant::now();
        while last.elapsed() < REST {
            if let Some(Event::Key(_) | Event::Paste(_)) = self.look()? {
                last = Instant::now();
            }
        }
        self.typed = false;
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
        let is_there = is_there(wait, event::poll)? || (stir()? && event::poll(Duration::ZERO)?);
        if !is_there {
            return Ok(None);
        }
        let event = event::read()?;
        if is_interrupt(&event) {
            return Err(Left::Interrupted);
        }
        self.typed |= matches!(event, Event::Key(_) | Event::Paste(_));
        Ok(Some(event))
    }

    /// Draws the question anew, with the cursor where it belongs, if it is seen: line and column.
    fn draw(&mut self, lines: &[String], cursor: Option<(usize, usize)>) -> Result<(), Left> {
        // Written as a whole, so that it is never seen in part.
        let mut frame = Vec::new();
        self.erase(&mut frame)?;
        let last = lines.len().saturating_sub(1);
        write!(frame, "{}", lines.join("\r\n"))?;
        let mut drawn = Drawn {
            lines: lines
                .iter()
                .map(|line| safe::columns_of_styled(line))
                .collect(),
            cursor: 0,
        };
        if let Some((line, column)) = cursor {
            up(&mut frame, last.saturating_sub(line))?;
            drawn.lines.truncate(line + 1);
            drawn.cursor = column;
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            queue!(frame, MoveToColumn(column), Show)?;
        } else {
            // It stays behind the last character.
            drawn.cursor = drawn.lines.last().map_or(0, |line| line.saturating_sub(1));
            queue!(frame, Hide)?;
        }
        self.drawn = Some(drawn);
        self.out.write_all(&frame)?;
        Ok(self.out.flush()?)
    }

    /// Takes the question away.
    fn clear(&mut self) -> Result<(), Left> {
        let mut frame = Vec::new();
        self.erase(&mut frame)?;
        self.out.write_all(&frame)?;
        Ok(self.out.flush()?)
    }

    fn erase(&mut self, frame: &mut Vec<u8>) -> io::Result<()> {
        if let Some(drawn) = self.drawn.take() {
            // The last column is left free where lines are drawn.
            up(frame, drawn.above(columns() + 1))?;
            let below = Clear(ClearType::FromCursorDown);
            queue!(frame, MoveToColumn(0), below, Show)?;
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

/// Returns true if an event is there: at once if one is queued, else within a moment.
fn is_there(
    mut wait: impl FnMut(Duration) -> io::Result<Duration>,
    mut poll: impl FnMut(Duration) -> io::Result<bool>,
) -> io::Result<bool> {
    // Keys that were read together with the one before them are queued, and the descriptor has no more
    // of them to wait for.
    Ok(poll(wait(Duration::ZERO)?)? || poll(wait(LOOK)?)?)
}

/// Has keys that are left in the terminal reported, and returns true if there are any. `crossterm` reads 1024
/// bytes at a time, and waits for news of the rest, which come with the next key only.
#[cfg(unix)]
fn stir() -> io::Result<bool> {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    if !is_ready(Duration::ZERO)? {
        return Ok(false);
    }
    // A terminal tells of itself again when its modes are set, also if they are what they were.
    let modes = tcgetattr(&stdin)?;
    tcsetattr(&stdin, OptionalActions::Now, &modes)?;
    Ok(true)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on other systems it can fail")]
fn stir() -> io::Result<bool> {
    Ok(false)
}

/// Waits for keys, and tells how long is still to be waited for other events. `crossterm` would read
/// from a terminal that is gone for ever, in a loop that nothing ends.
#[cfg(unix)]
fn wait(time: Duration) -> io::Result<Duration> {
    is_ready(time).map(|_| Duration::ZERO)
}

/// Returns true if there are keys, or as soon as there are, within a time.
#[cfg(unix)]
fn is_ready(time: Duration) -> io::Result<bool> {
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
    Ok(keys.revents().contains(PollFlags::IN))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on other systems it can fail")]
fn wait(time: Duration) -> io::Result<Duration> {
    Ok(time)
}

/// Returns a text in lines that are broken between words where the terminal would break them within, if it
/// goes to one. Lines after the first of each begin with so many spaces.
pub(crate) fn wrapped(text: &str, indent: usize, to: &impl IsTerminal) -> String {
    if !to.is_terminal() {
        return text.to_owned();
    }
    let columns = columns();
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let (mut row, mut rest) = safe::wrap(line, columns);
        wrapped.push_str(row);
        while !rest.is_empty() {
            (row, rest) = safe::wrap(rest, columns.saturating_sub(indent).max(1));
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            wrapped.push_str(row);
        }
        wrapped.push_str(end);
    }
    wrapped
}

pub(crate) fn columns() -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_taken_away_as_a_whole_from_a_narrower_terminal() {
        let menu = Drawn {
            lines: vec![17, 18, 30, 62],
            cursor: 61,
        };
        for (columns, above) in [(100, 3), (62, 3), (30, 5), (17, 8)] {
            assert_eq!(menu.above(columns), above, "{columns}");
        }
    }

    #[test]
    fn what_is_queued_is_not_waited_for() {
        for (queued, expected) in [
            (true, &[Duration::ZERO][..]),
            (false, &[Duration::ZERO, LOOK]),
        ] {
            let mut waits = Vec::new();
            let wait = |time| {
                waits.push(time);
                Ok(Duration::ZERO)
            };
            assert_eq!(is_there(wait, |_| Ok(queued)).unwrap(), queued);
            assert_eq!(waits, expected);
        }
    }
}
