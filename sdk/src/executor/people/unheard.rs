//! Calls that wait for an answer while nobody hears of it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::event::{CallOver, EventCall, EventKind, Events};
use crate::executor::trace::warn_of_unheard;
use crate::id::Label;
use crate::ticket::Ticket;

/// Reports a call that waits while nobody has subscribed to tickets: without an answer it waits until
/// its ticket expires.
#[cold]
pub(crate) fn report(events: &Events, ticket: &Ticket) {
    let call = ticket.call();
    let message = || {
        format!(
            "the call of `{}` waits for an answer, and nobody has subscribed to tickets: subscribe by \
             `TicketBroker::subscribe`, or answer what `TicketBroker::list` tells",
            call.tool()
        )
    };
    warn_of_unheard(ticket, message);
    if !events.is_listening() {
        return;
    }
    let version = call.version().map(str::to_owned);
    let of = Arc::new(EventCall {
        turn: ticket.turn(),
        invocation: ticket.invocation(),
        parent: None,
        call_id: call.call_id().cloned(),
        tool: call.tool().label(),
        version: version.map(|version| Label::from(Cow::Owned(version))),
        over: CallOver::default(),
    });
    events.emit(Some(ticket.session()), Some(&of), || {
        EventKind::Diagnostic {
            code: "nobody_listens".to_owned(),
            message: message(),
        }
    });
}
