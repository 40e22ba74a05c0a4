//! The options of a ticket that may be trusted once for all.

use toolwright::ticket::{Ticket, TrustOption};

/// The trust options of a ticket, each with the number of the request that offers it. What two requests
/// offer alike is there once.
pub(crate) fn options(ticket: &Ticket) -> Vec<(usize, &TrustOption)> {
    let mut options: Vec<(usize, &TrustOption)> = Vec::new();
    for (number, request) in ticket.requests().iter().enumerate() {
        for option in request.trust_options() {
            if !options.iter().any(|(_, there)| *there == option) {
                options.push((number, option));
            }
        }
    }
    options
}
