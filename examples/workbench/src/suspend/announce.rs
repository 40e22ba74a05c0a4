//! Telling how to answer the calls that wait in a state.

use std::io::{self, Write as _};

use tokio::task::JoinHandle;
use toolwright::ticket::{TicketBroker, TicketEvent};

use super::Remembered;

/// Remembers each ticket that is opened, and tells how to answer it where nobody is asked here.
#[derive(Debug)]
pub(crate) struct Announcer(JoinHandle<()>);

impl Announcer {
    pub(crate) fn start(broker: &TicketBroker, remembered: Remembered, tells: bool) -> Self {
        let mut events = broker.subscribe();
        Self(tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                let TicketEvent::Opened(tickets) = event else {
                    continue;
                };
                for ticket in tickets {
                    let place = remembered.write_or_name(ticket.id());
                    if tells {
                        // `eprintln!` panics where nobody reads it.
                        let _ = writeln!(
                            io::stderr(),
                            "{} waits: workbench{place} resume {} yes|no [--reason TEXT]",
                            ticket.call().tool(),
                            ticket.id()
                        );
                    }
                }
            }
        }))
    }
}

impl Drop for Announcer {
    fn drop(&mut self) {
        self.0.abort();
    }
}
