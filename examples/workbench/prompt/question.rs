//! A question of a tool.

use serde_json::{Value, json};
use toolwright::{Answer, Answers, Pending, Question, QuestionForm, QuestionOption};

use super::approval::ask_reason;
use super::{arguments, sheet, value};
use crate::terminal::{Left, Read, Row, Terminal, Told, safe};

pub(super) fn put(terminal: &mut Terminal, pending: &Pending) -> Result<Answers, Left> {
    let Some(number) = pending.left().first().copied() else {
        return Err(Left::Withdrawn);
    };
    let request = pending.ticket().requests().get(number);
    // What is no question is a value of a form that only whoever asked knows.
    let Some(question) = request.and_then(Question::of) else {
        return value::put(terminal, pending);
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
            Ok(answer) => answer,
            Err(Left::Back) => match declined(terminal) {
                Ok(no) => return Ok(Answers::none().with(number, no)),
                Err(Left::Back) => continue,
                Err(left) => return Err(left),
            },
            Err(left) => return Err(left),
        };
        match question.check(&answer) {
            Ok(_) => return Ok(Answers::none().with(number, Answer::value(answer))),
            Err(unfit) => terminal.tell(&sheet::problem(&unfit.to_string()))?,
        }
    }
}

/// Whether it stays without an answer.
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

fn answer(terminal: &mut Terminal, question: &Question) -> Result<Value, Left> {
    let default = question.default_answer();
    match question.form() {
        QuestionForm::YesNo => {
            let rows = [Row::new("yes").with_key('y'), Row::new("no").with_key('n')];
            let first = usize::from(default == Some(&Value::Bool(false)));
            Ok(Value::Bool(terminal.choose(TITLE, &rows, first)? == 0))
        }
        QuestionForm::Choice { options, other, .. } => choice(terminal, options, *other, default),
        QuestionForm::Choices { options, other, .. } => choices(terminal, options, *other, default),
        QuestionForm::Text {
            multi_line, secret, ..
        } => {
            let text = default.and_then(Value::as_str).unwrap_or_default();
            Ok(Value::String(match (*secret, *multi_line) {
                (true, _) => terminal.secret(TITLE)?,
                (false, true) => arguments::text(terminal, TITLE, text)?,
                (false, false) => terminal.line(TITLE, text)?,
            }))
        }
        _ => Err(Left::Back),
    }
}

const OTHER: &str = "something else ..";

fn choice(
    terminal: &mut Terminal,
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
        None => Ok(json!({"other": terminal.line(TITLE, "")?})),
    }
}

fn choices(
    terminal: &mut Terminal,
    options: &[QuestionOption],
    other: bool,
    default: Option<&Value>,
) -> Result<Value, Left> {
    let chosen = default.and_then(Value::as_array);
    let is_chosen = |option: &QuestionOption| {
        chosen.is_some_and(|all| all.iter().any(|one| one == option.label()))
    };
    let marked = options.iter().map(is_chosen).collect();
    let marked = terminal.pick(TITLE, &rows(options, other), marked)?;
    let mut all: Vec<Value> = options
        .iter()
        .zip(&marked)
        .filter(|(_, marked)| **marked)
        .map(|(option, _)| option.label().into())
        .collect();
    if other && marked.last() == Some(&true) {
        all.push(json!({"other": terminal.line(TITLE, "")?}));
    }
    Ok(Value::Array(all))
}

fn rows(options: &[QuestionOption], other: bool) -> Vec<Row> {
    let labels = options.iter().map(|option| match option.description() {
        Some(description) => format!("{}: {description}", option.label()),
        None => option.label().to_owned(),
    });
    let other = other.then(|| OTHER.to_owned());
    labels.chain(other).map(|label| Row::new(&label)).collect()
}
