//! The state of a request that a client makes once more: the signed ticket of its call.

use rmcp::ErrorData;
use toolwright::ticket::{Ticket, TicketError, TicketErrorKind};

use super::call::CallRequest;

/// The ticket in a state, which nothing has verified yet.
pub(super) fn read(state: &str) -> Result<Ticket, ErrorData> {
    serde_json::from_str(state).map_err(|_| {
        ErrorData::invalid_params(
            "`requestState` is none that this server gave; make the request without it",
            None,
        )
    })
}

/// The state that a client sends back with its answers.
pub(super) fn write(ticket: &Ticket) -> Result<String, ErrorData> {
    serde_json::to_string(ticket).map_err(|error| {
        tracing::error!(%error, "a ticket cannot be written as JSON");
        ErrorData::internal_error(
            "the call waits for an answer, and cannot be asked for it",
            None,
        )
    })
}

/// The id of a call: that of the request, and where a state may come back, the digest of what is called with which
/// arguments. The ticket carries it under its signature.
pub(super) fn call_id(request: &CallRequest<'_>) -> Result<String, ErrorData> {
    let id = request.context.id.to_string();
    if !request.is_stateless {
        return Ok(id);
    }
    let digest = digest(request).map_err(|error| refused(&error))?;
    Ok(format!("{id}{SEPARATOR}{digest}"))
}

const SEPARATOR: char = '#';

fn digest(request: &CallRequest<'_>) -> Result<String, TicketError> {
    let broker = request.connection.server.executor.tickets();
    // The members of an object are sorted, so that equal arguments have one text.
    let text = format!("{}\n{}", request.name, request.arguments);
    broker
        .digest(text.as_bytes())
        .map(|digest| digest.to_string())
}

/// Refuses a ticket that was not issued here for this client and this call, or is not open any more.
pub(super) async fn verify(request: &CallRequest<'_>, ticket: &Ticket) -> Result<(), ErrorData> {
    let broker = request.connection.server.executor.tickets();
    let open = broker
        .get(ticket.id())
        .await
        .map_err(|error| refused(&error))?;
    // The ticket of the broker is verified. A difference of one character is a forgery.
    if **open.ticket() != *ticket {
        return Err(unknown("it was changed, or was not issued by this server"));
    }
    if ticket.session() != request.open.session().id() {
        return Err(unknown(
            "it belongs to another session or another principal",
        ));
    }
    let digest = digest(request).map_err(|error| refused(&error))?;
    let of_ticket = ticket.call().call_id().map_or("", |id| id.as_str());
    let is_same = of_ticket
        .rsplit_once(SEPARATOR)
        .is_some_and(|(_, of_ticket)| of_ticket == digest);
    if !is_same {
        return Err(unknown(
            "it belongs to a call of another tool or with other arguments; answers are for the call that was asked about",
        ));
    }
    Ok(())
}

/// The refusal of a state, with nothing run.
pub(super) fn unknown(why: &str) -> ErrorData {
    ErrorData::invalid_params(
        format!(
            "`requestState` is refused: {why}. Nothing ran; make the request without it to begin anew"
        ),
        None,
    )
}

/// The error of a request whose ticket is refused.
pub(super) fn refused(error: &TicketError) -> ErrorData {
    match error.kind() {
        TicketErrorKind::Store | TicketErrorKind::Unavailable => {
            tracing::error!(%error, "the tickets of calls cannot be read");
            ErrorData::internal_error(
                "the server cannot go on with calls now; try again later",
                None,
            )
        }
        _ => unknown(&error.to_string()),
    }
}
