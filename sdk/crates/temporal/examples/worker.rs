//! A worker, and a program that calls the tool of its workers.
//!
//! ```sh
//! temporal server start-dev &                      # or scripts/services --only temporal bash
//! head -c 32 /dev/urandom > key
//! export TEMPORAL_ADDRESS=127.0.0.1:7233 TICKET_KEY_FILE=key
//! cargo run -p toolwright-temporal --example worker &
//! cargo run -p toolwright-temporal --example worker &
//! cargo run -p toolwright-temporal --example worker call count '{"text": "how many words?"}'
//! ```

use std::env;
use std::error::Error;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::executor::{Approvals, ToolHost};
use toolwright::spec::Effect;
use toolwright::ticket::TicketKey;
use toolwright::{
    CancellationToken, Executor, ExecutorBuilder, ToolError, ToolName, ToolRegistry, ToolSpec,
    tool_fn,
};
use toolwright_temporal::{TemporalDispatcher, TemporalServer, TemporalWorker};

/// The same tools for those who call and those who run.
fn tools() -> Result<ToolRegistry, Box<dyn Error>> {
    let spec = ToolSpec::new(ToolName::new("count")?, "Count the words of a text.")
        .with_input_schema(json!({"type": "object"}))
        .with_effect(Effect::Pure)
        .with_pool("words")
        .with_timeout(Duration::from_mins(1));
    let count = async |arguments: Value| {
        // So that there is time to kill the worker: another one counts then.
        tokio::time::sleep(Duration::from_secs(3)).await;
        let text = arguments["text"]
            .as_str()
            .ok_or_else(|| ToolError::failed("`text` is missing"))?;
        let words = text.split_whitespace().count();
        Ok::<_, ToolError>(format!(
            "{words} words, counted by process {}",
            std::process::id()
        ))
    };
    Ok(ToolRegistry::new().with(tool_fn(spec, move |arguments, _| count(arguments))))
}

/// And the same key.
fn executor() -> Result<ExecutorBuilder, Box<dyn Error>> {
    let file = env::var("TICKET_KEY_FILE")
        .map_err(|_| "set TICKET_KEY_FILE to a file of 32 random bytes")?;
    let key = std::fs::read(file)?
        .try_into()
        .map_err(|_| "a key has 32 bytes")?;
    let approvals = Approvals::new().ticket_key(TicketKey::from_bytes(key));
    Ok(Executor::builder(tools()?).approvals(approvals))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::var("TEMPORAL_ADDRESS").unwrap_or_else(|_| "127.0.0.1:7233".to_owned());
    let server = TemporalServer::new(address).connect().await?;
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let host = executor()?.hosts_pools().build()?;
            let shutdown = CancellationToken::new();
            let worker = TemporalWorker::new(&server, ToolHost::new(&host)).pools(["words"]);
            let running = tokio::spawn(worker.shutdown(shutdown.clone()).run());
            eprintln!(
                "process {} takes calls of the pool `words`",
                std::process::id()
            );
            tokio::signal::ctrl_c().await?;
            shutdown.cancel();
            Ok(running.await??)
        }
        ["call", tool, arguments] => {
            let executor = executor()?
                .dispatcher(TemporalDispatcher::new(&server))
                .build()?;
            println!("{}", executor.call(tool, arguments).await.text());
            Ok(())
        }
        _ => Err("usage: worker | worker call TOOL ARGUMENTS".into()),
    }
}
