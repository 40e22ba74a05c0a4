//! `workbench resume`: an answer to a ticket, and the outcome of its call.

use std::io::{self, Write as _};

use toolwright::ticket::{
    Answer, AnswerProgress, Answers, GrantScope, OpenTicket, TicketError, TicketErrorKind,
};

use super::Suspension;
use crate::cli::{Problem, Resume, Word};
use crate::run::{Bench, Tally};
use crate::trust;

/// Answers, and goes on with the call if nothing is left to answer.
pub(crate) async fn resume(bench: &Bench<'_>, resume: &Resume) -> Result<Tally, Problem> {
    let pending = bench.executor.tickets().get(resume.ticket).await?;
    let ticket = pending.ticket();
    let is_of_here = |suspension: &&Suspension| suspension.is_of(ticket.session());
    let Some(suspension) = bench.suspension.filter(is_of_here) else {
        return Err(Problem::Elsewhere(resume.ticket));
    };
    let answers = answers(&pending, resume)?;
    // Held until the call has ended.
    let Some(_heir) = suspension.store.take_over(ticket.session())? else {
        return answer(bench, resume, answers).await;
    };
    let open = bench.open_as(ticket.session().clone())?;
    let outcome = open.session.resume(ticket, answers).await;
    let interrupted = open.close().await;
    let mut tally = Tally::default();
    let outcome = outcome.map_err(|error| refused(resume, error))?;
    tally.count(bench.tell(&outcome)?);
    tally.end(interrupted);
    Ok(tally)
}

/// Answers a call whose process waits, and goes on with it.
async fn answer(bench: &Bench<'_>, resume: &Resume, answers: Answers) -> Result<Tally, Problem> {
    let answered = bench.executor.tickets().answer(resume.ticket, answers);
    let progress = answered.await.map_err(|error| refused(resume, error))?;
    let told = match progress {
        AnswerProgress::Waiting { .. } => "answered; more is asked before the call goes on",
        _ => "answered; the process that waits goes on with the call",
    };
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(io::stderr(), "{told}");
    Ok(Tally::default())
}

fn refused(resume: &Resume, error: TicketError) -> Problem {
    match error.kind() {
        TicketErrorKind::AlreadyAnswered => Problem::Answered(resume.ticket),
        _ => Problem::Ticket(error),
    }
}

fn answers(pending: &OpenTicket, resume: &Resume) -> Result<Answers, Problem> {
    let because = |answer: Answer| match &resume.reason {
        Some(reason) => answer.because(reason),
        None => answer,
    };
    let left = pending.left();
    let (number, answer) = match (&resume.decision, &resume.edit, &resume.answer) {
        // Edited arguments are the call's, whatever was asked.
        (_, Some(edit), _) => (left.first().copied(), Answer::edited(edit.0.clone())),
        (_, _, Some(value)) => (None, Answer::value(value.0.clone())),
        (Some(Word::Yes), ..) => (None, Answer::yes()),
        (Some(Word::No), ..) => (None, Answer::no()),
        (Some(Word::Always), ..) => {
            let (number, covers) = trusted(pending, resume)?;
            (Some(number), Answer::always(covers))
        }
        (Some(Word::Never), ..) => {
            let (number, covers) = trusted(pending, resume)?;
            (Some(number), Answer::never(covers))
        }
        // All requests were answered before.
        (None, None, None) => return Ok(Answers::none()),
    };
    let answer = because(answer);
    Ok(match resume.request.or(number) {
        Some(number) => Answers::none().with(number, answer),
        None => Answers::all(answer),
    })
}

/// The scope that `--trust` names, and the request that offers it.
fn trusted(pending: &OpenTicket, resume: &Resume) -> Result<(usize, GrantScope), Problem> {
    let options = trust::options(pending.ticket());
    let (number, option) = options.get(resume.trust).ok_or(Problem::NoTrust {
        ticket: resume.ticket,
        trust: resume.trust,
    })?;
    Ok((*number, option.covers().clone()))
}
