//! Imports over HTTP, from the server of this crate and from servers that are wrong.

use std::io;
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolCall, ToolError, ToolRegistry};
use toolwright_mcp::client::{
    Http, ImportError, ImportFault, ImportOptions, ImportedServer, import_with,
};
use toolwright_mcp::reqwest;
use toolwright_mcp::reqwest::header::{ACCEPT, HeaderName, HeaderValue};
use toolwright_mcp::server::Principal;
use toolwright_mcp::server::http::BearerTokens;

use crate::Server;

const TOKEN: &str = "s3cret-5f1c0e1cb8e14f3a9d7c";

fn client() -> reqwest::Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls_graviola::default_provider().install_default();
    });
    Http::client().build().unwrap()
}

fn address(server: &Server) -> String {
    format!("http://{}/mcp", server.at)
}

fn options() -> ImportOptions {
    ImportOptions::new()
        .connect_timeout(Duration::from_secs(30))
        .backoff(Duration::from_millis(10), Duration::from_millis(50))
}

async fn imported(server: Http) -> Result<ImportedServer, ImportError> {
    import_with("far", server, options()).await
}

fn executor(imported: &ImportedServer) -> Executor {
    let registry = ToolRegistry::new().with_server("far", imported.registry());
    let builder = Executor::builder(registry);
    builder.permission_checker(AllowAll).build().unwrap()
}

/// Answers each request with a text, and counts the connections. Returns its address.
async fn answering(
    answer: impl Fn(&str) -> String + Send + 'static,
) -> (String, Arc<Mutex<usize>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let count = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            *counted.lock().unwrap() += 1;
            let mut head = [0; 4096];
            let read = stream.read(&mut head).await.unwrap_or_default();
            let head = String::from_utf8_lossy(&head[..read]).into_owned();
            let _ = stream.write_all(answer(&head).as_bytes()).await;
        }
    });
    (format!("http://{at}/mcp"), count)
}

fn page(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn a_server_is_imported_over_http_in_both_eras() {
    let modern = ProtocolVersion::V_2026_07_28;
    for (lifecycle, version) in [
        (ClientLifecycleMode::Initialize, "2025-11-25"),
        (
            ClientLifecycleMode::Discover {
                preferred_versions: vec![modern],
            },
            "2026-07-28",
        ),
    ] {
        let server = Server::start(|server| {
            server.authenticate(BearerTokens::new().token(TOKEN, Principal::new("ada")))
        });
        let http = Http::new(address(&server), client()).bearer(TOKEN).unwrap();
        let options = options().lifecycle(lifecycle);
        let imported = import_with("far", http, options).await.unwrap();
        assert_eq!(imported.info().unwrap().protocol_version.as_str(), version);
        let executor = executor(&imported);
        let echo = executor.call("far.echo", r#"{"text": "a"}"#).await;
        assert_eq!(echo.text(), "a");
        let calls = (0..200).map(|n| {
            let executor = executor.clone();
            tokio::spawn(async move {
                let text = json!({"text": n.to_string()});
                executor.call("far.echo", text).await.text()
            })
        });
        for (number, call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(call.await.unwrap(), number.to_string());
        }
    }
}

#[tokio::test]
async fn calls_that_wait_do_not_keep_others_from_the_server() {
    let server = Server::start(|server| server);
    let imported = imported(Http::new(address(&server), client()))
        .await
        .unwrap();
    let executor = executor(&imported);
    // More than the 16 requests that `rmcp` makes at a time unless it is told otherwise.
    let turn = executor.session("s").turn();
    let holding: Vec<_> = (0..40)
        .map(|_| {
            let turn = turn.clone();
            tokio::spawn(async move { turn.call(ToolCall::new("far.hold", "{}")).await })
        })
        .collect();
    server.log.until_running(40).await;
    let echo = executor.call("far.echo", r#"{"text": "a"}"#).await;
    assert_eq!(echo.text(), "a");
    // The end of a call at the client is the end of it at the server.
    turn.cancel();
    for call in holding {
        let result = call.await.unwrap().into_result();
        let kind = result.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::Cancelled));
    }
    server.log.until_running(0).await;
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_an_error_of_its_call() {
    let server = Server::start(|server| server);
    let http = Http::new(address(&server), client()).max_message_bytes(20_000);
    let imported = imported(http).await.unwrap();
    let executor = executor(&imported);
    let text = |bytes: usize| json!({"text": "x".repeat(bytes)});
    assert!(executor.call("far.echo", text(9_000)).await.is_success());
    let result = executor.call("far.echo", text(30_000)).await.into_result();
    assert!(!result.is_success(), "{result:?}");
    imported
        .until(|server| server.status() == toolwright_mcp::client::ServerStatus::Connected)
        .await;
    assert!(executor.call("far.echo", text(9_000)).await.is_success());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (elsewhere, count) = answering(|_| page("200 OK", "", "")).await;
    let location = format!("Location: {elsewhere}\r\n");
    let (address, _) = answering(move |_| page("307 Temporary Redirect", &location, "")).await;
    let http = Http::new(address, client()).bearer(TOKEN).unwrap();
    let error = imported(http).await.unwrap_err();
    assert!(
        matches!(error.fault(), ImportFault::Handshake(_)),
        "{error:?}"
    );
    assert_eq!(*count.lock().unwrap(), 0);
}

#[tokio::test]
async fn a_wrong_address_token_or_header_is_an_error_that_does_not_show_it() {
    for (address, scheme) in [
        ("s3cret", "relative URL without a base"),
        ("file:///s3cret", "not `file`"),
        ("unix:s3cret", "not `unix`"),
    ] {
        let error = imported(Http::new(address, client())).await.unwrap_err();
        assert!(matches!(error.fault(), ImportFault::Connect(_)));
        let text = format!("{error} {error:?}");
        assert!(text.contains(scheme) && !text.contains("s3cret"), "{text}");
    }
    let server = Server::start(|server| server);
    let http = Http::new(address(&server), client());
    let error = http.clone().bearer("s3cret\n").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cret"));
    let reserved = http.header(ACCEPT, HeaderValue::from_static("s3cret"));
    let error = imported(reserved).await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(
        text.contains("accept") && !text.contains("s3cret"),
        "{text}"
    );
}

/// The log of the whole process, as `tracing` writes it at its finest.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_secret_is_shown_by_a_text_an_error_or_a_log() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // All tasks of this test run on its thread.
    let logging = tracing::subscriber::set_default(subscriber);
    let key = HeaderName::from_static("x-api-key");
    let secret = |address: String| {
        Http::new(format!("{address}?key=s3cret"), client())
            .bearer(TOKEN)
            .unwrap()
            .header(key.clone(), HeaderValue::from_static("s3cret"))
    };
    let mut texts = String::new();

    let server = Server::start(|server| {
        server.authenticate(BearerTokens::new().token(TOKEN, Principal::new("ada")))
    });
    let http = secret(address(&server));
    texts.push_str(&format!("{http:?}"));
    assert!(texts.contains("x-api-key") && texts.contains(&server.at.to_string()));
    let far = imported(http).await.unwrap();
    assert!(
        executor(&far)
            .call("far.echo", json!({"text": "a"}))
            .await
            .is_success()
    );
    far.close();

    // A page that repeats the whole request, by several statuses; a port where nobody listens; an address with a password.
    for status in [
        "400 Bad Request",
        "401 Unauthorized",
        "404 Not Found",
        "500 Internal Server Error",
        "200 OK",
    ] {
        for kind in ["text/plain", "application/json", "text/event-stream"] {
            let headers = format!("Content-Type: {kind}\r\n");
            let (address, _) =
                answering(move |head| page(status, &headers, &json!(head).to_string())).await;
            let error = imported(secret(address)).await.unwrap_err();
            texts.push_str(&format!("{status} {kind}: {error} {error:?}\n"));
        }
    }
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = closed.local_addr().unwrap();
    drop(closed);
    let error = imported(secret(format!("http://user:s3cret@{at}/s3cret")))
        .await
        .unwrap_err();
    texts.push_str(&format!("{error} {error:?}\n"));

    drop(logging);
    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("rmcp"), "the log is there: {log}");
    for text in [&texts, &log] {
        let shown: Vec<_> = text
            .lines()
            .filter(|line| line.contains("s3cret"))
            .collect();
        assert!(shown.is_empty(), "{shown:#?}");
    }
}
