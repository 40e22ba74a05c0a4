//! The prompt for a request that is neither an approval nor a question: a value from elsewhere.

use serde_json::Value;
use toolwright::ticket::{Answer, Answers, OpenTicket};

use super::approval::{AROUND, ask_reason};
use super::{Check, sheet};
use crate::terminal::{Left, Read, Row, Terminal, Told, safe};

pub(super) fn put(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    check: &Check,
) -> Result<Answers, Left> {
    let Some(number) = pending.left().first().copied() else {
        return Err(Left::Withdrawn);
    };
    let Some(request) = pending.ticket().requests().get(number) else {
        return Err(Left::Withdrawn);
    };
    let mut told = vec![Told::Ours(format!(
        "{} waits for something from elsewhere:",
        pending.ticket().call().tool()
    ))];
    told.extend(safe::lines(request.summary()).map(Told::Theirs));
    told.extend(
        safe::json_lines(request.subject())
            .into_iter()
            .map(Told::Theirs),
    );
    let rows = [
        Row::new("give what came of it, as JSON").with_key('g'),
        Row::new("decline").with_key('n'),
    ];
    let title = "What came of it?";
    let read = terminal.read(title, told, rows.len() + AROUND)?;
    loop {
        let said = if read != Read::Refused && terminal.choose(title, &rows, 0)? == 0 {
            let problem = |value: &Value| {
                let answer = Answer::value(value.clone());
                check.problem(pending.id(), Answers::none().with(number, answer))
            };
            value(terminal, problem).map(Answer::value)
        } else {
            let mut reason = None;
            ask_reason(terminal, &mut reason).map(|()| match reason {
                Some(reason) => Answer::no().because(reason),
                None => Answer::no(),
            })
        };
        match said {
            Err(Left::Back) if read != Read::Refused => {}
            said => return Ok(Answers::none().with(number, said?)),
        }
    }
}

/// Has JSON filled in until nothing speaks against it.
fn value(
    terminal: &mut Terminal,
    problem: impl Fn(&Value) -> Option<String>,
) -> Result<Value, Left> {
    let mut text = String::new();
    loop {
        text = terminal.line("JSON:", &text)?;
        let problem = match serde_json::from_str(&text) {
            Ok(value) => match problem(&value) {
                None => return Ok(value),
                Some(problem) => problem,
            },
            Err(error) => format!("this is not JSON: {error}"),
        };
        terminal.tell(&sheet::problem(&problem))?;
    }
}
