//! The grants that a session knows, and the moments at which it reads them anew.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::*;
use crate::id::TurnId;
use crate::ticket::{
    Answer, AnswerRules, BrokerSettings, MemoryTickets, PendingCall, PendingRequest, StoredTicket,
    TicketBroker,
};

struct NoRules;

impl AnswerRules for NoRules {
    fn check(&self, _: &StoredTicket, _: usize, _: &Answer) -> Result<(), String> {
        Ok(())
    }

    fn definition(&self, _: &PendingCall) -> Option<KeyedDigest> {
        None
    }

    fn deciding<'g>(
        &self,
        _: &[&'g Grant],
        _: &StoredTicket,
        _: &PendingRequest,
    ) -> Option<&'g Grant> {
        None
    }
}

fn broker() -> (TicketBroker, Arc<dyn AnswerRules>) {
    let rules: Arc<dyn AnswerRules> = Arc::new(NoRules);
    let broker = TicketBroker::new();
    broker.install(BrokerSettings::new(
        Arc::new(MemoryTickets::default()),
        TicketKey::from_bytes([1; 32]),
        Duration::from_secs(3600),
        Arc::downgrade(&rules),
    ));
    (broker, rules)
}

async fn give(broker: &TicketBroker, session: &str, covers: GrantScope, level: GrantLevel) {
    let grant = broker.new_grant(session.into(), covers, level).unwrap();
    broker.add_grant(grant).await.unwrap();
}

fn decide(grants: &SessionGrants, request: &PermissionRequest) -> Option<GrantRuling> {
    let spec = spec("t");
    let query = GrantQuery::new(spec.name(), request);
    grants.decide(&plain(), &query, TurnId::new(1), SystemTime::now())
}

#[tokio::test]
async fn it_reads_them_when_something_has_changed() {
    let (broker, _rules) = broker();
    let grants = SessionGrants::new("s".into());
    assert!(!grants.are_current(&broker));
    let born = SessionGrants::new_at("s".into(), broker.generation());
    assert!(born.are_current(&broker) && born.is_empty());
    grants.refresh(&broker).await.unwrap();
    assert!(grants.are_current(&broker) && grants.is_empty() && !grants.has_denials());
    give(&broker, "s", GrantScope::reads("/ws"), GrantLevel::Allow).await;
    assert!(!grants.are_current(&broker) && !born.are_current(&broker));
    // Until it reads them it knows what it knew.
    let read = file("file.read", "/ws/a");
    assert_eq!(decide(&grants, &read), None);
    grants.refresh(&broker).await.unwrap();
    assert!(!grants.is_empty() && !grants.has_denials());
    assert_eq!(decide(&grants, &read), Some(GrantRuling::Allowed));
    assert_eq!(decide(&grants, &file("file.read", "/etc/a")), None);
    give(&broker, "s", GrantScope::reads("/ws/key"), GrantLevel::Deny).await;
    grants.refresh(&broker).await.unwrap();
    assert!(grants.has_denials());
    let key = file("file.read", "/ws/key");
    assert_eq!(decide(&grants, &key), Some(GrantRuling::Denied(None)));
    assert_eq!(decide(&grants, &read), Some(GrantRuling::Allowed));
    let all = file("file.read", "/ws").with_detail("tree", true);
    assert!(matches!(decide(&grants, &all), Some(GrantRuling::Asks(_))));
    broker.end_session(&"s".into()).await.unwrap();
    assert!(!grants.are_current(&broker));
    grants.refresh(&broker).await.unwrap();
    assert!(grants.is_empty() && !grants.has_denials());
    assert_eq!(decide(&grants, &key), None);
}

#[tokio::test]
async fn a_reading_that_is_overtaken_changes_nothing() {
    let (broker, _rules) = broker();
    let grants = SessionGrants::new("s".into());
    give(&broker, "s", GrantScope::reads("/ws"), GrantLevel::Deny).await;
    grants.refresh(&broker).await.unwrap();
    let earlier = SessionGrants::new_at("s".into(), 0);
    grants.keep(Arc::into_inner(earlier.held.into_inner().unwrap()).unwrap());
    assert!(grants.are_current(&broker) && grants.has_denials());
}

#[tokio::test]
async fn a_session_below_has_what_those_above_have_and_every_refusal() {
    let (broker, _rules) = broker();
    let top = SessionGrants::new("top".into());
    let child = top.child("below".into());
    let deep = child.child("deep".into());
    give(&broker, "top", GrantScope::reads("/ws"), GrantLevel::Allow).await;
    give(
        &broker,
        "top",
        GrantScope::reads("/ws/key"),
        GrantLevel::Deny,
    )
    .await;
    give(
        &broker,
        "below",
        GrantScope::reads("/own"),
        GrantLevel::Allow,
    )
    .await;
    for grants in [&top, &child, &deep] {
        grants.refresh(&broker).await.unwrap();
        let key = file("file.read", "/ws/key");
        assert_eq!(decide(grants, &key), Some(GrantRuling::Denied(None)));
    }
    let ws = file("file.read", "/ws/a");
    assert_eq!(decide(&child, &ws), Some(GrantRuling::Allowed));
    assert_eq!(decide(&deep, &ws), Some(GrantRuling::Allowed));
    let own = file("file.read", "/own/a");
    assert_eq!(decide(&child, &own), Some(GrantRuling::Allowed));
    assert_eq!(decide(&deep, &own), Some(GrantRuling::Allowed));
    assert_eq!(decide(&top, &own), None);
}
