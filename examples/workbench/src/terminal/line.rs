//! A line that is filled in.

use crossterm::event::{Event, KeyCode};
use crossterm::style::Stylize as _;
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};
use unicode_width::UnicodeWidthStr as _;

use super::{Left, Terminal, safe, size};

const HELP: &str = "Enter takes it; Esc goes back, Ctrl-C cancels";

impl Terminal {
    /// Has a line filled in, from a text that may be changed. Lines that are pasted come to be one, with a
    /// space between them.
    pub(crate) fn line(&mut self, title: &str, text: &str) -> Result<String, Left> {
        self.fill_in(title, text, Form::Line)
    }

    /// Has a text filled in, in which lines that are pasted stay lines.
    pub(crate) fn lines(&mut self, title: &str, text: &str) -> Result<String, Left> {
        self.fill_in(title, text, Form::Lines)
    }

    /// Has a line filled in that nobody is to read over the shoulder.
    pub(crate) fn secret(&mut self, title: &str) -> Result<String, Left> {
        self.fill_in(title, "", Form::Secret)
    }

    fn fill_in(&mut self, title: &str, text: &str, form: Form) -> Result<String, Left> {
        let mut input = Input::new(form.take(text));
        loop {
            let (columns, _) = size();
            let room = columns.saturating_sub(PROMPT.len() + 1).max(1);
            let shown = match form {
                Form::Secret => "*".repeat(input.value().chars().count()),
                // Lines have line breaks, which take a column each as well.
                _ => input.value().replace('\n', "↵"),
            };
            let (before, after) = match shown.char_indices().nth(input.cursor()) {
                Some((at, _)) => shown.split_at(at),
                None => (shown.as_str(), ""),
            };
            let begin = safe::end(before, room.saturating_sub(1));
            let lines = [
                safe::fit(title, columns).bold().to_string(),
                format!(
                    "{PROMPT}{begin}{}",
                    rest(after, room - safe::columns_of(begin))
                ),
                safe::fit(HELP, columns).dark_grey().to_string(),
            ];
            let cursor = PROMPT.len() + begin.width();
            self.draw(&lines, Some((1, cursor)))?;
            match self.event()? {
                // Line breaks would take it before it was read.
                Event::Paste(text) => {
                    for c in form.take(text.trim_end_matches(['\r', '\n'])).chars() {
                        input.handle(InputRequest::InsertChar(c));
                    }
                }
                event => match event.as_key_press_event().map(|key| key.code) {
                    Some(KeyCode::Enter) => break,
                    Some(KeyCode::Esc) => return Err(Left::Back),
                    _ => {
                        if let Some(request) = to_input_request(&event) {
                            input.handle(request);
                        }
                    }
                },
            }
        }
        self.clear()?;
        Ok(input.value().to_owned())
    }
}

const PROMPT: &str = "> ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Line,
    Lines,
    Secret,
}

impl Form {
    /// Returns what of a text can be filled in: characters that are shown, and spaces for what parts words.
    fn take(self, text: &str) -> String {
        // Terminals paste a return for each line break.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let taken = text.chars().filter_map(|c| match c {
            '\n' if self == Self::Lines => Some(c),
            '\n' | '\t' => Some(' '),
            c => safe::is_shown(c).then_some(c),
        });
        taken.collect()
    }
}

/// As much of a text as fits into so many columns, with a note that it goes on.
fn rest(text: &str, columns: usize) -> String {
    match columns {
        0 | 1 => String::new(),
        columns => safe::fit(text, columns),
    }
}
