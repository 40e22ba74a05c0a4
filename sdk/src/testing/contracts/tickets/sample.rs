//! Tickets, answers and grants to put into a store.

use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::id::{GrantId, InvocationId, SessionId, TicketId, ToolName, TurnId};
use crate::ticket::{
    Answer, Draft, Grant, GrantLevel, GrantScope, KeyPurpose, PendingCall, PendingRequest,
    ResumeMode, SealedAnswer, SealedGrant, StoredTicket, SuspendedCall, TicketKey, Wait, WaitKind,
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A key of the suite's own: a store needs none.
fn key() -> TicketKey {
    TicketKey::from_bytes(*b"the key of a contract suite only")
}

/// Begins today, lasts a day, and asks three things.
pub(crate) struct Sample {
    session: SessionId,
    turn: u64,
    created: SystemTime,
}

/// A ticket of a session, in turn 1.
pub(crate) fn ticket(session: impl Into<SessionId>) -> Sample {
    Sample {
        session: session.into(),
        turn: 1,
        created: SystemTime::now(),
    }
}

impl Sample {
    pub(crate) fn turn(mut self, number: u64) -> Self {
        self.turn = number;
        self
    }

    /// So much later than others.
    pub(crate) fn later(mut self, by: Duration) -> Self {
        self.created += by;
        self
    }

    pub(crate) fn make(self) -> StoredTicket {
        let key = key();
        let asked = |number: u32| {
            let subject = json!({
                "number": number, "text": "ä \u{1f600} \" \\ \n \u{7f}", "float": 0.1, "whole": 1.0,
                "large": u64::MAX, "small": i64::MIN, "far": 1e300, "nothing": null, "deep": [[[{}]]],
            });
            PendingRequest::new(format!("request {number}"), subject)
        };
        let draft = Draft {
            session: self.session,
            turn: TurnId::new(self.turn),
            invocation: InvocationId::from_parts(1, 1),
            call: PendingCall {
                tool: ToolName::test(),
                version: Some("1.2.0-rc.1".to_owned()),
                title: Some("A title".to_owned()),
                call_id: Some("call-1".into()),
                arguments: Some(json!({"path": "a/b", "size": 1.5})),
                purpose: None,
            },
            wait: Wait {
                kind: WaitKind::Approval,
                requests: (0..3).map(asked).collect(),
                resume: ResumeMode::RunAgain,
                begun: false,
            },
            definition: key.sign(KeyPurpose::Definition, b"a tool"),
            suspended: SuspendedCall {
                arguments: "{\"path\":  \"a\\/b\", \"size\": 1.50}".to_owned(),
                metadata: json!({"user": "ü", "number": 1.0}).as_object().cloned(),
                repairs: Vec::new(),
                edited: true,
                begun: false,
                earlier: vec![(WaitKind::Question, asked(9), Answer::value("earlier"))],
                hooked: 2,
                rewritten: true,
            },
            after: None,
        };
        draft
            .sign(0, &key, self.created, DAY)
            .expect("the system gives random bytes")
    }
}

/// An answer that tells whose it is.
pub(crate) fn answer(ticket: &StoredTicket, request: usize, whose: usize) -> SealedAnswer {
    let answer = Answer::value(json!({"by": whose, "float": 1.0})).because("ä \" \n");
    key()
        .seal_answer(ticket.ticket(), request, answer)
        .expect("an answer has JSON")
}

/// A grant; those of one number have one id.
pub(crate) fn grant(session: impl Into<SessionId>, number: u32) -> SealedGrant {
    let id = GrantId::from_random(u128::from(number) + 1);
    let covers = GrantScope::command(["git", "ä \" \n"]);
    let end = SystemTime::UNIX_EPOCH + Duration::new(4_000_000_000, 123_456_789);
    let grant = Grant::new(id, session.into(), covers, GrantLevel::Allow)
        .with_expiry(Some(end))
        .with_reason(Some("because"));
    key().seal_grant(grant).expect("a grant has JSON")
}

/// The id of nothing.
pub(crate) fn nobody() -> TicketId {
    TicketId::from_random(u128::MAX)
}
