//! The question whether a call may run.

use serde_json::Value;
use toolwright::ticket::{Answer, Answers, Decision, GrantScope, OpenTicket, PendingRequest};

use super::sheet::Sheet;
use super::{Check, arguments};
use crate::terminal::{Left, Read, Row, Terminal, Told, safe};
use crate::trust;

/// The decisions about a call, or about one of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Yes,
    Always,
    OneByOne,
    No,
    Never,
    Edit,
    Reason,
}

/// The answers, by the numbers of their requests.
type Said = Vec<(usize, Answer)>;

impl Choice {
    /// Returns true if it lets something run, so that it is offered once all of it was shown.
    fn allows(self) -> bool {
        matches!(self, Self::Yes | Self::Always | Self::OneByOne | Self::Edit)
    }
}

/// Asks about all of a call that is left to decide.
pub(super) fn put(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    check: &Check,
) -> Result<Answers, Left> {
    let call = pending.ticket().call();
    let title = format!("May {} run?", call.tool());
    let left = pending.left();
    let trusts = left.iter().any(|number| trusts(pending, *number));
    let mut reason = None;
    let offered = [
        (Choice::Yes, true),
        (Choice::Always, trusts),
        (Choice::OneByOne, left.len() > 1),
        (Choice::No, true),
        (Choice::Never, trusts),
        (Choice::Edit, call.arguments().is_some()),
        (Choice::Reason, true),
    ];
    let (offered, first) = read(terminal, &title, Sheet::of(pending), &offered)?;
    loop {
        let choice = match &offered[..] {
            [] => Choice::No,
            offered => {
                let reason = reason.as_deref();
                choose(terminal, &title, offered, first, left.len(), reason)?
            }
        };
        let said = match choice {
            Choice::OneByOne => one_by_one(terminal, pending, &left, &mut reason),
            Choice::Edit => {
                let answer = |edited: &Value| all(&left[..1], &Answer::edited(edited.clone()));
                let problem =
                    |edited: &Value| check.problem(pending.id(), answers(answer(edited), None));
                arguments::edit(terminal, call.arguments(), problem).map(|edited| answer(&edited))
            }
            Choice::Reason => {
                add_reason(terminal, &mut reason)?;
                continue;
            }
            choice => decide(terminal, pending, &left, choice, &mut reason),
        };
        match said {
            // To what was asked before: this.
            Err(Left::Back) if !offered.is_empty() => {}
            said => {
                let said = said?;
                terminal.tell(&decision(pending, &said))?;
                return Ok(answers(said, reason.as_deref()));
            }
        }
    }
}

/// Shows what is to be decided about, to its end, and tells what may be chosen then, and what is
/// chosen by Enter alone. Nothing is where the person has said no before the end.
fn read(
    terminal: &mut Terminal,
    title: &str,
    mut sheet: Sheet,
    offered: &[(Choice, bool)],
) -> Result<(Vec<Choice>, Choice), Left> {
    sheet.tell_lack();
    let offered = offered
        .iter()
        .filter(|(choice, is_offered)| *is_offered && !(sheet.lacks && choice.allows()));
    let offered: Vec<Choice> = offered.map(|(choice, _)| *choice).collect();
    Ok(
        match terminal.read(title, sheet.told, offered.len() + AROUND)? {
            Read::AtOnce if !sheet.lacks => (offered, Choice::Yes),
            // Enter has turned pages until now.
            Read::AtOnce | Read::ByPages => (offered, Choice::No),
            Read::Refused => (Vec::new(), Choice::No),
        },
    )
}

/// The rows of a question around its choices: the title and the help.
pub(super) const AROUND: usize = 2;

/// Asks about each request separately, until one is refused.
fn one_by_one(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    left: &[usize],
    reason: &mut Option<String>,
) -> Result<Said, Left> {
    const TITLE: &str = "May it?";
    let mut all = Said::new();
    for number in left {
        let Some(request) = pending.ticket().requests().get(*number) else {
            continue;
        };
        let trusts = trusts(pending, *number);
        let offered = [
            (Choice::Yes, true),
            (Choice::Always, trusts),
            (Choice::No, true),
            (Choice::Never, trusts),
        ];
        let (offered, first) = read(terminal, TITLE, Sheet::of_request(request), &offered)?;
        let said = loop {
            let choice = match &offered[..] {
                [] => Choice::No,
                offered => choose(terminal, TITLE, offered, first, 1, reason.as_deref())?,
            };
            match decide(terminal, pending, &[*number], choice, reason) {
                Err(Left::Back) if !offered.is_empty() => {}
                said => break said?,
            }
        };
        let refused = said.iter().any(|(_, answer)| answer.is_refusal());
        all.extend(said);
        if refused {
            break;
        }
    }
    Ok(all)
}

/// Yes, always, no or never, to all of some requests.
fn decide(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    left: &[usize],
    choice: Choice,
    reason: &mut Option<String>,
) -> Result<Said, Left> {
    Ok(match choice {
        Choice::Always => {
            let (number, covers) = choose_trust(
                terminal,
                pending,
                left,
                "What is always allowed, until this run ends?",
            )?;
            vec![(number, Answer::always(covers))]
        }
        Choice::No => {
            ask_reason(terminal, reason)?;
            all(left, &Answer::no())
        }
        Choice::Never => {
            let (number, covers) = choose_trust(
                terminal,
                pending,
                left,
                "What is never allowed, until this run ends?",
            )?;
            ask_reason(terminal, reason)?;
            vec![(number, Answer::never(covers))]
        }
        _ => all(left, &Answer::yes()),
    })
}

/// The lines about a decision that stay on the screen.
fn decision(pending: &OpenTicket, said: &[(usize, Answer)]) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for (number, answer) in said {
        let line = match answer.decision() {
            Decision::Always(covers) => {
                format!(
                    "You allow until this run ends: {}",
                    label(pending, *number, covers)
                )
            }
            Decision::Never(covers) => {
                format!(
                    "You refuse until this run ends: {}",
                    label(pending, *number, covers)
                )
            }
            Decision::Edited(_) => "You allow it with other arguments.".to_owned(),
            _ if answer.is_refusal() => "You refuse it.".to_owned(),
            _ => "You allow it this once.".to_owned(),
        };
        let line = Told::Ours(line);
        if told.last() != Some(&line) {
            told.push(line);
        }
    }
    told
}

fn label(pending: &OpenTicket, number: usize, covers: &GrantScope) -> String {
    let request = pending.ticket().requests().get(number);
    let mut options = request.into_iter().flat_map(PendingRequest::trust_options);
    let chosen = options.find(|option| option.covers() == covers);
    chosen.map_or_else(String::new, |option| safe::line(option.label()))
}

fn all(left: &[usize], answer: &Answer) -> Said {
    left.iter()
        .map(|number| (*number, answer.clone()))
        .collect()
}

fn answers(said: Said, reason: Option<&str>) -> Answers {
    said.into_iter()
        .fold(Answers::none(), |answers, (number, answer)| {
            let answer = match reason {
                Some(reason) => answer.because(reason),
                None => answer,
            };
            answers.with(number, answer)
        })
}

fn choose(
    terminal: &mut Terminal,
    title: &str,
    choices: &[Choice],
    first: Choice,
    requests: usize,
    reason: Option<&str>,
) -> Result<Choice, Left> {
    let rows: Vec<Row> = choices
        .iter()
        .map(|choice| row(*choice, requests, reason))
        .collect();
    let first = choices.iter().position(|choice| *choice == first);
    let at = terminal.choose(title, &rows, first.unwrap_or_default())?;
    choices.get(at).copied().ok_or(Left::Back)
}

fn row(choice: Choice, requests: usize, reason: Option<&str>) -> Row {
    let (key, label) = match choice {
        Choice::Yes if requests > 1 => ('y', format!("yes, all {requests}, this once")),
        Choice::Yes => ('y', "yes, this once".to_owned()),
        Choice::Always => ('a', "always, until this run ends ..".to_owned()),
        Choice::OneByOne => ('o', "one by one".to_owned()),
        Choice::No => ('n', "no".to_owned()),
        Choice::Never => ('v', "never, until this run ends ..".to_owned()),
        Choice::Edit => ('e', "edit the arguments, and run it with these".to_owned()),
        Choice::Reason => match reason {
            None => ('r', "say why, for the model".to_owned()),
            Some(reason) => ('r', format!("because: {reason}")),
        },
    };
    Row::new(&label).with_key(key)
}

fn trusts(pending: &OpenTicket, number: usize) -> bool {
    let request = pending.ticket().requests().get(number);
    request.is_some_and(|request| !request.trust_options().is_empty())
}

/// Has one of the trust options of some requests chosen.
fn choose_trust(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    left: &[usize],
    title: &str,
) -> Result<(usize, GrantScope), Left> {
    let mut options = trust::options(pending.ticket());
    options.retain(|(number, _)| left.contains(number));
    let mut labels: Vec<String> = options
        .iter()
        .map(|(_, option)| option.label().to_owned())
        .collect();
    let mut rows: Vec<Row> = labels.iter().map(|label| Row::new(label)).collect();
    let mut first = 0;
    // Nobody is to trust what they have not seen, and a row shows what fits into it.
    if !Terminal::fit(&rows) {
        for (number, label) in labels.iter_mut().enumerate() {
            *label = format!("{}: {label}", number + 1);
        }
        rows = labels.iter().map(|label| Row::new(label)).collect();
        let told = labels.iter().map(|label| Told::Theirs(safe::line(label)));
        match terminal.read(title, told.collect(), rows.len() + AROUND + 1)? {
            Read::AtOnce | Read::ByPages => {}
            Read::Refused => return Err(Left::Back),
        }
        first = rows.len();
        rows.push(Row::new("none of these"));
    }
    let at = terminal.choose(title, &rows, first)?;
    let chosen = options.get(at).ok_or(Left::Back)?;
    Ok((chosen.0, chosen.1.covers().clone()))
}

/// Asks why, unless there is a reason already. The reason may be empty.
pub(super) fn ask_reason(terminal: &mut Terminal, reason: &mut Option<String>) -> Result<(), Left> {
    if reason.is_none() {
        let title = "Why not? The model reads it; Enter alone says nothing.";
        *reason = some(terminal.line(title, "")?);
    }
    Ok(())
}

fn add_reason(terminal: &mut Terminal, reason: &mut Option<String>) -> Result<(), Left> {
    let before = reason.as_deref().unwrap_or_default();
    match terminal.line("Why? The model reads it.", before) {
        Ok(text) => *reason = some(text),
        Err(Left::Back) => {}
        Err(left) => return Err(left),
    }
    Ok(())
}

fn some(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}
