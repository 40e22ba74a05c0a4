//! The bars of the calls that run, and what is written above them.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveToColumn;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;
use toolwright::event::{EventKind, ReceivedEvent};
use toolwright::id::InvocationId;

use crate::terminal::{Quiet, safe};

/// The time between moves of the bars.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// The time that a call runs before it gets a bar: most have ended by then.
const PATIENCE: Duration = Duration::from_millis(300);

/// The value of a full bar.
const WHOLE: u64 = 1000;

/// The parts of standard error beside prompts.
pub(crate) struct Board {
    /// `None` if there is no terminal.
    bars: Option<MultiProgress>,
    /// True if the output of running calls is shown.
    live: bool,
    /// True if results are printed on the same terminal.
    keeps: bool,
    /// Held by whoever draws, so that nothing is drawn into a question.
    calls: Mutex<HashMap<InvocationId, Shown>>,
    /// The output of calls that have ended, if it is kept.
    printed: Mutex<HashMap<InvocationId, Printed>>,
    /// While a bar is on the screen.
    quiet: Mutex<Option<Quiet>>,
    /// True if a question is on the screen.
    asking: watch::Sender<bool>,
}

/// The output of a call on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Printed {
    All(String),
    /// Some of it was lost, or it is more than any result has.
    Parts,
}

/// The most bytes that are kept of what a call prints: more than `shell.run` returns.
const KEPT: usize = 64 * 1024;

/// A call that runs.
struct Shown {
    tool: String,
    begun: Instant,
    bar: Option<ProgressBar>,
    /// The start of a line that it has printed.
    line: String,
    message: String,
    fraction: Option<f64>,
    printed: Printed,
}

impl Board {
    pub(super) fn new(at_terminal: bool, live: bool, keeps: bool) -> Self {
        Self {
            bars: at_terminal.then(MultiProgress::new),
            live,
            keeps: live && keeps,
            calls: Mutex::default(),
            printed: Mutex::default(),
            quiet: Mutex::default(),
            asking: watch::Sender::new(false),
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<InvocationId, Shown>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn quiet(&self) -> MutexGuard<'_, Option<Quiet>> {
        self.quiet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the terminal be quiet for the first bar, on a line of its own: what was typed until then stands
    /// where it is to be.
    fn hush(&self) {
        let mut quiet = self.quiet();
        if quiet.is_none() {
            *quiet = Quiet::enter();
            if quiet.is_some() {
                // A terminal that is gone needs none of it.
                let _ = execute!(
                    io::stderr(),
                    MoveToColumn(0),
                    Clear(ClearType::UntilNewLine)
                );
            }
        }
    }

    /// Has the terminal show again what is typed, unless a bar is left.
    fn unhush(&self, calls: &HashMap<InvocationId, Shown>) {
        if *self.asking.borrow() || calls.values().all(|shown| shown.bar.is_none()) {
            *self.quiet() = None;
        }
    }

    /// Takes what a call that has ended has printed here, above where its result is to stand.
    pub(crate) fn printed(&self, call: InvocationId) -> Option<Printed> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.remove(&call)
    }

    /// Has the terminal show again what is typed, for an exit at once.
    pub(crate) fn abandon(&self) {
        *self.quiet() = None;
    }

    /// Waits until nothing is asked.
    pub(super) async fn is_free(&self) {
        // The sender is here.
        let _ = self.asking.subscribe().wait_for(|asking| !asking).await;
    }

    /// Leaves the terminal to a question, until the guard is dropped.
    pub(crate) fn leave(self: &Arc<Self>) -> Left {
        let drawing = self.calls();
        self.asking.send_replace(true);
        if let Some(bars) = &self.bars {
            // A terminal that is gone needs none of it.
            let _ = bars.clear();
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        self.unhush(&drawing);
        drop(drawing);
        Left(Arc::clone(self))
    }

    /// Writes to the terminal by other ways, with the bars out of the way.
    pub(crate) fn around<T>(&self, write: impl FnOnce() -> T) -> T {
        let _drawing = self.calls();
        match &self.bars {
            Some(bars) => bars.suspend(write),
            None => write(),
        }
    }

    /// The call has its outcome.
    pub(crate) fn ended(&self, call: InvocationId) {
        let mut calls = self.calls();
        let Some(shown) = calls.remove(&call) else {
            return;
        };
        self.remove(shown.bar);
        self.unhush(&calls);
        drop(calls);
        if self.keeps {
            let printed = self.printed.lock();
            let mut printed = printed.unwrap_or_else(PoisonError::into_inner);
            printed.insert(call, shown.printed);
        }
        if !shown.line.is_empty() {
            self.write(&(shown.line + "\n"));
        }
    }

    fn remove(&self, bar: Option<ProgressBar>) {
        if let (Some(bars), Some(bar)) = (&self.bars, bar) {
            bar.finish_and_clear();
            bars.remove(&bar);
        }
    }

    /// Takes all bars away.
    pub(super) fn clear(&self) {
        let calls: Vec<InvocationId> = self.calls().keys().copied().collect();
        for call in calls {
            self.ended(call);
        }
    }

    /// Shows what happened.
    pub(super) fn take(&self, received: &ReceivedEvent) {
        if self.live && received.lost() > 0 {
            let lost = received.lost();
            self.write(&format!(
                "[{lost} pieces are not shown: they came too fast]\n"
            ));
            for shown in self.calls().values_mut() {
                shown.printed = Printed::Parts;
            }
        }
        let event = received.event();
        let Some(call) = event.call() else {
            return;
        };
        match event.kind() {
            EventKind::Started => {
                let shown = Shown::new(call.tool());
                self.calls().insert(call.invocation(), shown);
            }
            EventKind::Finished { .. } | EventKind::Suspended { .. } => {
                self.ended(call.invocation());
            }
            EventKind::Progress {
                message, fraction, ..
            } => {
                if let Some(shown) = self.calls().get_mut(&call.invocation()) {
                    shown.message = safe::line(message);
                    shown.fraction = *fraction;
                    if shown.has_bar() {
                        self.update(shown);
                    }
                }
            }
            EventKind::Output { part, .. } => {
                if let Some(text) = part.as_text() {
                    self.print(call.invocation(), text);
                }
            }
            _ => {}
        }
    }

    /// Shows what a call prints.
    fn print(&self, call: InvocationId, text: &str) {
        if self.keeps
            && let Some(shown) = self.calls().get_mut(&call)
        {
            shown.printed.add(text);
        }
        // A printed line must not command the terminal of the person who watches.
        let text = safe::text(text);
        if self.live && self.bars.is_none() {
            return self.write(&text);
        }
        let mut calls = self.calls();
        let Some(shown) = calls.get_mut(&call) else {
            return;
        };
        // A bar stands at the start of a line, so what is above it are whole lines.
        shown.line.push_str(&text);
        let rest = shown.line.rfind('\n').map_or(0, |end| end + 1);
        let rest = shown.line.split_off(rest);
        let lines = std::mem::replace(&mut shown.line, rest);
        if self.live {
            shown.message.clone_from(&shown.line);
        } else if let Some(last) = lines.lines().last() {
            last.clone_into(&mut shown.message);
            shown.line.clear();
        }
        if let Some(bar) = &shown.bar {
            bar.set_message(shown.message.clone());
        }
        drop(calls);
        if self.live && !lines.is_empty() {
            self.write(&lines);
        }
    }

    fn write(&self, text: &str) {
        self.around(|| {
            // Nobody may be reading, which is no reason to stop.
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }

    /// Moves the bars, and gives one to each call that has run for a while.
    pub(super) fn tick(&self) {
        let mut calls = self.calls();
        if self.bars.is_none() || *self.asking.borrow() {
            return;
        }
        for shown in calls.values_mut() {
            match &shown.bar {
                Some(bar) => bar.tick(),
                None if shown.has_bar() => self.update(shown),
                None => {}
            }
        }
    }

    /// Has the bar of a call be what the call has told.
    fn update(&self, shown: &mut Shown) {
        let Some(bars) = &self.bars else {
            return;
        };
        let bar = shown.bar.get_or_insert_with(|| {
            self.hush();
            let bar = bars.add(ProgressBar::new(WHOLE));
            bar.set_prefix(shown.tool.clone());
            bar.with_elapsed(shown.begun.elapsed())
        });
        bar.set_style(style(shown.fraction.is_some()));
        if let Some(fraction) = shown.fraction {
            bar.set_position(thousandths(fraction));
        }
        bar.set_message(shown.message.clone());
        bar.tick();
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction is from 0 to 1"
)]
fn thousandths(fraction: f64) -> u64 {
    (fraction * 1000.0) as u64
}

fn style(is_measured: bool) -> ProgressStyle {
    let template = if is_measured {
        "{prefix} [{bar:20}] {percent:>3}% {elapsed} {wide_msg}"
    } else {
        "{prefix} {spinner} {elapsed} {wide_msg}"
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ").tick_chars("|/-\\ ")
}

impl Shown {
    fn has_bar(&self) -> bool {
        self.bar.is_some() || self.begun.elapsed() >= PATIENCE
    }

    fn new(tool: &str) -> Self {
        Self {
            tool: safe::line(tool),
            begun: Instant::now(),
            bar: None,
            line: String::new(),
            message: String::new(),
            fraction: None,
            printed: Printed::All(String::new()),
        }
    }
}

impl Printed {
    fn add(&mut self, text: &str) {
        match self {
            Self::All(all) if all.len() + text.len() <= KEPT => all.push_str(text),
            _ => *self = Self::Parts,
        }
    }
}

/// While something is asked.
pub(crate) struct Left(Arc<Board>);

impl Drop for Left {
    fn drop(&mut self) {
        let _drawing = self.0.calls();
        if let Some(bars) = &self.0.bars {
            bars.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.0.asking.send_replace(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_moves_by_thousandths() {
        for (fraction, position) in [(0.0, 0), (0.5, 500), (1.0, WHOLE)] {
            assert_eq!(thousandths(fraction), position);
        }
    }
}
