//! The gate of a request: its body is read, and its call is counted.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::SessionId;
use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use super::Shared;
use super::calls::RunningCall;
use super::refusal::Refusal;
use crate::server::Principal;

/// The facts about a request that its handling has found. It lies in the extensions of the request, and so lives as long as the
/// request or its call does.
#[derive(Debug)]
pub(super) struct Gate {
    principal: Option<Principal>,
    refusal: Mutex<Option<Refusal>>,
    read: AtomicBool,
    /// The id of the JSON-RPC request, once its body is read.
    id: OnceLock<RequestId>,
    /// The call of the request, counted until it ends.
    call: OnceLock<RunningCall>,
}

impl Gate {
    pub(super) fn new(principal: Option<Principal>) -> Self {
        Self {
            principal,
            refusal: Mutex::default(),
            read: AtomicBool::new(false),
            id: OnceLock::new(),
            call: OnceLock::new(),
        }
    }

    /// The principal of the request. `None` without authentication.
    pub(super) fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    pub(super) fn id(&self) -> Option<&RequestId> {
        self.id.get()
    }

    /// Returns true if the body is read, and is a JSON object.
    pub(super) fn is_read(&self) -> bool {
        self.read.load(Ordering::Relaxed)
    }

    /// Keeps a reason to refuse the request. The first one counts.
    pub(super) fn refuse(&self, refusal: Refusal) {
        self.lock().get_or_insert(refusal);
    }

    pub(super) fn take_refusal(&self) -> Option<Refusal> {
        self.lock().take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Refusal>> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of the body of a refused request. The reason stands in its gate.
#[derive(Debug, Error)]
#[error("the request was refused")]
pub(super) struct Refused;

/// The body of a request that is read when its headers have been checked: `rmcp` compares `Host` and `Origin` before it reads. So no
/// request of a foreign page uses an allowance.
pub(super) fn admitted_body(
    server: Arc<Shared>,
    gate: Arc<Gate>,
    session: Option<SessionId>,
    body: Body,
) -> Body {
    Body::from_stream(futures_util::stream::once(async move {
        match admit(&server, &gate, session, body).await {
            Ok(bytes) => Ok(bytes),
            Err(refusal) => {
                gate.refuse(refusal);
                Err(Refused)
            }
        }
    }))
}

async fn admit(
    server: &Shared,
    gate: &Gate,
    session: Option<SessionId>,
    body: Body,
) -> Result<Bytes, Refusal> {
    let time = server.limits.body_time;
    let body = tokio::time::timeout(time, read(body, server.limits.body_bytes))
        .await
        .map_err(|_| Refusal::BodyTooSlow { time })??;
    let message = Envelope::read(&body)?;
    gate.read.store(true, Ordering::Relaxed);
    if let Some(id) = message.id {
        // An id of another kind is refused where the message is read.
        if let Ok(id) = serde_json::from_str(id.get()) {
            let _ = gate.id.set(id);
        }
    }
    let principal = gate
        .principal
        .as_ref()
        .map_or(&server.anonymous, Principal::key);
    if message.method == "tools/call" {
        server
            .rates
            .take(principal, Instant::now())
            .map_err(|wait| {
                let per_minute = server.limits.calls_per_minute;
                Refusal::TooFast { per_minute, wait }
            })?;
    }
    // A subscription stays open as a call does.
    if matches!(&*message.method, "tools/call" | "subscriptions/listen") {
        // A session that is not the principal's is no client of its own; the request is refused later.
        let session = match session {
            Some(id) if server.sessions.has(&id, gate.principal()).await => Some(id),
            _ => None,
        };
        let call = server
            .calls
            .start((principal.clone(), session), gate.id())?;
        let _ = gate.call.set(call);
    }
    Ok(body)
}

async fn read(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let too_large = Refusal::BodyTooLarge { limit };
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large);
    }
    match Limited::new(body, limit).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large),
        Err(error) => Err(Refusal::BodyBroken(error)),
    }
}

/// The fields of a message that the limits depend on. A field that is given twice is an error, so `rmcp` cannot read another value.
#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Envelope<'a> {
    #[serde(borrow, default)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    fn read(body: &'a [u8]) -> Result<Self, Refusal> {
        // A struct can be read of an array too.
        if body.trim_ascii_start().first() == Some(&b'[') {
            return Err(Refusal::Batch);
        }
        serde_json::from_slice(body).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Refusal::NotAMessage(error),
            _ => Refusal::NotJson(error),
        })
    }
}
