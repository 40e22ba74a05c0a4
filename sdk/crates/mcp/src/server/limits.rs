//! Limits of a server.

use std::time::Duration;

/// Limits of a server. All but [`request_time`](Self::request_time) concern HTTP: a client on standard input is alone with
/// its server.
///
/// ```
/// use std::time::Duration;
/// use toolwright_mcp::server::ServerLimits;
///
/// let limits = ServerLimits::new().calls_per_minute(60).idle_time(Duration::from_secs(300));
/// # let _ = limits;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    not(feature = "http"),
    allow(dead_code, reason = "most limits are those of HTTP")
)]
pub struct ServerLimits {
    pub(crate) body_bytes: usize,
    pub(crate) body_time: Duration,
    pub(crate) header_time: Duration,
    pub(crate) connections: usize,
    pub(crate) concurrent_calls: usize,
    pub(crate) concurrent_calls_in_all: usize,
    pub(crate) calls_per_minute: u32,
    pub(crate) request_time: Duration,
    pub(crate) sessions: usize,
    pub(crate) sessions_per_principal: usize,
    pub(crate) idle_time: Duration,
    pub(crate) shutdown_time: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body_bytes: 4 * 1024 * 1024,
            body_time: Duration::from_secs(30),
            header_time: Duration::from_secs(30),
            connections: 4096,
            concurrent_calls: 1024,
            concurrent_calls_in_all: 4096,
            calls_per_minute: 6000,
            request_time: Duration::from_secs(15 * 60),
            sessions: 1024,
            sessions_per_principal: 128,
            idle_time: Duration::from_secs(30 * 60),
            shutdown_time: Duration::from_secs(5),
        }
    }
}

impl ServerLimits {
    /// Returns the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the size of a request's body in bytes. A larger one is answered with 413. Default: 4 MiB.
    pub fn body_bytes(mut self, bytes: usize) -> Self {
        self.body_bytes = bytes;
        self
    }

    /// Sets how long the body of a request may take to arrive. A slower one is answered with 408. Default: 30 s.
    pub fn body_time(mut self, time: Duration) -> Self {
        self.body_time = time;
        self
    }

    /// Sets how long a connection is kept that has no request, and how long the head of a request may take to arrive. It is measured
    /// coarsely: up to twice the time may pass. It holds where this crate listens; a router in another server has that server's limit.
    /// Default: 30 s.
    pub fn header_time(mut self, time: Duration) -> Self {
        self.header_time = time;
        self
    }

    /// Sets how many connections are open at the same time. A further one waits. It holds where this crate listens.
    /// Default: 4,096.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// Sets how many calls and subscriptions of one session run at the same time; where the protocol has no sessions (2026-07-28), how many
    /// of one principal. A further one is answered with 429. Default: 1,024.
    pub fn concurrent_calls(mut self, calls: usize) -> Self {
        self.concurrent_calls = calls;
        self
    }

    /// Sets how many calls of all clients run at the same time. A further one is answered with 503. Default: 4,096.
    pub fn concurrent_calls_in_all(mut self, calls: usize) -> Self {
        self.concurrent_calls_in_all = calls;
        self
    }

    /// Sets how many calls a principal may make in a minute. They may come at once; from then on the allowance grows evenly. A
    /// further one is answered with 429, whose `Retry-After` says when it is accepted. Clients without authentication are one
    /// principal. Default: 6,000.
    pub fn calls_per_minute(mut self, calls: u32) -> Self {
        self.calls_per_minute = calls;
        self
    }

    /// Sets how long a call may take, waits for people included. A longer one is cancelled. Default: 15 minutes.
    pub fn request_time(mut self, time: Duration) -> Self {
        self.request_time = time;
        self
    }

    /// Sets how many sessions are open at the same time. A further one is answered with 503. Default: 1,024.
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sets how many sessions of one principal are open at the same time. A further one is answered with 429. It does not
    /// hold without authentication. Default: 128.
    pub fn sessions_per_principal(mut self, sessions: usize) -> Self {
        self.sessions_per_principal = sessions;
        self
    }

    /// Sets how long a session without messages stays open. A session with a running call is not idle: where
    /// [`request_time`](Self::request_time) is longer, it counts instead. Default: 30 minutes.
    pub fn idle_time(mut self, time: Duration) -> Self {
        self.idle_time = time;
        self
    }

    /// Sets how long the server waits at its shutdown for running requests, which are cancelled, and for responses that are
    /// being written. Default: 5 s.
    pub fn shutdown_time(mut self, time: Duration) -> Self {
        self.shutdown_time = time;
        self
    }
}
