//! Several calls that ask at once, in one prompt.

use toolwright::{Answer, Pending};

use super::sheet::{self, Length};
use super::{Decided, approval};
use crate::terminal::{Left, Row, Terminal, Told, safe};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    None,
    OneByOne,
    Pick,
    Whole,
}

pub(super) fn put(terminal: &mut Terminal, calls: &[Pending]) -> Result<Decided, Left> {
    let mut cut = tell(terminal, calls, Length::Short)?;
    let title = format!("May these {} run?", calls.len());
    loop {
        let mut rows = vec![
            (Choice::All, 'y', "yes, all of them, this once"),
            (Choice::None, 'n', "no, none of them"),
            (Choice::OneByOne, 'o', "one by one"),
            (Choice::Pick, 'p', "pick those that may"),
        ];
        if cut {
            rows.push((Choice::Whole, 's', "show all of it"));
        }
        let labels: Vec<Row> = rows
            .iter()
            .map(|(_, key, label)| Row::new(label).with_key(*key))
            .collect();
        let at = terminal.choose(&title, &labels, 0)?;
        let decided = match rows.get(at).map(|(choice, ..)| *choice) {
            Some(Choice::All) => marked(terminal, calls, &vec![true; calls.len()], None),
            Some(Choice::None) => no(terminal)
                .and_then(|reason| marked(terminal, calls, &vec![false; calls.len()], reason)),
            Some(Choice::OneByOne) => one_by_one(terminal, calls),
            Some(Choice::Pick) => pick(terminal, calls),
            Some(Choice::Whole) => {
                cut = false;
                tell(terminal, calls, Length::Whole)?;
                continue;
            }
            None => Err(Left::Back),
        };
        match decided {
            // To what was asked before: this.
            Err(Left::Back) => {}
            decided => return decided,
        }
    }
}

/// `true`: something is left out.
fn tell(terminal: &mut Terminal, calls: &[Pending], length: Length) -> Result<bool, Left> {
    let mut cut = false;
    for (number, pending) in calls.iter().enumerate() {
        let heading = format!("-- {} of {} --", number + 1, calls.len());
        terminal.tell(&[Told::Ours(heading)])?;
        let (told, is_cut) = sheet::tell(pending, length);
        terminal.tell(&told)?;
        cut |= is_cut;
    }
    Ok(cut)
}

/// Each in a prompt of its own. What is decided of one may decide others, so each is kept before the
/// next is asked about.
fn one_by_one(terminal: &mut Terminal, calls: &[Pending]) -> Result<Decided, Left> {
    let Some(first) = calls.first() else {
        return Ok(Vec::new());
    };
    Ok(vec![(first.id(), approval::put(terminal, first)?)])
}

fn pick(terminal: &mut Terminal, calls: &[Pending]) -> Result<Decided, Left> {
    let rows: Vec<Row> = calls.iter().map(row).collect();
    let may = terminal.pick("Which may run? The others may not.", &rows, Vec::new())?;
    let reason = if may.iter().all(|may| *may) {
        None
    } else {
        no(terminal)?
    };
    marked(terminal, calls, &may, reason)
}

fn row(pending: &Pending) -> Row {
    let ticket = pending.ticket();
    let summary = safe::line(&ticket.summary());
    Row::new(&format!("{}: {summary}", ticket.call().tool()))
}

fn no(terminal: &mut Terminal) -> Result<Option<String>, Left> {
    let mut reason = None;
    approval::ask_reason(terminal, &mut reason)?;
    Ok(reason)
}

/// What was decided, of which a line stays on the screen.
fn marked(
    terminal: &mut Terminal,
    calls: &[Pending],
    may: &[bool],
    reason: Option<String>,
) -> Result<Decided, Left> {
    let allowed = may.iter().filter(|may| **may).count();
    let told = match allowed {
        0 => format!("You refuse all {}.", calls.len()),
        _ if allowed == calls.len() => format!("You allow all {allowed}, this once."),
        _ => format!("You allow {allowed} of {}, this once.", calls.len()),
    };
    terminal.tell(&[Told::Ours(told)])?;
    let no = match reason {
        Some(reason) => Answer::no().because(reason),
        None => Answer::no(),
    };
    let answers = calls.iter().zip(may).map(|(pending, may)| {
        let answer = if *may { Answer::yes() } else { no.clone() };
        (pending.id(), answer.into())
    });
    Ok(answers.collect())
}
