//! `workbench serve`: the tools over the Model Context Protocol.
//!
//! Standard output belongs to the protocol. Approvals and questions go to the person at the client, as forms.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolwright_mcp::server::http::BearerTokens;
use toolwright_mcp::server::{McpServer, Principal, ServeError};

use crate::cli::{Cli, Problem, Reading, Recording};
use crate::run::Bench;
use crate::terminal::safe;

/// The variable of the token that clients over HTTP have to send.
const TOKEN: &str = "WORKBENCH_TOKEN";

const INSTRUCTIONS: &str = "Tools for the files of one directory, and a shell in it. Paths are relative to that directory. \
    The person at the client may be asked before a call runs.";

/// Serve the tools to an MCP client.
#[derive(Debug, Clone, Args)]
pub(crate) struct Serve {
    /// Listen at an address, `127.0.0.1:8931`, for clients over HTTP; without it, one client is served on standard input
    /// and output. With the variable `WORKBENCH_TOKEN` a client has to send its value as a bearer token.
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,

    /// A name or an address by which clients reach the server from other machines.
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(crate) host: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) recording: Recording,
}

/// The reasons why nothing can be served. None has the token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeProblem {
    #[error(
        "`--http {address}` cannot be listened at: give `HOST:PORT` of this machine, such as `127.0.0.1:8931`, that no program has"
    )]
    Listen {
        address: String,
        #[source]
        error: io::Error,
    },
    #[error(
        "`--http {0}` can be reached from other machines, where anyone could call the tools: set the variable {TOKEN} to a secret that clients have to send (`openssl rand -hex 32` makes one), or listen at 127.0.0.1"
    )]
    Exposed(String),
    #[error(
        "`--http {0}` listens at all addresses of this machine: say by `--host NAME` by which names clients reach it, so that no web page can give it another"
    )]
    NoHost(String),
    #[error(
        "the variable {TOKEN} {0}: set it to letters and digits that nobody can guess (`openssl rand -hex 32` makes some), or unset it"
    )]
    BadToken(&'static str),
    #[error("`--env {TOKEN}` would show the token of the server to shell lines: leave it out")]
    TokenForShell,
    #[error("the client cannot be served")]
    Serve(#[source] ServeError),
}

/// Serves until the client goes, or a signal comes.
pub(crate) async fn serve(bench: &Bench<'_>, serve: &Serve) -> Result<ExitCode, Problem> {
    check_environment(bench.cli)?;
    let interrupt = bench.listen_for_turns()?;
    let shutdown = CancellationToken::new();
    let server = toolwright_mcp::serve(bench.executor.clone())
        .name("workbench")
        .title("Workbench")
        .version(env!("CARGO_PKG_VERSION"))
        .instructions(INSTRUCTIONS)
        .shutdown(shutdown.clone());
    let mut signal = interrupt.clone();
    let ending = tokio::spawn(async move {
        signal.come().await;
        shutdown.cancel();
    });
    let ended = match &serve.http {
        None => server.stdio().await,
        Some(address) => {
            let (server, listener) = listener(server, address, serve).await?;
            tell(&listener, bench);
            server.http_on(listener).await
        }
    };
    ending.abort();
    ended.map_err(ServeProblem::Serve)?;
    Ok(match interrupt.code() {
        Some(code) => ExitCode::from(code),
        None => ExitCode::SUCCESS,
    })
}

/// Refuses to show the token to shell lines.
fn check_environment(cli: &Cli) -> Result<(), ServeProblem> {
    #[cfg(unix)]
    if cli.env.iter().any(|variable| variable.name() == TOKEN) {
        return Err(ServeProblem::TokenForShell);
    }
    // Other systems have no shell lines, and no `--env`.
    #[cfg(not(unix))]
    let _ = cli;
    Ok(())
}

/// Listens at an address, if those who reach it may call the tools.
async fn listener(
    mut server: McpServer,
    address: &str,
    serve: &Serve,
) -> Result<(McpServer, TcpListener), ServeProblem> {
    let failed = |error| ServeProblem::Listen {
        address: address.to_owned(),
        error,
    };
    let token = token(std::env::var_os(TOKEN))?;
    let found = tokio::net::lookup_host(address).await.map_err(failed)?;
    let addresses: Vec<SocketAddr> = found.collect();
    let is_exposed = |address: &SocketAddr| !address.ip().is_loopback();
    if addresses.iter().any(is_exposed) {
        if token.is_none() {
            return Err(ServeProblem::Exposed(address.to_owned()));
        }
        let is_open = addresses
            .iter()
            .any(|address| address.ip().is_unspecified());
        if is_open && serve.host.is_empty() {
            return Err(ServeProblem::NoHost(address.to_owned()));
        }
        let host = |address: &SocketAddr| match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let name = address.rsplit_once(':').map(|(name, _)| name.to_owned());
        server = server.allowed_hosts(addresses.iter().map(host).chain(name));
    }
    if let Some(token) = token {
        server = server.authenticate(BearerTokens::new().token(token, Principal::new("client")));
    }
    server = server.allowed_hosts(&serve.host);
    let listener = TcpListener::bind(addresses.as_slice()).await;
    Ok((server, listener.map_err(failed)?))
}

fn token(value: Option<OsString>) -> Result<Option<String>, ServeProblem> {
    let Some(value) = value else {
        return Ok(None);
    };
    let is_plain = |token: &str| token.bytes().all(|byte| byte.is_ascii_graphic());
    match value.into_string() {
        Ok(token) if token.is_empty() => Err(ServeProblem::BadToken("is empty")),
        Ok(token) if is_plain(&token) => Ok(Some(token)),
        _ => Err(ServeProblem::BadToken(
            "has characters that no token can have",
        )),
    }
}

/// Says where the tools are.
fn tell(listener: &TcpListener, bench: &Bench<'_>) {
    let Ok(address) = listener.local_addr() else {
        return;
    };
    let tools = bench.executor.tools().specs().count();
    let line = format!("{tools} tools at http://{address}/mcp; Ctrl-C ends the server");
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(io::stderr(), "{}", safe::line(&line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_can_be_sent_in_a_header() {
        assert!(token(None).unwrap().is_none());
        assert_eq!(
            token(Some("s3cret+/=".into())).unwrap().as_deref(),
            Some("s3cret+/=")
        );
        for wrong in ["", " ", "a b", "a\n", "ä"] {
            let problem = token(Some(wrong.into())).unwrap_err().to_string();
            assert!(problem.contains(TOKEN), "{problem}");
        }
    }
}
