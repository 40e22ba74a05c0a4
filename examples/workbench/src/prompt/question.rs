//! A question of a tool.

use serde_json::{Value, json};
use toolwright::question::{Question, QuestionForm, QuestionOption};
use toolwright::ticket::{Answer, Answers, OpenTicket};

use super::approval::ask_reason;
use super::{Check, arguments, sheet, value};
use crate::terminal::{Left, Read, Row, Terminal, Told, safe};

pub(super) fn put(
    terminal: &mut Terminal,
    pending: &OpenTicket,
    check: &Check,
) -> Result<Answers, Left> {
    let Some(number) = pending.left().first().copied() else {
        return Err(Left::Withdrawn);
    };
    let request = pending.ticket().requests().get(number);
    // A request that is no question wants a value of a form that only the tool knows.
    let Some(question) = request.and_then(Question::of) else {
        return value::put(terminal, pending, check);
    };
    let mut told = vec![Told::Ours(format!(
        "{} asks:",
        pending.ticket().call().tool()
    ))];
    told.extend(safe::lines(question.prompt()).map(Told::Theirs));
    if let Some(details) = question.detail_text() {
        told.extend(safe::lines(details).map(Told::Theirs));
    }
    // The form of the answer takes few rows, or scrolls.
    if terminal.read(TITLE, told, FORM)? == Read::Refused {
        let no = declined(terminal)?;
        return Ok(Answers::none().with(number, no));
    }
    loop {
        let answer = match answer(terminal, &question) {
            Ok(answer) => Answer::value(answer),
            Err(Left::Back) => match declined(terminal) {
                Ok(no) => no,
                Err(Left::Back) => continue,
                Err(left) => return Err(left),
            },
            Err(left) => return Err(left),
        };
        return Ok(Answers::none().with(number, answer));
    }
}

/// Asks if the question stays without an answer.
fn declined(terminal: &mut Terminal) -> Result<Answer, Left> {
    let rows = [
        Row::new("back to the question").with_key('b'),
        Row::new("leave it unanswered").with_key('n'),
    ];
    if terminal.choose("No answer?", &rows, 0)? == 0 {
        return Err(Left::Back);
    }
    let mut reason = None;
    ask_reason(terminal, &mut reason)?;
    Ok(match reason {
        Some(reason) => Answer::no().because(reason),
        None => Answer::no(),
    })
}

/// The rows that the form of an answer usually takes.
const FORM: usize = 8;

const TITLE: &str = "Your answer? (Esc leaves it unanswered)";

/// Has an answer given that fits. One that does not stays in its form, with the reason above it.
fn answer(terminal: &mut Terminal, question: &Question) -> Result<Value, Left> {
    let default = question.default_answer();
    match question.form() {
        QuestionForm::YesNo => {
            let rows = [Row::new("yes").with_key('y'), Row::new("no").with_key('n')];
            let first = usize::from(default == Some(&Value::Bool(false)));
            Ok(Value::Bool(terminal.choose(TITLE, &rows, first)? == 0))
        }
        QuestionForm::Choice { options, other, .. } => {
            choice(terminal, question, options, *other, default)
        }
        QuestionForm::Choices { options, other, .. } => {
            choices(terminal, question, options, *other, default)
        }
        QuestionForm::Text {
            multi_line, secret, ..
        } => {
            let text = default.and_then(Value::as_str).unwrap_or_default();
            let fill_in = |terminal: &mut Terminal, text: &str| match (*secret, *multi_line) {
                (true, _) => terminal.secret(TITLE),
                (false, true) => arguments::text(terminal, TITLE, text),
                (false, false) => terminal.line(TITLE, text),
            };
            written(terminal, question, text, fill_in, |text| text.into())
        }
        _ => Err(Left::Back),
    }
}

/// Has a text written until the answer that it makes fits.
fn written(
    terminal: &mut Terminal,
    question: &Question,
    text: &str,
    fill_in: impl Fn(&mut Terminal, &str) -> Result<String, Left>,
    answer: impl Fn(&str) -> Value,
) -> Result<Value, Left> {
    let mut text = text.to_owned();
    loop {
        text = fill_in(terminal, &text)?;
        let answer = answer(&text);
        if fits(terminal, question, &answer)? {
            return Ok(answer);
        }
    }
}

/// Returns true if an answer fits, and tells why if it does not.
fn fits(terminal: &mut Terminal, question: &Question, answer: &Value) -> Result<bool, Left> {
    let unfit = question.check(answer).err();
    if let Some(unfit) = &unfit {
        terminal.tell(&sheet::problem(&unfit.to_string()))?;
    }
    Ok(unfit.is_none())
}

/// Has another answer written than the options.
fn something_else(
    terminal: &mut Terminal,
    question: &Question,
    answer: impl Fn(Value) -> Value,
) -> Result<Value, Left> {
    let fill_in = |terminal: &mut Terminal, text: &str| terminal.line(TITLE, text);
    written(terminal, question, "", fill_in, |text| {
        answer(json!({"other": text}))
    })
}

const OTHER: &str = "something else ..";

fn choice(
    terminal: &mut Terminal,
    question: &Question,
    options: &[QuestionOption],
    other: bool,
    default: Option<&Value>,
) -> Result<Value, Left> {
    let first = options
        .iter()
        .position(|option| default.and_then(Value::as_str) == Some(option.label()));
    let at = terminal.choose(TITLE, &rows(options, other), first.unwrap_or_default())?;
    match options.get(at) {
        Some(option) => Ok(option.label().into()),
        None => something_else(terminal, question, |other| other),
    }
}

fn choices(
    terminal: &mut Terminal,
    question: &Question,
    options: &[QuestionOption],
    other: bool,
    default: Option<&Value>,
) -> Result<Value, Left> {
    let chosen = default.and_then(Value::as_array);
    let is_chosen = |option: &QuestionOption| {
        chosen.is_some_and(|all| all.iter().any(|one| one == option.label()))
    };
    let mut marked: Vec<bool> = options.iter().map(is_chosen).collect();
    loop {
        marked = terminal.pick(TITLE, &rows(options, other), marked)?;
        let chosen = options.iter().zip(&marked).filter(|(_, marked)| **marked);
        let all: Vec<Value> = chosen.map(|(option, _)| option.label().into()).collect();
        if other && marked.last() == Some(&true) {
            return something_else(terminal, question, |other| {
                all.iter().cloned().chain([other]).collect()
            });
        }
        let all = Value::Array(all);
        if fits(terminal, question, &all)? {
            return Ok(all);
        }
    }
}

fn rows(options: &[QuestionOption], other: bool) -> Vec<Row> {
    let labels = options.iter().map(|option| match option.description() {
        Some(description) => format!("{}: {description}", option.label()),
        None => option.label().to_owned(),
    });
    let other = other.then(|| OTHER.to_owned());
    labels.chain(other).map(|label| Row::new(&label)).collect()
}
