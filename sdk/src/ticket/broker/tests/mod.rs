mod answers;
mod claims;
mod crowd;
mod forgery;
mod granting;
mod leaving;
mod telling;
mod waiting;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use serde_json::json;

use super::{
    AnswerRules, BrokerSettings, Claim, ClaimedCall, Draft, TicketBroker, TicketEvent, TicketEvents,
};
use crate::id::{GrantId, InvocationId, SessionId, TicketId, ToolName, TurnId};
use crate::ticket::key::KeyPurpose;
use crate::ticket::{
    Answer, CloseReason, Decision, Grant, GrantLevel, GrantScope, KeyedDigest, MemoryTickets,
    PendingCall, PendingRequest, ResumeMode, SealedAnswer, SealedGrant, StoreError, StoredTicket,
    SuspendedCall, Ticket, TicketError, TicketErrorKind, TicketFilter, TicketKey, TicketRecord,
    TicketStore, Wait, WaitKind, WriteOutcome,
};

const HOUR: Duration = Duration::from_secs(3600);

/// A broker on a store that says what a test wants.
struct Bench {
    broker: TicketBroker,
    store: Puppet,
    rules: Arc<Rules>,
    now: Arc<AtomicU64>,
}

struct Rules {
    definition: Mutex<Option<KeyedDigest>>,
}

impl AnswerRules for Rules {
    fn check(&self, _: &StoredTicket, _: usize, answer: &Answer) -> Result<(), String> {
        match answer.decision() {
            Decision::Value(value) if !value.is_string() => Err("a text is wanted".to_owned()),
            _ => Ok(()),
        }
    }

    fn definition(&self, _: &PendingCall) -> Option<KeyedDigest> {
        *self.definition.lock().unwrap()
    }

    fn deciding<'g>(
        &self,
        grants: &[&'g Grant],
        stored: &StoredTicket,
        request: &PendingRequest,
    ) -> Option<&'g Grant> {
        let covers = |grant: &&Grant| match grant.covers() {
            GrantScope::Tool { tool } => tool == stored.ticket().call().tool(),
            GrantScope::Target { target, .. } => request.subject()["target"] == target.as_str(),
            _ => false,
        };
        let of = |level| {
            let mut grants = grants.iter().copied();
            grants.find(|grant| grant.level() == level && covers(grant))
        };
        of(GrantLevel::Deny).or_else(|| of(GrantLevel::Allow))
    }
}

type Twist = Box<dyn Fn(&mut TicketRecord) + Send + Sync>;

/// The store in memory, with what somebody else wrote into it.
#[derive(Clone, Default)]
struct Puppet {
    inner: MemoryTickets,
    twist: Arc<Mutex<Option<Twist>>>,
    grants: Arc<Mutex<Vec<SealedGrant>>>,
    down: Arc<Mutex<bool>>,
}

impl Puppet {
    fn twist(&self, twist: impl Fn(&mut TicketRecord) + Send + Sync + 'static) {
        *self.twist.lock().unwrap() = Some(Box::new(twist));
    }

    fn twisted(&self, mut kept: TicketRecord) -> TicketRecord {
        if let Some(twist) = &*self.twist.lock().unwrap() {
            twist(&mut kept);
        }
        kept
    }

    fn set_down(&self, down: bool) {
        *self.down.lock().unwrap() = down;
    }

    fn up(&self) -> Result<(), StoreError> {
        if *self.down.lock().unwrap() {
            return Err(StoreError::new("the disk is full"));
        }
        Ok(())
    }
}

#[async_trait]
impl TicketStore for Puppet {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.up()?;
        self.inner.put(ticket).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        self.up()?;
        Ok(self.inner.get(id).await?.map(|kept| self.twisted(kept)))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        self.up()?;
        self.inner.answer(id, request, answer).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.up()?;
        self.inner.close(id, how).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let kept = self.inner.list(filter).await?;
        Ok(kept.into_iter().map(|kept| self.twisted(kept)).collect())
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        self.inner.changed(id, answers).await
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        self.up()?;
        self.inner.put_grant(grant).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let mut grants = self.inner.grants(session).await?;
        grants.extend(self.grants.lock().unwrap().iter().cloned());
        Ok(grants)
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        self.inner.remove_grant(session, id).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.inner.forget_session(session).await
    }
}

fn key(byte: u8) -> TicketKey {
    TicketKey::from_bytes([byte; 32])
}

fn definition(text: &str) -> KeyedDigest {
    key(1).sign(KeyPurpose::Definition, text.as_bytes())
}

/// An approval in the session `s`, one request for each target.
fn draft(targets: &[&str]) -> Draft {
    draft_in("s", targets)
}

fn draft_in(session: &str, targets: &[&str]) -> Draft {
    let request = |target: &&str| PendingRequest::new(*target, json!({"target": target}));
    Draft {
        session: session.into(),
        turn: TurnId::new(1),
        invocation: InvocationId::from_parts(1, 1),
        call: PendingCall {
            tool: ToolName::test(),
            version: None,
            title: None,
            call_id: Some("call-1".into()),
            arguments: Some(json!({"size": 1.5, "token": "***"})),
            purpose: None,
        },
        wait: Wait {
            kind: WaitKind::Approval,
            requests: targets.iter().map(request).collect(),
            resume: ResumeMode::RunAgain,
            begun: false,
        },
        definition: definition("as it is"),
        suspended: suspended(r#"{"size": 1.5, "token": "hunter2"}"#),
        after: None,
    }
}

fn suspended(arguments: &str) -> SuspendedCall {
    SuspendedCall {
        arguments: arguments.to_owned(),
        metadata: None,
        repairs: Vec::new(),
        edited: false,
        hooked: 0,
        rewritten: false,
        begun: false,
        earlier: Vec::new(),
    }
}

fn tool_matcher() -> GrantScope {
    GrantScope::Tool {
        tool: ToolName::test(),
    }
}

fn target_matcher(target: &str) -> GrantScope {
    GrantScope::Target {
        kind: "test".to_owned(),
        target: target.to_owned(),
    }
}

impl Bench {
    fn new() -> Self {
        Self::on(Puppet::default(), key(1))
    }

    fn on(store: Puppet, key: TicketKey) -> Self {
        let rules = Arc::new(Rules {
            definition: Mutex::new(Some(definition("as it is"))),
        });
        let now = Arc::new(AtomicU64::new(1_000_000));
        let broker = TicketBroker::new();
        let weak = Arc::downgrade(&rules);
        let mut settings = BrokerSettings::new(Arc::new(store.clone()), key, HOUR, weak);
        let clock = Arc::clone(&now);
        settings.clock = Box::new(move || {
            SystemTime::UNIX_EPOCH + Duration::from_millis(clock.load(Ordering::SeqCst))
        });
        broker.install(settings);
        Self {
            broker,
            store,
            rules,
            now,
        }
    }

    fn pass(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap();
        self.now.fetch_add(millis, Ordering::SeqCst);
    }

    async fn open(&self, targets: &[&str]) -> Arc<Ticket> {
        self.open_draft(draft(targets)).await
    }

    async fn open_draft(&self, draft: Draft) -> Arc<Ticket> {
        self.broker.open(vec![draft]).await.unwrap().remove(0)
    }

    async fn claim(&self, ticket: &Ticket) -> Result<Claim, TicketError> {
        self.broker.claim(ticket, ticket.session()).await
    }
}

fn events(events: &mut TicketEvents) -> Vec<TicketEvent> {
    std::iter::from_fn(|| events.try_recv()).collect()
}

fn names(events: &[TicketEvent]) -> Vec<&'static str> {
    let name = |event: &TicketEvent| match event {
        TicketEvent::Opened(_) => "opened",
        TicketEvent::Answered { grant: None, .. } => "answered",
        TicketEvent::Answered { .. } => "granted",
        TicketEvent::Resuming(_) => "resuming",
        TicketEvent::Running(_) => "running",
        TicketEvent::Closed { .. } => "closed",
        TicketEvent::Ignored { .. } => "ignored",
    };
    events.iter().map(name).collect()
}

#[track_caller]
fn kind<T>(result: Result<T, TicketError>) -> TicketErrorKind {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.kind(),
    }
}
