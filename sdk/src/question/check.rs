//! The check of an answer against its question.

use std::collections::HashSet;
use std::fmt::Write;

use regex_lite::Regex;
use serde_json::Value;

use super::fault::longer;
use super::reply::ReplyContent;
use super::{InvalidReply, Question, QuestionForm, QuestionOption, Reply, Selection, TextPattern};
use crate::schema::{WORK, of_matching, states};
use crate::util::character::{is_deceptive, one_line};
use crate::util::suggestion::nearest;

/// The most characters of a wrong answer that are shown, and the most options beside it.
const SHOWN: usize = 80;
const LISTED: usize = 12;
/// The most characters of a text in place of an option.
const OTHER: usize = 2_000;
/// The most such texts beside the options.
const OTHERS: usize = 20;

/// Reads an answer; `null` is the default.
pub(super) fn check(question: &Question, answer: &Value) -> Result<Reply, InvalidReply> {
    let (answer, by_default) = match (answer, &question.default) {
        (Value::Null, Some(default)) => (default, true),
        _ => (answer, false),
    };
    let said = read(question, answer).map_err(InvalidReply)?;
    Ok(Reply { said, by_default })
}

pub(super) fn read(question: &Question, answer: &Value) -> Result<ReplyContent, String> {
    match &question.form {
        QuestionForm::Choice { options, other } => {
            pick(options, *other, answer).map(ReplyContent::Choice)
        }
        QuestionForm::Choices {
            options,
            other,
            min,
            max,
        } => pick_some(options, *other, (*min, *max), answer).map(ReplyContent::Choices),
        QuestionForm::Text { secret, .. } => {
            let Value::String(text) = answer else {
                return Err(format!("it takes a text, not {}", kind(answer)));
            };
            read_text(&question.form, text)?;
            Ok(ReplyContent::Text {
                text: text.clone(),
                secret: *secret,
            })
        }
        QuestionForm::YesNo => answer.as_bool().map(ReplyContent::YesNo).ok_or_else(|| {
            format!(
                "it takes yes or no (`true` or `false`), not {}",
                kind(answer)
            )
        }),
    }
}

fn pick(options: &[QuestionOption], other: bool, answer: &Value) -> Result<Selection, String> {
    let (text, named_other) = match answer {
        Value::String(text) => (text, false),
        Value::Object(object) => match (object.len(), object.get("other")) {
            (1, Some(Value::String(text))) => (text, true),
            _ => return Err(no_option(options, other, "an object")),
        },
        _ => return Err(no_option(options, other, kind(answer))),
    };
    if named_other {
        return if other {
            other_text(text).map(Selection::Other)
        } else {
            Err(no_option(options, other, "another text"))
        };
    }
    let at = options.iter().position(|option| option.label() == text);
    if let Some(index) = at {
        let label = text.clone();
        return Ok(Selection::Offered { index, label });
    }
    let mut wrong = no_option(options, other, &format!("`{}`", one_line(text, SHOWN)));
    if let Some(near) = nearest(text, options.iter().map(QuestionOption::label)) {
        let _ = write!(wrong, "; did you mean `{near}`?");
    }
    Err(wrong)
}

#[cold]
fn no_option(options: &[QuestionOption], other: bool, found: &str) -> String {
    let labels = options.iter().take(LISTED);
    let labels: Vec<&str> = labels.map(QuestionOption::label).collect();
    let mut wrong = format!("{found} is none of the options (`{}`", labels.join("`, `"));
    if let Some(more) = options.len().checked_sub(LISTED + 1) {
        let _ = write!(wrong, " and {} more", more + 1);
    }
    wrong.push_str(if other {
        "); another text is given as `{\"other\": \"..\"}`"
    } else {
        ")"
    });
    wrong
}

fn other_text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the other text is empty".to_owned());
    }
    if longer(text, OTHER) {
        return Err(format!("the other text has more than {OTHER} characters"));
    }
    clean(text, false)?;
    Ok(text.to_owned())
}

fn pick_some(
    options: &[QuestionOption],
    other: bool,
    (min, max): (usize, Option<usize>),
    answer: &Value,
) -> Result<Vec<Selection>, String> {
    let Value::Array(answers) = answer else {
        return Err(format!("it takes a list of options, not {}", kind(answer)));
    };
    let most = max.unwrap_or(options.len() + if other { OTHERS } else { 0 });
    if answers.len() < min || answers.len() > most {
        return Err(format!(
            "{} to be chosen, and {} {}",
            wanted(min, most),
            answers.len(),
            if answers.len() == 1 { "is" } else { "are" }
        ));
    }
    let mut seen = HashSet::with_capacity(answers.len());
    let mut picked = Vec::with_capacity(answers.len());
    for answer in answers {
        let one = pick(options, other, answer)?;
        if !seen.insert(one.as_str().to_owned()) {
            return Err(format!(
                "`{}` is chosen twice; once is enough",
                one_line(one.as_str(), SHOWN)
            ));
        }
        picked.push(one);
    }
    Ok(picked)
}

fn wanted(min: usize, most: usize) -> String {
    match (min, most) {
        (min, most) if min == most => format!("{min} are"),
        (0, most) => format!("at most {most} are"),
        (min, most) => format!("{min} to {most} are"),
    }
}

/// The text as such; of a secret nothing is repeated.
fn read_text(form: &QuestionForm, text: &str) -> Result<(), String> {
    let QuestionForm::Text {
        min_length,
        max_length,
        pattern,
        multi_line,
        ..
    } = form
    else {
        return Ok(());
    };
    if longer(text, *max_length) {
        return Err(format!(
            "the text has more than {max_length} characters, which is the most"
        ));
    }
    // Each character has a byte at least.
    if *min_length > 0 && (text.len() < *min_length || !longer(text, min_length - 1)) {
        return Err(match min_length {
            1 => "the text is empty, and one is needed".to_owned(),
            min => format!("the text has fewer than {min} characters, which is the least"),
        });
    }
    clean(text, *multi_line)?;
    let Some(TextPattern { regex, meaning }) = pattern else {
        return Ok(());
    };
    if of_matching(states(regex), text.len()) > WORK {
        return Err(
            "the text is too long to be matched with its pattern; send less of it".to_owned(),
        );
    }
    let regex = Regex::new(regex).map_err(|_| "no text fits: its pattern is broken".to_owned())?;
    if regex.is_match(text) {
        Ok(())
    } else {
        Err(format!("it must be {meaning}"))
    }
}

/// Checks that a text has only visible characters, and line breaks only if they are allowed.
fn clean(text: &str, multi_line: bool) -> Result<(), String> {
    for (at, c) in text.chars().enumerate() {
        match c {
            '\t' => {}
            '\n' | '\r' if multi_line => {}
            '\n' | '\r' => return Err("the text has more than one line, and one is wanted".into()),
            c if is_deceptive(c) => {
                return Err(format!(
                    "the text has a control character ({}) as its character {}; leave it out",
                    c.escape_unicode(),
                    at + 1
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
