//! Several calls that ask at once, in one prompt.

use toolwright::ticket::{Answer, OpenTicket};

use super::approval::AROUND;
use super::sheet::Sheet;
use super::{Check, Decided, approval};
use crate::terminal::{Left, Read, Row, Terminal, Told};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    None,
    OneByOne,
    Pick,
}

pub(super) fn put(
    terminal: &mut Terminal,
    calls: &[OpenTicket],
    check: &Check,
) -> Result<Decided, Left> {
    let mut sheet = Sheet::default();
    for (number, pending) in calls.iter().enumerate() {
        sheet.ours(format!("-- {} of {} --", number + 1, calls.len()));
        sheet.call(pending);
    }
    let title = format!("May these {} run?", calls.len());
    let offered = [
        (Choice::All, 'y', "yes, all of them, this once"),
        (Choice::None, 'n', "no, none of them"),
        (Choice::OneByOne, 'o', "one by one"),
        (Choice::Pick, 'p', "pick those that may"),
    ];
    // If a call cannot be shown, the others can still be allowed one by one.
    let is_offered = |choice| !sheet.lacks || matches!(choice, Choice::None | Choice::OneByOne);
    let offered: Vec<_> = offered
        .into_iter()
        .filter(|(choice, ..)| is_offered(*choice))
        .collect();
    let rows: Vec<Row> = offered
        .iter()
        .map(|(_, key, label)| Row::new(label).with_key(*key))
        .collect();
    let first = match terminal.read(&title, sheet.told, rows.len() + AROUND)? {
        Read::AtOnce => 0,
        // Enter has turned pages until now.
        Read::ByPages => offered
            .iter()
            .position(|(choice, ..)| *choice == Choice::None)
            .unwrap_or_default(),
        Read::Refused => return none(terminal, calls),
    };
    loop {
        let at = terminal.choose(&title, &rows, first)?;
        let decided = match offered.get(at).map(|(choice, ..)| *choice) {
            Some(Choice::All) => marked(terminal, calls, &vec![true; calls.len()], None),
            Some(Choice::None) => none(terminal, calls),
            Some(Choice::OneByOne) => one_by_one(terminal, calls, check),
            Some(Choice::Pick) => pick(terminal, calls),
            None => Err(Left::Back),
        };
        match decided {
            // To what was asked before: this.
            Err(Left::Back) => {}
            decided => return decided,
        }
    }
}

fn none(terminal: &mut Terminal, calls: &[OpenTicket]) -> Result<Decided, Left> {
    let reason = no(terminal)?;
    marked(terminal, calls, &vec![false; calls.len()], reason)
}

/// Each in a prompt of its own. What is decided of one may decide others, so each is kept before the
/// next is asked about.
fn one_by_one(
    terminal: &mut Terminal,
    calls: &[OpenTicket],
    check: &Check,
) -> Result<Decided, Left> {
    let Some(first) = calls.first() else {
        return Ok(Vec::new());
    };
    Ok(vec![(first.id(), approval::put(terminal, first, check)?)])
}

fn pick(terminal: &mut Terminal, calls: &[OpenTicket]) -> Result<Decided, Left> {
    let rows: Vec<Row> = calls
        .iter()
        .enumerate()
        .map(|(number, pending)| row(number, pending))
        .collect();
    let may = terminal.pick("Which may run? The others may not.", &rows, Vec::new())?;
    let reason = if may.iter().all(|may| *may) {
        None
    } else {
        no(terminal)?
    };
    marked(terminal, calls, &may, reason)
}

/// The number of a call, as it stands above what was read of it: rows that are cut may look the same.
fn row(number: usize, pending: &OpenTicket) -> Row {
    let ticket = pending.ticket();
    let (number, tool, summary) = (number + 1, ticket.call().tool(), ticket.summary());
    Row::new(&format!("{number}. {tool}: {summary}"))
}

fn no(terminal: &mut Terminal) -> Result<Option<String>, Left> {
    let mut reason = None;
    approval::ask_reason(terminal, &mut reason)?;
    Ok(reason)
}

/// The decision; a line about it stays on the screen.
fn marked(
    terminal: &mut Terminal,
    calls: &[OpenTicket],
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
