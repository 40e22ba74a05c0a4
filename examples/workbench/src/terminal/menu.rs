//! The choice of one thing, or of several.

use crossterm::event::{Event, KeyCode};
use crossterm::style::Stylize as _;

use super::{Left, Terminal, safe, size};

/// A row of a menu: the key that chooses it at once, and its text.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    key: Option<char>,
    label: String,
}

impl Row {
    pub(crate) fn new(label: &str) -> Self {
        Self {
            key: None,
            label: safe::line(label),
        }
    }

    /// Returns true if a terminal of so many columns shows all of the label.
    fn fits(&self, columns: usize) -> bool {
        safe::fits(&self.label, columns.saturating_sub(BEFORE))
    }

    pub(crate) fn with_key(mut self, key: char) -> Self {
        self.key = Some(key);
        self
    }
}

/// The most columns that stand before a label: the pointer, a mark, a key.
const BEFORE: usize = "> [x] k  ".len();

impl Terminal {
    /// Returns true if each of the rows is shown whole.
    pub(crate) fn fit(rows: &[Row]) -> bool {
        let (columns, _) = size();
        rows.iter().all(|row| row.fits(columns))
    }

    /// Has one of the rows chosen. Nothing is when there are none. Keys that came before the rows are on
    /// the screen choose nothing.
    pub(crate) fn choose(
        &mut self,
        title: &str,
        rows: &[Row],
        first: usize,
    ) -> Result<usize, Left> {
        if rows.is_empty() {
            return Err(Left::Back);
        }
        self.rest()?;
        let last = rows.len() - 1;
        let mut at = first.min(last);
        let has_keys = rows.iter().any(|row| row.key.is_some());
        let help = if has_keys { CHOOSE_BY_KEY } else { CHOOSE };
        loop {
            self.draw_rows(title, rows, at, None, help)?;
            match key(&self.event()?) {
                Some(KeyCode::Up) => at = at.checked_sub(1).unwrap_or(last),
                Some(KeyCode::Down) => at = if at == last { 0 } else { at + 1 },
                Some(KeyCode::Enter) => break,
                Some(KeyCode::Esc) => return Err(Left::Back),
                Some(KeyCode::Char(c)) => {
                    if let Some(row) = rows.iter().position(|row| row.key == Some(c)) {
                        at = row;
                        break;
                    }
                }
                _ => {}
            }
        }
        self.clear()?;
        Ok(at)
    }

    /// Has any number of the rows marked.
    pub(crate) fn pick(
        &mut self,
        title: &str,
        rows: &[Row],
        mut marked: Vec<bool>,
    ) -> Result<Vec<bool>, Left> {
        self.rest()?;
        marked.resize(rows.len(), false);
        let last = rows.len().saturating_sub(1);
        let mut at = 0;
        loop {
            self.draw_rows(title, rows, at, Some(&marked), PICK)?;
            match key(&self.event()?) {
                Some(KeyCode::Up) => at = at.checked_sub(1).unwrap_or(last),
                Some(KeyCode::Down) => at = if at >= last { 0 } else { at + 1 },
                Some(KeyCode::Char(' ')) => {
                    if let Some(mark) = marked.get_mut(at) {
                        *mark = !*mark;
                    }
                }
                Some(KeyCode::Enter) => break,
                Some(KeyCode::Esc) => return Err(Left::Back),
                _ => {}
            }
        }
        self.clear()?;
        Ok(marked)
    }

    fn draw_rows(
        &mut self,
        title: &str,
        rows: &[Row],
        at: usize,
        marked: Option<&[bool]>,
        help: &str,
    ) -> Result<(), Left> {
        let (columns, height) = size();
        // With the title and the help it is to fit on the screen.
        let shown = height.saturating_sub(3).clamp(1, rows.len().max(1));
        let begin = (at + 1).saturating_sub(shown);
        let mut lines = vec![safe::fit(title, columns).bold().to_string()];
        for (number, row) in rows.iter().enumerate().skip(begin).take(shown) {
            let pointer = if number == at { '>' } else { ' ' };
            let mark = match marked.map(|marked| marked.get(number) == Some(&true)) {
                None => "",
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
            };
            let key = row.key.map_or(String::new(), |key| format!("{key}  "));
            let line = safe::fit(&format!("{pointer} {mark}{key}{}", row.label), columns);
            lines.push(if number == at {
                line.bold().to_string()
            } else {
                line
            });
        }
        lines.push(safe::fit(help, columns).dark_grey().to_string());
        self.draw(&lines, None)
    }
}

const CHOOSE: &str = "up, down and Enter; Esc goes back, Ctrl-C cancels";
const CHOOSE_BY_KEY: &str = "up, down and Enter, or a letter; Esc goes back, Ctrl-C cancels";
const PICK: &str =
    "up, down, Space marks, Enter takes what is marked; Esc goes back, Ctrl-C cancels";

/// The key of an event. What is pasted chooses nothing.
pub(super) fn key(event: &Event) -> Option<KeyCode> {
    event.as_key_press_event().map(|key| key.code)
}
