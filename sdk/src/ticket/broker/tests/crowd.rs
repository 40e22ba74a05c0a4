use tokio::task::JoinSet;

use super::*;
use crate::ticket::{Answers, Settled};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_answer_or_claim_one_wins() {
    let bench = Arc::new(Bench::new());
    for _ in 0..20 {
        let ticket = bench.open(&["a"]).await;
        let mut answering = JoinSet::new();
        for number in 0..16 {
            let (bench, id) = (Arc::clone(&bench), ticket.id());
            answering.spawn(async move {
                let answer = Answer::yes().because(number.to_string());
                bench
                    .broker
                    .answer(id, answer.clone())
                    .await
                    .map(|_| answer)
            });
        }
        let answered = answering.join_all().await;
        let mut winners = Vec::new();
        for result in answered {
            match result {
                Ok(answer) => winners.push(answer),
                Err(error) => assert_eq!(error.kind(), TicketErrorKind::AlreadyAnswered),
            }
        }
        let [winner] = &winners[..] else {
            panic!("one wins: {winners:?}");
        };

        let mut claiming = JoinSet::new();
        for _ in 0..16 {
            let (bench, ticket) = (Arc::clone(&bench), Arc::clone(&ticket));
            claiming.spawn(async move { bench.claim(&ticket).await });
        }
        let mut claims = 0;
        for result in claiming.join_all().await {
            match result {
                Ok(Claim::Ready(ClaimedCall { answers, .. })) => {
                    claims += 1;
                    assert_eq!(answers, [Some(winner.clone())]);
                }
                Ok(Claim::Waits { .. }) => panic!("it is answered"),
                Err(error) => assert_eq!(error.kind(), TicketErrorKind::Used),
            }
        }
        assert_eq!(claims, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_answers_last_is_told_that_it_can_go_on() {
    let bench = Arc::new(Bench::new());
    for _ in 0..50 {
        let ticket = bench.open(&["a", "b"]).await;
        let mut answering = JoinSet::new();
        for number in 0..2 {
            let (bench, id) = (Arc::clone(&bench), ticket.id());
            answering.spawn(async move {
                let answers = Answers::none().with(number, Answer::yes());
                bench.broker.answer(id, answers).await.unwrap()
            });
        }
        let told = answering.join_all().await;
        assert!(told.iter().any(super::super::AnswerProgress::is_settled));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_sessions_of_ten_tickets_lose_and_cross_nothing() {
    let bench = Arc::new(Bench::new());
    let mut sessions = JoinSet::new();
    for session in 0..1000 {
        let bench = Arc::clone(&bench);
        sessions.spawn(async move {
            let name = format!("session-{session}");
            let targets: Vec<String> = (0..10).map(|call| format!("{name}/{call}")).collect();
            let drafts = targets.iter().map(|target| draft_in(&name, &[target]));
            let tickets = bench.broker.open(drafts.collect()).await.unwrap();

            let mut waits = JoinSet::new();
            for ticket in &tickets {
                let (bench, ticket) = (Arc::clone(&bench), Arc::clone(ticket));
                waits.spawn(async move { (bench.broker.settled(ticket.id()).await, ticket) });
            }
            let listed = bench
                .broker
                .list(&TicketFilter::session(name.as_str()))
                .await;
            for pending in listed.unwrap().into_iter().rev() {
                let answer = Answer::value(format!("to {}", pending.ticket().summary()));
                bench.broker.answer(pending.id(), answer).await.unwrap();
            }
            let settled = waits.join_all().await;
            for (settled, ticket) in &settled {
                assert_eq!(ticket.session().as_str(), name);
                let Ok(Settled::Answered(answers)) = settled else {
                    panic!("{settled:?}");
                };
                let expected = Answer::value(format!("to {}", ticket.summary()));
                assert_eq!(answers[..], [Some(expected)]);
            }
            settled.len()
        });
    }
    let settled: usize = sessions.join_all().await.into_iter().sum();
    assert_eq!(settled, 10_000);
    let left = bench.broker.list(&TicketFilter::all()).await.unwrap();
    assert!(left.is_empty());
}
