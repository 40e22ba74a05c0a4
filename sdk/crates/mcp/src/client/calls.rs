//! The calls that run on a connection, and the messages that belong to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rmcp::RoleClient;
use rmcp::model::{
    ClientRequest, GetMeta, JsonRpcMessage, ProgressNotificationParam, ProgressToken,
    ServerNotification,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use toolwright::{CancellationToken, ToolContext, ToolError};

/// The key in the metadata of a request that names its call. It does not leave this process.
pub(super) const CALL: &str = "toolwright.call";

/// A call that runs.
pub(super) struct SentCall {
    pub(super) context: ToolContext,
    /// The error that the call ends with, whatever the server answers.
    failure: Mutex<Option<ToolError>>,
    progress: Mutex<f64>,
}

impl SentCall {
    pub(super) fn fail(&self, error: ToolError) {
        lock(&self.failure).get_or_insert(error);
    }

    pub(super) fn failure(&self) -> Option<ToolError> {
        lock(&self.failure).take()
    }

    /// Reports progress. The protocol asks for rising numbers; others are left out.
    fn report(&self, report: &ProgressNotificationParam) {
        let mut before = lock(&self.progress);
        if report.progress <= *before {
            return;
        }
        *before = report.progress;
        drop(before);
        let total = report.total.filter(|total| *total > 0.0);
        let fraction = total.map(|total| report.progress / total);
        self.context
            .progress(fraction, report.message.as_deref().unwrap_or_default());
    }
}

/// The calls that run on a connection.
#[derive(Default)]
pub(super) struct SentCalls {
    next: AtomicU64,
    calls: Mutex<HashMap<u64, Arc<SentCall>>>,
    /// The calls by the tokens that the server reports their progress with; a call of several rounds has several.
    tokens: Mutex<HashMap<ProgressToken, u64>>,
}

impl SentCalls {
    pub(super) fn begin(self: &Arc<Self>, context: ToolContext) -> CallGuard {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let call = Arc::new(SentCall {
            context,
            failure: Mutex::default(),
            progress: Mutex::new(f64::NEG_INFINITY),
        });
        lock(&self.calls).insert(id, Arc::clone(&call));
        CallGuard {
            calls: Arc::clone(self),
            id,
            call,
        }
    }

    /// The call that runs, if only one does.
    pub(super) fn only(&self) -> Option<Arc<SentCall>> {
        let calls = lock(&self.calls);
        let mut all = calls.values();
        all.next().filter(|_| calls.len() == 1).cloned()
    }

    fn sent(&self, token: ProgressToken, id: u64) {
        // A call that has ended meanwhile takes no reports.
        if lock(&self.calls).contains_key(&id) {
            lock(&self.tokens).insert(token, id);
        }
    }

    fn report(&self, report: &ProgressNotificationParam) {
        let id = lock(&self.tokens).get(&report.progress_token).copied();
        let call = id.and_then(|id| lock(&self.calls).get(&id).cloned());
        if let Some(call) = call {
            call.report(report);
        }
    }
}

/// A call for as long as it runs.
pub(super) struct CallGuard {
    calls: Arc<SentCalls>,
    pub(super) id: u64,
    pub(super) call: Arc<SentCall>,
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        lock(&self.calls.calls).remove(&self.id);
        lock(&self.calls.tokens).retain(|_, id| *id != self.id);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of a connection.
#[derive(Clone, Default)]
pub(super) struct ConnectionEnd {
    pub(super) token: CancellationToken,
    reason: Arc<OnceLock<String>>,
}

impl ConnectionEnd {
    pub(super) fn happened(&self, reason: Option<String>) {
        if let Some(reason) = reason {
            let _ = self.reason.set(reason);
        }
        self.token.cancel();
    }

    pub(super) fn reason(&self) -> &str {
        self.reason
            .get()
            .map_or("the server closed the connection", String::as_str)
    }
}

/// A transport that tells of progress in the order of the messages, so that a report comes before the result of its
/// call, and that notices the end at once.
///
/// Reports of progress and log messages end here: a server that sends very many of them costs no task for each.
pub(super) struct WatchedTransport<T> {
    pub(super) inner: T,
    pub(super) calls: Arc<SentCalls>,
    pub(super) end: ConnectionEnd,
    /// Returns the reason of an end, if the way to the server knows it.
    pub(super) fault: Box<dyn Fn() -> Option<String> + Send + Sync>,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for WatchedTransport<T> {
    type Error = T::Error;

    fn name() -> std::borrow::Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        mut message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &mut message
            && let Some(token) = request.request.get_meta().get_progress_token()
            && let ClientRequest::CallToolRequest(call) = &mut request.request
            && let Some(id) = call.params.meta.as_mut().and_then(|meta| meta.remove(CALL))
            && let Some(id) = Value::as_u64(&id)
        {
            self.calls.sent(token, id);
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let Some(message) = self.inner.receive().await else {
                self.end.happened((self.fault)());
                return None;
            };
            if let JsonRpcMessage::Notification(notification) = &message {
                match &notification.notification {
                    ServerNotification::ProgressNotification(report) => {
                        self.calls.report(&report.params);
                        continue;
                    }

                    ServerNotification::LoggingMessageNotification(_) => continue,
                    _ => {}
                }
            }
            return Some(message);
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), T::Error>> + Send {
        self.end.happened(None);
        self.inner.close()
    }
}
