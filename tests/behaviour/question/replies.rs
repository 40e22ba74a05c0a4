//! Questions of a session, from their registration to the reply.

use std::pin::pin;
use std::time::Duration;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::question::{Question, UserInteractionRegistry};
use toolwright::ticket::{TicketErrorKind, TicketFilter};
use toolwright::{
    Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolError, ToolRegistry, toolset,
};

use super::{colours, events, executor, interrupted, opened};
use crate::support::poll_once;

/// Asks by the registry that it was made with.
struct Guide {
    interactions: UserInteractionRegistry,
}

#[toolset]
impl Guide {
    /// Ask for the way.
    #[tool(read_only)]
    async fn way(&self, ctx: &ToolContext) -> Result<String, ToolError> {
        let question = Question::choice("Which way?", ["left", "right"]);
        let receiver = self.interactions.register(ctx, question).await?;
        let reply = receiver.recv().await?;
        Ok(format!("go {reply}"))
    }
}

fn guided() -> Executor {
    guiding().build().unwrap()
}

fn guiding() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new())
        .register_tools(|registries| {
            let interactions = registries.interactions.clone();
            Ok(ToolRegistry::new().with_set(Guide { interactions }))
        })
        .approvals(WaitMode::Blocking)
}

#[tokio::test]
async fn s2_19_the_questions_of_a_session_are_listed() {
    let executor = guided();
    let mut events = events(&executor);
    let (ada, bob) = (executor.session("ada"), executor.session("bob"));
    let turn = ada.turn();
    let mut by_ada = pin!(turn.call(ToolCall::new("way", "{}").with_id("c-1")));
    let mut by_bob = pin!(bob.call(ToolCall::new("way", "{}").with_id("c-1")));
    assert!(poll_once(by_ada.as_mut()).is_pending());
    assert!(poll_once(by_bob.as_mut()).is_pending());
    opened(&mut events).await;

    let pending = executor.interactions().pending("ada").await.unwrap();
    let [question] = &pending[..] else {
        panic!("{pending:?}");
    };
    assert_eq!(question.question().prompt(), "Which way?");
    assert_eq!(question.call_id().unwrap().as_str(), "c-1");
    assert_eq!(question.session().as_str(), "ada");
    assert_eq!(question.turn(), turn.id());
    assert_eq!(question.tool().as_str(), "way");
    assert_eq!(executor.interactions().pending("eve").await.unwrap(), []);

    let interactions = executor.interactions();
    interactions.respond(question.id(), "left").await.unwrap();
    assert_eq!(by_ada.await.text(), "go left");
    assert_eq!(interactions.pending("ada").await.unwrap(), []);
    let by_bob_still = interactions.pending("bob").await.unwrap();
    assert_eq!(by_bob_still.len(), 1);
    interactions
        .respond(by_bob_still[0].id(), "right")
        .await
        .unwrap();
    assert_eq!(by_bob.await.text(), "go right");
}

#[tokio::test]
async fn s2_20_a_registered_question_gives_a_receiver_of_its_reply() {
    let executor = guided();
    let interactions = executor.interactions();
    let turn = executor.session("s-1").turn();
    let tool = toolwright::ToolName::new("by.hand").unwrap();
    let by = toolwright::ticket::Requester::new(tool, "s-1", turn.id()).with_call_id("c-7");
    let receiver = interactions.register(by, colours()).await.unwrap();
    let [question] = &interactions.pending("s-1").await.unwrap()[..] else {
        panic!("one question");
    };
    assert_eq!(question.call_id().unwrap().as_str(), "c-7");
    assert_eq!(question.turn(), turn.id());
    assert_eq!(question.ticket(), receiver.ticket());
    interactions.respond(question.id(), "red").await.unwrap();
    assert_eq!(receiver.recv().await.unwrap().choice(), Some("red"));
}

async fn answered_in(mode: WaitMode, session: &Session, executor: &Executor) -> String {
    let interactions = executor.interactions();
    if mode == WaitMode::Suspending {
        let suspension = interrupted(session, "paint").await;
        interactions.respond(suspension.id(), "red").await.unwrap();
        let resumed = session.resume(suspension.ticket(), toolwright::ticket::Answers::none());
        return resumed.await.unwrap().text();
    }
    let mut events = events(executor);
    let mut call = pin!(session.call(ToolCall::new("paint", "{}")));
    assert!(poll_once(call.as_mut()).is_pending());
    let ticket = opened(&mut events).await;
    assert!(poll_once(call.as_mut()).is_pending());
    interactions.respond(ticket.id(), "red").await.unwrap();
    call.await.text()
}

#[tokio::test]
async fn s2_21_the_tool_waits_until_the_user_answers() {
    let (executor, trace) = executor(WaitMode::Blocking);
    let session = executor.session("s-1");
    answered_in(WaitMode::Blocking, &session, &executor).await;
    assert_eq!(trace.take(), ["begins", "paints"]);
}

#[tokio::test]
async fn s2_22_the_answer_is_in_the_result() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        let (executor, _) = executor(mode);
        let session = executor.session("s-1");
        let text = answered_in(mode, &session, &executor).await;
        assert_eq!(text, "the fence is red", "{mode:?}");
    }
}

/// As data, to the host and back, with the answer that the tool reads.
#[tokio::test]
async fn s2_23_questions_of_each_form_go_round() {
    let (executor, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "order").await;
    let text = serde_json::to_string(&**suspension.ticket()).unwrap();
    let ticket: toolwright::ticket::Ticket = serde_json::from_str(&text).unwrap();
    let interactions = executor.interactions();
    let asked = interactions.pending("s-1").await.unwrap();
    assert_eq!(asked.len(), 3);
    let answers = [
        json!(["ham", {"other": "figs"}]),
        json!("Ada"),
        json!(false),
    ];
    for (number, (pending, answer)) in asked.iter().zip(answers).enumerate() {
        assert_eq!(pending.id().number(), number);
        let question = pending.question();
        assert_eq!(
            Question::of(&ticket.requests()[number]).as_ref(),
            Some(question)
        );
        let text = serde_json::to_string(question).unwrap();
        assert_eq!(&serde_json::from_str::<Question>(&text).unwrap(), question);
        let reply = question.check(&answer).unwrap();
        assert_eq!(reply.to_value(), answer);
        assert_eq!(question.check(&reply.to_value()).unwrap(), reply);
        interactions.respond(pending.id(), answer).await.unwrap();
    }
    let resumed = session
        .resume(&ticket, toolwright::ticket::Answers::none())
        .await;
    assert_eq!(resumed.unwrap().text(), "ham, figs / Ada / no");
    let open = interactions.tickets().list(&TicketFilter::all()).await;
    assert_eq!(open.unwrap(), []);
}

#[tokio::test]
async fn s2_24_a_declined_question_is_an_error_for_the_model() {
    let executor = guided();
    let mut events = events(&executor);
    let session = executor.session("s-1");
    let mut call = pin!(session.call(ToolCall::new("way", "{}")));
    assert!(poll_once(call.as_mut()).is_pending());
    let ticket = opened(&mut events).await;
    let interactions = executor.interactions();
    let decline = interactions.decline(ticket.id(), Some("look it up"));
    decline.await.unwrap();
    let outcome = call.await;
    let error = outcome.error().unwrap();
    assert_eq!(error.code(), "question_declined");
    assert_eq!(
        error.message(),
        "the user declined to answer (Which way?): look it up"
    );
}

#[tokio::test]
async fn a_registry_works_at_the_first_call() {
    let executor = guided();
    let mut events = events(&executor);
    let session = executor.session("s-1");
    let answer = async {
        let ticket = opened(&mut events).await;
        let interactions = executor.interactions();
        interactions.respond(ticket.id(), "left").await.unwrap();
    };
    let call = session.call(ToolCall::new("way", "{}"));
    let (outcome, ()) = tokio::join!(call, answer);
    assert_eq!(outcome.text(), "go left");
}

/// The timeout of a call is a minute, and stands still while it waits for a reply.
#[tokio::test(start_paused = true)]
async fn a_registered_question_waits_until_its_deadline() {
    let ten_minutes = Duration::from_secs(600);
    let executor = guiding()
        .approvals(Approvals::new().ticket_lifetime(ten_minutes))
        .build()
        .unwrap();
    let outcome = executor.call("way", "{}").await;
    let error = outcome.error().unwrap();
    assert_eq!(error.code(), "question_expired");
    assert_eq!(error.message(), "nobody answered in time: Which way?");
}

#[tokio::test]
async fn a_registered_question_goes_with_its_call() {
    let executor = guided();
    let mut events = events(&executor);
    let turn = executor.session("s-1").turn();
    let mut call = pin!(turn.call(ToolCall::new("way", "{}")));
    assert!(poll_once(call.as_mut()).is_pending());
    let ticket = opened(&mut events).await;
    turn.cancel();
    let outcome = call.await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
    let late = executor.interactions().respond(ticket.id(), "left").await;
    assert_eq!(late.unwrap_err().kind(), TicketErrorKind::Cancelled);
}
