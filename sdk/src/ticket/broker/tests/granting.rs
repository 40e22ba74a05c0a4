use super::*;
use crate::ticket::{AnswerProgress, Answers, GrantLifetime};

impl Bench {
    async fn grant(&self, session: &str, covers: GrantScope, level: GrantLevel) -> Grant {
        let grant = self
            .broker
            .new_grant(session.into(), covers, level)
            .unwrap();
        self.broker.add_grant(grant.clone()).await.unwrap();
        grant
    }
}

#[tokio::test]
async fn always_puts_a_grant_and_answers_what_it_covers() {
    let bench = Bench::new();
    let drafts = vec![
        draft(&["a"]),
        draft(&["a", "b"]),
        draft_in("other", &["a"]),
        draft(&["b"]),
    ];
    let mut heard = bench.broker.subscribe();
    let tickets = bench.broker.open(drafts).await.unwrap();
    let before = bench.broker.generation();
    let always = Answer::always(target_matcher("a")).because("all of a");
    bench.broker.answer(tickets[0].id(), always).await.unwrap();
    assert_ne!(bench.broker.generation(), before);

    let grants = bench.broker.grants(&"s".into()).await.unwrap();
    let [grant] = &grants[..] else {
        panic!("{grants:?}");
    };
    assert_eq!(grant.level(), GrantLevel::Allow);
    assert_eq!(grant.reason(), Some("all of a"));
    assert!(
        bench
            .broker
            .grants(&"other".into())
            .await
            .unwrap()
            .is_empty()
    );

    let covered = bench.broker.get(tickets[1].id()).await.unwrap();
    assert_eq!(covered.answer(0), Some(&Answer::yes().because("all of a")));
    assert_eq!(covered.left(), [1]);
    for untouched in &tickets[2..] {
        assert_eq!(bench.broker.get(untouched.id()).await.unwrap().left(), [0]);
    }
    assert_eq!(
        names(&events(&mut heard)),
        ["opened", "answered", "granted"]
    );
}

#[tokio::test]
async fn never_refuses_what_else_waits() {
    let bench = Bench::new();
    let first = bench.open(&["a"]).await;
    let second = bench.open(&["b", "c"]).await;
    let never = Answer::never(tool_matcher()).because("leave it");
    bench.broker.answer(first.id(), never).await.unwrap();
    let pending = bench.broker.get(second.id()).await.unwrap();
    assert_eq!(pending.standing(), AnswerProgress::Refused);
    assert_eq!(pending.answer(0).unwrap().reason(), Some("leave it"));
}

#[tokio::test]
async fn one_answer_to_several_requests_is_one_grant() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    let always = Answer::always(tool_matcher());
    bench.broker.answer(ticket.id(), always).await.unwrap();
    assert_eq!(
        bench.broker.grants(ticket.session()).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn what_a_grant_covers_asks_nobody() {
    let bench = Bench::new();
    bench
        .grant("s", target_matcher("a"), GrantLevel::Allow)
        .await;
    let mut heard = bench.broker.subscribe();
    let drafts = vec![draft(&["a"]), draft(&["a", "b"])];
    let tickets = bench.broker.open(drafts).await.unwrap();
    let happened = events(&mut heard);
    assert_eq!(names(&happened), ["opened", "granted", "granted"]);
    assert!(matches!(&happened[0], TicketEvent::Opened(asks) if asks[..] == tickets[1..]));
    assert!(matches!(
        bench.claim(&tickets[0]).await,
        Ok(Claim::Ready(_))
    ));

    // A question is answered by nobody but a person.
    let mut question = draft(&["a"]);
    question.wait.kind = WaitKind::Question;
    let question = bench.open_draft(question).await;
    assert_eq!(bench.broker.get(question.id()).await.unwrap().left(), [0]);
}

#[tokio::test]
async fn a_denial_outweighs_and_times_and_turns_are_kept() {
    let bench = Bench::new();
    bench.grant("s", tool_matcher(), GrantLevel::Allow).await;
    bench
        .grant("s", target_matcher("a"), GrantLevel::Deny)
        .await;
    let ticket = bench.open(&["a"]).await;
    let pending = bench.broker.get(ticket.id()).await.unwrap();
    assert_eq!(pending.standing(), AnswerProgress::Refused);

    let bench = Bench::new();
    let end = SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_500);
    let grant = |broker: &TicketBroker| {
        broker
            .new_grant("s".into(), tool_matcher(), GrantLevel::Allow)
            .unwrap()
    };
    let short = grant(&bench.broker).with_expiry(Some(end));
    bench.broker.add_grant(short).await.unwrap();
    let elsewhere = grant(&bench.broker).with_scope(GrantLifetime::Turn(TurnId::new(2)));
    bench.broker.add_grant(elsewhere).await.unwrap();
    bench.pass(Duration::from_millis(499));
    let covered = bench.open(&["a"]).await;
    assert!(
        bench
            .broker
            .get(covered.id())
            .await
            .unwrap()
            .left()
            .is_empty()
    );
    assert_eq!(bench.broker.grants(&"s".into()).await.unwrap().len(), 2);
    bench.pass(Duration::from_millis(1));
    let asks = bench.open(&["a"]).await;
    assert_eq!(bench.broker.get(asks.id()).await.unwrap().left(), [0]);
    assert_eq!(bench.broker.grants(&"s".into()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn grants_are_taken_back_one_by_one_or_all_at_once() {
    let bench = Bench::new();
    let session = SessionId::new("s");
    let grant = bench.grant("s", tool_matcher(), GrantLevel::Allow).await;
    bench
        .grant("s", target_matcher("a"), GrantLevel::Allow)
        .await;
    bench
        .grant("other", tool_matcher(), GrantLevel::Allow)
        .await;
    let generation = bench.broker.generation();
    assert_eq!(
        bench.broker.revoke(&"other".into(), grant.id()).await,
        Ok(false)
    );
    assert_eq!(bench.broker.revoke(&session, grant.id()).await, Ok(true));
    assert_eq!(bench.broker.revoke(&session, grant.id()).await, Ok(false));
    assert!(bench.broker.generation() > generation);
    assert_eq!(bench.broker.clear_grants(&session).await, Ok(1));
    assert_eq!(bench.broker.grants(&"other".into()).await.unwrap().len(), 1);
    bench.broker.end_session(&"other".into()).await.unwrap();
    assert!(
        bench
            .broker
            .grants(&"other".into())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_grant_that_was_not_given_here_counts_for_nothing() {
    let bench = Bench::new();
    let grant = |session: &str| {
        bench
            .broker
            .new_grant(session.into(), tool_matcher(), GrantLevel::Allow)
            .unwrap()
    };
    let mut turned = key(1)
        .seal_grant(
            bench
                .broker
                .new_grant("s".into(), tool_matcher(), GrantLevel::Deny)
                .unwrap(),
        )
        .unwrap();
    turned.grant = grant("s");
    let strange = key(2).seal_grant(grant("s")).unwrap();
    let moved = key(1).seal_grant(grant("other")).unwrap();
    for forged in [turned, strange, moved] {
        *bench.store.grants.lock().unwrap() = vec![forged];
        let mut heard = bench.broker.subscribe();
        assert!(bench.broker.grants(&"s".into()).await.unwrap().is_empty());
        let happened = events(&mut heard);
        assert!(
            matches!(&happened[..], [TicketEvent::Ignored { ticket: None, error, .. }]
                if error.kind() == TicketErrorKind::Forged),
            "{happened:?}"
        );
        let ticket = bench.open(&["a"]).await;
        assert_eq!(bench.broker.get(ticket.id()).await.unwrap().left(), [0]);
    }
}

#[tokio::test]
async fn an_answer_that_came_too_late_gives_no_grant() {
    let bench = Bench::new();
    let ticket = bench.open(&["a", "b"]).await;
    bench
        .broker
        .answer(ticket.id(), Answers::none().with(0, Answer::yes()))
        .await
        .unwrap();
    let late = Answers::none().with(0, Answer::always(tool_matcher()));
    let late = bench.broker.answer(ticket.id(), late).await;
    assert_eq!(kind(late), TicketErrorKind::AlreadyAnswered);
    assert!(
        bench
            .broker
            .grants(ticket.session())
            .await
            .unwrap()
            .is_empty()
    );
}
