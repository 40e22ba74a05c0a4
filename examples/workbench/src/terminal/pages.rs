//! A text that is read page by page, so that all of it was on the screen before it is decided about.

use std::collections::VecDeque;
use std::io::{self, Write as _};

use crossterm::event::KeyCode;
use crossterm::style::Stylize as _;

use super::safe::{self, MARK};
use super::{Left, Terminal, Told, menu, size};

/// The way in which a text was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// It is on the screen as a whole, above the question.
    AtOnce,
    /// Page by page, to its end.
    ByPages,
    /// The person says no before its end.
    Refused,
}

/// Stands before the words of others. ASCII: it is as wide as it is long.
const BAR: &str = "| ";

const HELP: &str = "Space: next page, s: show the rest, n: no, Ctrl-C cancels";

/// The part of a text that is not shown yet.
#[derive(Debug)]
pub(crate) struct Pages {
    left: VecDeque<Told>,
    /// The number of bytes of the first line that are shown already.
    at: usize,
    /// The first begins in one of our marks.
    in_mark: bool,
}

/// A row of the screen.
struct Row<'t> {
    told: &'t Told,
    piece: &'t str,
    rest: &'t str,
}

impl Told {
    fn text(&self) -> &str {
        let (Self::Ours(text) | Self::Theirs(text) | Self::Added(text) | Self::Removed(text)) =
            self;
        text
    }

    fn bar(&self) -> &'static str {
        match self {
            Self::Ours(_) => "",
            _ => BAR,
        }
    }
}

impl Pages {
    pub(crate) fn new(told: Vec<Told>) -> Self {
        Self {
            left: told.into(),
            at: 0,
            in_mark: false,
        }
    }

    fn row(&self, columns: usize) -> Option<Row<'_>> {
        let told = self.left.front()?;
        let text = told.text().get(self.at..).unwrap_or_default();
        let (piece, rest) = safe::wrap(text, columns.saturating_sub(told.bar().len()).max(1));
        Some(Row { told, piece, rest })
    }

    /// Returns the number of rows that the rest takes in so many columns.
    pub(super) fn rows(&self, columns: usize) -> usize {
        let mut rows = 0;
        for (number, told) in self.left.iter().enumerate() {
            let room = columns.saturating_sub(told.bar().len()).max(1);
            let begun = if number == 0 { self.at } else { 0 };
            let mut text = told.text().get(begun..).unwrap_or_default();
            loop {
                text = safe::wrap(text, room).1;
                rows += 1;
                if text.is_empty() {
                    break;
                }
            }
        }
        rows
    }

    /// Writes at most so many rows.
    pub(super) fn write(
        &mut self,
        out: &mut impl io::Write,
        columns: usize,
        most: usize,
    ) -> io::Result<()> {
        for _ in 0..most {
            let Some(row) = self.row(columns) else { break };
            let painted = painted(row.told, row.piece, self.in_mark);
            write!(out, "{}{painted}\r\n", row.told.bar().dark_grey())?;
            let in_mark = match row.piece.rfind([MARK.0, MARK.1]) {
                Some(at) => row.piece[at..].starts_with(MARK.0),
                None => self.in_mark,
            };
            let (length, is_whole) = (row.piece.len(), row.rest.is_empty());
            self.in_mark = in_mark;
            self.at += length;
            if is_whole {
                self.left.pop_front();
                self.at = 0;
                self.in_mark = false;
            }
        }
        Ok(())
    }
}

/// A piece in the colour of its line, with our marks as nothing of others looks.
fn painted(told: &Told, piece: &str, mut in_mark: bool) -> String {
    let mut painted = String::new();
    let mut rest = piece;
    while !rest.is_empty() {
        // A mark is painted with its brackets.
        let end = if in_mark {
            rest.find(MARK.1).map(|at| at + MARK.1.len_utf8())
        } else {
            rest.find(MARK.0)
        };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if !part.is_empty() {
            let part = match told {
                Told::Added(_) => part.green(),
                Told::Removed(_) => part.red(),
                _ => part.stylize(),
            };
            let part = if in_mark { part.negative() } else { part };
            painted.push_str(&part.to_string());
        }
        in_mark = !in_mark;
        rest = after;
    }
    painted
}

impl Terminal {
    /// Shows a text above a question that takes so many rows. What does not fit on the screen with it
    /// is shown page by page: none of it leaves the screen before a key was pressed.
    pub(crate) fn read(
        &mut self,
        title: &str,
        told: Vec<Told>,
        question: usize,
    ) -> Result<Read, Left> {
        self.rest()?;
        self.clear()?;
        let mut pages = Pages::new(told);
        let mut read = Read::AtOnce;
        let mut shown = 0;
        loop {
            let (columns, height) = size();
            let left = pages.rows(columns);
            // The rest may push a page away, because that was read before.
            if left == 0 || left + question <= height {
                pages.write(&mut self.out, columns, usize::MAX)?;
                break;
            }
            // Two rows are for the question at the end of a page.
            let page = left.min(height.saturating_sub(2).max(1));
            pages.write(&mut self.out, columns, page)?;
            shown += page;
            read = Read::ByPages;
            match self.turn(title, shown, shown + left - page)? {
                Turn::Next => {}
                Turn::Rest => {
                    pages.write(&mut self.out, columns, usize::MAX)?;
                    break;
                }
                Turn::No => return Ok(Read::Refused),
            }
        }
        self.out.flush()?;
        if read == Read::ByPages {
            // A key that turned pages answers nothing.
            self.rest()?;
        }
        Ok(read)
    }

    /// Asks how to go on at the end of a page.
    fn turn(&mut self, title: &str, shown: usize, all: usize) -> Result<Turn, Left> {
        loop {
            let (columns, _) = size();
            let title = format!("{title} Line {shown} of {all}");
            let lines = [
                safe::fit(&title, columns).bold().to_string(),
                safe::fit(HELP, columns).dark_grey().to_string(),
            ];
            self.draw(&lines, None)?;
            let turn = match menu::key(&self.event()?) {
                Some(KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Down | KeyCode::PageDown) => {
                    Turn::Next
                }
                Some(KeyCode::Char('s')) => Turn::Rest,
                Some(KeyCode::Char('n')) => Turn::No,
                Some(KeyCode::Esc) => return Err(Left::Back),
                _ => continue,
            };
            self.clear()?;
            return Ok(turn);
        }
    }
}

/// The choice of a reader at the end of a page.
enum Turn {
    Next,
    Rest,
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_bar_and_no_row_is_lost() {
        let long = "0123456789".repeat(7);
        let told = vec![
            Told::Ours("ours".to_owned()),
            Told::Theirs(long.clone()),
            Told::Added(String::new()),
            Told::Theirs("\u{cc0}".repeat(30)),
        ];
        let mut pages = Pages::new(told);
        let rows = pages.rows(22);
        assert_eq!(rows, 1 + 4 + 1 + 2);
        let mut written = Vec::new();
        for _ in 0..rows {
            assert!(pages.rows(22) > 0);
            pages.write(&mut written, 22, 1).unwrap();
        }
        assert_eq!(pages.rows(22), 0);
        let text = String::from_utf8(written).unwrap();
        let mut terminal = vt100::Parser::new(
            std::num::NonZeroU16::new(30).unwrap(),
            std::num::NonZeroU16::new(22).unwrap(),
            0,
        );
        terminal.process(text.as_bytes());
        let shown: Vec<String> = terminal.screen().rows(0, 22).collect();
        assert_eq!(shown[0], "ours");
        let theirs = &shown[1..rows];
        assert!(theirs.iter().all(|row| row.starts_with('|')), "{theirs:?}");
        let joined: String = theirs[..4].iter().map(|row| &row[2..]).collect();
        assert_eq!(joined, long);
    }

    #[test]
    fn our_marks_are_painted_as_nothing_else_is() {
        let told = Told::Theirs(String::new());
        let text = painted(&told, "a⟦9 spaces⟧b", false);
        assert_eq!(text, format!("a{}b", "⟦9 spaces⟧".negative()));
        assert_eq!(
            painted(&told, "ces⟧b", true),
            format!("{}b", "ces⟧".negative())
        );
    }
}
