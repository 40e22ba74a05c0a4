//! The task of a server: its connection is watched, and made anew.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rmcp::service::Subscription;
use tokio::time::{Instant, sleep, timeout};
use toolwright::CancellationToken;

use super::connect::Connect;
use super::connection::{Connection, open, subscribed};
use super::core::ServerCore;
use super::list::list;

/// The time between a change of the list and the request for it, in which further changes are gathered.
const GATHERED: Duration = Duration::from_millis(50);

/// The task of a server: it goes on until nobody holds the server any more, or the host closes it.
pub(super) async fn keep<C: Connect>(
    core: Weak<ServerCore>,
    closed: CancellationToken,
    connect: Arc<C>,
    connection: Arc<Connection>,
    subscription: Option<Subscription>,
) {
    let mut open_now = Some((connection, subscription));
    let mut failures = 0;
    while let Some((connection, subscription)) = open_now.take() {
        let since = Instant::now();
        let watching = watch(&core, &connection, subscription);
        if closed.run_until_cancelled(watching).await.is_none() {
            return;
        }
        let reason = connection.end.reason().to_owned();
        drop(connection);
        let mut error = reason;
        let backoff = {
            let Some(core) = core.upgrade() else { return };
            core.options.backoff
        };
        // A server that ends again and again is not started without a pause.
        if since.elapsed() > backoff.1 {
            failures = 0;
        }
        while open_now.is_none() {
            {
                let Some(core) = core.upgrade() else { return };
                core.disconnected(failures, error);
            }
            let pause = sleep(pause(backoff, failures));
            if closed.run_until_cancelled(pause).await.is_none() {
                return;
            }
            failures = failures.saturating_add(1);
            let (server, options) = {
                let Some(core) = core.upgrade() else { return };
                (core.name.clone(), core.options.clone())
            };
            let opening = open(&server, &connect, &options);
            match closed.run_until_cancelled(opening).await {
                None => return,
                Some(Ok((connection, subscription, tools))) => {
                    let Some(core) = core.upgrade() else { return };
                    let connection = Arc::new(connection);
                    core.connected(Arc::clone(&connection), tools);
                    open_now = Some((connection, subscription));
                    error = String::new();
                }
                Some(Err(failed)) => error = failed.to_string(),
            }
        }
    }
}

fn pause((first, longest): (Duration, Duration), failures: u32) -> Duration {
    first
        .saturating_mul(2_u32.saturating_pow(failures))
        .min(longest)
}

/// Reads the list anew whenever it has changed, until the connection ends.
async fn watch(
    core: &Weak<ServerCore>,
    connection: &Connection,
    mut subscription: Option<Subscription>,
) {
    loop {
        tokio::select! {
            () = connection.end.token.cancelled() => return,
            () = connection.list_changed.notified() => {}
            () = changed(connection, &mut subscription) => {}
        }
        sleep(GATHERED).await;
        let (server, options) = {
            let Some(core) = core.upgrade() else { return };
            (core.name.clone(), core.options.clone())
        };
        let listing = list(connection.service.peer(), &server, &options);
        let listed = tokio::select! {
            () = connection.end.token.cancelled() => return,
            listed = timeout(options.list_timeout, listing) => listed,
        };
        match listed {
            Ok(Ok(tools)) => {
                let Some(core) = core.upgrade() else { return };
                core.listed(tools);
            }
            // The tools that are known stay; a call of one that is gone gets the server's own error.
            Ok(Err(error)) => {
                tracing::warn!(server, %error, "the changed list of tools cannot be read");
            }
            Err(_) => tracing::warn!(server, "the changed list of tools was not read in time"),
        }
    }
}

/// Waits for a change by the subscription; one that the server has ended is made anew.
async fn changed(connection: &Connection, subscription: &mut Option<Subscription>) {
    let Some(standing) = subscription else {
        std::future::pending::<()>().await;
        return;
    };
    if let Ok(Some(_)) = standing.next().await {
        return;
    }
    *subscription = None;
    // At the pace at which a server that ends each subscription costs next to nothing.
    sleep(Duration::from_secs(1)).await;
    if let Ok(again) = subscribed(connection).await {
        // A change in between was not reported.
        *subscription = again;
        return;
    }
    std::future::pending::<()>().await;
}
