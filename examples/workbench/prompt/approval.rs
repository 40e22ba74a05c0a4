//! Whether one call may run.

use toolwright::{Answer, Answers, Decision, GrantMatcher, Pending, PendingRequest};

use super::arguments;
use super::sheet::{self, Length};
use crate::terminal::{Left, Row, Terminal, Told, safe};
use crate::trust;

/// What may be done about a call, or about one of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Yes,
    Always,
    OneByOne,
    No,
    Never,
    Edit,
    Reason,
    Whole,
}

/// What is said to which request.
type Said = Vec<(usize, Answer)>;

/// Asks about all of a call that is left to decide.
pub(super) fn put(terminal: &mut Terminal, pending: &Pending) -> Result<Answers, Left> {
    let (told, mut cut) = sheet::tell(pending, Length::Usual);
    terminal.tell(&told)?;
    let call = pending.ticket().call();
    let title = format!("May {} run?", call.tool());
    let left = pending.left();
    let trusts = left.iter().any(|number| trusts(pending, *number));
    let mut reason = None;
    let mut first = Choice::Yes;
    loop {
        let offered = [
            (Choice::Yes, true),
            (Choice::Always, trusts),
            (Choice::OneByOne, left.len() > 1),
            (Choice::No, true),
            (Choice::Never, trusts),
            (Choice::Edit, call.arguments().is_some()),
            (Choice::Reason, true),
            (Choice::Whole, cut),
        ];
        let choice = choose(
            terminal,
            &title,
            &offered,
            first,
            left.len(),
            reason.as_deref(),
        )?;
        first = choice;
        let said = match choice {
            Choice::OneByOne => one_by_one(terminal, pending, &left, &mut reason),
            Choice::Edit => arguments::edit(terminal, call.arguments())
                .map(|edited| all(&left[..1], &Answer::edited(edited))),
            Choice::Reason => {
                add_reason(terminal, &mut reason)?;
                first = Choice::Yes;
                continue;
            }
            Choice::Whole => {
                terminal.tell(&sheet::tell(pending, Length::Whole).0)?;
                (cut, first) = (false, Choice::Yes);
                continue;
            }
            choice => decide(terminal, pending, &left, choice, &mut reason),
        };
        match said {
            // To what was asked before: this.
            Err(Left::Back) => {}
            said => {
                let said = said?;
                terminal.tell(&decision(pending, &said))?;
                return Ok(answers(said, reason.as_deref()));
            }
        }
    }
}

/// Each request by itself, until one is refused.
fn one_by_one(
    terminal: &mut Terminal,
    pending: &Pending,
    left: &[usize],
    reason: &mut Option<String>,
) -> Result<Said, Left> {
    let mut all = Said::new();
    for number in left {
        let Some(request) = pending.ticket().requests().get(*number) else {
            continue;
        };
        terminal.rest()?;
        terminal.tell(&sheet::tell_request(request, Length::Usual))?;
        let trusts = trusts(pending, *number);
        let offered = [
            (Choice::Yes, true),
            (Choice::Always, trusts),
            (Choice::No, true),
            (Choice::Never, trusts),
        ];
        let said = loop {
            let choice = choose(
                terminal,
                "May it?",
                &offered,
                Choice::Yes,
                1,
                reason.as_deref(),
            )?;
            match decide(terminal, pending, &[*number], choice, reason) {
                Err(Left::Back) => {}
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
    pending: &Pending,
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

/// What stays on the screen of what was decided.
fn decision(pending: &Pending, said: &[(usize, Answer)]) -> Vec<Told> {
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

fn label(pending: &Pending, number: usize, covers: &GrantMatcher) -> String {
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
    offered: &[(Choice, bool)],
    first: Choice,
    requests: usize,
    reason: Option<&str>,
) -> Result<Choice, Left> {
    let choices: Vec<Choice> = offered
        .iter()
        .filter_map(|(choice, is_offered)| is_offered.then_some(*choice))
        .collect();
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
        Choice::Whole => ('s', "show all of it".to_owned()),
    };
    Row::new(&label).with_key(key)
}

fn trusts(pending: &Pending, number: usize) -> bool {
    let request = pending.ticket().requests().get(number);
    request.is_some_and(|request| !request.trust_options().is_empty())
}

/// Has one of the trust options of some requests chosen.
fn choose_trust(
    terminal: &mut Terminal,
    pending: &Pending,
    left: &[usize],
    title: &str,
) -> Result<(usize, GrantMatcher), Left> {
    let mut options = trust::options(pending.ticket());
    options.retain(|(number, _)| left.contains(number));
    // A row shows what fits into a line, and nobody is to trust what they have not seen.
    let labels = options.iter().map(|(_, option)| safe::line(option.label()));
    let long: Vec<Told> = labels
        .filter(|label| label.chars().count() > ROW)
        .map(Told::Theirs)
        .collect();
    terminal.tell(&long)?;
    let rows: Vec<Row> = options
        .iter()
        .map(|(_, option)| Row::new(option.label()))
        .collect();
    let at = terminal.choose(title, &rows, 0)?;
    let chosen = options.get(at).ok_or(Left::Back)?;
    Ok((chosen.0, chosen.1.covers().clone()))
}

/// How many characters of a label any terminal shows.
const ROW: usize = 60;

/// Asks why, unless that was told. Nothing is a reason too few.
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
