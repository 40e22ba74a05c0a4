//! Reports of a call while it runs: progress and messages.
#![expect(deprecated, reason = "logs are there until the protocol removes them")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{Peer, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc;
use toolwright::event::{Event, EventKind, EventSink};
use toolwright::id::{SessionId, TurnId};

/// The most reports of a call that wait to be sent; what a tool reports beyond is lost.
const WAITING: usize = 1024;

/// A report of a tool, for its client.
enum Report {
    Progress {
        fraction: Option<f64>,
        message: String,
    },
    Activity {
        kind: String,
        content: Value,
    },
}

/// The routes from the events of a session to the requests whose calls they belong to. Each request is a turn.
#[derive(Default)]
pub(super) struct Routes(Mutex<HashMap<TurnId, mpsc::Sender<Report>>>);

impl Routes {
    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<TurnId, mpsc::Sender<Report>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sink of the session's events. Those of sessions below it, which number turns of their own, are not told.
    pub(super) fn sink(self: Arc<Self>, session: SessionId) -> impl EventSink {
        move |event: &Arc<Event>| {
            if event.session() != Some(&session) {
                return;
            }
            let report = match event.kind() {
                EventKind::Progress {
                    message, fraction, ..
                } => Report::Progress {
                    fraction: *fraction,
                    message: message.clone(),
                },
                EventKind::Activity { kind, content, .. } => Report::Activity {
                    kind: kind.clone(),
                    content: content.clone(),
                },
                _ => return,
            };
            let way = event
                .call()
                .and_then(|call| self.locked().get(&call.turn()).cloned());
            if let Some(way) = way {
                // A client that is too slow loses reports, not results.
                let _ = way.try_send(report);
            }
        }
    }
}

/// The way that the reports of a turn take, for as long as this is there.
pub(super) struct Route {
    routes: Arc<Routes>,
    turn: TurnId,
}

impl Drop for Route {
    fn drop(&mut self) {
        self.routes.locked().remove(&self.turn);
    }
}

/// The reports of one call, on their way to its client.
pub(super) struct Reports {
    waiting: mpsc::Receiver<Report>,
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    is_logged: bool,
    progress: Progress,
}

impl Reports {
    /// The reports of a turn and their way, if its client wants any.
    pub(super) fn of(
        routes: &Arc<Routes>,
        turn: TurnId,
        peer: &Peer<RoleServer>,
        (token, level): (Option<ProgressToken>, Option<LoggingLevel>),
    ) -> Option<(Route, Self)> {
        let is_logged = level.is_some_and(is_told);
        if token.is_none() && !is_logged {
            return None;
        }
        let (way, waiting) = mpsc::channel(WAITING);
        routes.locked().insert(turn, way);
        let routes = Arc::clone(routes);
        let reports = Self {
            waiting,
            peer: peer.clone(),
            token,
            is_logged,
            progress: Progress::default(),
        };
        Some((Route { routes, turn }, reports))
    }

    /// Sends each report as it comes, until their way has ended.
    pub(super) async fn send_all(mut self) {
        while let Some(report) = self.waiting.recv().await {
            self.send(report).await;
        }
    }

    /// Sends a report. Where that fails, the client is gone, and its request is cancelled.
    async fn send(&mut self, report: Report) {
        match report {
            Report::Progress { fraction, message } => {
                let Some(token) = &self.token else {
                    return;
                };
                if let Some((progress, total)) = self.progress.next(fraction) {
                    let mut param = ProgressNotificationParam::new(token.clone(), progress);
                    param.total = total;
                    param.message = Some(message).filter(|message| !message.is_empty());
                    let _ = self.peer.notify_progress(param).await;
                }
            }
            Report::Activity { kind, content } if self.is_logged => {
                let param = LoggingMessageNotificationParam::new(LoggingLevel::Info, content);
                let sent = self.peer.notify_logging_message(param.with_logger(kind));
                let _ = sent.await;
            }
            Report::Activity { .. } => {}
        }
    }
}

/// Returns true if messages of the level `info` are told to a client that asks for a level.
fn is_told(level: LoggingLevel) -> bool {
    matches!(level, LoggingLevel::Debug | LoggingLevel::Info)
}

/// Progress as MCP counts it: each number is higher than the one before
/// (<https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress>, read 2026-11-24).
#[derive(Default)]
struct Progress {
    last: Option<f64>,
    total: Option<f64>,
}

/// The whole, where a tool says fractions of it.
const TOTAL: f64 = 100.0;

impl Progress {
    /// The next number and the total, if it is known; `None` where there is no room for another number.
    fn next(&mut self, fraction: Option<f64>) -> Option<(f64, Option<f64>)> {
        let wanted = match fraction {
            Some(fraction) => {
                self.total = Some(TOTAL);
                fraction * TOTAL
            }
            // Steps are counted until a fraction is known.
            None if self.total.is_none() => self.last.unwrap_or_default() + 1.0,
            None => f64::NEG_INFINITY,
        };
        let next = match self.last {
            Some(last) if wanted <= last => last.next_up(),
            _ => wanted,
        };
        if self.total.is_some_and(|total| next > total) || !next.is_finite() {
            return None;
        }
        self.last = Some(next);
        Some((next, self.total))
    }
}

#[cfg(test)]
mod tests;
