//! The connection to a server.

use std::sync::Arc;

use rmcp::model::{ProtocolVersion, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService, ServiceError,
    Subscription, serve_client_with_lifecycle_and_ct,
};
use tokio::sync::Notify;
use tokio::time::timeout;
use toolwright::CancellationToken;

use super::calls::{ConnectionEnd, SentCalls, WatchedTransport};
use super::connect::Connect;
use super::error::{ImportError, ImportFault};
use super::handler::ClientEnd;
use super::list::{ToolList, list};
use super::options::ImportOptions;

/// A connection that stands.
pub(super) struct Connection {
    pub(super) service: RunningService<RoleClient, ClientEnd>,
    pub(super) calls: Arc<SentCalls>,
    pub(super) end: ConnectionEnd,
    pub(super) list_changed: Arc<Notify>,
    close: CancellationToken,
}

impl Connection {
    /// Ends the connection, and the calls that run on it.
    pub(super) fn close(&self) {
        self.end
            .happened(Some("the host closed the connection".to_owned()));
        self.close.cancel();
    }
}

/// Ends whatever is in flight, with the last who holds the connection.
impl Drop for Connection {
    fn drop(&mut self) {
        self.close.cancel();
    }
}

/// Connects, and reads the tools.
pub(super) async fn open<C: Connect>(
    server: &str,
    connect: &Arc<C>,
    options: &ImportOptions,
) -> Result<(Connection, Option<Subscription>, ToolList), ImportError> {
    let failed = |fault| ImportError::new(server, fault);
    let connecting = timeout(options.connect_timeout, connected(connect, options));
    let late = |_| failed(ImportFault::ConnectTime(options.connect_timeout));
    let connection = connecting.await.map_err(late)?.map_err(failed)?;
    let listing = timeout(options.list_timeout, async {
        // Before the list is read, so that no change is missed between the two.
        let subscription = subscribed(&connection).await?;
        let tools = list(connection.service.peer(), server, options).await?;
        Ok((subscription, tools))
    });
    let late = |_| failed(ImportFault::ListTime(options.list_timeout));
    let listed: Result<_, ServiceError> = listing.await.map_err(late)?;
    let (subscription, tools) = listed.map_err(|error| failed(ImportFault::List(error)))?;
    Ok((connection, subscription, tools))
}

/// Connects. Where the version is to be found and the server answers the question for it oddly, the handshake of older servers is
/// tried too.
async fn connected<C: Connect>(
    connect: &Arc<C>,
    options: &ImportOptions,
) -> Result<Connection, ImportFault> {
    let fault = match connected_by(connect, options, options.lifecycle.clone()).await {
        Err(ImportFault::Handshake(fault)) => fault,
        ended => return ended,
    };
    if !matches!(options.lifecycle, ClientLifecycleMode::Auto { .. }) || !may_be_older(&fault) {
        return Err(ImportFault::Handshake(fault));
    }
    tracing::debug!(%fault, "the server does not tell its version; it gets the handshake of older servers");
    // On a connection of its own, because the state of the other is not known.
    connected_by(connect, options, ClientLifecycleMode::Initialize).await
}

/// Returns true if a server that was asked for its versions may know the handshake of older versions alone. `rmcp` itself takes an error
/// for a sign of that, and a server that is silent.
fn may_be_older(fault: &ClientInitializeError) -> bool {
    match fault {
        // Another result than that of the question; the answer to another request, or to none; servers that end at a request
        // before the handshake.
        ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::ConflictInitResponseId(..)
        | ClientInitializeError::UncorrelatedErrorResponse { .. }
        | ClientInitializeError::ConnectionClosed(_) => true,
        ClientInitializeError::NoCompatibleProtocolVersion {
            server_supported, ..
        } => {
            server_supported.is_empty()
                || server_supported.iter().any(ProtocolVersion::has_initialize)
        }
        _ => false,
    }
}

async fn connected_by<C: Connect>(
    connect: &Arc<C>,
    options: &ImportOptions,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, ImportFault> {
    let inner = connect.connect().await.map_err(ImportFault::Connect)?;
    let (calls, end) = (Arc::<SentCalls>::default(), ConnectionEnd::default());
    let list_changed = Arc::<Notify>::default();
    let handler = ClientEnd::new(options, Arc::clone(&calls), Arc::clone(&list_changed));
    let of_fault = Arc::clone(connect);
    let transport = WatchedTransport {
        inner,
        calls: Arc::clone(&calls),
        end: end.clone(),
        fault: Box::new(move || of_fault.fault()),
    };
    let close = CancellationToken::new();
    let serving = serve_client_with_lifecycle_and_ct(handler, transport, lifecycle, close.clone());
    let service = serving
        .await
        .map_err(|error| ImportFault::Handshake(Box::new(error)))?;
    Ok(Connection {
        service,
        calls,
        end,
        list_changed,
        close,
    })
}

/// Subscribes to changes of the list, where the version of the protocol has subscriptions and the server offers this one.
pub(super) async fn subscribed(
    connection: &Connection,
) -> Result<Option<Subscription>, ServiceError> {
    let Some(info) = connection.service.peer().peer_info() else {
        return Ok(None);
    };
    let offered = info
        .capabilities
        .tools
        .as_ref()
        .and_then(|tools| tools.list_changed);
    if info.protocol_version < ProtocolVersion::V_2026_07_28 || offered != Some(true) {
        return Ok(None);
    }
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    match connection.service.peer().listen(filter).await {
        Ok(subscription) => Ok(Some(subscription)),
        // A server that offers it and then refuses has tools all the same.
        Err(ServiceError::McpError(error)) => {
            tracing::debug!(%error, "the server takes no subscription to its list of tools");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
