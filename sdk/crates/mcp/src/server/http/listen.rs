//! The connections of a server that listens.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream, ToSocketAddrs};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::server::ServerLimits;

/// The pause after a connection could not be accepted, as when the process has no more files: an immediate retry would fail too.
const PAUSE: Duration = Duration::from_millis(200);

/// The number of connections that may wait to be accepted. With the 128 of the standard library a burst of clients meets resets.
const BACKLOG: u32 = 1024;

/// Listens at the first of the addresses that can be listened at.
pub(super) async fn bind(address: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let mut failed = io::Error::new(io::ErrorKind::InvalidInput, "the name has no address");
    for address in tokio::net::lookup_host(address).await? {
        match bind_to(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn bind_to(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // As the standard library does: a server that restarts need not wait. Elsewhere it would share the port with others.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves connections until the token is cancelled. Connections that have not ended a while later are closed.
pub(super) async fn listen(
    listener: TcpListener,
    router: Router,
    limits: &ServerLimits,
    shutdown: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(
        limits.connections.clamp(1, Semaphore::MAX_PERMITS),
    ));
    let mut connections = JoinSet::new();
    loop {
        let accepted = shutdown.run_until_cancelled(async {
            // The semaphore is never closed.
            let place = places.clone().acquire_owned().await.ok();
            (place, listener.accept().await)
        });
        let Some((place, accepted)) = accepted.await else {
            break;
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                let connection = serve_connection(stream, router.clone(), limits, shutdown.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.shutdown_time, ended)
        .await
        .is_err()
    {
        tracing::warn!("connections were closed that did not end in the time of the shutdown");
    }
}

/// The requests of a connection.
#[derive(Debug, Default)]
struct Requests {
    begun: AtomicUsize,
    /// Holds a reference for each request that has no whole answer yet.
    running: Arc<()>,
}

impl Requests {
    /// Returns when a time has passed in which no request ran and none began. A timer of each request would cost more than the rest
    /// of what this module does for it.
    async fn until_idle(&self, time: Duration) {
        let mut begun = None;
        loop {
            let now = self.begun.load(Ordering::Relaxed);
            let is_running = Arc::strong_count(&self.running) > 1;
            if !is_running && begun == Some(now) {
                return;
            }
            begun = (!is_running).then_some(now);
            tokio::time::sleep(time).await;
        }
    }
}

fn serve_connection(
    stream: TcpStream,
    router: Router,
    limits: &ServerLimits,
    shutdown: CancellationToken,
) -> impl Future<Output = ()> + Send + 'static {
    let header_time = limits.header_time;
    async move {
        // An answer is not held back to be sent together with the next one.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps the delay of small packets");
        }
        let router = TowerToHyperService::new(router);
        let requests = Arc::new(Requests::default());
        let of_service = requests.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            of_service.begun.fetch_add(1, Ordering::Relaxed);
            let running = of_service.running.clone();
            let answer = router.call(request);
            async move {
                let answer = answer.await?;
                // The body keeps the reference until it has been sent.
                Ok::<_, Infallible>(answer.map(|body| {
                    body.map_frame(move |frame| {
                        let _ = &running;
                        frame
                    })
                }))
            }
        });
        let mut http = http1::Builder::new();
        http.header_read_timeout(None);
        let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
        let served = tokio::select! {
            served = connection.as_mut() => served,
            () = requests.until_idle(header_time) => return,
            () = shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = served {
            // A client that goes away is no fault of the server.
            tracing::debug!(%error, "a connection has ended early");
        }
    }
}
