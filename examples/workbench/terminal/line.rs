//! A line that is filled in.

use crossterm::event::{Event, KeyCode};
use crossterm::style::Stylize as _;
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};
use unicode_width::UnicodeWidthStr as _;

use super::{Left, Terminal, safe, size};

const HELP: &str = "Enter takes it; Esc goes back, Ctrl-C cancels";

impl Terminal {
    /// Has a line filled in, from a text that may be changed.
    pub(crate) fn line(&mut self, title: &str, text: &str) -> Result<String, Left> {
        self.fill_in(title, text, None)
    }

    /// Has a line filled in that nobody is to read over the shoulder.
    pub(crate) fn secret(&mut self, title: &str) -> Result<String, Left> {
        self.fill_in(title, "", Some("*"))
    }

    fn fill_in(&mut self, title: &str, text: &str, mask: Option<&str>) -> Result<String, Left> {
        let is_plain = |c: &char| safe::is_shown(*c);
        let mut input = Input::new(text.chars().filter(is_plain).collect());
        loop {
            let (columns, _) = size();
            let room = columns.saturating_sub(PROMPT.len() + 1).max(1);
            let shown = match mask {
                Some(mask) => mask.repeat(input.value().chars().count()),
                None => input.value().to_owned(),
            };
            let (before, after) = match shown.char_indices().nth(input.cursor()) {
                Some((at, _)) => shown.split_at(at),
                None => (shown.as_str(), ""),
            };
            let begin = scrolled(before, room.saturating_sub(1));
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
                    for c in text.chars().filter(is_plain) {
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

/// The end of a text that fits into so many columns.
fn scrolled(text: &str, columns: usize) -> &str {
    let mut begin = text;
    while safe::columns_of(begin) > columns {
        let mut chars = begin.chars();
        chars.next();
        begin = chars.as_str();
    }
    begin
}

/// As much of a text as fits into so many columns, with a note that it goes on.
fn rest(text: &str, columns: usize) -> String {
    match columns {
        0 | 1 => String::new(),
        columns => safe::fit(text, columns),
    }
}
