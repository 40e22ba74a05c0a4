//! A server over streamable HTTP as a transport.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue, InvalidHeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::{Connect, ConnectError, MAX_MESSAGE};

mod client;

pub use client::HttpClient;

/// A server that is reached over streamable HTTP.
///
/// The client of HTTP is the caller's, because it holds the provider of cryptography, the certificates and the proxies. Begin with
/// [`Http::client`]: it follows no redirects, which would carry the headers to another server.
///
/// Neither `Debug`, nor an error, nor a log has the token, the headers, or the address beyond its host; nor the page that a server sends
/// in place of a message, which may repeat them. The message of an error of the protocol is shown as the server wrote it.
///
/// ```no_run
/// use toolwright_mcp::client::Http;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Http::client().build()?;
/// let server = Http::new("https://tools.example/mcp", client)
///     .bearer(&std::env::var("TOOLS_TOKEN")?)?;
/// let tools = toolwright_mcp::import("tools", server).await?;
/// # drop(tools);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Http {
    address: Arc<str>,
    client: reqwest::Client,
    headers: HashMap<HeaderName, HeaderValue>,
    max_message_bytes: usize,
    concurrent_requests: usize,
}

/// The longest time in which a connection of the client that [`Http::client`] begins has to stand.
const CONNECT: Duration = Duration::from_secs(20);

/// The most requests at the same time, by default.
pub(crate) const REQUESTS: usize = 1_024;

impl Http {
    /// Returns the beginning of a client: it follows no redirects, and gives up a connection that does not stand within 20 s.
    ///
    /// [`build`](reqwest::ClientBuilder::build) panics in a process without a provider of cryptography: install one of `rustls` before,
    /// or turn on a feature of `reqwest` that has one.
    pub fn client() -> reqwest::ClientBuilder {
        reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
    }

    /// A server by the address of its endpoint, `http` or `https`. It is read when the connection is made.
    pub fn new(address: impl Into<Arc<str>>, client: reqwest::Client) -> Self {
        Self {
            address: address.into(),
            client,
            headers: HashMap::new(),
            max_message_bytes: MAX_MESSAGE,
            concurrent_requests: REQUESTS,
        }
    }

    /// Sends a bearer token with each request.
    ///
    /// # Errors
    ///
    /// Fails if the token has a character that no header may have. The error does not show it.
    pub fn bearer(self, token: &str) -> Result<Self, InvalidHeaderValue> {
        let value = HeaderValue::from_str(&format!("Bearer {token}"))?;
        Ok(self.header(AUTHORIZATION, value))
    }

    /// Sends a header with each request, in place of an earlier one of that name. Connecting fails with a name that the protocol uses itself.
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self
    }

    /// Sets the largest message that the server may send, in bytes. Default: 16 MiB. The call whose result is larger ends with an error.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.max_message_bytes = bytes;
        self
    }

    /// Sets how many requests are made at the same time; 0 counts as 1. A further one waits. Default: 1,024.
    pub fn concurrent_requests(mut self, requests: usize) -> Self {
        self.concurrent_requests = requests;
        self
    }

    /// The address, if a server can have it.
    fn url(&self) -> Result<Url, ConnectError> {
        let url = Url::parse(&self.address).map_err(ConnectError::new)?;
        match url.scheme() {
            "http" | "https" => Ok(url),
            scheme => Err(ConnectError::new(format!(
                "the address of a server begins with `http` or `https`, not `{scheme}`"
            ))),
        }
    }
}

/// Without the values of headers, and without what may be a key in the address.
impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.url().ok();
        let origin = url.map(|url| url.origin().ascii_serialization());
        f.debug_struct("Http")
            .field("origin", &origin)
            .field("headers", &self.headers.keys())
            .finish_non_exhaustive()
    }
}

impl Connect for Http {
    type Transport = StreamableHttpClientTransport<HttpClient>;

    async fn connect(&self) -> Result<Self::Transport, ConnectError> {
        let url = self.url()?;
        let config = StreamableHttpClientTransportConfig::with_uri(String::from(url))
            .custom_headers(self.headers.clone())
            .max_concurrent_requests(self.concurrent_requests)
            .max_sse_event_size(self.max_message_bytes)
            .max_json_response_size(self.max_message_bytes)
            // The page of an error may repeat the request, and with it the token.
            .max_error_response_size(0);
        let client = HttpClient::new(self.client.clone());
        Ok(StreamableHttpClientTransport::with_client(client, config))
    }
}
