//! The connection to a server.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use temporalio_client::{
    Client, ClientOptions, ClientTlsOptions, Connection, ConnectionOptions, TlsOptions, Url,
};
use toolwright::dispatch::DispatchError;

/// The longest time in which a connection is made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The address of a Temporal server, and what a connection to it takes.
///
/// `Debug` shows no key.
#[derive(Clone)]
pub struct TemporalServer {
    address: String,
    namespace: String,
    identity: Option<String>,
    api_key: Option<String>,
    tls: Option<TlsOptions>,
}

impl TemporalServer {
    /// A server at `HOST:PORT` or a URL, such as `127.0.0.1:7233`. Default: the namespace `default`, without TLS.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            namespace: "default".to_owned(),
            identity: None,
            api_key: None,
            tls: None,
        }
    }

    /// Sets the namespace, which has to be there.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Sets the name under which this process appears in histories. Default: its number and host.
    pub fn identity(mut self, identity: impl Into<String>) -> Self {
        self.identity = Some(identity.into());
        self
    }

    /// Sets the key that the server asks for, and turns TLS on.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self.tls()
    }

    /// Encrypts the connection; the server's certificate is checked by the authorities of the system. Takes the feature
    /// `tls-ring` or `tls-aws-lc`.
    pub fn tls(mut self) -> Self {
        self.tls.get_or_insert_with(TlsOptions::default);
        self
    }

    /// Turns TLS on, and checks the server's certificate by an authority of your own, in PEM.
    pub fn tls_authority(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.tls
            .get_or_insert_with(TlsOptions::default)
            .server_root_ca_cert = Some(pem.into());
        self
    }

    /// Turns TLS on, and shows the server a certificate of this client. Both in PEM.
    pub fn tls_client(mut self, certificate: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        let client = ClientTlsOptions::builder()
            .client_cert(certificate.into())
            .client_private_key(key.into())
            .build();
        self.tls
            .get_or_insert_with(TlsOptions::default)
            .client_tls_options = Some(client);
        self
    }

    /// Connects. The connection is made anew whenever it breaks.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Unavailable`] if the address is none, or no server answers there within ten seconds.
    pub async fn connect(self) -> Result<TemporalClient, DispatchError> {
        self.connecting().await
    }

    /// Boxed here, so that the client's future is compiled with this crate and not with each program that connects.
    fn connecting(self) -> BoxFuture<'static, Result<TemporalClient, DispatchError>> {
        Box::pin(self.connect_as_set())
    }

    async fn connect_as_set(self) -> Result<TemporalClient, DispatchError> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let url = if self.address.contains("://") {
            self.address
        } else {
            format!("{scheme}://{}", self.address)
        };
        let url: Url = url.parse().map_err(DispatchError::unavailable)?;
        let identity = self
            .identity
            .unwrap_or_else(|| format!("toolwright/{}", std::process::id()));
        let options = ConnectionOptions::new(url)
            .identity(identity)
            .connect_timeout(CONNECT_TIMEOUT)
            .maybe_api_key(self.api_key)
            .maybe_tls_options(self.tls)
            .build();
        let connection = Connection::connect(options).await;
        let connection = connection.map_err(DispatchError::unavailable)?;
        let client = Client::new(connection, ClientOptions::new(self.namespace).build());
        let client = client.map_err(DispatchError::unavailable)?;
        Ok(TemporalClient { client })
    }
}

impl fmt::Debug for TemporalServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporalServer")
            .field("address", &self.address)
            .field("namespace", &self.namespace)
            .field("tls", &self.tls.is_some())
            .finish_non_exhaustive()
    }
}

/// A connection to a server, for dispatchers and workers. Cloning is cheap; all clones are one connection.
#[derive(Clone)]
pub struct TemporalClient {
    pub(crate) client: Client,
}

impl fmt::Debug for TemporalClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporalClient")
            .field("namespace", &self.client.options().namespace)
            .finish_non_exhaustive()
    }
}
