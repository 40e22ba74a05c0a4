//! The client of HTTP, whose errors show no secrets.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;

/// The client of HTTP of a connection; see [`Http`](super::Http).
///
/// The client of `rmcp`, but its errors have neither the address, in which there may be a key, nor what the server wrote.
#[derive(Clone, Debug)]
pub struct HttpClient(reqwest::Client);

impl HttpClient {
    pub(super) fn new(client: reqwest::Client) -> Self {
        Self(client)
    }
}

type Headers = HashMap<HeaderName, HeaderValue>;
type Failure = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Leaves out what may be secret: the address, and the words of the server, which may repeat the request.
fn without_secrets(error: Failure) -> Failure {
    match error {
        StreamableHttpError::Client(error) => StreamableHttpError::Client(error.without_url()),
        StreamableHttpError::UnexpectedServerResponse(text) => {
            // The status or the fault, and after it the beginning of the body.
            let fault = text.split_once(": ").map_or(&*text, |(fault, _)| fault);
            StreamableHttpError::UnexpectedServerResponse(fault.to_owned().into())
        }
        error => error,
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        address: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        authorization: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(
            address,
            message,
            session,
            authorization,
            headers,
            limits,
        )
        .await
    }

    async fn post_message_with_response_limits(
        &self,
        address: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        authorization: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.0
            .post_message_with_response_limits(
                address,
                message,
                session,
                authorization,
                headers,
                limits,
            )
            .await
            .map_err(without_secrets)
    }

    async fn delete_session(
        &self,
        address: Arc<str>,
        session: Arc<str>,
        authorization: Option<String>,
        headers: Headers,
    ) -> Result<(), Failure> {
        let deleting = self
            .0
            .delete_session(address, session, authorization, headers);
        deleting.await.map_err(without_secrets)
    }

    async fn get_stream(
        &self,
        address: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        authorization: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failure> {
        let opening = self
            .0
            .get_stream(address, session, last_event, authorization, headers);
        opening.await.map_err(without_secrets)
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        address: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        authorization: Option<String>,
        headers: Headers,
        largest: usize,
    ) -> Result<Events, Failure> {
        let opening = self.0.get_stream_with_max_sse_event_size(
            address,
            session,
            last_event,
            authorization,
            headers,
            largest,
        );
        opening.await.map_err(without_secrets)
    }
}
