//! Requests to a model's API.

use std::io::{self, Write as _};
use std::time::Duration;

use reqwest::{Response, StatusCode};
use toolwright_providers::{MessageStream, StreamEvent};

use super::failure::ChatError;
use super::provider::Provider;
use crate::terminal::safe;

/// The most times that a request waits because the server takes no more of them for now.
const MAX_WAITS: u32 = 5;

/// The longest wait. A server that asks for a longer one is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The most bytes of the text of an error that are read.
const MAX_ERROR: usize = 64 * 1024;

/// The longest time for a connection, and the longest in which nothing comes: models think for minutes.
const CONNECT: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(600);

pub(super) struct Client(reqwest::Client);

impl Client {
    pub(super) fn new() -> Result<Self, ChatError> {
        // A second one changes nothing: the process has a provider of cryptography already.
        let _ = rustls_graviola::default_provider().install_default();
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            // A server elsewhere is not to see the key.
            .redirect(reqwest::redirect::Policy::none())
            .build();
        client.map(Self).map_err(ChatError::Client)
    }

    /// Sends a request, and gives each piece of the answer as it comes; returns it whole.
    pub(super) async fn ask(
        &self,
        provider: &Provider,
        body: &str,
        mut show: impl FnMut(StreamEvent) -> io::Result<()>,
    ) -> Result<String, ChatError> {
        let host = provider.host();
        let mut response = self.send(provider, body).await?;
        let mut stream = MessageStream::new(provider.api());
        let failed = |error| broken(provider, error);
        while !stream.is_complete() {
            let bytes = response.chunk().await.map_err(|error| ChatError::CutOff {
                host: host.clone(),
                error: error.without_url().into(),
            })?;
            let Some(bytes) = bytes else {
                break;
            };
            for event in stream.push(&bytes).map_err(failed)? {
                show(event).map_err(ChatError::Output)?;
            }
        }
        stream.finish().map_err(failed)
    }

    /// Sends a request until the server takes it.
    async fn send(&self, provider: &Provider, body: &str) -> Result<Response, ChatError> {
        let mut waits = 0;
        loop {
            let request = self.0.post(provider.url()).headers(provider.headers()?);
            let sent = request.body(body.to_owned()).send().await;
            let response = sent.map_err(|error| ChatError::Network {
                host: provider.host(),
                error: error.without_url(),
            })?;
            let status = response.status();
            if status.is_success() {
                return Ok(response);
            }
            let asked = retry_after(&response);
            let usual = Duration::from_secs(2_u64.saturating_pow(waits + 1));
            // Only the server knows if another error passes.
            let wait = match status {
                StatusCode::TOO_MANY_REQUESTS => Some(asked.unwrap_or(usual)),
                _ if status.is_server_error() => asked,
                _ => None,
            };
            match wait {
                Some(wait) if wait <= LONGEST_WAIT && waits < MAX_WAITS => {
                    waits += 1;
                    let _ = writeln!(
                        io::stderr(),
                        "{} takes no request for now ({}): waiting {} s, {waits} of {MAX_WAITS}; Ctrl-C ends the wait",
                        safe::line(&provider.host()),
                        status.as_u16(),
                        wait.as_secs()
                    );
                    tokio::time::sleep(wait).await;
                }
                _ => return Err(refused(provider, response).await),
            }
        }
    }
}

/// The wait that a server asks for in seconds.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(reqwest::header::RETRY_AFTER)?;
    let seconds: f64 = value.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The error of a status.
async fn refused(provider: &Provider, mut response: Response) -> ChatError {
    let status = response.status();
    let mut text = Vec::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        text.extend_from_slice(&bytes);
        if text.len() > MAX_ERROR {
            break;
        }
    }
    let text = String::from_utf8_lossy(&text);
    let read = toolwright_providers::AssistantMessage::read(provider.api(), &text);
    let said = match read.as_ref().err().and_then(|error| error.api_error()) {
        Some(error) => error.to_string(),
        None => toolwright::text::one_line(&text, 300),
    };
    let said = provider.without_key(&said);
    let host = provider.host();
    match status {
        StatusCode::UNAUTHORIZED => ChatError::Unauthorized {
            host,
            api: provider.kind,
            said,
        },
        StatusCode::NOT_FOUND => ChatError::UnknownModel {
            host,
            model: provider.model.clone(),
            said,
        },
        StatusCode::TOO_MANY_REQUESTS => ChatError::RateLimited { host, said },
        _ if status.is_server_error() => ChatError::Server {
            host,
            status: status.as_u16(),
            said,
        },
        _ => ChatError::Refused {
            host,
            status: status.as_u16(),
            said,
        },
    }
}

fn broken(provider: &Provider, error: toolwright_providers::StreamError) -> ChatError {
    let host = provider.host();
    if error.is_cut_off() {
        return ChatError::CutOff {
            host,
            error: error.into(),
        };
    }
    match error.api_error() {
        Some(said) => ChatError::MidStream {
            host,
            said: provider.without_key(&said.to_string()),
        },
        None => ChatError::Unreadable {
            host,
            api: provider.kind,
            error,
        },
    }
}
