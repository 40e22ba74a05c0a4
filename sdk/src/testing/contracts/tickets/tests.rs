mod broken;

use std::panic::AssertUnwindSafe;

use broken::{Broken, Fault};

use super::*;
use crate::ticket::MemoryTickets;
use crate::util::panic::catch_panic;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_store_in_memory_keeps_to_it() {
    ticket_store_contract(async || MemoryTickets::new()).await;
    let place = MemoryTickets::new();
    durable_ticket_store_contract(async || place.clone()).await;
}

fn finds(fault: Fault) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let found = catch_panic(AssertUnwindSafe(|| {
        runtime.block_on(ticket_store_contract(async || Broken::new(fault)));
    }));
    match found {
        Ok(()) => panic!("{fault:?} was not found"),
        Err(text) => text,
    }
}

#[test]
fn each_violation_is_found_and_named() {
    for (fault, expected) in [
        (Fault::Fails, "`put` failed: the disk is full"),
        (Fault::ForgetsClosed, "it finds nothing"),
        (
            Fault::Reformats,
            "what `put` was given is not what `get` finds",
        ),
        (
            Fault::PutOverwrites,
            "a second `put` of an id changed the ticket",
        ),
        (Fault::PutReopens, "a second `put` of an id opened it again"),
        (Fault::MixesRequests, "answers are not at the numbers"),
        (
            Fault::SaysNowTwice,
            "a second answer to a request was taken",
        ),
        (
            Fault::ReadsThenWrites,
            "of answers at once, not just one was taken",
        ),
        (Fault::ClosesTwice, "a closed ticket was closed again"),
        (Fault::AnswersClosed, "a closed ticket was answered"),
        (Fault::KnowsAll, "an answer to no ticket was taken"),
        (
            Fault::ListsClosed,
            "`list` does not give the open tickets of",
        ),
        (
            Fault::ListsNewestFirst,
            "`list` does not give the oldest first",
        ),
        (
            Fault::IgnoresTurns,
            "`list` does not give the open tickets of",
        ),
        (Fault::NeverWakes, "for a ticket that is not there"),
        (Fault::LooksOnce, "for a ticket that has the answer already"),
        (
            Fault::WatchesLate,
            "for a ticket that is answered meanwhile",
        ),
        (Fault::GrantTwice, "a second `put_grant` of an id"),
        (Fault::GrantsNewestFirst, "the oldest first"),
        (
            Fault::RemovesForeign,
            "a session removed a grant of another",
        ),
        (Fault::FoldsCase, "does not have just its own grant"),
        (Fault::ForgetsAll, "does not have just its own"),
        (Fault::ForgetsTicketsOnly, "and its grant is still there"),
    ] {
        let found = finds(fault);
        assert!(found.contains(expected), "{fault:?}: {found}");
    }
}
