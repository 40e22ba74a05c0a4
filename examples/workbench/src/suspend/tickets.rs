//! `workbench tickets`: what waits in a folder.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::SystemTime;

use toolwright::ticket::{OpenTicket, TicketEvent, TicketFilter, WaitKind};

use crate::cli::Problem;
use crate::run::Bench;
use crate::terminal::safe;
use crate::trust;

/// Lists what waits, the oldest first, and tells of what cannot be read.
pub(crate) async fn list(bench: &Bench<'_>) -> Result<(), Problem> {
    let tickets = bench.executor.tickets();
    let mut heard = tickets.subscribe();
    let open = tickets.list(&TicketFilter::all()).await?;
    let mut text = String::new();
    for pending in &open {
        describe(&mut text, pending);
    }
    if open.is_empty() {
        text.push_str("nothing waits\n");
    }
    io::stdout()
        .lock()
        .write_all(text.as_bytes())
        .map_err(Problem::Output)?;
    // `eprintln!` panics where nobody reads it.
    let mut out = io::stderr().lock();
    let unreadable = bench
        .suspension
        .map(|suspension| suspension.store.take_unreadable());
    for error in unreadable.into_iter().flatten() {
        let error = safe::text(&error.to_string());
        let _ = writeln!(out, "workbench: no ticket: {error}");
    }
    while let Some(event) = heard.try_recv() {
        if let TicketEvent::Ignored { ticket, error, .. } = event {
            let ticket = ticket.map_or_else(|| "a grant".to_owned(), |id| format!("ticket {id}"));
            let error = safe::text(&error.to_string());
            let _ = writeln!(out, "workbench: {ticket} is ignored: {error}");
        }
    }
    Ok(())
}

/// Writing to a string cannot fail.
fn describe(text: &mut String, pending: &OpenTicket) {
    let ticket = pending.ticket();
    let call = ticket.call();
    let _ = write!(text, "{}  {}", ticket.id(), call.tool());
    if let Some(arguments) = call.arguments() {
        let _ = write!(text, "  {}", safe::json_line(arguments));
    }
    if let Ok(left) = ticket.expires_at().duration_since(SystemTime::now()) {
        let hours = left.as_secs().div_ceil(60 * 60);
        let _ = write!(text, "  (open for {hours} h)");
    }
    text.push('\n');
    for (number, request) in ticket.requests().iter().enumerate() {
        let answered = match pending.answer(number) {
            Some(_) => ", which is answered",
            None => "",
        };
        let asks = match ticket.kind() {
            WaitKind::Approval => "asks to",
            WaitKind::Question => "asks",
            _ => "waits for",
        };
        let summary = safe::line(request.summary());
        let _ = writeln!(text, "  request {number} {asks}: {summary}{answered}");
        if let Some(why) = request.why() {
            let _ = writeln!(text, "    because {}", safe::line(why));
        }
    }
    for (number, (_, option)) in trust::options(ticket).into_iter().enumerate() {
        let label = safe::line(option.label());
        let _ = writeln!(text, "  trust {number}: {label}");
    }
    if pending.standing().is_settled() {
        let id = ticket.id();
        let _ = writeln!(text, "  answered: `workbench resume {id}` goes on");
    }
}
