//! Among several who answer or close, one wins.

use std::sync::Arc;

use super::{Works, at_once, same, sample};
use crate::ticket::{CloseReason, StoredTicket, TicketRecord, TicketStore, WriteOutcome};

const CROWD: usize = 24;
const ROUNDS: usize = 10;

pub(super) async fn check<S: TicketStore>(store: Arc<S>) {
    in_turn(&*store).await;
    closed(&*store).await;
    for _ in 0..ROUNDS {
        many_answers(&store).await;
        many_closings(&store).await;
        answers_and_a_closing(&store).await;
    }
}

async fn put(store: &impl TicketStore) -> StoredTicket {
    let ticket = sample::ticket("s").make();
    store.put(&ticket).await.works("put");
    ticket
}

async fn get(store: &impl TicketStore, ticket: &StoredTicket) -> TicketRecord {
    let kept = store.get(ticket.ticket().id()).await.works("get");
    kept.expect("`get` does not find a ticket that was put")
}

async fn in_turn(store: &impl TicketStore) {
    let ticket = put(store).await;
    let id = ticket.ticket().id();
    let first = sample::answer(&ticket, 2, 1);
    let answer = async |request: usize, answer: &_| {
        let recorded = store.answer(id, request, answer).await;
        recorded.works("answer")
    };
    same(
        answer(2, &first).await,
        WriteOutcome::Now,
        "the first answer to a request was not taken",
    );
    let second = sample::answer(&ticket, 2, 2);
    same(
        answer(2, &second).await,
        WriteOutcome::Before,
        "a second answer to a request was taken",
    );
    let other = sample::answer(&ticket, 0, 3);
    same(
        answer(0, &other).await,
        WriteOutcome::Now,
        "an answer to one request kept another out",
    );
    let found = get(store, &ticket).await.answers;
    let expected = vec![Some(other), None, Some(first)];
    same(
        found,
        expected,
        "answers are not at the numbers of their requests",
    );

    let unknown = store.answer(sample::nobody(), 0, &second).await;
    let otherwise = "an answer to no ticket was taken";
    same(unknown.works("answer"), WriteOutcome::Unknown, otherwise);
}

async fn closed(store: &impl TicketStore) {
    for how in [
        CloseReason::Used,
        CloseReason::Cancelled,
        CloseReason::SessionEnded,
        CloseReason::Expired,
    ] {
        let ticket = put(store).await;
        let id = ticket.ticket().id();
        let recorded = store.close(id, how).await.works("close");
        same(recorded, WriteOutcome::Now, "an open ticket was not closed");
        let again = store.close(id, CloseReason::Used).await.works("close");
        let otherwise = "a closed ticket was closed again";
        same(again, WriteOutcome::Closed(how), otherwise);
        let answer = sample::answer(&ticket, 0, 1);
        let late = store.answer(id, 0, &answer).await.works("answer");
        same(
            late,
            WriteOutcome::Closed(how),
            "a closed ticket was answered",
        );
        let kept = get(store, &ticket).await;
        same(
            kept.closed,
            Some(how),
            "a closed ticket is not kept as closed",
        );
        same(kept.answered(), 0, "a refused answer was kept");
    }
    let unknown = store.close(sample::nobody(), CloseReason::Used).await;
    same(
        unknown.works("close"),
        WriteOutcome::Unknown,
        "no ticket was closed",
    );
}

async fn many_answers<S: TicketStore>(store: &Arc<S>) {
    let ticket = put(&**store).await;
    let recorded = at_once(CROWD, |number| {
        let (store, ticket) = (Arc::clone(store), ticket.clone());
        async move {
            let answer = sample::answer(&ticket, 1, number);
            let recorded = store.answer(ticket.ticket().id(), 1, &answer).await;
            (recorded.works("answer"), answer)
        }
    });
    let (mut winners, mut losers) = (Vec::new(), 0);
    for (recorded, answer) in recorded.await {
        match recorded {
            WriteOutcome::Now => winners.push(answer),
            WriteOutcome::Before => losers += 1,
            other => panic!("an answer to an open ticket was refused: {other:?}"),
        }
    }
    let otherwise = "of answers at once, not just one was taken";
    same((winners.len(), losers), (1, CROWD - 1), otherwise);
    let kept = get(&**store, &ticket).await.answers;
    let kept = kept.into_iter().nth(1).flatten();
    same(
        kept,
        winners.pop(),
        "the answer that is kept is not the one that was taken",
    );
}

async fn many_closings<S: TicketStore>(store: &Arc<S>) {
    let ticket = put(&**store).await;
    let recorded = at_once(CROWD, |number| {
        let (store, id) = (Arc::clone(store), ticket.ticket().id());
        let how = [CloseReason::Used, CloseReason::Cancelled][number % 2];
        async move { (store.close(id, how).await.works("close"), how) }
    });
    let recorded = recorded.await;
    let winners = recorded
        .iter()
        .filter(|(recorded, _)| *recorded == WriteOutcome::Now);
    let winners: Vec<CloseReason> = winners.map(|(_, how)| *how).collect();
    same(
        winners.len(),
        1,
        "of closings at once, not just one closed the ticket",
    );
    let kept = get(&**store, &ticket).await.closed;
    same(
        kept,
        Some(winners[0]),
        "a ticket is not closed as whoever closed it said",
    );
    for (recorded, _) in recorded {
        let told = matches!(recorded, WriteOutcome::Now | WriteOutcome::Closed(_));
        assert!(told, "a closing that came too late was told {recorded:?}");
    }
}

async fn answers_and_a_closing<S: TicketStore>(store: &Arc<S>) {
    let ticket = put(&**store).await;
    let taken = at_once(4, |number| {
        let (store, ticket) = (Arc::clone(store), ticket.clone());
        async move {
            let id = ticket.ticket().id();
            if number == 3 {
                store.close(id, CloseReason::Used).await.works("close");
                return None;
            }
            let answer = sample::answer(&ticket, number, number);
            let recorded = store.answer(id, number, &answer).await.works("answer");
            (recorded == WriteOutcome::Now).then_some(number)
        }
    });
    let mut taken: Vec<usize> = taken.await.into_iter().flatten().collect();
    taken.sort_unstable();
    let kept = get(&**store, &ticket).await.answers;
    let answered = kept
        .iter()
        .enumerate()
        .filter(|(_, answer)| answer.is_some());
    let answered: Vec<usize> = answered.map(|(number, _)| number).collect();
    let otherwise =
        "while a ticket was closed, answers were taken and not kept, or refused and kept";
    same(answered, taken, otherwise);
}
