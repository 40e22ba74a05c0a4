//! The registry of questions: a face of the broker.

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::question::Question;
use toolwright::ticket::{Answer, Requester, TicketErrorKind, TicketFilter};
use toolwright::{Executor, ToolName, ToolRegistry};

use super::{colours, executor};

fn asker(executor: &Executor) -> Requester {
    let turn = executor.session("s-1").turn();
    Requester::new(ToolName::new("by.hand").unwrap(), "s-1", turn.id())
}

#[tokio::test]
async fn a_question_that_cannot_be_asked_is_not_registered() {
    let (executor, _) = executor(WaitMode::Blocking);
    let interactions = executor.interactions();
    let none: [&str; 0] = [];
    let question = Question::choice("Which?", none);
    let refused = interactions.register(asker(&executor), question).await;
    let error = refused.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert_eq!(error.code(), "invalid_question");
    assert_eq!(interactions.pending("s-1").await.unwrap(), []);
}

#[tokio::test]
async fn before_the_executor_is_built_nobody_is_there() {
    let mut early = None;
    let builder = Executor::builder(ToolRegistry::new())
        .approvals(WaitMode::Blocking)
        .register_tools(|registries| {
            early = Some(registries.interactions.clone());
            Ok(ToolRegistry::new())
        });
    let early = early.unwrap();
    let turn = executor(WaitMode::Blocking).0.session("s-1").turn().id();
    let by = || Requester::new(ToolName::new("by.hand").unwrap(), "s-1", turn);
    let error = early.register(by(), colours()).await.unwrap_err();
    assert_eq!(error.code(), "question_unavailable");
    assert!(early.pending("s-1").await.is_err());
    let executor = builder.build().unwrap();
    let receiver = early.register(by(), colours()).await.unwrap();
    let pending = executor.interactions().pending("s-1").await.unwrap();
    early.respond(pending[0].id(), "red").await.unwrap();
    assert!(receiver.recv().await.is_ok());
}

#[tokio::test]
async fn a_dropped_receiver_cancels_its_question() {
    let (executor, _) = executor(WaitMode::Blocking);
    let interactions = executor.interactions();
    let receiver = interactions.register(asker(&executor), colours()).await;
    let id = receiver.unwrap().ticket().id();
    // Whoever uses the broker next closes what was dropped.
    let late = loop {
        match interactions.tickets().get(id).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(error) => break error.kind(),
        }
    };
    assert_eq!(late, TicketErrorKind::Cancelled);
    assert_eq!(interactions.pending("s-1").await.unwrap(), []);
}

/// Its call waits in its task: there is nothing to go on with.
#[tokio::test]
async fn a_registered_question_is_not_resumed() {
    let (executor, _) = executor(WaitMode::Suspending);
    let interactions = executor.interactions();
    let session = executor.session("s-1");
    let turn = session.turn();
    for tool in ["by.hand", "paint"] {
        let by = Requester::new(ToolName::new(tool).unwrap(), "s-1", turn.id());
        let receiver = interactions.register(by, colours()).await.unwrap();
        let ticket = receiver.ticket().clone();
        let resumed = session.resume(&ticket, Answer::value("red")).await;
        assert_eq!(
            resumed.unwrap_err().kind(),
            TicketErrorKind::ChangedTool,
            "{tool}"
        );
        interactions.respond(ticket.id(), "green").await.unwrap();
        assert_eq!(receiver.recv().await.unwrap().choice(), Some("green"));
    }
    let open = interactions.tickets().list(&TicketFilter::all()).await;
    assert_eq!(open.unwrap(), []);
}

/// The registry of questions does not list other waits.
#[tokio::test]
async fn only_questions_are_listed() {
    let (executor, _) = executor(WaitMode::Blocking);
    let interactions = executor.interactions();
    let first = interactions
        .register(asker(&executor), colours())
        .await
        .unwrap();
    let text = Question::text("Why?").secret();
    let second = interactions.register(asker(&executor), text).await.unwrap();
    let pending = interactions.pending("s-1").await.unwrap();
    let prompts: Vec<&str> = pending.iter().map(|p| p.question().prompt()).collect();
    assert_eq!(prompts, ["Which colour?", "Why?"]);
    assert!(pending[1].question().is_secret());
    // The answer to the wrong one of two questions does not fit.
    let wrong = interactions.respond(pending[0].id(), "because").await;
    assert_eq!(wrong.unwrap_err().kind(), TicketErrorKind::UnfitAnswer);
    interactions
        .respond(pending[1].id(), "because")
        .await
        .unwrap();
    let reply = second.recv().await.unwrap();
    assert_eq!(reply.text(), Some("because"));
    assert!(!format!("{reply:?}").contains("because"));
    interactions.cancel(pending[0].id()).await.unwrap();
    let cancelled = first.recv().await.unwrap_err();
    assert_eq!(cancelled.kind(), ErrorKind::Cancelled);
}
