//! Calls that a killed process has left: claimed and not ended, or answered and not resumed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use toolwright::arguments::Arguments;
use toolwright::content::ErrorKind;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::id::InvocationId;
use toolwright::question::Question;
use toolwright::record::{CallProgress, CallRecorder, CallRequest, RequestInput};
use toolwright::ticket::{
    Answer, Answers, MemoryTickets, Ticket, TicketErrorKind, TicketFilter, TicketKey, TicketStore,
    WaitKind,
};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome,
    ToolRegistry, ToolSpec, tool, tool_fn,
};
use toolwright_journal::{FileLog, Journal, MemoryLog, RecordKind, Settlement, verify};

/// The effects of the tools, and the bodies that are to hang.
#[derive(Clone, Default)]
struct World {
    effects: Arc<std::sync::Mutex<Vec<(String, InvocationId)>>>,
    begun: Arc<Notify>,
    hangs: Arc<AtomicUsize>,
}

impl World {
    async fn act(&self, what: &str, ctx: &ToolContext) -> String {
        let effect = (what.to_owned(), ctx.invocation_id());
        self.effects.lock().unwrap().push(effect);
        if self.hangs.load(Ordering::SeqCst) > 0 {
            self.begun.notify_one();
            std::future::pending::<()>().await;
        }
        format!("{what} is done")
    }

    fn effects(&self) -> Vec<(String, InvocationId)> {
        self.effects.lock().unwrap().clone()
    }
}

fn asks(what: &str) -> PermissionRequest {
    PermissionRequest::new("act", what, format!("Do {what}"))
}

/// Pay once.
#[tool(permission = asks("pay"))]
async fn pay(world: &World, ctx: &ToolContext) -> String {
    world.act("pay", ctx).await
}

/// Put a value, which may be done again.
#[tool(idempotent, permission = asks("put"))]
async fn put(world: &World, ctx: &ToolContext) -> String {
    world.act("put", ctx).await
}

/// A process of a replica.
fn process(world: &World, store: &MemoryTickets, replica: &str, log: &Path) -> (Executor, Journal) {
    let (journal, _) = Journal::open(FileLog::open(log).unwrap()).unwrap();
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_store(store.replica(replica))
        .ticket_key(TicketKey::from_bytes([7; 32]));
    let executor = Executor::builder(ToolRegistry::new().with(Pay).with(Put).with(PayAsking))
        .resource(world.clone())
        .approvals(approvals)
        .call_recorder(journal.clone())
        .build()
        .unwrap();
    (executor, journal)
}

async fn suspended(executor: &Executor, tool: &'static str) -> Arc<Ticket> {
    let outcome = executor.session("s").call(ToolCall::new(tool, "{}")).await;
    Arc::clone(outcome.suspension().unwrap().ticket())
}

async fn answered(executor: &Executor, tool: &'static str) -> Arc<Ticket> {
    let ticket = suspended(executor, tool).await;
    executor
        .tickets()
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    ticket
}

#[tokio::test]
async fn a_call_that_was_claimed_and_has_not_begun_runs_whatever_its_effect() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let log = folder.path().join("log");
    let (first, journal) = process(&world, &store, "a", &log);
    let tickets = [answered(&first, "pay").await, answered(&first, "put").await];
    for ticket in &tickets {
        // The process is killed between the claim and the first record of the body.
        store.replica("a").claim(ticket.id()).await.unwrap();
    }
    drop((first, journal));

    let other = process(&world, &store, "b", &folder.path().join("other"));
    let nothing = other.0.recover().await.unwrap();
    assert!(
        nothing.outcomes.is_empty(),
        "another replica has claimed nothing"
    );

    let (second, journal) = process(&world, &store, "a", &log);
    let recovered = second.recover().await.unwrap();
    let texts: Vec<String> = recovered.outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(recovered.outcomes.len(), 2, "{texts:?}");
    let mut effects = world.effects();
    effects.sort();
    let expected = [
        ("pay", tickets[0].invocation()),
        ("put", tickets[1].invocation()),
    ];
    assert_eq!(effects, expected.map(|(what, id)| (what.to_owned(), id)));
    assert!(recovered.indeterminate.is_empty() && recovered.failed.is_empty());
    assert!(store.replica("a").claimed().await.unwrap().is_empty());
    assert!(second.recover().await.unwrap().outcomes.is_empty());
    assert_eq!(journal.unsettled(), []);
    drop((second, journal));
    verify(&FileLog::open(&log).unwrap()).unwrap();
}

/// Has a process killed while the body of a tool runs: what the next one finds is what was written by then.
async fn killed_in(
    tool: &'static str,
    world: &World,
    store: &MemoryTickets,
    log: &Path,
) -> Arc<Ticket> {
    let before = log.with_extension("before");
    let (first, journal) = process(world, store, "a", &before);
    let ticket = answered(&first, tool).await;
    world.hangs.store(1, Ordering::SeqCst);
    let running = tokio::spawn({
        let (first, ticket) = (first.clone(), Arc::clone(&ticket));
        async move { first.session("s").resume(&ticket, Answers::none()).await }
    });
    world.begun.notified().await;
    world.hangs.store(0, Ordering::SeqCst);
    std::fs::copy(&before, log).unwrap();
    running.abort();
    let _ = running.await;
    drop((first, journal));
    ticket
}

#[tokio::test]
async fn a_body_that_may_run_again_does_so_under_the_key_of_its_call() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let log = folder.path().join("log");
    let ticket = killed_in("put", &world, &store, &log).await;
    let (second, journal) = process(&world, &store, "a", &log);
    let recovered = second.recover().await.unwrap();
    assert_eq!(recovered.outcomes[0].text(), "put is done");
    let put = ("put".to_owned(), ticket.invocation());
    assert_eq!(world.effects(), [put.clone(), put]);
    let last = journal.records().unwrap().last().unwrap().unwrap();
    assert!(matches!(last.kind, RecordKind::Responded(_)), "{last:?}");
}

#[tokio::test]
async fn a_body_that_runs_once_at_most_is_indeterminate_and_a_person_settles_it() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let log = folder.path().join("log");
    let ticket = killed_in("pay", &world, &store, &log).await;
    let (second, journal) = process(&world, &store, "a", &log);
    let recovered = second.recover().await.unwrap();
    assert!(recovered.outcomes.is_empty() && recovered.failed.is_empty());
    assert_eq!(recovered.indeterminate[0].id(), ticket.id());
    assert_eq!(world.effects().len(), 1);
    assert!(
        second.recover().await.unwrap().indeterminate.is_empty(),
        "it is reported once"
    );

    let unsettled = journal.unsettled();
    assert_eq!(unsettled.len(), 1);
    assert!(unsettled[0].is_indeterminate());
    assert_eq!(unsettled[0].invocation, ticket.invocation());
    let paid = Settlement::Succeeded("paid, as the bank says".to_owned());
    journal
        .settle(ticket.invocation(), paid.clone())
        .await
        .unwrap();
    let twice = journal.settle(ticket.invocation(), paid).await.unwrap_err();
    assert!(twice.to_string().contains("is not unsettled"), "{twice}");
    drop((second, journal));

    let (journal, recovery) = Journal::open(FileLog::open(&log).unwrap()).unwrap();
    assert_eq!(recovery.unfinished, []);
    let responses: Vec<_> = journal
        .records()
        .unwrap()
        .filter_map(|record| match record.unwrap().kind {
            RecordKind::Responded(response) => Some(response),
            _ => None,
        })
        .collect();
    let output = journal.output_of(&responses[0]).await.unwrap();
    assert_eq!(
        output.content()[0].as_text(),
        Some("paid, as the bank says")
    );
    assert!(responses[0].attended);
}

/// Pay once, and ask how much while it runs.
#[tool(name = "pay.asking", permission = asks("pay"))]
async fn pay_asking(world: &World, ctx: &ToolContext) -> Result<String, ToolError> {
    let amount = ctx.ask(Question::text("How much?")).await?;
    Ok(world.act(&format!("pay {amount}"), ctx).await)
}

#[tokio::test]
async fn a_call_that_waits_again_is_not_gone_on_with_from_its_first_ticket() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let log = folder.path().join("log");
    let (first, journal) = process(&world, &store, "a", &log);
    let before = answered(&first, "pay.asking").await;
    let resumed = first.session("s").resume(&before, Answers::none()).await;
    let next = Arc::clone(resumed.unwrap().suspension().unwrap().ticket());
    assert_ne!(before.id(), next.id());
    assert_eq!(before.invocation(), next.invocation());
    assert!(store.replica("a").claimed().await.unwrap().is_empty());

    let (other, _other) = process(&world, &store, "b", &folder.path().join("other"));
    let amount = Answer::value("3 francs");
    let paid = other.session("s").resume(&next, amount).await.unwrap();
    assert_eq!(paid.text(), "pay 3 francs is done");
    drop((first, journal));
    let (second, _journal) = process(&world, &store, "a", &log);
    let recovered = second.recover().await.unwrap();
    assert!(recovered.outcomes.is_empty() && recovered.indeterminate.is_empty());
    assert_eq!(world.effects().len(), 1);
}

#[tokio::test]
async fn claims_of_calls_that_have_ended_are_finished_while_the_replica_lives() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let (first, _journal) = process(&world, &store, "a", &folder.path().join("log"));
    for _ in 0..100 {
        let ticket = answered(&first, "pay").await;
        let session = first.session("s");
        session.resume(&ticket, Answers::none()).await.unwrap();
    }
    let left = store.replica("a").claimed().await.unwrap();
    assert!(left.len() <= 32, "{} claims are left", left.len());
    first.recover().await.unwrap();
    assert!(store.replica("a").claimed().await.unwrap().is_empty());
    assert_eq!(world.effects().len(), 100);
}

#[tokio::test]
async fn a_call_that_is_resumed_before_its_suspension_is_recorded_has_begun() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let (executor, _) = process(&world, &store, "a", &folder.path().join("log"));
    let ticket = suspended(&executor, "pay").await;
    let (id, turn, ticket) = (ticket.invocation(), ticket.turn(), ticket.id());
    let (journal, _) = Journal::open(MemoryLog::new()).unwrap();
    let arguments = Arguments::empty();
    let session = "s".into();
    let request = |resumes| {
        let mut request =
            CallRequest::new(id, &session, turn, "pay", RequestInput::new(&arguments));
        request.resumes = resumes;
        request
    };
    let progress = || journal.progress(&[id]).unwrap()[0];
    assert_eq!(progress(), CallProgress::NotBegun);
    journal.record(request(Some(ticket))).start().await.unwrap();
    assert_eq!(progress(), CallProgress::Begun);
    let mut suspending = journal.record(request(None));
    suspending
        .suspend(ticket, WaitKind::Approval)
        .await
        .unwrap();
    assert_eq!(
        progress(),
        CallProgress::Begun,
        "the order of the records does not tell"
    );
}

#[tokio::test]
async fn a_call_that_has_ended_is_not_touched() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let log = folder.path().join("log");
    let (first, _journal) = process(&world, &store, "a", &log);
    let ticket = answered(&first, "pay").await;
    let session = first.session("s");
    session.resume(&ticket, Answers::none()).await.unwrap();
    let recovered = first.recover().await.unwrap();
    assert!(recovered.outcomes.is_empty() && recovered.indeterminate.is_empty());
    assert_eq!(world.effects().len(), 1);
    assert!(store.replica("a").claimed().await.unwrap().is_empty());
}

#[tokio::test]
async fn answered_calls_are_resumed_by_one_of_many() {
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let (a, _a) = process(&world, &store, "a", &folder.path().join("a"));
    let (b, _b) = process(&world, &store, "b", &folder.path().join("b"));
    let mut tickets = Vec::new();
    for number in 0..300 {
        let tool = if number % 2 == 0 { "pay" } else { "put" };
        tickets.push(match number % 3 {
            0 => suspended(&a, tool).await,
            _ => answered(&a, tool).await,
        });
    }
    let denied = suspended(&a, "pay").await;
    b.tickets()
        .answer(denied.id(), Answer::no().because("no"))
        .await
        .unwrap();

    let (by_a, by_b) = tokio::join!(a.resume_answered(), b.resume_answered());
    let (by_a, by_b) = (by_a.unwrap(), by_b.unwrap());
    let all: Vec<_> = by_a.outcomes.iter().chain(&by_b.outcomes).collect();
    assert_eq!(all.len(), 201);
    let refused = all.iter().filter_map(|outcome| outcome.error());
    let refused: Vec<_> = refused.map(ToolError::kind).collect();
    assert_eq!(refused, [ErrorKind::Denied]);
    assert!(by_a.failed.is_empty() && by_b.failed.is_empty());
    let mut ran: Vec<_> = world.effects().into_iter().map(|(_, id)| id).collect();
    ran.sort_unstable();
    let distinct = ran.len();
    ran.dedup();
    assert_eq!((ran.len(), distinct), (200, 200));
    assert_eq!(
        a.tickets().list(&TicketFilter::all()).await.unwrap().len(),
        100
    );
}

#[tokio::test]
async fn a_tool_that_has_changed_stays_claimed_and_is_named() {
    let pay_otherwise = || {
        let spec = ToolSpec::new(
            ToolName::new("pay").unwrap(),
            "Pay once, in another currency.",
        );
        tool_fn(spec, |_: serde_json::Value, _| async {
            Ok::<_, ToolError>("paid")
        })
    };
    let (folder, world, store) = (
        tempfile::tempdir().unwrap(),
        World::default(),
        MemoryTickets::new(),
    );
    let (first, _journal) = process(&world, &store, "a", &folder.path().join("log"));
    let ticket = answered(&first, "pay").await;
    store.replica("a").claim(ticket.id()).await.unwrap();
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_store(store.replica("a"))
        .ticket_key(TicketKey::from_bytes([7; 32]));
    let changed = Executor::builder(ToolRegistry::new().with(pay_otherwise()).with(Put))
        .resource(world.clone())
        .approvals(approvals)
        .build()
        .unwrap();
    // Without a recorder nothing is known, and a call that runs once at most does not run.
    let unknown = changed.recover().await.unwrap();
    assert_eq!(unknown.indeterminate.len(), 1);
    assert!(world.effects().is_empty());

    let put = answered(&first, "put").await;
    store.replica("a").claim(put.id()).await.unwrap();
    let renamed = Executor::builder(ToolRegistry::new().with(pay_otherwise()))
        .resource(world.clone())
        .approvals(
            Approvals::new()
                .ticket_store(store.replica("a"))
                .ticket_key(TicketKey::from_bytes([7; 32])),
        )
        .call_recorder(Journal::open(MemoryLog::new()).unwrap().0)
        .build()
        .unwrap();
    let recovered = renamed.recover().await.unwrap();
    let (id, error) = &recovered.failed[0];
    assert_eq!(
        (*id, error.kind()),
        (put.id(), TicketErrorKind::ChangedTool)
    );
    assert_eq!(store.replica("a").claimed().await.unwrap().len(), 1);
}
