//! The server behind the script.

use std::collections::VecDeque;
use std::net::TcpListener;
use std::sync::Arc;
use std::{io, panic};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State as Extracted};
use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;
use futures_util::stream;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::reply::{Failure, Pace, Reply};
use crate::request::Request;
use crate::wire::{Answering, Wire};
use crate::{Shared, State};

/// Serves until the test has dropped its end.
pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>, ended: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let router = Router::new()
            .fallback(answer)
            .layer(DefaultBodyLimit::disable())
            .with_state(shared);
        tokio::select! {
            served = axum::serve(listener, router) => served.unwrap(),
            _ = ended => {}
        }
    });
}

/// The API that a path names, whatever stands before it.
fn wire_of(path: &str) -> Option<Wire> {
    let is_model = path.contains("/models/");
    let method = path.rsplit(':').next().filter(|_| is_model);
    match method {
        Some("generateContent" | "streamGenerateContent") => Some(Wire::Gemini),
        _ if path.ends_with("/chat/completions") => Some(Wire::Chat),
        _ if path.ends_with("/responses") => Some(Wire::Responses),
        _ if path.ends_with("/messages") => Some(Wire::Anthropic),
        _ => None,
    }
}

/// The outcome of a look at a request.
enum Verdict {
    Refused(u16, String),
    Answered(Reply),
}

async fn answer(
    Extracted(shared): Extracted<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(wire) = wire_of(uri.path()) else {
        return json(
            404,
            &serde_json::json!({"error": "there is nothing at this path"}),
        );
    };
    let text = String::from_utf8_lossy(&body).into_owned();
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let request = Request {
        wire,
        path: uri.to_string(),
        headers,
        is_streamed: wire.is_streamed(uri.path(), &body),
        body,
        text,
        status: 0,
    };
    let (number, verdict) = shared.change(|state| {
        state.requests.push(request.clone());
        (state.requests.len(), judge(state, &request))
    });
    let told = |status: u16| shared.change(|state| state.requests[number - 1].status = status);
    let reply = match verdict {
        Verdict::Refused(status, message) => {
            told(status);
            return json(status, &wire.error(status, &message));
        }
        Verdict::Answered(reply) => reply,
    };
    let mut guard = Delivery {
        shared: Arc::clone(&shared),
        number,
        is_over: false,
    };
    if reply.pace.held_after == Some(0) {
        wait(&shared).await;
    }
    match &reply.failure {
        Some(Failure::Dropped) => {
            guard.is_over = true;
            // The task of the connection ends with it, and says nothing.
            panic::resume_unwind(Box::new("the script drops this connection"));
        }
        Some(Failure::Body(text)) => {
            told(200);
            guard.is_over = true;
            return respond(200, "application/json", Body::from(text.clone()));
        }
        Some(failure) => {
            if let Some((status, message)) = wire.status(failure) {
                told(status);
                guard.is_over = true;
                let mut response = json(status, &wire.error(status, message));
                if let Failure::RateLimited { seconds } = failure {
                    response
                        .headers_mut()
                        .insert(header::RETRY_AFTER, (*seconds).into());
                }
                return response;
            }
        }
        None => {}
    }
    told(200);
    let answering = Answering {
        reply: &reply,
        number,
        model: request.model(),
    };
    if reply.failure.is_none() {
        shared.change(|state| wire.note(answering, &mut state.issued));
    }
    deliver(answering, &request, guard)
}

/// Returns what a request gets: a refusal, or the next reply of the script.
fn judge(state: &mut State, request: &Request) -> Verdict {
    let refused = |status: u16, text: &str| Verdict::Refused(status, text.to_owned());
    if state
        .key
        .as_deref()
        .is_some_and(|key| request.key() != Some(key))
    {
        return refused(401, "the API key is not valid");
    }
    if !request.body.is_object() {
        return refused(400, "the body is no JSON object");
    }
    if request.wire == Wire::Anthropic && request.header("anthropic-version").is_none() {
        return refused(400, "anthropic-version: the header is required");
    }
    let model = request.model();
    if model.is_empty() {
        return refused(400, "model: it is required");
    }
    if state.model.as_deref().is_some_and(|only| only != model) {
        return refused(
            404,
            &format!("there is no model `{model}`, or the key may not use it"),
        );
    }
    if let Err(refusal) = request.wire.check(&request.body, &state.issued) {
        return Verdict::Refused(400, refusal.0);
    }
    match state.script.front() {
        Some(reply) if reply.forever => Verdict::Answered(reply.clone()),
        Some(_) => state
            .script
            .pop_front()
            .map_or_else(|| refused(400, ""), Verdict::Answered),
        None => refused(400, "the script of the stand-in server has ended"),
    }
}

async fn wait(shared: &Shared) {
    shared.gate.acquire().await.unwrap().forget();
}

/// Notes the end of a request whose client went.
struct Delivery {
    shared: Arc<Shared>,
    number: usize,
    is_over: bool,
}

impl Drop for Delivery {
    fn drop(&mut self) {
        if !self.is_over {
            self.shared
                .change(|state| state.abandoned.insert(self.number));
        }
    }
}

/// Sends an answer, whole or in pieces.
fn deliver(answering: Answering<'_>, request: &Request, guard: Delivery) -> Response {
    let wire = request.wire;
    let failure = answering.reply.failure.as_ref();
    let mut frames: VecDeque<Bytes>;
    let content_type;
    let is_sse = request.is_streamed && (wire != Wire::Gemini || request.path.contains("alt=sse"));
    if is_sse {
        let mut events = wire.events(answering, &request.body);
        if failure.is_some() {
            events.texts.truncate(events.middle);
        }
        if failure == Some(&Failure::ErrorMidway) {
            events.texts.push(wire.error_event());
        }
        content_type = "text/event-stream; charset=utf-8";
        frames = events.texts.into_iter().map(Bytes::from).collect();
    } else {
        let whole = wire.whole(answering);
        // Without `alt=sse` a stream of Gemini is a list.
        let text = if request.is_streamed {
            format!("[{whole}]")
        } else {
            whole.to_string()
        };
        let mut body = Bytes::from(text);
        if failure.is_some() {
            body.truncate(body.len() / 2);
        }
        content_type = "application/json";
        frames = VecDeque::from([body]);
    }
    let pace = answering.reply.pace;
    if pace.frame > 0 {
        let all: Vec<u8> = frames.iter().flatten().copied().collect();
        frames = all.chunks(pace.frame).map(Bytes::copy_from_slice).collect();
    }
    let pieces = Pieces {
        frames,
        sent: 0,
        pace,
        drops: failure == Some(&Failure::DroppedMidway),
        guard,
    };
    respond(
        200,
        content_type,
        Body::from_stream(stream::unfold(pieces, Pieces::next)),
    )
}

/// The pieces of a body that are left to send.
struct Pieces {
    frames: VecDeque<Bytes>,
    sent: usize,
    pace: Pace,
    drops: bool,
    guard: Delivery,
}

impl Pieces {
    async fn next(mut self) -> Option<(io::Result<Bytes>, Self)> {
        if self.sent > 0 && self.pace.held_after == Some(self.sent) {
            wait(&self.guard.shared).await;
        }
        if self.sent > 0 && !self.pace.pause.is_zero() {
            tokio::time::sleep(self.pace.pause).await;
        }
        if let Some(frame) = self.frames.pop_front() {
            self.sent += 1;
            return Some((Ok(frame), self));
        }
        // The frames before it are to arrive.
        tokio::task::yield_now().await;
        self.guard.is_over = true;
        let broken = io::Error::other("the script drops this connection");
        std::mem::take(&mut self.drops).then(|| (Err(broken), self))
    }
}

fn json(status: u16, body: &Value) -> Response {
    respond(status, "application/json", Body::from(body.to_string()))
}

fn respond(status: u16, content_type: &str, body: Body) -> Response {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, content_type)
        .body(body)
        .unwrap()
}
