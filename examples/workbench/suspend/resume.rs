//! `workbench resume`: an answer to a ticket, and what comes of its call.

use toolwright::{Answer, Answers, Pending};

use super::Suspension;
use crate::cli::{Problem, Resume, Word};
use crate::run::{Bench, Tally};

/// Answers, and goes on with the call if nothing is left to answer.
pub(crate) async fn resume(bench: &Bench<'_>, resume: &Resume) -> Result<Tally, Problem> {
    let pending = bench.executor.tickets().get(resume.ticket).await?;
    let ticket = pending.ticket();
    let is_of_here = |suspension: &Suspension| suspension.is_of(ticket.session());
    if !bench.suspension.is_some_and(is_of_here) {
        return Err(Problem::Elsewhere(resume.ticket));
    }
    let answers = answers(&pending, resume)?;
    let open = bench.open_as(ticket.session().clone())?;
    let outcome = open.session.resume(ticket, answers).await;
    let interrupted = open.close().await;
    let mut tally = Tally::default();
    tally.count(bench.tell(&outcome?)?);
    tally.end(interrupted);
    Ok(tally)
}

fn answers(pending: &Pending, resume: &Resume) -> Result<Answers, Problem> {
    let left = pending.left();
    let numbers = match resume.request {
        Some(number) => vec![number],
        // Edited arguments are the call's, whatever was asked.
        None if resume.edit.is_some() => left.into_iter().take(1).collect(),
        None => left,
    };
    let mut answers = Answers::none();
    for number in numbers {
        let answer = match (&resume.decision, &resume.edit, &resume.answer) {
            (_, Some(edit), _) => Answer::edited(edit.0.clone()),
            (_, _, Some(value)) => Answer::value(value.0.clone()),
            (Some(Word::Yes), ..) => Answer::yes(),
            (Some(word @ (Word::Always | Word::Never)), ..) => {
                let request = pending.ticket().requests().get(number);
                let trust = request.and_then(|request| request.trust_options().get(resume.trust));
                let covers = trust.ok_or(Problem::NoTrust {
                    request: number,
                    trust: resume.trust,
                })?;
                let covers = covers.covers().clone();
                match word {
                    Word::Always => Answer::always(covers),
                    _ => Answer::never(covers),
                }
            }
            // Without a word there is an edit or an answer.
            (Some(Word::No) | None, ..) => Answer::no(),
        };
        let answer = match &resume.reason {
            Some(reason) => answer.because(reason),
            None => answer,
        };
        answers = answers.with(number, answer);
    }
    Ok(answers)
}
